//! The benchmarks of `tare bench`: which rows a table has, and what is said of the run as a whole, in words that all
//! formats share.

use std::cmp::Ordering;

use tare_model::benchmark::{BenchmarkResult, Benchmarks, Change, FigureResult, LayoutSpread, Standing};
use tare_model::estimate::Estimate;
use tare_model::fault::Fault;
use tare_model::results::Results;
use tare_model::settings::Many;

use crate::escape::one_line;
use crate::view::NONE;
use crate::words::{self, Tone};

/// One figure of one benchmark, in words.
#[derive(Debug, Clone)]
pub(crate) struct Row<'a> {
    pub benchmark: &'a BenchmarkResult,
    pub figure: &'a FigureResult,
    /// The benchmark's name, with the quantity where it is not the time.
    pub name: String,
    pub before: String,
    pub after: String,
    /// After divided by before, with its interval.
    pub ratio: String,
    pub verdict: String,
    pub tone: Tone,
}

/// The benchmarks of one program.
#[derive(Debug)]
pub(crate) struct Table<'a> {
    /// `rank (go)`
    pub title: String,
    /// What is worse and what is better, the largest change first.
    pub changed: Vec<Row<'a>>,
    /// The others, in the order of their listing.
    pub others: Vec<Row<'a>>,
}

/// How many benchmarks have which verdict on their first quantity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    worse: usize,
    better: usize,
    equivalent: usize,
    inconclusive: usize,
}

/// Benchmarks that are not judged, for one reason.
#[derive(Debug)]
pub(crate) struct Unjudged {
    /// Why.
    pub why: &'static str,
    /// Their names.
    pub names: Vec<String>,
}

/// A benchmark that failed.
#[derive(Debug)]
pub(crate) struct Failure<'a> {
    pub name: String,
    pub side: &'a str,
    pub fault: &'a Fault,
}

/// The benchmarks that have figures, program by program.
pub(crate) fn tables(found: &Benchmarks) -> Vec<Table<'_>> {
    let mut tables: Vec<Table<'_>> = Vec::new();
    for benchmark in shown(found) {
        let title = program(benchmark);
        let at = tables.iter().position(|table| table.title == title);
        let at = at.unwrap_or_else(|| {
            tables.push(Table {
                title,
                changed: Vec::new(),
                others: Vec::new(),
            });
            tables.len() - 1
        });
        for figure in &benchmark.figures {
            let row = row(benchmark, figure, found.margin);
            if matches!(row.tone, Tone::Worse | Tone::Better) {
                tables[at].changed.push(row);
            } else if row.is_primary() {
                tables[at].others.push(row);
            }
        }
    }
    tables
        .iter_mut()
        .for_each(|table| table.changed.sort_by(by_change));
    tables
}

/// Benchmarks with figures that mean something. Of those that were rewritten, only what somebody wanted to be judged has
/// figures.
fn shown(found: &Benchmarks) -> impl Iterator<Item = &BenchmarkResult> {
    let known = |one: &&BenchmarkResult| {
        let standing = matches!(
            one.standing,
            Standing::Judged | Standing::Described | Standing::Rewritten
        );
        standing && !one.figures.is_empty()
    };
    found.list.iter().filter(known)
}

impl Row<'_> {
    /// Whether the benchmark is judged by it.
    pub(crate) fn is_primary(&self) -> bool {
        self.benchmark
            .primary()
            .any(|figure| std::ptr::eq(figure, self.figure))
    }
}

/// What benchmarks are judged by first; of that what is worse, and the largest change first.
fn by_change(a: &Row<'_>, b: &Row<'_>) -> Ordering {
    let kind = |row: &Row<'_>| (!row.is_primary(), row.tone == Tone::Better);
    let size = |row: &Row<'_>| row.figure.ratio.map_or(0.0, |ratio| ratio.estimate.ln().abs());
    kind(a)
        .cmp(&kind(b))
        .then(size(b).partial_cmp(&size(a)).unwrap_or(Ordering::Equal))
}

/// The benchmarks that are slower, and if `not_proven` those that are not shown not to be: a line for each.
pub fn against(found: &Benchmarks, not_proven: bool) -> Vec<String> {
    let fails = |row: &&Row<'_>| match row.figure.verdict() {
        Some(Change::Worse) => row.is_primary(),
        Some(Change::Inconclusive) => row.is_primary() && not_proven,
        _ => false,
    };
    let mut lines = Vec::new();
    for table in tables(found) {
        let rows = table.changed.iter().chain(&table.others).filter(fails);
        lines.extend(rows.map(|row| format!("{}: {} {}, {}", table.title, row.name, row.ratio, row.verdict)));
    }
    lines
}

/// All figures that benchmarks are not judged by: what a harness gave beside the time.
pub(crate) fn further(found: &Benchmarks) -> Vec<Row<'_>> {
    let rows = shown(found).flat_map(|benchmark| {
        let figures = benchmark.figures.iter();
        figures.map(|figure| row(benchmark, figure, found.margin))
    });
    rows.filter(|row| !row.is_primary()).collect()
}

fn row<'a>(benchmark: &'a BenchmarkResult, figure: &'a FigureResult, margin: f64) -> Row<'a> {
    let described = benchmark.standing == Standing::Described;
    let value = |side: Option<Estimate>| match side {
        Some(side) if described => words::value_and_interval(&figure.quantity, &side),
        Some(side) => words::value(&figure.quantity, side.estimate),
        None => NONE.to_owned(),
    };
    Row {
        benchmark,
        figure,
        name: name(benchmark, figure),
        before: value(figure.before),
        after: value(figure.after),
        ratio: words::change_ratio(figure).unwrap_or_else(|| NONE.to_owned()),
        verdict: if described {
            "described".to_owned()
        } else {
            words::change(figure, margin)
        },
        tone: words::change_tone(figure),
    }
}

fn name(benchmark: &BenchmarkResult, figure: &FigureResult) -> String {
    let name = one_line(&benchmark.name);
    let name = match words::figure_name(figure).as_str() {
        "time" => name,
        other => format!("{name}: {other}"),
    };
    match benchmark.standing {
        Standing::Rewritten => format!("{name} (rewritten)"),
        _ => name,
    }
}

/// `rank (go)`
fn program(benchmark: &BenchmarkResult) -> String {
    format!(
        "{} ({})",
        one_line(&benchmark.program),
        one_line(&benchmark.harness)
    )
}

/// A benchmark's name, with its program where there are several.
fn full_name(found: &Benchmarks, benchmark: &BenchmarkResult) -> String {
    let mut others = found.list.iter();
    let name = one_line(&benchmark.name);
    if others.any(|other| other.program != benchmark.program) {
        format!("{} {name}", one_line(&benchmark.program))
    } else {
        name
    }
}

/// Whether there are two sides.
pub(crate) fn compared(found: &Benchmarks) -> bool {
    found.list.iter().any(|one| one.standing != Standing::Described)
}

/// `the working tree against 1b2c3d4 (Count by words)`; none of programs that were given.
pub(crate) fn sides(results: &Results) -> Option<String> {
    let both = results.run.settings.revisions.as_ref()?;
    Some(format!(
        "{} against {}",
        one_line(&both.after),
        one_line(&both.before)
    ))
}

impl Counts {
    pub(crate) fn of(found: &Benchmarks) -> Self {
        let mut counts = Self::default();
        for verdict in shown(found).filter_map(BenchmarkResult::verdict) {
            match verdict {
                Change::Worse => counts.worse += 1,
                Change::Better => counts.better += 1,
                Change::Equivalent => counts.equivalent += 1,
                Change::Inconclusive => counts.inconclusive += 1,
            }
        }
        counts
    }

    pub(crate) fn judged(self) -> usize {
        self.worse + self.better + self.equivalent + self.inconclusive
    }

    /// `2 slower, 1 faster, 90 equivalent, 8 inconclusive`
    pub(crate) fn sentence(self) -> String {
        let parts = [
            (self.worse, "slower"),
            (self.better, "faster"),
            (self.equivalent, "equivalent"),
            (self.inconclusive, "inconclusive"),
        ];
        let some = parts.iter().filter(|(count, _)| *count > 0);
        let texts: Vec<String> = some
            .map(|(count, word)| format!("{} {word}", words::grouped(*count as u64)))
            .collect();
        texts.join(", ")
    }

    /// The same of what did not change; none where everything did.
    pub(crate) fn unchanged(self) -> Option<String> {
        let rest = Self {
            worse: 0,
            better: 0,
            ..self
        };
        (rest.judged() > 0).then(|| rest.sentence())
    }
}

/// What came out, in one sentence.
pub(crate) fn headline(found: &Benchmarks) -> String {
    let counts = Counts::of(found);
    let benchmarks = |count: usize| words::counted(count as u64, "benchmark");
    if counts.judged() > 0 {
        let all = benchmarks(counts.judged());
        return format!("Of {all}: {}.", counts.sentence());
    }
    if compared(found) {
        return "No benchmark was compared.".to_owned();
    }
    let count = shown(found).count();
    format!(
        "{} described: there is nothing to compare with.",
        benchmarks(count)
    )
}

/// Further quantities that changed, in one sentence: `1 benchmark has more allocations.` None where none did.
pub(crate) fn counted_changes(found: &Benchmarks) -> Option<String> {
    let mut kinds: Vec<(String, u64)> = Vec::new();
    let further = further(found).into_iter();
    for row in further.filter(|row| matches!(row.tone, Tone::Worse | Tone::Better)) {
        let kind = match &row.figure.quantity {
            quantity if quantity.counted() => words::change(row.figure, found.margin),
            quantity => format!("{} {}", row.verdict, words::quantity(quantity)),
        };
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((kind, 1)),
        }
    }
    let texts: Vec<String> = kinds
        .iter()
        .map(|(kind, count)| format!("{kind}: {}", words::grouped(*count)))
        .collect();
    (!texts.is_empty()).then(|| format!("Beside the time: {}.", texts.join("; ")))
}

/// What the verdicts are based on, in sentences.
pub(crate) fn grounds(results: &Results, found: &Benchmarks) -> Vec<String> {
    let mut sentences = Vec::new();
    let judged = Counts::of(found).judged();
    if judged > 0 {
        sentences.push(bound(found, judged));
        sentences.push(rests_on(found));
    } else if let Some(measured) = measured(found) {
        sentences.push(format!("Measured: {measured}."));
    }
    if further(found).iter().any(|row| row.figure.quantity.counted()) && judged > 0 {
        sentences.push(
            "Allocations and bytes are counted: a difference that every sample shows is exact, and has no interval."
                .to_owned(),
        );
    }
    if judged > 0 {
        sentences.extend(layouts(results, found));
    }
    sentences
}

/// What is bounded over all benchmarks.
fn bound(found: &Benchmarks, judged: usize) -> String {
    let alpha = words::percent(found.alpha);
    let all = words::counted(judged as u64, "benchmark");
    match found.many {
        Many::Discoveries => format!(
            "Of the benchmarks that are called slower or faster, at most {alpha} are expected to be false alarms (false \
             discovery rate over {all}, by e-BH; it holds whenever the run ends)."
        ),
        Many::Family => {
            format!(
                "The chance that any of the verdicts on {all} is false is at most {alpha}; it holds whenever the run ends."
            )
        }
    }
}

/// Margin, error rates, rounds and launches.
fn rests_on(found: &Benchmarks) -> String {
    let judged = shown(found).flat_map(BenchmarkResult::primary);
    let timed = judged.filter(|figure| figure.change.is_some() && !figure.quantity.counted());
    let alphas: Vec<f64> = timed.map(|figure| figure.alpha).collect();
    let low = alphas.iter().copied().fold(f64::INFINITY, f64::min);
    let high = alphas.iter().copied().fold(0.0, f64::max);
    let (low, high) = (words::percent(low), words::percent(high));
    let alpha = match alphas.is_empty() {
        true => "none".to_owned(),
        false if low == high => low,
        false => format!("{low}–{high}"),
    };
    let measured = measured(found).unwrap_or_default();
    format!(
        "Each interval: α {alpha}, margin {}, {measured}.",
        words::percent(found.margin)
    )
}

/// `24–40 rounds in 6–10 launches`
fn measured(found: &Benchmarks) -> Option<String> {
    let span = |of: fn(&BenchmarkResult) -> u32| {
        let values = || shown(found).map(of);
        Some((values().min()?, values().max()?))
    };
    let (rounds, launches) = (span(|one| one.rounds)?, span(|one| one.launches)?);
    let said = |(low, high): (u32, u32), unit| {
        format!(
            "{} {}",
            words::span((low, high)),
            words::plural(u64::from(high), unit)
        )
    };
    Some(format!(
        "{} in {}",
        said(rounds, "round"),
        said(launches, "launch")
    ))
}

/// How much of the spread is layout, or that there was one layout only.
fn layouts(results: &Results, found: &Benchmarks) -> Option<String> {
    let asked = results.run.settings.benchmarks.as_ref();
    let one = asked.is_some_and(|asked| asked.layouts <= 1);
    match &found.layout {
        Some(spread) => Some(of_layouts(spread)),
        None if one => Some(
            "The verdicts are of one layout in memory of each side, and another one may move a benchmark by some percent. \
             `--layouts 8` draws several of Go, Rust and C++."
                .to_owned(),
        ),
        None => None,
    }
}

fn of_layouts(spread: &LayoutSpread) -> String {
    format!(
        "{} of each side were drawn. At the median benchmark, the ratios of launches spread by {} (standard deviation); \
         their rounds alone would spread them by {}. The benchmark that depends most on layout spreads by {} beyond its \
         rounds.",
        words::counted(u64::from(spread.layouts), "layout"),
        words::measured_percent(spread.between),
        words::measured_percent(spread.within),
        words::measured_percent(spread.largest)
    )
}

/// What is named and not judged, reason by reason.
pub(crate) fn unjudged(found: &Benchmarks) -> Vec<Unjudged> {
    let of = |standing: Standing, why: &'static str| {
        let silent = found.list.iter().filter(|one| one.figures.is_empty());
        let mine = silent.filter(|one| one.standing == standing);
        let names: Vec<String> = mine.map(|one| full_name(found, one)).collect();
        (!names.is_empty()).then_some(Unjudged { why, names })
    };
    let all = [
        of(Standing::Added, "Only after the change"),
        of(Standing::Removed, "Only before the change"),
        of(
            Standing::Rewritten,
            "Rewritten, so not judged (their own source differs between the sides; `--rewritten` judges them all the same)",
        ),
        of(Standing::Judged, "Without a sample"),
        of(Standing::Described, "Without a sample"),
    ];
    all.into_iter().flatten().collect()
}

impl Unjudged {
    /// `Only after the change: a, b and 3 more.`
    pub(crate) fn sentence(&self, most: usize) -> String {
        format!("{}: {}.", self.why, first(&self.names, most))
    }
}

/// The first names, and how many more there are.
pub(crate) fn first(names: &[String], most: usize) -> String {
    match names.len() {
        count if count > most => format!("{} and {} more", names[..most].join(", "), count - most),
        _ => words::list(names),
    }
}

/// Benchmarks that failed.
pub(crate) fn failures(found: &Benchmarks) -> Vec<Failure<'_>> {
    let failed = found.list.iter().filter_map(|one| match &one.standing {
        Standing::Failed { side, fault } => Some(Failure {
            name: full_name(found, one),
            side,
            fault,
        }),
        _ => None,
    });
    failed.collect()
}

/// The benchmarks that were not measured for want of time, in a sentence.
pub(crate) fn not_measured(results: &Results, most: usize) -> Option<String> {
    let names: Vec<String> = results
        .not_measured
        .iter()
        .map(|one| format!("{} {}", one_line(&one.workload), one_line(&one.case)))
        .collect();
    (!names.is_empty()).then(|| {
        format!(
            "Not measured (the budget did not hold three launches of all; a larger `--budget` does): {}.",
            first(&names, most)
        )
    })
}
