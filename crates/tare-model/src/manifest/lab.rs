//! The lab's folder: which workloads, contenders and languages there are, read from their files.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::contender::Languages;
use super::error::{ManifestError, Problem};
use super::toml::{MAX_BYTES, Spot, too_large};
use super::words::{near_or_all, short};
use super::workload::RawWorkload;
use super::{
    Contender, Language, Reported, Service, Sources, Workload, contender, language, published, service,
    workload,
};
use crate::ids::{ContenderId, is_name};

/// A lab: the folder that holds `workloads/` and `languages/`. Every question reads the files afresh.
#[derive(Debug, Clone)]
pub struct Lab {
    /// The folder.
    pub folder: PathBuf,
}

type Read<T> = Result<T, ManifestError>;

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
        let names = self.names("workloads")?;
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
        let names = self.names("languages")?;
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
        language::parse(&self.bytes(&file)?, &file, name)
    }

    /// Names of the services (folders under `services/`), in order; none where there is no such folder.
    /// Errors: the folder cannot be listed.
    pub fn services(&self) -> Read<Vec<String>> {
        if !self.folder.join("services").exists() {
            return Ok(Vec::new());
        }
        let names = self.names("services")?;
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
        let raw = service::parse_raw(&self.bytes(&file)?, &file)?;
        let sources = raw.sources();
        let service = Service {
            folder: self.folder.join(folder),
            ..raw.resolve(name)
        };
        Ok((service, sources))
    }

    /// A workload. Errors: there is none of this name, or all that is wrong with its manifest, floors and
    /// baselines that no contender answers to included.
    pub fn workload(&self, name: &str) -> Read<Workload> {
        self.workload_with_sources(name).map(|(workload, _)| workload)
    }

    /// The same, and where each of its values came from.
    pub fn workload_with_sources(&self, name: &str) -> Read<(Workload, Sources)> {
        let (raw, mut workload) = self.bare_workload(name)?;
        workload.gives = self.given(&raw)?;
        let contenders = self.contenders(&workload);
        let problems = judge_references(&raw, &contenders, &self.broken_names(&workload));
        if problems.is_empty() {
            Ok((workload, raw.sources()))
        } else {
            Err(ManifestError { problems })
        }
    }

    /// Placeholders that the services of a workload's cases give, in order.
    /// Errors: services that do not exist, what is wrong with them, and two of one case that give the same.
    fn given(&self, raw: &RawWorkload) -> Read<Vec<String>> {
        let (mut all, mut problems) = (Vec::new(), Vec::new());
        for case in &raw.cases {
            let Some(names) = &case.services else { continue };
            let mut of_case: Vec<String> = Vec::new();
            for name in &names.value {
                match self.service_of(&raw.file, &case.name, name, names.line) {
                    Ok(service) if !service.fronts.is_empty() => {
                        let text = format!("`cases.{}.services`: `{name}` is a front", case.name);
                        let hint = format!("contenders name theirs, by `front = \"{name}\"`");
                        problems.push(Problem::whole(&raw.file, text).at(names.line).hint(hint));
                    }
                    Ok(service) => of_case.extend(service.gives.into_keys()),
                    Err(error) => problems.extend(error.problems),
                }
            }
            problems.extend(twice(&of_case).map(|name| {
                let text = format!("`cases.{}.services`: two of them give `{{{name}}}`", case.name);
                Problem::whole(&raw.file, text).at(names.line)
            }));
            all.extend(of_case);
        }
        all.sort();
        all.dedup();
        let mut once: Vec<Problem> = Vec::new();
        for problem in problems {
            if !once.contains(&problem) {
                once.push(problem);
            }
        }
        match once.is_empty() {
            true => Ok(all),
            false => Err(ManifestError { problems: once }),
        }
    }

    /// A service that a case names: that there is none is told where it is named.
    fn service_of(&self, file: &str, case: &str, name: &str, line: u32) -> Read<Service> {
        let names = self.services()?;
        if names.iter().any(|known| known == name) {
            return self.service(name);
        }
        let text = format!("`cases.{case}.services`: there is no service `{}`", short(name));
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let hint = match names.is_empty() {
            true => "a service is a folder with its manifest: `services/NAME/service.toml`".to_owned(),
            false => near_or_all(name, "there are", &names),
        };
        Err(Problem::whole(file, text).at(line).hint(hint).into())
    }

    fn bare_workload(&self, name: &str) -> Read<(RawWorkload, Workload)> {
        let names = self.workloads()?;
        known("workload", "workloads", name, &names)?;
        let file = format!("workloads/{name}/workload.toml");
        let raw = workload::parse_raw(&self.bytes(&file)?, &file)?;
        let workload = raw.resolve(name, self.folder.join("workloads").join(name));
        Ok((raw, workload))
    }

    /// Names of the folders under a workload's `contenders/`, in order; none where there is no such folder.
    pub fn contender_names(&self, workload: &str) -> Read<Vec<String>> {
        let folder = format!("workloads/{workload}/contenders");
        if !self.folder.join(&folder).exists() {
            return Ok(Vec::new());
        }
        let names = self.names(&folder)?;
        Ok(names
            .into_iter()
            .filter(|name| self.folder.join(&folder).join(name).is_dir())
            .collect())
    }

    /// All contenders of a workload, variants expanded and resolved against their languages, in the order of
    /// their names; each that cannot be read is an error of its own.
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

    /// The figures and findings of the reproduced report; none where there is no `published.toml`.
    /// Errors: everything that is wrong with the file, contenders that do not exist included.
    pub fn published(&self, workload: &Workload) -> Read<Reported> {
        let file = format!("workloads/{}/published.toml", workload.name);
        if !self.folder.join(&file).exists() {
            return Ok(Reported::default());
        }
        let contenders = self.contenders(workload);
        let broken = self.broken_names(workload);
        published::parse_spotted(&self.bytes(&file)?, &file, workload, |source, case, id| {
            if let Some((text, hint)) = judge_id(&id.value, Some(case), &contenders, &broken) {
                source.problem(id.line, text, hint);
            }
        })
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
        let bytes = self.bytes(&file)?;
        let mut contenders = contender::parse(&bytes, &file, name, workload, languages)?;
        let mut problems = Vec::new();
        for contender in &mut contenders {
            contender.folder = self.folder.join(&folder);
            let problem = self.front_problem(&file, contender);
            problems.extend(problem.filter(|problem| !problems.contains(problem)));
        }
        match problems.is_empty() {
            true => Ok(contenders),
            false => Err(ManifestError { problems }),
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

    /// Why the front that a contender names is none for it.
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
        let place = contender.sources.iter().find(|(key, _)| key == "front");
        let line = place.and_then(|(_, place)| {
            place
                .strip_prefix(file)?
                .strip_prefix(':')?
                .split(' ')
                .next()?
                .parse()
                .ok()
        });
        let (text, hint) = match ways.is_empty() {
            true => (
                format!("`front`: the service `{}` is no web server", short(name)),
                "one that is has a table `[front]` in its manifest".to_owned(),
            ),
            false => (
                format!("`front`: `{}` does not speak `{way}`", short(name)),
                format!("it speaks {}", ways.join(", ")),
            ),
        };
        Some(Problem::whole(file, text).at(line.unwrap_or(1)).hint(hint))
    }

    fn read_languages(&self) -> Read<Languages> {
        let mut languages = Languages::default();
        for name in self.languages()? {
            let file = format!("languages/{name}.toml");
            match self.bytes(&file) {
                Ok(bytes) => languages.insert(&name, &file, &bytes),
                Err(error) => languages.insert_broken(&name, error),
            }
        }
        Ok(languages)
    }

    /// Contenders whose manifests cannot be read: whether they have a variant or a case, nobody knows.
    fn broken_names(&self, workload: &Workload) -> Vec<String> {
        let (Ok(names), Ok(languages)) = (self.contender_names(&workload.name), self.read_languages()) else {
            return Vec::new();
        };
        let broken = |name: &String| self.read_contender(workload, name, &languages).is_err();
        names.into_iter().filter(broken).collect()
    }

    /// Names in a folder of the lab, in order; hidden ones are none.
    fn names(&self, folder: &str) -> Read<Vec<String>> {
        let path = self.folder.join(folder);
        let failed = |error: std::io::Error| {
            Problem::whole(folder, format!("cannot be listed: {error}")).hint(format!(
                "is {} a lab's folder? it holds `workloads/` and `languages/`",
                self.folder.display()
            ))
        };
        let mut names = Vec::new();
        for entry in fs::read_dir(path).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
            if !name.starts_with('.') {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    /// The bytes of a file of the lab. Refused: what lies outside of the lab, what is no plain file, too much.
    fn bytes(&self, file: &str) -> Read<Vec<u8>> {
        let path = self.folder.join(file);
        let failed = |error: std::io::Error| Problem::whole(file, format!("cannot be read: {error}"));
        let real = path.canonicalize().map_err(failed)?;
        if !real.starts_with(self.folder.canonicalize().map_err(failed)?) {
            let text = format!("leads out of the lab's folder, to {}", real.display());
            return Err(Problem::whole(file, text)
                .hint("copy it into the lab instead of linking to it")
                .into());
        }
        let metadata = fs::metadata(&real).map_err(failed)?;
        if !metadata.is_file() {
            return Err(Problem::whole(file, "expected a plain file, found something else").into());
        }
        if metadata.len() > MAX_BYTES as u64 {
            return Err(too_large(file, metadata.len()).into());
        }
        read_bounded(&real).map_err(|error| failed(error).into())
    }
}

fn read_bounded(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?
        .take(MAX_BYTES as u64 + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn bad_name(file: &str, what: &str, name: &str) -> Problem {
    Problem::whole(file, format!("`{}` is no {what}'s name", short(name)))
        .hint("lower-case letters, digits and single dashes, starting with a letter")
}

/// Whether the name is one of those that there are.
fn known(what: &str, folder: &str, name: &str, names: &[String]) -> Read<()> {
    if names.iter().any(|known| known == name) {
        return match is_name(name) {
            true => Ok(()),
            false => Err(bad_name(folder, what, name).into()),
        };
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let text = format!("there is no {what} `{}`", short(name));
    Err(Problem::whole(folder, text)
        .hint(near_or_all(name, "there are", &names))
        .into())
}

/// The first name that is there twice.
fn twice(names: &[String]) -> Option<&String> {
    let earlier = |(index, name): &(usize, &String)| names[..*index].contains(name);
    names.iter().enumerate().find(earlier).map(|(_, name)| name)
}

/// Problems of the floor and the baselines: that they exist, and take part in their cases.
fn judge_references(raw: &RawWorkload, contenders: &[Read<Contender>], broken: &[String]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut judge = |key: &str, id: &Spot<ContenderId>, case: Option<&str>| {
        if let Some((text, hint)) = judge_id(&id.value, case, contenders, broken) {
            let problem = Problem::whole(&raw.file, format!("`{key}`: {text}")).at(id.line);
            problems.push(Problem { hint, ..problem });
        }
    };
    if let Some(floor) = &raw.floor {
        judge("floor", floor, None);
    }
    for case in &raw.cases {
        if let Some(floor) = &case.floor {
            judge(&format!("cases.{}.floor", case.name), floor, Some(&case.name));
        }
        judge(
            &format!("cases.{}.baseline", case.name),
            &case.baseline,
            Some(&case.name),
        );
    }
    problems.sort_by_key(|problem| problem.line);
    problems
}

/// What is wrong with a reference to a contender, and a hint.
fn judge_id(
    id: &ContenderId,
    case: Option<&str>,
    contenders: &[Read<Contender>],
    broken: &[String],
) -> Option<(String, Option<String>)> {
    let readable = || contenders.iter().flatten();
    if let Some(found) = readable().find(|contender| contender.id == *id) {
        let case = case.filter(|case| !found.cases.iter().any(|own| own == case))?;
        let place = found
            .sources
            .iter()
            .find(|(key, _)| key == "cases")
            .map(|(_, place)| place.as_str());
        let hint = format!(
            "its cases are {} ({})",
            found.cases.join(", "),
            place.unwrap_or("its manifest")
        );
        return Some((
            format!("the contender `{id}` does not take part in the case `{case}`"),
            Some(hint),
        ));
    }
    // What is wrong with its manifest is said elsewhere, once.
    if broken.contains(&id.name) {
        return None;
    }
    let ids: Vec<String> = readable().map(|contender| contender.id.to_string()).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let text = format!("there is no contender `{id}`");
    Some((text, Some(near_or_all(&id.to_string(), "there are", &ids))))
}
