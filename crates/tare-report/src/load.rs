//! What a single load came to (`tare load` of one server), as text and as JSON.

mod agents;
mod tls;

use serde_json::{Value, json};
use tare_model::driving::ConnectionUse;
use tare_model::fault::Fault;
use tare_model::late::{self, Lateness};
use tare_model::measure::LoadReading;
use tare_model::metric::Metric;
use tare_model::results::Bound;
use tare_model::units::{PerSecond, Seconds};

use crate::escape;

pub use agents::Agent;

/// A load that has ended.
#[derive(Debug, Clone)]
pub struct Load<'a> {
    /// What the generator saw.
    pub reading: &'a LoadReading,
    /// What stopped it early.
    pub fault: Option<&'a Fault>,
    /// Whether a person stopped it.
    pub interrupted: bool,
    /// The rate that was asked for; none in a closed loop.
    pub rate: Option<PerSecond>,
    /// The most requests in flight on a connection.
    pub depth: u32,
    /// How requests followed each other on a connection.
    pub usage: ConnectionUse,
    /// The seed of what was sent, and when.
    pub seed: u64,
    /// How send times were waited for; none where there were none.
    pub waiting: Option<Waiting<'a>>,
    /// Whether bodies were accepted unchecked.
    pub any_body: bool,
    /// Whether certificates were accepted unchecked.
    pub insecure: bool,
    /// Whether the text lists latencies from the median to the longest.
    pub spectrum: bool,
    /// The agents that drove it, each on a machine of its own; none where this machine did.
    pub agents: Vec<Agent<'a>>,
    /// How far apart two of them can have begun at the most, by one clock.
    pub apart: Option<Seconds>,
}

/// How send times were waited for.
#[derive(Debug, Clone, Copy)]
pub struct Waiting<'a> {
    /// Whether awake.
    pub awake: bool,
    /// Why so, and what that means.
    pub why: &'a str,
}

/// Latencies in the document and in the text's line: key, name, quantile.
const QUANTILES: [(&str, &str, f64); 5] = [
    ("latency_p50", "p50", 0.5),
    ("latency_p90", "p90", 0.9),
    ("latency_p99", "p99", 0.99),
    ("latency_p999", "p99.9", 0.999),
    ("latency_max", "max", 1.0),
];

/// Quantiles of the spectrum.
const SPECTRUM: [f64; 10] = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999, 0.999999, 1.0];

/// For people, with a line end after it.
pub fn text(load: &Load<'_>) -> String {
    let reading = load.reading;
    let requests = reading.requests;
    let mut lines = vec![
        format!(
            "answers     {} right of {} sent, {} wrong, {} lost; {}",
            requests.valid,
            requests.sent,
            requests.invalid,
            requests.lost,
            load.checked()
        ),
        format!(
            "throughput  {} over {}",
            PerSecond(load.throughput()),
            reading.wall
        ),
    ];
    lines.extend(load.unsent());
    lines.extend(load.streams());
    lines.extend(tls::lines(load));
    lines.extend(load.latencies());
    lines.extend(load.send_lag());
    lines.extend(load.waiting.map(|waiting| format!("waiting     {}", waiting.why)));
    lines.extend(load.programs());
    lines.push(format!(
        "bytes       {} out, {} in",
        reading.bytes_out, reading.bytes_in
    ));
    lines.extend(load.generator());
    lines.extend(load.agents());
    if reading.overflows > 0 {
        lines.push(format!(
            "warning     the server's listen queue overflowed {} times",
            reading.overflows
        ));
    }
    if let Some(fault) = load.fault {
        let detail = escape::visible(&fault.detail);
        lines.push(format!(
            "\nstopped at the first fault ({}): {detail}",
            fault.kind.name()
        ));
    }
    if load.interrupted {
        lines.push("\ninterrupted: these are the figures until then".to_owned());
    }
    lines.join("\n") + "\n"
}

/// For programs: a JSON object, with a line end after it. Times are in seconds.
pub fn document(load: &Load<'_>) -> String {
    let reading = load.reading;
    let late = load.lateness();
    let kept = late.as_ref().is_none_or(|late| late.kept);
    let mut document = json!({
        "schema": 1,
        "answers": reading.requests.valid,
        "sent": reading.requests.sent,
        "invalid": reading.requests.invalid,
        "lost": reading.requests.lost,
        "unsent": reading.unsent,
        "streams_allowed": reading.streams,
        "tls": tls::document(load),
        "checked": reading.checked.0,
        "any_body": load.any_body,
        "depth": load.depth,
        "refill": (load.depth > 1 && load.rate.is_none()).then(|| load.usage.refill.name()),
        "renew_after": load.usage.renew_after,
        "errors": load.errors(),
        "wall": reading.wall.0,
        "throughput": load.throughput(),
        "cpu_per_op": load.cpu_per_op(),
        "busy": reading.busy.0,
        "bound": load.bound().name(),
        "bytes_out": reading.bytes_out.0,
        "bytes_in": reading.bytes_in.0,
        "overflows": reading.overflows,
        "retransmits": reading.retransmits,
        "programs": reading.programs.iter().map(|duration| duration.0).collect::<Vec<f64>>(),
        "interrupted": load.interrupted,
        "seed": load.seed,
        "awake": load.waiting.map(|waiting| waiting.awake),
        "rate_kept": (reading.lag.count() > 0).then_some(kept),
        "late": late.map(|late| {
            let metrics: Vec<&str> = late.withheld.iter().map(|metric| metric.name()).collect();
            json!({"metrics": metrics, "reason": late.why})
        }),
        "lag_p50": load.lag(0.5).map(|lag| lag.0),
        "lag_p999": load.lag(0.999).map(|lag| lag.0),
        "agents": load.agents.iter().map(Agent::document).collect::<Vec<Value>>(),
        "started_within": load.apart.filter(|_| !load.agents.is_empty()).map(|apart| apart.0),
    });
    for (key, _, q) in QUANTILES {
        let latency = load.latency(q).filter(|_| kept);
        document[key] = json!(latency.map(|latency| latency.0));
    }
    format!("{document:#}\n")
}

impl Load<'_> {
    /// The figure of a metric.
    ///
    /// # Errors
    /// Why there is none that is the server's own.
    pub fn figure(&self, metric: Metric) -> Result<f64, String> {
        let title = metric.title();
        let Some(quantile) = metric.quantile() else {
            return match metric {
                Metric::Throughput if self.reading.answers > 0 => Ok(self.throughput()),
                Metric::Throughput => Err("nothing was answered".to_owned()),
                _ => Err(format!("a load from outside has no {title}")),
            };
        };
        let needed = metric.answers_needed().unwrap_or(1);
        match self.lateness() {
            Some(late) if !late.kept || late.withheld.contains(&metric) => {
                Err(format!("{title}: {}", late.why))
            }
            _ if self.reading.latency.count() < needed => Err(format!(
                "{title} needs {needed} answers, and there were {}",
                self.reading.latency.count()
            )),
            _ => self
                .latency(quantile)
                .map(|latency| latency.0)
                .ok_or_else(|| format!("there is no {title}")),
        }
    }

    fn latency(&self, q: f64) -> Option<Seconds> {
        self.reading.latency.quantile(q).map(Seconds::from_nanos)
    }

    fn lag(&self, q: f64) -> Option<Seconds> {
        self.reading.lag.quantile(q).map(Seconds::from_nanos)
    }

    /// Right answers a second.
    fn throughput(&self) -> f64 {
        if self.reading.wall.0 > 0.0 {
            self.reading.answers as f64 / self.reading.wall.0
        } else {
            0.0
        }
    }

    /// CPU time of the generator for each right answer, in seconds.
    fn cpu_per_op(&self) -> Option<f64> {
        let right = self.reading.requests.valid;
        (right > 0).then(|| self.reading.cpu.0 / right as f64)
    }

    /// What limited the throughput. Of the server nothing is known.
    fn bound(&self) -> Bound {
        if self.reading.busy.0 >= late::BUSY.0 {
            Bound::Load
        } else {
            Bound::Neither
        }
    }

    /// Which latencies the generator's own lateness spoils; a closed loop has no lag.
    fn lateness(&self) -> Option<Lateness> {
        late::judge(&self.reading.lag, &self.reading.latency, self.reading.busy)
    }

    /// What each agent did, and how far apart they began.
    fn agents(&self) -> Vec<String> {
        let each = self
            .agents
            .iter()
            .map(|agent| format!("agent       {}", agent.line()));
        let apart = self.apart.filter(|_| self.agents.len() > 1);
        let apart = apart.map(|apart| format!("start       all agents began within {apart}"));
        each.chain(apart).collect()
    }

    /// The fault by its kind, with the number of requests that it cost.
    fn errors(&self) -> Value {
        let mut errors = serde_json::Map::new();
        if let Some(fault) = self.fault {
            let count = (self.reading.requests.invalid + self.reading.requests.lost).max(1);
            errors.insert(
                fault.kind.name().to_owned(),
                json!({"count": count, "first": fault.detail}),
            );
        }
        errors.into()
    }

    /// How far the right answers were checked.
    fn checked(&self) -> String {
        if self.any_body {
            "status and ends checked, bodies not (--any-body)".to_owned()
        } else {
            format!("{:.0}% checked whole", self.reading.checked.0 * 100.0)
        }
    }

    /// The latencies, or why there are none.
    fn latencies(&self) -> Vec<String> {
        let late = self.lateness();
        if let Some(late) = late.as_ref().filter(|late| !late.kept) {
            return vec![format!("latency     not reported: {}", late.why)];
        }
        let quantiles: Vec<String> = QUANTILES
            .iter()
            .filter_map(|(_, name, q)| Some(format!("{name} {}", self.latency(*q)?)))
            .collect();
        let mut lines = Vec::new();
        if !quantiles.is_empty() {
            lines.push(format!("latency     {}", quantiles.join(", ")));
        }
        if self.spectrum {
            lines.extend(SPECTRUM.iter().filter_map(|&q| self.spectrum_line(q)));
        }
        lines.extend(late.map(|late| {
            let names: Vec<&str> = late.withheld.iter().map(|metric| short(*metric)).collect();
            format!("late        {}: {}", names.join(", "), late.why)
        }));
        lines
    }

    /// A share of the answers, the latency that it did not exceed, and how many took longer. None where no answer did,
    /// but for the longest.
    fn spectrum_line(&self, q: f64) -> Option<String> {
        let beyond = (self.reading.latency.count() as f64 * (1.0 - q)).round();
        let latency = self.latency(q).filter(|_| beyond >= 1.0 || q >= 1.0)?;
        let percent = format!("{}%", (q * 1e8).round() / 1e6);
        Some(format!(
            "  {percent:>9}  {:<10} {beyond:.0} took longer",
            latency.to_string()
        ))
    }

    /// The streams that the server allowed, where more were asked for.
    fn streams(&self) -> Option<String> {
        let allowed = self.reading.streams?;
        Some(format!(
            "streams     the server allowed {allowed} on a connection, fewer than were asked for: no more than {allowed} requests \
             were in flight on each"
        ))
    }

    /// Requests that were due and not sent, where the load is for a time at a rate.
    fn unsent(&self) -> Option<String> {
        let rate = self.rate.filter(|_| self.reading.unsent > 0)?;
        let why = match self.lateness().filter(|late| !late.kept) {
            Some(_) => "the generator could not keep the rate".to_owned(),
            None => format!(
                "the server took {} of the {rate} asked",
                PerSecond(self.throughput())
            ),
        };
        let requests = match self.reading.unsent {
            1 => "1 request was".to_owned(),
            count => format!("{count} requests were"),
        };
        Some(format!(
            "unsent      {requests} due and never sent: {why}; the latencies do not include them"
        ))
    }

    fn send_lag(&self) -> Option<String> {
        self.rate?;
        let (median, tail) = self.lag(0.5).zip(self.lag(0.999))?;
        Some(format!(
            "send lag    p50 {median}, p99.9 {tail} (included in the latency)"
        ))
    }

    fn programs(&self) -> Option<String> {
        let durations = &self.reading.programs;
        let seconds = || durations.iter().map(|duration| duration.0);
        (!durations.is_empty()).then(|| {
            format!(
                "programs    {}, mean duration {} ({} to {})",
                durations.len(),
                Seconds(seconds().sum::<f64>() / durations.len() as f64),
                Seconds(seconds().fold(f64::INFINITY, f64::min)),
                Seconds(seconds().fold(0.0, f64::max))
            )
        })
    }

    /// Whether the generator was the bound, and what it used for itself.
    fn generator(&self) -> [String; 2] {
        let per_op = self.cpu_per_op();
        let per_op = per_op.map_or("none".to_owned(), |cpu| Metric::CpuPerOp.show(cpu));
        let busy = self.reading.busy.0 * 100.0;
        let bound = match self.bound() {
            Bound::Load => {
                format!(
                    "bound       the load generator ({busy:.0}% busy): the server may be faster than this"
                )
            }
            _ => format!("bound       not the load generator ({busy:.0}% busy)"),
        };
        [bound, format!("generator   {per_op} of CPU per answer")]
    }
}

/// A latency's name in the text.
fn short(metric: Metric) -> &'static str {
    let mut known = QUANTILES.iter();
    let known = known.find(|(key, ..)| *key == metric.name());
    known.map_or(metric.name(), |(_, name, _)| name)
}

#[cfg(test)]
mod tests {
    use tare_model::measure::RequestCounts;
    use tare_model::units::Share;

    use super::*;

    /// An open loop of 1000 requests, each sent `lag` µs late and answered `latency` µs after it was due.
    pub(super) fn reading(lag: u64, latency: u64, busy: f64) -> LoadReading {
        let mut reading = LoadReading {
            wall: Seconds(1.0),
            answers: 1000,
            busy: Share(busy),
            checked: Share(1.0),
            requests: RequestCounts {
                sent: 1000,
                valid: 1000,
                ..RequestCounts::default()
            },
            ..LoadReading::default()
        };
        for _ in 0..1000 {
            reading.lag.record(lag * 1000);
            reading.latency.record(latency * 1000);
        }
        reading
    }

    pub(super) fn load(reading: &LoadReading) -> Load<'_> {
        Load {
            reading,
            fault: None,
            interrupted: false,
            rate: Some(PerSecond(1000.0)),
            depth: 1,
            usage: ConnectionUse::default(),
            seed: 42,
            waiting: Some(Waiting {
                awake: true,
                why: "awake on core 0",
            }),
            any_body: false,
            insecure: false,
            spectrum: true,
            agents: Vec::new(),
            apart: None,
        }
    }

    pub(super) fn parsed(load: &Load<'_>) -> Value {
        serde_json::from_str(&document(load)).expect("it is JSON")
    }

    fn both(reading: &LoadReading) -> (String, Value) {
        (text(&load(reading)), parsed(&load(reading)))
    }

    #[test]
    fn a_rate_that_was_kept_has_its_latencies() {
        let (text, document) = both(&reading(5, 100, 0.4));
        assert!(
            text.contains("latency     p50 1") && !text.contains("late   "),
            "{text}"
        );
        assert_eq!(
            (&document["rate_kept"], &document["late"]),
            (&true.into(), &Value::Null)
        );
        assert!(
            text.contains("waiting     awake on core 0") && document["awake"] == true,
            "{text}"
        );
        assert!(document["latency_p50"].as_f64().is_some_and(|p50| p50 > 9e-5));
    }

    #[test]
    fn a_rate_that_was_not_kept_has_no_latency() {
        for late in [reading(6000, 10_000, 0.4), reading(5, 100, 0.97)] {
            let (text, document) = both(&late);
            assert!(
                text.contains("latency     not reported: the generator could not keep the rate"),
                "{text}"
            );
            assert!(!text.contains("p50 1") && !text.contains("took longer"), "{text}");
            assert_eq!(document["rate_kept"], false);
            assert_eq!(document["late"]["metrics"].as_array().map(Vec::len), Some(4));
            for name in ["latency_p50", "latency_p99", "latency_max"] {
                assert_eq!(document[name], Value::Null, "{name}");
            }
            assert!(
                document["lag_p50"].as_f64().is_some_and(|lag| lag > 0.0),
                "the lag is known"
            );
        }
    }

    #[test]
    fn a_latency_that_is_mostly_lateness_is_marked() {
        let (text, document) = both(&reading(60, 100, 0.4));
        assert!(
            text.contains("late        p50, p90, p99, p99.9: more than half"),
            "{text}"
        );
        assert!(document["latency_p50"].is_number());
        assert_eq!(document["rate_kept"], true);
    }

    #[test]
    fn requests_that_were_never_sent_have_a_reason() {
        let mut slow = reading(5, 100_000, 0.4);
        slow.unsent = 250;
        let (text, document) = both(&slow);
        assert!(
            text.contains("unsent      250 requests were due and never sent: the server took 1.00k /s of the 1.00k /s asked"),
            "{text}"
        );
        assert_eq!(
            (&document["unsent"], &document["rate_kept"]),
            (&250.into(), &true.into())
        );
        slow.unsent = 1;
        let (text, _) = both(&slow);
        assert!(
            text.contains("unsent      1 request was due and never sent: "),
            "{text}"
        );
        // A late generator says nothing about the server.
        let mut late = reading(6000, 10_000, 0.4);
        late.unsent = 250;
        let (text, _) = both(&late);
        assert!(
            text.contains("never sent: the generator could not keep the rate"),
            "{text}"
        );
        let (text, document) = both(&reading(5, 100, 0.4));
        assert!(!text.contains("unsent") && document["unsent"] == 0, "{text}");
    }

    #[test]
    fn unchecked_bodies_are_reported() {
        let reading = reading(0, 100, 0.4);
        let load = Load {
            any_body: true,
            rate: None,
            ..load(&reading)
        };
        let text = text(&load);
        assert!(
            text.contains("bodies not (--any-body)") && !text.contains("checked whole"),
            "{text}"
        );
        assert_eq!(parsed(&load)["any_body"], true);
    }

    #[test]
    fn a_closed_loop_has_no_rate_to_keep() {
        let mut closed = reading(0, 100, 1.0);
        closed.lag = Default::default();
        let load = Load {
            rate: None,
            ..load(&closed)
        };
        let document = parsed(&load);
        assert_eq!(
            (&document["rate_kept"], &document["seed"]),
            (&Value::Null, &42.into())
        );
        assert!(document["latency_p50"].is_number());
        assert!(!text(&load).contains("send lag"));
    }
}
