//! What can go wrong between here and a node.

use std::io;
use std::path::PathBuf;

/// What can go wrong between here and a node.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// A program that the engine needs is missing, or could not be started.
    #[error("cannot start `{program}`: {error}")]
    Program {
        /// Which.
        program: String,
        /// Why.
        error: io::Error,
    },
    /// A step on a node failed.
    #[error("{node}: {what} failed ({status}): {said}")]
    Step {
        /// The node.
        node: String,
        /// What was tried.
        what: &'static str,
        /// How it ended.
        status: String,
        /// Its last lines.
        said: String,
    },
    /// There are no nodes, or too few.
    #[error("{0}")]
    Nodes(String),
    /// A file here.
    #[error("{}: {error}", path.display())]
    File {
        /// Its path.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl ClusterError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Program { program, .. } if program.ends_with("ssh") => {
                "install it (Debian: apt install openssh-client)"
            }
            Self::Program { .. } => {
                "run tare on a machine from which jobs can be submitted (Debian: apt install slurm-client)"
            }
            Self::Step { .. } => {
                "try `ssh NODE true`, or `srun -w NODE true`: it has to work without a password"
            }
            Self::Nodes(_) => "name nodes as in --on ssh:n1,n2, or a partition as in --on slurm:PARTITION",
            Self::File { .. } => "is the disk full, or the folder not writable?",
        }
    }
}
