//! Why benchmarks cannot be measured.

use std::io;
use std::path::PathBuf;

use tare_model::fault::Fault;

/// Why benchmarks cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A harness was named that there is not.
    #[error("there is no harness `{asked}`")]
    UnknownHarness {
        /// The name.
        asked: String,
        /// Those that there are.
        known: Vec<&'static str>,
    },
    /// The names that are wanted are no regular expression.
    #[error("`{text}` is no regular expression: {why}")]
    Pattern {
        /// The text.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// No harness is used.
    #[error("no benchmarks were found in {}: looked for {}", .folder.display(), .harnesses.join(", "))]
    NoHarness {
        /// The folder.
        folder: PathBuf,
        /// Which were looked for.
        harnesses: Vec<&'static str>,
    },
    /// A folder that only has projects somewhere in it.
    #[error("{} is in no repository, and is no project by itself", .0.display())]
    NoProject(PathBuf),
    /// No benchmark of a side can be run.
    #[error("{side} has no benchmark that can be run: {fault}")]
    Side {
        /// `before` or `after`, with its revision.
        side: String,
        /// The first fault.
        fault: Fault,
    },
    /// No name matches.
    #[error("none of {count} benchmarks matches `{pattern}`")]
    NothingMatches {
        /// The expression.
        pattern: String,
        /// How many benchmarks there are.
        count: usize,
        /// A name of one of them.
        example: String,
    },
    /// Benchmarks of another revision would be put into a person's own files.
    #[error("{side} is the working tree, with changes, and the benchmarks of {from} are other ones")]
    OverWorkingTree {
        /// Which side.
        side: &'static str,
        /// Whose benchmarks were asked for.
        from: String,
    },
    /// The project's files cannot be read.
    #[error("cannot read {}: {source}", .folder.display())]
    Unreadable {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file cannot be put into a tree.
    #[error("cannot put the benchmarks of another revision into {}: {source}", .tree.display())]
    Overlay {
        /// The tree.
        tree: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is no such program.
    #[error("there is no program {} that may be run", .0.display())]
    NoProgram(PathBuf),
    /// A program does not show which harness it was made with.
    #[error("{} does not show which harness it was made with", .0.display())]
    NotGuessed(PathBuf),
    /// Neither one program was named, nor two.
    #[error("{0} programs were named: benchmarks are those of one, or of two that are compared")]
    Programs(usize),
    /// Several harnesses were named for programs that are there already.
    #[error("a program that is there already has one harness, and {0} were named")]
    SeveralHarnesses(usize),
}

impl BenchError {
    /// Whether it lies in the machine, or in another program.
    pub(crate) fn is_outside(&self) -> bool {
        matches!(
            self,
            Self::Side { .. } | Self::Unreadable { .. } | Self::Overlay { .. }
        )
    }

    /// What helps, where the error does not say it.
    pub(crate) fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::UnknownHarness { known, .. } => format!("there are {}", known.join(", ")),
            Self::NoHarness { .. } => "is this the folder of the project, and are its benchmarks written for one of these? \
                                       A program that prints lines NAME VALUE UNIT: --harness generic --exe NAME=PATH"
                .to_owned(),
            Self::NoProject(_) => "go to the folder of a project, where its go.mod, Cargo.toml, pyproject.toml or the like is".to_owned(),
            Self::NothingMatches { example, .. } => {
                format!("one is called `{example}`; `--list` shows all of them")
            }
            Self::OverWorkingTree { .. } => "commit the changes and name the revision (`main..HEAD`), or let each side run \
                                             its own: --benchmarks-from each"
                .to_owned(),
            Self::NotGuessed(_) => {
                "name it: --harness go; of a program that prints lines NAME VALUE UNIT: --harness generic".to_owned()
            }
            Self::Pattern { .. } => "what has a meaning in regular expressions is quoted by a backslash: `parse\\(1\\)`".to_owned(),
            _ => return None,
        };
        Some(hint)
    }
}
