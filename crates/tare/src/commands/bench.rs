//! The bench that `run` and `check` work on: the lab locked, leftovers ended, the guard on duty, contenders built.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tare_host::groups::{Backing, Grouping};
use tare_host::keeper::Keeper;
use tare_host::lock::Lock;
use tare_host::{interrupt, machine};
use tare_model::fault::Fault;
use tare_model::manifest::{Contender, Lab};
use tare_model::record::EntrantRecord;
use tare_model::results::Placement;
use tare_rig::service::Service;
use tare_rig::{References, RigGroup, Runnable};

use crate::args::RunArgs;
use crate::commands::hold;
use crate::context::Context;
use crate::failure::Failure;
use crate::planning;
use crate::prepare::{Builder, Chosen, Tools};
use crate::services::Services;

/// From its start until it is ready: a cold Java machine on one busy core takes seconds.
const READY_WITHIN: Duration = Duration::from_secs(30);

/// Held while contenders run.
pub struct Bench {
    pub lab: Lab,
    pub state: PathBuf,
    pub keeper: Keeper,
    /// Which facilities of the kernel are used, and what is less exact with them.
    pub grouping: Grouping,
    pub cancel: &'static AtomicBool,
    _lock: Lock,
}

/// A case that is ready to be measured or checked.
pub struct Readied {
    pub chosen: Chosen,
    pub placement: Placement,
    pub entrants: Vec<EntrantRecord>,
    pub runnables: Vec<Option<Runnable>>,
    /// The services that it needs, by their indices among all that run.
    pub services: Vec<usize>,
}

/// What is ready to be measured or checked, and the services that run for it.
pub struct Ready {
    pub cases: Vec<Readied>,
    pub services: Vec<Service>,
}

/// A contender of a case, built, and its front.
fn built(
    builder: &mut Builder<'_, '_>,
    services: &Services<'_>,
    readied: &Readied,
    contender: &Contender,
) -> Result<(Option<Runnable>, EntrantRecord), Failure> {
    let chosen = &readied.chosen;
    let references = references(chosen, contender)?;
    let (mut runnable, mut entrant) = builder.prepare(contender, chosen, &readied.placement)?;
    if let Some(runnable) = &mut runnable {
        runnable.references = references;
        if let [front] = chosen.front_of(contender) {
            let front = services.front(front, contender, &mut entrant);
            runnable.front = Some(front.map_err(Failure::outside)?);
        }
    }
    if let Some(fault) = &entrant.fault {
        let text = format!("{}/{}: {fault}\n", contender.workload, contender.id);
        builder.context.say(text);
    }
    Ok((runnable, entrant))
}

impl Bench {
    /// Locks the lab, ends what a killed run left behind, and puts the guard on duty.
    pub fn open(context: &Context) -> Result<Self, Failure> {
        let lab = context.lab()?;
        let held = hold::take(context, context.state()?, Self::forced()?)?;
        Ok(Self {
            lab,
            state: held.state,
            keeper: held.keeper,
            grouping: held.grouping,
            cancel: interrupt::flag(),
            _lock: held.lock,
        })
    }

    /// Builds what was chosen, and starts the services of its cases; with `install`, installs before what that needs.
    pub fn ready(
        &self,
        context: &Context,
        chosen: Vec<Chosen>,
        install: bool,
        args: Option<&RunArgs>,
    ) -> Result<Ready, Failure> {
        let mut tools = Tools::new(&self.lab, &self.state);
        if install {
            let all: Vec<&Contender> = chosen.iter().flat_map(|chosen| &chosen.contenders).collect();
            let services: Vec<_> = chosen.iter().flat_map(Chosen::all_services).collect();
            let log = self.state.join("install.log");
            tools.install(context, &all, &services, &log, self.cancel)?;
        }
        let cores = machine::cores();
        let mut builder = Builder {
            context,
            tools,
            keeper: &self.keeper,
            state: &self.state,
            cancel: self.cancel,
        };
        let mut services = Services::new(context, &self.keeper, &self.state, self.cancel, READY_WITHIN);
        let mut ready = Vec::new();
        for chosen in chosen {
            let placement = planning::placement(chosen.case.placement, &cores, args)?;
            let mut readied = Readied {
                placement,
                entrants: Vec::new(),
                runnables: Vec::new(),
                services: Vec::new(),
                chosen,
            };
            let lacking = services
                .prepare(&mut builder.tools, &readied.chosen.services)
                .err();
            for contender in &readied.chosen.contenders {
                let front = readied.chosen.front_of(contender);
                let lacking = match &lacking {
                    Some(fault) => Some(fault.clone()),
                    None => services.prepare(&mut builder.tools, front).err(),
                };
                let (runnable, entrant) = match lacking.filter(|_| contender.broken.is_none()) {
                    // Building it would be in vain.
                    Some(fault) => {
                        let mut entrant = planning::entrant(contender);
                        entrant.fault = Some(fault);
                        (None, entrant)
                    }
                    None => built(&mut builder, &services, &readied, contender)?,
                };
                readied.runnables.push(runnable);
                readied.entrants.push(entrant);
            }
            ready.push(readied);
        }
        // Last: a service that waits for builds to end only takes their time.
        for readied in &mut ready {
            if readied.runnables.iter().any(Option::is_some) {
                services.serve(readied);
            }
        }
        Ok(Ready {
            cases: ready,
            services: services.into_running(),
        })
    }

    /// A contender of a case that is ready, built once more in another way; or why that cannot be had.
    pub fn rebuilt(
        &self,
        context: &Context,
        contender: &Contender,
        readied: &Readied,
    ) -> Result<Result<Runnable, Fault>, Failure> {
        let mut builder = Builder {
            context,
            tools: Tools::new(&self.lab, &self.state),
            keeper: &self.keeper,
            state: &self.state,
            cancel: self.cancel,
        };
        builder.runnable(contender, &readied.chosen, &readied.placement)
    }

    /// How contenders are to be held, where the environment variable TARE_HOLD says (`v2`, `v1`, `plain`): for
    /// tests, and for machines whose best way misbehaves.
    pub fn forced() -> Result<Option<Backing>, Failure> {
        match std::env::var("TARE_HOLD").as_deref() {
            Err(_) | Ok("") => Ok(None),
            Ok(tag) => Backing::from_tag(tag).map(Some).ok_or_else(|| {
                let tags = Backing::ALL.map(Backing::tag).join(", ");
                Failure::usage(format!("TARE_HOLD is `{tag}`: expected one of {tags}"))
            }),
        }
    }

    /// Whether a person asked to stop.
    pub fn cancelled(&self) -> bool {
        interrupt::asked()
    }
}

/// What a contender must answer, where its job is done in process. Told before anything is built.
fn references(chosen: &Chosen, contender: &Contender) -> Result<Option<Arc<References>>, Failure> {
    let (workload, case) = (&chosen.workload, &chosen.case);
    let Some(probe) = case.job.in_process() else {
        return Ok(None);
    };
    let sizes = case.sweep.as_ref().map_or(&[][..], |sweep| &sweep.sizes);
    let floor = case.floor.as_ref() == Some(&contender.id);
    let references = References::read(&workload.folder, probe, &case.name, sizes, floor);
    references
        .map(|references| Some(Arc::new(references)))
        .map_err(Failure::usage)
}

/// Tare's own command that starts CGI programs.
fn forker() -> Vec<String> {
    let me = hold::me().unwrap_or_else(|_| "tare".into());
    vec![me.display().to_string(), "__forker".to_owned()]
}

impl Readied {
    fn sizes(&self) -> Vec<u64> {
        let sweep = self.chosen.case.sweep.as_ref();
        sweep.map(|sweep| sweep.sizes.clone()).unwrap_or_default()
    }

    /// What the rig needs of it.
    pub fn rig_group(&self, timeout: Duration, seed: u64) -> RigGroup {
        RigGroup {
            job: self.chosen.case.job.clone(),
            exchanges: self.chosen.case.exchanges.clone(),
            placement: self.placement.clone(),
            contenders: self.runnables.clone(),
            forker: forker(),
            services: self.services.clone(),
            sizes: self.sizes(),
            timeout,
            ready_within: READY_WITHIN,
            seed,
        }
    }
}

/// A path as people read it: relative to where they are, where that is shorter.
pub fn short(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).display().to_string()
}
