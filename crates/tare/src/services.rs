//! The services of what was chosen: tools looked for, state made, started when all else is ready.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tare_host::build::Recipe;
use tare_host::keeper::Keeper;
use tare_host::ordinary;
use tare_host::service::{self, Prepared};
use tare_host::tools::{Found, Missing};
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::{Contender, Service};
use tare_model::record::EntrantRecord;
use tare_model::results::Placement;
use tare_rig::Front;
use tare_rig::service::{Service as Running, Startable};

use crate::commands::bench::Readied;
use crate::context::Context;
use crate::prepare::Tools;

/// The longest that making a service's state may take.
const PREPARE_WITHIN: Duration = Duration::from_secs(5 * 60);

/// A service whose state is made, and the tools that it was made with.
#[derive(Clone)]
struct Had {
    prepared: Prepared,
    found: Vec<Found>,
    values: BTreeMap<String, String>,
}

/// Services by name. Each is prepared once, and told once if it cannot be had.
pub struct Services<'a> {
    context: &'a Context,
    keeper: &'a Keeper,
    state: &'a Path,
    cancel: &'a AtomicBool,
    ready_within: Duration,
    had: BTreeMap<String, Result<Had, Fault>>,
    /// By service and cores: a process serves every case that has it on these.
    running: Vec<(String, Vec<u32>, Result<usize, Fault>)>,
    started: Vec<Running>,
}

impl<'a> Services<'a> {
    pub fn new(
        context: &'a Context,
        keeper: &'a Keeper,
        state: &'a Path,
        cancel: &'a AtomicBool,
        ready_within: Duration,
    ) -> Self {
        Self {
            context,
            keeper,
            state,
            cancel,
            ready_within,
            had: BTreeMap::new(),
            running: Vec::new(),
            started: Vec::new(),
        }
    }

    /// Prepares the services of a case, each once in a run: the first fault, if one cannot be had.
    pub fn prepare(&mut self, tools: &mut Tools<'_>, services: &[Service]) -> Result<(), Fault> {
        for service in services {
            if !self.had.contains_key(&service.name) {
                let had = self.made(tools, service);
                if let Err(fault) = &had {
                    self.tell(service, fault);
                }
                self.had.insert(service.name.clone(), had);
            }
            if let Some(Err(fault)) = self.had.get(&service.name) {
                return Err(fault.clone());
            }
        }
        Ok(())
    }

    fn tell(&self, service: &Service, fault: &Fault) {
        if !self.cancel.load(std::sync::atomic::Ordering::SeqCst) {
            self.context.say(format!("service {}: {fault}\n", service.name));
        }
    }

    fn made(&self, tools: &mut Tools<'_>, service: &Service) -> Result<Had, Fault> {
        let missing = tools.missing_of_service(service);
        if !missing.is_empty() {
            return Err(Missing::fault(&missing));
        }
        let found = tools.of_service(service).unwrap_or_default();
        let who = match service.refuses_root {
            true => ordinary::detect(self.state),
            false => ordinary::as_we_are(self.state),
        };
        // Not the instrument's: everything else can still be measured.
        let who = who.map_err(|error| Fault::new(FaultKind::NoService, error.to_string()))?;
        let values = tools.values(&found);
        let recipe = Recipe {
            workload: "services".to_owned(),
            contender: service.name.clone(),
            folder: service.folder.clone(),
            steps: service.prepare.clone(),
            env: BTreeMap::new(),
            values: values.clone(),
            with: Vec::new(),
            versions: versions(&found),
            timeout: PREPARE_WITHIN,
        };
        self.context
            .detail(format!("preparing the service {}", service.name));
        let prepared = service::prepare(self.keeper, &who, &recipe, self.cancel)?;
        if !prepared.cached {
            self.context.say(format!("prepared the service {}", service.name));
        }
        Ok(Had {
            prepared,
            found,
            values,
        })
    }

    /// A front that was prepared, for one contender.
    pub fn front(
        &self,
        front: &Service,
        contender: &Contender,
        entrant: &mut EntrantRecord,
    ) -> Result<Front, Fault> {
        let had = match self.had.get(&front.name) {
            Some(had) => had.clone()?,
            None => unreachable!("a front is asked for after it was prepared"),
        };
        entrant
            .subject
            .add_versions(versions(&serving(front, &had.found)));
        let src = &had.prepared.src;
        let file = src.join(front.fronts.get(&contender.speaks).map_or("", String::as_str));
        let config = std::fs::read_to_string(&file);
        let unread = |error| {
            let text = format!(
                "the front `{}`: {} cannot be read: {error}",
                front.name,
                file.display()
            );
            Fault::new(FaultKind::NoService, text)
        };
        let mut values = had.values.clone();
        values.insert("src".to_owned(), src.display().to_string());
        let folder = self.state.join("fronts").join(&contender.workload);
        Ok(Front {
            name: front.name.clone(),
            run: front.run.clone(),
            config: config.map_err(unread)?,
            values,
            state: folder.join(contender.id.to_string()),
        })
    }

    /// Starts the services of a case that is ready otherwise, on the cores of its load, or finds that they run there;
    /// hands what they give to its contenders. Where one cannot be had, its contenders are left out with the reason.
    pub fn serve(&mut self, readied: &mut Readied) {
        let services = readied.chosen.services.clone();
        for service in &services {
            let index = match self.running(service, &readied.placement) {
                Ok(index) => index,
                Err(fault) => return leave_out(readied, &fault),
            };
            readied.services.push(index);
            for runnable in readied.runnables.iter_mut().flatten() {
                let gives = self.started[index].gives().clone();
                runnable.values.extend(gives);
            }
            if service.run.is_empty() {
                continue;
            }
            readied.placement.services.push(service.name.clone());
            if let Some(Ok(had)) = self.had.get(&service.name) {
                let versions = versions(&serving(service, &had.found));
                for entrant in &mut readied.entrants {
                    entrant.subject.add_versions(versions.clone());
                }
            }
        }
    }

    fn running(&mut self, service: &Service, placement: &Placement) -> Result<usize, Fault> {
        let cores = &placement.load;
        let same = |(name, on, _): &&(String, Vec<u32>, _)| *name == service.name && on == cores;
        if let Some((.., known)) = self.running.iter().find(same) {
            return known.clone();
        }
        let started = self.start(service, cores);
        if let Err(fault) = &started {
            self.tell(service, fault);
        }
        let entry = (service.name.clone(), cores.clone(), started.clone());
        self.running.push(entry);
        started
    }

    fn start(&mut self, service: &Service, cores: &[u32]) -> Result<usize, Fault> {
        let had = match self.had.get(&service.name) {
            Some(had) => had.clone()?,
            None => unreachable!("a case is served after its services were prepared"),
        };
        let logs = self.state.join("logs").join("services");
        let made = std::fs::create_dir_all(&logs);
        let failed = |error| {
            Fault::new(
                FaultKind::Instrument,
                format!("cannot make {}: {error}", logs.display()),
            )
        };
        made.map_err(failed)?;
        let list: Vec<String> = cores.iter().map(u32::to_string).collect();
        let mut values = had.values;
        values.insert("cores".to_owned(), list.len().to_string());
        values.insert("core_list".to_owned(), list.join(","));
        let number = self.started.len();
        let startable = Startable {
            name: service.name.clone(),
            prepared: had.prepared,
            run: service.run.clone(),
            values,
            ready: service.ready.clone(),
            ready_within: self.ready_within,
            stop_signal: service.stop_signal.clone(),
            gives: service.gives.clone(),
            cores: cores.to_vec(),
            number,
            log: logs.join(format!("{}-{number}.log", service.name)),
        };
        let started = Running::start(self.keeper, self.cancel, &startable)?;
        self.started.push(started);
        Ok(number)
    }

    /// The services that run.
    pub fn into_running(self) -> Vec<Running> {
        self.started
    }
}

/// Sets every contender of a case aside that has no other reason to be.
pub fn leave_out(readied: &mut Readied, fault: &Fault) {
    for (runnable, entrant) in readied.runnables.iter_mut().zip(&mut readied.entrants) {
        *runnable = None;
        entrant.fault.get_or_insert_with(|| fault.clone());
    }
}

/// The tools that the process itself is run by.
fn serving(service: &Service, found: &[Found]) -> Vec<Found> {
    let named = |tool: &&Found| {
        let placeholder = format!("{{{}}}", tool.name);
        service.run.iter().any(|word| word.contains(&placeholder))
    };
    found.iter().filter(named).cloned().collect()
}

fn versions(found: &[Found]) -> Vec<(String, String)> {
    found
        .iter()
        .map(|tool| (tool.name.clone(), tool.version.clone()))
        .collect()
}
