//! Records for the tests, random from a seed, and how they are kept event by event.

use fastrand::Rng;
use tare_model::claim::{Claim, Conditions, Relation};
use tare_model::driving::{Batch, Driving, Load};
use tare_model::fault::{Fault, FaultKind};
use tare_model::figure::{Figure, Quantity};
use tare_model::histogram::Histogram;
use tare_model::ids::ContenderId;
use tare_model::manifest::Style;
use tare_model::measure::{HostReading, LoadReading, RequestCounts, ServiceReading, SliceReading};
use tare_model::metric::{Metric, Mode};
use tare_model::placement::{Node, Placement};
use tare_model::published::Published;
use tare_model::record::{ArenaRecord, EntrantRecord, LaunchRecord, Phase, SliceRecord, SteadyRecord};
use tare_model::results::Machine;
use tare_model::settings::{
    BenchmarkSettings, CommandSettings, ContenderSettings, Many, RequestSettings, Revisions, RunKind,
    Settings, Surroundings,
};
use tare_model::subject::{Contained, Subject};
use tare_model::units::{Bytes, PerSecond, Seconds, Share};

use crate::{ArenaKey, NewRun, RunWriter};

/// A start: 2026-11-21 20:45:12 UTC.
pub(crate) const STARTED: i64 = 1_795_293_912;

/// Runs a property on seeds; a failing one is printed, and `TARE_SEED=…` runs it alone.
pub(crate) fn property(seeds: u64, holds: impl Fn(&mut Rng)) {
    let alone = std::env::var("TARE_SEED").ok().and_then(|seed| seed.parse().ok());
    for seed in alone.map_or(0..seeds, |seed: u64| seed..seed + 1) {
        // Shown by the test harness if the property fails.
        println!("TARE_SEED={seed}");
        holds(&mut Rng::with_seed(seed));
    }
}

pub(crate) fn new_run(rng: &mut Rng) -> NewRun {
    NewRun {
        started: STARTED + rng.i64(0..1_000_000),
        tare: "0.1.0".to_owned(),
        imported: None,
        machine: Machine {
            host: text(rng),
            cpu: text(rng),
            cores: rng.u32(..),
            memory: count(rng),
            kernel: text(rng),
            os: text(rng),
            freezer: text(rng),
            accounting: text(rng),
        },
        settings: settings(rng),
    }
}

fn node(rng: &mut Rng) -> Node {
    Node {
        name: text(rng),
        host: text(rng),
        cpu: text(rng),
        cores: rng.u32(..),
    }
}

pub(crate) fn arena(rng: &mut Rng) -> ArenaRecord {
    let entrants: Vec<_> = (0..rng.usize(1..6)).map(|index| entrant(rng, index)).collect();
    let (launches, slices) = launches(rng, entrants.len());
    ArenaRecord {
        workload: "doubling".to_owned(),
        summary: text(rng),
        case: "one-core".to_owned(),
        case_summary: text(rng),
        sweep: rng.bool().then(|| "bytes".to_owned()),
        size: rng.bool().then(|| count(rng)),
        mode: *pick(rng, &Mode::ALL),
        driving: driving(rng),
        placement: Placement {
            contender: cores(rng),
            load: cores(rng),
            services: (0..rng.usize(0..3)).map(|_| text(rng)).collect(),
            services_on: rng.bool().then(|| node(rng)),
            agents: (0..rng.usize(0..3)).map(|_| node(rng)).collect(),
        },
        primary: *pick(rng, &Metric::ALL),
        floor: rng.bool().then(|| ContenderId::plain("c-epoll")),
        baseline: rng.bool().then(|| ContenderId::variant("node", "cluster")),
        margin: rng.f64(),
        alpha: rng.f64(),
        published: (0..rng.usize(0..4)).map(|_| published(rng)).collect(),
        claims: (0..rng.usize(0..4)).map(|_| claim(rng)).collect(),
        entrants,
        launches,
        slices,
    }
}

fn entrant(rng: &mut Rng, index: usize) -> EntrantRecord {
    let fault = rng
        .bool()
        .then(|| Fault::new(*pick(rng, &FaultKind::ALL), text(rng)));
    EntrantRecord {
        id: ContenderId {
            name: format!("contender-{index}"),
            variant: rng.bool().then(|| "all".to_owned()),
        },
        summary: text(rng),
        subject: subject(rng),
        fault_launch: fault.as_ref().and_then(|_| rng.bool().then(|| rng.u32(..))),
        fault,
    }
}

fn subject(rng: &mut Rng) -> Subject {
    match rng.u8(0..5) {
        0 => Subject::Command { command: text(rng) },
        1 => Subject::NoCommand { command: text(rng) },
        2 => Subject::Server { url: text(rng) },
        3 => Subject::Benchmark {
            harness: text(rng),
            program: text(rng),
            source: rng.bool().then(|| text(rng)),
        },
        _ => Subject::Contender {
            language: text(rng),
            style: *pick(rng, &Style::ALL),
            stands_in_for: rng.bool().then(|| text(rng)),
            versions: pairs(rng),
            built: rng.bool().then(|| text(rng)),
            container: rng.bool().then(|| Contained {
                engine: text(rng),
                image: text(rng),
                bases: pairs(rng),
                substitutes: pairs(rng),
            }),
            scheme: rng.bool().then(|| text(rng)),
        },
    }
}

fn driving(rng: &mut Rng) -> Driving {
    match rng.u8(0..5) {
        0 => Driving::Unknown,
        1 => Driving::InProcess {
            slice: Seconds(rng.f64()),
        },
        2 => Driving::Commands { runs: rng.u32(..) },
        3 => Driving::Benchmark {
            iterations: rng.bool().then(|| rng.u64(..)),
            time: rng.bool().then(|| Seconds(rng.f64())),
        },
        _ => Driving::Load(Load {
            connections: (0..rng.usize(0..3)).map(|_| rng.u32(..)).collect(),
            depth: rng.u32(..),
            batch: rng.bool().then(|| Batch {
                programs: rng.u32(..),
                requests: rng.u32(..),
            }),
            awake: rng.bool().then(|| rng.bool()),
            rate: rng.bool().then(|| PerSecond(rng.f64() * 1e6)),
            ..Load::default()
        }),
    }
}

fn settings(rng: &mut Rng) -> Settings {
    let kinds = [
        RunKind::Run,
        RunKind::Explain,
        RunKind::Time,
        RunKind::Load,
        RunKind::Diff,
        RunKind::Import,
        RunKind::Bench,
    ];
    Settings {
        kind: *pick(rng, &kinds),
        budget: rng.bool().then(|| Seconds(rng.f64())),
        margin: rng.bool().then(|| rng.f64()),
        alpha: rng.bool().then(|| rng.f64()),
        seed: rng.bool().then(|| rng.u64(..)),
        rate: rng.bool().then(|| PerSecond(rng.f64())),
        revision: rng.bool().then(|| text(rng)),
        revisions: rng.bool().then(|| Revisions {
            before: text(rng),
            after: text(rng),
        }),
        contenders: rng.bool().then(|| ContenderSettings {
            manifests: text(rng),
            connections: (0..rng.usize(0..3)).map(|_| rng.u32(..)).collect(),
            cores_load: rng.bool().then(|| cores(rng)),
            hosts: (0..rng.usize(0..3)).map(|_| text(rng)).collect(),
            service_host: rng.bool().then(|| text(rng)),
            address: rng.bool().then(|| std::net::Ipv4Addr::from(rng.u32(..)).into()),
            ..ContenderSettings::default()
        }),
        commands: rng.bool().then(|| CommandSettings {
            runs: rng.bool().then(|| rng.u32(..)),
            most_runs: rng.bool().then(|| rng.u32(..)),
            around: Surroundings {
                setup: vec![text(rng)],
                input: rng.bool().then(|| text(rng)),
                ..Surroundings::default()
            },
            ..CommandSettings::default()
        }),
        requests: rng.bool().then(|| RequestSettings {
            headers: vec![text(rng)],
            status: rng.bool().then(|| rng.u16(..)),
            ..RequestSettings::default()
        }),
        benchmarks: rng.bool().then(|| BenchmarkSettings {
            harnesses: (0..rng.usize(0..3)).map(|_| text(rng)).collect(),
            only: rng.bool().then(|| text(rng)),
            benchmarks_from: rng.bool().then(|| text(rng)),
            layouts: rng.u32(..),
            many: *pick(rng, &[Many::Discoveries, Many::Family]),
        }),
        ..Settings::default()
    }
}

fn launches(rng: &mut Rng, entrants: usize) -> (Vec<LaunchRecord>, Vec<SliceRecord>) {
    let mut slices = Vec::new();
    let launches = (0..rng.u32(0..4)).map(|number| {
        for phase in Phase::ALL {
            for round in 0..rng.u32(0..4) {
                slices.extend(round_of(rng, phase, number, round, entrants));
            }
        }
        let steady = (0..entrants).filter(|_| rng.bool()).collect::<Vec<_>>();
        LaunchRecord {
            number,
            node: 0,
            began: Seconds(rng.f64() * 1000.0),
            steady: steady.into_iter().map(|entrant| settled(rng, entrant)).collect(),
        }
    });
    (launches.collect(), slices)
}

fn settled(rng: &mut Rng, entrant: usize) -> SteadyRecord {
    SteadyRecord {
        entrant,
        steady: rng.bool(),
        truncated_at: rng.u32(..),
        drift: rng.bool().then(|| (rng.f64() - 0.5, rng.f64())),
    }
}

/// An arena with this number of entrants, the first launch, and no slices.
pub(crate) fn arena_of(rng: &mut Rng, entrants: usize) -> ArenaRecord {
    ArenaRecord {
        entrants: (0..entrants).map(|index| entrant(rng, index)).collect(),
        launches: vec![launch(0)],
        slices: Vec::new(),
        floor: Some(ContenderId::plain("c-epoll")),
        ..arena(rng)
    }
}

/// A launch that has begun.
pub(crate) fn launch(number: u32) -> LaunchRecord {
    LaunchRecord {
        number,
        node: 0,
        began: Seconds(f64::from(number) * 60.0),
        steady: Vec::new(),
    }
}

/// A round of all entrants in a random order.
pub(crate) fn round_of(
    rng: &mut Rng,
    phase: Phase,
    launch: u32,
    round: u32,
    entrants: usize,
) -> Vec<SliceRecord> {
    let mut order: Vec<usize> = (0..entrants).collect();
    rng.shuffle(&mut order);
    (0..)
        .zip(order)
        .map(|(place, entrant)| SliceRecord {
            phase,
            launch,
            round,
            place,
            entrant,
            reading: reading(rng),
        })
        .collect()
}

fn reading(rng: &mut Rng) -> SliceReading {
    SliceReading {
        began: Seconds(rng.f64() * 1000.0),
        load: LoadReading {
            wall: Seconds(rng.f64()),
            answers: count(rng),
            requests: RequestCounts {
                sent: count(rng),
                valid: count(rng),
                invalid: count(rng),
                lost: count(rng),
            },
            unsent: 0,
            latency: histogram(rng),
            lag: histogram(rng),
            programs: (0..rng.usize(0..4)).map(|_| Seconds(rng.f64())).collect(),
            bytes_out: Bytes(count(rng)),
            bytes_in: Bytes(count(rng)),
            checked: Share(rng.f64()),
            cpu: Seconds(rng.f64()),
            busy: Share(rng.f64()),
            connections: rng.u32(..),
            reopened: rng.u32(..),
            retransmits: count(rng),
            overflows: count(rng),
            streams: None,
            tls: None,
        },
        host: HostReading {
            cpu: Seconds(rng.f64()),
            compilers: Seconds(rng.f64()),
            thawed: Seconds(rng.f64()),
            busy: Share(rng.f64()),
            memory: Bytes(count(rng)),
            memory_peak: Bytes(count(rng)),
            switches: count(rng),
            steal: Seconds(rng.f64()),
            pressure: rng.bool().then(|| Share(rng.f64())),
        },
        services: (0..rng.usize(0..3)).map(|_| service(rng)).collect(),
        figures: (0..rng.usize(0..3)).map(|_| figure(rng)).collect(),
    }
}

fn figure(rng: &mut Rng) -> Figure {
    let quantity = match rng.u8(0..5) {
        0 => Quantity::Time,
        1 => Quantity::Throughput(text(rng)),
        2 => Quantity::Bytes,
        3 => Quantity::Allocations,
        _ => Quantity::Custom(text(rng)),
    };
    Figure {
        part: if rng.bool() { text(rng) } else { String::new() },
        step: rng.bool().then(|| rng.f64()),
        ..Figure::of(quantity, rng.f64())
    }
}

fn service(rng: &mut Rng) -> ServiceReading {
    ServiceReading {
        name: text(rng),
        cpu: Seconds(rng.f64()),
    }
}

fn histogram(rng: &mut Rng) -> Histogram {
    let mut histogram = Histogram::new();
    (0..rng.usize(0..100)).for_each(|_| histogram.record(count(rng)));
    histogram
}

fn published(rng: &mut Rng) -> Published {
    Published {
        contender: ContenderId::plain("node"),
        label: text(rng),
        metric: *pick(rng, &Metric::ALL),
        value: rng.f64(),
        source: text(rng),
        over: (0..rng.usize(0..3))
            .map(|_| ContenderId::variant("node", "cluster"))
            .collect(),
    }
}

fn claim(rng: &mut Rng) -> Claim {
    Claim {
        text: text(rng),
        source: text(rng),
        first: ContenderId::plain("node"),
        others: (0..rng.usize(1..4))
            .map(|index| ContenderId::variant("go", &format!("v{index}")))
            .collect(),
        relation: relation(rng),
        metric: rng.bool().then_some(Metric::CpuPerOp),
        conditions: rng.bool().then(|| Conditions {
            cores: rng.bool().then(|| rng.u32(..)),
            load_machines: rng.bool().then(|| rng.u32(..)),
        }),
    }
}

fn relation(rng: &mut Rng) -> Relation {
    let (number, within) = (rng.f64(), rng.f64());
    match rng.u8(0..8) {
        0 => Relation::Faster { at_least: number },
        1 => Relation::Same { within },
        2 => Relation::Between {
            low: number,
            high: number + within,
        },
        3 => Relation::About { lead: number, within },
        4 => Relation::MoreThanIn {
            case: text(rng),
            at_least: number,
        },
        5 => Relation::FallsWithSize { at_least: number },
        6 => Relation::Extra {
            seconds: number,
            within,
        },
        _ => Relation::ExtraPerUnit { at_most: number },
    }
}

/// A count of any magnitude, the extremes included.
fn count(rng: &mut Rng) -> u64 {
    match rng.u8(0..10) {
        0 => 0,
        1 => u64::MAX,
        _ => rng.u64(..) >> rng.u32(0..64),
    }
}

fn cores(rng: &mut Rng) -> Vec<u32> {
    (0..rng.usize(0..4)).map(|_| rng.u32(0..256)).collect()
}

fn pairs(rng: &mut Rng) -> Vec<(String, String)> {
    (0..rng.usize(0..4)).map(|_| (text(rng), text(rng))).collect()
}

/// Text with everything that a careless query would stumble over.
fn text(rng: &mut Rng) -> String {
    let letters = [
        'a', 'Z', '7', ' ', '\'', '"', '\n', '%', '_', '\\', ';', 'ß', '日', '🦀', '\0',
    ];
    (0..rng.usize(0..12)).map(|_| *pick(rng, &letters)).collect()
}

fn pick<'a, T>(rng: &mut Rng, from: &'a [T]) -> &'a T {
    &from[rng.usize(0..from.len())]
}

/// Keeps an arena as a lab would: head first, then each event as it happens.
pub(crate) fn play(writer: &mut RunWriter, arena: &ArenaRecord) -> ArenaKey {
    let head = ArenaRecord {
        entrants: Vec::new(),
        launches: Vec::new(),
        slices: Vec::new(),
        ..arena.clone()
    };
    let key = writer.arena(&head).unwrap();
    for (index, entrant) in arena.entrants.iter().enumerate() {
        let healthy = EntrantRecord {
            fault: None,
            fault_launch: None,
            ..entrant.clone()
        };
        assert_eq!(writer.entrant(key, &healthy).unwrap(), index);
    }
    for launch in &arena.launches {
        let begun = LaunchRecord {
            steady: Vec::new(),
            ..launch.clone()
        };
        writer.launch(&[key], &begun).unwrap();
        writer.launch(&[key], launch).unwrap();
    }
    let same =
        |a: &SliceRecord, b: &SliceRecord| (a.launch, a.phase, a.round) == (b.launch, b.phase, b.round);
    for round in arena.slices.chunk_by(same) {
        writer.round(key, round).unwrap();
    }
    for (index, entrant) in arena.entrants.iter().enumerate() {
        if let Some(fault) = &entrant.fault {
            writer.fault(key, index, entrant.fault_launch, fault).unwrap();
        }
    }
    key
}
