//! A fleet: several generator processes that drive one load together when one process cannot open enough files. Each
//! has its share of the connections and of the rate, and source addresses of its own. They begin together.
//!
//! A process of the fleet is any program that calls [`Member::take_part`]. It reports over its standard output; the fleet
//! writes `go` to its standard input once all are ready, and closes it to end the load.

mod member;
mod message;
mod outcome;

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

pub use member::Member;
pub use outcome::GeneratorOutcome;

use message::Message;

/// What a process is sent when the connections of all are open.
const GO: &[u8] = b"go\n";

/// How often the fleet checks for an interrupt while it waits for messages.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Why a fleet has no outcome.
#[derive(Debug, thiserror::Error)]
pub enum FleetError {
    /// A process could not be started.
    #[error("a generator process could not be started: {0}")]
    Start(io::Error),
    /// A process ended before its connections were open, and said nothing.
    #[error("a generator process ended before its connections were open")]
    EndedEarly,
}

/// The share of a number that one process of a fleet does; if it does not divide evenly, the first ones do one more.
pub fn share(all: u64, number: u32, count: u32) -> u64 {
    let (count, number) = (u64::from(count), u64::from(number));
    all / count + u64::from(number < all % count)
}

/// Generator processes that were started. Dropping it kills those that still run.
pub struct Fleet {
    processes: Vec<GeneratorProcess>,
    heard: Receiver<(usize, Heard)>,
    answers: Answers,
}

/// The right answers of a fleet so far, to be read from another thread.
#[derive(Debug, Clone)]
pub struct Answers(Arc<Vec<AtomicU64>>);

struct GeneratorProcess {
    child: Child,
    /// Closed to end its load.
    input: Option<ChildStdin>,
}

enum Heard {
    Message(Message),
    /// Its output has ended.
    Gone,
}

impl Fleet {
    /// Starts a process for each command; their standard input and output become the fleet's.
    ///
    /// # Errors
    /// [`FleetError::Start`] for the first that cannot be started; the others are killed.
    pub fn start(commands: impl IntoIterator<Item = Command>) -> Result<Self, FleetError> {
        let (tell, heard) = channel();
        let processes = commands
            .into_iter()
            .enumerate()
            .map(|(number, command)| GeneratorProcess::start(command, number, tell.clone()))
            .collect::<io::Result<Vec<_>>>()
            .map_err(FleetError::Start)?;
        let answers = processes.iter().map(|_| AtomicU64::new(0)).collect();
        Ok(Self {
            processes,
            heard,
            answers: Answers(Arc::new(answers)),
        })
    }

    /// The right answers so far, of the members that report [progress](Member::progress).
    pub fn answers(&self) -> Answers {
        self.answers.clone()
    }

    /// Waits until all are ready, lets them begin (and calls `began`), and waits for their ends. The first fault, or
    /// `interrupted`, ends all. Returns what they saw together.
    ///
    /// # Errors
    /// [`FleetError::EndedEarly`] if one ended before its connections were open, and none reported a fault.
    pub fn run(
        mut self,
        interrupted: impl Fn() -> bool,
        began: impl FnOnce(),
    ) -> Result<GeneratorOutcome, FleetError> {
        let count = self.processes.len();
        let (mut ready, mut gone, mut outcomes) = (0, 0, Vec::new());
        let mut began = Some(began);
        while gone < count {
            match self.heard.recv_timeout(LOOK_EVERY) {
                Ok((_, Heard::Message(Message::Ready))) => {
                    ready += 1;
                    if ready == count {
                        self.processes.iter_mut().for_each(GeneratorProcess::go);
                        began.take().into_iter().for_each(|began| began());
                    }
                }
                Ok((number, Heard::Message(Message::SoFar(answers)))) => {
                    self.answers.0[number].store(answers, Ordering::Relaxed);
                }
                Ok((_, Heard::Message(Message::Ended(outcome)))) => {
                    if outcome.fault.is_some() {
                        self.stop();
                    }
                    outcomes.push(*outcome);
                }
                Ok((_, Heard::Gone)) => {
                    gone += 1;
                    // One that ended before all were ready: the others would wait in vain.
                    if ready < count {
                        self.stop();
                    }
                }
                Err(_) if interrupted() => self.stop(),
                Err(_) => {}
            }
        }
        let all = outcome::join(outcomes, interrupted());
        if all.fault.is_some() || all.interrupted || ready == count {
            Ok(all)
        } else {
            Err(FleetError::EndedEarly)
        }
    }

    fn stop(&mut self) {
        self.processes.iter_mut().for_each(GeneratorProcess::stop);
    }
}

impl Answers {
    /// The sum over all processes.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|one| one.load(Ordering::Relaxed)).sum()
    }
}

impl GeneratorProcess {
    fn start(mut command: Command, number: usize, tell: Sender<(usize, Heard)>) -> io::Result<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        thread::spawn(move || {
            let lines = output
                .into_iter()
                .flat_map(|output| BufReader::new(output).lines());
            for message in lines
                .map_while(Result::ok)
                .filter_map(|line| Message::parse(&line))
            {
                // A fleet that is gone needs no messages.
                let _ = tell.send((number, Heard::Message(message)));
            }
            let _ = tell.send((number, Heard::Gone));
        });
        Ok(Self { child, input })
    }

    fn go(&mut self) {
        if let Some(input) = &mut self.input {
            // The output of one that is gone has ended, which is noticed.
            let _ = input.write_all(GO);
        }
    }

    fn stop(&mut self) {
        self.input = None;
    }
}

impl Drop for GeneratorProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shell script as a process of a fleet.
    fn says(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    fn ended(sent: u64) -> String {
        let mut outcome = outcome::tests::outcome(None);
        outcome.reading.requests.sent = sent;
        let line = Message::Ended(Box::new(outcome)).line();
        format!("echo '{}'", line.trim_end())
    }

    #[test]
    fn a_fleet_begins_together_and_adds_up() {
        let one = says(&format!("echo ready; read go; echo so far 40; {}", ended(5)));
        let late = says(&format!(
            "sleep 0.1; echo ready; read go; echo so far 2; {}",
            ended(7)
        ));
        let fleet = Fleet::start([one, late]).unwrap();
        let answers = fleet.answers();
        let mut begun = 0;
        let all = fleet.run(|| false, || begun += 1).unwrap();
        assert_eq!((begun, answers.total()), (1, 42));
        assert_eq!(
            (all.reading.requests.sent, all.fault, all.interrupted),
            (12, None, false)
        );
    }

    #[test]
    fn one_that_ends_early_ends_the_others() {
        let waits = says("echo ready; read go || exit 0; sleep 60");
        let fleet = Fleet::start([waits, says("exit 1")]).unwrap();
        let error = fleet.run(|| false, || panic!("not all were ready")).unwrap_err();
        assert!(matches!(error, FleetError::EndedEarly), "{error}");
    }

    #[test]
    fn an_interrupt_ends_all_and_is_in_the_outcome() {
        let waits = || says("echo ready; read go; read end; exit 0");
        let fleet = Fleet::start([waits(), waits()]).unwrap();
        let all = fleet.run(|| true, || {}).unwrap();
        assert!(all.interrupted);
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        let error = Fleet::start([Command::new("/no/such/program")]).err().unwrap();
        assert!(error.to_string().contains("could not be started"), "{error}");
    }

    #[test]
    fn shares_add_up_and_differ_by_one_at_most() {
        for (all, count) in [(50_000, 3), (7, 7), (10, 4), (1, 1)] {
            let shares: Vec<u64> = (0..count).map(|number| share(all, number, count)).collect();
            assert_eq!(shares.iter().sum::<u64>(), all);
            assert!(shares.iter().max().unwrap() - shares.iter().min().unwrap() <= 1);
        }
    }
}
