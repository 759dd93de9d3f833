//! A rig for servers that somebody else started: they are driven in turn, and neither frozen nor accounted.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tare_lab::rig::{Rig, SliceOrder, SliceOutcome, Who};
use tare_load::{Address, Cause, Load, LoadConfig, Target, Work, exchange};
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::Job;
use tare_model::measure::{HostReading, SliceReading};
use tare_model::units::Seconds;

use crate::sockets::{length, schedule};

/// A server: where it listens, and what it is to do.
#[derive(Debug, Clone)]
pub struct Server {
    /// As a person wrote it.
    pub url: String,
    /// Where it listens.
    pub address: Address,
    /// What it does.
    pub job: Job,
}

/// The rig.
pub struct UrlRig<'k> {
    cancel: &'k AtomicBool,
    began: Instant,
    timeout: Duration,
    load: Load,
    /// By entrant. Connections stay open from slice to slice.
    targets: Vec<(Server, Target)>,
    /// Who has given a first answer.
    checked: Vec<bool>,
}

impl<'k> UrlRig<'k> {
    /// A rig for these servers; nothing is opened yet.
    ///
    /// # Errors
    /// `Instrument` where a job cannot be made into requests.
    pub fn new(cancel: &'k AtomicBool, servers: Vec<Server>, config: LoadConfig) -> Result<Self, Fault> {
        let (timeout, seed) = (config.timeout, config.seed);
        let target = |server: Server| -> Result<(Server, Target), Fault> {
            let work = Work::new(&server.job, &server.address, seed);
            let work = work.map_err(|error| Fault::new(FaultKind::Instrument, error.to_string()))?;
            let target = Target::new(server.address.clone(), work);
            Ok((server, target))
        };
        let targets: Vec<(Server, Target)> = servers.into_iter().map(target).collect::<Result<_, _>>()?;
        Ok(Self {
            cancel,
            began: Instant::now(),
            timeout,
            load: Load::new(config),
            checked: vec![false; targets.len()],
            targets,
        })
    }
}

impl Rig for UrlRig<'_> {
    fn now(&self) -> Seconds {
        Seconds::from_duration(self.began.elapsed())
    }

    fn interrupted(&self) -> bool {
        self.cancel.load(Ordering::SeqCst)
    }

    /// It runs, or does not: the check tells.
    fn start(&mut self, _who: Who) -> Result<(), Fault> {
        Ok(())
    }

    fn check(&mut self, who: Who) -> Result<(), Fault> {
        let (server, target) = &self.targets[who.entrant];
        if !std::mem::replace(&mut self.checked[who.entrant], true) {
            exchange::first_answer(&server.address, target.work(), self.timeout, false, self.cancel)
                .map_err(|fault| Fault::new(fault.kind, format!("{}: {}", server.url, fault.detail)))?;
        }
        Ok(())
    }

    fn slice(&mut self, who: Who, order: &SliceOrder) -> SliceOutcome {
        let began = self.now();
        let (_, target) = &mut self.targets[who.entrant];
        let driven = self
            .load
            .run(target, &schedule(order), length(order), self.cancel);
        let (mut load, fault) = match driven {
            Ok(load) => (load, None),
            Err(failed) => match failed.cause {
                Cause::Interrupted => return SliceOutcome::default(),
                Cause::Fault(fault) => (*failed.reading, Some(fault)),
            },
        };
        load.connections = order.connections;
        SliceOutcome {
            reading: Some(SliceReading {
                began,
                load,
                host: HostReading::default(),
                services: Vec::new(),
            }),
            fault,
        }
    }

    fn stop(&mut self, who: Who) -> Option<String> {
        self.targets[who.entrant].1.close();
        None
    }
}
