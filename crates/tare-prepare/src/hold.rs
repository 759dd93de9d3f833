//! Services that are held for a run on another machine.

use tare_host::{interrupt, machine};
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::Service;
use tare_rig::service::{Listens, Service as Running, refuse_version};

use crate::build::Builder;
use crate::hosts::can_be_held;
use crate::ready::Preparation;
use crate::ready_case::READY_WITHIN;
use crate::services::{Place, Services};

/// What is asked for.
#[derive(Debug, Clone)]
pub struct HoldRequest {
    /// The version of the tare that asks.
    pub version: String,
    /// The service's name.
    pub service: String,
    /// Whether what it is asked is to be counted.
    pub counted: bool,
    /// Whether to install what it needs.
    pub install: bool,
}

/// A service that is ready.
#[derive(Debug)]
pub struct Held {
    /// Which of those that are held.
    pub number: usize,
    /// The versions of the tools that run it.
    pub versions: Vec<(String, String)>,
}

/// Services that are held.
pub struct Holding<'p> {
    preparation: &'p Preparation<'p>,
    builder: Builder<'p, 'p>,
    services: Services<'p>,
    listens: Listens,
}

impl Preparation<'_> {
    /// Nothing yet. `listens`: where services will, and for whom.
    pub fn holding(&self, listens: Listens) -> Holding<'_> {
        let services = Services::new(
            self.progress,
            &self.supervision.keeper,
            &self.supervision.state,
            interrupt::flag(),
            READY_WITHIN,
        );
        Holding {
            preparation: self,
            builder: self.builder(),
            services,
            listens,
        }
    }
}

impl Holding<'_> {
    /// Makes the state of a service of the lab, and starts it on all cores.
    ///
    /// # Errors
    /// The fault of what cannot be had: it is that of the contenders that need it.
    pub fn hold(&mut self, request: &HoldRequest) -> Result<Held, Fault> {
        refuse_version(&request.version)?;
        let service = self.holdable(&request.service)?;
        if request.install {
            let (state, progress) = (&self.preparation.supervision.state, self.preparation.progress);
            let log = state.join("install.log");
            let tools = &mut self.builder.tools;
            let installed = tools.install_for(&service, &log, progress, interrupt::flag());
            installed.map_err(|error| unfit(&error.to_string()))?;
        }
        let one = std::slice::from_ref(&service);
        self.services.prepare(&mut self.builder.tools, one)?;
        let place = Place {
            service: service.name.clone(),
            cores: machine::cores(),
            case: request.counted.then(String::new),
        };
        let (number, versions) = self.services.held(&service, &place, self.listens.clone())?;
        Ok(Held { number, versions })
    }

    /// One that is held.
    pub fn service(&mut self, number: usize) -> Option<&mut Running> {
        self.services.running_mut(number)
    }

    /// Ends them; a message for each that had to be killed or left processes running.
    pub fn stop(self) -> Vec<String> {
        let services = self.services.into_running().into_iter();
        services.filter_map(Running::stop).collect()
    }

    fn holdable(&self, name: &str) -> Result<Service, Fault> {
        let service = self.preparation.lab.service(name);
        let service = service.map_err(|error| unfit(&error.to_string()))?;
        match can_be_held(&service) {
            true => Ok(service),
            false => Err(unfit(&format!(
                "`{name}` is no service with a process of its own"
            ))),
        }
    }
}

fn unfit(why: &str) -> Fault {
    Fault::new(FaultKind::NoService, why)
}
