//! What real harnesses printed (`tests/fixtures/HARNESS/CASE`), and what is made of it.

mod fuzz;
mod golden;
mod hostile;

use std::path::Path;

use crate::command::Done;
use crate::harness::{Benchmark, Group, Harness, Places, Program, Suite};
use crate::refused::Refused;

/// What a command was for: the first line of a fixture.
#[derive(Debug)]
enum Asked {
    Build,
    List,
    Group(String),
    Sample(String),
}

/// A fixture: lines `@@ WHAT`, and what each is about.
struct Case {
    asked: Asked,
    done: Done,
}

impl Case {
    /// Reads one. It takes any bytes, since mangled ones are read, too.
    fn read(bytes: &[u8]) -> Self {
        let mut case = Self {
            asked: Asked::List,
            done: Done::default(),
        };
        let mut into: Option<String> = None;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let text = String::from_utf8_lossy(line);
            match text.trim_end_matches('\n').strip_prefix("@@ ") {
                Some(head) => into = case.begin(head),
                None => case.go_on(into.as_deref(), line),
            }
        }
        case
    }

    /// What follows a line `@@ …`.
    fn begin(&mut self, head: &str) -> Option<String> {
        let (word, rest) = head.split_once(' ').unwrap_or((head, ""));
        match word {
            "build" => self.asked = Asked::Build,
            "list" => self.asked = Asked::List,
            "group" => self.asked = Asked::Group(rest.to_owned()),
            "sample" => self.asked = Asked::Sample(rest.to_owned()),
            "status" => self.done.status = rest.parse().ok(),
            "file" => drop(self.done.files.insert(rest.into(), Vec::new())),
            _ => {}
        }
        matches!(word, "stdout" | "stderr" | "file").then(|| head.to_owned())
    }

    fn go_on(&mut self, into: Option<&str>, line: &[u8]) {
        let done = &mut self.done;
        match into {
            Some("stdout") => done.stdout.extend_from_slice(line),
            Some("stderr") => done.stderr.extend_from_slice(line),
            Some(file) => {
                let name = file.strip_prefix("file ").unwrap_or_default();
                done.files.entry(name.into()).or_default().extend_from_slice(line);
            }
            None => {}
        }
    }

    /// What the harness makes of it, a thing a line.
    fn answer(&self, harness: &dyn Harness) -> Result<String, Refused> {
        let program = Program::new("words", "/out/words", "/project");
        Ok(match &self.asked {
            Asked::Build => lines(&harness.built(&suite(), &places(), std::slice::from_ref(&self.done))?),
            Asked::List => listing(&harness.listed(&program, None, &self.done)?),
            Asked::Group(name) => {
                let group = Group { name: name.clone() };
                listing(&harness.listed(&program, Some(&group), &self.done)?)
            }
            Asked::Sample(name) => {
                let sample = harness.sampled(&benchmark(name), &self.done)?;
                let iterations = sample.iterations.map(|count| format!("iterations {count}\n"));
                lines(&sample.figures) + &lines(&sample.left_out) + &iterations.unwrap_or_default()
            }
        })
    }
}

fn suite() -> Suite {
    Suite {
        folder: "".into(),
        name: "words".to_owned(),
        parts: vec!["benches/count.rs".to_owned()],
        why: String::new(),
    }
}

fn places() -> Places<'static> {
    Places {
        root: Path::new("/project"),
        out: Path::new("/out"),
    }
}

fn benchmark(name: &str) -> Benchmark {
    let mut listing = crate::harness::Listing::default();
    listing.add(name, vec![name.to_owned()]);
    let made = listing.benchmarks.pop();
    made.unwrap_or_else(|| benchmark("a name that can be shown"))
}

fn listing(listing: &crate::harness::Listing) -> String {
    lines(&listing.benchmarks) + &lines(&listing.groups) + &lines(&listing.left_out)
}

fn lines<T: std::fmt::Debug>(things: &[T]) -> String {
    things.iter().map(|thing| format!("{thing:?}\n")).collect()
}
