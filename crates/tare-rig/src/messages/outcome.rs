//! What came of messages, and whose fault a failure seems to be.

use std::collections::BTreeMap;

use tare_model::fault::Fault;

/// What came of the messages of a case's contenders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Messages {
    /// The inputs whose requests were written and read.
    pub inputs: Vec<u64>,
    /// Who was asked.
    pub members: Vec<Member>,
    /// Who read whom: every ordered pair of the members of a format, each with itself, too.
    pub pairs: Vec<Pair>,
    /// What nobody should trust, by who was offered it.
    pub offered: Vec<Offered>,
}

/// A contender that was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its index among the group's entrants.
    pub entrant: usize,
    /// As people write it.
    pub name: String,
    /// What it calls its format; none where it did not tell, or did not write.
    pub format: Option<String>,
    /// Why it did not write.
    pub fault: Option<Fault>,
}

/// One that read what one wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// Who wrote, an index among the entrants.
    pub writer: usize,
    /// Who read, likewise.
    pub reader: usize,
    /// What became of it.
    pub answer: Answer,
}

/// One that was offered what nobody should trust.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offered {
    /// Who, an index among the entrants.
    pub reader: usize,
    /// The message's file, below the workload's folder.
    pub file: String,
    /// What became of it.
    pub answer: Answer,
}

/// What became of a message that was to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The answers to all of a writer's messages were right.
    Right,
    /// It was refused, for this reason.
    Refused(String),
    /// It was answered all the same, within all bounds: the answer, in hex.
    Bounded(String),
    /// What its manifest says: it did not survive it, and this happens.
    Known(String),
    /// A wrong answer, or none.
    Fault(Fault),
    /// Its reader had failed too often before.
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

/// How many did well, of how many that were asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Score {
    right: usize,
    asked: usize,
}

impl Score {
    fn of<'p>(pairs: impl Iterator<Item = &'p Pair>) -> Self {
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
    /// Everything that was wrong.
    pub fn faults(&self) -> impl Iterator<Item = &Fault> {
        let members = self.members.iter().filter_map(|member| member.fault.as_ref());
        let pairs = self.pairs.iter().filter_map(|pair| pair.answer.fault());
        let offered = self.offered.iter().filter_map(|offered| offered.answer.fault());
        members.chain(pairs).chain(offered)
    }

    /// Adds to each pair's fault how its writer and its reader did with others.
    pub(super) fn weigh(&mut self) {
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

    fn hint(&self, pair: &Pair, names: &BTreeMap<usize, String>) -> Option<String> {
        let others = |other: &&Pair| (other.writer == pair.writer) != (other.reader == pair.reader);
        let others = self.pairs.iter().filter(others);
        let (read, wrote): (Vec<&Pair>, Vec<&Pair>) = others.partition(|other| other.writer == pair.writer);
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
    fn weighed(lines: [&str; 3]) -> Messages {
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
                messages.pairs.push(Pair {
                    writer,
                    reader,
                    answer,
                });
            }
        }
        messages.weigh();
        messages
    }

    fn only(lines: [&str; 3]) -> Vec<String> {
        let messages = weighed(lines);
        messages.faults().map(|fault| fault.detail.clone()).collect()
    }

    #[test]
    fn whom_nobody_reads_writes_badly() {
        // b reads itself wrong, too: the others say more about its reading.
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
    fn who_reads_nobody_reads_badly() {
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
    fn where_it_is_one_against_one_nobody_is_blamed() {
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
