//! The words for the events of preparation.

use std::time::Duration;

use tare_model::ids::ContenderId;
use tare_model::units::time_text;
use tare_prepare::{BenchStep, Event, Progress, Tour};
use tare_report::{when, words::counted};

use crate::context::{Context, short};

impl Progress for Context {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::Building { .. }
            | Event::PreparingService { .. }
            | Event::TryingCommands
            | Event::Bench(BenchStep::Listing { .. }) => self.detail(text(event)),
            _ => self.say(text(event)),
        }
    }
}

/// One event, in words.
fn text(event: &Event<'_>) -> String {
    match event {
        Event::LeftoverEnded { name } => format!("ended what an earlier run left behind: {name}"),
        Event::Tour { tour } => self::tour(tour),
        Event::NotBuilt {
            workload,
            contenders,
            all,
        } => not_built(workload, contenders, *all),
        Event::Installing { what } => (*what).to_owned(),
        Event::Building { contender } => format!("building {}/{}", contender.workload, contender.id),
        Event::Built { contender, took } => {
            let (workload, id) = (&contender.workload, &contender.id);
            format!("built {workload}/{id} in {:.1} s", took.as_secs_f64())
        }
        Event::LeftOut { contender, fault } => format!("{}/{}: {fault}\n", contender.workload, contender.id),
        Event::InstrumentedBuildFailed { id, fault } => {
            format!("{id}: {fault}\n\nits usual build is examined instead\n")
        }
        Event::PreparingService { service } => format!("preparing the service {service}"),
        Event::PreparedService { service } => format!("prepared the service {service}"),
        Event::ServiceFailed { service, fault } => format!("service {service}: {fault}\n"),
        Event::TryingCommands => {
            "each command is run once, to see that it works and how long it takes".to_owned()
        }
        Event::Bench(step) => benchmarks(step),
        Event::Side { side } => format!("{}: {}", side.name, side.revision.describe()),
        Event::SideKept { side, at } => format!(
            "{}: as this setup left it ({}), and not set up again; --rebuild does",
            side.name,
            when::to_minute(*at)
        ),
        Event::SettingUp { side } => format!("{}: setting it up", side.name),
        Event::TreeRestored { side } => format!(
            "note: {}: files in {} were not as the revision has them, and were put back",
            side.name,
            short(&side.tree)
        ),
        Event::MergeBase { one, other } => format!(
            "note: before is the merge base of `{one}` and `{other}`; with two dots it is the first revision itself"
        ),
        Event::SameSides => "note: both sides are the same: any difference between them is chance".to_owned(),
        Event::UncommittedChanges { files } => format!(
            "note: {} changed in the working tree, which neither side has: leave the second revision out to measure the \
             working tree",
            counted(*files, "file")
        ),
        Event::UnusedRemoved { trees } => format!(
            "note: removed {} of revisions that were not used for 30 days, and what was built there",
            counted(*trees, "tree")
        ),
        Event::EmptySubmodules { side } => format!(
            "note: {}: its submodules are empty; to fill them once: git -C {} submodule update --init",
            side.name,
            short(&side.tree)
        ),
    }
}

fn not_built(workload: &str, contenders: &[ContenderId], all: bool) -> String {
    let left = if all { "left out" } else { "without" };
    let names: Vec<String> = contenders.iter().map(ToString::to_string).collect();
    format!(
        "{workload}: {left}, since not built yet: {} (`tare run {workload}` builds them)",
        names.join(", ")
    )
}

fn benchmarks(step: &BenchStep<'_>) -> String {
    match step {
        BenchStep::Building { side, suite, harness } => {
            format!("{side}: building the benchmarks of {suite} ({harness})")
        }
        BenchStep::Listing { side, suite } => format!("{side}: listing the benchmarks of {suite}"),
        BenchStep::Trying { count } => format!(
            "a sample of each of {} is taken, to see how much one does",
            counted(*count as u64, "benchmark")
        ),
        BenchStep::DrawingLayouts { side, suite } => format!("{side}: building layouts of {suite}"),
    }
}

/// What `tare run` does where no workload is named.
fn tour(tour: &Tour) -> String {
    let mut text = format!(
        "no workload is named, so this is the tour, for {} after the builds:\n",
        budget(tour.budget)
    );
    for stop in &tour.stops {
        text.push_str(&format!("  {}: {}\n", stop.workload, stop.summary));
    }
    if !tour.beyond.is_empty() {
        text.push_str(&format!(
            "not reached within that: {} (`tare run --budget {}` reaches all; `tare run WORKLOAD` is one)\n",
            tour.beyond.join(", "),
            time_text(tour.whole)
        ));
    }
    text
}

fn budget(time: Duration) -> String {
    if time == Duration::MAX {
        "as long as it takes".to_owned()
    } else {
        format!("at most {}", time_text(time))
    }
}
