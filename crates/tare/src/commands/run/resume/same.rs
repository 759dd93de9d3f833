//! Whether an arena is measured again as an earlier run measured it: launches of different programs, or driven in
//! different ways, are not pooled.

use std::collections::BTreeSet;
use std::fs;

use tare_host::fingerprint;
use tare_model::ids::ContenderId;
use tare_model::placement::Placement;
use tare_model::record::{ArenaRecord, EntrantRecord};
use tare_prepare::ChosenCase;
use tare_report::words;

use crate::failure::Failure;

/// Refuses an arena of a plan that differs from the earlier run's.
pub fn refuse_other(now: &ArenaRecord, then: &ArenaRecord) -> Result<(), Failure> {
    if !same_question(now, then) {
        return Err(changed());
    }
    let place = match then.size {
        Some(size) => format!("{}/{} at {size}, {}", then.workload, then.case, then.mode),
        None => format!("{}/{}, {}", then.workload, then.case, then.mode),
    };
    if now.placement != then.placement {
        let (then, now) = (placement(&then.placement), placement(&now.placement));
        return Err(
            Failure::usage(format!("{place} was measured with {then}, and here it is {now}")).hint(
                "launches on other cores are not pooled: give the same ones (--cores-contender, --cores-load), \
                 or begin a new run",
            ),
        );
    }
    if let Some(difference) = differently_driven(now, then) {
        return Err(Failure::usage(format!("{place} is not driven as it was: {difference}")).hint(
            "launches that were driven in different ways are not pooled: begin a new run, with all options that \
             it is to have",
        ));
    }
    let pairs = now.entrants.iter().zip(&then.entrants);
    pairs
        .into_iter()
        .try_for_each(|(now, then)| refuse_other_program(&place, now, then))
}

/// The error where the lab has other cases, or other contenders in them.
pub fn changed() -> Failure {
    Failure::usage("the lab no longer has the cases, modes and contenders that it had when the run was made")
        .hint("launches of different questions are not pooled: begin a new run")
}

/// Hash of what is asked of the contenders: the manifests of workloads, and the folders of services.
pub fn manifests(chosen: &[ChosenCase]) -> Result<String, Failure> {
    let (mut files, mut folders) = (BTreeSet::new(), BTreeSet::new());
    for one in chosen {
        files.insert(one.workload.folder.join("workload.toml"));
        // Only those that take part: the same whether they were named or chosen by default.
        let fronts = one
            .contenders
            .iter()
            .flat_map(|contender| one.front_of(contender));
        let services = one.services.iter().chain(fronts);
        folders.extend(services.map(|service| service.folder.clone()));
    }
    let mut texts = Vec::new();
    for path in &files {
        let failed = |error| Failure::outside(format!("cannot read {}: {error}", path.display()));
        texts.push(fs::read(path).map_err(failed)?);
    }
    for folder in &folders {
        let hash = fingerprint::of_contents(folder).map_err(Failure::outside)?;
        texts.push(hash.into_bytes());
    }
    Ok(fingerprint::of_texts(texts)[..12].to_owned())
}

fn same_question(now: &ArenaRecord, then: &ArenaRecord) -> bool {
    let key = |arena: &ArenaRecord| {
        let ids = arena.entrants.iter().map(|entrant| entrant.id.clone());
        let place = (arena.workload.clone(), arena.case.clone());
        (
            place,
            arena.mode,
            arena.size,
            arena.primary,
            ids.collect::<Vec<ContenderId>>(),
        )
    };
    key(now) == key(then)
}

/// `the contender on core 1, the load on core 0`.
fn placement(placement: &Placement) -> String {
    let cores = |list: &[u32]| match list {
        [] => "no core of its own".to_owned(),
        some => words::cores(some),
    };
    let (contender, load) = (cores(&placement.contender), cores(&placement.load));
    let beside = match placement.services.as_slice() {
        [] => String::new(),
        services => format!(", beside it {}", words::list(services)),
    };
    format!("the contender on {contender}, the load on {load}{beside}")
}

/// The first thing in which the driving differs, in words.
fn differently_driven(now: &ArenaRecord, then: &ArenaRecord) -> Option<String> {
    let (now, then) = (now.driving.planned(), then.driving.planned());
    if now == then {
        return None;
    }
    let (now, then) = (words::driving(&now), words::driving(&then));
    let of = |list: &[(&str, String)], name: &str| {
        let known = list.iter().find(|(known, _)| *known == name);
        known.map_or("not said".to_owned(), |(_, value)| value.clone())
    };
    let mut names = then.iter().chain(&now).map(|(name, _)| *name);
    let name = names.find(|name| of(&now, name) != of(&then, name))?;
    Some(format!(
        "{name}: {} then, {} now",
        of(&then, name),
        of(&now, name)
    ))
}

/// Refuses another program. An entrant that takes no part now, or took none then, adds no launch to those of another.
fn refuse_other_program(place: &str, now: &EntrantRecord, then: &EntrantRecord) -> Result<(), Failure> {
    if now.fault.is_some() || then.fault.is_some() {
        return Ok(());
    }
    let id = &then.id;
    if now.subject.versions() != then.subject.versions() {
        let (now, then) = (versions(now), versions(then));
        return Err(Failure::usage(format!(
            "{place}: `{id}` was made with {then}, and now with {now}"
        ))
        .hint("launches of different programs are not pooled: begin a new run"));
    }
    match (then.subject.built(), now.subject.built()) {
        (Some(then), Some(now)) if then == now => Ok(()),
        (Some(then), now) => Err(Failure::usage(format!(
            "{place}: `{id}` is not the program that the run measured: it was built from {then}, and now \
             from {}",
            now.unwrap_or("nothing")
        ))
        .hint(
            "launches of different programs are not pooled: undo what was changed in its folder or its language, \
             or begin a new run",
        )),
        (None, _) => Err(Failure::usage(format!(
            "{place}: the run does not say what `{id}` was built from: an older tare made it"
        ))
        .hint("whether it is still the same program cannot be told: begin a new run")),
    }
}

fn versions(entrant: &EntrantRecord) -> String {
    let texts = entrant.subject.versions().iter();
    let texts: Vec<String> = texts.map(|(name, version)| format!("{name} {version}")).collect();
    match texts.as_slice() {
        [] => "no tool".to_owned(),
        some => some.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::driving::{Driving, Load};
    use tare_model::manifest::Style;
    use tare_model::metric::{Metric, Mode};
    use tare_model::subject::Subject;
    use tare_model::units::PerSecond;

    fn made(tools: &[(&str, &str)], built: Option<&str>) -> Subject {
        let tools = tools.iter();
        Subject::Contender {
            language: "go".to_owned(),
            style: Style::Idiomatic,
            stands_in_for: None,
            versions: tools
                .map(|(name, version)| ((*name).to_owned(), (*version).to_owned()))
                .collect(),
            built: built.map(str::to_owned),
        }
    }

    fn load(connections: Vec<u32>, rate: Option<PerSecond>) -> Driving {
        Driving::Load(Load {
            connections,
            rate,
            ..Load::default()
        })
    }

    fn entrant(built: Option<&str>) -> EntrantRecord {
        EntrantRecord {
            id: ContenderId::plain("go"),
            summary: String::new(),
            subject: made(&[("go", "1.19")], built),
            fault: None,
            fault_launch: None,
        }
    }

    fn arena() -> ArenaRecord {
        ArenaRecord {
            workload: "w".to_owned(),
            summary: String::new(),
            case: "all".to_owned(),
            case_summary: String::new(),
            sweep: None,
            size: None,
            mode: Mode::Cost,
            driving: load(vec![4], None),
            placement: Placement {
                contender: vec![1],
                load: vec![0],
                services: Vec::new(),
            },
            primary: Metric::CpuPerOp,
            floor: None,
            baseline: None,
            margin: 0.01,
            alpha: 0.05,
            published: Vec::new(),
            claims: Vec::new(),
            entrants: vec![entrant(Some("0123456789ab"))],
            launches: Vec::new(),
            slices: Vec::new(),
        }
    }

    fn refused(change: impl FnOnce(&mut ArenaRecord)) -> Option<Failure> {
        let mut then = arena();
        change(&mut then);
        refuse_other(&arena(), &then).err()
    }

    #[test]
    fn what_was_found_by_trying_and_who_is_out_is_no_difference() {
        assert_eq!(refused(|_| ()), None);
        let rate = Some(PerSecond(47_000.0));
        assert_eq!(refused(|then| then.driving = load(vec![4], rate)), None);
        let out = tare_model::fault::Fault::new(tare_model::fault::FaultKind::Wrong, "alas");
        let set_aside = |then: &mut ArenaRecord| {
            then.entrants[0] = entrant(Some("ba9876543210"));
            then.entrants[0].fault = Some(out);
        };
        assert_eq!(refused(set_aside), None);
    }

    #[test]
    fn each_difference_is_named_with_both_sides() {
        type Change = fn(&mut ArenaRecord);
        let cases: [(Change, &str); 7] = [
            (
                |then| then.driving = load(vec![9], None),
                "connections: 9 then, 4 now",
            ),
            (
                |then| then.driving = Driving::Unknown,
                "connections: not said then, 4 now",
            ),
            (
                |then| then.placement.load = vec![0, 2],
                "the load on cores 0, 2, and here",
            ),
            (
                |then| then.placement.services = vec!["db".to_owned()],
                "beside it db",
            ),
            (
                |then| then.entrants[0].subject = made(&[], Some("0123456789ab")),
                "`go` was made with no tool, and now with go 1.19",
            ),
            (
                |then| then.entrants[0] = entrant(Some("ba9876543210")),
                "built from ba9876543210, and now from 0123456789ab",
            ),
            (
                |then| then.entrants[0] = entrant(None),
                "does not say what `go` was built from",
            ),
        ];
        for (change, part) in cases {
            let failure = refused(change).unwrap_or_else(|| panic!("{part}: not refused"));
            assert!(failure.message.contains(part), "no {part:?}: {failure}");
            assert!(
                failure.hint.is_some_and(|hint| hint.contains("new run")),
                "{part}"
            );
        }
    }
}
