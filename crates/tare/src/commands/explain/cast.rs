//! Who is on the bench: the two and the floor as they always are, and beside them, where a language needs that, the same
//! contenders as they are built and run to be looked into.

use tare_host::profile::collector::Dialect;
use tare_host::profile::compiler;
use tare_lab::plan::Group;
use tare_load::Address;
use tare_model::ids::ContenderId;
use tare_model::manifest::{Additions, Contender, Explain, Language, Reported};
use tare_model::metric::Mode;
use tare_rig::service::Service;
use tare_rig::witness::Onlooker;
use tare_rig::{RigGroup, Runnable};

use super::question::Question;
use crate::args::ExplainArgs;
use crate::commands::bench::{Bench, Readied, Ready};
use crate::context::Context;
use crate::failure::Failure;
use crate::planning;

/// Everybody, in the same order everywhere.
pub struct Cast {
    /// The plan's group.
    pub group: Group,
    /// The rig's.
    pub rig_group: RigGroup,
    /// How each entrant is looked at.
    pub onlookers: Vec<Onlooker>,
    /// What they need beside themselves.
    pub services: Vec<Service>,
}

impl Cast {
    /// Of what was made ready. What has to be built in another way to be looked into is built now.
    pub fn of(
        (context, bench): (&Context, &Bench),
        ready: Ready,
        question: &Question,
        args: &ExplainArgs,
    ) -> Result<Self, Failure> {
        let services = ready.services;
        let mut cases = ready.cases.into_iter();
        let mut readied = cases
            .next()
            .ok_or_else(|| Failure::outside("nothing was made ready"))?;
        refuse_missing(&readied, question)?;
        let mut onlookers = Vec::new();
        let contenders = readied.chosen.contenders.clone();
        for (entrant, contender) in contenders.iter().enumerate() {
            let language = bench.lab.language(&contender.language).map_err(Failure::usage)?;
            let instrumented = Instrumented::of((context, bench), &readied, entrant, &language)?;
            onlookers.push(onlooker(contender, &language, None, instrumented.is_none()));
            if let Some(instrumented) = instrumented {
                onlookers.push(onlooker(
                    contender,
                    &language,
                    Some(&instrumented.instrumentation),
                    true,
                ));
                readied.add_instrumented(entrant, instrumented.runnable);
            }
        }
        // Those that were added stand at the end of the group: so do their onlookers.
        let (plain, instrumented): (Vec<_>, Vec<_>) = onlookers
            .into_iter()
            .partition(|one| one.instrumentation.is_none());
        let group = group(&readied, question)?;
        let rig_group = readied.rig_group(args.timeout.0, args.seed.unwrap_or(1));
        Ok(Self {
            group,
            rig_group,
            onlookers: plain.into_iter().chain(instrumented).collect(),
            services,
        })
    }
}

/// Without the two there is nothing to compare; without the floor there is.
fn refuse_missing(readied: &Readied, question: &Question) -> Result<(), Failure> {
    for entrant in &readied.entrants {
        if let Some(fault) = entrant
            .fault
            .as_ref()
            .filter(|_| Some(&entrant.id) != question.floor.as_ref())
        {
            return Err(Failure::outside(format!(
                "{} cannot be measured: {fault}",
                entrant.id
            )));
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

/// A contender as it is looked into, where that is not as it always is.
struct Instrumented {
    instrumentation: Explain,
    runnable: Runnable,
}

impl Instrumented {
    /// None for those that are looked into as they are, or are not there at all.
    fn of(
        (context, bench): (&Context, &Bench),
        readied: &Readied,
        entrant: usize,
        language: &Language,
    ) -> Result<Option<Self>, Failure> {
        let contender = &readied.chosen.contenders[entrant];
        let plain = readied.runnables[entrant].clone();
        let Some((mut instrumentation, mut runnable)) = language.instrumentation(contender).zip(plain) else {
            return Ok(None);
        };
        let id = looked_into(&contender.id);
        if !instrumentation.build.is_empty() {
            let mut other = instrumentation.build.to(contender);
            other.id = id.clone();
            match bench.rebuilt(context, &other, readied)? {
                Ok(built) => {
                    runnable.cwd = built.cwd;
                    // What services give was filled in since: it stays.
                    let places = built.values.into_iter();
                    let places = places.filter(|(name, _)| ["src", "out"].contains(&name.as_str()));
                    runnable.values.extend(places);
                }
                Err(fault) => {
                    context.say(format!(
                        "{id}: {fault}\n\nit is looked into as it always is built\n"
                    ));
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

fn looked_into(id: &ContenderId) -> ContenderId {
    let variant = match &id.variant {
        Some(variant) => format!("{variant}-looked-into"),
        None => "looked-into".to_owned(),
    };
    ContenderId::variant(&id.name, &variant)
}

impl Readied {
    /// The same contender once more, as it is run to be looked into.
    fn add_instrumented(&mut self, entrant: usize, runnable: Runnable) {
        let mut record = self.entrants[entrant].clone();
        record.id = looked_into(&record.id);
        self.runnables.push(Some(runnable));
        self.entrants.push(record);
    }
}

fn group(readied: &Readied, question: &Question) -> Result<Group, Failure> {
    let mut options = question.options.clone();
    options.baseline = Some(question.a.clone());
    if options.mode.is_empty() {
        options.mode = readied.chosen.case.modes.first().copied().into_iter().collect();
    }
    let chosen = &readied.chosen;
    let (entrants, placement) = (readied.entrants.clone(), readied.placement.clone());
    let mut group = planning::group(
        &chosen.workload,
        &chosen.case,
        entrants,
        placement,
        &Reported::default(),
        &options,
    )?;
    // One size is compared; the rig has no other.
    group.sweep = None;
    for mode in &mut group.modes {
        // The best of several levels is a question of its own, and would take time from this one.
        mode.driving.connections.truncate(1);
        if mode.driving.mode != Mode::Batch && !group.in_process {
            let resident = group.entrants.len() as u32;
            let cut = tare_load::limits::cut(&mode.driving.connections, resident, &Address::loopback(1));
            mode.driving.connections = cut.map_err(Failure::outside)?.levels;
        }
    }
    Ok(group)
}
