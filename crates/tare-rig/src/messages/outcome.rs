//! The results of an exchange of messages, and which side a failure points to.

use std::collections::BTreeMap;

use tare_model::fault::Fault;

/// The results of a case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Messages {
    /// The inputs whose messages were written and read.
    pub inputs: Vec<u64>,
    /// The contenders that were asked.
    pub members: Vec<Member>,
    /// Every ordered pair of writer and reader of a format, including each with itself.
    pub pairs: Vec<InteropPair>,
    /// The hostile messages, by the contender that was offered them.
    pub offered: Vec<Offered>,
}

/// A contender that was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its index among the group's entrants.
    pub entrant: usize,
    /// Its id.
    pub name: String,
    /// Its name for its format; none if it did not answer, or did not write.
    pub format: Option<String>,
    /// Why it did not write, if it did not.
    pub fault: Option<Fault>,
}

/// A contender that read what a contender wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InteropPair {
    /// The writer, an index into the entrants.
    pub writer: usize,
    /// The reader, likewise.
    pub reader: usize,
    /// The result.
    pub answer: Answer,
}

/// A contender that was offered a hostile message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offered {
    /// The contender, an index into the entrants.
    pub reader: usize,
    /// The message's file, below the workload's folder.
    pub file: String,
    /// The result.
    pub answer: Answer,
}

/// How a contender answered a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Right, for all of a writer's messages.
    Right,
    /// It refused the message, for this reason.
    Refused(String),
    /// It accepted the message and stayed within all bounds: the answer, in hex.
    Bounded(String),
    /// It did not survive the message, as its manifest says: this happens.
    Known(String),
    /// A wrong answer, or none.
    Fault(Fault),
    /// The reader had failed too often before.
    NotAsked,
}

impl Answer {
    /// What was wrong, if something was.
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            Answer::Fault(fault) => Some(fault),
            _ => None,
        }
    }
}

/// How many were right, of those that were asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Score {
    right: usize,
    asked: usize,
}

impl Score {
    fn of<'p>(pairs: impl Iterator<Item = &'p InteropPair>) -> Self {
        pairs.fold(Self::default(), |score, pair| match pair.answer {
            Answer::Right => Self {
                right: score.right + 1,
                asked: score.asked + 1,
            },
            Answer::NotAsked => score,
            _ => Self {
                asked: score.asked + 1,
                ..score
            },
        })
    }
}

impl Messages {
    /// All faults.
    pub fn faults(&self) -> impl Iterator<Item = &Fault> {
        let members = self.members.iter().filter_map(|member| member.fault.as_ref());
        let pairs = self.pairs.iter().filter_map(|pair| pair.answer.fault());
        let offered = self.offered.iter().filter_map(|offered| offered.answer.fault());
        members.chain(pairs).chain(offered)
    }

    /// Adds a hint to each pair's fault: how its writer and its reader did with others.
    pub(super) fn add_hints(&mut self) {
        let names: BTreeMap<usize, String> = self
            .members
            .iter()
            .map(|member| (member.entrant, member.name.clone()))
            .collect();
        let hints: Vec<Option<String>> = self.pairs.iter().map(|pair| self.hint(pair, &names)).collect();
        for (pair, hint) in self.pairs.iter_mut().zip(hints) {
            if let (Answer::Fault(fault), Some(hint)) = (&mut pair.answer, hint) {
                fault.detail = format!("{}\n\nhint: {hint}", fault.detail);
            }
        }
    }

    fn hint(&self, pair: &InteropPair, names: &BTreeMap<usize, String>) -> Option<String> {
        let others = |other: &&InteropPair| (other.writer == pair.writer) != (other.reader == pair.reader);
        let others = self.pairs.iter().filter(others);
        let (read, wrote): (Vec<&InteropPair>, Vec<&InteropPair>) =
            others.partition(|other| other.writer == pair.writer);
        let (readers, writers) = (Score::of(read.into_iter()), Score::of(wrote.into_iter()));
        let (writer, reader) = (names.get(&pair.writer)?, names.get(&pair.reader)?);
        let blame = match (readers, writers) {
            (Score { asked: 0, .. }, Score { asked: 0, .. }) => return None,
            (Score { right: 0, .. }, Score { right: 1.., .. }) => format!(": look at what {writer} writes"),
            (Score { right: 1.., .. }, Score { right: 0, .. }) => format!(": look at how {reader} reads"),
            _ => String::new(),
        };
        Some(format!(
            "{} of {} other readers read what {writer} wrote, and {reader} reads what {} of {} other writers wrote{blame}",
            readers.right, readers.asked, writers.right, writers.asked
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::fault::FaultKind;

    /// A matrix of three, `+` right, `x` wrong, `-` not asked: a line for each writer.
    fn matrix(lines: [&str; 3]) -> Messages {
        let members = ["a", "b", "c"].iter().enumerate().map(|(entrant, name)| Member {
            entrant,
            name: (*name).to_owned(),
            format: Some("f".to_owned()),
            fault: None,
        });
        let mut messages = Messages {
            members: members.collect(),
            ..Messages::default()
        };
        for (writer, line) in lines.iter().enumerate() {
            for (reader, mark) in line.chars().enumerate() {
                let answer = match mark {
                    '+' => Answer::Right,
                    'x' => Answer::Fault(Fault::new(FaultKind::Wrong, "wrong")),
                    _ => Answer::NotAsked,
                };
                messages.pairs.push(InteropPair {
                    writer,
                    reader,
                    answer,
                });
            }
        }
        messages.add_hints();
        messages
    }

    fn only(lines: [&str; 3]) -> Vec<String> {
        let messages = matrix(lines);
        messages.faults().map(|fault| fault.detail.clone()).collect()
    }

    #[test]
    fn a_writer_that_no_other_reads_is_named() {
        // b also reads itself wrong; the other pairs say more about how it reads.
        let found = only(["+++", "xxx", "+++"]);
        let hint = "wrong\n\nhint: 0 of 2 other readers read what b wrote, and";
        assert_eq!(
            found,
            [
                format!("{hint} a reads what 2 of 2 other writers wrote: look at what b writes"),
                format!("{hint} b reads what 2 of 2 other writers wrote: look at what b writes"),
                format!("{hint} c reads what 2 of 2 other writers wrote: look at what b writes"),
            ]
        );
    }

    #[test]
    fn a_reader_that_reads_no_other_is_named() {
        let found = only(["+x+", "+x+", "+-+"]);
        let hint = "wrong\n\nhint: 2 of 2 other readers read what";
        assert_eq!(
            found,
            [
                format!("{hint} a wrote, and b reads what 0 of 1 other writers wrote: look at how b reads"),
                format!("{hint} b wrote, and b reads what 0 of 1 other writers wrote: look at how b reads"),
            ]
        );
    }

    #[test]
    fn one_against_one_names_neither() {
        let found = only(["+x+", "+++", "+++"]);
        assert_eq!(
            found,
            [
                "wrong\n\nhint: 2 of 2 other readers read what a wrote, and b reads what 2 of 2 other writers wrote"
            ]
        );
        assert_eq!(only(["x--", "---", "---"]), ["wrong"]);
    }
}
