//! Why commands cannot be compared.

use std::io;
use std::path::PathBuf;

use tare_host::error::HostError;

/// Why commands cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CommandsError {
    /// A parameter has a name that no command can hold, or an empty value.
    #[error("`--param {name} {}` is no parameter", values.join(","))]
    NoParameter {
        /// Its name.
        name: String,
        /// Its values.
        values: Vec<String>,
    },
    /// A command is an empty text; which, counted from 1.
    #[error("command {0} is empty")]
    Empty(usize),
    /// The words of one command were given as several commands.
    #[error("`{word}` is not a command: {}", stray(*is_file))]
    Unquoted {
        /// The word that is no command.
        word: String,
        /// Whether there is a file of that name.
        is_file: bool,
        /// All of the words.
        all: String,
    },
    /// A command is a shell's own, and there is to be no shell.
    #[error("`{0}` is not a command: only a shell has it")]
    BuiltIn(String),
    /// A command has a placeholder that no parameter fills.
    #[error("`{text}` has {{{name}}}, and there is no parameter `{name}`")]
    Unfilled {
        /// The command.
        text: String,
        /// The name in braces.
        name: String,
    },
    /// A parameter has a range that is none.
    #[error("--param {name}: {why}")]
    Range {
        /// The parameter.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// All values of a parameter over sizes are one size.
    #[error("the parameter `{0}` has the same value throughout")]
    OneSize(String),
    /// Sizes were asked for, and no parameter has any.
    #[error("--param-as sizes: no parameter has several whole numbers")]
    NoSizes,
    /// No command has a parameter.
    #[error("no command has {{{0}}}, the parameter `{0}`")]
    Unused(String),
    /// What is run around commands was given neither once nor once for each.
    #[error("{what} was given {given} times, for {commands} commands: give it once, or once for each")]
    Around {
        /// What it is: `--prepare`.
        what: &'static str,
        /// How often it was given.
        given: usize,
        /// How many commands there are.
        commands: usize,
    },
    /// A command that is run without a shell has no words.
    #[error("`{text}` cannot be split into words: {why}")]
    NoWords {
        /// The command.
        text: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The file for standard input cannot be read.
    #[error("--input {}: {source}", .path.display())]
    Input {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A command cannot be started.
    #[error("{source}")]
    NoProgram {
        /// What was found.
        source: HostError,
        /// What helps.
        hint: &'static str,
    },
}

fn stray(is_file: bool) -> &'static str {
    if is_file {
        "it is a file, and not a program"
    } else {
        "there is no program of that name"
    }
}

impl CommandsError {
    /// What helps, where the error does not say it.
    pub(crate) fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NoParameter { .. } => {
                "a name of letters and digits, and values with commas between them: --param n 1,10,100"
            }
            Self::Empty(_) => {
                "name what to run: tare time 'sort words.txt'; the shell alone is measured by ':'"
            }
            Self::Unquoted { all, .. } => {
                return Some(format!(
                    "a command and its arguments are one word, in quotes: tare time '{all}'"
                ));
            }
            Self::BuiltIn(_) => "leave out -N and -S none: then commands are run by sh",
            Self::Unfilled { name, .. } => {
                return Some(format!(
                    "give it values, as in --param {name} 1,10,100; where the braces are meant for the command, quote \
                     them: '{{{name}}}'"
                ));
            }
            Self::Range { .. } => "ranges are of whole numbers: 1..4, in steps 1..9+2, by factors 1..64*2",
            Self::Input { .. } => "it is read from the folder that tare was called in",
            Self::NoProgram { hint, .. } => hint,
            _ => return None,
        };
        Some(hint.to_owned())
    }
}
