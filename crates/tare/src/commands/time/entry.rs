//! The commands that take part, made of what was typed: with parameters filled in, and names.

use tare_model::ids::ContenderId;
use tare_model::manifest::Sweep;
use tare_prepare::naming;

use crate::args::{ParamAs, TimeArgs};
use crate::failure::Failure;

/// A command that takes part, with its own commands around it. Texts hold `{NAME}` where the sizes go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub id: ContenderId,
    pub text: String,
    /// Parameters that are not sizes, and their values.
    pub values: Vec<(String, String)>,
    pub prepare: Option<String>,
    pub setup: Option<String>,
    pub cleanup: Option<String>,
}

/// All commands, and the sizes that each is run at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entries {
    pub list: Vec<Entry>,
    pub sweep: Option<Sweep>,
}

/// A parameter whose values are not sizes.
struct Choice<'a> {
    name: &'a str,
    values: Vec<&'a str>,
}

/// What was asked for.
pub fn entries(args: &TimeArgs) -> Result<Entries, Failure> {
    let sized = args.param_as != Some(ParamAs::Commands);
    let (sweep, choices) = parameters(&args.param, sized)?;
    if args.param_as == Some(ParamAs::Sizes) && sweep.is_none() {
        return Err(Failure::usage(
            "--param-as sizes: no parameter has several whole numbers",
        ));
    }
    let mut list = Vec::new();
    for (index, text) in args.commands.iter().enumerate() {
        let [prepare, setup, cleanup] = [
            ("--prepare", &args.prepare),
            ("--setup", &args.setup),
            ("--cleanup", &args.cleanup),
        ]
        .map(|(option, texts)| around(option, texts, index, args.commands.len()));
        let (prepare, setup, cleanup) = (prepare?, setup?, cleanup?);
        for values in combinations(&choices) {
            let put = |text: &String| put_in(text, &values);
            list.push(Entry {
                id: ContenderId::plain("a"),
                text: put(text),
                values: values
                    .iter()
                    .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                    .collect(),
                prepare: prepare.map(put),
                setup: setup.map(put),
                cleanup: cleanup.map(put),
            });
        }
    }
    for name in choices
        .iter()
        .map(|choice| choice.name)
        .chain(sweep.as_ref().map(|sweep| sweep.name.as_str()))
    {
        let holder = format!("{{{name}}}");
        if !args.commands.iter().any(|text| text.contains(&holder)) {
            return Err(Failure::usage(format!(
                "no command has {holder}, the parameter `{name}`"
            )));
        }
    }
    let texts: Vec<String> = list
        .iter()
        .map(|entry| called(&entry.text, sweep.as_ref()))
        .collect();
    let ids = naming::all(&args.names, &texts, "command").map_err(Failure::usage)?;
    list.iter_mut().zip(ids).for_each(|(entry, id)| entry.id = id);
    Ok(Entries { list, sweep })
}

/// The command around the command at `index`: one for all, or one for each.
fn around<'a>(
    option: &str,
    texts: &'a [String],
    index: usize,
    commands: usize,
) -> Result<Option<&'a String>, Failure> {
    match texts {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        several if several.len() == commands => Ok(Some(&several[index])),
        several => Err(Failure::usage(format!(
            "{option} was given {} times, for {commands} commands: give it once, or once for each",
            several.len()
        ))),
    }
}

/// The parameter whose values are sizes, if one is, and all others.
fn parameters(words: &[String], sized: bool) -> Result<(Option<Sweep>, Vec<Choice<'_>>), Failure> {
    let (mut sweep, mut choices): (Option<Sweep>, Vec<Choice<'_>>) = (None, Vec::new());
    for pair in words.chunks(2) {
        let [name, values] = pair else { continue };
        let plain = !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
        let values: Vec<&str> = values.split(',').collect();
        if !plain || values.iter().any(|value| value.is_empty()) {
            return Err(
                Failure::usage(format!("`--param {name} {}` is no parameter", values.join(","))).hint(
                    "a name of letters and digits, and values with commas between them: --param n 1,10,100",
                ),
            );
        }
        let numbers: Result<Vec<u64>, _> = values.iter().map(|value| value.parse()).collect();
        match numbers {
            Ok(mut sizes) if sized && sweep.is_none() && sizes.len() > 1 => {
                sizes.sort_unstable();
                sizes.dedup();
                sweep = Some(Sweep {
                    name: name.clone(),
                    sizes,
                });
            }
            _ => choices.push(Choice { name, values }),
        }
    }
    // A line needs two sizes at least.
    if let Some(only) = sweep.as_ref().filter(|sweep| sweep.sizes.len() < 2) {
        return Err(Failure::usage(format!(
            "the parameter `{}` has the same value throughout",
            only.name
        )));
    }
    Ok((sweep, choices))
}

/// Every combination of values, as names and values.
fn combinations<'a>(choices: &[Choice<'a>]) -> Vec<Vec<(&'a str, &'a str)>> {
    choices.iter().fold(vec![Vec::new()], |all, choice| {
        let with = |so_far: &Vec<(&'a str, &'a str)>| -> Vec<Vec<(&'a str, &'a str)>> {
            let one = |value: &&'a str| [so_far.as_slice(), &[(choice.name, *value)]].concat();
            choice.values.iter().map(one).collect()
        };
        all.iter().flat_map(with).collect()
    })
}

fn put_in(text: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(text.to_owned(), |text, (name, value)| {
        text.replace(&format!("{{{name}}}"), value)
    })
}

/// A text at a size.
pub fn at_size(text: &str, sweep: Option<&Sweep>, size: Option<u64>) -> String {
    match sweep.zip(size) {
        Some((sweep, size)) => text.replace(&format!("{{{}}}", sweep.name), &size.to_string()),
        None => text.to_owned(),
    }
}

/// What a command's name is made of: `/usr/bin/sort -n {n}` is `sort -n n`.
fn called(text: &str, sweep: Option<&Sweep>) -> String {
    let text = match sweep {
        Some(sweep) => text.replace(&format!("{{{}}}", sweep.name), &sweep.name),
        None => text.to_owned(),
    };
    // The path of the program is left out.
    let (program, rest) = text.split_once(char::is_whitespace).unwrap_or((&text, ""));
    let program = program.rsplit('/').next().unwrap_or(program);
    format!("{program} {rest}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Args, FromArgMatches};

    fn parse(words: &[&str]) -> Result<Entries, Failure> {
        let command = TimeArgs::augment_args(clap::Command::new("time"));
        let matches = command.try_get_matches_from([&["time"], words].concat()).unwrap();
        entries(&TimeArgs::from_arg_matches(&matches).unwrap())
    }

    fn ids(entries: &Entries) -> Vec<String> {
        entries.list.iter().map(|entry| entry.id.to_string()).collect()
    }

    #[test]
    fn names_are_given_or_made_of_words() {
        let found = parse(&["sleep 0.1", "/usr/bin/env X=1 ls"]).unwrap();
        assert_eq!(ids(&found), ["sleep-0-1", "env-x-1-ls"]);
        assert_eq!(ids(&parse(&["a", "b", "--names", "x,y"]).unwrap()), ["x", "y"]);
        assert!(parse(&["a", "b", "--names", "x"]).is_err());
    }

    #[test]
    fn whole_numbers_are_sizes_and_all_else_makes_commands() {
        let found = parse(&["seq {n}", "--param", "n", "100,1,10"]).unwrap();
        assert_eq!(found.sweep.as_ref().unwrap().sizes, [1, 10, 100]);
        assert_eq!(ids(&found), ["seq-n"]);
        assert_eq!(
            at_size(&found.list[0].text, found.sweep.as_ref(), Some(10)),
            "seq 10"
        );
        let found = parse(&["{c} -O{o} x.c", "--param", "c", "gcc,clang", "-L", "o", "1,s"]).unwrap();
        assert_eq!(found.sweep, None);
        assert_eq!(
            ids(&found),
            ["gcc-o1-x-c", "gcc-os-x-c", "clang-o1-x-c", "clang-os-x-c"]
        );
        for bad in [
            &["a", "--param", "n", "1,2"][..],
            &["a{n}", "--param", "n", "1,,2"],
            &["a{n}", "--param", "n", "2,2"],
            &["a{n}", "--param", "n", "1,x", "--param-as", "sizes"],
        ] {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn whole_numbers_are_compared_where_that_is_asked_for() {
        let values = ["--param", "n", "8,1,2"];
        let of = |words: &[&str]| parse(&[words, &values].concat()).unwrap();
        let found = of(&["make -j{n}", "--param-as", "commands"]);
        assert_eq!(found.sweep, None);
        assert_eq!(ids(&found), ["make-j8", "make-j1", "make-j2"], "in their order");
        let texts: Vec<&str> = found.list.iter().map(|entry| entry.text.as_str()).collect();
        assert_eq!(texts, ["make -j8", "make -j1", "make -j2"]);
        let found = of(&["make -j{n}", "--param-as", "sizes"]);
        assert_eq!(found.sweep.unwrap().sizes, [1, 2, 8]);
        let found = of(&["a {n}", "b {n}", "--param-as", "commands"]);
        assert_eq!(found.sweep, None);
        assert_eq!(ids(&found), ["a-8", "a-1", "a-2", "b-8", "b-1", "b-2"]);
    }

    #[test]
    fn what_is_around_is_given_once_or_once_for_each() {
        let found = parse(&["a", "b", "--prepare", "p", "--setup", "s1", "--setup", "s2"]).unwrap();
        let of = |entry: &Entry| (entry.prepare.clone().unwrap(), entry.setup.clone().unwrap());
        assert_eq!(of(&found.list[1]), ("p".to_owned(), "s2".to_owned()));
        assert!(parse(&["a", "b", "c", "--prepare", "p", "--prepare", "q"]).is_err());
    }
}
