//! What a generator process says to the one that started it: a line for each message.

use serde_json::{Value, json};
use tare_model::fault::{Fault, FaultKind};
use tare_model::histogram::Histogram;
use tare_model::measure::{LoadReading, RequestCounts};
use tare_model::tls::TlsReading;
use tare_model::units::{Bytes, Seconds, Share};

use super::outcome::GeneratorOutcome;

const READY: &str = "ready";
pub(super) const BEGAN: &str = "began";
const SO_FAR: &str = "so far ";

/// What a generator process says.
#[derive(Debug, PartialEq)]
pub(super) enum Message {
    /// Its connections are open.
    Ready,
    /// It was let go, and begins now.
    Began,
    /// Right answers so far; once a second if progress was requested.
    SoFar(u64),
    /// How its load ended: its last message.
    Ended(Box<GeneratorOutcome>),
}

impl Message {
    /// The message as a line, with its end.
    pub(super) fn line(&self) -> String {
        match self {
            Self::Ready => format!("{READY}\n"),
            Self::Began => format!("{BEGAN}\n"),
            Self::SoFar(answers) => format!("{SO_FAR}{answers}\n"),
            Self::Ended(outcome) => write(outcome),
        }
    }

    /// The message of a line; none if it is not one.
    pub(super) fn parse(line: &str) -> Option<Self> {
        if line == READY {
            return Some(Self::Ready);
        }
        if line == BEGAN {
            return Some(Self::Began);
        }
        if let Some(count) = line.strip_prefix(SO_FAR) {
            return Some(Self::SoFar(count.parse().ok()?));
        }
        Some(Self::Ended(Box::new(read(line)?)))
    }
}

/// One line of JSON.
fn write(outcome: &GeneratorOutcome) -> String {
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
        "streams": reading.streams,
        "programs": reading.programs.iter().map(|duration| duration.0).collect::<Vec<f64>>(),
        "tls": reading.tls.as_ref().map(secured),
        "fault": fault,
        "interrupted": outcome.interrupted,
    });
    format!("{document}\n")
}

fn read(line: &str) -> Option<GeneratorOutcome> {
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
        streams: number("streams").and_then(|streams| u32::try_from(streams).ok()),
        programs: durations(&document["programs"])?,
        tls: match &document["tls"] {
            Value::Null => None,
            tls => Some(read_secured(tls)?),
        },
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
    Some(GeneratorOutcome {
        reading,
        fault,
        interrupted: document["interrupted"].as_bool()?,
    })
}

/// Of each load program of a batch; nothing else has any.
fn durations(value: &Value) -> Option<Vec<Seconds>> {
    match value {
        Value::Null => Some(Vec::new()),
        all => {
            let seconds = |one: &Value| one.as_f64().map(Seconds);
            all.as_array()?.iter().map(seconds).collect()
        }
    }
}

fn secured(tls: &TlsReading) -> Value {
    json!({
        "agreed": tls.agreed,
        "handshakes": [tls.handshakes, tls.resumed, tls.in_time],
        "times": tls.times.encode(),
    })
}

fn read_secured(value: &Value) -> Option<TlsReading> {
    let number = |at: usize| value["handshakes"][at].as_u64();
    Some(TlsReading {
        agreed: serde_json::from_value(value["agreed"].clone()).ok()?,
        handshakes: number(0)?,
        resumed: number(1)?,
        in_time: number(2)?,
        times: histogram(&value["times"])?,
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

#[cfg(test)]
mod tests {
    use super::super::outcome::tests::outcome;
    use super::*;
    use tare_model::tls::Agreed;

    #[test]
    fn a_message_survives_its_own_line() {
        let mut secure = outcome(None);
        secure.reading.programs = vec![Seconds(0.25), Seconds(1.0)];
        secure.reading.tls = Some(TlsReading {
            agreed: vec![Agreed {
                version: "TLS 1.3".to_owned(),
                suite: "S".to_owned(),
                group: None,
                alpn: Some("h2".to_owned()),
            }],
            handshakes: 3,
            resumed: 2,
            in_time: 1,
            times: secure.reading.latency.clone(),
        });
        let fault = Fault::new(FaultKind::ClosedEarly, "alas\n  \"x\"".to_owned());
        for before in [
            Message::Ready,
            Message::Began,
            Message::SoFar(1234),
            Message::Ended(Box::new(outcome(None))),
            Message::Ended(Box::new(secure)),
            Message::Ended(Box::new(outcome(Some(fault)))),
        ] {
            let line = before.line();
            assert_eq!(line.matches('\n').count(), 1);
            assert_eq!(Message::parse(line.trim_end()), Some(before), "{line}");
        }
    }

    #[test]
    fn what_is_not_a_message_is_refused() {
        for bad in ["", "ready\n", "so far away", "{}", "READY"] {
            assert_eq!(Message::parse(bad), None, "{bad:?}");
        }
    }
}
