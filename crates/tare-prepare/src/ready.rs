//! Cases that are ready to be measured: contenders built, services started.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tare_host::{interrupt, machine};
use tare_lab::plan::{Group, Plan};
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::{Contender, Lab};
use tare_model::placement::{Node, Placement};
use tare_model::record::EntrantRecord;
use tare_rig::service::Service;
use tare_rig::{References, RigGroup, Runnable};

use crate::build::Builder;
use crate::certificate;
use crate::choose::ChosenCase;
use crate::error::{PrepareError, Result};
use crate::group::{self, entrant};
use crate::hosts::{can_be_held, refuse_service_host};
use crate::limits::limits;
use crate::links::Links;
use crate::placement::placement;
use crate::progress::{Event, Progress};
use crate::ready_case::{READY_WITHIN, ReadyCase};
use crate::request::Request;
use crate::services::Services;
use crate::supervision::Supervision;
use crate::tools::Tools;

/// Prepares cases of a lab.
pub struct Preparation<'a> {
    /// The lab.
    pub lab: &'a Lab,
    /// What is held meanwhile.
    pub supervision: &'a Supervision,
    /// Where its events go.
    pub progress: &'a dyn Progress,
}

/// Cases that are ready, and the services that run for them.
pub struct ReadyCases {
    /// The cases.
    pub cases: Vec<ReadyCase>,
    /// The services.
    pub services: Vec<Service>,
}

/// A plan that can be run, and what a rig needs for it.
pub struct Prepared {
    /// The plan.
    pub plan: Plan,
    /// The rig's groups, in the plan's order.
    pub groups: Vec<RigGroup>,
    /// The services that run.
    pub services: Vec<Service>,
    /// What a reader of the results should know of the machine and of the load.
    pub remarks: Vec<String>,
}

impl Preparation<'_> {
    /// Builds the contenders of these cases and starts their services; with [`Request::install`], installs what is
    /// missing before. A contender or service that is not available is reported and recorded with its fault.
    ///
    /// # Errors
    /// Manifests are wrong, what is missing cannot be installed, or a reference file is wrong.
    pub fn ready(&self, chosen: Vec<ChosenCase>, request: &Request) -> Result<ReadyCases> {
        let mut builder = self.builder();
        if request.install {
            let log = self.state().join("install.log");
            builder
                .tools
                .install(&chosen, &log, self.progress, self.cancel())?;
        }
        builder.links = Links::of(&chosen);
        let mut services = Services::new(
            self.progress,
            &self.supervision.keeper,
            self.state(),
            self.cancel(),
            READY_WITHIN,
        );
        if let Some(host) = &request.hosts.service {
            services.held_by(host.clone(), request.install);
        }
        let cores = machine::cores();
        let mut cases = Vec::new();
        for chosen in chosen {
            let placement = placement(chosen.case.placement, &cores, request)?;
            cases.push(self.built_case(chosen, placement, &mut builder, &mut services)?);
        }
        // Last: a service that waits for builds to end only takes their time.
        for ready in &mut cases {
            if ready.runnables.iter().any(Option::is_some) {
                services.serve(ready, &builder.links);
            }
        }
        certificate::give(&mut cases, self.state())?;
        Ok(ReadyCases {
            cases,
            services: services.into_running(),
        })
    }

    /// Refuses a request that no plan can be made of. Builds may take minutes: this takes none.
    ///
    /// # Errors
    /// What is wrong with the request.
    pub fn refuse_nonsense(&self, chosen: &[ChosenCase], request: &Request) -> Result<()> {
        refuse_service_host(chosen, request)?;
        outline(self.lab, chosen, request).map(drop)
    }

    fn built_case(
        &self,
        chosen: ChosenCase,
        placement: Placement,
        builder: &mut Builder<'_, '_>,
        services: &mut Services<'_>,
    ) -> Result<ReadyCase> {
        let missing = services.prepare(&mut builder.tools, &chosen.services).err();
        let (mut entrants, mut runnables) = (Vec::new(), Vec::new());
        for contender in &chosen.contenders {
            let missing = match &missing {
                Some(fault) => Some(fault.clone()),
                None => {
                    let front = chosen.front_of(contender);
                    services.prepare(&mut builder.tools, front).err()
                }
            };
            let (runnable, entrant) = match missing.filter(|_| contender.broken.is_none()) {
                // Building it would be in vain.
                Some(fault) => (None, faulty(contender, &chosen, fault)),
                None => self.built(builder, services, (&chosen, &placement), contender)?,
            };
            runnables.push(runnable);
            entrants.push(entrant);
        }
        Ok(ReadyCase {
            chosen,
            placement,
            entrants,
            runnables,
            services: Vec::new(),
            forker: self.supervision.helpers.forker.clone(),
            certificate: None,
        })
    }

    /// A contender of a case, built, and its front.
    fn built(
        &self,
        builder: &mut Builder<'_, '_>,
        services: &Services<'_>,
        (chosen, placement): (&ChosenCase, &Placement),
        contender: &Contender,
    ) -> Result<(Option<Runnable>, EntrantRecord)> {
        let references = references(chosen, contender)?;
        let (mut runnable, mut entrant) = builder.prepare(contender, chosen, placement)?;
        if let Some(runnable) = &mut runnable {
            runnable.references = references;
            if let [front] = chosen.front_of(contender) {
                let front = services.front(front, contender, &mut entrant);
                runnable.front = Some(front.map_err(PrepareError::Front)?);
            }
        }
        if let Some(fault) = &entrant.fault {
            self.progress.event(&Event::LeftOut { contender, fault });
        }
        Ok((runnable, entrant))
    }

    /// A contender of a case that is ready, built once more in another way.
    pub(crate) fn rebuilt(
        &self,
        contender: &Contender,
        ready: &ReadyCase,
    ) -> Result<std::result::Result<Runnable, Fault>> {
        let mut builder = self.builder();
        let (runnable, entrant) = builder.prepare(contender, &ready.chosen, &ready.placement)?;
        let fault = entrant.fault;
        Ok(runnable.ok_or_else(|| fault.expect("a contender without a program has a fault")))
    }

    pub(crate) fn builder(&self) -> Builder<'_, '_> {
        Builder {
            tools: Tools::new(self.lab, self.state()),
            keeper: &self.supervision.keeper,
            state: self.state(),
            cancel: self.cancel(),
            progress: self.progress,
            links: Links::default(),
        }
    }

    fn state(&self) -> &Path {
        &self.supervision.state
    }

    fn cancel(&self) -> &'static AtomicBool {
        interrupt::flag()
    }
}

/// The plan as the manifests and the request have it: nothing is built, and whether it can be is not known. A contender that
/// is marked as broken does not take part.
///
/// # Errors
/// The request does not fit the cases.
pub fn outline(lab: &Lab, chosen: &[ChosenCase], request: &Request) -> Result<Plan> {
    let cores = machine::cores();
    let of = |one: &ChosenCase| {
        let mut placement = placement(one.case.placement, &cores, request)?;
        placement.services = one.services.iter().map(|service| service.name.clone()).collect();
        let host = request.hosts.service.as_ref();
        let host = host.filter(|_| one.services.iter().any(can_be_held));
        placement.services_on = host.map(|host| Node {
            name: host.name.clone(),
            ..Node::default()
        });
        let entrants = one.contenders.iter().map(|contender| match &contender.broken {
            Some(broken) => {
                let fault = Fault::new(FaultKind::Broken, broken.reason.clone());
                faulty(contender, one, fault)
            }
            None => entrant(contender, &one.case),
        });
        group_of(lab, one, entrants.collect(), placement, request)
    };
    Ok(Plan {
        groups: chosen.iter().map(of).collect::<Result<_>>()?,
        rules: group::rules(request),
    })
}

fn faulty(contender: &Contender, chosen: &ChosenCase, fault: Fault) -> EntrantRecord {
    EntrantRecord {
        fault: Some(fault),
        ..entrant(contender, &chosen.case)
    }
}

/// What a contender must answer, where its job is done in process. A file that is wrong is found before the build.
fn references(chosen: &ChosenCase, contender: &Contender) -> Result<Option<Arc<References>>> {
    let (workload, case) = (&chosen.workload, &chosen.case);
    let Some(probe) = case.job.in_process() else {
        return Ok(None);
    };
    let sizes = case.sweep.as_ref().map_or(&[][..], |sweep| &sweep.sizes);
    let floor = case.floor.as_ref() == Some(&contender.id);
    let references = References::read(&workload.folder, probe, &case.name, sizes, floor)?;
    Ok(Some(Arc::new(references)))
}

/// A group of a plan, with what was published of its workload.
fn group_of(
    lab: &Lab,
    chosen: &ChosenCase,
    entrants: Vec<EntrantRecord>,
    placement: Placement,
    request: &Request,
) -> Result<Group> {
    let reported = lab.published(&chosen.workload)?;
    let of = (&chosen.workload, &chosen.case);
    group::group(of, entrants, placement, &reported, request)
}

impl ReadyCases {
    /// The plan of these cases, with levels of connections that this machine cannot carry left out.
    ///
    /// # Errors
    /// The request does not fit the cases, or the machine cannot carry any of the load.
    pub fn plan(self, preparation: &Preparation<'_>, request: &Request) -> Result<Prepared> {
        let of = |ready: &ReadyCase| {
            let (entrants, placement) = (ready.entrants.clone(), ready.placement.clone());
            group_of(preparation.lab, &ready.chosen, entrants, placement, request)
        };
        let mut plan = Plan {
            groups: self.cases.iter().map(of).collect::<Result<_>>()?,
            rules: group::rules(request),
        };
        let mut remarks = limits(&mut plan)?;
        remarks.extend(preparation.supervision.grouping.less_exact());
        let cases = self.cases.iter();
        Ok(Prepared {
            plan,
            groups: cases
                .map(|ready| ready.rig_group(request.timeout, request.seed))
                .collect(),
            services: self.services,
            remarks,
        })
    }
}
