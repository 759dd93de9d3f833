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

impl CommandsError {
    /// What helps, where the error does not say it.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NoParameter { .. } => {
                Some("a name of letters and digits, and values with commas between them: --param n 1,10,100")
            }
            Self::Input { .. } => Some("it is read from the folder that tare was called in"),
            Self::NoProgram { hint, .. } => Some(hint),
            _ => None,
        }
    }
}
