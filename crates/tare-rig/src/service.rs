//! A running service: shared by the contenders of a case, never paused, and counted apart from them.

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
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::{Counts, Ready};
use tare_model::units::Seconds;

use crate::counter::Counter;

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
    /// Values of all placeholders except `{src}`, `{state}`, `{host}` and `{port}`.
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
    /// The address that it listens at, where containers reach it; none: loopback's.
    pub address: Option<Arc<HostAddress>>,
    /// The port that it listens on at that address; none: a free one.
    pub port: Option<u16>,
    /// Distinguishes several processes of one service that run at the same time.
    pub number: usize,
    /// Where its output goes.
    pub log: PathBuf,
}

/// A service that is ready. Dropping it ends its process.
#[derive(Debug)]
pub struct Service {
    name: String,
    gives: BTreeMap<String, String>,
    serving: Option<Serving>,
}

/// The process of a service.
#[derive(Debug)]
struct Serving {
    // In this order: what asks the process ends before it, and the process before its files and its address are removed.
    counter: Option<Counter>,
    process: Process,
    _state: Fresh,
    _address: Option<Arc<HostAddress>>,
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
            serving: None,
        })
    }

    fn process(keeper: &Keeper, cancel: &AtomicBool, service: &Startable) -> Result<Self, Fault> {
        let state = service.prepared.fresh(service.number)?;
        // An address of its own has every port free.
        let fixed = service.port.filter(|_| service.address.is_some());
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
        let mut serving = Serving {
            counter: None,
            process,
            _state: state,
            _address: service.address.clone(),
            stop_signal: service.stop_signal.clone(),
        };
        ready::wait_at(
            &mut serving.process,
            &service.ready,
            (host(service), port).into(),
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
            serving: Some(serving),
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

    /// The client that is asked what it did, where that is counted.
    pub(crate) fn counter(&mut self) -> Option<&mut Counter> {
        self.serving.as_mut()?.counter.as_mut()
    }

    /// CPU time that its processes used since its start; none if it has none.
    ///
    /// # Errors
    /// `Instrument` if it cannot be read.
    pub fn cpu(&self) -> Result<Option<Seconds>, Fault> {
        let serving = self.serving.as_ref();
        Ok(serving.map(|serving| serving.process.group().cpu()).transpose()?)
    }

    /// A fault if its process has ended, with its last lines.
    pub fn died(&mut self) -> Option<Fault> {
        let death = self.serving.as_mut()?.process.died(FaultKind::ServiceDied)?;
        let text = format!(
            "the service `{}` is gone, and with it all that needs it: {}",
            self.name, death.detail
        );
        Some(Fault::new(death.kind, text))
    }

    /// Ends it; says so if that took force or it left something behind.
    pub fn stop(self) -> Option<String> {
        let Serving {
            counter,
            process,
            _state,
            _address,
            stop_signal,
        } = self.serving?;
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
        values.insert("host".to_owned(), host(service).to_string());
    }
    values
}

/// The address that it listens at.
fn host(service: &Startable) -> Ipv4Addr {
    let address = service.address.as_ref();
    address.map_or(Ipv4Addr::LOCALHOST, |address| address.address())
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
