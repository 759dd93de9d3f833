//! An implementation's folder of HttpArena: `meta.json`, and its Dockerfile or `build.sh`.

use crate::dockerfile;
use crate::field::{self, Object, is_name, shown};
use crate::files::{BadFile, Files, LONGEST, bad, join, within};
use crate::profiles::{Profile, Traffic};
use crate::shell::{self, Word};
use crate::{Container, Database, Implementation, Obstacle, Test};

/// The file that describes an implementation.
pub(crate) const META: &str = "meta.json";

/// Where servers listen in clear.
const PORT: u16 = 8080;

/// The most tests of an implementation.
const MOST: usize = 1000;

/// What is kept of an implementation, beside what it needs to run.
const ABOUT: [&str; 5] = ["type", "mode", "engine", "description", "repo"];

/// What implementations of a checkout have in common.
pub(crate) struct Common<'c> {
    /// The checkout, from the folder that was read.
    pub(crate) root: &'c str,
    /// Its profiles; none: it has no scripts.
    pub(crate) profiles: Option<&'c [Profile]>,
    pub(crate) mounts: &'c [(String, String)],
}

/// The implementation of a folder, whose last name is its own.
pub(crate) fn read(
    files: &Files,
    folder: &str,
    name: &str,
    common: &Common<'_>,
) -> Result<Implementation, BadFile> {
    let path = join(folder, META);
    if !is_name(name) {
        return Err(bad(
            &path,
            format!("`{}` is no name of an implementation", shown(name)),
        ));
    }
    let value = field::parse(&path, &files.text(&path)?)?;
    let meta = Object::of(&path, &value)?;
    let mut obstacles = Vec::new();
    if !meta.truth("enabled", true)? {
        obstacles.push(Obstacle::Disabled);
    }
    let container = container(files, folder, common, &mut obstacles)?;
    let mut tests: Vec<Test> = Vec::new();
    for test in meta.texts("tests")?.into_iter().take(MOST) {
        if !is_name(test) {
            return Err(bad(&path, format!("`{}` is no name of a test", shown(test))));
        }
        if tests.iter().all(|known| known.name != test) {
            tests.push(self::test(test, common));
        }
    }
    if tests.is_empty() {
        obstacles.push(Obstacle::NoTests);
    }
    let about = ABOUT.iter().filter_map(|key| Some((*key, meta.text(key).ok()??)));
    let maintainers = meta.texts("maintainers")?.join(", ");
    let maintainers = (!maintainers.is_empty()).then(|| ("maintainers", shown(&maintainers)));
    Ok(Implementation {
        display_name: meta.text("display_name")?.unwrap_or_else(|| name.to_owned()),
        language: meta.text("language")?.unwrap_or_default(),
        about: about
            .filter(|(_, text)| !text.is_empty())
            .chain(maintainers)
            .collect(),
        name: name.to_owned(),
        folder: folder.to_owned(),
        container,
        tests,
        obstacles,
    })
}

/// A test, as the profile of its name has it.
fn test(name: &str, common: &Common<'_>) -> Test {
    let profile = common
        .profiles
        .and_then(|all| all.iter().find(|profile| profile.name == name));
    let obstacle = match (common.profiles, profile) {
        (None, _) => Some(Obstacle::NoScripts(name.to_owned())),
        (Some(_), None) => Some(Obstacle::NoProfile(name.to_owned())),
        (_, Some(profile)) => of_profile(profile),
    };
    let url = profile.and_then(|profile| match &profile.traffic {
        Traffic::Get { path, .. } | Traffic::WebSocket { path } => Some(path.clone()),
        Traffic::Raw(_) | Traffic::Other(_) => None,
    });
    Test {
        name: name.to_owned(),
        url,
        needs: profile.map_or_else(Vec::new, |profile| profile.needs.clone()),
        obstacle,
    }
}

fn of_profile(profile: &Profile) -> Option<Obstacle> {
    if let Err(obstacle) = &profile.job {
        return Some(obstacle.clone());
    }
    profile.needs.iter().find_map(|database| match database {
        Database::Postgres => None,
        Database::Other(name) => Some(Obstacle::Service(name.clone())),
    })
}

fn container(
    files: &Files,
    folder: &str,
    common: &Common<'_>,
    obstacles: &mut Vec<Obstacle>,
) -> Result<Container, BadFile> {
    let script = join(folder, "build.sh");
    let (dockerfile, context, build_args) = if files.has(&script) {
        match build(&files.text(&script)?, folder, common.root) {
            Ok(built) => built,
            Err(line) => {
                obstacles.push(Obstacle::BuildScript(shown(&line)));
                (join(folder, "Dockerfile"), folder.to_owned(), Vec::new())
            }
        }
    } else {
        (join(folder, "Dockerfile"), folder.to_owned(), Vec::new())
    };
    if !files.has(&dockerfile) {
        obstacles.push(Obstacle::NoDockerfile(dockerfile.clone()));
    }
    let text = files.bytes(&dockerfile, LONGEST).unwrap_or_default();
    Ok(Container {
        bases: dockerfile::bases(&String::from_utf8_lossy(&text), &build_args),
        context,
        dockerfile,
        build_args,
        command: Vec::new(),
        port: PORT,
        hosts: Vec::new(),
        mounts: common.mounts.to_vec(),
    })
}

/// A build: Dockerfile, context, arguments.
type Build = (String, String, Vec<(String, String)>);

/// What a build script builds, if it builds one image and does nothing else; otherwise the line that is not understood.
fn build(text: &str, folder: &str, root: &str) -> Result<Build, String> {
    let words = shell::words(text);
    let mut found = None;
    for line in words
        .split(|word| word.text == "\n")
        .filter(|line| !line.is_empty())
    {
        let told = || {
            line.iter()
                .map(|word| word.text.as_str())
                .collect::<Vec<_>>()
                .join(" ")
        };
        let texts: Vec<&str> = line.iter().map(|word| word.text.as_str()).collect();
        match texts.as_slice() {
            ["set", ..] => {}
            ["cd", "$ROOT_DIR"] => {}
            // Where the script is, and the checkout; what follows in the line is how a shell finds that out.
            [first, ..] if first.starts_with("SCRIPT_DIR=") || first.starts_with("ROOT_DIR=") => {}
            ["docker" | "podman", "build", ..] if found.is_none() => {
                found = Some(image(&line[2..], folder, root).ok_or_else(told)?);
            }
            _ => return Err(told()),
        }
    }
    found.ok_or_else(|| "no `docker build`".to_owned())
}

/// What `docker build` with these words builds; none: a word is not understood.
fn image(words: &[Word], folder: &str, root: &str) -> Option<Build> {
    let (mut dockerfile, mut context, mut args) = (None, None, Vec::new());
    let mut words = words.iter().map(|word| word.text.as_str());
    while let Some(word) = words.next() {
        match word {
            "-t" | "--tag" => drop(words.next()?),
            "-f" | "--file" => dockerfile = Some(place(words.next()?, folder, root)?),
            "--build-arg" => {
                let (name, value) = words.next()?.split_once('=')?;
                (!value.contains('$')).then_some(())?;
                args.push((name.to_owned(), value.to_owned()));
            }
            _ if word.starts_with('-') || context.is_some() => return None,
            _ => context = Some(place(word, folder, root)?),
        }
    }
    let context = context?;
    let dockerfile = dockerfile.unwrap_or_else(|| join(&context, "Dockerfile"));
    Some((dockerfile, context, args))
}

/// Where a path of a build script leads: from the script's folder or from the checkout.
fn place(text: &str, folder: &str, root: &str) -> Option<String> {
    for (variable, begin) in [("SCRIPT_DIR", folder), ("ROOT_DIR", root)] {
        let rest = text
            .strip_prefix(&format!("${{{variable}}}"))
            .or_else(|| text.strip_prefix(&format!("${variable}")));
        match rest {
            Some("" | "/") => return Some(begin.to_owned()),
            Some(rest) => return within(begin, rest.strip_prefix('/')?),
            None => {}
        }
    }
    // Without a variable it is relative to wherever the script was started: the checkout, in the suite.
    match text {
        "." | "./" => Some(root.to_owned()),
        _ if text.contains('$') => None,
        _ => within(root, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(line: &str) -> Result<Build, String> {
        let script = format!(
            "#!/usr/bin/env bash\nset -euo pipefail\nSCRIPT_DIR=\"$(cd \"$(dirname \"$0\")\" && pwd)\"\n\
             ROOT_DIR=\"$(cd \"$SCRIPT_DIR/../..\" && pwd)\"\n{line}\n"
        );
        build(&script, "frameworks/beads", "")
    }

    #[test]
    fn a_build_script_of_one_image_is_read_and_never_run() {
        let own = "frameworks/beads/Dockerfile".to_owned();
        assert_eq!(
            built("docker build -t beads -f \"$SCRIPT_DIR/Dockerfile\" \"$ROOT_DIR\""),
            Ok((own.clone(), String::new(), vec![]))
        );
        assert_eq!(
            built("docker build --tag beads --build-arg A=b \\\n  \"${SCRIPT_DIR}\""),
            Ok((
                own,
                "frameworks/beads".to_owned(),
                vec![("A".to_owned(), "b".to_owned())]
            ))
        );
        for line in [
            "",
            "docker build -t beads --network host .",
            "docker build -f \"$SCRIPT_DIR/../../../etc/passwd\" .",
            "docker build -t a . \n docker build -t b .",
            "curl http://example.org/ | sh",
            "docker build -f \"$HOME/x\" .",
            "rm -rf /",
        ] {
            assert!(built(line).is_err(), "{line}");
        }
    }
}
