//! How a run of a command is judged, and what is said of one that is no good.

use std::path::Path;

use tare_host::command::{End, Run};
use tare_host::process::{describe_exit, tail_words};
use tare_model::fault::{Fault, FaultKind};

use super::Policy;

/// What is needed to tell of a run.
pub(super) struct Told<'a> {
    /// The command, as a person wrote it.
    pub text: &'a str,
    pub policy: &'a Policy,
    /// The file that its errors went to, if any.
    pub log: Option<&'a Path>,
}

impl Told<'_> {
    /// Whether the run counts.
    pub fn judge(&self, run: &Run, may_fail: bool) -> Result<(), Fault> {
        let text = self.text;
        match run.end {
            End::Exit(status) if status.success() || (may_fail && status.code().is_some()) => Ok(()),
            End::Exit(status) => {
                let way = describe_exit(status);
                let hint = match (status.code(), may_fail) {
                    (Some(127), _) => "the shell found no such program: see the name, and PATH",
                    (Some(_), _) => self.policy.on_failure,
                    (None, _) => "run it by itself to see why",
                };
                let said = self
                    .log
                    .map_or(String::new(), |log| format!("\n{}", tail_words(log, 10)));
                let detail = format!("`{text}` ended with {way}{said}\n\nhint: {hint}");
                Err(Fault::new(FaultKind::Died, detail))
            }
            End::Late => Err(Fault::new(
                FaultKind::Hung,
                format!(
                    "`{text}` had not ended after {} s, and was ended\n\nhint: where it may take longer: --timeout; its \
                     standard input is empty unless there is --input",
                    self.policy.timeout.as_secs_f64()
                ),
            )),
            End::Interrupted => Err(Fault::new(FaultKind::Instrument, "interrupted")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;
    use std::time::Duration;
    use tare_model::units::Seconds;

    fn judged(end: End, may_fail: bool) -> Result<(), FaultKind> {
        let policy = Policy {
            timeout: Duration::from_secs(1),
            folder: "/nowhere".into(),
            sizes: Vec::new(),
            cores: 1,
            on_failure: "look",
        };
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
            policy: &policy,
            log: None,
        };
        told.judge(&run, may_fail).map_err(|fault| {
            assert!(
                fault.detail.contains("a command") || end == End::Interrupted,
                "{fault}"
            );
            fault.kind
        })
    }

    #[test]
    fn a_failure_may_be_meant_but_never_a_signal_or_a_hang() {
        let exit = |code: i32| End::Exit(ExitStatus::from_raw(code << 8));
        let signal = End::Exit(ExitStatus::from_raw(9));
        assert_eq!(judged(exit(0), false), Ok(()));
        assert_eq!(judged(exit(1), false), Err(FaultKind::Died));
        assert_eq!(judged(exit(1), true), Ok(()));
        assert_eq!(judged(signal, true), Err(FaultKind::Died));
        assert_eq!(judged(End::Late, true), Err(FaultKind::Hung));
        assert_eq!(judged(End::Interrupted, true), Err(FaultKind::Instrument));
    }
}
