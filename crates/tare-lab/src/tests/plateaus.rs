//! Compilers over sockets that take their time: their contenders look steady long before they are as cheap as they will be.

use super::*;

/// Five times dearer for so many seconds of load after each start, and the first slice dearer still.
fn compiling(seconds: f64) -> Script {
    Script {
        cold: 1.0,
        compiles: seconds,
        ..Script::default()
    }
}

fn rules(seed: u64) -> Rules {
    Rules {
        launches: Some(4),
        rounds: Some(20),
        budget: None,
        margin: 0.0,
        seed,
        ..Rules::default()
    }
}

/// CPU time of an answer in the measured slices of a contender, of each launch the most.
fn dearest(arena: &ArenaRecord, entrant: usize) -> Vec<f64> {
    let of = |launch: u32| {
        let slices = arena
            .slices_of(launch, Phase::Round)
            .filter(|slice| slice.entrant == entrant);
        let costs = slices.map(|slice| slice.reading.host.cpu.0 / slice.reading.load.answers as f64);
        costs.fold(0.0, f64::max)
    };
    arena.launches.iter().map(|launch| of(launch.number)).collect()
}

fn loaded(arena: &ArenaRecord, entrant: usize, launch: u32) -> f64 {
    let slices = arena.slices_of(launch, Phase::WarmUp);
    let mine = slices.filter(|slice| slice.entrant == entrant);
    mine.map(|slice| slice.reading.load.wall.0).sum()
}

#[test]
fn the_end_of_a_plateau_is_waited_for_and_remembered() {
    for (seconds, seed) in [(1.0, 1), (2.9, 2), (3.4, 3)] {
        for mode in [Mode::Capacity, Mode::Cost] {
            let scripts = [Script::default(), compiling(seconds), Script::default()];
            let (outcome, _) = go(&plan(3, &[mode], rules(seed)), &scripts, &mut Ears::default());
            let arena = &outcome.arenas[0];
            let found = dearest(arena, 1);
            assert!(
                found.iter().all(|cost| *cost < 15e-6),
                "{mode}, {seconds} s, seed {seed}: {found:?}"
            );
            // Whoever has nothing to get warm is not loaded for longer.
            let (of_it, of_other) = (loaded(arena, 1, 3), loaded(arena, 0, 3));
            assert!(
                of_other < 0.6 && of_it > seconds,
                "{of_other} and {of_it} s, seed {seed}"
            );
        }
    }
}

#[test]
fn a_compiler_that_works_on_is_waited_for_in_few_launches() {
    let scripts = [Script::default(), compiling(1e6)];
    let (outcome, _) = go(
        &plan(2, &[Mode::Capacity], rules(5)),
        &scripts,
        &mut Ears::default(),
    );
    let arena = &outcome.arenas[0];
    let launches = arena.launches.iter().map(|launch| launch.number);
    let found: Vec<f64> = launches.map(|launch| loaded(arena, 1, launch)).collect();
    let (first, later) = found.split_first().unwrap();
    assert!(
        *first > 10.0 && later.len() >= 2 && later.iter().all(|load| *load < 3.0),
        "{found:?}"
    );
    let results = analysis::analyse(arena);
    assert!(
        results.contenders[1]
            .flags
            .iter()
            .any(|flag| flag.contains("compiler was at work")),
        "{:?}",
        results.contenders[1].flags
    );
}
