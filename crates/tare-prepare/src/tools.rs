//! The tools of languages and services: found, or installed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use tare_host::containers::{Engine, NoEngine};
use tare_host::tools::{self, Found, Missing, Places, install};
use tare_model::manifest::{Contender, Lab, Language, Service, Tool};

use crate::choose::ChosenCase;
use crate::error::{PrepareError, Result};
use crate::progress::{Event, Progress};

/// Tools that were found, or the reasons why some of them were not.
type Search = std::result::Result<Vec<Found>, Vec<Missing>>;

/// Tools of each language and service, looked for once.
pub struct Tools<'l> {
    lab: &'l Lab,
    places: Places,
    languages: BTreeMap<String, Language>,
    found: BTreeMap<(String, String), std::result::Result<Found, Missing>>,
    state: PathBuf,
    /// The container engine, once it was looked for.
    engine: Option<std::result::Result<Engine, NoEngine>>,
}

impl<'l> Tools<'l> {
    /// Tools of a lab; those that tare installs are in the folder `state`.
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
            state: state.to_owned(),
            engine: None,
        }
    }

    /// The container engine, looked for once.
    pub(crate) fn engine(&mut self) -> std::result::Result<Engine, NoEngine> {
        let look = || Engine::find(&self.state);
        self.engine.get_or_insert_with(look).clone()
    }

    /// The lab's folder.
    pub(crate) fn lab_folder(&self) -> &Path {
        &self.places.lab
    }

    /// The tools that a contender names, of its languages. Where two languages have a tool of one name, the
    /// contender's own language comes first.
    pub(crate) fn of(&mut self, contender: &Contender) -> Result<Search> {
        if contender.container.is_some() {
            // Its tools are in its image.
            return Ok(Ok(Vec::new()));
        }
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

    /// The tools of a service.
    ///
    /// # Errors
    /// Those of them that are missing.
    pub fn of_service(&mut self, service: &Service) -> Search {
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        // A language's name has no slash.
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

    /// Everything that a contender needs and that is missing: tools first, then packages.
    ///
    /// # Errors
    /// The manifest of one of its languages is wrong.
    pub fn missing(&mut self, contender: &Contender) -> Result<Vec<Missing>> {
        let mut missing = self.of(contender)?.err().unwrap_or_default();
        if contender.container.is_some()
            && let Err(NoEngine::Missing(engine)) = self.engine()
        {
            missing.push(engine);
        }
        missing.extend(tools::missing_packages(&contender.needs.apt));
        Ok(missing)
    }

    /// Everything that a service needs and that is missing: tools first, then packages.
    pub fn missing_of_service(&mut self, service: &Service) -> Vec<Missing> {
        let mut missing = self.of_service(service).err().unwrap_or_default();
        missing.extend(tools::missing_packages(&service.needs.apt));
        missing
    }

    /// Looks for a tool of a language or service, once.
    fn look_for(&mut self, of: &str, tool: &Tool) -> std::result::Result<Found, Missing> {
        let key = (of.to_owned(), tool.name.clone());
        let places = &self.places;
        let look = || tools::find(tool, places);
        self.found.entry(key).or_insert_with(look).clone()
    }

    /// The values of the placeholders for tools and for the lab's folders.
    pub(crate) fn values(&self, found: &[Found]) -> BTreeMap<String, String> {
        let tools = found.iter();
        let mut values: BTreeMap<String, String> = tools
            .map(|tool| (tool.name.clone(), tool.path.display().to_string()))
            .collect();
        let places = [("lab", &self.places.lab), ("tools", &self.places.tools)];
        values.extend(places.map(|(name, path)| (name.to_owned(), path.display().to_string())));
        values
    }

    fn language(&mut self, name: &str) -> Result<Language> {
        if let Some(known) = self.languages.get(name) {
            return Ok(known.clone());
        }
        let language = self.lab.language(name)?;
        self.languages.insert(name.to_owned(), language.clone());
        Ok(language)
    }

    /// Installs everything that the contenders and services of these cases need and that is missing. The installers'
    /// output goes to the file `log`.
    ///
    /// # Errors
    /// A manifest is wrong, or something cannot be installed.
    pub fn install(
        &mut self,
        chosen: &[ChosenCase],
        log: &Path,
        progress: &dyn Progress,
        cancel: &AtomicBool,
    ) -> Result<()> {
        let mut missing: Vec<Missing> = Vec::new();
        for contender in chosen.iter().flat_map(|one| &one.contenders) {
            missing.extend(self.missing(contender)?);
        }
        for service in chosen.iter().flat_map(ChosenCase::all_services) {
            missing.extend(self.missing_of_service(service));
        }
        self.install_missing(missing, log, progress, cancel)
    }

    /// The same of one service.
    ///
    /// # Errors
    /// Something cannot be installed.
    pub(crate) fn install_for(
        &mut self,
        service: &Service,
        log: &Path,
        progress: &dyn Progress,
        cancel: &AtomicBool,
    ) -> Result<()> {
        let missing = self.missing_of_service(service);
        self.install_missing(missing, log, progress, cancel)
    }

    fn install_missing(
        &mut self,
        missing: Vec<Missing>,
        log: &Path,
        progress: &dyn Progress,
        cancel: &AtomicBool,
    ) -> Result<()> {
        let mut once: Vec<Missing> = Vec::new();
        for one in missing {
            if !once.contains(&one) {
                once.push(one);
            }
        }
        if once.is_empty() {
            return Ok(());
        }
        make_folder(&self.places.tools)?;
        let mut report = |what: &str| progress.event(&Event::Installing { what });
        let done = install::install(&install::System::default(), &once, log, &mut report, cancel);
        self.found.clear();
        self.engine = None;
        Ok(done?)
    }
}

/// Makes a folder and those that it lies in.
pub(crate) fn make_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|source| PrepareError::Folder {
        folder: folder.to_owned(),
        source,
    })
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
