//! Compilers at work over sockets: HotSpot's and others' have threads of their own, whose CPU time is accounted. While they work,
//! answers cost what compiled code will save, and their work beside; a plateau that no drift gives away.

use tare_model::record::{ArenaRecord, Phase, SliceRecord};
use tare_model::units::Seconds;

/// The share of a contender's CPU time from which on its compilers are at work. In trials with HotSpot on one core 15 to 35% until it
/// had compiled what the load needs, at most 5% after that.
const AT_WORK: f64 = 0.1;

/// So many slices show it: most of them, whatever their lengths.
const WINDOW: usize = 3;

/// A contender whose compilers are at work after a load of so many seconds is like that.
const AT_MOST: f64 = 10.0;

/// The slices of a contender in a launch, in order. None in process, where the loop's time shows it.
fn slices<'r>(arenas: &[&'r ArenaRecord], launch: u32, phase: Phase, entrant: usize) -> Vec<&'r SliceRecord> {
    let over_sockets = arenas.iter().filter(|arena| !arena.driving.in_process());
    let slices = over_sockets.flat_map(|arena| arena.slices_of(launch, phase));
    let mut found: Vec<&SliceRecord> = slices.filter(|slice| slice.entrant == entrant).collect();
    found.sort_by(|a, b| a.reading.began.0.total_cmp(&b.reading.began.0));
    found
}

fn works_in(slice: &SliceRecord) -> bool {
    let host = &slice.reading.host;
    host.compilers.0 > AT_WORK * host.cpu.0
}

fn works(slices: &[&SliceRecord]) -> bool {
    let found = slices.iter().filter(|slice| works_in(slice)).count();
    slices.len() == WINDOW && 2 * found > WINDOW
}

fn load(slices: &[&SliceRecord]) -> f64 {
    slices.iter().map(|slice| slice.reading.load.wall.0).sum()
}

/// Whether a contender's compilers were at work in the last slices of a launch's warm-up.
pub(crate) fn at_work(arenas: &[&ArenaRecord], launch: u32, entrant: usize) -> bool {
    let slices = slices(arenas, launch, Phase::WarmUp, entrant);
    works(&slices[slices.len().saturating_sub(WINDOW)..])
}

/// For how long a contender was loaded in a launch until its compilers were no longer at work; none if they never were, or were to the
/// end. What they do now and then after the warm-up is not counted.
pub(crate) fn at_work_until(arenas: &[&ArenaRecord], launch: u32, entrant: usize) -> Option<Seconds> {
    let mut all = slices(arenas, launch, Phase::WarmUp, entrant);
    let last = all.windows(WINDOW).rposition(works)? + WINDOW;
    if last < all.len() {
        let ended = all[..last].iter().rposition(|slice| works_in(slice))? + 1;
        return Some(Seconds(load(&all[..ended])));
    }
    all.extend(slices(arenas, launch, Phase::Pilot, entrant));
    all.extend(slices(arenas, launch, Phase::Round, entrant));
    let ended = all[last..].windows(WINDOW).position(|slices| !works(slices))?;
    Some(Seconds(load(&all[..last + ended])))
}

/// Whether a contender's compilers were at work to the end of a launch that was long enough for them to come to an end.
pub(crate) fn work_on(arenas: &[&ArenaRecord], launch: u32, entrant: usize) -> bool {
    let phases = [Phase::WarmUp, Phase::Pilot, Phase::Round];
    let whole = phases.map(|phase| load(&slices(arenas, launch, phase, entrant)));
    at_work(arenas, launch, entrant)
        && whole.iter().sum::<f64>() >= AT_MOST
        && at_work_until(arenas, launch, entrant).is_none()
}

/// In how many launches a contender's compilers were at work when it began to be measured.
pub(crate) fn began_at_work(arena: &ArenaRecord, entrant: usize) -> usize {
    let began = |launch: u32| {
        let slices = slices(&[arena], launch, Phase::Round, entrant);
        works(&slices[..slices.len().min(WINDOW)])
    };
    arena
        .launches
        .iter()
        .filter(|launch| began(launch.number))
        .count()
}
