//! What a load came to, for people and for programs.

use tare_model::late::{self, Lateness};
use tare_model::measure::LoadReading;
use tare_model::metric::Metric;
use tare_model::units::{Bytes, PerSecond, Seconds};

use super::{Order, Outcome};
use crate::args::LoadArgs;

const QUANTILES: [(&str, f64); 5] = [
    ("latency_p50", 0.5),
    ("latency_p90", 0.9),
    ("latency_p99", 0.99),
    ("latency_p999", 0.999),
    ("latency_max", 1.0),
];

/// What `--latency` lists.
const SPECTRUM: [f64; 10] = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999, 0.999999, 1.0];

/// A share of the answers, the latency that it did not exceed, and how many took longer; none where it would say no
/// more than the greatest one does.
fn spectrum_line(reading: &LoadReading, q: f64) -> Option<String> {
    let beyond = (reading.latency.count() as f64 * (1.0 - q)).round();
    let latency = quantile(reading, q).filter(|_| beyond >= 1.0 || q >= 1.0)?;
    let percent = format!("{}%", (q * 1e8).round() / 1e6);
    Some(format!(
        "  {percent:>9}  {:<10} {beyond:.0} took longer",
        latency.to_string()
    ))
}

fn quantile(reading: &LoadReading, q: f64) -> Option<Seconds> {
    reading.latency.quantile(q).map(Seconds::from_nanos)
}

fn throughput(reading: &LoadReading) -> f64 {
    if reading.wall.0 > 0.0 {
        reading.answers as f64 / reading.wall.0
    } else {
        0.0
    }
}

fn cpu_per_op(reading: &LoadReading) -> Option<f64> {
    let right = reading.requests.valid;
    (right > 0).then(|| reading.cpu.0 / right as f64)
}

fn bound(reading: &LoadReading) -> &'static str {
    if reading.busy.0 >= late::BUSY.0 {
        "load"
    } else {
        "neither"
    }
}

/// What an open loop's own lateness leaves unsaid of its latencies; a closed loop has no lag.
fn lateness(reading: &LoadReading) -> Option<Lateness> {
    late::judge(&reading.lag, &reading.latency, reading.busy)
}

/// The latencies, or why there are none to tell.
fn latencies(reading: &LoadReading, args: &LoadArgs) -> Vec<String> {
    let late = lateness(reading);
    if let Some(late) = late.as_ref().filter(|late| !late.kept) {
        return vec![format!("latency     none told: {}", late.why)];
    }
    let quantiles: Vec<String> = QUANTILES
        .iter()
        .filter_map(|(name, q)| Some(format!("{} {}", short_name(name), quantile(reading, *q)?)))
        .collect();
    let mut lines = Vec::new();
    if !quantiles.is_empty() {
        lines.push(format!("latency     {}", quantiles.join(", ")));
    }
    if args.more.latency {
        lines.extend(SPECTRUM.iter().filter_map(|&q| spectrum_line(reading, q)));
    }
    lines.extend(late.map(|late| {
        let names: Vec<&str> = late
            .withheld
            .iter()
            .map(|metric| metric.name())
            .map(short_name)
            .collect();
        format!("late        {}: {}", names.join(", "), late.why)
    }));
    lines
}

/// What was offered and not taken, where the load is for a time at a rate.
fn unsent(reading: &LoadReading, args: &LoadArgs) -> Option<String> {
    let rate = args.rate.filter(|_| reading.unsent > 0)?;
    let why = match lateness(reading).filter(|late| !late.kept) {
        Some(_) => "the generator could not keep the rate".to_owned(),
        None => format!(
            "the server took {} of the {} asked",
            PerSecond(throughput(reading)),
            PerSecond(rate.0)
        ),
    };
    let many = match reading.unsent {
        1 => "1 request was".to_owned(),
        many => format!("{many} requests were"),
    };
    Some(format!(
        "unsent      {many} due and never sent: {why}; no latency counts what was not"
    ))
}

/// What was looked at of the right answers.
fn checked(reading: &LoadReading, args: &LoadArgs) -> String {
    match args.more.any_body {
        true => "status and ends checked, bodies not (--any-body)".to_owned(),
        false => format!("{:.0}% checked whole", reading.checked.0 * 100.0),
    }
}

/// For a person, with a line end after it.
pub fn text(outcome: &Outcome, order: &Order<'_>) -> String {
    let args = order.args;
    let reading = &outcome.reading;
    let requests = reading.requests;
    let mut lines = vec![
        format!(
            "answers     {} right of {} sent, {} wrong, {} lost; {}",
            requests.valid,
            requests.sent,
            requests.invalid,
            requests.lost,
            checked(reading, args)
        ),
        format!(
            "throughput  {} over {}",
            PerSecond(throughput(reading)),
            reading.wall
        ),
    ];
    lines.extend(unsent(reading, args));
    lines.extend(latencies(reading, args));
    if args.rate.is_some()
        && let Some((median, tail)) = reading.lag.quantile(0.5).zip(reading.lag.quantile(0.999))
    {
        let (median, tail) = (Seconds::from_nanos(median), Seconds::from_nanos(tail));
        lines.push(format!(
            "send lag    p50 {median}, p99.9 {tail} (counted in the latency)"
        ));
    }
    let waiting = order.waiting.as_ref();
    lines.extend(waiting.map(|waiting| format!("waiting     {}", waiting.why)));
    if !reading.programs.is_empty() {
        lines.push(format!("programs    {}", programs(&reading.programs)));
    }
    lines.push(format!(
        "bytes       {} out, {} in",
        Bytes(reading.bytes_out.0),
        Bytes(reading.bytes_in.0)
    ));
    lines.extend(generator(reading));
    if reading.overflows > 0 {
        lines.push(format!(
            "warning     the server's listen queue overflowed {} times",
            reading.overflows
        ));
    }
    if let Some(fault) = &outcome.fault {
        let detail = tare_report::escape::visible(&fault.detail);
        lines.push(format!(
            "\nstopped at the first fault ({}): {detail}",
            fault.kind.name()
        ));
    }
    if outcome.interrupted {
        lines.push("\ninterrupted: these are the figures until then".to_owned());
    }
    lines.join("\n") + "\n"
}

/// Whether the generator was the bound, and what it took for itself.
fn generator(reading: &LoadReading) -> [String; 2] {
    let per_op = cpu_per_op(reading)
        .map(|cpu| Metric::CpuPerOp.show(cpu))
        .unwrap_or_else(|| "none".to_owned());
    let busy = reading.busy.0 * 100.0;
    let bound = match bound(reading) {
        "load" => {
            format!("bound       the load generator ({busy:.0}% busy): the server may be faster than this")
        }
        _ => format!("bound       not the load generator ({busy:.0}% busy)"),
    };
    [bound, format!("generator   {per_op} of CPU per answer")]
}

fn short_name(name: &str) -> &str {
    match name {
        "latency_p50" => "p50",
        "latency_p90" => "p90",
        "latency_p99" => "p99",
        "latency_p999" => "p99.9",
        _ => "max",
    }
}

fn programs(durations: &[Seconds]) -> String {
    let mean = durations.iter().map(|d| d.0).sum::<f64>() / durations.len() as f64;
    let least = durations.iter().map(|d| d.0).fold(f64::INFINITY, f64::min);
    let most = durations.iter().map(|d| d.0).fold(0.0, f64::max);
    format!(
        "{}, mean duration {} ({} to {})",
        durations.len(),
        Seconds(mean),
        Seconds(least),
        Seconds(most)
    )
}

/// For programs.
pub fn document(outcome: &Outcome, order: &Order<'_>) -> String {
    let reading = &outcome.reading;
    let mut errors = serde_json::Map::new();
    if let Some(fault) = &outcome.fault {
        let count = (reading.requests.invalid + reading.requests.lost).max(1);
        errors.insert(
            fault.kind.name().to_owned(),
            serde_json::json!({"count": count, "first": fault.detail}),
        );
    }
    let mut document = serde_json::json!({
        "schema": 1,
        "answers": reading.requests.valid,
        "sent": reading.requests.sent,
        "invalid": reading.requests.invalid,
        "lost": reading.requests.lost,
        "unsent": reading.unsent,
        "checked": reading.checked.0,
        "any_body": order.args.more.any_body,
        "errors": errors,
        "wall": reading.wall.0,
        "throughput": throughput(reading),
        "cpu_per_op": cpu_per_op(reading),
        "busy": reading.busy.0,
        "bound": bound(reading),
        "bytes_out": reading.bytes_out.0,
        "bytes_in": reading.bytes_in.0,
        "overflows": reading.overflows,
        "retransmits": reading.retransmits,
        "programs": reading.programs.iter().map(|duration| duration.0).collect::<Vec<f64>>(),
        "interrupted": outcome.interrupted,
    });
    document["seed"] = serde_json::json!(order.seed);
    document["awake"] = serde_json::json!(order.waiting.as_ref().map(|waiting| waiting.awake));
    let late = lateness(reading);
    let told = late.as_ref().is_none_or(|late| late.kept);
    for (name, q) in QUANTILES {
        let latency = quantile(reading, q).filter(|_| told);
        document[name] = serde_json::json!(latency.map(|latency| latency.0));
    }
    document["rate_kept"] = serde_json::json!((reading.lag.count() > 0).then_some(told));
    document["late"] = serde_json::json!(late.map(|late| {
        let metrics: Vec<&str> = late.withheld.iter().map(|metric| metric.name()).collect();
        serde_json::json!({"metrics": metrics, "reason": late.why})
    }));
    document["lag_p50"] = serde_json::json!(reading.lag.quantile(0.5).map(|lag| Seconds::from_nanos(lag).0));
    document["lag_p999"] =
        serde_json::json!(reading.lag.quantile(0.999).map(|lag| Seconds::from_nanos(lag).0));
    format!("{document:#}\n")
}

#[cfg(test)]
pub(super) mod tests {
    use tare_model::measure::RequestCounts;
    use tare_model::units::Share;

    use super::super::awake::Waiting;
    use super::*;

    pub fn args(words: &[&str]) -> LoadArgs {
        LoadArgs::typed([&["tcp://127.0.0.1:9"], words].concat())
    }

    fn order<'a>(args: &'a LoadArgs, waiting: Option<Waiting>) -> Order<'a> {
        Order {
            args,
            url: &args.urls[0],
            schedule: super::super::schedule(args).expect("good options"),
            seed: 42,
            waiting,
        }
    }

    /// An open loop of 1000 requests, all so late (µs) and answered so much (µs) after they were due.
    fn outcome(lag: u64, latency: u64, busy: f64) -> Outcome {
        let mut reading = LoadReading {
            wall: Seconds(1.0),
            answers: 1000,
            busy: Share(busy),
            checked: Share(1.0),
            ..LoadReading::default()
        };
        reading.requests = RequestCounts {
            sent: 1000,
            valid: 1000,
            ..RequestCounts::default()
        };
        for _ in 0..1000 {
            reading.lag.record(lag * 1000);
            reading.latency.record(latency * 1000);
        }
        Outcome {
            reading,
            fault: None,
            interrupted: false,
        }
    }

    fn told(outcome: &Outcome) -> (String, serde_json::Value) {
        let waiting = Waiting {
            awake: true,
            why: "awake on core 0".to_owned(),
        };
        let args = args(&["--rate", "1000", "--latency"]);
        let order = order(&args, Some(waiting));
        let document = document(outcome, &order);
        (
            text(outcome, &order),
            serde_json::from_str(&document).expect("it is JSON"),
        )
    }

    #[test]
    fn a_rate_that_was_kept_has_its_latencies() {
        let (text, document) = told(&outcome(5, 100, 0.4));
        assert!(
            text.contains("latency     p50 1") && !text.contains("late   "),
            "{text}"
        );
        assert_eq!(
            (&document["rate_kept"], &document["late"]),
            (&true.into(), &serde_json::Value::Null)
        );
        assert!(
            text.contains("waiting     awake on core 0") && document["awake"] == true,
            "{text}"
        );
        assert!(document["latency_p50"].as_f64().is_some_and(|p50| p50 > 9e-5));
    }

    #[test]
    fn a_rate_that_was_not_kept_has_no_latency() {
        for late in [outcome(6000, 10_000, 0.4), outcome(5, 100, 0.97)] {
            let (text, document) = told(&late);
            assert!(
                text.contains("latency     none told: the generator could not keep the rate"),
                "{text}"
            );
            assert!(!text.contains("p50 1") && !text.contains("took longer"), "{text}");
            assert_eq!(document["rate_kept"], false);
            assert_eq!(document["late"]["metrics"].as_array().map(Vec::len), Some(4));
            for name in ["latency_p50", "latency_p99", "latency_max"] {
                assert_eq!(document[name], serde_json::Value::Null, "{name}");
            }
            assert!(
                document["lag_p50"].as_f64().is_some_and(|lag| lag > 0.0),
                "what is known is told"
            );
        }
    }

    #[test]
    fn a_latency_that_is_mostly_lateness_is_marked() {
        let (text, document) = told(&outcome(60, 100, 0.4));
        assert!(
            text.contains("late        p50, p90, p99, p99.9: more than half"),
            "{text}"
        );
        assert!(document["latency_p50"].is_number());
        assert_eq!(document["rate_kept"], true);
    }

    #[test]
    fn what_was_never_sent_is_told_with_whose_doing_it_was() {
        let mut slow = outcome(5, 100_000, 0.4);
        slow.reading.unsent = 250;
        let (text, document) = told(&slow);
        assert!(
            text.contains("unsent      250 requests were due and never sent: the server took 1.00k /s of the 1.00k /s asked"),
            "{text}"
        );
        assert_eq!(
            (&document["unsent"], &document["rate_kept"]),
            (&250.into(), &true.into())
        );
        slow.reading.unsent = 1;
        assert!(
            told(&slow)
                .0
                .contains("unsent      1 request was due and never sent: ")
        );
        // Nothing is said of the server by what the generator was late with.
        let mut late = outcome(6000, 10_000, 0.4);
        late.reading.unsent = 250;
        let (text, _) = told(&late);
        assert!(
            text.contains("never sent: the generator could not keep the rate"),
            "{text}"
        );
        let (text, document) = told(&outcome(5, 100, 0.4));
        assert!(!text.contains("unsent") && document["unsent"] == 0, "{text}");
    }

    #[test]
    fn that_bodies_were_not_looked_at_is_told() {
        let args = LoadArgs::typed(["http://a", "--any-body"]);
        let order = order(&args, None);
        let outcome = outcome(0, 100, 0.4);
        let text = text(&outcome, &order);
        assert!(
            text.contains("bodies not (--any-body)") && !text.contains("checked whole"),
            "{text}"
        );
        let document: serde_json::Value =
            serde_json::from_str(&document(&outcome, &order)).expect("it is JSON");
        assert_eq!(document["any_body"], true);
    }

    #[test]
    fn a_closed_loop_has_no_rate_to_keep() {
        let mut closed = outcome(0, 100, 1.0);
        closed.reading.lag = Default::default();
        let args = args(&[]);
        let document = document(&closed, &order(&args, None));
        let document: serde_json::Value = serde_json::from_str(&document).expect("it is JSON");
        assert_eq!(
            (&document["rate_kept"], &document["seed"]),
            (&serde_json::Value::Null, &42.into())
        );
        assert!(document["latency_p50"].is_number());
    }
}
