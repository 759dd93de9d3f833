//! A rig for servers that are already running: they are driven in turn, and neither paused nor accounted.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tare_lab::rig::{Rig, SliceOrder, SliceOutcome, Who};
use tare_load::{Address, Cause, Load, LoadConfig, LoadFault, Target, exchange};
use tare_model::fault::{Fault, FaultKind};
use tare_model::measure::{HostReading, LoadReading, SliceReading};
use tare_model::tls::TlsReading;
use tare_model::units::Seconds;
use tare_remote::Served;

use crate::destination::{Destination, Generators};
use crate::fleet::Crew;

/// A running server.
pub struct Server {
    /// As a person wrote it.
    pub url: String,
    /// Its address and its job.
    pub target: Target,
    /// The same, as agents are told of it; none where no agent drives it.
    pub served: Option<Served>,
}

/// The rig.
pub struct UrlRig<'k> {
    cancel: &'k AtomicBool,
    began: Instant,
    timeout: Duration,
    load: Load,
    /// What drives the servers in place of the load.
    agents: Option<Crew>,
    /// By entrant. Connections stay open between slices.
    servers: Vec<(String, Destination)>,
    /// Whether each has given a first answer.
    checked: Vec<bool>,
    /// What was seen of the TLS of each.
    seen: Vec<Option<TlsReading>>,
}

impl<'k> UrlRig<'k> {
    /// A rig for these servers; opens nothing yet.
    pub fn new(cancel: &'k AtomicBool, servers: Vec<Server>, config: LoadConfig) -> Self {
        Self {
            cancel,
            began: Instant::now(),
            timeout: config.timeout,
            load: Load::new(config),
            agents: None,
            checked: vec![false; servers.len()],
            seen: servers.iter().map(nothing_yet).collect(),
            servers: servers
                .into_iter()
                .map(|one| (one.url, Destination::new(one.target, one.served)))
                .collect(),
        }
    }

    /// Has agents drive the servers.
    pub fn with_agents(mut self, agents: Option<Crew>) -> Self {
        self.agents = agents;
        self
    }

    /// The agents that drive servers.
    pub fn agents(&self) -> Option<&Crew> {
        self.agents.as_ref()
    }

    fn driven(&mut self, who: Who, order: &SliceOrder) -> Result<LoadReading, LoadFault> {
        loop {
            let mut by = match &mut self.agents {
                Some(crew) => Generators::Agents(crew),
                None => Generators::Here(&mut self.load),
            };
            let driven = self.servers[who.entrant].1.drive(&mut by, order, self.cancel);
            if !self.agents.as_ref().is_some_and(Crew::was_void) || self.interrupted() {
                return driven;
            }
        }
    }

    /// What was seen of the TLS of each server; none of one in clear.
    pub fn seen(&self) -> &[Option<TlsReading>] {
        &self.seen
    }
}

/// What was seen of a server's TLS before anything was; none of one in clear.
fn nothing_yet(server: &Server) -> Option<TlsReading> {
    server.target.work().is_over_tls().then(TlsReading::default)
}

/// Whether a server accepts connections there.
fn listens(address: &Address) -> bool {
    address.reach(Duration::from_secs(1)).is_ok()
}

/// A server that allows fewer streams than were asked for is not driven as the others are.
fn too_few_streams(allowed: u32, order: &SliceOrder) -> Fault {
    let what = format!(
        "the server allows {allowed} streams on a connection, and {} were asked for: compare all with --streams {allowed}",
        order.depth
    );
    Fault::new(FaultKind::Instrument, what)
}

impl Rig for UrlRig<'_> {
    fn now(&self) -> Seconds {
        Seconds::from_duration(self.began.elapsed())
    }

    fn interrupted(&self) -> bool {
        let lost = self.agents.as_ref().and_then(Crew::broken);
        lost.is_some() || self.cancel.load(Ordering::SeqCst)
    }

    /// Nothing to start: the check shows whether it runs.
    fn start(&mut self, _who: Who) -> Result<(), Fault> {
        Ok(())
    }

    fn check(&mut self, who: Who) -> Result<(), Fault> {
        let (url, Destination { target, .. }) = &self.servers[who.entrant];
        if !std::mem::replace(&mut self.checked[who.entrant], true) {
            let (address, work) = (target.address(), target.work());
            let first = exchange::first_answer(address, work, self.timeout, false, self.cancel);
            first.map_err(|fault| {
                let kind = match fault.kind {
                    // It was never reached.
                    FaultKind::Died if !listens(address) => FaultKind::NeverReady,
                    kind => kind,
                };
                Fault::new(kind, format!("{url}: {}", fault.detail))
            })?;
        }
        Ok(())
    }

    fn slice(&mut self, who: Who, order: &SliceOrder) -> SliceOutcome {
        let began = self.now();
        let (load, fault) = match self.driven(who, order) {
            Ok(load) => (load, None),
            Err(failed) => match failed.cause {
                Cause::Interrupted => return SliceOutcome::default(),
                Cause::Fault(fault) => (*failed.reading, Some(fault)),
            },
        };
        if let (Some(seen), Some(tls)) = (&mut self.seen[who.entrant], &load.tls) {
            seen.merge(tls);
        }
        let fault = fault.or_else(|| load.streams.map(|allowed| too_few_streams(allowed, order)));
        SliceOutcome {
            reading: Some(SliceReading {
                began,
                load,
                host: HostReading::default(),
                services: Vec::new(),
                figures: Vec::new(),
            }),
            fault,
        }
    }

    fn stop(&mut self, who: Who) -> Option<String> {
        self.servers[who.entrant].1.close();
        None
    }
}
