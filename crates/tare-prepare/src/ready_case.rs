//! A case that is ready, and what the rig needs of it.

use std::time::Duration;

use tare_model::placement::Placement;
use tare_model::record::EntrantRecord;
use tare_rig::{RigGroup, RunCertificate, Runnable};

use crate::choose::ChosenCase;

/// From its start until it is ready: a cold Java machine on one busy core takes seconds.
pub(crate) const READY_WITHIN: Duration = Duration::from_secs(30);

/// A case that is ready to be measured or checked.
pub struct ReadyCase {
    /// What was chosen.
    pub chosen: ChosenCase,
    /// Cores of each side.
    pub placement: Placement,
    /// What is recorded of each contender; one that is not available has a fault.
    pub entrants: Vec<EntrantRecord>,
    /// By entrant; none for one that is not available.
    pub runnables: Vec<Option<Runnable>>,
    /// The services that it needs: indices into [`ReadyCases::services`](crate::ReadyCases::services).
    pub services: Vec<usize>,
    pub(crate) forker: Vec<String>,
    pub(crate) certificate: Option<RunCertificate>,
}

impl ReadyCase {
    /// What the rig needs of it. `timeout`: how long an answer may take; `seed`: of what is sent.
    pub fn rig_group(&self, timeout: Duration, seed: u64) -> RigGroup {
        let sweep = self.chosen.case.sweep.as_ref();
        RigGroup {
            job: self.chosen.case.job.clone(),
            exchanges: self.chosen.case.exchanges.clone(),
            placement: self.placement.clone(),
            contenders: self.runnables.clone(),
            forker: self.forker.clone(),
            certificate: self.certificate.clone(),
            services: self.services.clone(),
            sizes: sweep.map_or(Vec::new(), |sweep| sweep.sizes.clone()),
            timeout,
            ready_within: READY_WITHIN,
            seed,
            reached: None,
        }
    }
}
