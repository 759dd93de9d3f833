//! The results of one contender by itself: state, figures, requests, noise, flags.

use tare_model::fault::{Fault, FaultKind};
use tare_model::histogram::Histogram;
use tare_model::late::{self, Lateness};
use tare_model::measure::{RequestCounts, SliceReading};
use tare_model::metric::Mode;
use tare_model::record::{ArenaRecord, Phase, SteadyRecord};
use tare_model::results::{ContenderResult, Covariates, ServiceCost, State};
use tare_model::units::{Seconds, Share};

use crate::convert::as_estimate;
use crate::values::{Values, has_rounds};
use crate::{bound, compilers, levels, spread, warmup};

/// Everything but the figures, of every contender.
pub(crate) fn describe(arena: &ArenaRecord) -> Vec<ContenderResult> {
    let launches = arena.launches.iter();
    let judged: Vec<Vec<SteadyRecord>> = launches.map(|launch| warmup::judgements(arena, launch)).collect();
    (0..arena.entrants.len())
        .map(|entrant| {
            let mine =
                |launch: &Vec<SteadyRecord>| launch.iter().copied().find(|record| record.entrant == entrant);
            describe_one(arena, entrant, &judged.iter().map(mine).collect::<Vec<_>>())
        })
        .collect()
}

/// `judged`: how it settled, launch by launch; none where it was not warmed up.
fn describe_one(arena: &ArenaRecord, entrant: usize, judged: &[Option<SteadyRecord>]) -> ContenderResult {
    let record = &arena.entrants[entrant];
    let of_rounds = arena
        .slices
        .iter()
        .filter(|slice| slice.entrant == entrant && slice.phase == Phase::Round);
    let readings: Vec<&SliceReading> = of_rounds.map(|slice| &slice.reading).collect();
    let (state, fault) = state(arena, entrant, judged);
    let covariates = covariates(arena, &readings);
    let latency = latency(&readings);
    let command = arena.mode == Mode::Command && state == State::Measured;
    // In process there is no generator that could limit it.
    let capacity = arena.mode == Mode::Capacity && state == State::Measured && !arena.driving.in_process();
    ContenderResult {
        id: record.id.clone(),
        summary: record.summary.clone(),
        subject: record.subject.clone(),
        state,
        fault,
        bound: capacity.then(|| bound::of(&covariates, beside(arena, &readings))),
        levels: levels::tried(arena, entrant),
        metrics: Default::default(),
        net: Default::default(),
        spread: command.then(|| spread::of(&readings)).flatten(),
        ranks: Default::default(),
        late: late(arena, &latency, &lag(&readings), covariates.load_busy),
        latency,
        requests: requests(&readings),
        checked: mean_share(readings.iter().map(|reading| reading.load.checked.0)),
        covariates,
        services: services(&readings),
        warm_up: warmup::curves(arena, entrant, judged),
        flags: flags((arena, entrant), judged, &readings),
    }
}

/// Fills in the contenders' figures on one metric. Contenders with a fault have none.
pub(crate) fn estimate(arena: &ArenaRecord, values: &Values, contenders: &mut [ContenderResult]) {
    for (entrant, contender) in contenders.iter_mut().enumerate() {
        if !matches!(contender.state, State::Measured | State::NotSteady) {
            continue;
        }
        if let Some(found) = tare_stats::mean::over_launches(&values.of_entrant(entrant), arena.alpha) {
            contender.metrics.insert(values.metric, as_estimate(&found));
        }
    }
}

fn state(arena: &ArenaRecord, entrant: usize, judged: &[Option<SteadyRecord>]) -> (State, Option<Fault>) {
    if let Some(fault) = &arena.entrants[entrant].fault {
        return (state_of(fault.kind), Some(fault.clone()));
    }
    if !has_rounds(arena, entrant) {
        let text = "the run ended before it was measured: it was interrupted, or needs a larger --budget";
        return (State::Skipped, Some(Fault::new(FaultKind::Instrument, text)));
    }
    match unsteady(judged) {
        Some(fault) => (State::NotSteady, Some(fault)),
        None => (State::Measured, None),
    }
}

fn state_of(kind: FaultKind) -> State {
    match kind {
        FaultKind::MissingTool
        | FaultKind::Broken
        | FaultKind::OutOfReach
        | FaultKind::Absent
        | FaultKind::Rewritten
        | FaultKind::NoService => State::Skipped,
        FaultKind::Wrong
        | FaultKind::Unasked
        | FaultKind::ClosedEarly
        | FaultKind::Tls
        | FaultKind::Hung
        | FaultKind::Implausible => State::Wrong,
        FaultKind::NotSteady => State::NotSteady,
        FaultKind::BuildFailed
        | FaultKind::DiedAtStart
        | FaultKind::NeverReady
        | FaultKind::Died
        | FaultKind::NotPaused
        | FaultKind::ServiceDied
        | FaultKind::Instrument => State::Failed,
    }
}

/// A contender is not steady if it did not settle in most launches. Single launches are flagged, not dropped.
fn unsteady(judged: &[Option<SteadyRecord>]) -> Option<Fault> {
    let all = judged.iter().flatten();
    let restless: Vec<&SteadyRecord> = all.clone().filter(|record| !record.steady).collect();
    let all = all.count();
    if restless.len() * 2 <= all {
        return None;
    }
    let last = restless.iter().filter_map(|record| record.drift).next_back();
    let drift = match last {
        Some((low, high)) => {
            format!(
                ", the remaining drift being between {:+.1}% and {:+.1}%",
                low * 100.0,
                high * 100.0
            )
        }
        None => String::new(),
    };
    let text = format!(
        "did not settle in {} of {all} launches{drift}; a larger --budget warms up longer",
        restless.len()
    );
    Some(Fault::new(FaultKind::NotSteady, text))
}

fn latency(readings: &[&SliceReading]) -> Histogram {
    let mut all = Histogram::new();
    readings
        .iter()
        .for_each(|reading| all.merge(&reading.load.latency));
    all
}

fn lag(readings: &[&SliceReading]) -> Histogram {
    let mut all = Histogram::new();
    readings.iter().for_each(|reading| all.merge(&reading.load.lag));
    all
}

/// What is withheld because the generator was late. Only an open loop has send times that can be missed.
fn late(arena: &ArenaRecord, latency: &Histogram, lag: &Histogram, busy: Share) -> Option<Lateness> {
    let open = arena.mode == Mode::Cost && !arena.driving.in_process();
    open.then(|| late::judge(lag, latency, busy)).flatten()
}

fn requests(readings: &[&SliceReading]) -> RequestCounts {
    readings.iter().fold(RequestCounts::default(), |sum, reading| {
        let requests = reading.load.requests;
        RequestCounts {
            sent: sum.sent + requests.sent,
            valid: sum.valid + requests.valid,
            invalid: sum.invalid + requests.invalid,
            lost: sum.lost + requests.lost,
        }
    })
}

fn covariates(arena: &ArenaRecord, readings: &[&SliceReading]) -> Covariates {
    let answers: u64 = readings.iter().map(|reading| reading.load.requests.valid).sum();
    let per_answer = |total: f64| if answers == 0 { 0.0 } else { total / answers as f64 };
    let cores = (arena.placement.contender.len() + cores_of_load(arena)).max(1) as f64;
    let lag = lag(readings);
    let quantile = |q| lag.quantile(q).map(Seconds::from_nanos);
    let pressures: Vec<f64> = readings
        .iter()
        .filter_map(|reading| Some(reading.host.pressure?.0))
        .collect();
    Covariates {
        steal: mean_share(
            readings
                .iter()
                .map(|r| r.host.steal.0 / (r.host.thawed.0 * cores).max(1e-9)),
        ),
        pressure: (!pressures.is_empty()).then(|| mean_share(pressures.iter().copied())),
        contender_busy: mean_share(readings.iter().map(|reading| reading.host.busy.0)),
        load_busy: mean_share(readings.iter().map(|reading| reading.load.busy.0)),
        load_cpu_per_op: Seconds(per_answer(
            readings.iter().map(|reading| reading.load.cpu.0).sum(),
        )),
        switches_per_op: per_answer(readings.iter().map(|reading| reading.host.switches as f64).sum()),
        lag: quantile(0.5).zip(quantile(0.999)),
    }
}

/// The cores of the load on the contenders' machine.
fn cores_of_load(arena: &ArenaRecord) -> usize {
    match arena.placement.agents.as_slice() {
        [] => arena.placement.load.len(),
        _ => 0,
    }
}

/// The CPU time of each service per right answer, in the order in which the services first appear.
fn services(readings: &[&SliceReading]) -> Vec<ServiceCost> {
    let answers: u64 = readings.iter().map(|reading| reading.load.requests.valid).sum();
    let mut costs: Vec<ServiceCost> = Vec::new();
    for service in readings.iter().flat_map(|reading| &reading.services) {
        match costs.iter_mut().find(|cost| cost.name == service.name) {
            Some(cost) => cost.cpu_per_op.0 += service.cpu.0,
            None => costs.push(ServiceCost {
                name: service.name.clone(),
                cpu_per_op: service.cpu,
            }),
        }
    }
    // Without answers there is no cost per answer.
    costs.retain(|_| answers > 0);
    costs
        .iter_mut()
        .for_each(|cost| cost.cpu_per_op.0 /= answers as f64);
    costs
}

/// The share of the load's cores that the generator and the services used together, as the mean over slices.
fn beside(arena: &ArenaRecord, readings: &[&SliceReading]) -> Share {
    let placement = &arena.placement;
    // Other machines have the load to themselves.
    let is_alone = placement.services_on.is_some() || !placement.agents.is_empty();
    if placement.services.is_empty() || is_alone {
        return Share(0.0);
    }
    let cores = cores_of_load(arena).max(1) as f64;
    mean_share(readings.iter().map(|reading| {
        // A contender's own front runs on the contender's cores, not beside the load.
        let services = reading.services.iter();
        let services = services.filter(|service| placement.services.contains(&service.name));
        let services: f64 = services.map(|service| service.cpu.0).sum();
        (reading.load.cpu.0 + services) / (reading.host.thawed.0 * cores).max(1e-9)
    }))
}

fn mean_share(values: impl ExactSizeIterator<Item = f64>) -> Share {
    let count = values.len().max(1) as f64;
    // The sum of nothing is -0.
    Share(values.sum::<f64>() / count + 0.0)
}

fn flags(
    (arena, entrant): (&ArenaRecord, usize),
    judged: &[Option<SteadyRecord>],
    readings: &[&SliceReading],
) -> Vec<String> {
    let mut flags = Vec::new();
    let at_work = warmup::began_at_work(arena, entrant);
    if at_work > 0 {
        flags.push(format!(
            "other threads than that of its loop were at work when {at_work} of {} launches began to be measured: a compiler, for \
             whose work it would be faster, or a collector",
            arena.launches.len()
        ));
    }
    let compilers = compilers::began_at_work(arena, entrant);
    if compilers > 0 {
        flags.push(format!(
            "its compiler was at work when {compilers} of {} launches began to be measured, and it is cheaper once that has \
             ended: more --budget allows for longer warm-ups",
            arena.launches.len()
        ));
    }
    let overflows: u64 = readings.iter().map(|reading| reading.load.overflows).sum();
    if overflows > 0 {
        flags.push(format!(
            "connections found its listen queue full {overflows} times: each such connect is tried again, within what is \
             measured a second later or more"
        ));
    }
    let retransmits: u64 = readings.iter().map(|reading| reading.load.retransmits).sum();
    // The counter covers the whole machine; a busy kernel sends a few of its own.
    let answers: u64 = readings.iter().map(|reading| reading.load.requests.valid).sum();
    if retransmits > answers / 100 {
        flags.push(format!(
            "{retransmits} TCP segments were sent again on this machine during its slices"
        ));
    }
    let reopened: u32 = readings.iter().map(|reading| reading.load.reopened).sum();
    if reopened > 0 {
        flags.push(format!(
            "it had closed {reopened} idle connections between slices; they were opened again"
        ));
    }
    let all = judged.iter().flatten().count();
    let restless = judged.iter().flatten().filter(|record| !record.steady).count();
    if restless > 0 && restless * 2 <= all {
        flags.push(format!("it had not settled in {restless} of {all} launches"));
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::measure::ServiceReading;

    #[test]
    fn the_cost_of_a_service_is_divided_among_all_right_answers() {
        let slice = |right: u64, used: &[(&str, f64)]| {
            let mut reading = SliceReading::default();
            reading.load.requests.valid = right;
            let services = used.iter().map(|(name, cpu)| ServiceReading {
                name: (*name).to_owned(),
                cpu: Seconds(*cpu),
            });
            reading.services = services.collect();
            reading
        };
        let slices = [
            slice(100, &[("db", 0.25), ("cache", 1.0)]),
            slice(300, &[("db", 0.75)]),
        ];
        let costs = services(&slices.iter().collect::<Vec<_>>());
        let found: Vec<(&str, f64)> = costs
            .iter()
            .map(|cost| (cost.name.as_str(), cost.cpu_per_op.0))
            .collect();
        assert_eq!(found, [("db", 0.0025), ("cache", 0.0025)]);
        // Without an answer there is no cost per answer.
        assert_eq!(services(&[&slice(0, &[("db", 0.25)])]), []);
    }
}
