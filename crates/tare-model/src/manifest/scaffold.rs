//! What `tare new` writes: a contender that works from the first minute, and a workload around one.
//!
//! Texts only; the caller writes the files. The programs are small servers in `scaffold/LANGUAGE/`, put
//! together from a frame (lines or HTTP), the job's part, and the part that listens.

use std::collections::BTreeMap;

use super::job::{Job, job_value};
use super::words::near_or_all;
use super::write::text;
use crate::ids::is_name;

/// Paths below the new folder, and what is in them.
pub type Files = Vec<(String, String)>;

/// Languages that a contender can be begun in.
pub const LANGUAGES: [&str; 7] = ["c", "go", "haskell", "java", "node", "python", "rust"];

/// A contender or a workload that cannot be begun.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScaffoldError {
    /// The name is not valid.
    #[error(transparent)]
    Name(#[from] crate::ids::BadName),
    /// There is no beginning in the language.
    #[error("there is no beginning of a contender in `{language}`\n\nhint: {hint}")]
    Language {
        /// What was asked for.
        language: String,
        /// What there is.
        hint: String,
    },
    /// The beginnings are servers of lines and of HTTP.
    #[error("there is no beginning of a contender for a `{kind}`\n\nhint: {hint}")]
    NoBeginning {
        /// The job's kind.
        kind: &'static str,
        /// What there is.
        hint: &'static str,
    },
}

/// Files of a new contender's folder: its manifest, and a server that does the job.
/// Errors: the name is not valid, or the language is not one of [`LANGUAGES`].
pub fn contender(name: &str, language: &str, job: &Job) -> Result<Files, ScaffoldError> {
    check_name("contender", name)?;
    contender_files(language, job, "idiomatic")
}

/// Files of a new workload's folder: its manifest, a page about it, and a first contender, named after its
/// language, which is floor and baseline until there are more.
/// Errors: the name is not valid, or the language is not one of [`LANGUAGES`].
pub fn workload(name: &str, language: &str, job: &Job) -> Result<Files, ScaffoldError> {
    check_name("workload", name)?;
    let contender = contender_files(language, job, "floor")?;
    let mut files = vec![
        ("workload.toml".to_owned(), workload_toml(language, job)),
        ("README.md".to_owned(), readme(name, language)),
    ];
    files.extend(
        contender
            .into_iter()
            .map(|(path, text)| (format!("contenders/{language}/{path}"), text)),
    );
    Ok(files)
}

fn check_name(what: &'static str, name: &str) -> Result<(), crate::ids::BadName> {
    if is_name(name) {
        Ok(())
    } else {
        Err(crate::ids::BadName {
            what,
            text: name.to_owned(),
        })
    }
}

/// How bytes that are not plain ASCII are written in a string literal.
#[derive(Clone, Copy)]
enum Escapes {
    /// `\xNN`.
    Hex,
    /// `\NNN`, three octal digits.
    Octal,
    /// `\NNN\&`, decimal.
    Haskell,
}

/// A language's beginnings.
struct Template {
    /// The manifest's summary.
    summary: &'static str,
    /// Where the program goes.
    program: &'static str,
    lines: &'static str,
    http: &'static str,
    fixed: &'static str,
    doubling: &'static str,
    /// What only the doubling job imports.
    imports: &'static str,
    listen: &'static str,
    /// What a string literal begins with.
    prefix: &'static str,
    escapes: Escapes,
    /// Files besides.
    others: &'static [(&'static str, &'static str)],
    /// Debian packages.
    apt: &'static [&'static str],
}

macro_rules! parts {
    ($folder:literal, $end:literal) => {
        Template {
            summary: "",
            program: "",
            lines: include_str!(concat!("scaffold/", $folder, "/lines.", $end)),
            http: include_str!(concat!("scaffold/", $folder, "/http.", $end)),
            fixed: include_str!(concat!("scaffold/", $folder, "/fixed.", $end)),
            doubling: include_str!(concat!("scaffold/", $folder, "/doubling.", $end)),
            imports: "",
            listen: "",
            prefix: "",
            escapes: Escapes::Hex,
            others: &[],
            apt: &[],
        }
    };
}

fn template(language: &str) -> Option<Template> {
    Some(match language {
        "c" => Template {
            summary: "a thread a connection, blocking calls",
            program: "main.c",
            listen: include_str!("scaffold/c/listen.c"),
            escapes: Escapes::Octal,
            ..parts!("c", "c")
        },
        "go" => Template {
            summary: "a goroutine a connection",
            program: "main.go",
            imports: "\t\"math/big\"\n",
            others: &[("go.mod", "module server\n\ngo 1.19\n")],
            ..parts!("go", "go")
        },
        "haskell" => Template {
            summary: "a green thread a connection, blocking calls on plain sockets",
            program: "Main.hs",
            listen: include_str!("scaffold/haskell/listen.hs"),
            escapes: Escapes::Haskell,
            apt: &["libghc-network-dev"],
            ..parts!("haskell", "hs")
        },
        "java" => Template {
            summary: "a virtual thread a connection, blocking streams",
            program: "Main.java",
            imports: "import java.math.BigInteger;\n",
            escapes: Escapes::Octal,
            ..parts!("java", "java")
        },
        "node" => Template {
            summary: "one event loop, whatever the cores",
            program: "main.js",
            ..parts!("node", "js")
        },
        "python" => Template {
            summary: "asyncio streams, a coroutine a connection, one event loop whatever the cores",
            program: "main.py",
            imports: "import re\n",
            prefix: "b",
            ..parts!("python", "py")
        },
        "rust" => Template {
            summary: "a thread a connection, the standard library only",
            program: "src/main.rs",
            listen: include_str!("scaffold/rust/listen.rs"),
            prefix: "b",
            others: &[
                ("Cargo.toml", include_str!("scaffold/rust/Cargo.toml.txt")),
                ("Cargo.lock", include_str!("scaffold/rust/Cargo.lock.txt")),
            ],
            ..parts!("rust", "rs")
        },
        _ => return None,
    })
}

fn contender_files(language: &str, job: &Job, style: &str) -> Result<Files, ScaffoldError> {
    let template = template(language).ok_or_else(|| ScaffoldError::Language {
        language: language.to_owned(),
        hint: near_or_all(language, "there are", &LANGUAGES),
    })?;
    let program = template.program(job).ok_or_else(|| no_beginning(job))?;
    let mut files = vec![
        (
            "contender.toml".to_owned(),
            contender_toml(language, &template, style),
        ),
        (template.program.to_owned(), program),
    ];
    files.extend(
        template
            .others
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned())),
    );
    Ok(files)
}

fn no_beginning(job: &Job) -> ScaffoldError {
    let hint = match job.in_process() {
        Some(_) => {
            "kits/ has a small library for each language that speaks the protocol of docs/probe.md, with a whole contender \
             as its example"
        }
        None => "begin with a copy of another contender of the workload",
    };
    ScaffoldError::NoBeginning {
        kind: job.name(),
        hint,
    }
}

impl Template {
    /// None: there is no beginning for the job.
    fn program(&self, job: &Job) -> Option<String> {
        let (frame, part, imports, expect) = match job {
            Job::Doubling => (self.lines, self.doubling, self.imports, ""),
            Job::Lines { expect, .. } => (self.lines, self.fixed, "", expect.as_str()),
            Job::Http(http) => (self.http, "", "", http.text().unwrap_or("Hello, World!")),
            Job::Grpc(_) | Job::WebSocket(_) | Job::Probe(_) | Job::Pipe(_) => return None,
        };
        // The job's own text is filled in last, so that nothing in it is taken for a mark.
        let program = frame
            .replace(
                "@SUMMARY@",
                "A beginning: make it do the job as well as the language can.",
            )
            .replace("@IMPORTS@", imports)
            .replace("@ANSWER@\n", part)
            .replace("@LISTEN@\n", self.listen)
            .replace("@EXPECT_LENGTH@", &expect.len().to_string())
            .replace("@EXPECT@", &self.literal(expect));
        Some(program)
    }

    fn literal(&self, text: &str) -> String {
        let bytes: String = text.bytes().map(|byte| self.escapes.escape(byte)).collect();
        format!("{}\"{bytes}\"", self.prefix)
    }
}

impl Escapes {
    fn escape(self, byte: u8) -> String {
        match (byte, self) {
            (b'"' | b'\\', _) => format!("\\{}", char::from(byte)),
            (b' '..=b'~', _) => char::from(byte).to_string(),
            (_, Escapes::Hex) => format!("\\x{byte:02x}"),
            (_, Escapes::Octal) => format!("\\{byte:03o}"),
            (_, Escapes::Haskell) => format!("\\{byte}\\&"),
        }
    }
}

fn contender_toml(language: &str, template: &Template, style: &str) -> String {
    let mut toml = format!(
        "schema = 1\nlanguage = {}\nsummary = {}\nstyle = {}\n\
         # build and run are the language's, see languages/{language}.toml; what is written here overrides them.\n",
        text(language),
        text(template.summary),
        text(style),
    );
    if !template.apt.is_empty() {
        let packages: Vec<String> = template
            .apt
            .iter()
            .map(|package| text(package).to_string())
            .collect();
        toml.push_str(&format!("\n[needs]\napt = [{}]\n", packages.join(", ")));
    }
    toml
}

fn workload_toml(language: &str, job: &Job) -> String {
    let values = BTreeMap::from([
        ("@SUMMARY@", text(summary(job)).to_string()),
        ("@JOB@", job_value(job).to_string()),
        ("@CONTENDER@", text(language).to_string()),
        ("@EXCHANGES@", exchanges(job)),
    ]);
    // Line by line, so that nothing in a value is taken for a mark.
    let fill = |line: &str| match values.iter().find(|(mark, _)| line.contains(*mark)) {
        Some((mark, value)) => line.replacen(mark, value, 1),
        None => line.to_owned(),
    };
    let lines: Vec<String> = include_str!("scaffold/workload.toml.txt")
        .lines()
        .map(fill)
        .collect();
    lines.join("\n").trim_end().to_owned() + "\n"
}

fn summary(job: &Job) -> &'static str {
    match job {
        Job::Doubling => "integers in, one a line; their doubles out, in order, of any size",
        Job::Lines { .. } => "one line in, one line out",
        Job::Http(_) => "one HTTP request, one answer",
        Job::Grpc(_) => "one call, one answer",
        Job::WebSocket(_) => "one message, one answer",
        Job::Probe(_) => "calls within the contender's own process",
        Job::Pipe(_) => "exchanges between two processes of the contender",
    }
}

/// Exchanges to begin with. HTTP's heads differ from server to server, so their bytes cannot be fixed here.
fn exchanges(job: &Job) -> String {
    let both: Vec<(&str, String, String)> = match job {
        Job::Doubling => vec![
            ("an integer is doubled", "21\n".into(), "42\n".into()),
            ("leading zeros go", "007\n-0\n".into(), "14\n0\n".into()),
            (
                "a word is no integer",
                "two\n2\n".into(),
                "not an integer\n4\n".into(),
            ),
        ],
        Job::Lines { send, expect } => vec![
            ("a line is answered", format!("{send}\n"), format!("{expect}\n")),
            (
                "two lines at once are answered in order",
                format!("{send}\n{send}\n"),
                format!("{expect}\n{expect}\n"),
            ),
        ],
        _ => Vec::new(),
    };
    let tables = both.iter().map(|(name, send, expect)| {
        format!(
            "[[exchanges]]\nname = {}\nsend = {}\nexpect = {}\n",
            text(name),
            text(send),
            text(expect)
        )
    });
    tables.collect::<Vec<String>>().join("\n")
}

fn readme(name: &str, language: &str) -> String {
    format!(
        "# {name}\n\nWhat the job is, where it comes from, and what is to be found out.\n\n\
         `contenders/{language}` is the first contender, floor and baseline until there are better ones; \
         `tare new contender` begins another. Figures of a report that this reproduces go to `published.toml`.\n"
    )
}
