//! `speaks` and `listen`: how requests reach a contender whose job is HTTP.

use std::str::FromStr;

use crate::metric::UnknownName;

/// What a contender speaks to the sender of its requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Speaks {
    /// The protocol of its job itself.
    #[default]
    Own,
    /// FastCGI 1.0, as a responder; without a front, the load generator speaks it, too.
    FastCgi,
    /// SCGI, to its front.
    Scgi,
    /// CGI: a process for each request, started by its front or, without a front, by tare.
    Cgi,
    /// Nothing: its front serves the files that its build made.
    Files,
}

/// Where a contender finds the socket that it listens on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Listen {
    /// It opens the socket itself, on `{port}`.
    #[default]
    Port,
    /// Its standard input (descriptor 0) is the socket, already listening, as FastCGI programs expect.
    Stdin,
}

impl Speaks {
    /// All ways.
    pub const ALL: [Speaks; 5] = [
        Speaks::Own,
        Speaks::FastCgi,
        Speaks::Scgi,
        Speaks::Cgi,
        Speaks::Files,
    ];

    /// Whether a process of the contender itself waits for requests.
    pub fn is_resident(self) -> bool {
        matches!(self, Speaks::Own | Speaks::FastCgi | Speaks::Scgi)
    }

    /// The name used in manifests.
    pub fn name(self) -> &'static str {
        match self {
            Speaks::Own => "http",
            Speaks::FastCgi => "fastcgi",
            Speaks::Scgi => "scgi",
            Speaks::Cgi => "cgi",
            Speaks::Files => "files",
        }
    }
}

impl FromStr for Speaks {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let found = Self::ALL.into_iter().find(|one| one.name() == text);
        found.ok_or_else(|| UnknownName {
            what: "protocol",
            text: text.to_owned(),
            expected: Self::ALL.map(Self::name).join(", "),
        })
    }
}

impl Listen {
    /// All ways.
    pub const ALL: [Listen; 2] = [Listen::Port, Listen::Stdin];

    /// The name used in manifests.
    pub fn name(self) -> &'static str {
        match self {
            Listen::Port => "port",
            Listen::Stdin => "stdin",
        }
    }
}
