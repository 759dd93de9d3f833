//! `tare.toml`: options that are always the same. The nearest one upwards from the current folder gives the options of the
//! command that is called their defaults; what is typed goes before it.
//!
//! A key is an option's long name. At the top it is for every command that has such an option, in a table `[time]` for that
//! command. A value is checked as if it had been typed.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, Command};
use toml_edit::{Document, Item, Key, Table, Value};

use crate::failure::Failure;
use crate::typed::nearest;

/// Its name.
const NAME: &str = "tare.toml";

/// Options that no file has: those of one call, and those that run, install or write something, or consent to something.
/// A file may have come with somebody else's project.
const TYPED_ONLY: [&str; 29] = [
    "address",
    "allow",
    "cleanup",
    "comment",
    "directory",
    "format",
    "from",
    "help",
    "hosts",
    "input",
    "install",
    "key-file",
    "listen",
    "max-connections",
    "max-time",
    "once",
    "out",
    "plan",
    "prepare",
    "quick",
    "remote",
    "resume",
    "runs",
    "setup",
    "shell",
    "store",
    "svg",
    "until",
    "version",
];

/// Whether a file may have an option of this long name.
fn may_have(name: &str) -> bool {
    !TYPED_ONLY.contains(&name) && !name.starts_with("export-")
}

/// The definition with the defaults of the nearest file, where there is one.
///
/// # Errors
/// What is wrong with the file, and in which line.
pub fn applied(definition: Command, here: &Path) -> Result<Command, Failure> {
    let Some(path) = here
        .ancestors()
        .map(|folder| folder.join(NAME))
        .find(|path| path.is_file())
    else {
        return Ok(definition);
    };
    let text = std::fs::read_to_string(&path)
        .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))?;
    of_text(definition, &File { path, text: &text })
}

struct File<'t> {
    path: PathBuf,
    text: &'t str,
}

impl File<'_> {
    /// A failure in the line of this byte.
    fn wrong(&self, at: usize, what: &str) -> Failure {
        let line = self.text[..at.min(self.text.len())].matches('\n').count() + 1;
        Failure::usage(format!("{}:{line}: {what}", self.path.display()))
    }
}

fn of_text(mut definition: Command, file: &File<'_>) -> Result<Command, Failure> {
    let document = Document::parse(file.text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        file.wrong(at, error.message())
            .hint("a line is: OPTION = \"VALUE\", as in margin = \"2%\"")
    })?;
    let commands: Vec<String> = definition
        .get_subcommands()
        .map(|one| one.get_name().to_owned())
        .collect();
    let commands: Vec<&str> = commands
        .iter()
        .map(String::as_str)
        .filter(|name| !name.starts_with('_'))
        .collect();
    // What is said for one command goes before what is said for all.
    let root = document.as_table();
    for (name, item) in root.iter().filter(|(_, item)| !item.is_table()) {
        let at = place(root, name);
        definition = for_all(definition, file, &commands, (at, name, item))?;
    }
    for (command, item) in root {
        let Some(table) = item.as_table() else { continue };
        let at = table
            .span()
            .map_or_else(|| place(root, command), |span| span.start);
        if !commands.contains(&command) {
            let near =
                nearest(command, &commands).map_or(String::new(), |near| format!("did you mean `{near}`? "));
            let failure = file.wrong(at, &format!("there is no command `{command}`"));
            return Err(failure.hint(format!("{near}a table is for a command: {}", commands.join(", "))));
        }
        for (name, item) in table {
            let at = place(table, name);
            let option = Setting { file, at, name, item };
            definition = option.for_command(definition, command)?;
        }
    }
    Ok(definition)
}

/// Where a key is, as the number of its first byte.
fn place(table: &Table, name: &str) -> usize {
    table.key(name).and_then(Key::span).map_or(0, |span| span.start)
}

/// A setting at the top: for the commands that have such an option.
fn for_all(
    definition: Command,
    file: &File<'_>,
    commands: &[&str],
    (at, name, item): (usize, &str, &Item),
) -> Result<Command, Failure> {
    let option = Setting { file, at, name, item };
    let has = |command: &&&str| {
        let command = definition.find_subcommand(**command);
        command.is_some_and(|command| find(command, name).is_some())
    };
    let with: Vec<String> = commands
        .iter()
        .filter(has)
        .map(|command| (*command).to_owned())
        .collect();
    if find(&definition, name).is_none() && with.is_empty() {
        return Err(option.unknown(&definition, "of any command"));
    }
    // Options of all commands are defined once.
    let definition = match find(&definition, name) {
        Some(_) => option.put(definition)?,
        None => definition,
    };
    with.iter().try_fold(definition, |definition, command| {
        option.for_command(definition, command)
    })
}

/// An option of a command, by its long name.
fn find<'c>(command: &'c Command, name: &str) -> Option<&'c Arg> {
    let mut all = command.get_arguments();
    all.find(|arg| arg.get_long() == Some(name) && !arg.is_hide_set() && may_have(name))
}

/// A line of the file.
struct Setting<'s> {
    file: &'s File<'s>,
    at: usize,
    name: &'s str,
    item: &'s Item,
}

impl Setting<'_> {
    fn for_command(&self, definition: Command, command: &str) -> Result<Command, Failure> {
        let known = definition.find_subcommand(command);
        if known.is_none_or(|known| find(known, self.name).is_none()) {
            let known = known.cloned().unwrap_or_default();
            return Err(self.unknown(&known, &format!("of `tare {command}`")));
        }
        let mut failed = None;
        let definition = definition.mut_subcommand(command, |one| {
            let before = one.clone();
            self.put(one).unwrap_or_else(|failure| {
                failed = Some(failure);
                before
            })
        });
        failed.map_or(Ok(definition), Err)
    }

    fn unknown(&self, command: &Command, whose: &str) -> Failure {
        if !may_have(self.name) {
            let what = format!("`{}` has to be typed", self.name);
            let hint =
                "options of one call, and those that run, install or write something, are not in a file";
            return self.file.wrong(self.at, &what).hint(hint);
        }
        let of = |command: &Command| -> Vec<String> {
            let named = command.get_arguments().filter_map(|arg| arg.get_long());
            named.map(str::to_owned).collect()
        };
        let mut names = of(command);
        command.get_subcommands().for_each(|one| names.extend(of(one)));
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let near = nearest(self.name, &names);
        let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
        let what = format!("there is no option `--{}` {whose}", self.name);
        let hint = format!("{near}a key is the long name of an option");
        self.file.wrong(self.at, &what).hint(hint)
    }

    /// The command with this as the option's default.
    fn put(&self, command: Command) -> Result<Command, Failure> {
        let arg = find(&command, self.name).cloned();
        let Some(arg) = arg else {
            return Ok(command);
        };
        let values = self.values(&arg)?;
        self.refuse_unfit(&arg, &values)?;
        let id = arg.get_id().clone();
        Ok(command.mut_arg(id, |arg| {
            // The parser's builder takes texts that live as long as the program.
            arg.default_values(
                values
                    .into_iter()
                    .map(|value| &*value.leak())
                    .collect::<Vec<&'static str>>(),
            )
        }))
    }

    /// Its values as texts.
    fn values(&self, arg: &Arg) -> Result<Vec<String>, Failure> {
        let one = |value: &Value| match value {
            Value::String(text) => Some(text.value().clone()),
            Value::Integer(number) => Some(number.value().to_string()),
            Value::Float(number) => Some(number.value().to_string()),
            Value::Boolean(set) if matches!(arg.get_action(), ArgAction::SetTrue) => {
                Some(set.value().to_string())
            }
            _ => None,
        };
        let values = match self.item.as_value() {
            Some(Value::Array(list)) => list.iter().map(one).collect(),
            Some(value) => one(value).map(|value| vec![value]),
            None => None,
        };
        values.filter(|values| !values.is_empty()).ok_or_else(|| {
            let what = format!("`{}` has a value that no option takes", self.name);
            self.file
                .wrong(self.at, &what)
                .hint("expected a text, a number, for a switch true or false, or a list of them")
        })
    }

    /// Refuses what would be refused if it were typed.
    fn refuse_unfit(&self, arg: &Arg, values: &[String]) -> Result<(), Failure> {
        if matches!(arg.get_action(), ArgAction::SetTrue) {
            return match values {
                [value] if value == "true" || value == "false" => Ok(()),
                _ => {
                    let what = format!("`{}` is true or false", self.name);
                    Err(self
                        .file
                        .wrong(self.at, &what)
                        .hint("true is as if it were typed"))
                }
            };
        }
        let Err(error) = self.alone(arg).try_get_matches_from(self.words(arg, values)) else {
            return Ok(());
        };
        let failure = crate::typed::failure(&error, &[], &[]);
        let failure = failure.unwrap_or_else(|| Failure::usage(error.to_string()));
        Err(self
            .file
            .wrong(self.at, &failure.message)
            .hint(format!("as for the option --{}", self.name)))
    }

    /// A command with this option and no other.
    fn alone(&self, arg: &Arg) -> Command {
        // The parser's builder takes texts that live as long as the program.
        let name: &'static str = self.name.to_owned().leak();
        let alone = Arg::new(name).long(name).action(ArgAction::Append);
        let alone = alone.value_parser(arg.get_value_parser().clone());
        Command::new(NAME).arg(match arg.get_num_args() {
            Some(range) => alone.num_args(range),
            None => alone,
        })
    }

    /// The line on which that option is typed with these values.
    fn words(&self, arg: &Arg, values: &[String]) -> Vec<String> {
        let option = format!("--{}", self.name);
        let mut words = vec![NAME.to_owned()];
        match arg.get_num_args() {
            Some(range) if range.max_values() > 1 => {
                words.push(option);
                words.extend(values.iter().cloned());
            }
            _ => words.extend(values.iter().map(|value| format!("{option}={value}"))),
        }
        words
    }
}
