//! What one of several generator processes saw, as it is told to the one that started it.

use serde_json::{Value, json};
use tare_model::fault::{Fault, FaultKind};
use tare_model::histogram::Histogram;
use tare_model::measure::{LoadReading, RequestCounts};
use tare_model::units::{Bytes, Seconds, Share};

use super::Outcome;

/// One line of JSON.
pub fn write(outcome: &Outcome) -> String {
    let reading = &outcome.reading;
    let requests = reading.requests;
    let fault = outcome
        .fault
        .as_ref()
        .map(|fault| json!({"kind": fault.kind.name(), "detail": fault.detail}));
    let document = json!({
        "wall": reading.wall.0,
        "answers": reading.answers,
        "requests": [requests.sent, requests.valid, requests.invalid, requests.lost],
        "latency": reading.latency.encode(),
        "lag": reading.lag.encode(),
        "bytes": [reading.bytes_out.0, reading.bytes_in.0],
        "checked": reading.checked.0,
        "cpu": reading.cpu.0,
        "busy": reading.busy.0,
        "reopened": reading.reopened,
        "retransmits": reading.retransmits,
        "overflows": reading.overflows,
        "unsent": reading.unsent,
        "fault": fault,
        "interrupted": outcome.interrupted,
    });
    format!("{document}\n")
}

/// Reads such a line; none where it is not one.
pub fn read(line: &str) -> Option<Outcome> {
    let document: Value = serde_json::from_str(line).ok()?;
    let number = |name: &str| document[name].as_u64();
    let real = |name: &str| document[name].as_f64();
    let two = |name: &str, at: usize| document[name][at].as_u64();
    let reading = LoadReading {
        wall: Seconds(real("wall")?),
        answers: number("answers")?,
        requests: RequestCounts {
            sent: two("requests", 0)?,
            valid: two("requests", 1)?,
            invalid: two("requests", 2)?,
            lost: two("requests", 3)?,
        },
        latency: histogram(&document["latency"])?,
        lag: histogram(&document["lag"])?,
        bytes_out: Bytes(two("bytes", 0)?),
        bytes_in: Bytes(two("bytes", 1)?),
        checked: Share(real("checked")?),
        cpu: Seconds(real("cpu")?),
        busy: Share(real("busy")?),
        reopened: u32::try_from(number("reopened")?).ok()?,
        retransmits: number("retransmits")?,
        overflows: number("overflows")?,
        unsent: number("unsent")?,
        ..LoadReading::default()
    };
    let fault = &document["fault"];
    let fault = match fault["kind"].as_str() {
        Some(kind) => Some(Fault::new(
            FaultKind::from_name(kind)?,
            fault["detail"].as_str()?.to_owned(),
        )),
        None => None,
    };
    Some(Outcome {
        reading,
        fault,
        interrupted: document["interrupted"].as_bool()?,
    })
}

fn histogram(value: &Value) -> Option<Histogram> {
    let bytes: Option<Vec<u8>> = value
        .as_array()?
        .iter()
        .map(|byte| u8::try_from(byte.as_u64()?).ok())
        .collect();
    Histogram::decode(&bytes?).ok()
}

/// What all saw together. Each counted what the whole machine sent again, so of that the most counts.
pub fn join(parts: Vec<Outcome>, interrupted: bool) -> Outcome {
    let mut all = LoadReading::default();
    let (mut whole, mut fault) = (0.0, None);
    for Outcome {
        reading, fault: own, ..
    } in parts
    {
        all.wall = Seconds(all.wall.0.max(reading.wall.0));
        all.answers += reading.answers;
        all.requests.sent += reading.requests.sent;
        all.requests.valid += reading.requests.valid;
        all.requests.invalid += reading.requests.invalid;
        all.requests.lost += reading.requests.lost;
        all.unsent += reading.unsent;
        all.latency.merge(&reading.latency);
        all.lag.merge(&reading.lag);
        all.bytes_out = Bytes(all.bytes_out.0 + reading.bytes_out.0);
        all.bytes_in = Bytes(all.bytes_in.0 + reading.bytes_in.0);
        all.cpu = Seconds(all.cpu.0 + reading.cpu.0);
        all.busy = Share(all.busy.0.max(reading.busy.0));
        all.reopened += reading.reopened;
        all.retransmits = all.retransmits.max(reading.retransmits);
        all.overflows = all.overflows.max(reading.overflows);
        whole += reading.checked.0 * reading.requests.valid as f64;
        fault = fault.or(own);
    }
    all.checked = match all.requests.valid {
        0 => Share(1.0),
        right => Share(whole / right as f64),
    };
    Outcome {
        reading: all,
        fault,
        interrupted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(fault: Option<Fault>) -> Outcome {
        let mut reading = LoadReading {
            wall: Seconds(1.25),
            answers: 3,
            cpu: Seconds(0.5),
            busy: Share(0.25),
            checked: Share(0.5),
            reopened: 2,
            retransmits: 9,
            unsent: 11,
            ..LoadReading::default()
        };
        reading.requests = RequestCounts {
            sent: 5,
            valid: 3,
            invalid: 1,
            lost: 1,
        };
        [1_000, 2_000, 3_000_000]
            .iter()
            .for_each(|&nanos| reading.latency.record(nanos));
        Outcome {
            reading,
            fault,
            interrupted: false,
        }
    }

    #[test]
    fn a_part_survives_its_own_line() {
        for fault in [
            None,
            Some(Fault::new(FaultKind::ClosedEarly, "alas\n  \"x\"".to_owned())),
        ] {
            let before = outcome(fault);
            let line = write(&before);
            assert_eq!(line.matches('\n').count(), 1);
            let after = read(&line).expect("a line of our own");
            assert_eq!((after.reading, after.fault), (before.reading, before.fault));
        }
        assert!(read("ready\n").is_none() && read("{}").is_none());
    }

    #[test]
    fn parts_add_up() {
        let fault = Fault::new(FaultKind::Wrong, "x".to_owned());
        let all = join(vec![outcome(None), outcome(Some(fault.clone()))], false);
        assert_eq!(
            (
                all.reading.requests.sent,
                all.reading.answers,
                all.reading.reopened
            ),
            (10, 6, 4)
        );
        assert_eq!((all.reading.latency.count(), all.reading.retransmits), (6, 9));
        assert_eq!(all.reading.unsent, 22);
        assert_eq!(
            (all.reading.checked, all.reading.wall),
            (Share(0.5), Seconds(1.25))
        );
        assert_eq!(all.fault, Some(fault));
    }
}
