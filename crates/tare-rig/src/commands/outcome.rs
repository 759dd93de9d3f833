//! Whether a run of a command counts, and the fault of one that does not.

use std::path::PathBuf;
use std::time::Duration;

use tare_host::command::{End, Run};
use tare_host::process::{describe_exit, tail};
use tare_model::fault::{Fault, FaultKind};

/// How many of its last lines a fault shows.
const LINES: usize = 10;

/// Hints for failed runs, by how they failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hints {
    /// It ended with another status than 0.
    pub failed: &'static str,
    /// It ended with 127, the status of a shell that does not find a program.
    pub not_found: &'static str,
    /// It took too long.
    pub late: &'static str,
}

impl Hints {
    /// For `--setup`, `--prepare` and `--cleanup`, which a shell runs.
    pub const AROUND: Self = Self {
        failed: "it must end with 0, whatever the commands may do: `|| true` behind what may fail, or run it by itself to \
                 see why",
        not_found: Self::NOT_BY_THE_SHELL,
        late: "if it may take longer: --timeout",
    };
    /// A shell did not find a program.
    pub const NOT_BY_THE_SHELL: &'static str = "the shell found no such program: check the name, and PATH";
    /// The program was found, but did not find another.
    pub const NOT_BY_THE_PROGRAM: &'static str = "a program ends with 127 if it finds no program to start: check the arguments of the command, and PATH";
}

/// Judges the runs of a command.
pub(super) struct RunCheck<'a> {
    /// The command, as the user wrote it.
    pub text: &'a str,
    /// How long it may take.
    pub timeout: Duration,
    /// The file of its last output; none if it writes too much for that to be kept.
    pub log: Option<PathBuf>,
    /// Whether another exit status than 0 is accepted.
    pub may_fail: bool,
    pub hints: Hints,
}

impl RunCheck<'_> {
    /// Checks that a run counts.
    pub(super) fn judge(&self, run: &Run) -> Result<(), Fault> {
        let text = self.text;
        match run.end {
            End::Exit(status) if status.success() || (self.may_fail && status.code().is_some()) => Ok(()),
            End::Exit(status) => {
                let hint = match status.code() {
                    Some(127) => self.hints.not_found,
                    Some(_) => self.hints.failed,
                    None => "run it by itself to see why",
                };
                let detail = format!(
                    "`{text}` ended with {}\n{}\n\nhint: {hint}",
                    describe_exit(status),
                    self.said()
                );
                Err(Fault::new(FaultKind::Died, detail))
            }
            End::Late => Err(Fault::new(
                FaultKind::Hung,
                format!(
                    "`{text}` had not ended after {} s, and was ended\n{}\n\nhint: {}",
                    self.timeout.as_secs_f64(),
                    self.said(),
                    self.hints.late
                ),
            )),
            End::Interrupted => Err(Fault::new(
                FaultKind::Instrument,
                format!("`{text}` was interrupted"),
            )),
        }
    }

    /// Its last lines, without the log's path: the next run overwrites the log.
    fn said(&self) -> String {
        let Some(log) = &self.log else {
            return "its last words were not kept: a command here writes much to its standard error, and to keep that \
                    would take time that is measured"
                .to_owned();
        };
        let words = tail(log, LINES);
        if words.trim().is_empty() {
            return "it said nothing".to_owned();
        }
        format!("its last words:\n    {}", words.replace('\n', "\n    "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;
    use tare_model::units::Seconds;

    fn fault(end: End, may_fail: bool, log: Option<PathBuf>) -> Option<Fault> {
        let run = Run {
            wall: Duration::ZERO,
            user: Seconds(0.0),
            system: Seconds(0.0),
            peak: None,
            switches: 0,
            end,
            left: false,
        };
        let check = RunCheck {
            text: "a command",
            timeout: Duration::from_secs(1),
            log,
            may_fail,
            hints: HINTS,
        };
        check.judge(&run).err()
    }

    const HINTS: Hints = Hints {
        failed: "look",
        not_found: "search",
        late: "wait",
    };

    fn exit(code: i32) -> End {
        End::Exit(ExitStatus::from_raw(code << 8))
    }

    fn judged(end: End, may_fail: bool) -> Result<(), FaultKind> {
        fault(end, may_fail, None).map_or(Ok(()), |fault| {
            assert!(fault.detail.contains("`a command`"), "{fault}");
            Err(fault.kind)
        })
    }

    #[test]
    fn a_failure_may_be_meant_but_never_a_signal_or_a_hang() {
        let signal = End::Exit(ExitStatus::from_raw(9));
        assert_eq!(judged(exit(0), false), Ok(()));
        assert_eq!(judged(exit(1), false), Err(FaultKind::Died));
        assert_eq!(judged(exit(1), true), Ok(()));
        assert_eq!(judged(signal, true), Err(FaultKind::Died));
        assert_eq!(judged(End::Late, true), Err(FaultKind::Hung));
        assert_eq!(judged(End::Interrupted, true), Err(FaultKind::Instrument));
    }

    /// Each kind of failure has its own hint, and all but an interrupt the last words, or why there are none.
    #[test]
    fn a_fault_has_a_hint_and_the_last_words() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        std::fs::write(&log, "first\nalas\n").unwrap();
        for (end, hint) in [(exit(1), "look"), (exit(127), "search"), (End::Late, "wait")] {
            let detail_of = |log: Option<PathBuf>| fault(end, false, log).unwrap().detail;
            let detail = detail_of(Some(log.clone()));
            assert!(detail.ends_with(&format!("\n\nhint: {hint}")), "{detail}");
            assert!(detail.contains("\n    first\n    alas\n"), "{detail}");
            let detail = detail_of(None);
            assert!(
                detail.contains("were not kept") && detail.ends_with(hint),
                "{detail}"
            );
        }
    }
}
