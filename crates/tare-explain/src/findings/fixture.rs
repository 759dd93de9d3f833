//! Evidence of made-up contenders, each with exactly one cause.

use tare_model::evidence::{
    Calls, Collector, Counters, Evidence, Frame, Glance, Look, Observed, Profile, Stack, ThreadTime,
};
use tare_model::explanation::Finding;
use tare_model::ids::ContenderId;
use tare_model::metric::Mode;
use tare_model::units::{Bytes, Seconds};

/// What a made-up contender is like. It answers 1000 times in a slice.
#[derive(Debug, Clone)]
pub(crate) struct Made {
    /// CPU seconds per operation.
    pub cpu: f64,
    /// Added to it when stacks are sampled.
    pub sampled: f64,
    /// Stacks, innermost first, and their weights. `main` and what no other rule matches is its own; `k:` is the kernel's.
    pub stacks: Vec<(Vec<&'static str>, u64)>,
    /// Calls per operation.
    pub calls: Vec<(&'static str, f64)>,
    /// Cores used.
    pub cores: f64,
    /// Time ready to run without a core, over time on one.
    pub queued: f64,
    /// Switches per operation.
    pub switches: f64,
    /// Minor faults per operation.
    pub faults: f64,
    /// Resident bytes.
    pub memory: u64,
    /// What its collector logs.
    pub collector: Option<Collector>,
    /// Seed of its noise.
    pub seed: u64,
}

impl Default for Made {
    fn default() -> Self {
        Self {
            cpu: 10e-6,
            sampled: 0.0,
            stacks: vec![(vec!["main"], 10)],
            calls: vec![("read", 1.0)],
            cores: 0.95,
            queued: 0.0,
            switches: 0.0,
            faults: 0.0,
            memory: 10 << 20,
            collector: None,
            seed: 1,
        }
    }
}

const OPS: u64 = 1000;
const ROUNDS: u32 = 12;

/// The findings between two in C.
pub(crate) fn found(a: &Made, b: &Made) -> Vec<Finding> {
    found_in(("c", a), ("c", b))
}

/// The findings between two in the given languages.
pub(crate) fn found_in(a: (&str, &Made), b: (&str, &Made)) -> Vec<Finding> {
    crate::explain(&evidence(a, b)).findings
}

/// The evidence of two.
pub(crate) fn evidence(a: (&str, &Made), b: (&str, &Made)) -> Evidence {
    Evidence {
        workload: "made".to_owned(),
        case: "up".to_owned(),
        mode: Mode::Capacity,
        size: None,
        made: 0,
        cores: 2,
        a: ContenderId::plain("a"),
        b: ContenderId::plain("b"),
        floor: None,
        subjects: vec![subject("a", a.0, a.1), subject("b", b.0, b.1)],
        notes: Vec::new(),
    }
}

/// One contender.
pub(crate) fn subject(name: &str, language: &str, made: &Made) -> Observed {
    let mut state = made.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut noise = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // Half a per cent either way.
        1.0 + ((state >> 11) as f64 / (1u64 << 53) as f64 - 0.5) * 0.01
    };
    let mut glances = Vec::new();
    for round in 0..ROUNDS {
        glances.push(glance(made, Look::Plain, round, made.cpu * noise()));
        glances.push(glance(
            made,
            Look::Sampled,
            round,
            (made.cpu + made.sampled) * noise(),
        ));
    }
    glances.push(glance(made, Look::Traced, 0, made.cpu));
    Observed {
        id: ContenderId::plain(name),
        languages: vec![language.to_owned()],
        instrumentation: None,
        symbols: None,
        profile: profile(made, &glances),
        glances,
        collector: made.collector,
        compiled: None,
        fault: None,
    }
}

fn glance(made: &Made, look: Look, round: u32, per_op: f64) -> Glance {
    let cpu = per_op * OPS as f64;
    let calls = made.calls.iter().map(|(name, each)| Calls {
        name: (*name).to_owned(),
        count: (each * OPS as f64) as u64,
        bytes: 0,
    });
    Glance {
        look,
        round,
        ops: OPS,
        thawed: Seconds(cpu / made.cores),
        cpu: Seconds(cpu),
        memory: Bytes(made.memory),
        counters: Counters {
            voluntary: (made.switches * OPS as f64) as u64,
            minor: (made.faults * OPS as f64) as u64,
            processes: 1,
            threads: vec![ThreadTime {
                name: "server".to_owned(),
                cpu: Seconds(cpu),
                waited: Seconds(cpu * made.queued),
            }],
            ..Counters::default()
        },
        calls: if look == Look::Traced {
            calls.collect()
        } else {
            Vec::new()
        },
    }
}

/// Samples that cover the CPU time of every sampled slice.
fn profile(made: &Made, glances: &[Glance]) -> Profile {
    let mut profile = Profile {
        threads: vec!["server".to_owned()],
        ..Profile::default()
    };
    let weights: u64 = made.stacks.iter().map(|(_, weight)| weight).sum();
    for glance in glances.iter().filter(|glance| glance.look == Look::Sampled) {
        for (names, weight) in &made.stacks {
            let frames = names
                .iter()
                .map(|name| place(&mut profile.frames, frame(name)))
                .collect();
            let nanos = (glance.cpu.0 * 1e9 * *weight as f64 / weights as f64) as u64;
            profile.stacks.push(Stack {
                round: glance.round,
                thread: 0,
                frames,
                nanos,
            });
        }
    }
    profile
}

fn place(frames: &mut Vec<Frame>, frame: Frame) -> u32 {
    let known = frames.iter().position(|one| *one == frame);
    known.unwrap_or_else(|| {
        frames.push(frame);
        frames.len() - 1
    }) as u32
}

fn frame(name: &str) -> Frame {
    let (symbol, image, own) = match name {
        "malloc" | "free" | "write" | "read" => (name, "libc.so.6", false),
        "" => ("", "libsecret.so", false),
        _ => match name.strip_prefix("k:") {
            Some(symbol) => (symbol, "[kernel]", false),
            None => (name, "server", true),
        },
    };
    Frame {
        symbol: symbol.to_owned(),
        image: image.to_owned(),
        own,
    }
}
