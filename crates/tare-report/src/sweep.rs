//! A case over its sizes in words: lines, differences, break-evens, affordability.

use tare_model::estimate::Estimate;
use tare_model::ids::ContenderId;
use tare_model::sweep::{
    Affordable, AtSize, BreakEven, Cheaper, ExtraOf, LineDifference, NoLine, SizeCosts, SizeLine, SizePair,
    SweepResult, Turn,
};

use crate::view;
use crate::words;

/// One contender's line in words.
#[derive(Debug, Clone)]
pub struct LineRow<'a> {
    /// The contender.
    pub costs: &'a SizeCosts,
    /// Its cost at size 0.
    pub fixed: String,
    /// What each unit adds.
    pub per_unit: String,
    /// How well a line fits, or why there is none.
    pub fit: String,
}

/// From which duration on an extra cost is affordable, in words.
#[derive(Debug, Clone)]
pub struct AffordRow<'a> {
    /// The contender.
    pub id: &'a ContenderId,
    /// What causes the extra cost: `fixed`, `at 64 bytes`.
    pub of: String,
    /// The extra cost.
    pub extra: String,
    /// For each share, the duration of a request from which on the extra cost is less, with its interval.
    pub from: Vec<String>,
    /// The upper end of that interval.
    pub at_most: Vec<String>,
}

/// The lines of all contenders.
pub fn lines(sweep: &SweepResult) -> Vec<LineRow<'_>> {
    fn row<'a>(sweep: &SweepResult, costs: &'a SizeCosts) -> LineRow<'a> {
        let (fixed, per_unit) = match &costs.line {
            Ok(line) => (span(&line.fixed, false), span(&line.per_unit, false)),
            Err(_) => (view::NONE.to_owned(), view::NONE.to_owned()),
        };
        LineRow {
            costs,
            fixed,
            per_unit,
            fit: fit(sweep, costs),
        }
    }
    sweep.contenders.iter().map(|costs| row(sweep, costs)).collect()
}

fn fit(sweep: &SweepResult, costs: &SizeCosts) -> String {
    match &costs.line {
        Ok(line) => departure(line),
        Err(NoLine::Bent { departures }) => bent(sweep, departures),
        Err(NoLine::FewSizes { found, needed }) => {
            format!("not tested: {found} sizes, and it takes {needed} to see whether cost is a line")
        }
        Err(NoLine::FewLaunches { found, needed }) => {
            format!("not tested yet: {found} of {needed} {}", launches(sweep))
        }
        Err(NoLine::FewRounds { found, needed }) => {
            format!(
                "not tested: {found} of {needed} rounds at each size, or more {}",
                launches(sweep)
            )
        }
    }
}

fn departure(line: &SizeLine) -> String {
    let share = words::measured_percent(line.departure.figure.estimate.abs());
    let at = measured(line.departure.size);
    if line.holds {
        return format!("a line: at most {share} off, at {at}");
    }
    let limits = line.departure.figure.low.zip(line.departure.figure.high);
    let limits = limits.map_or(String::new(), |(low, high)| {
        format!(" ({:+.1}% to {:+.1}%)", 100.0 * low, 100.0 * high)
    });
    format!("perhaps a line: {share} off at {at}{limits}")
}

/// That cost is not a line, and where it departs the most.
fn bent(sweep: &SweepResult, departures: &[AtSize]) -> String {
    let (first, last) = ends(sweep);
    let most = departures
        .iter()
        .max_by(|a, b| a.figure.estimate.abs().total_cmp(&b.figure.estimate.abs()));
    let most = most.map_or(String::new(), |most| {
        let limits = most.figure.low.zip(most.figure.high);
        let limits = limits.map_or(String::new(), |(low, high)| {
            format!(" ({:+.0}% to {:+.0}%)", 100.0 * low, 100.0 * high)
        });
        format!(
            ": at {} it is {:+.0}%{limits} from the nearest",
            measured(most.size),
            100.0 * most.figure.estimate
        )
    });
    format!(
        "not a line between {} and {}{most}",
        measured(first),
        measured(last)
    )
}

/// The smallest and the largest size.
pub fn ends(sweep: &SweepResult) -> (f64, f64) {
    let at = |size: Option<&u64>| size.map_or(0.0, |size| *size as f64);
    (at(sweep.sizes.first()), at(sweep.sizes.last()))
}

/// The formula: `CPU per operation = fixed + per byte × bytes`.
pub fn formula(sweep: &SweepResult) -> String {
    format!(
        "{} = fixed + per {} × {}",
        sweep.metric.title(),
        sweep.unit(),
        sweep.name
    )
}

/// Each contender against the baseline, in a sentence or two.
pub fn sentences(sweep: &SweepResult) -> Vec<String> {
    sweep.pairs.iter().map(|pair| sentence(sweep, pair)).collect()
}

fn sentence(sweep: &SweepResult, pair: &SizePair) -> String {
    match &pair.lines {
        Some(lines) => format!(
            "{} against {}: {} fixed, {} per {}. {}",
            pair.a,
            pair.b,
            span(&lines.fixed, true),
            span(&lines.per_unit, true),
            sweep.unit(),
            words::capital(&even(sweep, lines))
        ),
        None => format!("{} against {}: {}.", pair.a, pair.b, by_points(sweep, pair)),
    }
}

/// Where two contenders break even: `cheaper below 120 bytes and dearer above 340 (the lines cross at 200)`.
pub fn even(sweep: &SweepResult, lines: &LineDifference) -> String {
    let Some(set) = &lines.break_even else {
        return format!("too few {} to say where they break even.", launches(sweep));
    };
    let says = cost_of;
    let crossing = lines.crossing.map_or(String::new(), |crossing| {
        format!(" (the lines cross at {})", size(crossing))
    });
    let name = &sweep.name;
    let text = match *set {
        BreakEven::Nowhere { cheaper } => format!("{} at every size", says(cheaper)),
        BreakEven::Between { low, high, below } => format!(
            "{} below {} {name} and {} above {}; between them neither is shown to be cheaper{crossing}",
            says(below),
            size(low),
            says(below.other()),
            size(high)
        ),
        BreakEven::UpTo { high, above } => format!(
            "{} above {} {name}; up to there neither is shown to be cheaper{crossing}",
            says(above),
            size(high)
        ),
        BreakEven::From { low, below } => format!(
            "{} below {} {name}; from there on, without an end, neither is shown to be cheaper{crossing}",
            says(below),
            size(low)
        ),
        BreakEven::Outside { low, high, within } => format!(
            "{} between {} and {} {name}; below and above neither is shown to be cheaper{crossing}",
            says(within),
            size(low),
            size(high)
        ),
        BreakEven::Everywhere => "neither is shown to be cheaper at any size".to_owned(),
    };
    let (first, last) = ends(sweep);
    let far = set
        .ends()
        .into_iter()
        .any(|end| end > last || (end < first && end > 0.0));
    let remark = if far {
        "; ends beyond the measured sizes are extrapolated"
    } else {
        ""
    };
    format!("{text}{remark}.")
}

/// A comparison by the measured sizes alone, without lines: `dearer at 13 and 64; cheaper at 65,536: they break even between 64 and
/// 65,536 bytes`.
pub(crate) fn by_points(sweep: &SweepResult, pair: &SizePair) -> String {
    if let Some(which) = pair.cheaper_throughout() {
        return format!("{} at every measured size (without lines)", cost_of(which));
    }
    let sure = |wanted: Option<Cheaper>| -> Vec<String> {
        let those = pair
            .extra
            .iter()
            .zip(&pair.cheaper)
            .filter(|(_, side)| **side == wanted);
        those.map(|(at, _)| measured(at.size)).collect()
    };
    let say = |which: Vec<String>, text: &str| {
        (!which.is_empty()).then(|| format!("{text} at {}", words::list(&which)))
    };
    let parts: Vec<String> = [
        say(sure(Some(Cheaper::B)), "dearer"),
        say(sure(Some(Cheaper::A)), "cheaper"),
        say(sure(None), "neither is shown to be cheaper"),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() {
        return "never measured at one size".to_owned();
    }
    let turns: Vec<String> = pair.turns().iter().map(turn).collect();
    let even = if turns.is_empty() {
        String::new()
    } else {
        format!(": they break even {} {}", words::list(&turns), sweep.name)
    };
    format!(
        "{}{even} (by the measured sizes, without lines)",
        parts.join("; ")
    )
}

fn turn(turn: &Turn) -> String {
    format!("between {} and {}", measured(turn.low), measured(turn.high))
}

/// What `a` is if this side of the pair is the cheaper.
fn cost_of(cheaper: Cheaper) -> &'static str {
    match cheaper {
        Cheaper::A => "cheaper",
        Cheaper::B => "dearer",
    }
}

/// The rows of the table: extra costs with an interval, of the fixed part and at the largest size; without lines, at the
/// smallest, a middle and the largest size.
pub fn affordable(sweep: &SweepResult) -> Vec<AffordRow<'_>> {
    let rows = sweep.pairs.iter().flat_map(|pair| {
        let shown = |row: &&Affordable| row.extra.high.is_some() && in_table(sweep, pair, row.of);
        pair.affordable
            .iter()
            .filter(shown)
            .map(|row| afford_row(&pair.a, row))
    });
    rows.collect()
}

fn in_table(sweep: &SweepResult, pair: &SizePair, of: ExtraOf) -> bool {
    let sizes = &sweep.sizes;
    match of {
        ExtraOf::Fixed => true,
        ExtraOf::Size(size) if pair.lines.is_some() => sizes.last() == Some(&size),
        ExtraOf::Size(size) => {
            [sizes.first(), sizes.get(sizes.len() / 2), sizes.last()].contains(&Some(&size))
        }
    }
}

fn afford_row<'a>(id: &'a ContenderId, row: &Affordable) -> AffordRow<'a> {
    let any = |duration: &Estimate| duration.high.is_some_and(|high| high <= 0.0);
    let write = |duration: &Estimate| {
        if any(duration) {
            "any".to_owned()
        } else {
            span(duration, false)
        }
    };
    let at_most = |duration: &Estimate| match duration.high {
        Some(high) if high > 0.0 => time(high),
        _ => write(duration),
    };
    AffordRow {
        id,
        of: match row.of {
            ExtraOf::Fixed => "fixed".to_owned(),
            ExtraOf::Size(at) => format!("at {}", words::grouped(at)),
        },
        extra: span(&row.extra, true),
        from: row.from.iter().map(|(_, duration)| write(duration)).collect(),
        at_most: row.from.iter().map(|(_, duration)| at_most(duration)).collect(),
    }
}

/// The shares that durations are given for: `10%`.
pub fn shares(sweep: &SweepResult) -> Vec<String> {
    let first = sweep.pairs.iter().find_map(|pair| pair.affordable.first());
    let shares = first.map(|row| row.from.iter().map(|(share, _)| words::percent(*share)).collect());
    shares.unwrap_or_default()
}

fn launches(sweep: &SweepResult) -> String {
    words::plural(2, words::launch(sweep.mode))
}

/// What the lines and comparisons are based on.
pub fn grounds(sweep: &SweepResult) -> String {
    let pairs = sweep.pairs.first().map_or(String::new(), |pair| {
        format!(", α {} for each comparison", words::percent(pair.alpha))
    });
    let what = if sweep.provisional {
        format!(" (provisional: parts of one {})", words::launch(sweep.mode))
    } else {
        String::new()
    };
    let secondary = if sweep.primary {
        ""
    } else {
        "; secondary: α was not spent on this metric"
    };
    let bare = sweep.pairs.iter().any(|pair| pair.lines.is_none());
    let together = if bare {
        format!(
            "; all statements by the measured sizes alone together: α {}",
            words::percent(sweep.alpha_at_sizes())
        )
    } else {
        String::new()
    };
    format!(
        "Each line: α {}{pairs}, {} at each size in {}{what}; each interval is for one \
         size{together}{secondary}.",
        words::percent(sweep.alpha),
        words::counted(u64::from(sweep.rounds), "round"),
        words::counted(u64::from(sweep.launches), words::launch(sweep.mode)),
    )
}

/// How to read durations without intervals.
pub(crate) const AT_MOST: &str = "For requests that take at least this long, the extra cost against the baseline is less than the \
share in the heading, by the upper end of its interval.";

/// How to read durations with intervals.
pub(crate) const AFFORD: &str = "For requests that take at least this long, the extra cost against the baseline is less than the \
share in the heading; this is shown from the upper end of the interval on.";

/// A time in seconds with three digits and a unit.
pub fn time(value: f64) -> String {
    let bare = Estimate {
        estimate: value,
        low: None,
        high: None,
    };
    span(&bare, false).replace(" (no interval)", "")
}

/// A time and its interval in one unit: `0.83 µs (0.81–0.85)`; signed: `+0.83 µs (+0.81 to +0.85)`.
pub fn span(estimate: &Estimate, signed: bool) -> String {
    let limits = estimate.low.zip(estimate.high);
    let (low, high) = limits.unwrap_or((estimate.estimate, estimate.estimate));
    let most = [estimate.estimate, low, high]
        .map(f64::abs)
        .into_iter()
        .fold(0.0, f64::max);
    let (factor, unit) = unit_of(most);
    // Enough digits for the figure itself, so that a narrow interval shows its width; fewer if the interval is wide.
    let decimals = decimals(estimate.estimate * factor).min(decimals(most * factor) + 1);
    let number = |value: f64| {
        let text = format!("{:.decimals$}", value * factor);
        let text = if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') {
            text.trim_start_matches('-').to_owned()
        } else {
            text
        };
        if signed && !text.starts_with('-') {
            format!("+{text}")
        } else {
            text
        }
    };
    let middle = number(estimate.estimate);
    match limits {
        Some(_) if signed || low < 0.0 => format!("{middle} {unit} ({} to {})", number(low), number(high)),
        Some(_) => format!("{middle} {unit} ({}–{})", number(low), number(high)),
        None => format!("{middle} {unit} (no interval)"),
    }
}

/// The decimals that make three digits.
fn decimals(value: f64) -> usize {
    match value.abs() {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    }
}

/// The factor and the unit by which a time of this magnitude is written.
fn unit_of(magnitude: f64) -> (f64, &'static str) {
    match magnitude {
        0.0 => (1.0, "s"),
        m if m < 0.9995e-9 => (1e12, "ps"),
        m if m < 0.9995e-6 => (1e9, "ns"),
        m if m < 0.9995e-3 => (1e6, "µs"),
        m if m < 0.9995 => (1e3, "ms"),
        _ => (1.0, "s"),
    }
}

/// A measured size, exactly.
pub fn measured(value: f64) -> String {
    if value.fract() == 0.0 && (0.0..1e15).contains(&value) {
        return words::grouped(value as u64);
    }
    size(value)
}

/// A size with three significant digits: `13`, `80,000`, `0.25`.
pub fn size(value: f64) -> String {
    if !value.is_finite() || value.abs() >= 1e15 {
        return format!("{value:.2e}");
    }
    match value.abs() {
        v if v >= 999.5 => {
            let step = 10f64.powf(v.log10().floor() - 2.0);
            words::grouped(((v / step).round() * step).round() as u64)
        }
        v if v.fract() == 0.0 || v >= 99.95 => format!("{value:.0}"),
        v if v >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(value: f64, low: f64, high: f64) -> Estimate {
        Estimate {
            estimate: value,
            low: Some(low),
            high: Some(high),
        }
    }

    #[test]
    fn times_share_one_unit_with_their_interval() {
        let cases = [
            (estimate(0.834e-6, 0.829e-6, 0.84e-6), false, "834 ns (829–840)"),
            (estimate(0.9e-6, 0.8e-6, 1.1e-6), false, "0.90 µs (0.80–1.10)"),
            (estimate(21.25e-12, 20e-12, 22e-12), false, "21.2 ps (20.0–22.0)"),
            (estimate(1e-9, -3e-9, 5e-9), true, "+1.00 ns (-3.00 to +5.00)"),
            (estimate(1e-9, -3e-9, 5e-9), false, "1.00 ns (-3.00 to 5.00)"),
            (
                estimate(-7.5e-9, -309.6e-9, 294.6e-9),
                true,
                "-7.5 ns (-309.6 to +294.6)",
            ),
            (estimate(0.0, 0.0, 1e-3), false, "0.00 ms (0.00–1.00)"),
        ];
        for (value, signed, text) in cases {
            assert_eq!(span(&value, signed), text);
        }
        let bare = Estimate {
            estimate: -2e-6,
            low: None,
            high: None,
        };
        assert_eq!(span(&bare, true), "-2.00 µs (no interval)");
    }

    #[test]
    fn sizes_read_as_people_write_them() {
        let cases = [
            (13.0, "13"),
            (0.25, "0.25"),
            (65536.0, "65,500"),
            (80123.4, "80,100"),
            (1.5e6, "1,500,000"),
            (999.7, "1,000"),
            (f64::INFINITY, "inf"),
        ];
        for (value, text) in cases {
            assert_eq!(size(value), text);
        }
        assert_eq!(
            (measured(65536.0), measured(0.5)),
            ("65,536".to_owned(), "0.50".to_owned())
        );
    }
}
