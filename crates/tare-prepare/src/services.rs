//! The services of the chosen cases: tools found, state made, started once everything else is ready.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tare_host::build::Recipe;
use tare_host::containers::HostAddress;
use tare_host::keeper::Keeper;
use tare_host::ordinary;
use tare_host::service::{self, Prepared};
use tare_host::tools::{Found, Missing};
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::{Contender, Service};
use tare_model::record::EntrantRecord;
use tare_rig::Front;
use tare_rig::service::{Elsewhere, Holder, Listens, Service as Running, Startable, Wanted};

use crate::build::{core_values, make_log_folder};
use crate::hosts::can_be_held;
use crate::links::{self, Links};
use crate::progress::{Event, Progress};
use crate::ready_case::ReadyCase;
use crate::request::ServiceHost;
use crate::tools::Tools;

/// The longest that making a service's state may take.
const PREPARE_WITHIN: Duration = Duration::from_secs(5 * 60);

/// A service whose state is made, and the tools that it was made with.
#[derive(Clone)]
struct Made {
    prepared: Prepared,
    found: Vec<Found>,
    values: BTreeMap<String, String>,
}

/// Where a process of a service runs, and for whom.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) service: String,
    pub(crate) cores: Vec<u32>,
    /// The case that has it for itself.
    pub(crate) case: Option<String>,
}

/// Services by name. Each is prepared once, and its fault reported once.
pub(crate) struct Services<'a> {
    progress: &'a dyn Progress,
    keeper: &'a Keeper,
    state: &'a Path,
    cancel: &'a AtomicBool,
    ready_within: Duration,
    made: BTreeMap<String, Result<Made, Fault>>,
    /// By service, cores and, where it is counted, case: one process serves every case that places it there and counts
    /// nothing.
    running: Vec<(Place, Result<usize, Fault>)>,
    started: Vec<Running>,
    there: Option<There>,
}

/// The machine that holds the services that another one can hold.
struct There {
    host: ServiceHost,
    /// Whether it installs what they need.
    install: bool,
    /// Once one was asked for.
    holder: Option<Holder>,
}

impl<'a> Services<'a> {
    pub(crate) fn new(
        progress: &'a dyn Progress,
        keeper: &'a Keeper,
        state: &'a Path,
        cancel: &'a AtomicBool,
        ready_within: Duration,
    ) -> Self {
        Self {
            progress,
            keeper,
            state,
            cancel,
            ready_within,
            made: BTreeMap::new(),
            running: Vec::new(),
            started: Vec::new(),
            there: None,
        }
    }

    /// Has another machine hold those that it can.
    pub(crate) fn held_by(&mut self, host: ServiceHost, install: bool) {
        self.there = Some(There {
            host,
            install,
            holder: None,
        });
    }

    fn is_elsewhere(&self, service: &Service) -> bool {
        self.there.is_some() && can_be_held(service)
    }

    /// Prepares the services of a case that run here, each once in a run.
    ///
    /// # Errors
    /// The fault of the first that is not available.
    pub(crate) fn prepare(&mut self, tools: &mut Tools<'_>, services: &[Service]) -> Result<(), Fault> {
        for service in services {
            if self.is_elsewhere(service) {
                continue;
            }
            if !self.made.contains_key(&service.name) {
                let made = self.make(tools, service);
                if let Err(fault) = &made {
                    self.report(service, fault);
                }
                self.made.insert(service.name.clone(), made);
            }
            if let Some(Err(fault)) = self.made.get(&service.name) {
                return Err(fault.clone());
            }
        }
        Ok(())
    }

    fn report(&self, service: &Service, fault: &Fault) {
        // What an interruption broke is no fault of the service.
        if !self.cancel.load(Ordering::SeqCst) {
            let service = &service.name;
            self.progress.event(&Event::ServiceFailed { service, fault });
        }
    }

    fn make(&self, tools: &mut Tools<'_>, service: &Service) -> Result<Made, Fault> {
        let missing = tools.missing_of_service(service);
        if !missing.is_empty() {
            return Err(Missing::fault(&missing));
        }
        let found = tools.of_service(service).unwrap_or_default();
        let user = if service.refuses_root {
            ordinary::detect(self.state)
        } else {
            ordinary::as_we_are(self.state)
        };
        // Not a fault of the instrument: everything else can still be measured.
        let user = user.map_err(|error| Fault::new(FaultKind::NoService, error.to_string()))?;
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
        let name = &service.name;
        self.progress.event(&Event::PreparingService { service: name });
        let prepared = service::prepare(self.keeper, &user, &recipe, self.cancel)?;
        if !prepared.cached {
            self.progress.event(&Event::PreparedService { service: name });
        }
        Ok(Made {
            prepared,
            found,
            values,
        })
    }

    /// A service that was prepared, or its fault.
    fn made(&self, name: &str) -> Result<Made, Fault> {
        let made = self.made.get(name);
        made.unwrap_or_else(|| panic!("`{name}` is used only after it was prepared"))
            .clone()
    }

    /// A front that was prepared, for one contender.
    pub(crate) fn front(
        &self,
        front: &Service,
        contender: &Contender,
        entrant: &mut EntrantRecord,
    ) -> Result<Front, Fault> {
        let made = self.made(&front.name)?;
        entrant
            .subject
            .add_versions(versions(&serving(front, &made.found)));
        let src = &made.prepared.src;
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
        let mut values = made.values.clone();
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

    /// Starts the services of a case on the cores of its load, unless they run there already, and gives the
    /// contenders the values of their placeholders. Where a service fails, the contenders are left out with its fault.
    pub(crate) fn serve(&mut self, ready: &mut ReadyCase, links: &Links) {
        let services = ready.chosen.services.clone();
        let own = links::own(&ready.chosen);
        // Why there is none is the fault of the containers that need it.
        let address = links.of_case(&ready.chosen).and_then(|link| link.as_ref().ok());
        for service in &services {
            let place = Place {
                service: service.name.clone(),
                cores: match self.is_elsewhere(service) {
                    true => Vec::new(),
                    false => ready.placement.load.clone(),
                },
                case: own
                    .clone()
                    .filter(|_| service.counts.is_some() || address.is_some()),
            };
            let index = match self.running(service, place, address) {
                Ok(index) => index,
                Err(fault) => return leave_out(ready, &fault),
            };
            ready.services.push(index);
            for runnable in ready.runnables.iter_mut().flatten() {
                let gives = self.started[index].gives().clone();
                runnable.values.extend(gives);
            }
            if service.run.is_empty() {
                continue;
            }
            ready.placement.services.push(service.name.clone());
            let mut used = Vec::new();
            if let Some((node, versions)) = self.started[index].elsewhere() {
                ready.placement.services_on = Some(node.clone());
                used = versions.to_vec();
            } else if let Some(Ok(made)) = self.made.get(&service.name) {
                used = versions(&serving(service, &made.found));
            }
            for entrant in &mut ready.entrants {
                entrant.subject.add_versions(used.clone());
            }
        }
    }

    fn running(
        &mut self,
        service: &Service,
        place: Place,
        address: Option<&Arc<HostAddress>>,
    ) -> Result<usize, Fault> {
        if let Some((_, known)) = self.running.iter().find(|(known, _)| *known == place) {
            return known.clone();
        }
        let started = self.start(service, &place, address);
        if let Err(fault) = &started {
            self.report(service, fault);
        }
        self.running.push((place, started.clone()));
        started
    }

    fn start(
        &mut self,
        service: &Service,
        place: &Place,
        address: Option<&Arc<HostAddress>>,
    ) -> Result<usize, Fault> {
        let started = if self.is_elsewhere(service) {
            self.start_there(service, place)?
        } else {
            let listens = address.map_or(Listens::Within, |address| Listens::Link(address.clone()));
            let startable = self.startable(service, place, listens)?;
            Running::start(self.keeper, self.cancel, &startable)?
        };
        self.started.push(started);
        Ok(self.started.len() - 1)
    }

    /// Has the other machine start it. One that holds services holds all of them: it has the lab there for itself.
    fn start_there(&mut self, service: &Service, place: &Place) -> Result<Running, Fault> {
        let there = self.there.as_mut().expect("it is asked for where there is one");
        let holder = match &there.holder {
            Some(holder) => holder.clone(),
            None => {
                let log = log_of(self.state, &format!("on-{}", there.host.name))?;
                let elsewhere = Elsewhere {
                    machine: there.host.name.clone(),
                    argv: there.host.command.clone(),
                    cwd: self.state.to_owned(),
                    log,
                };
                there
                    .holder
                    .insert(Holder::start(self.keeper, &elsewhere)?)
                    .clone()
            }
        };
        let wanted = Wanted {
            name: service.name.clone(),
            counted: service.counts.is_some() && place.case.is_some(),
            install: there.install,
        };
        Running::start_elsewhere(&holder, self.cancel, &wanted)
    }

    fn startable(&self, service: &Service, place: &Place, listens: Listens) -> Result<Startable, Fault> {
        let made = self.made(&service.name)?;
        let mut values = made.values;
        values.extend(core_values(&place.cores));
        Ok(Startable {
            name: service.name.clone(),
            prepared: made.prepared,
            run: service.run.clone(),
            values,
            ready: service.ready.clone(),
            ready_within: self.ready_within,
            stop_signal: service.stop_signal.clone(),
            gives: service.gives.clone(),
            counts: service.counts.clone().filter(|_| place.case.is_some()),
            cores: place.cores.clone(),
            listens,
            port: service.expected_at,
            number: self.started.len(),
            log: log_of(self.state, &format!("{}-{}", service.name, self.started.len()))?,
        })
    }

    /// Starts one that was prepared for another machine: its number, and the versions of the tools that run it.
    pub(crate) fn held(
        &mut self,
        service: &Service,
        place: &Place,
        listens: Listens,
    ) -> Result<(usize, Vec<(String, String)>), Fault> {
        let startable = self.startable(service, place, listens)?;
        let used = versions(&serving(service, &self.made(&service.name)?.found));
        let running = Running::start(self.keeper, self.cancel, &startable)?;
        self.started.push(running);
        Ok((self.started.len() - 1, used))
    }

    /// One that was started.
    pub(crate) fn running_mut(&mut self, number: usize) -> Option<&mut Running> {
        self.started.get_mut(number)
    }

    /// The services that were started.
    pub(crate) fn into_running(self) -> Vec<Running> {
        self.started
    }
}

/// Where the output of a service goes.
fn log_of(state: &Path, name: &str) -> Result<PathBuf, Fault> {
    let logs = state.join("logs").join("services");
    make_log_folder(&logs)?;
    Ok(logs.join(format!("{name}.log")))
}

/// Leaves out every contender of a case that has no fault of its own.
fn leave_out(ready: &mut ReadyCase, fault: &Fault) {
    for (runnable, entrant) in ready.runnables.iter_mut().zip(&mut ready.entrants) {
        *runnable = None;
        entrant.fault.get_or_insert_with(|| fault.clone());
    }
}

/// The tools that run the process itself.
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
