//! Whether this machine can carry the load of a plan.

use tare_lab::plan::{Group, Plan};
use tare_load::{Address, Schedule};
use tare_model::manifest::ModeDriving;
use tare_model::metric::Mode;

use crate::error::Result;

/// Asks before anything is started whether this machine can carry the load of every mode. Levels of connections that
/// it cannot carry are left out.
///
/// Returns remarks on what was left out, and on what comes close to a limit.
pub(crate) fn limits(plan: &mut Plan) -> Result<Vec<String>> {
    let mut remarks = Vec::new();
    for group in &mut plan.groups {
        let cut = cut_levels(group)?;
        for (mode, cut) in group.modes.iter().zip(cut) {
            remarks.extend(cut);
            if let Some(schedule) = heaviest(&mode.driving).filter(|_| !group.in_process) {
                remarks.extend(tare_load::limits::check(&schedule, &any_port())?);
            }
        }
    }
    Ok(remarks)
}

/// Leaves out levels of connections that this machine cannot carry; a remark for each mode where some are.
pub(crate) fn cut_levels(group: &mut Group) -> Result<Vec<Option<String>>> {
    let entrants = group.entrants.iter();
    let resident = entrants.filter(|entrant| entrant.fault.is_none()).count() as u32;
    let place = format!("{}/{}", group.workload, group.case);
    let over_sockets = !group.in_process;
    let cut = |driving: &mut ModeDriving| {
        if !over_sockets || driving.mode == Mode::Batch {
            return Ok(None);
        }
        let cut = tare_load::limits::cut(&driving.connections, resident, &any_port())?;
        driving.connections = cut.levels;
        let remark = cut.remark;
        Ok(remark.map(|remark| format!("{place}, {}: {remark}", driving.mode)))
    };
    let modes = group.modes.iter_mut();
    modes.map(|mode| cut(&mut mode.driving)).collect()
}

/// Every contender listens on a loopback port of its own; the port makes no difference to the limits.
fn any_port() -> Address {
    Address::loopback(1)
}

/// The heaviest load of a driving; none for commands and benchmarks, which are not driven over sockets.
fn heaviest(driving: &ModeDriving) -> Option<Schedule> {
    let connections = driving.connections.iter().copied().max().unwrap_or(1);
    let depth = driving.depth;
    match driving.mode {
        Mode::Capacity | Mode::Cost => Some(Schedule::Capacity { connections, depth }),
        Mode::Batch => Some(Schedule::Batch {
            programs: driving.programs,
            connections,
            requests: driving.requests,
            depth,
        }),
        Mode::Command | Mode::Benchmark => None,
    }
}
