//! What was typed and is no command line: what is wrong with it, and what to type instead.

use std::error::Error;
use std::ffi::OsString;
use std::net::AddrParseError;
use std::num::ParseIntError;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::args::foreign;
use crate::failure::{Failure, with_hint};
use crate::help;

/// The failure that an error of the parser is; none where it is help or a version, to be printed. `words`: what was typed
/// after `tare`. `commands`: the names of all commands.
pub fn failure(error: &clap::Error, words: &[OsString], commands: &[&str]) -> Option<Failure> {
    let words: Vec<String> = words
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let command = words.iter().find(|word| commands.contains(&word.as_str()));
    let typed = Typed {
        error,
        words: &words,
        command: command.map(String::as_str),
    };
    Some(match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => return None,
        ErrorKind::InvalidSubcommand => no_command(&typed.context(ContextKind::InvalidSubcommand), commands),
        ErrorKind::UnknownArgument => typed.unknown_option(),
        ErrorKind::ValueValidation => typed.bad_value(),
        ErrorKind::InvalidValue => typed.no_such_value(),
        ErrorKind::MissingRequiredArgument => typed.missing(),
        _ => typed.otherwise(),
    })
}

/// The name that is nearest to what was typed, if it is near enough for a typing error: a third of its letters, and at least
/// one, may differ; two that changed places count as one.
pub fn nearest<'n>(text: &str, names: &[&'n str]) -> Option<&'n str> {
    let allowed = (text.chars().count() / 3).max(1);
    let distances = names.iter().map(|name| (strsim::osa_distance(text, name), *name));
    let near = distances.filter(|(distance, name)| *distance <= allowed && *distance < name.len());
    near.min().map(|(_, name)| name)
}

fn no_command(asked: &str, commands: &[&str]) -> Failure {
    let failure = Failure::usage(format!("there is no command `{asked}`"));
    let all = "`tare -h` lists the commands";
    let hint = if let Some(instead) = foreign::command(asked) {
        instead.to_owned()
    } else if asked.contains("://") {
        format!("a server is loaded by `tare load {asked}`")
    } else if asked.contains([' ', '/']) || tare_host::command::find(asked, None).is_some() {
        format!("a command is timed by `tare time '{asked}'`; {all}")
    } else if let Some(near) = nearest(asked, commands) {
        format!("did you mean `tare {near}`? {all}")
    } else {
        all.to_owned()
    };
    failure.hint(hint)
}

/// A command line that is none.
struct Typed<'t> {
    error: &'t clap::Error,
    words: &'t [String],
    /// The command that it names, where it names one.
    command: Option<&'t str>,
}

impl Typed<'_> {
    /// What the parser says of a kind of context, as one text.
    fn context(&self, kind: ContextKind) -> String {
        match self.error.get(kind) {
            Some(ContextValue::String(text)) => text.clone(),
            Some(ContextValue::Strings(texts)) => texts.join(", "),
            _ => String::new(),
        }
    }

    /// `tare time`, or `tare`.
    fn called(&self) -> String {
        self.command
            .map_or("tare".to_owned(), |command| format!("tare {command}"))
    }

    fn see_help(&self) -> String {
        format!("`{} -h` lists its options", self.called())
    }

    fn unknown_option(&self) -> Failure {
        let asked = self.context(ContextKind::InvalidArg);
        let (typed, instead) = self.instead(&asked);
        let near = match self.context(ContextKind::SuggestedArg) {
            near if near.is_empty() => None,
            near => Some(format!("did you mean {near}? {}", self.see_help())),
        };
        // Some options of hyperfine are those of other programs, too.
        let hint = match (self.unquoted(&asked), instead) {
            (Some(quotes), Some(instead)) => Some(format!("{instead}; or {quotes}")),
            (quotes, instead) => quotes.or(instead.map(str::to_owned)).or(near),
        };
        Failure::usage(format!("`{}` has no {}", self.called(), option(typed)))
            .hint(hint.unwrap_or_else(|| self.see_help()))
    }

    /// An option of another tool, as it was typed, and what to type instead: of `-count` the parser names `-c` alone.
    fn instead<'a>(&'a self, asked: &'a str) -> (&'a str, Option<&'static str>) {
        let command = self.command.unwrap_or_default();
        let whole = self.words.iter().find(|word| word.starts_with(asked));
        let name = whole.and_then(|word| word.split('=').next());
        match name.and_then(|name| Some((name, foreign::option(command, name)?))) {
            Some((name, instead)) => (name, Some(instead)),
            None => (asked, foreign::option(command, asked)),
        }
    }

    /// Of `tare time sort -n words.txt`: the option is one of a command that has no quotes.
    fn unquoted(&self, asked: &str) -> Option<String> {
        let start = self.words.iter().position(|word| word == "time")? + 1;
        let rest = &self.words[start..];
        let first = rest
            .first()
            .filter(|word| !word.starts_with('-') && !word.contains(' '))?;
        let is_option = |word: &String| word.starts_with(asked);
        let before = rest.iter().position(is_option)?;
        let bare = rest[..before]
            .iter()
            .all(|word| !word.contains(' ') && !word.starts_with('-'));
        (bare && tare_host::command::find(first, None).is_some()).then(|| {
            format!(
                "a command and its arguments are one word, in quotes: tare time '{}'",
                rest.join(" ")
            )
        })
    }

    /// The option of one letter that was typed before this value.
    fn short_with(&self, value: &str) -> Option<&str> {
        let is_short = |word: &String| word.starts_with('-') && !word.starts_with("--");
        let pair = self
            .words
            .windows(2)
            .find(|pair| is_short(&pair[0]) && pair[1] == value);
        pair.map(|pair| pair[0].as_str())
    }

    fn bad_value(&self) -> Failure {
        let (asked, value) = (
            self.context(ContextKind::InvalidArg),
            self.context(ContextKind::InvalidValue),
        );
        let source = self.error.source().map(|source| plain(source, &value));
        let (why, hint) = with_hint(&source.unwrap_or_default());
        let name = option(&asked);
        let said = if name.starts_with('-') {
            format!("{name} {value}: {why}")
        } else {
            why
        };
        let instead = foreign::value(self.command.unwrap_or_default(), &name).map(str::to_owned);
        let unquoted = self.short_with(&value).and_then(|option| self.unquoted(option));
        match unquoted.or(hint).or(instead) {
            Some(hint) => Failure::usage(said).hint(hint),
            None => Failure::usage(said).hint(self.see_help()),
        }
    }

    fn no_such_value(&self) -> Failure {
        let (asked, value) = (
            option(&self.context(ContextKind::InvalidArg)),
            self.context(ContextKind::InvalidValue),
        );
        let valid = self.context(ContextKind::ValidValue);
        let message = if value.is_empty() {
            format!("{asked} needs a value")
        } else {
            format!("{asked} has no value `{value}`")
        };
        let near = self.context(ContextKind::SuggestedValue);
        let hint = match (near.as_str(), valid.as_str()) {
            ("", "") => self.see_help(),
            ("", _) => format!("it is one of {valid}"),
            _ => format!("did you mean {near}? it is one of {valid}"),
        };
        Failure::usage(message).hint(hint)
    }

    fn missing(&self) -> Failure {
        let needed = self.context(ContextKind::InvalidArg);
        let failure = Failure::usage(format!("`{}` needs {needed}", self.called()));
        match self.command.and_then(help::example) {
            Some(example) => failure.hint(format!("as in: {example}")),
            None => failure.hint(self.see_help()),
        }
    }

    /// The parser's own words: the first paragraph, on one line.
    fn otherwise(&self) -> Failure {
        let text = self.error.render().to_string();
        let first = text.split("\n\n").next().unwrap_or_default();
        let words: Vec<&str> = first.trim_start_matches("error: ").split_whitespace().collect();
        Failure::usage(words.join(" ")).hint(self.see_help())
    }
}

/// What is wrong with a value: of numbers and addresses in other words than the parser's.
fn plain(source: &(dyn Error + 'static), value: &str) -> String {
    if source.is::<ParseIntError>() {
        return format!("`{value}` is not a whole number, or too large");
    }
    if source.is::<AddrParseError>() {
        return format!("`{value}` is not an address and a port, as in 10.77.0.12:7400");
    }
    let text = source.to_string();
    let range = text.split_once(" is not in ").map(|(_, range)| range);
    match range.and_then(|range| range.split_once("..=")) {
        Some((least, most)) => format!("`{value}` is out of range: from {least} to {most}"),
        None => text,
    }
}

/// `--budget` of `--budget <TIME>`, which is how the parser names an option.
fn option(asked: &str) -> String {
    asked.split_whitespace().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::taken::taken;
    use crate::cli;
    use crate::commands::Command;

    /// What is said of these words.
    fn said(line: &str) -> String {
        let words: Vec<OsString> = tare_prepare::commands::words(line)
            .unwrap()
            .into_iter()
            .map(Into::into)
            .collect();
        let words = taken(&words).words;
        let error = cli::parse(cli::definition(), &words).unwrap_err();
        cli::failure(&error, &words).unwrap().to_string()
    }

    #[test]
    fn a_word_that_is_no_command_gets_the_nearest_or_what_does_the_same() {
        for (line, parts) in [
            ("rnu", &["no command `rnu`", "did you mean `tare run`?"][..]),
            ("tiem x", &["did you mean `tare time`?"]),
            (
                "compare",
                &["tare time 'A' 'B'", "tare load URL URL", "tare diff REV"],
            ),
            ("hyperfine x", &["tare time"]),
            ("'sleep 1' 'sleep 2'", &["tare time 'sleep 1'"]),
            ("http://localhost:1/", &["tare load http://localhost:1/"]),
            ("zzzzzz", &["`tare -h` lists the commands"]),
        ] {
            let text = said(line);
            parts
                .iter()
                .for_each(|part| assert!(text.contains(part), "{line}: {text}"));
        }
    }

    #[test]
    fn options_of_other_tools_are_answered_with_what_to_type() {
        for (line, parts) in [
            (
                "time x --min-benchmarking-time 5",
                &[
                    "`tare time` has no --min-benchmarking-time",
                    "--budget",
                    "--min-runs",
                ][..],
            ),
            ("time x -m 5 -r 5", &["cannot be used with"]),
            ("time x -P n 0.1 0.4", &["-L n 1..4", "0.1,0.2"]),
            ("time x --style loud", &["--color never"]),
            ("time x --sort loud", &["it is one of command, mean-time"]),
            ("time x --output null", &["--show-output"]),
            ("time x --reference y", &["--baseline NAME"]),
            ("load http://h/ -t4", &["has no -t", "--cores 0,1"]),
            ("load http://h/ -s x.lua", &["-X", "--body"]),
            (
                "load http://h/ -T text",
                &["-H 'Content-Type: text/plain'", "--timeout 5s"],
            ),
            ("load http://h/ -d 5x", &["--duration 5x", "--body TEXT"]),
            ("load http://h/ -p 5", &["--streams N"]),
            ("time sort -n words.txt", &["tare time 'sort -n words.txt'"]),
            (
                "time true : --conclude true",
                &[
                    "--cleanup; before each",
                    "or a command and",
                    "'true : --conclude true'",
                ],
            ),
            ("load http://h/ -F a=b", &["--body @FILE"]),
            ("load http://h/ --burst-rate 5", &["--rate"]),
            ("bench -count=5", &["`tare bench` has no -count\n", "--budget"]),
            ("bench --save-baseline main", &["tare bench main"]),
        ] {
            let text = said(line);
            parts
                .iter()
                .for_each(|part| assert!(text.contains(part), "{line}: {text}"));
        }
    }

    #[test]
    fn options_of_other_tools_that_are_taken_mean_what_they_mean_there() {
        let parsed = |line: &str| {
            let words = tare_prepare::commands::words(line).unwrap();
            let words: Vec<OsString> = words.into_iter().map(Into::into).collect();
            cli::parse(cli::definition(), &taken(&words).words)
                .unwrap_or_else(|error| panic!("{line}: {error}"))
                .command
        };
        let Command::Time(args) =
            parsed("time x y -m 5 -M 9 -P n 1 4 --show-output --sort auto --style basic")
        else {
            panic!("it is another command");
        };
        assert_eq!((args.min_runs, args.max_runs), (Some(5), Some(9)));
        assert_eq!(args.param, ["n", "1..4"]);
        assert!(args.show_output);
        let Command::Load(args) =
            parsed("load URL -q 100 -d '{}' -m PUT -T application/json -t 3s --disable-keepalive -j -L")
        else {
            panic!("it is another command");
        };
        let request = args.request();
        assert_eq!(request.rate.map(|rate| rate.0), Some(100.0));
        assert_eq!(request.requests.body.as_deref(), Some("{}"));
        assert_eq!(request.requests.headers, ["Content-Type: application/json"]);
        assert_eq!(request.timeout.as_secs(), 3);
        assert!(request.requests.fresh && args.more.latency);
    }

    #[test]
    fn slips_are_answered_in_the_same_form_as_every_error() {
        for (line, parts) in [
            (
                "time x --bugdet 5s",
                &["`tare time` has no --bugdet", "did you mean --budget?"][..],
            ),
            (
                "time x --budget 5d",
                &["--budget 5d: `d` is not a unit of time", "hint: "],
            ),
            (
                "time x --color blue",
                &["--color has no value `blue`", "it is one of auto, never, always"],
            ),
            ("time", &["`tare time` needs <COMMAND>", "as in: tare time"]),
            ("time x --runs x", &["--runs x: `x` is not a whole number"]),
            ("agent --listen 7400", &["`7400` is not an address and a port"]),
            ("time x --runs 0", &["`0` is out of range: from 1 to 1000000"]),
            (
                "load URL --chunk-size 0 --body x",
                &["`0` is out of range: from 1 to "],
            ),
            ("time x --fail-if slow", &["did you mean `slower`?"]),
            (
                "time x --until decided --budget 1s",
                &["cannot be used with", "`tare time -h`"],
            ),
        ] {
            let text = said(line);
            assert!(
                text.starts_with("error: ") && text.contains("\n\nhint: "),
                "{line}: {text}"
            );
            parts
                .iter()
                .for_each(|part| assert!(text.contains(part), "{line}: {text}"));
        }
    }
}
