//! What was asked: which case, which two, driven how.

use tare_model::ids::{ContenderId, Selector};
use tare_model::manifest::Lab;
use tare_model::record::ArenaRecord;
use tare_store::Store;

use crate::args::{Choice, ExplainArgs, RunArgs};
use crate::failure::Failure;
use crate::prepare::{self, Chosen};
use crate::values::{Chance, Percent};

/// A question that makes sense.
pub struct Question {
    /// The case, with no contenders but the two and the floor.
    pub chosen: Chosen,
    /// The first.
    pub a: ContenderId,
    /// The second.
    pub b: ContenderId,
    /// The floor, where it is neither.
    pub floor: Option<ContenderId>,
    /// The size that they are compared at.
    pub size: Option<u64>,
    /// The run whose report is to carry the answer.
    pub run: Option<String>,
    /// The options, as a run has them.
    pub options: RunArgs,
}

impl Question {
    /// Of what was typed.
    pub fn ask(lab: &Lab, store: &Store, args: &ExplainArgs) -> Result<Self, Failure> {
        let (selector, run) = place(lab, store, args)?;
        let options = options(args, selector.clone());
        let mut cases = prepare::choose(lab, &options.choice)?;
        let both = |chosen: &Chosen| one(chosen, &args.a).is_ok() && one(chosen, &args.b).is_ok();
        let at = cases.iter().position(both);
        // Where no case has both, the first one's reason is as good as any.
        let mut chosen = cases.swap_remove(at.unwrap_or(0));
        let (a, b) = (one(&chosen, &args.a)?, one(&chosen, &args.b)?);
        if a == b {
            return Err(
                Failure::usage(format!("`{a}` against itself has no gap to explain"))
                    .hint("name two contenders of one case; `tare list contenders` has them"),
            );
        }
        let floor = chosen
            .case
            .floor
            .clone()
            .filter(|floor| *floor != a && *floor != b);
        let wanted = |id: &ContenderId| *id == a || *id == b || Some(id) == floor.as_ref();
        chosen.contenders.retain(|contender| wanted(&contender.id));
        // In the order of the question, since orders of contenders are orders of words in what is said of them.
        let place = |id: &ContenderId| {
            [Some(&a), Some(&b)]
                .iter()
                .position(|known| *known == Some(id))
                .unwrap_or(2)
        };
        chosen.contenders.sort_by_key(|contender| place(&contender.id));
        let size = size(&chosen, args)?;
        if let Some((sweep, size)) = chosen.case.sweep.as_mut().zip(size) {
            sweep.sizes = vec![size];
        }
        let floor = floor.filter(|floor| chosen.contenders.iter().any(|contender| contender.id == *floor));
        Ok(Self {
            chosen,
            a,
            b,
            floor,
            size,
            run,
            options,
        })
    }
}

/// The case that was named, or that of a stored run which has both.
fn place(lab: &Lab, store: &Store, args: &ExplainArgs) -> Result<(Selector, Option<String>), Failure> {
    let known = lab.workloads().map_err(Failure::usage)?;
    if let Ok(selector) = args.what.parse::<Selector>()
        && known.contains(&selector.workload)
    {
        return Ok((selector, None));
    }
    let record = store.run(&args.what).map_err(|error| {
        Failure::usage(format!(
            "`{}` is no workload of this lab, and no stored run: {error}",
            args.what
        ))
        .hint(format!("workloads are {}", known.join(", ")))
    })?;
    let meant = |asked: &ContenderId, id: &ContenderId| {
        id == asked || (asked.variant.is_none() && id.name == asked.name)
    };
    let has = |arena: &ArenaRecord, asked: &ContenderId| {
        arena.entrants.iter().any(|entrant| meant(asked, &entrant.id))
    };
    let arena = record
        .arenas
        .iter()
        .find(|arena| has(arena, &args.a) && has(arena, &args.b));
    let arena = arena.ok_or_else(|| {
        Failure::usage(format!(
            "run {} measured no case with both {} and {}",
            record.info.id, args.a, args.b
        ))
        .hint(format!("`tare show {}` says whom it measured", record.info.id))
    })?;
    let selector = Selector {
        workload: arena.workload.clone(),
        case: Some(arena.case.clone()),
    };
    Ok((selector, Some(record.info.id)))
}

/// The one contender of a case that a name means.
fn one(chosen: &Chosen, asked: &ContenderId) -> Result<ContenderId, Failure> {
    let ids = || chosen.contenders.iter().map(|contender| &contender.id);
    if let Some(id) = ids().find(|id| *id == asked) {
        return Ok(id.clone());
    }
    let variants: Vec<&ContenderId> = ids()
        .filter(|id| asked.variant.is_none() && id.name == asked.name)
        .collect();
    match variants.as_slice() {
        [only] => Ok((*only).clone()),
        [] => Err(Failure::usage(format!(
            "`{asked}` does not take part in {}/{}",
            chosen.workload.name, chosen.case.name
        ))
        .hint(format!("its contenders are {}", listed(ids())))),
        several => Err(Failure::usage(format!(
            "`{asked}` may be any of {}",
            listed(several.iter().copied())
        ))
        .hint("name the variant, as in `NAME@VARIANT`")),
    }
}

fn listed<'i>(ids: impl Iterator<Item = &'i ContenderId>) -> String {
    ids.map(ContenderId::to_string).collect::<Vec<_>>().join(", ")
}

/// The size to compare at: the one that was asked for, or the largest.
fn size(chosen: &Chosen, args: &ExplainArgs) -> Result<Option<u64>, Failure> {
    let sizes = chosen.case.sweep.as_ref().map_or(&[][..], |sweep| &sweep.sizes);
    match args.size {
        None => Ok(sizes.last().copied()),
        Some(size) if sizes.contains(&size) => Ok(Some(size)),
        Some(size) => {
            let said = Failure::usage(format!(
                "{}/{} is not measured at size {size}",
                chosen.workload.name, chosen.case.name
            ));
            Err(match sizes {
                [] => said.hint("it is not measured over sizes at all"),
                sizes => said.hint(format!(
                    "its sizes are {}",
                    sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
                )),
            })
        }
    }
}

fn options(args: &ExplainArgs, selector: Selector) -> RunArgs {
    RunArgs {
        choice: Choice {
            workloads: vec![selector],
            only: Vec::new(),
            except: Vec::new(),
            install: args.install,
        },
        baseline: None,
        budget: args.budget,
        until: None,
        rounds: None,
        launches: Some(1),
        margin: Percent(0.01),
        alpha: Chance(tare_explain::ALPHA),
        mode: args.mode.into_iter().collect(),
        rate: args.rate,
        connections: args.connections.into_iter().collect(),
        pipeline: args.pipeline,
        programs: None,
        cores_contender: args.cores_contender.clone(),
        cores_load: args.cores_load.clone(),
        seed: args.seed,
        timeout: args.timeout,
        fail_if: None,
        resume: None,
        out: None,
    }
}
