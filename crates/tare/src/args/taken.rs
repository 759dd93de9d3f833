//! What users of other tools type, put into tare's words: options that have another name or another letter here. Those that
//! mean the same by the same name are aliases of the option itself; those that cannot be taken are answered
//! ([`foreign`](super::foreign)).

use std::ffi::OsString;

use tare_model::units::parse_time;

use crate::values::Rate;

/// A command line in tare's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    pub words: Vec<OsString>,
    /// What may have been meant otherwise.
    pub notes: Vec<String>,
}

/// Options of tare itself that have a value, before the command.
const BEFORE: [&str; 4] = ["-C", "--directory", "--format", "--color"];
/// Options whose value may look like an option.
const ANY_VALUE: [&str; 4] = ["--body", "--data", "--send", "--expect"];

/// The words after `tare`, as they were typed, in tare's words.
pub fn taken(words: &[OsString]) -> Taken {
    let Some((at, command)) = command(words) else {
        return Taken {
            words: words.to_vec(),
            notes: Vec::new(),
        };
    };
    let (before, rest) = words.split_at(at + 1);
    let mut taken = Taken {
        words: before.to_vec(),
        notes: Vec::new(),
    };
    let scan = Scan::of(&command, rest);
    let mut next = 0;
    while next < rest.len() {
        if rest[next] == "--" {
            break;
        }
        let left = &rest[next..];
        match scan
            .replaced(left)
            .or_else(|| replaced(&command, left, &mut taken.notes))
        {
            Some((used, instead)) => {
                taken.words.extend(instead.into_iter().map(Into::into));
                next += used;
            }
            None => {
                let kept = if ANY_VALUE.iter().any(|name| left[0] == *name) {
                    2
                } else {
                    1
                };
                taken.words.extend(left.iter().take(kept).cloned());
                next += kept;
            }
        }
    }
    taken.words.extend(rest.iter().skip(next).cloned());
    taken
}

/// Where the command's name is, and which one.
fn command(words: &[OsString]) -> Option<(usize, String)> {
    let mut at = 0;
    loop {
        let word = words.get(at)?.to_str()?;
        at += match word {
            _ if BEFORE.contains(&word) => 2,
            _ if word.starts_with('-') => 1,
            "time" | "load" => return Some((at, word.to_owned())),
            _ => return None,
        };
    }
}

/// How many words an option takes up, and what stands for it.
type Replaced = (usize, Vec<String>);

/// An option as it was typed: its name, its value if there is one, and how many words they are.
fn option(left: &[OsString]) -> Option<(&str, Option<&str>, usize)> {
    let word = left[0].to_str()?;
    let next = left.get(1).and_then(|word| word.to_str());
    if let Some((name, value)) = word.split_once('=').filter(|(name, _)| name.starts_with('-')) {
        return Some((name, Some(value), 1));
    }
    let attached =
        !word.starts_with("--") && word.starts_with('-') && word.is_char_boundary(2) && word.len() > 2;
    if attached {
        return Some((&word[..2], Some(&word[2..]), 1));
    }
    word.starts_with('-').then_some((word, next, 2))
}

fn replaced(command: &str, left: &[OsString], notes: &mut Vec<String>) -> Option<Replaced> {
    let (name, value, used) = option(left)?;
    if let Some(instead) = switch(command, name).filter(|_| value.is_none() || used == 2) {
        return Some((1, instead));
    }
    let value = value?;
    let instead = match command {
        "time" => of_time(name, value),
        _ => of_load(name, value, notes),
    };
    Some((used, instead?))
}

/// Options without a value: oha's.
fn switch(command: &str, name: &str) -> Option<Vec<String>> {
    let words: &[&str] = match (command, name) {
        ("load", "--disable-keepalive") => &["--fresh"],
        ("load", "--no-tui") => &["--quiet"],
        ("load", "--disable-color") => &["--color=never"],
        ("load", "-j") => &["--format", "json"],
        ("load", "-L") => &["--latency"],
        _ => return None,
    };
    Some(words.iter().map(|word| (*word).to_owned()).collect())
}

/// hyperfine's.
fn of_time(name: &str, value: &str) -> Option<Vec<String>> {
    let words: &[&str] = match (name, value) {
        ("--style", "auto") => &[],
        ("--style", "none") => &["--quiet"],
        ("--style", "basic") => &["--color=never", "--quiet"],
        ("--style", "nocolor") => &["--color=never"],
        ("--style", "full" | "color") => &["--color=always"],
        _ => return None,
    };
    Some(words.iter().map(|word| (*word).to_owned()).collect())
}

/// wrk's and oha's. Where both have a letter, the value says whose it is.
fn of_load(name: &str, value: &str, notes: &mut Vec<String>) -> Option<Vec<String>> {
    let is_time = parse_time(value).is_ok();
    let pair = |name: &str, value: String| Some(vec![name.to_owned(), value]);
    match name {
        "-q" if value.parse::<Rate>().is_ok() => pair("--rate", value.to_owned()),
        // A time begins with a digit; oha's body as a rule does not.
        "-d" if !value.starts_with(|c: char| c.is_ascii_digit() || ".-".contains(c)) => {
            notes.push(format!(
                "-d {value} is taken for the body (--body); how long: -d 30s"
            ));
            pair("--body", value.to_owned())
        }
        "-T" if is_time => pair("--timeout", value.to_owned()),
        "-t" if is_time && value.ends_with(char::is_alphabetic) => pair("--timeout", value.to_owned()),
        "-T" | "--content-type" if value.contains('/') => pair("--header", format!("Content-Type: {value}")),
        "-A" | "--accept" => pair("--header", format!("Accept: {value}")),
        "-D" | "--body-path" => pair("--body", format!("@{value}")),
        _ => None,
    }
}

/// hyperfine's range of a parameter, whose step is an option of its own.
struct Scan {
    wanted: bool,
    step: Option<String>,
}

const SCAN: [&str; 2] = ["-P", "--parameter-scan"];
const STEP: [&str; 2] = ["-D", "--parameter-step-size"];

impl Scan {
    fn of(command: &str, rest: &[OsString]) -> Self {
        let after = |names: [&str; 2]| {
            let at = rest
                .iter()
                .position(|word| names.iter().any(|name| word == name))?;
            rest.get(at + 1)?.to_str().filter(|_| command == "time")
        };
        Self {
            wanted: after(SCAN).is_some(),
            step: after(STEP).map(str::to_owned),
        }
    }

    /// `-L VAR LOW..HIGH` for `-P VAR LOW HIGH`, of whole numbers; nothing for its step.
    fn replaced(&self, left: &[OsString]) -> Option<Replaced> {
        let is = |names: [&str; 2]| self.wanted && names.iter().any(|name| left[0] == *name);
        if is(STEP) {
            return Some((2.min(left.len()), Vec::new()));
        }
        let [_, name, low, high, ..] = left else {
            return None;
        };
        let whole = |text: &str| text.parse::<u64>().is_ok();
        let (name, low, high) = (name.to_str()?, low.to_str()?, high.to_str()?);
        let steps = self.step.as_deref().unwrap_or("1");
        if !is(SCAN) || ![low, high, steps].into_iter().all(whole) {
            return None;
        }
        let step = self
            .step
            .as_ref()
            .map_or(String::new(), |step| format!("+{step}"));
        Some((
            4,
            vec!["-L".to_owned(), name.to_owned(), format!("{low}..{high}{step}")],
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Vec<OsString> {
        let words = tare_prepare::commands::words(text).unwrap();
        words.into_iter().map(Into::into).collect()
    }

    #[test]
    fn options_of_other_tools_become_tares() {
        for (typed, expected) in [
            ("load URL -q 100 -z 5s", "load URL --rate 100 -z 5s"),
            ("load URL -q100", "load URL --rate 100"),
            ("load URL -q -c 5", "load URL -q -c 5"),
            ("load -q URL", "load -q URL"),
            (
                "load URL -d '{\"a\":1}' -m POST",
                "load URL --body '{\"a\":1}' -m POST",
            ),
            ("load URL -d 10s", "load URL -d 10s"),
            ("load URL -d 10x", "load URL -d 10x"),
            ("load URL -T 2s", "load URL --timeout 2s"),
            (
                "load URL -T text/plain",
                "load URL --header 'Content-Type: text/plain'",
            ),
            ("load URL -t 5s", "load URL --timeout 5s"),
            ("load URL -t4 -t 4", "load URL -t4 -t 4"),
            (
                "load URL -A a/b -D f",
                "load URL --header 'Accept: a/b' --body @f",
            ),
            (
                "load URL --disable-keepalive --no-tui -j -L",
                "load URL --fresh --quiet --format json --latency",
            ),
            (
                "load URL --body '-q 5' --send -L",
                "load URL --body '-q 5' --send -L",
            ),
            ("--format json load URL -q 5", "--format json load URL --rate 5"),
            ("time x -P n 1 9 -D 2", "time x -L n 1..9+2"),
            ("time -D 2 x --parameter-scan n 1 9", "time x -L n 1..9+2"),
            ("time x -P n 1 9", "time x -L n 1..9"),
            ("time x -P n 0.1 0.9", "time x -P n 0.1 0.9"),
            ("time x -P n 1", "time x -P n 1"),
            ("time x --style basic", "time x --color=never --quiet"),
            ("time x --style=full", "time x --color=always"),
            ("time x --style other", "time x --style other"),
            ("time x -- -P n 1 9", "time x -- -P n 1 9"),
            ("bench main -q 5", "bench main -q 5"),
            ("diff HEAD -- load -q 5", "diff HEAD -- load -q 5"),
            ("--help", "--help"),
        ] {
            assert_eq!(taken(&line(typed)).words, line(expected), "{typed}");
        }
    }

    #[test]
    fn what_may_have_been_meant_otherwise_is_said() {
        let notes = taken(&line("load URL -d hello")).notes;
        assert!(
            notes.len() == 1 && notes[0].contains("taken for the body") && notes[0].contains("-d 30s"),
            "{notes:?}"
        );
        assert!(taken(&line("load URL -q 5 -T 1s")).notes.is_empty());
    }
}
