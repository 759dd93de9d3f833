//! The sentences: what is said of verdicts, bounds, placements and states. One place, used by every exporter.

use tare_model::fault::FaultKind;
use tare_model::late::Lateness;
use tare_model::metric::{Metric, Mode};
use tare_model::results::{
    Bound, Comparison, ContenderResult, Estimate, Placement, ServiceCost, State, Verdict, WorkloadResult,
};
use tare_model::units::three_digits;

use crate::escape::one_line;

mod driving;
mod settings;

pub use driving::driving;
pub use settings::{conditions, conditions_text, settings};

/// What a verdict comes to, for marks and colours (which never stand without its words).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Surely better.
    Better,
    /// Surely worse.
    Worse,
    /// Surely within the margin.
    Even,
    /// Not decided.
    Open,
}

impl Tone {
    /// The name of its class in style sheets.
    pub fn class(self) -> &'static str {
        match self {
            Tone::Better => "better",
            Tone::Worse => "worse",
            Tone::Even => "even",
            Tone::Open => "open",
        }
    }
}

/// What a comparison comes to. Without an interval nothing is decided, whatever the verdict says.
pub fn tone(comparison: &Comparison) -> Tone {
    if limits(comparison).is_none() {
        return Tone::Open;
    }
    match comparison.verdict {
        Verdict::Faster => Tone::Better,
        Verdict::Slower => Tone::Worse,
        Verdict::Equivalent => Tone::Even,
        Verdict::Inconclusive => Tone::Open,
    }
}

/// Both ends of a comparison's interval, where it has both.
pub fn limits(comparison: &Comparison) -> Option<(f64, f64)> {
    comparison.low.zip(comparison.high)
}

/// `faster` or `slower`, in the words that suit the metric.
fn direction(metric: Metric, better: bool) -> &'static str {
    match (metric, better) {
        (Metric::MemoryPeak, true) => "smaller",
        (Metric::MemoryPeak, false) => "larger",
        (_, true) => "faster",
        (_, false) => "slower",
    }
}

/// Whether a ratio of `a` over `b` on this metric says that `a` is better.
fn better(metric: Metric, ratio: f64) -> bool {
    (ratio > 1.0) == metric.more_is_better()
}

/// The verdict in words: `slower`, `equivalent, 0.6% faster`, `faster, perhaps by less than 1%`,
/// `inconclusive: about 4 more launches`; provisional ones say so.
///
/// To be shown with [`ratio_and_interval`] beside it and [`grounds`] near it, never alone.
pub fn verdict(comparison: &Comparison) -> String {
    let mut text = settled(comparison);
    if comparison.provisional {
        text.push_str(" (provisional)");
    }
    text
}

fn settled(comparison: &Comparison) -> String {
    let metric = comparison.metric;
    let Some((low, high)) = limits(comparison) else {
        return with_needed("inconclusive: no interval yet", ", ", comparison);
    };
    let leaning = (low > 1.0 || high < 1.0).then(|| direction(metric, better(metric, comparison.ratio)));
    match (comparison.verdict, leaning) {
        (Verdict::Faster, _) => direction(metric, true).to_owned(),
        (Verdict::Slower, _) => direction(metric, false).to_owned(),
        (Verdict::Equivalent, None) => "equivalent".to_owned(),
        (Verdict::Equivalent, Some(way)) => {
            let by = comparison.ratio.ln().abs().exp_m1();
            format!("equivalent, {} {way}", slight(by))
        }
        (Verdict::Inconclusive, None) => with_needed("inconclusive", ": ", comparison),
        (Verdict::Inconclusive, Some(way)) => {
            let lean = format!("{way}, perhaps by less than {}", percent(comparison.margin));
            with_needed(&lean, ": ", comparison)
        }
    }
}

fn with_needed(text: &str, joint: &str, comparison: &Comparison) -> String {
    match needed(comparison) {
        Some(needed) => format!("{text}{joint}{needed}"),
        None => text.to_owned(),
    }
}

/// What it would take to decide: `about 4 more launches`; none where decided, or beyond telling.
pub fn needed(comparison: &Comparison) -> Option<String> {
    let count = comparison.needed.filter(|&count| count > 0)?;
    let unit = if comparison.provisional { "round" } else { "launch" };
    Some(format!(
        "about {} more {}",
        grouped(u64::from(count)),
        plural(u64::from(count), unit)
    ))
}

/// `launch` or `launches`.
pub fn plural(count: u64, unit: &str) -> String {
    let end = match count {
        1 => "",
        _ if unit.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{unit}{end}")
}

/// `1 launch`, `8 launches`.
pub fn counted(count: u64, unit: &str) -> String {
    format!("{} {}", grouped(count), plural(count, unit))
}

/// A count with its thousands apart: `1,234,567`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// What a verdict rests on: `α 0.625%, margin 1%, 80 rounds in 8 launches`.
pub fn grounds(comparison: &Comparison) -> String {
    format!(
        "α {}, margin {}, {} in {}",
        percent(comparison.alpha),
        percent(comparison.margin),
        counted(u64::from(comparison.rounds), "round"),
        counted(u64::from(comparison.launches), "launch"),
    )
}

/// A figure in the metric's unit as a person writes it. What no machine can have measured gets an exponent, so that
/// it does not burst a table.
pub fn show(metric: Metric, value: f64) -> String {
    if value.is_finite() && value.abs() >= 1e12 && metric != Metric::MemoryPeak {
        return format!("{value:.2e} {}", metric.unit());
    }
    metric.show(value)
}

/// A ratio with three decimals where that tells more than nothing: `0.0123`, `2.310`, `12.30`, `123`.
pub fn ratio(value: f64) -> String {
    if value != 0.0 && value.is_finite() && !(0.00095..1e6).contains(&value.abs()) {
        return format!("{value:.2e}");
    }
    let decimals = match value.abs() {
        v if v < 0.09995 => 4,
        v if v < 9.9995 => 3,
        v if v < 99.995 => 2,
        _ => 0,
    };
    format!("{value:.decimals$}")
}

/// A ratio and its interval: `0.677 (0.671–0.683)`, or `0.677 (no interval)`.
pub fn ratio_and_interval(value: f64, limits: Option<(f64, f64)>) -> String {
    match limits {
        Some((low, high)) => format!("{} ({}–{})", ratio(value), ratio(low), ratio(high)),
        None => format!("{} (no interval)", ratio(value)),
    }
}

/// A figure and its interval, the unit once where all three share it: `8.93 µs (8.86–9.01)`.
pub fn estimate(metric: Metric, estimate: &Estimate) -> String {
    let middle = show(metric, estimate.estimate);
    let Some((low, high)) = estimate.low.zip(estimate.high) else {
        return format!("{middle} (no interval)");
    };
    let (low, high) = (show(metric, low), show(metric, high));
    match (
        middle.rsplit_once(' '),
        low.rsplit_once(' '),
        high.rsplit_once(' '),
    ) {
        (Some((_, unit)), Some((low, of_low)), Some((high, of_high)))
            if unit == of_low && unit == of_high =>
        {
            format!("{middle} ({low}–{high})")
        }
        _ => format!("{middle} ({low}–{high})"),
    }
}

/// A share as a percentage without needless zeros: `5%`, `0.625%`, `0.6%`.
pub fn percent(share: f64) -> String {
    let value = share * 100.0;
    let decimals = match value.abs() {
        v if v >= 10.0 => 0,
        v if v >= 1.0 => 1,
        v if v >= 0.1 => 3,
        0.0 => 0,
        _ => 4,
    };
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    format!("{text}%")
}

/// A small difference: `0.7%`, `0.04%`.
fn slight(share: f64) -> String {
    let value = share * 100.0;
    let decimals = if value < 0.095 { 2 } else { 1 };
    format!("{value:.decimals$}%")
}

/// A share that was measured, with two digits at most: `34%`, `1.2%`, `0.03%`.
pub fn measured_percent(share: f64) -> String {
    let value = share * 100.0;
    match value.abs() {
        0.0 => "0%".to_owned(),
        v if v < 0.005 => "<0.01%".to_owned(),
        v if v < 0.995 => format!("{value:.2}%"),
        v if v < 9.95 => format!("{value:.1}%"),
        _ => format!("{value:.0}%"),
    }
}

/// What a provisional verdict is.
pub const PROVISIONAL: &str = "Provisional: one launch only. Each process was one throw of the dice (address layout, \
hash seeds), which more rounds of it cannot see; further launches decide.";

/// What stands in the place of a verdict by a latency that is the generator's own.
pub const LATE: &str = "no verdict: the generator was late";

/// Which latencies say nothing, of whom, and why: a sentence for each set of them, with one contender's figures.
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
            "No verdict by {} of {} ({example}{}).",
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

/// A state, as people read it.
pub fn state(state: State) -> &'static str {
    match state {
        State::Measured => "measured",
        State::NotSteady => "not steady",
        State::Wrong => "wrong answers",
        State::Failed => "failed",
        State::Skipped => "skipped",
    }
}

/// What became of a contender: its state, told more closely where the answers that it owes are missing, late or too
/// many, which "wrong answers" would hide.
pub fn fate(contender: &ContenderResult) -> &'static str {
    match contender.fault.as_ref().map(|fault| fault.kind) {
        Some(FaultKind::Hung) => "stopped answering",
        Some(FaultKind::ClosedEarly) => "closed early",
        Some(FaultKind::Implausible) => "told times that cannot be",
        Some(FaultKind::Unasked) => "sent what nobody asked for",
        Some(FaultKind::Died) => "died",
        Some(FaultKind::NoService) => "its service is missing",
        Some(FaultKind::ServiceDied) => "its service died",
        _ => state(contender.state),
    }
}

/// Which cores each side had: `contender on core 1, load on core 0`; where they share any, what that means. In process
/// there is no load: `contender on core 1, tare on core 0`, and nothing to share.
pub fn placement(result: &WorkloadResult) -> String {
    let placement = &result.placement;
    if result.mode == Mode::Command {
        return format!("commands on {}, one at a time", cores(&placement.contender));
    }
    if result.driving.in_process() && !placement.contender.is_empty() && !placement.load.is_empty() {
        let (contender, own) = (cores(&placement.contender), cores(&placement.load));
        return format!("contender on {contender}, tare on {own}");
    }
    sides(placement)
}

fn sides(placement: &Placement) -> String {
    let (contender, load) = (cores(&placement.contender), cores(&placement.load));
    if placement.contender.is_empty() && !placement.load.is_empty() {
        return format!("load on {load}, contenders wherever they were started");
    }
    if placement.contender.is_empty() || placement.load.is_empty() {
        return "placement was not recorded".to_owned();
    }
    let services = services_beside(placement);
    if !placement.shared() {
        return format!("contender on {contender}, load on {load}{services}");
    }
    let caveat = "not comparable with separate-core results";
    if contender == load {
        return format!("load and contender share {contender}{services}: {caveat}");
    }
    format!("contender on {contender} and load on {load} share cores{services}: {caveat}")
}

/// Where the services ran, as the end of a sentence on placement.
fn services_beside(placement: &Placement) -> String {
    if placement.services.is_empty() {
        return String::new();
    }
    let names: Vec<String> = placement.services.iter().map(|name| one_line(name)).collect();
    let verb = if names.len() == 1 { "runs" } else { "run" };
    format!(" ({} {verb} beside the load, never frozen)", list(&names))
}

/// What a service used for a contender: `25.3 µs of CPU for each answer, not in its own`.
pub fn service_cost(cost: &ServiceCost) -> String {
    format!(
        "{} of CPU for each right answer, which is not in its own",
        cost.cpu_per_op
    )
}

/// `core 1`, `cores 0–3, 6`.
pub fn cores(list: &[u32]) -> String {
    let mut sorted = list.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for &core in &sorted {
        match parts.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(core) => *last = core,
            _ => parts.push((core, core)),
        }
    }
    let text: Vec<String> = parts.into_iter().map(span).collect();
    format!("{} {}", plural(sorted.len() as u64, "core"), text.join(", "))
}

/// `3`, or `2–4`.
pub fn span((low, high): (u32, u32)) -> String {
    if low == high {
        low.to_string()
    } else {
        format!("{low}–{high}")
    }
}

/// Which way is better on a metric: `less is better`.
pub fn sense(metric: Metric) -> &'static str {
    if metric.more_is_better() {
        "more is better"
    } else {
        "less is better"
    }
}

/// What stands at the two ends of a ratio's axis.
pub fn ends(metric: Metric) -> (&'static str, &'static str) {
    let low = direction(metric, !metric.more_is_better());
    let high = direction(metric, metric.more_is_better());
    (low, high)
}

/// A title with a capital.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// Names in a row: `a`, `a and b`, `a, b and c`.
pub fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A number with three significant digits, for counts per operation.
pub fn number(value: f64) -> String {
    three_digits(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::ids::ContenderId;

    fn comparison(verdict: Verdict, ratio: f64, limits: Option<(f64, f64)>) -> Comparison {
        Comparison {
            a: ContenderId::plain("a"),
            b: ContenderId::plain("b"),
            metric: Metric::CpuPerOp,
            primary: true,
            ratio,
            low: limits.map(|l| l.0),
            high: limits.map(|l| l.1),
            alpha: 0.05 / 8.0,
            margin: 0.01,
            rounds: 80,
            launches: 8,
            provisional: false,
            verdict,
            needed: None,
            centres: Vec::new(),
            net_ratio: None,
        }
    }

    #[test]
    fn verdicts_in_words() {
        let mut open = comparison(Verdict::Inconclusive, 0.996, Some((0.97, 1.02)));
        open.needed = Some(4);
        let mut leaning = comparison(Verdict::Inconclusive, 0.985, Some((0.975, 0.995)));
        assert_eq!(verdict(&open), "inconclusive: about 4 more launches");
        assert_eq!(verdict(&leaning), "faster, perhaps by less than 1%");
        leaning.metric = Metric::Throughput;
        leaning.provisional = true;
        leaning.needed = Some(1);
        assert_eq!(
            verdict(&leaning),
            "slower, perhaps by less than 1%: about 1 more round (provisional)"
        );
        let heat = comparison(Verdict::Equivalent, 1.0 / 1.006, Some((0.991, 0.997)));
        assert_eq!(verdict(&heat), "equivalent, 0.6% faster");
        let heat = comparison(Verdict::Equivalent, 1.001, Some((0.995, 1.006)));
        assert_eq!(verdict(&heat), "equivalent");
        assert_eq!(
            verdict(&comparison(Verdict::Slower, 2.0, Some((1.9, 2.1)))),
            "slower"
        );
    }

    #[test]
    fn without_an_interval_nothing_is_decided() {
        for claimed in [
            Verdict::Faster,
            Verdict::Slower,
            Verdict::Equivalent,
            Verdict::Inconclusive,
        ] {
            let bare = comparison(claimed, 0.5, None);
            assert_eq!(verdict(&bare), "inconclusive: no interval yet");
            assert_eq!(tone(&bare), Tone::Open);
        }
    }

    #[test]
    fn memory_is_not_fast() {
        let mut memory = comparison(Verdict::Faster, 0.5, Some((0.4, 0.6)));
        memory.metric = Metric::MemoryPeak;
        assert_eq!(verdict(&memory), "smaller");
        assert_eq!(ends(Metric::MemoryPeak), ("smaller", "larger"));
        assert_eq!(ends(Metric::Throughput), ("slower", "faster"));
    }

    #[test]
    fn grounds_name_alpha_margin_rounds_and_launches() {
        let c = comparison(Verdict::Slower, 2.0, Some((1.9, 2.1)));
        assert_eq!(grounds(&c), "α 0.625%, margin 1%, 80 rounds in 8 launches");
    }

    #[test]
    fn placements_in_words() {
        let place = |contender: &[u32], load: &[u32]| {
            sides(&Placement {
                contender: contender.to_vec(),
                load: load.to_vec(),
                services: Vec::new(),
            })
        };
        assert_eq!(place(&[1], &[0]), "contender on core 1, load on core 0");
        assert_eq!(
            place(&[5, 2, 3], &[0, 1]),
            "contender on cores 2–3, 5, load on cores 0–1"
        );
        assert_eq!(
            place(&[0, 1], &[1, 0]),
            "load and contender share cores 0–1: not comparable with separate-core results"
        );
        assert!(place(&[0, 1], &[0]).contains("share cores: not comparable"));
        assert_eq!(place(&[], &[]), "placement was not recorded");
        assert_eq!(
            place(&[], &[0]),
            "load on core 0, contenders wherever they were started"
        );
        let mut served = Placement {
            contender: vec![1],
            load: vec![0],
            services: vec!["db".to_owned()],
        };
        assert_eq!(
            sides(&served),
            "contender on core 1, load on core 0 (db runs beside the load, never frozen)"
        );
        served.services.push("cache".to_owned());
        served.contender = vec![0];
        assert_eq!(
            sides(&served),
            "load and contender share core 0 (db and cache run beside the load, never frozen): not comparable with \
             separate-core results"
        );
    }

    #[test]
    fn numbers_in_words() {
        for (share, text) in [
            (0.05, "5%"),
            (0.00625, "0.625%"),
            (0.01, "1%"),
            (0.025, "2.5%"),
            (0.0, "0%"),
            (1.0, "100%"),
        ] {
            assert_eq!(percent(share), text);
        }
        assert_eq!(ratio(0.012345), "0.0123");
        assert_eq!(
            (ratio(1.5e-7), ratio(2.5e9), ratio(0.0)),
            ("1.50e-7".into(), "2.50e9".into(), "0.0000".into())
        );
        assert_eq!(ratio_and_interval(12.3, Some((9.9, 101.0))), "12.30 (9.900–101)");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(list(&["a".into(), "b".into(), "c".into()]), "a, b and c");
        let figure = Estimate {
            estimate: 8.93e-6,
            low: Some(8.86e-6),
            high: Some(9.01e-6),
        };
        assert_eq!(estimate(Metric::CpuPerOp, &figure), "8.93 µs (8.86–9.01)");
        let wide = Estimate {
            low: Some(0.9e-6),
            ..figure
        };
        assert_eq!(estimate(Metric::CpuPerOp, &wide), "8.93 µs (900 ns–9.01 µs)");
    }
}
