//! Why contenders have no figures or no verdicts, in words.

use tare_model::fault::FaultKind;
use tare_model::late::Lateness;
use tare_model::results::{Bound, ContenderResult, State, WorkloadResult};

use super::number::list;

/// Stands in place of a verdict on a latency that a late generator has spoiled.
pub const LATE: &str = "no verdict: the generator was late";

/// Which latencies have no verdict, for which contenders, and why: a sentence for each set of latencies, with the
/// figures of one contender as an example.
pub fn lateness(result: &WorkloadResult) -> Vec<String> {
    let mut groups: Vec<(&Lateness, Vec<&ContenderResult>)> = Vec::new();
    let measured = result.contenders.iter().filter(|c| c.state == State::Measured);
    for (contender, late) in measured.filter_map(|c| Some((c, c.late.as_ref()?))) {
        match groups
            .iter_mut()
            .find(|(known, _)| known.withheld == late.withheld)
        {
            Some((_, members)) => members.push(contender),
            None => groups.push((late, vec![contender])),
        }
    }
    let sentence = |(late, members): (&Lateness, Vec<&ContenderResult>)| {
        let metrics: Vec<String> = late.withheld.iter().map(|m| m.title().to_owned()).collect();
        let names: Vec<String> = members.iter().map(|c| c.id.to_string()).collect();
        let example = match names.as_slice() {
            [_] => String::new(),
            names => format!("{}: ", names[0]),
        };
        format!(
            "No verdict on {} of {} ({example}{}).",
            list(&metrics),
            list(&names),
            late.why
        )
    };
    groups.into_iter().map(sentence).collect()
}

/// What limited a throughput.
pub fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Contender => "contender-limited",
        Bound::Load => "generator-limited: not ranked",
        Bound::Neither => "neither bound",
    }
}

/// A state in words.
pub fn state(state: State) -> &'static str {
    match state {
        State::Measured => "measured",
        State::NotSteady => "not steady",
        State::Wrong => "wrong answers",
        State::Failed => "failed",
        State::Skipped => "skipped",
    }
}

/// A contender's state in words, more precise than [`state`] for some faults: "wrong answers" would hide that answers
/// were missing or too many.
pub fn fate(contender: &ContenderResult) -> &'static str {
    fate_of(contender.state, contender.fault.as_ref().map(|fault| fault.kind))
}

/// The same of a state and the fault that led to it.
pub(crate) fn fate_of(state_of: State, fault: Option<FaultKind>) -> &'static str {
    match fault {
        Some(FaultKind::Hung) => "stopped answering",
        Some(FaultKind::ClosedEarly) => "closed early",
        Some(FaultKind::Tls) => "its TLS was refused",
        Some(FaultKind::Implausible) => "reported impossible times",
        Some(FaultKind::Unasked) => "sent unrequested bytes",
        Some(FaultKind::Died) => "died",
        Some(FaultKind::NoService) => "its service is missing",
        Some(FaultKind::ServiceDied) => "its service died",
        _ => state(state_of),
    }
}
