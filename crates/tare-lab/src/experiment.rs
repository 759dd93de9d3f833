//! What a run under way holds. Its steps are in [`run`](crate::run), `launch`, `rate` and `levels`.

use crate::budget::Budget;
use crate::phases::Phases;
use crate::plan::Rules;
use crate::rig::Rig;
use crate::sink::Sink;

/// A run under way: the rig, where its events go, and what is left of its budget.
pub(crate) struct Experiment<'a> {
    pub rig: &'a mut dyn Rig,
    pub sink: &'a mut dyn Sink,
    pub rules: &'a Rules,
    pub budget: Budget,
    pub random: fastrand::Rng,
    pub phases: Phases,
}
