//! What a service says that it did: a client of it, which stays, answers questions line by line (`[counts]` of its manifest).

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use tare_host::keeper::Keeper;
use tare_host::process::{Process, ProcessSpec};
use tare_host::talk::{Heard, Talk};
use tare_model::asked::Asked;
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::Counts;
use tare_model::manifest::counts::IDS;

/// How long an answer may take, on a machine that is busy with something else.
const PATIENCE: Duration = Duration::from_secs(10);

/// The longest answer: a thousand rows.
const LONGEST: usize = 64 << 10;

/// A client that is asked. Dropping it ends it.
#[derive(Debug)]
pub(crate) struct Counter {
    /// Of the service.
    name: String,
    counts: Counts,
    process: Process,
    talk: Talk,
}

impl Counter {
    /// Starts the client of a service.
    pub(crate) fn start(
        keeper: &Keeper,
        name: &str,
        counts: &Counts,
        spec: ProcessSpec,
    ) -> Result<Self, Fault> {
        let (process, talk) = Process::start_talking(keeper.group()?, spec)?;
        Ok(Self {
            name: name.to_owned(),
            counts: counts.clone(),
            process,
            talk,
        })
    }

    /// What the service was asked since its start.
    ///
    /// # Errors
    /// `ServiceDied` with what it answered, if that is no count.
    pub(crate) fn asked(&mut self) -> Result<Asked, Fault> {
        let question = self.counts.ask.clone();
        let answer = self.ask(&question)?;
        Asked::parse(&answer).ok_or_else(|| self.odd(&question, &answer, "`queries=N read=N written=N`"))
    }

    /// The numbers that rows hold, by their ids.
    ///
    /// # Errors
    /// As [`Counter::asked`].
    pub(crate) fn rows(&mut self, ids: impl Iterator<Item = u64>) -> Result<BTreeMap<u64, u64>, Fault> {
        let ids: Vec<String> = ids.map(|id| id.to_string()).collect();
        let question = self.counts.rows.replace(&format!("{{{IDS}}}"), &ids.join(","));
        let answer = self.ask(&question)?;
        let row = |word: &str| {
            let (id, number) = word.split_once('=')?;
            Some((id.parse().ok()?, number.parse().ok()?))
        };
        let rows = answer.split_ascii_whitespace().map(row).collect::<Option<_>>();
        rows.ok_or_else(|| self.odd(&question, &answer, "rows as `ID=NUMBER ID=NUMBER`"))
    }

    fn ask(&mut self, question: &str) -> Result<String, Fault> {
        let until = Instant::now() + PATIENCE;
        let heard = self.talk.ask(question, until, LONGEST, || false);
        let what = match heard {
            Ok(Heard::Line { text, .. }) => return Ok(text),
            Ok(Heard::Closed(_)) => "it ended".to_owned(),
            Ok(Heard::Late(_) | Heard::GivenUp) => {
                format!("it gave no answer within {} s", PATIENCE.as_secs())
            }
            Ok(Heard::TooLong(begun)) => format!("its answer is too long; it begins with {begun:?}"),
            Err(error) => error.to_string(),
        };
        let text = format!(
            "the service `{}` was asked what it did: {what}\n{}",
            self.name,
            self.process.log_words(5)
        );
        Err(Fault::new(FaultKind::ServiceDied, text))
    }

    fn odd(&self, question: &str, answer: &str, expected: &str) -> Fault {
        let text = format!(
            "the service `{}` was asked what it did, by `{question}`: expected {expected}, found {answer:?}",
            self.name
        );
        Fault::new(FaultKind::ServiceDied, text)
    }
}
