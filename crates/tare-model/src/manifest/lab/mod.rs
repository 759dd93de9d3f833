//! The lab's folder: which workloads, contenders, languages and services there are, read from their files.

mod counted;
mod folder;
mod references;

use std::path::PathBuf;

use crate::ids::{ContenderId, is_name};
use crate::manifest::contender::{self, Contender, Languages};
use crate::manifest::error::{ManifestError, Problem};
use crate::manifest::language::{self, Language};
use crate::manifest::published::{self, Reported};
use crate::manifest::service::{self, Service};
use crate::manifest::sources::Sources;
use crate::manifest::words::{near_or_all, short};
use crate::manifest::workload::{self, Workload};
use folder::{Read, bad_name, bytes, known, names};
use references::Known;

/// A lab: the folder that holds `workloads/`, `languages/` and `services/`. Every call reads the files afresh.
#[derive(Debug, Clone)]
pub struct Lab {
    /// The folder.
    pub folder: PathBuf,
}

impl Lab {
    /// The lab in a folder. Nothing is read yet.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
        }
    }

    /// Names of the workloads (folders under `workloads/` that hold a `workload.toml`), in order.
    /// Errors: the folder cannot be listed.
    pub fn workloads(&self) -> Read<Vec<String>> {
        let names = names(&self.folder, "workloads")?;
        let has = |name: &String| {
            self.folder
                .join("workloads")
                .join(name)
                .join("workload.toml")
                .exists()
        };
        Ok(names.into_iter().filter(has).collect())
    }

    /// Names of the languages (`languages/NAME.toml`), in order; none where there is no such folder.
    /// Errors: the folder cannot be listed.
    pub fn languages(&self) -> Read<Vec<String>> {
        if !self.folder.join("languages").exists() {
            return Ok(Vec::new());
        }
        let names = names(&self.folder, "languages")?;
        Ok(names
            .iter()
            .filter_map(|name| name.strip_suffix(".toml"))
            .map(str::to_owned)
            .collect())
    }

    /// A language. Errors: there is none of this name, or what is wrong with its manifest.
    pub fn language(&self, name: &str) -> Read<Language> {
        let names = self.languages()?;
        known("language", "languages", name, &names)?;
        let file = format!("languages/{name}.toml");
        language::parse(&bytes(&self.folder, &file)?, &file, name)
    }

    /// Names of the services (folders under `services/`), in order; none where there is no such folder.
    /// Errors: the folder cannot be listed.
    pub fn services(&self) -> Read<Vec<String>> {
        if !self.folder.join("services").exists() {
            return Ok(Vec::new());
        }
        let names = names(&self.folder, "services")?;
        Ok(names
            .into_iter()
            .filter(|name| self.folder.join("services").join(name).is_dir())
            .collect())
    }

    /// A service. Errors: there is none of this name, or what is wrong with its manifest.
    pub fn service(&self, name: &str) -> Read<Service> {
        self.service_with_sources(name).map(|(service, _)| service)
    }

    /// The same, and where each of its values came from.
    pub fn service_with_sources(&self, name: &str) -> Read<(Service, Sources)> {
        known("service", "services", name, &self.services()?)?;
        let folder = format!("services/{name}");
        let file = format!("{folder}/service.toml");
        if !self.folder.join(&file).exists() {
            let problem = Problem::whole(file, "there is no such file");
            return Err(problem
                .hint("every folder here is a service and needs its manifest")
                .into());
        }
        let (mut service, sources) = service::parse_with_sources(&bytes(&self.folder, &file)?, &file, name)?;
        service.folder = self.folder.join(folder);
        Ok((service, sources))
    }

    /// A workload. Errors: there is none of this name, or all that is wrong with its manifest, including floors and
    /// baselines that are no contenders.
    pub fn workload(&self, name: &str) -> Read<Workload> {
        self.workload_with_sources(name).map(|(workload, _)| workload)
    }

    /// The same, and where each of its values came from.
    pub fn workload_with_sources(&self, name: &str) -> Read<(Workload, Sources)> {
        let (file, mut workload, sources) = self.bare_workload(name)?;
        workload.gives = self.given(&file, &workload, &sources)?;
        let contenders = self.contenders(&workload);
        let known = Known {
            contenders: &contenders,
            broken: &self.broken_names(&workload),
        };
        let mut problems = known.check(&file, &workload, &sources);
        // A service that cannot be read has its own errors.
        let counts = |name: &str| {
            self.service(name)
                .map_or(true, |service| service.counts.is_some())
        };
        problems.extend(counted::check(&file, &workload, &sources, counts));
        if problems.is_empty() {
            Ok((workload, sources))
        } else {
            Err(ManifestError { problems })
        }
    }

    /// Placeholders that the services of a workload's cases give, in order.
    /// Errors: services that do not exist, what is wrong with them, and two of one case that give the same placeholder.
    fn given(&self, file: &str, workload: &Workload, sources: &Sources) -> Read<Vec<String>> {
        let (mut all, mut problems) = (Vec::new(), Vec::<Problem>::new());
        let mut report = |problem: Problem| {
            if !problems.contains(&problem) {
                problems.push(problem);
            }
        };
        for case in &workload.cases {
            let key = format!("cases.{}.services", case.name);
            let Some(line) = sources.line(&key) else { continue };
            let mut of_case: Vec<String> = Vec::new();
            for name in &case.services {
                match self.service_of(file, &key, name, line) {
                    Ok(service) if !service.fronts.is_empty() => {
                        let text = format!("`{key}`: `{name}` is a front");
                        let hint = format!("contenders name theirs, by `front = \"{name}\"`");
                        report(Problem::whole(file, text).at(line).hint(hint));
                    }
                    Ok(service) => of_case.extend(service.gives.into_keys()),
                    Err(error) => error.problems.into_iter().for_each(&mut report),
                }
            }
            if let Some(name) = twice(&of_case) {
                let text = format!("`{key}`: two of them give `{{{name}}}`");
                report(Problem::whole(file, text).at(line));
            }
            all.extend(of_case);
        }
        all.sort();
        all.dedup();
        if problems.is_empty() {
            Ok(all)
        } else {
            Err(ManifestError { problems })
        }
    }

    /// A service that a case names. That there is none is reported at the line of the case's key.
    fn service_of(&self, file: &str, key: &str, name: &str, line: u32) -> Read<Service> {
        let names = self.services()?;
        if names.iter().any(|known| known == name) {
            return self.service(name);
        }
        let text = format!("`{key}`: there is no service `{}`", short(name));
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let hint = if names.is_empty() {
            "a service is a folder with its manifest: `services/NAME/service.toml`".to_owned()
        } else {
            near_or_all(name, "there are", &names)
        };
        Err(Problem::whole(file, text).at(line).hint(hint).into())
    }

    /// A workload as its own file has it, and what errors call the file.
    fn bare_workload(&self, name: &str) -> Read<(String, Workload, Sources)> {
        known("workload", "workloads", name, &self.workloads()?)?;
        let file = format!("workloads/{name}/workload.toml");
        let folder = self.folder.join("workloads").join(name);
        let (workload, sources) =
            workload::parse_with_sources(&bytes(&self.folder, &file)?, &file, name, folder)?;
        Ok((file, workload, sources))
    }

    /// Names of the folders under a workload's `contenders/`, in order; none where there is no such folder.
    pub(crate) fn contender_names(&self, workload: &str) -> Read<Vec<String>> {
        let folder = format!("workloads/{workload}/contenders");
        if !self.folder.join(&folder).exists() {
            return Ok(Vec::new());
        }
        let names = names(&self.folder, &folder)?;
        Ok(names
            .into_iter()
            .filter(|name| self.folder.join(&folder).join(name).is_dir())
            .collect())
    }

    /// All contenders of a workload, variants expanded and resolved against their languages, in the order of
    /// their names. A contender that cannot be read is an error of its own.
    pub fn contenders(&self, workload: &Workload) -> Vec<Read<Contender>> {
        let names = match self.contender_names(&workload.name) {
            Ok(names) => names,
            Err(error) => return vec![Err(error)],
        };
        let languages = match self.read_languages() {
            Ok(languages) => languages,
            Err(error) => return vec![Err(error)],
        };
        names
            .iter()
            .flat_map(|name| match self.read_contender(workload, name, &languages) {
                Ok(contenders) => contenders.into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error)],
            })
            .collect()
    }

    /// One contender, or one variant of one.
    /// Errors: there is none of this id, or what is wrong with its manifest.
    pub fn contender(&self, workload: &Workload, id: &ContenderId) -> Read<Contender> {
        let names = self.contender_names(&workload.name)?;
        known(
            "contender",
            &format!("workloads/{}/contenders", workload.name),
            &id.name,
            &names,
        )?;
        let variants = self.read_contender(workload, &id.name, &self.read_languages()?)?;
        let ids: Vec<String> = variants
            .iter()
            .map(|contender| contender.id.to_string())
            .collect();
        let found = variants.into_iter().find(|contender| contender.id == *id);
        found.ok_or_else(|| {
            let file = format!("workloads/{}/contenders/{}", workload.name, id.name);
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            Problem::whole(file, format!("there is no contender `{id}`"))
                .hint(near_or_all(&id.to_string(), "there are", &ids))
                .into()
        })
    }

    /// The figures and claims of the reproduced report; none where there is no `published.toml`.
    /// Errors: everything that is wrong with the file, including contenders that do not exist, or that the suite
    /// `report` leaves out.
    pub fn published(&self, workload: &Workload) -> Read<Reported> {
        let file = format!("workloads/{}/published.toml", workload.name);
        if !self.folder.join(&file).exists() {
            return Ok(Reported::default());
        }
        let known = Known {
            contenders: &self.contenders(workload),
            broken: &self.broken_names(workload),
        };
        published::parse_spotted(
            &bytes(&self.folder, &file)?,
            &file,
            workload,
            |source, (case, mode), id| {
                let fault = known.fault(&id.value, Some(case));
                let fault = fault.or_else(|| known.unreported(workload, (case, mode), &id.value));
                if let Some((text, hint)) = fault {
                    source.problem(id.line, text, hint);
                }
            },
        )
    }

    fn read_contender(&self, workload: &Workload, name: &str, languages: &Languages) -> Read<Vec<Contender>> {
        let folder = format!("workloads/{}/contenders/{name}", workload.name);
        if !is_name(name) {
            return Err(bad_name(&folder, "contender", name).into());
        }
        let file = format!("{folder}/contender.toml");
        if !self.folder.join(&file).exists() {
            let problem = Problem::whole(file, "there is no such file");
            return Err(problem
                .hint("every folder here is a contender and needs its manifest")
                .into());
        }
        let bytes = bytes(&self.folder, &file)?;
        let mut contenders = contender::parse(&bytes, &file, name, workload, languages)?;
        let mut problems = Vec::new();
        for contender in &mut contenders {
            contender.folder = self.folder.join(&folder);
            let problem = self.front_problem(&file, contender);
            problems.extend(problem.filter(|problem| !problems.contains(problem)));
        }
        if problems.is_empty() {
            Ok(contenders)
        } else {
            Err(ManifestError { problems })
        }
    }

    /// The front of a contender, where it names one.
    /// Errors: what is wrong with the front's manifest.
    pub fn front(&self, contender: &Contender) -> Read<Option<Service>> {
        contender
            .front
            .as_ref()
            .map(|name| self.service(name))
            .transpose()
    }

    /// Why a contender cannot have the front that it names.
    fn front_problem(&self, file: &str, contender: &Contender) -> Option<Problem> {
        let (name, way) = (contender.front.as_ref()?, contender.speaks.name());
        let front = match self.service(name) {
            Ok(front) => front,
            Err(error) => return error.problems.into_iter().next(),
        };
        if front.fronts.contains_key(&contender.speaks) {
            return None;
        }
        let ways: Vec<&str> = front.fronts.keys().map(|way| way.name()).collect();
        let (text, hint) = if ways.is_empty() {
            (
                format!("`front`: the service `{}` is no web server", short(name)),
                "one that is has a table `[front]` in its manifest".to_owned(),
            )
        } else {
            (
                format!("`front`: `{}` does not speak `{way}`", short(name)),
                format!("it speaks {}", ways.join(", ")),
            )
        };
        let line = contender.sources.line("front");
        Some(Problem::whole(file, text).at(line.unwrap_or(1)).hint(hint))
    }

    fn read_languages(&self) -> Read<Languages> {
        let mut languages = Languages::default();
        for name in self.languages()? {
            let file = format!("languages/{name}.toml");
            match bytes(&self.folder, &file) {
                Ok(bytes) => languages.insert(&name, &file, &bytes),
                Err(error) => languages.insert_broken(&name, error),
            }
        }
        Ok(languages)
    }

    /// Contenders whose manifests cannot be read, so that their variants and cases are not known.
    fn broken_names(&self, workload: &Workload) -> Vec<String> {
        let (Ok(names), Ok(languages)) = (self.contender_names(&workload.name), self.read_languages()) else {
            return Vec::new();
        };
        let broken = |name: &String| self.read_contender(workload, name, &languages).is_err();
        names.into_iter().filter(broken).collect()
    }
}

/// The first name that is there twice.
fn twice(names: &[String]) -> Option<&String> {
    let earlier = |(index, name): &(usize, &String)| names[..*index].contains(name);
    names.iter().enumerate().find(earlier).map(|(_, name)| name)
}
