//! `tare bench --plan`: what would be measured, and how long that takes.

use tare_lab::plan::Plan;
use tare_lab::rig::Rig;
use tare_report::forecast::benchmarks;

use crate::context::{self, Context};
use crate::failure::{self, Failure};

/// Measures a round of each benchmark, which is kept nowhere, and prints what a run would do; the exit status.
pub fn tell(context: &Context, plan: &Plan, rig: &mut dyn Rig, remarks: &[String]) -> Result<u8, Failure> {
    let forecast = tare_lab::passes_forecast(plan, rig);
    failure::refuse_interrupted()?;
    for remark in remarks {
        context.say(format!("note: {remark}"));
    }
    context::put(&if context.json() {
        benchmarks::document(&forecast)
    } else {
        benchmarks::text(&forecast)
    })?;
    Ok(0)
}
