//! Whether an arena is measured again as an earlier run measured it: launches of different programs, or driven in
//! different ways, are not pooled.

use std::collections::BTreeSet;
use std::fs;

use tare_host::error::HostError;
use tare_host::fingerprint;
use tare_model::ids::ContenderId;
use tare_model::record::{ArenaRecord, EntrantRecord};

use super::error::ResumeError;
use crate::choose::ChosenCase;
use crate::error::Result;

type Same = std::result::Result<(), ResumeError>;

/// Refuses an arena of a plan that differs from the earlier run's.
pub(super) fn refuse_other(now: &ArenaRecord, then: &ArenaRecord) -> Same {
    if !same_question(now, then) {
        return Err(ResumeError::OtherLab);
    }
    let arena = match then.size {
        Some(size) => format!("{}/{} at {size}, {}", then.workload, then.case, then.mode),
        None => format!("{}/{}, {}", then.workload, then.case, then.mode),
    };
    if now.placement != then.placement {
        return Err(ResumeError::OtherPlacement {
            arena,
            then: Box::new(then.placement.clone()),
            now: Box::new(now.placement.clone()),
        });
    }
    // What the run found out by itself is no difference.
    if now.driving.planned() != then.driving.planned() {
        return Err(ResumeError::OtherDriving {
            arena,
            then: Box::new(then.driving.clone()),
            now: Box::new(now.driving.clone()),
        });
    }
    let mut pairs = now.entrants.iter().zip(&then.entrants);
    pairs.try_for_each(|(now, then)| refuse_other_program(&arena, now, then))
}

/// Hash of what is asked of the contenders: the manifests of workloads, and the folders of services.
pub(super) fn manifests(chosen: &[ChosenCase]) -> Result<String> {
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
        texts.push(fs::read(path).map_err(HostError::on("read", path))?);
    }
    for folder in &folders {
        texts.push(fingerprint::of_contents(folder)?.into_bytes());
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

/// Refuses another program. An entrant that takes no part now, or took none then, adds no launch to those of another.
fn refuse_other_program(arena: &str, now: &EntrantRecord, then: &EntrantRecord) -> Same {
    if now.fault.is_some() || then.fault.is_some() {
        return Ok(());
    }
    let who = format!("{arena}: `{}`", then.id);
    // Of the container only what runs it: its image is what was built.
    if made_with(now) != made_with(then) {
        let (then, now) = (versions(then), versions(now));
        return Err(ResumeError::OtherTools { who, then, now });
    }
    match (then.subject.built(), now.subject.built()) {
        (Some(then), Some(now)) if then == now => Ok(()),
        (Some(then), now) => Err(ResumeError::OtherProgram {
            who,
            then: then.to_owned(),
            now: now.unwrap_or("nothing").to_owned(),
        }),
        (None, _) => Err(ResumeError::UnknownProgram { who }),
    }
}

fn made_with(entrant: &EntrantRecord) -> Vec<String> {
    let texts = entrant.subject.versions().iter();
    let tools = texts.map(|(name, version)| format!("{name} {version}"));
    let engine = entrant
        .subject
        .container()
        .map(|container| container.engine.clone());
    tools.chain(engine).collect()
}

fn versions(entrant: &EntrantRecord) -> String {
    let texts = made_with(entrant);
    match texts.as_slice() {
        [] => "no tool".to_owned(),
        some => some.join(", "),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use tare_model::driving::{Driving, Load};
    use tare_model::manifest::Style;
    use tare_model::metric::{Metric, Mode};
    use tare_model::placement::Placement;
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
            container: None,
            scheme: None,
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

    pub(crate) fn arena() -> ArenaRecord {
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
                ..Placement::default()
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

    fn refused(change: impl FnOnce(&mut ArenaRecord)) -> Option<ResumeError> {
        let mut then = arena();
        change(&mut then);
        refuse_other(&arena(), &then).err()
    }

    #[test]
    fn what_was_found_by_trying_and_who_is_out_is_no_difference() {
        assert!(refused(|_| ()).is_none());
        let rate = Some(PerSecond(47_000.0));
        assert!(refused(|then| then.driving = load(vec![4], rate)).is_none());
        let out = tare_model::fault::Fault::new(tare_model::fault::FaultKind::Wrong, "alas");
        let set_aside = |then: &mut ArenaRecord| {
            then.entrants[0] = entrant(Some("ba9876543210"));
            then.entrants[0].fault = Some(out);
        };
        assert!(refused(set_aside).is_none());
    }

    #[test]
    fn each_difference_is_named_with_both_sides() {
        type Change = fn(&mut ArenaRecord);
        let cases: [(Change, &str); 8] = [
            (
                |then| then.mode = Mode::Capacity,
                "no longer has the cases, modes and contenders",
            ),
            (
                |then| then.driving = load(vec![9], None),
                "w/all, cost is not driven as it was",
            ),
            (
                |then| then.driving = Driving::Unknown,
                "w/all, cost is not driven as it was",
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
                "`go` was built from something that the run does not name",
            ),
        ];
        for (change, part) in cases {
            let error = refused(change).unwrap_or_else(|| panic!("{part}: not refused"));
            assert!(error.to_string().contains(part), "no {part:?}: {error}");
            assert!(
                error.hint().is_some_and(|hint| hint.contains("new run")),
                "{part}"
            );
        }
    }
}
