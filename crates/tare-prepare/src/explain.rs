//! What an explanation needs: two contenders of a case and its floor as they always are, and beside them, where their
//! language has one, the same contenders built and run with instrumentation.

use tare_host::profile::collector::Dialect;
use tare_host::profile::compiler;
use tare_lab::plan::Group;
use tare_model::ids::ContenderId;
use tare_model::manifest::{Additions, Contender, Explain, Lab, Language, Reported};
use tare_rig::service::Service;
use tare_rig::witness::Onlooker;
use tare_rig::{RigGroup, Runnable};

use crate::choose::{ChosenCase, choose};
use crate::error::{PrepareError, Result};
use crate::group;
use crate::limits::cut_levels;
use crate::progress::Event;
use crate::ready::{Preparation, ReadyCases};
use crate::ready_case::ReadyCase;
use crate::request::Request;

/// A gap to explain: between which contenders, of which case.
#[derive(Debug, Clone)]
pub struct Question {
    /// The case, with no contenders but the two and the floor.
    pub chosen: ChosenCase,
    /// The contender to start from.
    pub a: ContenderId,
    /// The contender to end at.
    pub b: ContenderId,
    /// The floor, where it is neither.
    pub floor: Option<ContenderId>,
    /// The size that they are compared at; none where the case has no sizes.
    pub size: Option<u64>,
}

impl Question {
    /// The gap from `a` to `b`, in the first of the chosen cases that has both. `size`: one of the case's; none: the
    /// largest.
    ///
    /// # Errors
    /// No case has both, a name is ambiguous, both are the same, or there is no such size.
    pub fn of(
        lab: &Lab,
        request: &Request,
        (a, b): (&ContenderId, &ContenderId),
        size: Option<u64>,
    ) -> Result<Self> {
        let mut cases = choose(lab, &request.choice)?;
        let both = |chosen: &ChosenCase| one(chosen, a).is_ok() && one(chosen, b).is_ok();
        // Where no case has both, the first one's error is as good as any.
        let at = cases.iter().position(both).unwrap_or(0);
        let mut chosen = cases.swap_remove(at);
        let (a, b) = (one(&chosen, a)?, one(&chosen, b)?);
        if a == b {
            return Err(PrepareError::SameTwice(a));
        }
        let floor = chosen
            .case
            .floor
            .clone()
            .filter(|floor| *floor != a && *floor != b);
        // In the order of the question: it becomes the order of the words in the explanation.
        let order = [Some(&a), Some(&b), floor.as_ref()];
        let place = |id: &ContenderId| order.iter().position(|known| *known == Some(id));
        chosen
            .contenders
            .retain(|contender| place(&contender.id).is_some());
        chosen.contenders.sort_by_key(|contender| place(&contender.id));
        let size = size_of(&chosen, size)?;
        if let Some((sweep, size)) = chosen.case.sweep.as_mut().zip(size) {
            sweep.sizes = vec![size];
        }
        let takes_part = |id: &ContenderId| chosen.contenders.iter().any(|contender| contender.id == *id);
        let floor = floor.filter(takes_part);
        Ok(Self {
            chosen,
            a,
            b,
            floor,
            size,
        })
    }
}

/// The one contender of a case that a name means.
fn one(chosen: &ChosenCase, asked: &ContenderId) -> Result<ContenderId> {
    let ids = || chosen.contenders.iter().map(|contender| &contender.id);
    if let Some(id) = ids().find(|id| *id == asked) {
        return Ok(id.clone());
    }
    let variants: Vec<&ContenderId> = ids()
        .filter(|id| asked.variant.is_none() && id.name == asked.name)
        .collect();
    match variants.as_slice() {
        [only] => Ok((*only).clone()),
        [] => Err(PrepareError::NotInCase {
            asked: asked.clone(),
            case: chosen.title(),
            known: ids().cloned().collect(),
        }),
        several => Err(PrepareError::Ambiguous {
            asked: asked.clone(),
            meant: several.iter().copied().cloned().collect(),
        }),
    }
}

/// The size to compare at: the one that was asked for, or the largest.
fn size_of(chosen: &ChosenCase, asked: Option<u64>) -> Result<Option<u64>> {
    let sizes = chosen.case.sweep.as_ref().map_or(&[][..], |sweep| &sweep.sizes);
    match asked {
        None => Ok(sizes.last().copied()),
        Some(size) if sizes.contains(&size) => Ok(Some(size)),
        Some(size) => Err(PrepareError::UnknownSize {
            case: chosen.title(),
            size,
            known: sizes.to_vec(),
        }),
    }
}

/// A gap that can be examined. Entrants are in the same order everywhere.
pub struct Explanation {
    /// The plan's group.
    pub group: Group,
    /// The rig's.
    pub rig_group: RigGroup,
    /// How each entrant is examined.
    pub onlookers: Vec<Onlooker>,
    /// The services that run.
    pub services: Vec<Service>,
}

impl Explanation {
    /// Of a question whose case is ready. Instrumented contenders are built now.
    ///
    /// # Errors
    /// One of the two contenders is not available, a manifest is wrong, or the machine cannot carry the load.
    pub fn prepare(
        preparation: &Preparation<'_>,
        ready: ReadyCases,
        question: &Question,
        request: &Request,
    ) -> Result<Self> {
        let services = ready.services;
        let case = ready.cases.into_iter().next();
        let mut ready = case.ok_or(PrepareError::NothingChosen)?;
        refuse_missing(&ready, question)?;
        let (mut onlookers, mut added) = (Vec::new(), Vec::new());
        let contenders = ready.chosen.contenders.clone();
        for (entrant, contender) in contenders.iter().enumerate() {
            let language = match &contender.container {
                // It is built and run by its image: its language is only a name.
                Some(_) => Language::default(),
                None => preparation.lab.language(&contender.language)?,
            };
            let instrumented = Instrumented::of(preparation, &ready, entrant, &language)?;
            onlookers.push(onlooker(contender, &language, None, instrumented.is_none()));
            if let Some(Instrumented {
                instrumentation,
                runnable,
            }) = instrumented
            {
                added.push(onlooker(contender, &language, Some(&instrumentation), true));
                ready.add_instrumented(entrant, runnable);
            }
        }
        // Instrumented entrants are at the end of the group: so are their onlookers.
        onlookers.extend(added);
        Ok(Self {
            group: group_of(&ready, question, request)?,
            rig_group: ready.rig_group(request.timeout, request.seed),
            onlookers,
            services,
        })
    }
}

/// Without the two there is nothing to compare; without the floor there is.
fn refuse_missing(ready: &ReadyCase, question: &Question) -> Result<()> {
    let needed = |id: &ContenderId| Some(id) != question.floor.as_ref();
    for entrant in ready.entrants.iter().filter(|entrant| needed(&entrant.id)) {
        if let Some(fault) = &entrant.fault {
            return Err(PrepareError::Unmeasurable {
                id: entrant.id.clone(),
                fault: fault.clone(),
            });
        }
    }
    Ok(())
}

fn onlooker(
    contender: &Contender,
    language: &Language,
    instrumentation: Option<&Explain>,
    recorded: bool,
) -> Onlooker {
    let languages = std::iter::once(&contender.language).chain(&contender.uses);
    let explain = language.explain.as_ref();
    let collector = instrumentation.and_then(|instrumentation| instrumentation.collector.as_deref());
    let compiler = instrumentation.and_then(|instrumentation| instrumentation.compiler.as_deref());
    Onlooker {
        id: contender.id.clone(),
        languages: languages.cloned().collect(),
        instrumentation: instrumentation.map(Explain::words),
        symbols: explain.and_then(|explain| explain.symbols.clone()),
        recorded,
        collector: collector.and_then(Dialect::of),
        compiler: compiler.and_then(compiler::Dialect::of),
    }
}

/// A contender with instrumentation.
struct Instrumented {
    instrumentation: Explain,
    runnable: Runnable,
}

impl Instrumented {
    /// None for a contender that is not available, or that is examined without instrumentation.
    fn of(
        preparation: &Preparation<'_>,
        ready: &ReadyCase,
        entrant: usize,
        language: &Language,
    ) -> Result<Option<Self>> {
        let contender = &ready.chosen.contenders[entrant];
        let plain = ready.runnables[entrant].clone();
        let Some((mut instrumentation, mut runnable)) = language.instrumentation(contender).zip(plain) else {
            return Ok(None);
        };
        let id = instrumented(&contender.id);
        if !instrumentation.build.is_empty() {
            let mut other = instrumentation.build.to(contender);
            other.id = id.clone();
            match preparation.rebuilt(&other, ready)? {
                Ok(built) => {
                    runnable.cwd = built.cwd;
                    // The values that services give were filled in after the build: they stay.
                    let places = built.values.into_iter();
                    let places = places.filter(|(name, _)| ["src", "out"].contains(&name.as_str()));
                    runnable.values.extend(places);
                }
                Err(fault) => {
                    let (id, fault) = (&id, &fault);
                    let progress = preparation.progress;
                    progress.event(&Event::InstrumentedBuildFailed { id, fault });
                    instrumentation.build = Additions::default();
                }
            }
        }
        if instrumentation.is_empty() {
            return Ok(None);
        }
        runnable.env = instrumentation.over(&runnable.env);
        runnable.log = runnable.log.with_file_name(format!("{id}.log"));
        if let Some(front) = &mut runnable.front {
            front.state = front.state.with_file_name(id.to_string());
        }
        runnable.name = id.to_string();
        Ok(Some(Self {
            instrumentation,
            runnable,
        }))
    }
}

/// The id of a contender with instrumentation.
fn instrumented(id: &ContenderId) -> ContenderId {
    let variant = match &id.variant {
        Some(variant) => format!("{variant}-instrumented"),
        None => "instrumented".to_owned(),
    };
    ContenderId::variant(&id.name, &variant)
}

impl ReadyCase {
    /// Adds an instrumented contender.
    fn add_instrumented(&mut self, entrant: usize, runnable: Runnable) {
        let mut record = self.entrants[entrant].clone();
        record.id = instrumented(&record.id);
        self.runnables.push(Some(runnable));
        self.entrants.push(record);
    }
}

fn group_of(ready: &ReadyCase, question: &Question, request: &Request) -> Result<Group> {
    let chosen = &ready.chosen;
    let mut request = request.clone();
    request.baseline = Some(question.a.clone());
    if request.modes.is_empty() {
        request.modes.extend(chosen.case.modes.first());
    }
    let mut group = group::group(
        (&chosen.workload, &chosen.case),
        ready.entrants.clone(),
        ready.placement.clone(),
        &Reported::default(),
        &request,
    )?;
    // One size is compared; the rig has no other.
    group.sweep = None;
    for mode in &mut group.modes {
        // The best of several levels is a question of its own, and would take time from this one.
        mode.driving.connections.truncate(1);
    }
    // Nothing is left out of a single level: either the machine carries it or that is an error.
    cut_levels(&mut group)?;
    Ok(group)
}
