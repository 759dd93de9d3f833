//! The commands that take part, made of texts: with parameters filled in, and names.

use std::path::PathBuf;

use tare_model::ids::ContenderId;
use tare_model::manifest::Sweep;
use tare_model::settings::CommandSettings;

use super::error::CommandsError;
use super::names;
use super::range;
use super::texts::refuse_unmeant;
use super::words::words;
use crate::error::Result;
use crate::naming;

/// A command that takes part, with its own commands around it. Texts and words hold `{NAME}` where the sizes go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub id: ContenderId,
    /// What distinguishes it from the others, in a line.
    pub summary: String,
    /// The command, as people write it.
    pub text: String,
    /// Its words: the program and its arguments.
    pub argv: Vec<String>,
    /// The folder that it is run in; none: the current one.
    pub folder: Option<PathBuf>,
    /// Parameters that are not sizes, and their values.
    pub values: Vec<(String, String)>,
    /// Run before each run, not timed, through `sh`.
    pub prepare: Option<String>,
    /// Run once before its first run, through `sh`.
    pub setup: Option<String>,
    /// Run once after its last run, through `sh`.
    pub cleanup: Option<String>,
}

/// All commands, and the sizes that each is run at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entries {
    /// The commands.
    pub list: Vec<Entry>,
    /// The parameter whose values are sizes.
    pub sweep: Option<Sweep>,
}

/// Commands as texts, and what goes into them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Texts {
    /// The commands. `{NAME}` is a parameter.
    pub commands: Vec<String>,
    /// A name for each of them, in their order; empty: made of their words.
    pub names: Vec<ContenderId>,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The meaning of parameters whose values are whole numbers.
    pub numbers: Numbers,
}

/// A parameter of commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its values, in their order; a range of whole numbers (`1..4`, `1..9+2`, `1..64*2`) stands for all of them.
    pub values: Vec<String>,
}

/// The meaning of several whole numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Numbers {
    /// Of the first parameter that has them, sizes.
    #[default]
    SizesIfAny,
    /// The same, and a parameter must have them.
    Sizes,
    /// Commands that are compared with each other.
    Commands,
}

impl Entry {
    /// What faults call it: where the text alone does not distinguish it, with what does.
    pub(super) fn called(&self) -> String {
        if self.summary == self.text {
            self.text.clone()
        } else {
            format!("{} ({}: {})", self.text, self.id, self.summary)
        }
    }
}

impl Entries {
    /// The sizes; empty where there are none.
    pub fn sizes(&self) -> &[u64] {
        self.sweep.as_ref().map_or(&[], |sweep| &sweep.sizes)
    }

    /// A text of one of them, at a size.
    pub fn at_size(&self, text: &str, size: Option<u64>) -> String {
        match self.sweep.as_ref().zip(size) {
            Some((sweep, size)) => text.replace(&holder(&sweep.name), &size.to_string()),
            None => text.to_owned(),
        }
    }
}

impl Texts {
    /// The commands: with every combination of the values that are not sizes. `how` has the shell, and what is run around
    /// them: once for all, or once for each.
    ///
    /// # Errors
    /// What is wrong with the parameters, with what is around, or with a name.
    pub fn entries(&self, how: &CommandSettings) -> Result<Entries> {
        let parameters = self.counted_out()?;
        let known: Vec<&str> = parameters
            .iter()
            .map(|parameter| parameter.name.as_str())
            .collect();
        refuse_unmeant(&self.commands, &known, how.around.shell.as_deref())?;
        let (sweep, choices) = self.sorted(&parameters)?;
        let mut list = Vec::new();
        for (index, text) in self.commands.iter().enumerate() {
            let of = |what, texts| around(what, texts, index, self.commands.len());
            let prepare = of("--prepare", &how.around.prepare)?;
            let setup = of("--setup", &how.around.setup)?;
            let cleanup = of("--cleanup", &how.cleanup)?;
            for values in combinations(&choices) {
                let put = |text: &String| put_in(text, &values);
                let text = put(text);
                list.push(Entry {
                    id: ContenderId::default(),
                    summary: text.clone(),
                    argv: argv(&text, how.around.shell.as_deref())?,
                    text,
                    folder: None,
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
        let texts: Vec<String> = list
            .iter()
            .map(|entry| called(&entry.text, sweep.as_ref()))
            .collect();
        let ids = naming::all(&self.names, &names::distinct(&texts), "command")?;
        list.iter_mut().zip(ids).for_each(|(entry, id)| entry.id = id);
        Ok(Entries { list, sweep })
    }

    /// The parameters, ranges among their values counted out.
    fn counted_out(&self) -> std::result::Result<Vec<Parameter>, CommandsError> {
        let of = |parameter: &Parameter| {
            let name = parameter.name.clone();
            match range::values(&parameter.values.join(",")) {
                Ok(values) => Ok(Parameter { name, values }),
                Err(why) => Err(CommandsError::Range { name, why }),
            }
        };
        self.parameters.iter().map(of).collect()
    }

    /// The parameter whose values are sizes, if one is, and all others.
    fn sorted<'p>(&self, parameters: &'p [Parameter]) -> Result<(Option<Sweep>, Vec<&'p Parameter>)> {
        let (mut sweep, mut choices): (Option<Sweep>, Vec<&Parameter>) = (None, Vec::new());
        for parameter in parameters {
            self.refuse_nonsense(parameter)?;
            match sizes(&parameter.values) {
                Some(sizes) if self.numbers != Numbers::Commands && sweep.is_none() => {
                    let name = parameter.name.clone();
                    sweep = Some(Sweep { name, sizes });
                }
                _ => choices.push(parameter),
            }
        }
        // A line needs two sizes at least.
        if let Some(only) = sweep.as_ref().filter(|sweep| sweep.sizes.len() < 2) {
            return Err(CommandsError::OneSize(only.name.clone()).into());
        }
        if self.numbers == Numbers::Sizes && sweep.is_none() {
            return Err(CommandsError::NoSizes.into());
        }
        Ok((sweep, choices))
    }

    fn refuse_nonsense(&self, parameter: &Parameter) -> std::result::Result<(), CommandsError> {
        let Parameter { name, values } = parameter;
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if name.is_empty() || !name.chars().all(plain) || values.iter().any(String::is_empty) {
            let (name, values) = (name.clone(), values.clone());
            return Err(CommandsError::NoParameter { name, values });
        }
        let holder = holder(name);
        if self.commands.iter().any(|text| text.contains(&holder)) {
            Ok(())
        } else {
            Err(CommandsError::Unused(name.clone()))
        }
    }
}

/// Several whole numbers, as sizes.
fn sizes(values: &[String]) -> Option<Vec<u64>> {
    let numbers: std::result::Result<Vec<u64>, _> = values.iter().map(|value| value.parse()).collect();
    let mut sizes = numbers.ok().filter(|numbers| numbers.len() > 1)?;
    sizes.sort_unstable();
    sizes.dedup();
    Some(sizes)
}

/// What stands for a parameter.
fn holder(name: &str) -> String {
    format!("{{{name}}}")
}

/// The words of a command: for the shell, or its own.
fn argv(text: &str, shell: Option<&str>) -> std::result::Result<Vec<String>, CommandsError> {
    match shell {
        Some(shell) => Ok(vec![shell.to_owned(), "-c".to_owned(), text.to_owned()]),
        None => words(text).map_err(|why| CommandsError::NoWords {
            text: text.to_owned(),
            why,
        }),
    }
}

/// The command around the command at `index`: one for all, or one for each.
fn around<'a>(
    what: &'static str,
    texts: &'a [String],
    index: usize,
    commands: usize,
) -> std::result::Result<Option<&'a String>, CommandsError> {
    match texts {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        several if several.len() == commands => Ok(Some(&several[index])),
        several => Err(CommandsError::Around {
            what,
            given: several.len(),
            commands,
        }),
    }
}

/// Every combination of values, as names and values.
fn combinations<'a>(choices: &[&'a Parameter]) -> Vec<Vec<(&'a str, &'a str)>> {
    choices.iter().fold(vec![Vec::new()], |all, choice| {
        let with = |so_far: &Vec<(&'a str, &'a str)>| -> Vec<Vec<(&'a str, &'a str)>> {
            let one =
                |value: &'a String| [so_far.as_slice(), &[(choice.name.as_str(), value.as_str())]].concat();
            choice.values.iter().map(one).collect()
        };
        all.iter().flat_map(with).collect()
    })
}

fn put_in(text: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(text.to_owned(), |text, (name, value)| {
        text.replace(&holder(name), value)
    })
}

/// What a command's name is made of: `sort -n {n}` is `sort -n n`.
fn called(text: &str, sweep: Option<&Sweep>) -> String {
    match sweep {
        Some(sweep) => text.replace(&holder(&sweep.name), &sweep.name),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::settings::Surroundings;

    fn texts(commands: &[&str], parameters: &[(&str, &str)]) -> Texts {
        let parameter = |(name, values): &(&str, &str)| Parameter {
            name: (*name).to_owned(),
            values: values.split(',').map(str::to_owned).collect(),
        };
        Texts {
            commands: commands.iter().map(|text| (*text).to_owned()).collect(),
            parameters: parameters.iter().map(parameter).collect(),
            ..Texts::default()
        }
    }

    fn how(shell: Option<&str>, prepare: &[&str], setup: &[&str]) -> CommandSettings {
        let list = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        CommandSettings {
            around: Surroundings {
                shell: shell.map(str::to_owned),
                prepare: list(prepare),
                setup: list(setup),
                ..Surroundings::default()
            },
            ..CommandSettings::default()
        }
    }

    fn entries(texts: &Texts) -> Result<Entries> {
        texts.entries(&how(Some("sh"), &[], &[]))
    }

    fn ids(entries: &Entries) -> Vec<String> {
        entries.list.iter().map(|entry| entry.id.to_string()).collect()
    }

    fn all_texts(entries: &Entries) -> Vec<&str> {
        entries.list.iter().map(|entry| entry.text.as_str()).collect()
    }

    #[test]
    fn names_are_given_or_made_of_words() {
        let found = entries(&texts(&["sleep 0.1", "/usr/bin/env X=1 ls"], &[])).unwrap();
        assert_eq!(ids(&found), ["sleep", "env"]);
        let named = |names: &[&str]| Texts {
            names: names.iter().map(|name| ContenderId::plain(name)).collect(),
            ..texts(&["a", "b"], &[])
        };
        assert_eq!(ids(&entries(&named(&["x", "y"])).unwrap()), ["x", "y"]);
        assert!(entries(&named(&["x"])).is_err());
    }

    #[test]
    fn a_shell_gets_the_text_and_without_one_it_is_split() {
        let one = texts(&["sort 'a b'"], &[]);
        let argv = |shell| one.entries(&how(shell, &[], &[])).unwrap().list[0].argv.clone();
        assert_eq!(argv(Some("dash")), ["dash", "-c", "sort 'a b'"]);
        assert_eq!(argv(None), ["sort", "a b"]);
        let open = texts(&["sort 'a"], &[]).entries(&how(None, &[], &[]));
        let error = open.unwrap_err().to_string();
        assert!(error.contains("`sort 'a` cannot be split into words"), "{error}");
    }

    #[test]
    fn whole_numbers_are_sizes_and_all_else_makes_commands() {
        let found = entries(&texts(&["seq {n}"], &[("n", "100,1,10")])).unwrap();
        assert_eq!(found.sizes(), [1, 10, 100]);
        assert_eq!(ids(&found), ["seq"]);
        assert_eq!(found.at_size(&found.list[0].text, Some(10)), "seq 10");
        let found = entries(&texts(&["{c} -O{o} x.c"], &[("c", "gcc,clang"), ("o", "1,s")]));
        let found = found.unwrap();
        assert_eq!(found.sweep, None);
        assert_eq!(ids(&found), ["gcc-o1", "gcc-os", "clang-o1", "clang-os"]);
        for (text, values) in [("a", "1,2"), ("a{n}", "1,,2"), ("a{n}", "2,2")] {
            assert!(
                entries(&texts(&[text], &[("n", values)])).is_err(),
                "{text} {values}"
            );
        }
        assert!(entries(&texts(&["a{n m}"], &[("n m", "1,2")])).is_err());
        let sizes = Texts {
            numbers: Numbers::Sizes,
            ..texts(&["a{n}"], &[("n", "1,x")])
        };
        assert!(entries(&sizes).is_err());
    }

    #[test]
    fn whole_numbers_are_compared_where_that_is_asked_for() {
        let of = |commands: &[&str], numbers| {
            let texts = Texts {
                numbers,
                ..texts(commands, &[("n", "8,1,2")])
            };
            entries(&texts).unwrap()
        };
        let found = of(&["make -j{n}"], Numbers::Commands);
        assert_eq!(found.sweep, None);
        assert_eq!(ids(&found), ["make-j8", "make-j1", "make-j2"], "in their order");
        assert_eq!(all_texts(&found), ["make -j8", "make -j1", "make -j2"]);
        assert_eq!(of(&["make -j{n}"], Numbers::Sizes).sizes(), [1, 2, 8]);
        let found = of(&["a {n}", "b {n}"], Numbers::Commands);
        assert_eq!(found.sweep, None);
        assert_eq!(ids(&found), ["a-8", "a-1", "a-2", "b-8", "b-1", "b-2"]);
    }

    #[test]
    fn what_is_around_is_given_once_or_once_for_each() {
        let found = texts(&["a", "b"], &[]).entries(&how(None, &["p"], &["s1", "s2"]));
        let found = found.unwrap();
        let of = |entry: &Entry| (entry.prepare.clone().unwrap(), entry.setup.clone().unwrap());
        assert_eq!(of(&found.list[1]), ("p".to_owned(), "s2".to_owned()));
        let three = texts(&["a", "b", "c"], &[]).entries(&how(None, &["p", "q"], &[]));
        let error = three.unwrap_err().to_string();
        assert!(
            error.contains("--prepare was given 2 times, for 3 commands"),
            "{error}"
        );
    }
}
