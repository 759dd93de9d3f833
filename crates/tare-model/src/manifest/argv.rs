//! Commands and environments: argv lists, the placeholders in them, and where their paths may lead.

use std::collections::BTreeMap;

use toml_edit::Value;

use super::keys::{Kind, Taken};
use super::kinds::one;
use super::node::{Node, Take};
use super::source::{Source, Spot};
use super::table::Table;
use super::take::{Element, List};
use super::words::{list, near_or_all, short};
use super::write::{commands, text, texts};

/// Placeholders that the lab fills in for every language. `{{` and `}}` stand for braces.
pub const PLACEHOLDERS: [&str; 13] = [
    "host",
    "port",
    "scheme",
    "cert",
    "key",
    "cores",
    "core_list",
    "case",
    "role",
    "out",
    "src",
    "lab",
    "tools",
];
/// Placeholders of what runs before there is a contender: finding a tool, reading its version, installing it.
pub(super) const TOOL_PLACEHOLDERS: [&str; 2] = ["lab", "tools"];
/// The longest command that is accepted.
const MAX_WORDS: usize = 1000;

/// One command.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Argv(Vec<Spot<String>>);

/// Names that may stand between braces.
pub(super) struct Known<'a> {
    /// The lab's.
    pub lab: &'a [&'a str],
    /// The language's tools.
    pub tools: &'a [&'a str],
    /// Whether `{env:NAME}` is filled in as well.
    pub env: bool,
}

/// A piece of text with placeholders.
#[derive(Debug, PartialEq, Eq)]
enum Piece<'a> {
    Placeholder(&'a str),
    LoneBrace(char),
}

impl Argv {
    /// The words without their places.
    pub(super) fn words(&self) -> Vec<String> {
        self.0.iter().map(|word| word.value.clone()).collect()
    }

    /// Checks the placeholders of every word; nothing if they are not known.
    pub(super) fn check_placeholders(&self, table: &Table, key: &str, known: Checked) {
        let Some(known) = known else { return };
        let key = table.path(key);
        self.0
            .iter()
            .for_each(|word| check_text(table.source, &key, word, known));
    }

    /// Checks the placeholders and paths of every word; nothing if the placeholders are not known.
    pub(super) fn check(&self, table: &Table, key: &str, known: Checked) {
        self.check_placeholders(table, key, known);
        let key = table.path(key);
        for word in self.0.iter().filter(|_| known.is_some()) {
            if climbs(&word.value) {
                let text = format!(
                    "`{key}`: the path `{}` leaves the contender's folder",
                    short(&word.value)
                );
                let hint = "keep what it needs in the folder; {lab} is the lab's own";
                table.source.hinted(word.line, text, hint);
            }
        }
    }
}

impl<'d> Take<'d> for Argv {
    const EXPECTED: &'static str = "an argv list (no shell)";
    const EXAMPLE: &'static str = "[\"{out}/server\", \"{port}\"]";

    fn take(node: Node<'d>) -> Option<Self> {
        if !node.is_list() {
            return node.mismatch::<Self>();
        }
        let (source, line, path) = (node.source, node.line, node.path.clone());
        let List(words) = List::<String>::take(node)?;
        let fault = match words.first() {
            None => "expected a command, found an empty list".to_owned(),
            Some(first) if first.value.is_empty() => "expected a command, found an empty word".to_owned(),
            _ if words.len() > MAX_WORDS => {
                format!("expected at most {MAX_WORDS} words, found {}", words.len())
            }
            _ => return Some(Argv(words)),
        };
        source.problem(line, format!("`{path}`: {fault}"), None);
        None
    }
}

impl Element<'_> for Argv {
    const LIST: &'static str = "a list of argv lists (no shell)";
    const LIST_EXAMPLE: &'static str = "[[\"cc\", \"-o\", \"{out}/server\", \"main.c\"]]";
}

/// The words of several commands.
pub(super) fn steps(steps: &[Spot<Argv>]) -> Vec<Vec<String>> {
    steps.iter().map(|step| step.value.words()).collect()
}

/// Names that a kind's placeholders are checked against; none: not known, and not checked.
pub(super) type Checked<'k> = Option<&'k Known<'k>>;

/// Build steps and the like: a list of commands.
pub(super) struct StepsKind<'k>(pub Checked<'k>);

/// One command.
pub(super) struct CommandKind<'k>(pub Checked<'k>);

/// `[env]`: names are laid over the inherited ones one by one.
pub(super) struct EnvKind<'k>(pub Checked<'k>);

impl Kind for StepsKind<'_> {
    type Value = Vec<Vec<String>>;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Self::Value>> {
        let list = table.get::<List<Argv>>(key, must)?;
        for step in &list.value.0 {
            step.value.check(table, key, self.0);
        }
        Some(list.map(|list| steps(&list.0)).into())
    }

    fn show(&self, value: &Self::Value) -> Vec<(String, Value)> {
        one(commands(value))
    }
}

impl Kind for CommandKind<'_> {
    type Value = Vec<String>;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Vec<String>>> {
        let argv = table.get::<Argv>(key, must)?;
        argv.value.check(table, key, self.0);
        Some(argv.map(|argv| argv.words()).into())
    }

    fn show(&self, value: &Vec<String>) -> Vec<(String, Value)> {
        one(texts(value))
    }
}

impl Kind for EnvKind<'_> {
    type Value = BTreeMap<String, String>;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Self::Value>> {
        let env = table.get::<Table>(key, must)?;
        let (mut value, mut parts) = (BTreeMap::new(), Vec::new());
        for (name, node) in env.value.entries() {
            let (line, path) = (node.line, node.path.clone());
            if !is_variable(&name) {
                let text = format!("`{}` is no variable's name", short(&name));
                let hint = "letters, digits and `_`, not starting with a digit";
                table.source.hinted(line, text, hint);
            }
            let Some(text) = String::take(node) else { continue };
            let text = Spot { value: text, line };
            if let Some(known) = self.0 {
                check_text(table.source, &path, &text, known);
            }
            parts.push((format!(".{name}"), line));
            value.insert(name, text.value);
        }
        Some(Taken {
            value,
            line: env.line,
            parts,
        })
    }

    fn lay(&self, value: Self::Value, over: &mut Self::Value) {
        over.extend(value);
    }

    fn show(&self, value: &Self::Value) -> Vec<(String, Value)> {
        let line = |(name, value): (&String, &String)| (format!(".{name}"), text(value));
        value.iter().map(line).collect()
    }
}

pub(super) fn is_variable(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Checks one text: no NUL, no unknown placeholder, no lone brace.
pub(super) fn check_text(source: &Source, key: &str, text: &Spot<String>, known: &Known) {
    let within = short(&text.value);
    if text.value.contains('\0') {
        source.problem(
            text.line,
            format!("`{key}`: a NUL byte in `{within}` cannot be passed on"),
            None,
        );
    }
    for piece in pieces(&text.value) {
        match piece {
            Piece::LoneBrace(brace) => {
                let fault = format!("`{key}`: a lone `{brace}` in `{within}`");
                source.hinted(
                    text.line,
                    fault,
                    format!("write `{brace}{brace}` for the character itself"),
                );
            }
            Piece::Placeholder(name) if !known.has(name) => {
                let fault = format!("`{key}`: unknown placeholder `{{{}}}` in `{within}`", short(name));
                source.hinted(text.line, fault, known.hint(name));
            }
            Piece::Placeholder(_) => {}
        }
    }
}

impl Known<'_> {
    fn has(&self, name: &str) -> bool {
        let from_env = name.strip_prefix("env:").is_some_and(is_variable);
        self.lab.contains(&name) || self.tools.contains(&name) || (self.env && from_env)
    }

    fn hint(&self, name: &str) -> String {
        let all: Vec<&str> = self.lab.iter().chain(self.tools).copied().collect();
        let what = if self.env {
            "known, besides env:NAME"
        } else {
            "known"
        };
        if name.is_empty() {
            format!(
                "write `{{{{}}}}` for the characters themselves; {what}: {}",
                list(all)
            )
        } else {
            near_or_all(name, what, &all)
        }
    }
}

/// Placeholders and lone braces of a text, in order.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (brace, after) = (&rest[at..at + 1], &rest[at + 1..]);
        if after.starts_with(brace) {
            rest = &after[1..];
            continue;
        }
        rest = after;
        let name = after
            .split_once('}')
            .map(|(name, _)| name)
            .filter(|name| !name.contains('{'));
        match (brace, name) {
            ("{", Some(name)) => {
                found.push(Piece::Placeholder(name));
                rest = &after[name.len() + 1..];
            }
            _ => found.push(Piece::LoneBrace(if brace == "{" { '{' } else { '}' })),
        }
    }
    found
}

/// Whether a path in the word (also one after `-I`, `=`, `:` or `,`) leads above where it begins.
pub(super) fn climbs(word: &str) -> bool {
    word.split(['=', ':', ',', ' ', ';']).any(|piece| {
        let path = match piece.strip_prefix('-') {
            Some(option) => option.find(['.', '/', '{']).map_or("", |at| &option[at..]),
            None => piece,
        };
        let mut depth = 0_i64;
        // The path begins at a placeholder, so this is no step down.
        path.split('/').any(|step| {
            match step {
                ".." => depth -= 1,
                "" | "." => {}
                step if step.starts_with('{') && step.ends_with('}') => {}
                _ => depth += 1,
            }
            depth < 0
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_and_lone_braces_are_distinguished() {
        use Piece::{LoneBrace, Placeholder};
        let cases: [(&str, &[Piece]); 9] = [
            ("plain", &[]),
            ("{out}/server", &[Placeholder("out")]),
            ("{a}{b}", &[Placeholder("a"), Placeholder("b")]),
            ("{{port}}", &[]),
            ("{{{port}}}", &[Placeholder("port")]),
            ("{", &[LoneBrace('{')]),
            ("a}", &[LoneBrace('}')]),
            ("{a{b}", &[LoneBrace('{'), Placeholder("b")]),
            ("{}", &[Placeholder("")]),
        ];
        for (text, found) in cases {
            assert_eq!(pieces(text), found, "{text}");
        }
    }

    #[test]
    fn paths_that_climb_are_seen() {
        for bad in [
            "..",
            "../x",
            "a/../../x",
            "./../x",
            "{src}/../x",
            "-I../inc",
            "--file=../x",
            "-L{out}/../lib",
            "a:../b",
            "-Wl,-rpath,../x",
        ] {
            assert!(climbs(bad), "{bad}");
        }
        for good in [
            "./...",
            "a..b",
            "a/../b",
            "{lab}/a/../b",
            "...",
            "-x",
            "0..10",
            "/usr/../bin/x",
            "-O2",
        ] {
            assert!(!climbs(good), "{good}");
        }
    }
}
