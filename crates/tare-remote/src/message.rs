//! What a conductor and an agent say to each other, after the greeting.
//!
//! The agent makes an offer; the conductor says what it is to load; the agent prepares it, or says why not. Then its
//! generators open their connections. When those of all agents have, the conductor says *go*.
//!
//! Or it has generators stay ([`Standing`]), names servers, and has slices of one or the other driven, each of which begins
//! in the same way.

use std::net::SocketAddr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::part::Part;
use crate::slices::{Served, Slice, Standing};

/// What a conductor says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ToAgent {
    /// What to load.
    Load(Box<Part>),
    /// Whether it reaches an address, at which the conductor listens.
    Reach(SocketAddr),
    /// Generators that stay, for slices.
    Stand(Standing),
    /// A server that slices will be of.
    Serve {
        /// Its number.
        number: u32,
        /// What it is.
        server: Served,
    },
    /// No further slice is of a server: connections to it are closed.
    Leave(u32),
    /// A slice: open its connections.
    Slice(Slice),
    /// The connections of all are open: begin.
    Go,
    /// End the load, and say what was seen of it.
    Stop,
}

/// What an agent says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum FromAgent {
    /// What it can do.
    Offer {
        /// Connections that one generator process can hold there.
        connections: u32,
        /// Its machine.
        machine: Machine,
    },
    /// It reaches the address.
    Reached,
    /// It does not do what it was told to, and ends the connection.
    Refused {
        /// Why.
        why: String,
        /// What helps.
        hint: Option<String>,
    },
    /// It will do it, and starts its generators.
    Prepared(Prepared),
    /// A line that a generator process said.
    Said {
        /// The number of the process among those of this agent, from 0.
        process: u32,
        /// The line.
        line: String,
    },
    /// Its generators have begun.
    Began {
        /// How long after they were let go, by the agent's clock.
        after: Duration,
    },
    /// A generator process has ended.
    Gone {
        /// Its number.
        process: u32,
    },
}

/// What figures depend on of an agent's machine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Its host name.
    pub host: String,
    /// Its CPU model.
    pub cpu: String,
    /// The cores that the agent may use.
    pub cores: u32,
}

/// How an agent will load.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prepared {
    /// How it waits for send times: whether awake, and why; none where there are none.
    pub waiting: Option<(bool, String)>,
    /// What comes close to a limit of its machine.
    pub remarks: Vec<String>,
}
