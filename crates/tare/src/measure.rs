//! A measurement of any kind: a plan is measured by a rig, kept in the store, and read back.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use tare_analysis as analysis;
use tare_lab::plan::Plan;
use tare_lab::rig::Rig;
use tare_lab::run::{self as lab_run, RunOutcome};
use tare_lab::sink::{Done, Sink};
use tare_model::ids::ContenderId;
use tare_model::record::RunRecord;
use tare_model::results::{Machine, Results, State};
use tare_model::settings::Settings;
use tare_model::units::Seconds;
use tare_prepare::Supervision;
use tare_prepare::commands::{self, CommandsJob, Outputs};
use tare_report::{csv, html, json, markdown};
use tare_rig::commands::CommandRig;
use tare_store::{NewRun, Store};

use crate::args::Exports;
use crate::clock::now;
use crate::context::{self, Context};
use crate::failure::{self, Failure};
use crate::gate;
use crate::keep::Keep;
use crate::progress::Progress;
use crate::values::FailIf;

/// A run that is over.
pub struct Compared {
    pub record: RunRecord,
    pub results: Results,
    pub outcome: RunOutcome,
}

/// What is kept of a run when it begins.
pub fn new_run(machine: Machine, settings: Settings) -> NewRun {
    NewRun {
        started: now().as_secs() as i64,
        tare: env!("CARGO_PKG_VERSION").to_owned(),
        imported: None,
        machine,
        settings,
    }
}

/// What is measured, and by what.
pub struct Measurement<'m, R: Rig> {
    pub plan: &'m Plan,
    pub rig: &'m mut R,
    /// How the lab goes about it.
    pub lab: fn(&Plan, &mut dyn Rig, &mut dyn Sink) -> RunOutcome,
    /// Remarks that are known beforehand.
    pub remarks: &'m [String],
}

impl<R: Rig> Measurement<'_, R> {
    /// Measures it, keeps it in `state`, and reads it back. `notes`: what the rig remarks when all is over.
    pub fn make(
        self,
        context: &Context,
        state: &Path,
        new_run: &NewRun,
        notes: impl FnOnce(&mut R) -> Vec<String>,
    ) -> Result<(RunRecord, RunOutcome), Failure> {
        let store = Store::open(state.join("results.sqlite")).map_err(Failure::outside)?;
        let mut writer = store.begin_run(new_run).map_err(Failure::outside)?;
        let id = writer.id().to_owned();
        for remark in self.remarks {
            context.say(format!("note: {remark}"));
            writer.note(remark).map_err(Failure::outside)?;
        }
        let progress = Progress::new(context, self.plan);
        let mut keep = Keep::new(&mut writer, self.plan, progress).map_err(Failure::outside)?;
        let began = Instant::now();
        let outcome = (self.lab)(self.plan, self.rig, &mut keep);
        for note in notes(self.rig) {
            // Where that cannot be kept, the end cannot be either, which is reported below.
            let _ = writer.note(&note);
        }
        let complete = outcome.sink_error.is_none() && !outcome.done.contains(&Done::Interrupted);
        let took = Seconds::from_duration(began.elapsed());
        let finished = writer.finish(took, complete, &outcome.phases.listed());
        // Where an event could not be kept, the end cannot be either: the first is the cause.
        let failed = outcome.sink_error.as_ref().map(ToString::to_string);
        if let Some(error) = failed.or_else(|| finished.err().map(|error| error.to_string())) {
            let kept = format!("rounds kept before that: `tare report {id}`");
            return Err(Failure::outside(error).hint_first(&kept));
        }
        let record = store.run(&id).map_err(Failure::outside)?;
        Ok((record, outcome))
    }
}

/// [`Measurement::make`] without remarks, and its results: for what has no manifest.
pub fn compare<R: Rig>(
    context: &Context,
    state: &Path,
    plan: &Plan,
    rig: &mut R,
    new_run: &NewRun,
    notes: impl FnOnce(&mut R) -> Vec<String>,
) -> Result<Compared, Failure> {
    let measurement = Measurement {
        plan,
        rig,
        lab: lab_run::run,
        remarks: &[],
    };
    let (record, outcome) = measurement.make(context, state, new_run, notes)?;
    Ok(Compared {
        results: analysis::results(&record),
        record,
        outcome,
    })
}

/// Commands that were measured, and the rig that knows each of their runs.
pub struct TimedCommands {
    pub compared: Compared,
    pub rig: CommandRig<'static>,
}

/// Measures commands, and cleans up after them. `settings`: what the job's own do not say.
pub fn commands(
    context: &Context,
    held: &Supervision,
    (job, outputs): (&CommandsJob, &Outputs),
    settings: Settings,
) -> Result<TimedCommands, Failure> {
    let mut rig = job.rig(held, outputs)?;
    let compared = compare_commands(context, held, job, settings, &mut rig);
    for note in rig.clean_up() {
        context.say(format!("note: {note}"));
    }
    Ok(TimedCommands {
        compared: compared?,
        rig,
    })
}

fn compare_commands(
    context: &Context,
    held: &Supervision,
    job: &CommandsJob,
    settings: Settings,
    rig: &mut CommandRig<'_>,
) -> Result<Compared, Failure> {
    let plan = job.plan(rig, context)?;
    let entrants = plan.groups.iter().flat_map(|group| &group.entrants);
    let names: Vec<&ContenderId> = entrants.map(|entrant| &entrant.id).collect();
    let settings = Settings {
        kind: settings.kind,
        revision: settings.revision,
        revisions: settings.revisions,
        ..job.settings(&plan)
    };
    let new_run = new_run(commands::machine(&held.grouping), settings);
    compare(context, &held.state, &plan, rig, &new_run, |rig| {
        rig.remarks(&names)
    })
}

/// Refuses formats that are not printed, but exported to files.
pub fn refuse_formats(context: &Context, command: &str) -> Result<(), Failure> {
    if context.text_or_json() {
        return Ok(());
    }
    Err(
        Failure::usage(format!("`tare {command}` prints text or json")).hint(
            "other formats: --export-md, --export-csv, --export-html FILE, or later `tare report --format …`",
        ),
    )
}

/// Writes the files that were asked for; `hyperfine` makes the one that only commands have.
pub fn export(
    exports: &Exports,
    results: &Results,
    hyperfine: Option<&dyn Fn() -> String>,
) -> Result<(), Failure> {
    write(exports.export_md.as_deref(), &|| markdown::render(results))?;
    write(exports.export_csv.as_deref(), &|| csv::render(results))?;
    write(exports.export_json.as_deref(), &|| json::render(results))?;
    write(exports.export_html.as_deref(), &|| html::render(results))?;
    hyperfine.map_or(Ok(()), |text| write(exports.export_hyperfine.as_deref(), text))
}

/// Writes a file, if there is to be one; `-` is standard output.
pub fn write(path: Option<&Path>, text: &dyn Fn() -> String) -> Result<(), Failure> {
    match path {
        Some(path) if path == Path::new("-") => context::put(&text()),
        Some(path) => context::write(path, text().as_bytes()),
        None => Ok(()),
    }
}

/// Refuses hyperfine's format where no commands are timed, before anything is measured.
pub fn refuse_hyperfine(exports: &Exports) -> Result<(), Failure> {
    match exports.export_hyperfine {
        Some(_) => Err(
            Failure::usage("--export-hyperfine is for commands, which `tare time` measures")
                .hint("for programs: --export-json FILE"),
        ),
        None => Ok(()),
    }
}

/// Prints all that is known of commands that failed, including their last output: tables have room for the first line.
pub fn faults(results: &Results) {
    let mut told = BTreeSet::new();
    let contenders = results.workloads.iter().flat_map(|workload| &workload.contenders);
    for contender in contenders.filter(|one| matches!(one.state, State::Failed | State::Wrong)) {
        if let Some(fault) = &contender.fault
            && told.insert((&contender.id, &fault.detail))
        {
            context::note(format!("\nerror: {}: {}", contender.id, fault.detail));
        }
    }
}

/// The exit status; `fault`: where a command or server could not be measured.
pub fn status(compared: &Compared, fault: u8, gates: &[FailIf]) -> u8 {
    let results = &compared.results;
    let mut contenders = results.workloads.iter().flat_map(|workload| &workload.contenders);
    if compared.outcome.done.contains(&Done::Interrupted) {
        failure::INTERRUPTED
    } else if contenders.any(|contender| contender.state != State::Measured) {
        fault
    } else if !gate::hold(gates, results) {
        failure::GATE
    } else {
        0
    }
}
