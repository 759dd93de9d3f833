//! What was measured: a contender, a command or a server.

use serde::{Deserialize, Serialize};

use crate::manifest::Style;

/// What an entrant is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Subject {
    /// A contender of a workload.
    Contender {
        /// Its language's name.
        language: String,
        /// How it is written.
        style: Style,
        /// What it stands in for, and why.
        stands_in_for: Option<String>,
        /// Versions of its tools: name and version.
        versions: Vec<(String, String)>,
        /// Hash of what it was built from and how it is run (the first twelve hexadecimal digits); none where it was not
        /// built.
        built: Option<String>,
        /// The container that it ran in; none: a process of the machine itself. Stores of earlier versions have none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        container: Option<Contained>,
        /// How the load spoke to it, as the scheme of a URL; none: in clear, as its job has it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scheme: Option<String>,
    },
    /// A whole command.
    Command {
        /// The command as typed.
        command: String,
    },
    /// The floor of commands: the least command that can be started. It is subtracted, not compared.
    NoCommand {
        /// The command.
        command: String,
    },
    /// A benchmark of a harness, at one revision.
    Benchmark {
        /// The harness: `go`, `criterion`.
        harness: String,
        /// What runs it: a package, a target.
        program: String,
        /// Hash of the sources of the benchmark itself, where they are known. Of two sides with different ones the benchmark
        /// was rewritten, so their figures say nothing on what it measures.
        source: Option<String>,
    },
    /// A server that was running already.
    Server {
        /// Its address.
        url: String,
    },
}

/// The container of a contender: what may make a difference beside the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contained {
    /// The engine and its runtime, with their versions: `podman 4.3.1 with runc 1.1.5`.
    pub engine: String,
    /// The image's id: a hash of its content.
    pub image: String,
    /// The images that it begins with or copies from: names and digests.
    pub bases: Vec<(String, String)>,
    /// Of these, the images that are not the registry's of their name: names, and in what they differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub substitutes: Vec<(String, String)>,
}

impl Subject {
    /// Whether it is compared with others.
    pub fn is_rival(&self) -> bool {
        !matches!(self, Subject::NoCommand { .. })
    }

    /// Whether it only shows the least cost of the job.
    pub fn is_floor(&self) -> bool {
        let style = Style::Floor;
        matches!(self, Subject::NoCommand { .. })
            || matches!(self, Subject::Contender { style: own, .. } if *own == style)
    }

    /// The language in documents; `command` and `server` for subjects without one.
    pub fn language(&self) -> &str {
        match self {
            Subject::Contender { language, .. } => language,
            Subject::Command { .. } | Subject::NoCommand { .. } => "command",
            Subject::Benchmark { harness, .. } => harness,
            Subject::Server { .. } => "server",
        }
    }

    /// The style in documents.
    pub fn style(&self) -> &'static str {
        match self {
            Subject::Contender { style, .. } => style.name(),
            Subject::Command { .. } => "command",
            Subject::NoCommand { .. } => Style::Floor.name(),
            Subject::Benchmark { .. } => "benchmark",
            Subject::Server { .. } => "server",
        }
    }

    /// What it stands in for, and why.
    pub fn stands_in_for(&self) -> Option<&str> {
        match self {
            Subject::Contender { stands_in_for, .. } => stands_in_for.as_deref(),
            _ => None,
        }
    }

    /// Versions of its tools.
    pub fn versions(&self) -> &[(String, String)] {
        match self {
            Subject::Contender { versions, .. } => versions,
            _ => &[],
        }
    }

    /// Adds versions of a contender's tools.
    pub fn add_versions(&mut self, more: impl IntoIterator<Item = (String, String)>) {
        if let Subject::Contender { versions, .. } = self {
            versions.extend(more);
        }
    }

    /// Sets what a contender was built from.
    pub fn set_built(&mut self, from: String) {
        if let Subject::Contender { built, .. } = self {
            *built = Some(from);
        }
    }

    /// The container that a contender ran in.
    pub fn container(&self) -> Option<&Contained> {
        match self {
            Subject::Contender { container, .. } => container.as_ref(),
            _ => None,
        }
    }

    /// How the load spoke to a contender, as the scheme of a URL; none: in clear, as its job has it.
    pub fn scheme(&self) -> Option<&str> {
        match self {
            Subject::Contender { scheme, .. } => scheme.as_deref(),
            _ => None,
        }
    }

    /// Sets the container that a contender runs in.
    pub fn set_container(&mut self, of: Contained) {
        if let Subject::Contender { container, .. } = self {
            *container = Some(of);
        }
    }

    /// What it was built from.
    pub fn built(&self) -> Option<&str> {
        match self {
            Subject::Contender { built, .. } => built.as_deref(),
            _ => None,
        }
    }
}
