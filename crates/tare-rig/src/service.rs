//! A running service: shared by the contenders of a case, never paused, and counted apart from them. It runs here, or on another
//! machine.

mod elsewhere;

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tare_host::containers::HostAddress;
use tare_host::keeper::Keeper;
use tare_host::process::{Process, ProcessSpec};
use tare_host::service::{Fresh, Prepared, no_service};
use tare_host::{interrupt, ports, ready, stop, substitute};
use tare_model::asked::Asked;
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::{Counts, Ready};
use tare_model::placement::Node;
use tare_model::units::Seconds;

use crate::counter::Counter;
use elsewhere::There;

pub use elsewhere::{Elsewhere, Holder, Wanted, answer, failed, refuse_version};

/// How long a process may take to end after its signal.
const GRACE: Duration = Duration::from_secs(2);

/// A service that is prepared and can be started.
#[derive(Debug, Clone)]
pub struct Startable {
    /// Its name.
    pub name: String,
    /// Its state, and how its commands are run.
    pub prepared: Prepared,
    /// The command, with placeholders; empty: data only.
    pub run: Vec<String>,
    /// Values of all placeholders except `{src}`, `{state}`, `{host}`, `{port}` and `{clients}`.
    pub values: BTreeMap<String, String>,
    /// How readiness is seen.
    pub ready: Ready,
    /// How long it may take from its start until it is ready.
    pub ready_within: Duration,
    /// The signal that asks it to stop, without `SIG`.
    pub stop_signal: String,
    /// The placeholders that it provides to contenders; their values may have placeholders.
    pub gives: BTreeMap<String, String>,
    /// How it is asked what it did; none: that is not counted.
    pub counts: Option<Counts>,
    /// The cores that it runs on.
    pub cores: Vec<u32>,
    /// Where it listens.
    pub listens: Listens,
    /// The port that it listens on at an address of its own; none: a free one.
    pub port: Option<u16>,
    /// Distinguishes several processes of one service that run at the same time.
    pub number: usize,
    /// Where its output goes.
    pub log: PathBuf,
}

/// Where a service listens.
#[derive(Debug, Clone)]
pub enum Listens {
    /// On loopback.
    Within,
    /// At an address that containers reach.
    Link(Arc<HostAddress>),
    /// At an address that another machine reaches.
    Network {
        /// The address.
        at: Ipv4Addr,
        /// The other machine's: only its clients are to be let in.
        clients: Ipv4Addr,
    },
}

impl Listens {
    fn at(&self) -> Ipv4Addr {
        match self {
            Self::Within => Ipv4Addr::LOCALHOST,
            Self::Link(address) => address.address(),
            Self::Network { at, .. } => *at,
        }
    }

    /// The address whose clients are let in.
    fn clients(&self) -> Ipv4Addr {
        match self {
            Self::Within | Self::Link(_) => self.at(),
            Self::Network { clients, .. } => *clients,
        }
    }
}

/// A service that is ready. Dropping it ends its process.
#[derive(Debug)]
pub struct Service {
    name: String,
    gives: BTreeMap<String, String>,
    serving: Serving,
}

/// What serves.
#[derive(Debug)]
enum Serving {
    /// Nothing: it is data only.
    Data,
    /// A process of this machine.
    Here(Box<Here>),
    /// Another machine.
    There(Box<There>),
}

/// The process of a service.
#[derive(Debug)]
struct Here {
    // In this order: what asks the process ends before it, and the process before its files and its address are removed.
    counter: Option<Counter>,
    process: Process,
    _state: Fresh,
    _listens: Listens,
    stop_signal: String,
}

impl Service {
    /// Starts it on a free port and waits until it is ready; a service of data only has no process.
    ///
    /// # Errors
    /// `NoService` with its last lines if it did not start or was not ready in time; `Instrument` if the host failed or
    /// `cancel` was set.
    pub fn start(keeper: &Keeper, cancel: &AtomicBool, service: &Startable) -> Result<Self, Fault> {
        let started = if service.run.is_empty() {
            Self::data(service)
        } else {
            Self::process(keeper, cancel, service)
        };
        started.map_err(|fault| no_service(&service.name, "did not start", fault))
    }

    fn data(service: &Startable) -> Result<Self, Fault> {
        let state = service.prepared.state.display().to_string();
        Ok(Self {
            name: service.name.clone(),
            gives: gifts(service, &values(service, state, None))?,
            serving: Serving::Data,
        })
    }

    /// Has another machine start it, and waits until it is ready.
    ///
    /// # Errors
    /// As [`Service::start`]; `Instrument` if `cancel` was set.
    pub fn start_elsewhere(holder: &Holder, cancel: &AtomicBool, wanted: &Wanted) -> Result<Self, Fault> {
        let started = holder.hold(cancel, wanted);
        let (there, gives) = started.map_err(|fault| match fault.kind {
            // That was said there.
            FaultKind::NoService => fault,
            _ => no_service(&wanted.name, "did not start", fault),
        })?;
        Ok(Self {
            name: wanted.name.clone(),
            gives,
            serving: Serving::There(Box::new(there)),
        })
    }

    fn process(keeper: &Keeper, cancel: &AtomicBool, service: &Startable) -> Result<Self, Fault> {
        let state = service.prepared.fresh(service.number)?;
        // An address of its own has every port free.
        let fixed = service
            .port
            .filter(|_| matches!(service.listens, Listens::Link(_)));
        let port = fixed.map_or_else(ports::free_port, Ok)?;
        let values = values(service, state.folder().display().to_string(), Some(port));
        let filled = |words: &[String]| substitute::substitute(words, &values).map_err(unfit);
        let mut argv = filled(&service.run)?;
        if let Some(counts) = &service.counts {
            argv.extend(filled(&counts.with)?);
        }
        let spec = ProcessSpec {
            argv: service.prepared.command(&argv),
            env: BTreeMap::new(),
            cwd: state.folder().to_owned(),
            cores: service.cores.clone(),
            log: service.log.clone(),
        };
        let beside = spec.clone();
        let process = Process::start(keeper.group()?, spec)?;
        let mut serving = Here {
            counter: None,
            process,
            _state: state,
            _listens: service.listens.clone(),
            stop_signal: service.stop_signal.clone(),
        };
        ready::wait_at(
            &mut serving.process,
            &service.ready,
            (service.listens.at(), port).into(),
            service.ready_within,
            cancel,
        )?;
        if let Some(counts) = &service.counts {
            let client = ProcessSpec {
                argv: service.prepared.command(&filled(&counts.run)?),
                log: service.log.with_extension("counts.log"),
                ..beside
            };
            let mut counter = Counter::start(keeper, &service.name, counts, client)?;
            counter.asked()?;
            serving.counter = Some(counter);
        }
        Ok(Self {
            name: service.name.clone(),
            gives: gifts(service, &values)?,
            serving: Serving::Here(Box::new(serving)),
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The placeholders that it provides, and their values.
    pub fn gives(&self) -> &BTreeMap<String, String> {
        &self.gives
    }

    /// The other machine that it runs on, and the versions of the tools that run it there.
    pub fn elsewhere(&self) -> Option<(&Node, &[(String, String)])> {
        match &self.serving {
            Serving::There(there) => Some((&there.node, &there.versions)),
            Serving::Data | Serving::Here(_) => None,
        }
    }

    /// Whether what it is asked is counted.
    pub(crate) fn counts(&self) -> bool {
        match &self.serving {
            Serving::Data => false,
            Serving::Here(here) => here.counter.is_some(),
            Serving::There(there) => there.counted,
        }
    }

    /// What it was asked since its start.
    ///
    /// # Errors
    /// `ServiceDied` if it does not say; `Instrument` if that is not counted.
    pub(crate) fn asked(&mut self) -> Result<Asked, Fault> {
        match &self.serving {
            Serving::There(there) => there.asked(),
            _ => self.counter()?.asked(),
        }
    }

    /// The numbers that rows hold, by their ids.
    ///
    /// # Errors
    /// As [`Service::asked`].
    pub(crate) fn rows(&mut self, ids: impl Iterator<Item = u64>) -> Result<BTreeMap<u64, u64>, Fault> {
        match &self.serving {
            Serving::There(there) => there.rows(ids.collect()),
            _ => self.counter()?.rows(ids),
        }
    }

    /// The client that is asked what it did.
    fn counter(&mut self) -> Result<&mut Counter, Fault> {
        let counter = match &mut self.serving {
            Serving::Here(here) => here.counter.as_mut(),
            Serving::Data | Serving::There(_) => None,
        };
        counter.ok_or_else(|| {
            let text = format!(
                "what the service `{}` is asked is not counted; this is a bug in tare",
                self.name
            );
            Fault::new(FaultKind::Instrument, text)
        })
    }

    /// CPU time that its processes used since its start; none if it has none.
    ///
    /// # Errors
    /// `Instrument` if it cannot be read.
    pub fn cpu(&self) -> Result<Option<Seconds>, Fault> {
        Ok(match &self.serving {
            Serving::Data => None,
            Serving::Here(here) => Some(here.process.group().cpu()?),
            Serving::There(there) => Some(there.cpu()?),
        })
    }

    /// A fault if its process has ended, with its last lines.
    pub fn died(&mut self) -> Option<Fault> {
        let death = match &mut self.serving {
            Serving::Data => return None,
            Serving::There(there) => return there.died(),
            Serving::Here(here) => here.process.died(FaultKind::ServiceDied)?,
        };
        let text = format!(
            "the service `{}` is gone, and with it all that needs it: {}",
            self.name, death.detail
        );
        Some(Fault::new(death.kind, text))
    }

    /// Ends it; says so if that took force or it left something behind.
    pub fn stop(self) -> Option<String> {
        let here = match self.serving {
            Serving::Data => return None,
            Serving::There(there) => return there.stop(),
            Serving::Here(here) => *here,
        };
        let Here {
            counter,
            process,
            _state,
            _listens,
            stop_signal,
        } = here;
        drop(counter);
        end(&format!("the service {}", self.name), process, &stop_signal)
    }
}

/// Ends a process; says so if that took force or it left something behind.
pub(crate) fn end(name: &str, process: Process, signal: &str) -> Option<String> {
    match stop::stop(process, signal, interrupt::grace(GRACE)) {
        Ok(stopped) if !stopped.leaked.is_empty() => Some(format!(
            "{name} left processes behind when it was stopped, which were ended: {}",
            stopped.leaked.join(", ")
        )),
        Ok(stopped) if stopped.killed && !interrupt::hurried() => Some(format!(
            "{name} did not end on SIG{signal} within 2 s and was killed"
        )),
        Ok(_) => None,
        Err(error) => Some(format!("{name} could not be stopped: {error}")),
    }
}

fn values(service: &Startable, state: String, port: Option<u16>) -> BTreeMap<String, String> {
    let mut values = service.values.clone();
    let src = service.prepared.src.display().to_string();
    values.extend([("src", src), ("state", state)].map(|(name, value)| (name.to_owned(), value)));
    if let Some(port) = port {
        values.insert("port".to_owned(), port.to_string());
        values.insert("host".to_owned(), service.listens.at().to_string());
        values.insert("clients".to_owned(), service.listens.clients().to_string());
    }
    values
}

fn gifts(service: &Startable, values: &BTreeMap<String, String>) -> Result<BTreeMap<String, String>, Fault> {
    let gift = |(name, text): (&String, &String)| {
        let text = substitute::substitute_word(text, values).map_err(unfit)?;
        Ok((name.clone(), text))
    };
    service.gives.iter().map(gift).collect()
}

fn unfit(error: substitute::BadPlaceholder) -> Fault {
    Fault::new(FaultKind::NoService, error.to_string())
}
