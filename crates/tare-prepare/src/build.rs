//! Contenders, built.

mod container;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tare_host::build::{self, Recipe};
use tare_host::fingerprint;
use tare_host::keeper::Keeper;
use tare_host::tools::{Found, Missing};
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::Contender;
use tare_model::manifest::argv::PLACEHOLDERS;
use tare_model::placement::Placement;
use tare_model::record::EntrantRecord;
use tare_model::scheme::Scheme;
use tare_rig::Runnable;

use crate::choose::ChosenCase;
use crate::error::Result;
use crate::group;
use crate::links::Links;
use crate::progress::{Event, Progress};
use crate::tools::Tools;

/// The longest that a build may take: GHC and cargo need minutes on a small machine.
const BUILD_WITHIN: Duration = Duration::from_secs(15 * 60);

/// Builds contenders.
pub(crate) struct Builder<'a, 'l> {
    pub tools: Tools<'l>,
    pub keeper: &'a Keeper,
    pub state: &'a Path,
    pub cancel: &'a AtomicBool,
    pub progress: &'a dyn Progress,
    /// Where the services of containers listen.
    pub links: Links,
}

impl Builder<'_, '_> {
    /// What the rig needs to start a contender, and what is recorded of it. A contender that is not available is
    /// recorded with its fault.
    pub(crate) fn prepare(
        &mut self,
        contender: &Contender,
        chosen: &ChosenCase,
        placement: &Placement,
    ) -> Result<(Option<Runnable>, EntrantRecord)> {
        let mut entrant = group::entrant(contender, &chosen.case);
        match self.versioned(contender, chosen, placement, &mut entrant)? {
            Ok(runnable) => Ok((Some(runnable), entrant)),
            Err(fault) => {
                entrant.fault = Some(fault);
                Ok((None, entrant))
            }
        }
    }

    /// What the rig needs to start a contender. The entrant gets what identifies the program: the versions of its
    /// tools, and what it was built from.
    fn versioned(
        &mut self,
        contender: &Contender,
        chosen: &ChosenCase,
        placement: &Placement,
        entrant: &mut EntrantRecord,
    ) -> Result<std::result::Result<Runnable, Fault>> {
        if let Some(broken) = &contender.broken {
            let text = format!("marked as broken since {}: {}", broken.since, broken.reason);
            return Ok(Err(Fault::new(FaultKind::Broken, text)));
        }
        let missing = self.tools.missing(contender)?;
        if !missing.is_empty() {
            return Ok(Err(Missing::fault(&missing)));
        }
        if let Some(container) = &contender.container {
            return Ok(self.contained((contender, container), chosen, placement, entrant));
        }
        let found = self.tools.of(contender)?.unwrap_or_default();
        let versions = found.iter().map(|tool| (tool.name.clone(), tool.version.clone()));
        entrant.subject.add_versions(versions);
        Ok(self.built(contender, chosen, placement, &found, entrant))
    }

    /// Whether a contender could be started now: nothing that it needs is missing, and it was built before, or has
    /// nothing to build.
    pub(crate) fn is_built(
        &mut self,
        contender: &Contender,
        chosen: &ChosenCase,
        placement: &Placement,
    ) -> Result<bool> {
        if contender.broken.is_some() || !self.tools.missing(contender)?.is_empty() {
            return Ok(false);
        }
        if let Some(container) = &contender.container {
            return Ok(self.is_image_built(contender, container));
        }
        if contender.build.is_empty() {
            return Ok(true);
        }
        let found = self.tools.of(contender)?.unwrap_or_default();
        let versions = found.iter().map(|tool| (tool.name.clone(), tool.version.clone()));
        let values = self.values(placement, &found);
        let recipe = self.recipe(contender, chosen, values, versions.collect());
        // A recipe that is wrong is reported where it is built.
        Ok(build::is_built(self.state, &recipe).unwrap_or(true))
    }

    fn recipe(
        &self,
        contender: &Contender,
        chosen: &ChosenCase,
        values: BTreeMap<String, String>,
        versions: Vec<(String, String)>,
    ) -> Recipe {
        let gives = &chosen.workload.gives;
        let of_the_build = |(_, value): &(&String, &String)| !of_the_run(value, gives);
        Recipe {
            workload: contender.workload.clone(),
            // Variants with the same build steps share the build: its key holds the steps.
            contender: contender.id.name.clone(),
            folder: contender.folder.clone(),
            with: self.with(contender),
            steps: contender.build.clone(),
            env: contender
                .env
                .iter()
                .filter(of_the_build)
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
            values,
            versions,
            timeout: BUILD_WITHIN,
        }
    }

    fn built(
        &self,
        contender: &Contender,
        chosen: &ChosenCase,
        placement: &Placement,
        found: &[Found],
        entrant: &mut EntrantRecord,
    ) -> std::result::Result<Runnable, Fault> {
        let mut values = self.values(placement, found);
        let versions = entrant.subject.versions().to_vec();
        let recipe = self.recipe(contender, chosen, values.clone(), versions);
        self.progress.event(&Event::Building { contender });
        let began = Instant::now();
        let built = build::build(self.keeper, self.state, &recipe, self.cancel)?;
        if !built.cached {
            let took = began.elapsed();
            self.progress.event(&Event::Built { contender, took });
        }
        entrant
            .subject
            .set_built(program(&built.hash, contender, &chosen.case.name));
        values.insert("src".to_owned(), built.src.display().to_string());
        values.insert("out".to_owned(), built.out.display().to_string());
        Ok(Runnable {
            run: contender.run.clone(),
            cwd: built.out,
            ..self.runnable(contender, chosen, values)?
        })
    }

    /// What any contender is started with; it has no command yet.
    pub(super) fn runnable(
        &self,
        contender: &Contender,
        chosen: &ChosenCase,
        mut values: BTreeMap<String, String>,
    ) -> std::result::Result<Runnable, Fault> {
        let logs = self.state.join("logs").join(&contender.workload);
        make_log_folder(&logs)?;
        values.extend(of_case(contender, chosen));
        Ok(Runnable {
            name: contender.id.to_string(),
            run: Vec::new(),
            env: contender.env.clone(),
            values,
            cwd: PathBuf::new(),
            scheme: contender.scheme_in(&chosen.case),
            path: contender.paths.get(&chosen.case.name).cloned(),
            speaks: contender.speaks,
            listen: contender.listen,
            front: None,
            container: None,
            ready: contender.ready.clone(),
            stop_signal: contender.stop_signal.clone(),
            log: logs.join(format!("{}.log", contender.id)),
            references: None,
            fails_on: contender.fails_on.clone(),
        })
    }

    /// The lab's files and folders that the build finds beside the contender's own, with their names there.
    fn with(&self, contender: &Contender) -> Vec<(String, PathBuf)> {
        let lab = self.tools.lab_folder();
        let named = |path: &String| {
            let name = path.rsplit('/').next().unwrap_or(path);
            (name.to_owned(), lab.join(path))
        };
        contender.with.iter().map(named).collect()
    }

    fn values(&self, placement: &Placement, found: &[Found]) -> BTreeMap<String, String> {
        let mut values = self.tools.values(found);
        values.extend(core_values(&placement.contender));
        values
    }
}

/// The values of `{case}`, of `{scheme}`, and of what services give: empty, unless one of this case gives it.
fn of_case(contender: &Contender, chosen: &ChosenCase) -> Vec<(String, String)> {
    let gives = chosen.workload.gives.iter();
    let case = ("case".to_owned(), chosen.case.name.clone());
    let scheme = contender.scheme_in(&chosen.case).map_or("", Scheme::name);
    let scheme = ("scheme".to_owned(), scheme.to_owned());
    [case, scheme]
        .into_iter()
        .chain(gives.map(|name| (name.clone(), String::new())))
        .collect()
}

/// The values of `{cores}` and `{core_list}`.
pub(crate) fn core_values(cores: &[u32]) -> [(String, String); 2] {
    let list: Vec<String> = cores.iter().map(u32::to_string).collect();
    [
        ("cores".to_owned(), list.len().to_string()),
        ("core_list".to_owned(), list.join(",")),
    ]
}

/// Makes a folder for logs; that it cannot be made is the instrument's fault.
pub(crate) fn make_log_folder(folder: &Path) -> std::result::Result<(), Fault> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Fault::new(
            FaultKind::Instrument,
            format!("cannot make {}: {error}", folder.display()),
        )
    })
}

/// The lab's placeholders that a build knows, too.
const OF_THE_BUILD: [&str; 4] = ["out", "src", "lab", "tools"];

/// Whether a value is known only when the contender is started. The build must not depend on it, or the same program
/// would be built once for every placement.
fn of_the_run(value: &str, gives: &[String]) -> bool {
    let labs = PLACEHOLDERS
        .into_iter()
        .filter(|name| !OF_THE_BUILD.contains(name));
    labs.chain(gives.iter().map(String::as_str))
        .any(|name| value.contains(&format!("{{{name}}}")))
}

/// Hash that identifies a program: what it was built from, and how it is run. Part of the latter is in the language's
/// manifest, which the hash of the build does not cover.
fn program(built: &str, contender: &Contender, case: &str) -> String {
    let mut texts = vec![built.to_owned()];
    texts.extend(contender.paths.get(case).cloned());
    texts.extend(contender.run.iter().cloned());
    texts.extend(contender.scheme.map(|scheme| scheme.name().to_owned()));
    texts.extend(contender.container.iter().flat_map(container::how_run));
    for (name, value) in &contender.env {
        texts.extend([String::new(), name.clone(), value.clone()]);
    }
    fingerprint::of_texts(texts)[..12].to_owned()
}
