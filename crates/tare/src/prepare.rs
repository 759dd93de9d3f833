//! From what was asked for to contenders that can be started: manifests read, tools found or installed, built.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tare_host::build::{self, Recipe};
use tare_host::fingerprint;
use tare_host::keeper::Keeper;
use tare_host::tools::{self, Found, Missing, Places, install};
use tare_model::fault::{Fault, FaultKind};
use tare_model::ids::{ContenderId, Selector};
use tare_model::manifest::{Case, Contender, Lab, Language, ManifestError, Service, Tool, Workload};
use tare_model::record::EntrantRecord;
use tare_model::results::Placement;
use tare_rig::Runnable;

use crate::args::Choice;
use crate::context::Context;
use crate::failure::Failure;
use crate::planning;

/// The longest that a build may take: GHC and cargo need minutes on a small machine.
const BUILD_WITHIN: Duration = Duration::from_secs(15 * 60);

/// A case that was asked for, with its contenders.
#[derive(Clone)]
pub struct Chosen {
    pub workload: Workload,
    pub case: Case,
    pub contenders: Vec<Contender>,
    /// What they need beside themselves.
    pub services: Vec<Service>,
    /// The web servers in front of some of them, each once.
    pub fronts: Vec<Service>,
}

impl Chosen {
    /// The front of a contender: one, or none.
    pub fn front_of(&self, contender: &Contender) -> &[Service] {
        let named = |front: &&Service| contender.front.as_ref() == Some(&front.name);
        self.fronts.iter().find(named).map_or(&[], std::slice::from_ref)
    }

    /// Everything that it needs beside contenders.
    pub fn all_services(&self) -> impl Iterator<Item = &Service> {
        self.services.iter().chain(&self.fronts)
    }
}

/// Reads the manifests of what was asked for. Anything wrong with any of them is refused before anything starts.
pub fn choose(lab: &Lab, choice: &Choice) -> Result<Vec<Chosen>, Failure> {
    let mut chosen = Vec::new();
    let mut known: Vec<ContenderId> = Vec::new();
    for selector in selectors(lab, &choice.workloads)? {
        let workload = lab.workload(&selector.workload).map_err(Failure::usage)?;
        let all = contenders(lab, &workload).map_err(Failure::usage)?;
        known.extend(all.iter().map(|contender| contender.id.clone()));
        for case in cases(&workload, &selector)? {
            let takes_part = |contender: &&Contender| {
                contender.cases.contains(&case.name) && planning::chosen(choice, &contender.id)
            };
            let contenders: Vec<Contender> = all.iter().filter(takes_part).cloned().collect();
            if !contenders.is_empty() {
                let services = case.services.iter().map(|name| lab.service(name));
                let services: Result<Vec<Service>, ManifestError> = services.collect();
                let fronts = fronts(lab, &contenders).map_err(Failure::usage)?;
                chosen.push(Chosen {
                    workload: workload.clone(),
                    case,
                    contenders,
                    fronts,
                    services: services.map_err(Failure::usage)?,
                });
            }
        }
    }
    for asked in choice.only.iter().chain(&choice.except) {
        let meant = |id: &ContenderId| id == asked || (asked.variant.is_none() && id.name == asked.name);
        if !known.iter().any(meant) {
            return Err(unknown(asked, &known));
        }
    }
    if chosen.is_empty() {
        return Err(
            Failure::usage("no contender is left of what was asked for").hint("see `tare list contenders`")
        );
    }
    Ok(chosen)
}

/// Leaves out whom nobody named and who is not measured without. `tare run` alone does: whoever checks, sets up or
/// explains means everybody.
pub fn by_default(chosen: Vec<Chosen>, choice: &Choice) -> Result<Vec<Chosen>, Failure> {
    let mut left = chosen;
    for one in &mut left {
        let meant =
            |contender: &Contender| contender.by_default || planning::named(&choice.only, &contender.id);
        one.contenders.retain(meant);
    }
    left.retain(|one| !one.contenders.is_empty());
    match left.is_empty() {
        true => {
            Err(Failure::usage("nobody who was asked for is measured by default")
                .hint("name them with `--only`"))
        }
        false => Ok(left),
    }
}

/// The web servers that contenders name, each once.
pub fn fronts(lab: &Lab, contenders: &[Contender]) -> Result<Vec<Service>, ManifestError> {
    let mut fronts: Vec<Service> = Vec::new();
    for contender in contenders {
        let front = lab.front(contender)?;
        let new = front.filter(|front| fronts.iter().all(|known| known.name != front.name));
        fronts.extend(new);
    }
    Ok(fronts)
}

/// All contenders of a workload, or everything that is wrong with any of them, each thing once.
fn contenders(lab: &Lab, workload: &Workload) -> Result<Vec<Contender>, ManifestError> {
    let (mut good, mut problems) = (Vec::new(), Vec::new());
    for contender in lab.contenders(workload) {
        match contender {
            Ok(contender) => good.push(contender),
            Err(error) => problems.extend(error.problems),
        }
    }
    // What is wrong with a language is told by every contender in it.
    let mut once = Vec::new();
    for problem in problems {
        if !once.contains(&problem) {
            once.push(problem);
        }
    }
    match once.is_empty() {
        true => Ok(good),
        false => Err(ManifestError { problems: once }),
    }
}

fn unknown(asked: &ContenderId, known: &[ContenderId]) -> Failure {
    let names: Vec<String> = known.iter().map(ContenderId::to_string).collect();
    Failure::usage(format!("no contender `{asked}` takes part in what was asked for"))
        .hint(format!("there are {}", names.join(", ")))
}

fn selectors(lab: &Lab, asked: &[Selector]) -> Result<Vec<Selector>, Failure> {
    if !asked.is_empty() {
        return Ok(asked.to_vec());
    }
    let names = lab.workloads().map_err(Failure::usage)?;
    if names.is_empty() {
        return Err(Failure::usage("the lab has no workloads")
            .hint("make one with `tare new workload workloads/NAME`"));
    }
    Ok(names
        .into_iter()
        .map(|workload| Selector { workload, case: None })
        .collect())
}

fn cases(workload: &Workload, selector: &Selector) -> Result<Vec<Case>, Failure> {
    let Some(name) = &selector.case else {
        return Ok(workload.cases.clone());
    };
    match workload.case(name) {
        Some(case) => Ok(vec![case.clone()]),
        None => {
            let names: Vec<&str> = workload.cases.iter().map(|case| case.name.as_str()).collect();
            Err(
                Failure::usage(format!("workload `{}` has no case `{name}`", workload.name))
                    .hint(format!("its cases are {}", names.join(", "))),
            )
        }
    }
}

/// Tools of each language, looked for once.
pub struct Tools<'l> {
    lab: &'l Lab,
    places: Places,
    languages: BTreeMap<String, Language>,
    found: BTreeMap<(String, String), Result<Found, Missing>>,
}

impl<'l> Tools<'l> {
    pub fn new(lab: &'l Lab, state: &Path) -> Self {
        let places = Places {
            tools: state.join("tools"),
            lab: lab.folder.clone(),
        };
        Self {
            lab,
            places,
            languages: BTreeMap::new(),
            found: BTreeMap::new(),
        }
    }

    pub fn places(&self) -> &Places {
        &self.places
    }

    /// The tools of its languages that a contender names, or those of them that are missing. Where two languages
    /// have a tool of one name, the contender's own comes first.
    pub fn of(&mut self, contender: &Contender) -> Result<Result<Vec<Found>, Vec<Missing>>, Failure> {
        let (mut found, mut missing): (Vec<Found>, Vec<Missing>) = (Vec::new(), Vec::new());
        let mut seen: Vec<String> = Vec::new();
        for language in std::iter::once(&contender.language).chain(&contender.uses) {
            let language = self.language(language)?;
            for tool in language.tools.iter().filter(|tool| names(contender, &tool.name)) {
                if seen.contains(&tool.name) {
                    continue;
                }
                seen.push(tool.name.clone());
                match self.look_for(&language.name, tool) {
                    Ok(one) => found.push(one),
                    Err(one) => missing.push(one),
                }
            }
        }
        Ok(if missing.is_empty() {
            Ok(found)
        } else {
            Err(missing)
        })
    }

    /// Looks for a tool of a language or service, once.
    fn look_for(&mut self, of: &str, tool: &Tool) -> Result<Found, Missing> {
        let key = (of.to_owned(), tool.name.clone());
        let places = &self.places;
        let look = || tools::find(tool, places);
        self.found.entry(key).or_insert_with(look).clone()
    }

    /// The tools of a service, or those of them that are missing.
    pub fn of_service(&mut self, service: &Service) -> Result<Vec<Found>, Vec<Missing>> {
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        // No language's name has a slash.
        let of = format!("services/{}", service.name);
        for tool in &service.tools {
            match self.look_for(&of, tool) {
                Ok(one) => found.push(one),
                Err(one) => missing.push(one),
            }
        }
        if missing.is_empty() {
            Ok(found)
        } else {
            Err(missing)
        }
    }

    /// Everything that a service needs and that is not here: tools first, then packages.
    pub fn missing_of_service(&mut self, service: &Service) -> Vec<Missing> {
        let mut missing = self.of_service(service).err().unwrap_or_default();
        missing.extend(tools::missing_packages(&service.needs.apt));
        missing
    }

    /// What the placeholders of tools and of the lab's folders stand for.
    pub fn values(&self, found: &[Found]) -> BTreeMap<String, String> {
        let tools = found.iter();
        let mut values: BTreeMap<String, String> = tools
            .map(|tool| (tool.name.clone(), tool.path.display().to_string()))
            .collect();
        let places = [("lab", &self.places.lab), ("tools", &self.places.tools)];
        values.extend(places.map(|(name, path)| (name.to_owned(), path.display().to_string())));
        values
    }

    fn language(&mut self, name: &str) -> Result<Language, Failure> {
        if let Some(known) = self.languages.get(name) {
            return Ok(known.clone());
        }
        let language = self.lab.language(name).map_err(Failure::usage)?;
        self.languages.insert(name.to_owned(), language.clone());
        Ok(language)
    }

    /// Everything that a contender needs and that is not here: tools first, then packages.
    pub fn missing(&mut self, contender: &Contender) -> Result<Vec<Missing>, Failure> {
        let mut missing = self.of(contender)?.err().unwrap_or_default();
        missing.extend(tools::missing_packages(&contender.needs.apt));
        Ok(missing)
    }

    /// Installs what any of the contenders or services lacks.
    pub fn install(
        &mut self,
        context: &Context,
        contenders: &[&Contender],
        services: &[&Service],
        log: &Path,
        cancel: &AtomicBool,
    ) -> Result<(), Failure> {
        let mut missing: Vec<Missing> = Vec::new();
        for contender in contenders {
            missing.extend(self.missing(contender)?);
        }
        for service in services {
            missing.extend(self.missing_of_service(service));
        }
        let mut once: Vec<Missing> = Vec::new();
        for one in missing {
            if !once.contains(&one) {
                once.push(one);
            }
        }
        let missing = once;
        if missing.is_empty() {
            return Ok(());
        }
        let tools = &self.places.tools;
        std::fs::create_dir_all(tools)
            .map_err(|error| Failure::outside(format!("cannot make {}: {error}", tools.display())))?;
        let mut progress = |text: &str| context.say(text);
        let done = install::install(&install::System::default(), &missing, log, &mut progress, cancel);
        self.found.clear();
        done.map_err(Failure::outside)
    }
}

/// Builds contenders.
pub struct Builder<'a, 'l> {
    pub context: &'a Context,
    pub tools: Tools<'l>,
    pub keeper: &'a Keeper,
    pub state: &'a Path,
    pub cancel: &'a AtomicBool,
}

impl Builder<'_, '_> {
    /// What the rig needs to start a contender, and what is recorded of it. A contender that cannot be had is
    /// recorded with its fault, and the others go on.
    pub fn prepare(
        &mut self,
        contender: &Contender,
        chosen: &Chosen,
        placement: &Placement,
    ) -> Result<(Option<Runnable>, EntrantRecord), Failure> {
        let mut entrant = planning::entrant(contender);
        match self.versioned(contender, chosen, placement, &mut entrant)? {
            Ok(runnable) => Ok((Some(runnable), entrant)),
            Err(fault) => {
                entrant.fault = Some(fault);
                Ok((None, entrant))
            }
        }
    }

    /// What the rig needs to start a contender, or why it cannot be had.
    pub fn runnable(
        &mut self,
        contender: &Contender,
        chosen: &Chosen,
        placement: &Placement,
    ) -> Result<Result<Runnable, Fault>, Failure> {
        self.versioned(contender, chosen, placement, &mut planning::entrant(contender))
    }

    /// The same, and recorded which program it is: the versions of its tools, and what it was built from.
    fn versioned(
        &mut self,
        contender: &Contender,
        chosen: &Chosen,
        placement: &Placement,
        entrant: &mut EntrantRecord,
    ) -> Result<Result<Runnable, Fault>, Failure> {
        if let Some(broken) = &contender.broken {
            let text = format!("marked as broken since {}: {}", broken.since, broken.reason);
            return Ok(Err(Fault::new(FaultKind::Broken, text)));
        }
        let missing = self.tools.missing(contender)?;
        if !missing.is_empty() {
            return Ok(Err(Missing::fault(&missing)));
        }
        let found = self.tools.of(contender)?.unwrap_or_default();
        let versions = found.iter().map(|tool| (tool.name.clone(), tool.version.clone()));
        entrant.subject.add_versions(versions);
        Ok(self.built(contender, chosen, placement, &found, entrant))
    }

    fn built(
        &self,
        contender: &Contender,
        chosen: &Chosen,
        placement: &Placement,
        found: &[Found],
        entrant: &mut EntrantRecord,
    ) -> Result<Runnable, Fault> {
        let mut values = self.values(placement, found);
        let recipe = Recipe {
            workload: contender.workload.clone(),
            // Variants that build alike share the build: the key holds the steps.
            contender: contender.id.name.clone(),
            folder: contender.folder.clone(),
            with: self.with(contender),
            steps: contender.build.clone(),
            env: contender
                .env
                .iter()
                .filter(|(_, value)| !of_the_run(value, &chosen.workload.gives))
                .map(clone_pair)
                .collect(),
            values: values.clone(),
            versions: entrant.subject.versions().to_vec(),
            timeout: BUILD_WITHIN,
        };
        self.context
            .detail(format!("building {}/{}", contender.workload, contender.id));
        let began = Instant::now();
        let built = build::build(self.keeper, self.state, &recipe, self.cancel)?;
        if !built.cached {
            let took = began.elapsed().as_secs_f64();
            self.context.say(format!(
                "built {}/{} in {took:.1} s",
                contender.workload, contender.id
            ));
        }
        entrant.subject.set_built(program(&built.hash, contender));
        values.insert("src".to_owned(), built.src.display().to_string());
        values.insert("out".to_owned(), built.out.display().to_string());
        values.insert("case".to_owned(), chosen.case.name.clone());
        // Nothing, unless a service of this case gives it.
        let gives = chosen.workload.gives.iter();
        values.extend(gives.map(|name| (name.clone(), String::new())));
        let logs = self.state.join("logs").join(&contender.workload);
        std::fs::create_dir_all(&logs).map_err(|error| {
            Fault::new(
                FaultKind::Instrument,
                format!("cannot make {}: {error}", logs.display()),
            )
        })?;
        Ok(Runnable {
            name: contender.id.to_string(),
            run: contender.run.clone(),
            env: contender.env.clone(),
            values,
            cwd: built.out,
            speaks: contender.speaks,
            listen: contender.listen,
            front: None,
            ready: contender.ready.clone(),
            stop_signal: contender.stop_signal.clone(),
            log: logs.join(format!("{}.log", contender.id)),
            references: None,
            fails_on: contender.fails_on.clone(),
        })
    }

    /// The lab's files and folders that the build finds beside the contender's own, with their names there.
    fn with(&self, contender: &Contender) -> Vec<(String, PathBuf)> {
        let lab = &self.tools.places().lab;
        let named = |path: &String| {
            let name = path.rsplit('/').next().unwrap_or(path);
            (name.to_owned(), lab.join(path))
        };
        contender.with.iter().map(named).collect()
    }

    fn values(&self, placement: &Placement, found: &[Found]) -> BTreeMap<String, String> {
        let list: Vec<String> = placement.contender.iter().map(u32::to_string).collect();
        let mut values = self.tools.values(found);
        values.insert("cores".to_owned(), list.len().to_string());
        values.insert("core_list".to_owned(), list.join(","));
        values
    }
}

/// Whether a value is known only when the contender is started: the build must not depend on it, or the same
/// program would be built once for every placement.
fn of_the_run(value: &str, gives: &[String]) -> bool {
    let labs = ["port", "host", "cores", "core_list", "case", "role"].into_iter();
    labs.chain(gives.iter().map(String::as_str))
        .any(|name| value.contains(&format!("{{{name}}}")))
}

/// What tells the program that runs from another: all that it was built from, and how it is run, of which its language
/// says a part, and no build knows.
fn program(built: &str, contender: &Contender) -> String {
    let words = contender.run.iter().map(String::as_str);
    let env = contender.env.iter();
    let env = env.flat_map(|(name, value)| ["", name.as_str(), value.as_str()]);
    let hash = fingerprint::of_texts(std::iter::once(built).chain(words).chain(env));
    hash[..12].to_owned()
}

fn clone_pair((name, value): (&String, &String)) -> (String, String) {
    (name.clone(), value.clone())
}

/// Whether a contender's commands or environment name a tool.
fn names(contender: &Contender, tool: &str) -> bool {
    let placeholder = format!("{{{tool}}}");
    let mut words = contender
        .build
        .iter()
        .flatten()
        .chain(&contender.run)
        .chain(contender.env.values());
    words.any(|word| word.contains(&placeholder))
}
