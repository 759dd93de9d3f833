//! How a run of a command is judged, and what is said of one that is no good.

use std::path::PathBuf;
use std::time::Duration;

use tare_host::command::{End, Run};
use tare_host::process::{describe_exit, tail};
use tare_model::fault::{Fault, FaultKind};

/// Lines of what it said that are told.
const LINES: usize = 10;

/// What may help where a run is no good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cures {
    /// It ended with another status than 0.
    pub failed: &'static str,
    /// It ended with 127, which is how whoever starts programs says that there is none of that name.
    pub not_found: &'static str,
    /// It took too long.
    pub late: &'static str,
}

impl Cures {
    /// Of what is around a command, and read by a shell.
    pub const AROUND: Self = Self {
        failed: "it must end with 0, whatever the commands may do: `|| true` behind what may fail, or run it by itself to \
                 see why",
        not_found: Self::NOT_BY_THE_SHELL,
        late: "where it may take longer: --timeout",
    };
    /// A shell found no program.
    pub const NOT_BY_THE_SHELL: &'static str = "the shell found no such program: see the name, and PATH";
    /// The program was found, and did not find another.
    pub const NOT_BY_THE_PROGRAM: &'static str = "127 is what a program ends with that found no other to start: see the words of the command, and PATH";
}

/// What is needed to tell of a run.
pub(super) struct Told<'a> {
    /// The command, as a person wrote it.
    pub text: &'a str,
    /// The longest that it may take.
    pub timeout: Duration,
    /// The file that has its last words; none: it says too much for them to be kept.
    pub log: Option<PathBuf>,
    /// Whether it may end with another status than 0.
    pub may_fail: bool,
    pub hints: Cures,
}

impl Told<'_> {
    /// Whether the run counts.
    pub fn judge(&self, run: &Run) -> Result<(), Fault> {
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

    /// What it said, and not where that was kept: the next run takes it away.
    fn said(&self) -> String {
        let Some(log) = &self.log else {
            return "its last words were not kept: a command here writes much to its standard error, and to keep that \
                    would take time that is measured"
                .to_owned();
        };
        let words = tail(log, LINES);
        match words.trim().is_empty() {
            true => "it said nothing".to_owned(),
            false => format!("its last words:\n    {}", words.replace('\n', "\n    ")),
        }
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
        let told = Told {
            text: "a command",
            timeout: Duration::from_secs(1),
            log,
            may_fail,
            hints: CURES,
        };
        told.judge(&run).err()
    }

    const CURES: Cures = Cures {
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

    /// Each way to be no good has its own hint, and all but an interrupt the last words, or why there are none.
    #[test]
    fn cures_and_last_words_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        std::fs::write(&log, "first\nalas\n").unwrap();
        for (end, hint) in [(exit(1), "look"), (exit(127), "search"), (End::Late, "wait")] {
            let told = |log: Option<PathBuf>| fault(end, false, log).unwrap().detail;
            let detail = told(Some(log.clone()));
            assert!(detail.ends_with(&format!("\n\nhint: {hint}")), "{detail}");
            assert!(detail.contains("\n    first\n    alas\n"), "{detail}");
            let detail = told(None);
            assert!(
                detail.contains("were not kept") && detail.ends_with(hint),
                "{detail}"
            );
        }
    }
}
