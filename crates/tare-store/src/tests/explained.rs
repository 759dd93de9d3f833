//! Evidence of explanations is given back, whatever names it holds.

use fastrand::Rng;
use tare_model::evidence::{
    Calls, Collector, Compiled, Counters, Evidence, Frame, Glance, Look, Observed, Profile, Stack, ThreadTime,
};
use tare_model::fault::{Fault, FaultKind};
use tare_model::ids::ContenderId;
use tare_model::metric::Mode;
use tare_model::units::{Bytes, Seconds};

use super::round_trip::empty;
use super::sample::{self, property};

fn many<T>(rng: &mut Rng, most: usize, make: impl Fn(&mut Rng) -> T) -> Vec<T> {
    (0..rng.usize(0..most)).map(|_| make(rng)).collect()
}

fn some<T>(rng: &mut Rng, make: impl Fn(&mut Rng) -> T) -> Option<T> {
    rng.bool().then(|| make(rng))
}

/// Names as symbol tables and kernels have them: anything.
fn name(rng: &mut Rng) -> String {
    let pieces = [
        "main", "\t", "\n", "\\", "\\t", " ", "é", "::", "(int)", "'", "\"", "\u{1b}",
    ];
    many(rng, 5, |rng| pieces[rng.usize(0..pieces.len())]).concat()
}

fn glance(rng: &mut Rng) -> Glance {
    Glance {
        look: Look::ALL[rng.usize(0..3)],
        round: rng.u32(..),
        ops: rng.u64(..),
        thawed: Seconds(rng.f64()),
        cpu: Seconds(rng.f64() * 1e-7),
        memory: Bytes(rng.u64(..)),
        counters: Counters {
            voluntary: rng.u64(..),
            involuntary: rng.u64(..),
            minor: rng.u64(..),
            major: rng.u64(..),
            processes: rng.u32(..),
            threads: many(rng, 4, |rng| ThreadTime {
                name: name(rng),
                cpu: Seconds(rng.f64()),
                waited: Seconds(rng.f64()),
            }),
        },
        calls: many(rng, 4, |rng| Calls {
            name: name(rng),
            count: rng.u64(..),
            bytes: rng.u64(..),
        }),
    }
}

fn profile(rng: &mut Rng) -> Profile {
    let frames = 1 + rng.usize(0..5);
    let threads = 1 + rng.usize(0..3);
    Profile {
        frames: (0..frames)
            .map(|_| Frame {
                symbol: name(rng),
                image: name(rng),
                own: rng.bool(),
            })
            .collect(),
        threads: (0..threads).map(|_| name(rng)).collect(),
        stacks: many(rng, 9, |rng| Stack {
            round: rng.u32(..),
            thread: rng.u32(0..threads as u32),
            frames: many(rng, 6, |rng| rng.u32(0..frames as u32)),
            nanos: rng.u64(..),
        }),
    }
}

fn subject(rng: &mut Rng) -> Observed {
    Observed {
        id: ContenderId::variant("node", "all"),
        languages: vec!["node".to_owned(), "c".to_owned()],
        instrumentation: some(rng, name),
        symbols: some(rng, name),
        glances: many(rng, 6, glance),
        profile: profile(rng),
        collector: some(rng, |rng| Collector {
            collections: rng.u64(..),
            allocated: rng.u64(..),
            paused: Seconds(rng.f64()),
            ops: rng.u64(..),
        }),
        compiled: some(rng, |rng| Compiled {
            methods: rng.u64(..),
            bytes: rng.u64(..),
        }),
        fault: some(rng, |rng| Fault::new(FaultKind::Died, name(rng))),
    }
}

fn evidence(rng: &mut Rng) -> Evidence {
    Evidence {
        workload: name(rng),
        case: name(rng),
        mode: Mode::Cost,
        size: some(rng, |rng| rng.u64(..)),
        made: rng.i64(..),
        cores: rng.u32(..),
        a: ContenderId::plain("go"),
        b: ContenderId::variant("node", "all"),
        floor: some(rng, |_| ContenderId::plain("c-epoll")),
        subjects: many(rng, 4, subject),
        notes: many(rng, 3, name),
    }
}

#[test]
fn evidence_is_given_back() {
    property(60, |rng| {
        let (_folder, store) = empty();
        for _ in 0..2 {
            let writer = store.begin_run(&sample::new_run(rng)).unwrap();
            let id = writer.id().to_owned();
            writer.finish(Seconds(1.0), true, &[]).unwrap();
            let all = many(rng, 3, evidence);
            all.iter().for_each(|one| store.keep_evidence(&id, one).unwrap());
            assert_eq!(store.evidence(&id).unwrap(), all);
        }
    });
}

#[test]
fn evidence_of_no_run_is_refused() {
    let (_folder, store) = empty();
    let error = store
        .keep_evidence("2031", &evidence(&mut Rng::with_seed(1)))
        .unwrap_err();
    assert!(error.to_string().contains("no run is called `2031`"), "{error}");
}
