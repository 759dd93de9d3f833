//! Benchmarks of one revision or two: all together are judged by a rule for many questions (docs/statistics.md, many
//! benchmarks).

mod counted;
mod layout;
mod samples;
#[cfg(test)]
mod tests;
mod timed;

use tare_model::benchmark::{AFTER, BEFORE, BenchmarkResult, Benchmarks, Change, FigureResult, Standing};
use tare_model::estimate::PRECISE;
use tare_model::fault::{Fault, FaultKind};
use tare_model::figure::Quantity;
use tare_model::metric::Mode;
use tare_model::record::{ArenaRecord, EntrantRecord};
use tare_model::settings::{Many, Settings};
use tare_model::subject::Subject;
use tare_stats::fdr;

use crate::values;
use samples::Series;
use timed::Question;

/// What `tare bench` says of a run; none of a run of anything else.
pub fn benchmarks(arenas: &[ArenaRecord], settings: &Settings) -> Option<Benchmarks> {
    let of: Vec<&ArenaRecord> = arenas.iter().filter(|arena| is_benchmark(arena)).collect();
    let first = of.first()?;
    let how = settings.benchmarks.as_ref();
    let many = how.map(|how| how.many).unwrap_or_default();
    let drawn = how.is_some_and(|how| how.layouts > 1);
    Some(Benchmarks {
        many,
        alpha: first.alpha,
        margin: first.margin,
        list: judged(&of, many).into_iter().flatten().collect(),
        layout: drawn.then(|| layout::spread(&of)).flatten(),
    })
}

/// The result of each benchmark, all judged together; none of one that could have been measured, and was not.
pub fn judged(arenas: &[&ArenaRecord], many: Many) -> Vec<Option<BenchmarkResult>> {
    let drafts: Vec<Option<Draft<'_>>> = arenas.iter().map(|arena| Draft::of(arena)).collect();
    let asked = drafts.iter().flatten().flat_map(Draft::asked);
    let evidence: Vec<f64> = asked.map(Question::evidence).collect();
    let alpha = arenas.first().map_or(0.0, |arena| arena.alpha);
    let mut levels = levels(&evidence, many, alpha).into_iter();
    let others = fdr::level(0, evidence.len(), alpha);
    let mut result = |draft: Draft<'_>| draft.judged(&mut levels, others);
    drafts.into_iter().map(|draft| draft.map(&mut result)).collect()
}

/// Whether a benchmark needs no further launches: its primary figures and what is counted have a verdict; of one revision,
/// or of a unit that does not say which way is better, they are known well enough.
pub fn is_decided(result: &BenchmarkResult) -> bool {
    let Some(primary) = result.figures.first() else {
        return true;
    };
    let mut asked = result
        .figures
        .iter()
        .filter(|figure| figure.quantity == primary.quantity || figure.quantity.counted());
    asked.all(|figure| is_known(figure, result.rounds))
}

/// How many further launches a benchmark's verdict takes, if they go on as they did; none where that cannot be known, or is
/// too far away to be predicted.
pub fn launches_needed(result: &BenchmarkResult, margin: f64) -> Option<u32> {
    let open = result
        .figures
        .iter()
        .filter(|figure| figure.quantity == result.figures[0].quantity && !figure.quantity.counted())
        .filter(|figure| figure.change == Some(Change::Inconclusive));
    let needed: Option<Vec<u32>> = open.map(|figure| timed::needed(figure, margin)).collect();
    needed?.into_iter().max()
}

/// Whether a benchmark could have been measured, and was not.
pub(crate) fn is_left_out(arena: &ArenaRecord) -> bool {
    Draft::of(arena).is_none()
}

pub(crate) fn is_benchmark(arena: &ArenaRecord) -> bool {
    arena.mode == Mode::Benchmark
}

fn is_known(figure: &FigureResult, rounds: u32) -> bool {
    let has_verdict = figure.change.is_some_and(|change| change != Change::Inconclusive);
    if figure.quantity.counted() {
        // What is still open then varies by itself.
        let enough = rounds as usize >= counted::LEAST_OF_A_STEP;
        return has_verdict || enough || figure.change.is_none();
    }
    if figure.change.is_some() {
        return has_verdict;
    }
    let described = figure.ratio.or(figure.after);
    let ends = described.and_then(|estimate| estimate.low.zip(estimate.high));
    ends.is_some_and(|(low, high)| (high / low).sqrt() - 1.0 <= PRECISE)
}

/// The error rate of each question's interval: a discovery's, or that of all that are none.
fn levels(evidence: &[f64], many: Many, alpha: f64) -> Vec<f64> {
    let questions = evidence.len();
    let found = match many {
        Many::Discoveries => fdr::discoveries(evidence, alpha),
        Many::Family => vec![false; questions],
    };
    let count = found.iter().filter(|&&one| one).count();
    let level = |found: bool| fdr::level(if found { count } else { 0 }, questions, alpha);
    found.into_iter().map(level).collect()
}

/// A benchmark before it is judged.
struct Draft<'a> {
    arena: &'a ArenaRecord,
    standing: Standing,
    measured: Vec<Measured>,
    rounds: u32,
}

/// One quantity of a benchmark.
struct Measured {
    series: Series,
    /// What is asked of it; none of what is counted.
    question: Option<Question>,
    /// Whether it is a question of the benchmark itself, among the many that are judged together.
    is_primary: bool,
}

impl<'a> Draft<'a> {
    fn of(arena: &'a ArenaRecord) -> Option<Self> {
        let standing = standing(arena);
        let rounds = values::rounds(arena);
        match standing {
            Standing::Judged | Standing::Described if rounds == 0 => return None,
            _ => {}
        }
        let has_figures = matches!(
            standing,
            Standing::Judged | Standing::Described | Standing::Rewritten
        );
        Some(Self {
            arena,
            measured: if has_figures {
                measured(arena, &standing)
            } else {
                Vec::new()
            },
            standing,
            rounds,
        })
    }

    /// Its questions among the many.
    fn asked(&self) -> impl Iterator<Item = &Question> {
        let primary = self.measured.iter().filter(|one| one.is_primary);
        primary.filter_map(|one| one.question.as_ref())
    }

    /// `levels`: the error rates of the questions to come; `others`: that of what is no question among the many.
    fn judged(self, levels: &mut impl Iterator<Item = f64>, others: f64) -> BenchmarkResult {
        let (arena, described) = (self.arena, self.standing == Standing::Described);
        let figure = |one: Measured| {
            let Some(question) = &one.question else {
                return counted::figure(&one.series, arena.margin, !described);
            };
            let alpha = match (described, one.is_primary) {
                (true, _) => arena.alpha,
                (false, true) => levels.next().unwrap_or(others),
                (false, false) => others,
            };
            // A throughput follows from the time.
            let own = one.is_primary || !matches!(one.series.quantity, Quantity::Throughput(_));
            timed::figure(&one.series, question, alpha, own && !described)
        };
        let (harness, program) = tool(arena);
        BenchmarkResult {
            harness,
            program,
            name: arena.case.clone(),
            figures: self.measured.into_iter().map(figure).collect(),
            standing: self.standing,
            rounds: self.rounds,
            launches: values::launches(arena),
        }
    }
}

fn measured(arena: &ArenaRecord, standing: &Standing) -> Vec<Measured> {
    let samples = samples::of(arena);
    let of = |series: Series| {
        let is_timed = !series.quantity.counted();
        let is_primary = samples.primary.as_ref() == Some(&series.quantity);
        Measured {
            question: is_timed.then(|| Question::of(&series, arena.margin)),
            is_primary: is_timed && is_primary && *standing != Standing::Described,
            series,
        }
    };
    samples.series.into_iter().map(of).collect()
}

fn tool(arena: &ArenaRecord) -> (String, String) {
    let mut subjects = arena.entrants.iter().map(|entrant| &entrant.subject);
    let found = subjects.find_map(|subject| match subject {
        Subject::Benchmark { harness, program, .. } => Some((harness.clone(), program.clone())),
        _ => None,
    });
    found.unwrap_or_else(|| (String::new(), arena.workload.clone()))
}

fn standing(arena: &ArenaRecord) -> Standing {
    let fault = |side: &str| {
        let own = |entrant: &&EntrantRecord| entrant.id.name == side;
        arena.entrants.iter().find(own)?.fault.as_ref()
    };
    let has = |side: &str, kind: FaultKind| fault(side).is_some_and(|fault| fault.kind == kind);
    let failed = |side: &str| fault(side).map(|fault: &Fault| (side.to_owned(), fault.clone()));
    if has(BEFORE, FaultKind::Absent) {
        Standing::Added
    } else if has(AFTER, FaultKind::Absent) {
        Standing::Removed
    } else if has(AFTER, FaultKind::Rewritten) {
        Standing::Rewritten
    } else if let Some((side, fault)) = failed(BEFORE).or_else(|| failed(AFTER)) {
        Standing::Failed { side, fault }
    } else if arena.entrants.len() < 2 {
        Standing::Described
    } else if is_rewritten(arena) {
        Standing::Rewritten
    } else {
        Standing::Judged
    }
}

/// Whether the sources of the benchmark itself are known to differ between the sides.
fn is_rewritten(arena: &ArenaRecord) -> bool {
    let source = |entrant: &EntrantRecord| match &entrant.subject {
        Subject::Benchmark { source, .. } => source.clone(),
        _ => None,
    };
    let sources: Vec<String> = arena.entrants.iter().filter_map(source).collect();
    sources.windows(2).any(|two| two[0] != two[1])
}
