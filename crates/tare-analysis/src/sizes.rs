//! Cost as a function of size: the arenas of a swept case together.

use tare_model::comparison::Comparison;
use tare_model::metric::{Metric, Mode};
use tare_model::record::ArenaRecord;
use tare_model::results::{State, WorkloadResult};
use tare_model::sweep::{
    Affordable, AtSize, Cheaper, ExtraOf, LineDifference, NoLine, SizeCosts, SizeLine, SizePair, SweepResult,
};
use tare_stats::mean::Mean;
use tare_stats::sizes::{self as lines, Line, Linearity, Model, Pair, model};
use tare_stats::{multiplicity, net};

use crate::arena::{analyse, metrics};
use crate::convert::{as_estimate, break_even};
use crate::replicates::{LEAST_ROUNDS, Replicates, replicates};
use crate::values::Values;

/// Shares of a request that an extra cost is compared with.
const SHARES: [f64; 3] = [0.10, 0.05, 0.01];

/// Points of a fitted curve.
const CURVE: usize = 33;

/// The swept cases of a run, each with all its sizes, in the order of the run. `results` are those of `arenas`.
pub(crate) fn sweeps(arenas: &[ArenaRecord], results: &[WorkloadResult]) -> Vec<SweepResult> {
    let same = |a: &ArenaRecord, b: &ArenaRecord| {
        (&a.workload, &a.case, a.mode, &a.sweep) == (&b.workload, &b.case, b.mode, &b.sweep)
    };
    let mut begin = 0;
    let mut out = Vec::new();
    for together in arenas.chunk_by(same) {
        let range = begin..begin + together.len();
        begin = range.end;
        out.extend(Sweep::of(&arenas[range.clone()], &results[range]).and_then(|sweep| sweep.result()));
    }
    out
}

/// Whether all questions on the lines of these arenas (a group's) are decided: each line holds or is refuted, and where
/// both of a pair have one, their break-even is known. Arenas without sizes have no lines.
pub fn settled(arenas: &[ArenaRecord]) -> bool {
    if arenas.iter().all(|arena| arena.size.is_none()) {
        return true;
    }
    let results: Vec<WorkloadResult> = arenas.iter().map(analyse).collect();
    let of_line = |costs: &SizeCosts| match &costs.line {
        Ok(line) => line.holds,
        Err(NoLine::Bent { .. } | NoLine::FewSizes { .. }) => true,
        Err(_) => false,
    };
    let of_pair = |pair: &SizePair| pair.lines.as_ref().is_none_or(|lines| lines.break_even.is_some());
    let sweeps = sweeps(arenas, &results);
    let mut all = sweeps.iter();
    all.all(|sweep| sweep.contenders.iter().all(of_line) && sweep.pairs.iter().all(of_pair))
}

/// The arenas of a swept case in one mode.
struct Sweep<'r> {
    arenas: &'r [ArenaRecord],
    results: &'r [WorkloadResult],
    sizes: Vec<u64>,
    metric: Metric,
    /// By size.
    values: Vec<Values>,
}

/// One contender's data.
struct Member {
    entrant: usize,
    replicates: Replicates,
    /// Each replicate's line, where cost may be linear.
    lines: Option<Vec<Option<Line>>>,
}

impl<'r> Sweep<'r> {
    /// None where the arenas are not of a swept case, or have no cost metric.
    fn of(arenas: &'r [ArenaRecord], results: &'r [WorkloadResult]) -> Option<Self> {
        let sizes: Option<Vec<u64>> = arenas.iter().map(|arena| arena.size).collect();
        let first = arenas.first()?;
        first.sweep.as_ref()?;
        let is_cost = |metric: &Metric| match metric {
            Metric::CpuPerOp | Metric::TimePerOp => true,
            // The duration of a batch is that of many concurrent requests, which is not a cost per size.
            Metric::Duration => first.mode == Mode::Command,
            _ => false,
        };
        let metric = metrics(first).into_iter().find(is_cost)?;
        Some(Self {
            values: arenas.iter().map(|arena| Values::of(arena, metric)).collect(),
            arenas,
            results,
            sizes: sizes?,
            metric,
        })
    }

    fn result(&self) -> Option<SweepResult> {
        let (first, result) = (&self.arenas[0], &self.results[0]);
        let members: Vec<Member> = self.measured().map(|entrant| self.member(entrant)).collect();
        let baseline = result.baseline.as_ref().and_then(|id| first.entrant(id));
        let against = members.iter().find(|member| Some(member.entrant) == baseline);
        let alpha = multiplicity::against_baseline(first.alpha, members.len());
        let others = || members.iter().filter(|member| Some(member.entrant) != baseline);
        Some(SweepResult {
            workload: first.workload.clone(),
            case: first.case.clone(),
            mode: first.mode,
            name: first.sweep.clone()?,
            sizes: self.sizes.clone(),
            metric: self.metric,
            primary: self.metric == first.primary,
            baseline: against.map(|member| first.entrants[member.entrant].id.clone()),
            placement: first.placement.clone(),
            alpha: first.alpha,
            rounds: self.results.iter().map(|result| result.rounds).min()?,
            launches: self.launches(),
            provisional: self.launches() == 1,
            contenders: members.iter().map(|member| self.costs(member)).collect(),
            pairs: against.map_or(Vec::new(), |b| others().map(|a| self.pair(a, b, alpha)).collect()),
        })
    }

    /// Entrants with figures at every size.
    fn measured(&self) -> impl Iterator<Item = usize> {
        let everywhere = |entrant: &usize| {
            self.results
                .iter()
                .all(|result| result.contenders[*entrant].state == State::Measured)
        };
        let first = &self.arenas[0];
        // The floor of commands has no size.
        let floor = first.floor.as_ref().filter(|_| first.mode == Mode::Command);
        let floor = floor.and_then(|id| first.entrant(id));
        (0..first.entrants.len())
            .filter(move |entrant| Some(*entrant) != floor)
            .filter(everywhere)
    }

    /// Number of launches with rounds at every size.
    fn launches(&self) -> u32 {
        let all = self.results.iter().map(|result| result.launches);
        all.min().unwrap_or(0)
    }

    fn member(&self, entrant: usize) -> Member {
        let values: Vec<&Values> = self.values.iter().collect();
        let replicates = replicates(&values, self.launches(), entrant);
        let mut member = Member {
            entrant,
            lines: None,
            replicates,
        };
        let is_line = |model: &Model| model.tested() && model.linearity() != Linearity::Bent;
        if let Some(model) = self.model(&member).filter(is_line) {
            let mut fitted = model.lines().iter().copied();
            let whole = member.replicates.iter();
            member.lines = Some(
                whole
                    .map(|costs| costs.as_ref().and_then(|_| fitted.next()))
                    .collect(),
            );
        }
        member
    }

    fn model(&self, member: &Member) -> Option<Model> {
        let whole: Vec<Vec<f64>> = member.replicates.iter().flatten().cloned().collect();
        let sizes: Vec<f64> = self.sizes.iter().map(|size| *size as f64).collect();
        Model::fit(&sizes, &whole, self.arenas[0].alpha)
    }

    fn costs(&self, member: &Member) -> SizeCosts {
        let id = &self.arenas[0].entrants[member.entrant].id;
        let point = |(size, result): (&u64, &WorkloadResult)| {
            let figure = *result.contenders[member.entrant].metrics.get(&self.metric)?;
            Some(AtSize {
                size: *size as f64,
                figure,
            })
        };
        SizeCosts {
            id: id.clone(),
            points: self.sizes.iter().zip(self.results).filter_map(point).collect(),
            line: match self.model(member) {
                Some(model) => self.line(&model),
                None => Err(self.untested()),
            },
        }
    }

    /// What is missing to test a line.
    fn untested(&self) -> NoLine {
        let sizes = self.sizes.len();
        if sizes < model::LEAST_SIZES {
            return NoLine::FewSizes {
                found: sizes as u32,
                needed: model::LEAST_SIZES as u32,
            };
        }
        if self.launches() == 1 {
            let rounds = self.results.iter().map(|result| result.rounds).min();
            return NoLine::FewRounds {
                found: rounds.unwrap_or(0),
                needed: LEAST_ROUNDS as u32,
            };
        }
        NoLine::FewLaunches {
            found: self.launches(),
            needed: model::least_replicates(sizes, self.arenas[0].alpha) as u32,
        }
    }

    fn line(&self, model: &Model) -> Result<SizeLine, NoLine> {
        if !model.tested() {
            return Err(self.untested());
        }
        let departures = model.departures().iter().map(|departure| AtSize {
            size: departure.size,
            figure: as_estimate(&departure.share),
        });
        if model.linearity() == Linearity::Bent {
            let beyond = |departure: &AtSize| {
                let (low, high) = (departure.figure.low, departure.figure.high);
                low.is_some_and(|low| low > model::BENT) || high.is_some_and(|high| high < -model::BENT)
            };
            return Err(NoLine::Bent {
                departures: departures.filter(beyond).collect(),
            });
        }
        let largest = departures.max_by(|a, b| a.figure.estimate.abs().total_cmp(&b.figure.estimate.abs()));
        Ok(SizeLine {
            fixed: as_estimate(&model.fixed()),
            per_unit: as_estimate(&model.per_unit()),
            curve: self.curve_sizes().map(|size| at(size, &model.at(size))).collect(),
            departure: largest.ok_or_else(|| self.untested())?,
            holds: model.linearity() == Linearity::Holds,
        })
    }

    /// Sizes for a curve, evenly spaced on a logarithmic axis.
    fn curve_sizes(&self) -> impl Iterator<Item = f64> {
        let low = (self.sizes[0] as f64).max(1.0);
        let high = self.sizes[self.sizes.len() - 1] as f64;
        (0..CURVE).map(move |step| low * (high / low).powf(step as f64 / (CURVE - 1) as f64))
    }

    /// Which of a contender and the baseline is shown to be cheaper at a measured size, by their comparison.
    fn cheaper(&self, size: u64, a: &Member) -> Option<Cheaper> {
        let index = self.sizes.iter().position(|other| *other == size)?;
        let id = &self.arenas[0].entrants[a.entrant].id;
        by_ratio(self.results[index].comparison(id, self.metric)?)
    }

    fn pair(&self, a: &Member, b: &Member, alpha: f64) -> SizePair {
        let id = |member: &Member| self.arenas[0].entrants[member.entrant].id.clone();
        let both: Vec<(&Vec<f64>, &Vec<f64>)> = a
            .replicates
            .iter()
            .zip(&b.replicates)
            .filter_map(|(a, b)| a.as_ref().zip(b.as_ref()))
            .collect();
        let extra: Vec<(u64, Mean)> = (0..self.sizes.len())
            .filter_map(|index| {
                let costs: Vec<(f64, f64)> = both.iter().map(|(a, b)| (a[index], b[index])).collect();
                Some((self.sizes[index], net::net(&costs, alpha)?))
            })
            .collect();
        let lines = difference(a, b, alpha);
        let fixed = lines.as_ref().map(|lines| (ExtraOf::Fixed, lines.fixed));
        let sized = extra.iter().map(|(size, extra)| (ExtraOf::Size(*size), *extra));
        SizePair {
            a: id(a),
            b: id(b),
            alpha,
            affordable: fixed
                .into_iter()
                .chain(sized)
                .map(|(of, extra)| affordable(of, &extra))
                .collect(),
            extra: extra
                .iter()
                .map(|(size, extra)| at(*size as f64, extra))
                .collect(),
            cheaper: extra.iter().map(|(size, _)| self.cheaper(*size, a)).collect(),
            lines: lines.map(|lines| line_difference(&lines)),
        }
    }
}

/// Which of two costs less, by the interval of their ratio.
fn by_ratio(comparison: &Comparison) -> Option<Cheaper> {
    match (comparison.low, comparison.high) {
        (_, Some(high)) if high < 1.0 => Some(Cheaper::A),
        (Some(low), _) if low > 1.0 => Some(Cheaper::B),
        _ => None,
    }
}

fn at(size: f64, figure: &Mean) -> AtSize {
    AtSize {
        size,
        figure: as_estimate(figure),
    }
}

/// The difference of two lines over the replicates that both have.
fn difference(a: &Member, b: &Member, alpha: f64) -> Option<Pair> {
    let pairs = a.lines.as_ref()?.iter().zip(b.lines.as_ref()?);
    let both: Vec<(Line, Line)> = pairs.filter_map(|(a, b)| (*a).zip(*b)).collect();
    Pair::of(&both, alpha)
}

fn line_difference(pair: &Pair) -> LineDifference {
    LineDifference {
        fixed: as_estimate(&pair.fixed),
        per_unit: as_estimate(&pair.per_unit),
        crossing: pair.crossing,
        break_even: pair.even.map(break_even),
    }
}

fn affordable(of: ExtraOf, extra: &Mean) -> Affordable {
    let from = |share| (share, as_estimate(&lines::afford::from(extra, share)));
    Affordable {
        of,
        extra: as_estimate(extra),
        from: SHARES.map(from).to_vec(),
    }
}
