//! What a tare asks the one that holds services on another machine, and what that answers: a line of JSON for each, over the
//! standard input and output of the holder. Whoever may start the holder may ask it. When its input ends, or says nothing for too
//! long, the services end.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::message::Machine;

/// The longest line that either side says: the rows of some ten thousand ids.
pub const LONGEST: usize = 1 << 20;

/// How often whoever asks says that it is there. A connection does not end where the machine at its other end lost its power.
pub const BEAT: Duration = Duration::from_secs(2);

/// Who said nothing for so long is gone.
pub const SILENCE: Duration = Duration::from_secs(20);

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Question {
    /// To start a service of the lab, and to say when it is ready.
    Hold {
        /// The version of tare that asks.
        version: String,
        /// The service's name.
        service: String,
        /// Whether what it is asked is to be counted.
        counted: bool,
        /// Whether to install what it needs.
        install: bool,
    },
    /// Something about a service that is held.
    Of {
        /// Which.
        number: usize,
        /// What.
        what: What,
    },
    /// Nothing, and it is not answered: whoever asks is there.
    Beat,
}

/// What is asked about a service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum What {
    /// The CPU time that it used since its start.
    Cpu,
    /// What it was asked since its start.
    Asked,
    /// The numbers that rows hold, by their ids.
    Rows(Vec<u64>),
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Answer {
    /// It is ready.
    Ready {
        /// What it is called in further questions.
        number: usize,
        /// The placeholders that it gives to contenders, and their values.
        gives: BTreeMap<String, String>,
        /// The versions of the tools that run it.
        versions: Vec<(String, String)>,
        /// Its machine.
        machine: Machine,
    },
    /// In seconds.
    Cpu(f64),
    /// How much it was asked.
    Asked {
        /// Queries that return rows.
        queries: u64,
        /// The rows that they returned.
        read: u64,
        /// Rows that were changed.
        written: u64,
    },
    /// Numbers by ids.
    Rows(BTreeMap<u64, u64>),
    /// It could not be done.
    Failed {
        /// The name of the fault's kind.
        kind: String,
        /// What happened.
        detail: String,
    },
}

/// A question or an answer as a line, without its end.
///
/// # Panics
/// Never: all of them can be written.
pub fn line(said: &impl Serialize) -> String {
    serde_json::to_string(said).expect("questions and answers can be written")
}

/// What a line says; none if that is no question, or no answer.
pub fn read<T: DeserializeOwned>(line: &str) -> Option<T> {
    serde_json::from_str(line).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_and_answers_survive_their_lines() {
        let hold = Question::Hold {
            version: "0.1.0".to_owned(),
            service: "db\n".to_owned(),
            counted: true,
            install: false,
        };
        let of = |what| Question::Of { number: 3, what };
        let rows = of(What::Rows(vec![1, u64::MAX]));
        for before in [hold, of(What::Cpu), of(What::Asked), rows, Question::Beat] {
            let line = line(&before);
            assert!(!line.contains('\n'));
            assert_eq!(read(&line), Some(before), "{line}");
        }
        let ready = Answer::Ready {
            number: 0,
            gives: BTreeMap::from([("db".to_owned(), "x".to_owned())]),
            versions: vec![("postgres".to_owned(), "15.2".to_owned())],
            machine: Machine::default(),
        };
        let asked = Answer::Asked {
            queries: 1,
            read: 2,
            written: 3,
        };
        let failed = Answer::Failed {
            kind: "service-died".to_owned(),
            detail: "two\nlines".to_owned(),
        };
        let rows = Answer::Rows(BTreeMap::from([(7, 8)]));
        for before in [ready, Answer::Cpu(1.25), asked, rows, failed] {
            let line = line(&before);
            assert!(!line.contains('\n'));
            assert_eq!(read(&line), Some(before), "{line}");
        }
        for bad in ["", "cpu", "{\"cpu\":\"1\"}", "{\"hold\":{\"service\":\"db\"}}"] {
            assert_eq!(read::<Question>(bad), None, "{bad}");
            assert_eq!(read::<Answer>(bad), None, "{bad}");
        }
    }
}
