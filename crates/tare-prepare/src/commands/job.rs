//! Commands that can be compared: checked, with the floor that they have here.

use std::collections::BTreeSet;
use std::fs::File;
use std::time::Duration;

use tare_host::command::{self, CommandSpec};
use tare_host::error::HostError;
use tare_host::{interrupt, machine, sys};
use tare_lab::plan::Plan;
use tare_model::ids::ContenderId;
use tare_model::placement::Cores;
use tare_model::settings::{CommandSettings, Settings};
use tare_model::units::Seconds;
use tare_rig::commands::{CommandRig, Hints, Output, Policy, Recipe};

use super::entry::Entry;
use super::error::CommandsError;
use super::outputs::Outputs;
use super::plan;
use super::request::CommandsRequest;
use super::spec::spec;
use crate::error::{PrepareError, Result};
use crate::naming;
use crate::pace::{Pace, Wish};
use crate::progress::{Event, Progress};
use crate::supervision::Supervision;

/// Name of the command that does nothing.
const NOTHING: &str = "nothing";

/// The hint for a run that takes too long.
const LATE: &str = "where it may take longer: --timeout; its standard input is empty unless there is --input";

/// Commands that can be compared.
#[derive(Debug, Clone)]
pub struct CommandsJob {
    request: CommandsRequest,
    baseline: ContenderId,
    /// Name and words of the command that does nothing; none where there is no such program.
    floor: Option<(ContenderId, Vec<String>)>,
}

impl CommandsJob {
    /// Refuses what cannot be measured. Nothing is run yet.
    ///
    /// # Errors
    /// The file for standard input cannot be read, or the baseline is none of the commands.
    pub fn new(request: CommandsRequest) -> Result<Self> {
        if let Some(path) = &request.rules.input
            && let Err(source) = File::open(path)
        {
            let path = path.clone();
            return Err(CommandsError::Input { path, source }.into());
        }
        let ids: Vec<ContenderId> = request
            .entries
            .list
            .iter()
            .map(|entry| entry.id.clone())
            .collect();
        let baseline = naming::baseline(request.baseline.as_ref(), &ids)?;
        let mut taken: BTreeSet<ContenderId> = ids.into_iter().collect();
        let floor = nothing(request.rules.how.around.shell.as_deref());
        Ok(Self {
            floor: floor.map(|argv| (naming::free(NOTHING, &mut taken), argv)),
            baseline,
            request,
        })
    }

    /// Refuses a gate on a name that is compared with nothing.
    ///
    /// # Errors
    /// It is none of the commands, whose names follow, or the baseline.
    pub fn refuse_uncompared(&self, name: &ContenderId) -> Result<()> {
        let ids: Vec<ContenderId> = self
            .request
            .entries
            .list
            .iter()
            .map(|entry| entry.id.clone())
            .collect();
        Ok(naming::compared(name, &ids, Some(&self.baseline))?)
    }

    /// What was asked for.
    pub fn request(&self) -> &CommandsRequest {
        &self.request
    }

    /// A rig that runs the commands on the cores that were asked for. Nothing is run yet.
    ///
    /// # Errors
    /// A core that this process may not use, or a command without a program.
    pub fn rig(&self, supervision: &Supervision, outputs: &Outputs) -> Result<CommandRig<'static>> {
        let rules = &self.request.rules;
        if let Some(cores) = &rules.cores {
            keep_to(cores)?;
        }
        let sizes = self.request.entries.sizes();
        let each: Vec<Option<u64>> = match sizes {
            [] => vec![None],
            sizes => sizes.iter().copied().map(Some).collect(),
        };
        let of = |entry: &Entry| each.iter().map(|size| self.recipe(entry, *size)).collect();
        let mut recipes: Vec<Vec<Recipe>> = self.request.entries.list.iter().map(of).collect();
        recipes.extend(
            self.floor
                .iter()
                .map(|(_, argv)| vec![doing_nothing(argv); each.len()]),
        );
        let policy = Policy {
            timeout: rules.timeout,
            folder: outputs.folder().to_owned(),
            sizes: sizes.to_vec(),
            cores: machine::cores().len(),
            hints: Hints {
                failed: rules.hints.failed,
                not_found: match rules.how.around.shell {
                    Some(_) => Hints::NOT_BY_THE_SHELL,
                    None => Hints::NOT_BY_THE_PROGRAM,
                },
                late: LATE,
            },
            show: rules.show,
        };
        let spawner = supervision.helpers.spawner.clone();
        let rig = CommandRig::new(&supervision.keeper, interrupt::flag(), spawner, recipes, policy);
        let hint = rules.hints.no_program;
        Ok(rig.map_err(|source| CommandsError::NoProgram { source, hint })?)
    }

    /// Sets every command up and runs it once, to see that it works and how long it takes, and makes the plan of that.
    ///
    /// # Errors
    /// The fault of the first command that fails, or a person asked to stop.
    pub fn plan(&self, rig: &mut CommandRig<'_>, progress: &dyn Progress) -> Result<Plan> {
        progress.event(&Event::TryingCommands);
        let walls = first_runs(rig)?;
        let rules = &self.request.rules;
        let wish = Wish {
            runs: rules.how.runs,
            least_runs: rules.how.least_runs,
            most_runs: rules.how.most_runs,
            until_decided: rules.until_decided,
            budget: rules.budget,
        };
        let pace = Pace::of(wish, self.request.entries.list.len(), &walls);
        Ok(plan::plan(
            &self.request,
            self.floor.as_ref(),
            &self.baseline,
            &pace,
        ))
    }

    /// The settings of a run by this plan; what else they say is left to the caller.
    pub fn settings(&self, plan: &Plan) -> Settings {
        let rules = &self.request.rules;
        let mut how: CommandSettings = rules.how.clone();
        how.around.input = rules.input.as_ref().map(|path| path.display().to_string());
        Settings {
            budget: plan.rules.budget,
            margin: Some(rules.margin),
            alpha: Some(rules.alpha),
            seed: Some(rules.seed),
            timeout: Some(Seconds::from_duration(rules.timeout)),
            commands: Some(how),
            ..Settings::default()
        }
    }

    fn recipe(&self, entry: &Entry, size: Option<u64>) -> Recipe {
        let (entries, rules) = (&self.request.entries, &self.request.rules);
        let at = |text: &String| entries.at_size(text, size);
        let spawned = |argv: Vec<String>| spec(argv, entry.folder.clone());
        // The commands around it may need a shell even where it is run without one.
        let around = |text: &Option<String>| {
            let words = |text: &String| spawned(vec!["sh".to_owned(), "-c".to_owned(), at(text)]);
            text.as_ref().map(words)
        };
        Recipe {
            text: at(&entry.called()),
            run: CommandSpec {
                input: rules.input.clone(),
                ..spawned(entry.argv.iter().map(at).collect())
            },
            prepare: around(&entry.prepare),
            setup: around(&entry.setup),
            cleanup: around(&entry.cleanup),
            may_fail: rules.how.failures_ignored,
            output: match rules.how.around.same_output {
                false if rules.show.is_none() => Output::Unread,
                compared => Output::Kept { compared },
            },
        }
    }
}

/// The least command that is started in the same way: `shell` with nothing to do, or a program that does nothing. None
/// where there is no such program.
fn nothing(shell: Option<&str>) -> Option<Vec<String>> {
    let argv = match shell {
        None => vec!["true".to_owned()],
        Some(shell) => vec![shell.to_owned(), "-c".to_owned(), ":".to_owned()],
    };
    command::find(&argv[0], None).map(|_| argv)
}

fn doing_nothing(argv: &[String]) -> Recipe {
    Recipe {
        text: argv.join(" "),
        run: spec(argv.to_vec(), None),
        prepare: None,
        setup: None,
        cleanup: None,
        may_fail: false,
        output: Output::Unread,
    }
}

/// How long each takes, by entrant and size.
fn first_runs(rig: &mut CommandRig<'_>) -> Result<Vec<Vec<Duration>>> {
    rig.first().map_err(|fault| {
        if interrupt::asked() {
            PrepareError::Interrupted
        } else {
            PrepareError::CommandFailed(fault)
        }
    })
}

/// Restricts this process to these cores: commands run where it does.
pub(crate) fn keep_to(cores: &[u32]) -> Result<()> {
    let own = machine::cores();
    match cores.iter().find(|core| !own.contains(core)) {
        Some(core) => Err(PrepareError::UnknownCore {
            core: *core,
            cores: own,
        }),
        None => Ok(sys::set_affinity(cores).map_err(|source| HostError::Os {
            action: "run on",
            target: Cores(cores.to_vec()).to_string(),
            source,
        })?),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use tare_model::manifest::Sweep;
    use tare_model::metric::Mode;
    use tare_model::settings::Surroundings;

    use super::super::entry::Entries;
    use super::super::request::CommandRules;
    use super::*;

    fn entry(name: &str, text: &str) -> Entry {
        Entry {
            id: ContenderId::plain(name),
            summary: text.to_owned(),
            text: text.to_owned(),
            argv: text.split(' ').map(str::to_owned).collect(),
            folder: None,
            values: Vec::new(),
            prepare: None,
            setup: None,
            cleanup: None,
        }
    }

    fn request(list: Vec<Entry>, sizes: &[u64]) -> CommandsRequest {
        CommandsRequest {
            name: "time".to_owned(),
            summary: String::new(),
            entries: Entries {
                list,
                sweep: (!sizes.is_empty()).then(|| Sweep {
                    name: "n".to_owned(),
                    sizes: sizes.to_vec(),
                }),
            },
            baseline: None,
            published: Vec::new(),
            rules: CommandRules {
                how: CommandSettings {
                    warm_up_rounds: 3,
                    ..CommandSettings::default()
                },
                ..CommandRules::for_tests()
            },
        }
    }

    #[test]
    fn what_cannot_be_measured_is_refused_before_anything_runs() {
        let refused = |request| CommandsJob::new(request).unwrap_err().to_string();
        let mut nobody = request(vec![entry("a", "true")], &[]);
        nobody.baseline = Some(ContenderId::plain("b"));
        assert!(refused(nobody).contains("nothing here is called `b`"));
        let mut input = request(vec![entry("a", "true")], &[]);
        input.rules.input = Some(PathBuf::from("no/such/file"));
        assert!(refused(input).contains("--input no/such/file"));
    }

    #[test]
    fn each_is_run_in_its_folder_at_each_size() {
        let mut one = entry("one", "seq {n}");
        one.folder = Some(PathBuf::from("/there"));
        one.prepare = Some("rm -f {n}".to_owned());
        one.summary = "the first".to_owned();
        let mut request = request(vec![one], &[1, 10]);
        request.rules.how.around = Surroundings {
            same_output: true,
            ..Surroundings::default()
        };
        let job = CommandsJob::new(request).unwrap();
        let recipe = job.recipe(&job.request().entries.list[0], Some(10));
        assert_eq!(recipe.text, "seq 10 (one: the first)");
        assert_eq!(recipe.run.argv, ["seq", "10"]);
        let prepare = recipe.prepare.unwrap();
        assert_eq!(prepare.argv, ["sh", "-c", "rm -f 10"]);
        assert_eq!(
            (&recipe.run.cwd, &prepare.cwd),
            (&prepare.cwd, &Some("/there".into()))
        );
        let compared = Output::Kept { compared: true };
        assert_eq!((recipe.output, recipe.may_fail), (compared, false));
    }

    #[test]
    fn a_plan_is_in_blocks_of_rounds_with_the_floor_last() {
        // One is called as the floor would be.
        let request = request(vec![entry("nothing", "a"), entry("b", "b")], &[]);
        let job = CommandsJob::new(request).unwrap();
        let pace = Pace {
            budget: Some(Duration::from_secs(60)),
            launches: None,
            least: 1,
            rounds: 15,
            runs_in_slice: 2,
        };
        let plan = plan::plan(&job.request, job.floor.as_ref(), &job.baseline, &pace);
        let group = &plan.groups[0];
        let ids: Vec<String> = group.entrants.iter().map(|one| one.id.to_string()).collect();
        assert_eq!(ids, ["nothing", "b", "nothing-2"]);
        assert_eq!(group.floor, Some(ContenderId::plain("nothing-2")));
        assert_eq!(group.baseline, Some(ContenderId::plain("nothing")));
        let driving = &group.modes[0].driving;
        assert_eq!((driving.mode, driving.requests), (Mode::Command, 2));
        assert_eq!((plan.rules.rounds, group.warm_up_rounds), (Some(15), Some(3)));
        let settings = job.settings(&plan);
        assert_eq!((settings.budget, settings.seed), (Some(Seconds(60.0)), Some(7)));
        assert_eq!(settings.commands.unwrap().warm_up_rounds, 3);
    }
}
