//! An implementation's folder of FrameworkBenchmarks: `benchmark_config.json` and its Dockerfiles.

use serde_json::Value;

use crate::dockerfile;
use crate::field::{self, Object, is_name, is_path, shown};
use crate::files::{BadFile, Files, LONGEST, bad, join, within};
use crate::shell;
use crate::{Container, Database, Implementation, Obstacle, Test};

/// The file that describes the implementations of a folder.
pub(crate) const CONFIG: &str = "benchmark_config.json";

/// The most implementations in a file. (Those of the suite have up to ten, apart from broken ones.)
const MOST: usize = 200;

/// The tests, by the key of their URL.
const TESTS: [(&str, &str); 7] = [
    ("plaintext_url", "plaintext"),
    ("json_url", "json"),
    ("db_url", "db"),
    ("query_url", "query"),
    ("fortune_url", "fortune"),
    ("update_url", "update"),
    ("cached_query_url", "cached-query"),
];

/// What is kept of an implementation, beside what it needs to run.
const ABOUT: [&str; 9] = [
    "classification",
    "approach",
    "platform",
    "webserver",
    "flavor",
    "orm",
    "database",
    "versus",
    "notes",
];

/// The names of hosts that containers of the suite expect.
const HOSTS: [&str; 2] = ["tfb-server", "tfb-database"];

/// What the build argument `BENCHMARK_ENV` says; in the suite it names the machines.
const ENVIRONMENT: &str = "tare";

/// The implementations of a folder.
pub(crate) fn read(files: &Files, folder: &str) -> Result<Vec<Implementation>, BadFile> {
    let path = join(folder, CONFIG);
    let value = field::parse(&path, &files.text(&path)?)?;
    let config = Object::of(&path, &value)?;
    let framework = config.raw("framework")?.filter(|name| is_name(name));
    let Some(framework) = framework else {
        return Err(bad(&path, "`framework` is missing, or no name"));
    };
    let mut all: Vec<Implementation> = Vec::new();
    for tests in lists(&path, config.value("tests"))? {
        for (key, value) in Object::of(&path, tests)?.entries() {
            let name = match key.as_str() {
                "default" => framework.to_owned(),
                key => format!("{framework}-{key}"),
            };
            let twice = all.iter().any(|one| one.name == name);
            if !is_name(&name) || twice || all.len() == MOST {
                let why = format!(
                    "`{}` is no name of a test, or there twice, or one too many",
                    shown(key)
                );
                return Err(bad(&path, why));
            }
            all.push(implementation(files, folder, name, Object::of(&path, value)?)?);
        }
    }
    Ok(all)
}

fn lists<'j>(path: &str, tests: Option<&'j Value>) -> Result<&'j [Value], BadFile> {
    match tests {
        Some(Value::Array(all)) if !all.is_empty() => Ok(all),
        _ => Err(bad(path, "`tests` is no list, or an empty one")),
    }
}

fn implementation(
    files: &Files,
    folder: &str,
    name: String,
    test: Object<'_>,
) -> Result<Implementation, BadFile> {
    let mut obstacles = Vec::new();
    if test.texts("tags")?.contains(&"broken") {
        obstacles.push(Obstacle::Broken);
    }
    let system = test.text("os")?.unwrap_or_else(|| "Linux".to_owned());
    if !system.eq_ignore_ascii_case("linux") {
        obstacles.push(Obstacle::System(system));
    }
    let port = port(test.value("port"));
    if port.is_none() {
        obstacles.push(Obstacle::NoPort);
    }
    let database = database(test)?;
    let container = Container {
        port: port.unwrap_or_default(),
        ..container(files, folder, &name, test, &mut obstacles)?
    };
    let tests = tests(test, database.as_ref())?;
    if tests.is_empty() {
        obstacles.push(Obstacle::NoTests);
    }
    if let Some(Database::Other(name)) = database {
        // Most exit at once without their database, whichever test is asked for.
        obstacles.push(Obstacle::Service(name));
    }
    let about = ABOUT.iter().filter_map(|key| Some((*key, test.text(key).ok()??)));
    Ok(Implementation {
        display_name: test.text("display_name")?.unwrap_or_else(|| name.clone()),
        language: test.text("language")?.unwrap_or_default(),
        about: about.filter(|(_, text)| is_said(text)).collect(),
        folder: folder.to_owned(),
        name,
        container,
        tests,
        obstacles,
    })
}

/// Whether a text says something: many of the suite's fields are `None`.
fn is_said(text: &str) -> bool {
    !text.is_empty() && !text.eq_ignore_ascii_case("none")
}

/// A port as a number, or as text.
fn port(value: Option<&Value>) -> Option<u16> {
    let port = match value? {
        Value::Number(number) => u16::try_from(number.as_u64()?).ok()?,
        Value::String(text) => text.parse().ok()?,
        _ => return None,
    };
    (port > 0).then_some(port)
}

/// The database as the suite calls it, in lower case.
fn database_name(test: Object<'_>) -> Result<String, BadFile> {
    Ok(test
        .text("database")?
        .map_or("none".to_owned(), |name| name.to_lowercase()))
}

fn database(test: Object<'_>) -> Result<Option<Database>, BadFile> {
    Ok(match database_name(test)?.as_str() {
        "none" | "" => None,
        "postgres" => Some(Database::Postgres),
        "mysql" => Some(Database::Other("MySQL".to_owned())),
        "mongodb" => Some(Database::Other("MongoDB".to_owned())),
        other => Some(Database::Other(other.to_owned())),
    })
}

fn container(
    files: &Files,
    folder: &str,
    name: &str,
    test: Object<'_>,
    obstacles: &mut Vec<Obstacle>,
) -> Result<Container, BadFile> {
    let path = join(folder, CONFIG);
    let own = format!("{name}.dockerfile");
    let named = test.raw("dockerfile")?.unwrap_or(&own);
    let Some(dockerfile) = within(folder, named) else {
        return Err(bad(
            &path,
            format!("the Dockerfile `{}` is not in the folder", shown(named)),
        ));
    };
    if !files.has(&dockerfile) {
        obstacles.push(Obstacle::NoDockerfile(dockerfile.clone()));
    }
    let build_args = [
        ("BENCHMARK_ENV", ENVIRONMENT.to_owned()),
        ("TFB_TEST_NAME", name.to_owned()),
        ("TFB_TEST_DATABASE", database_name(test)?),
    ];
    let build_args: Vec<(String, String)> = build_args.map(|(name, value)| (name.to_owned(), value)).into();
    let line = test.raw("docker_cmd")?.unwrap_or_default();
    let Some(command) = shell::command(line) else {
        return Err(bad(
            &path,
            format!("the command `{}` is not one command", shown(line)),
        ));
    };
    let text = files.bytes(&dockerfile, LONGEST).unwrap_or_default();
    Ok(Container {
        context: folder.to_owned(),
        bases: dockerfile::bases(&String::from_utf8_lossy(&text), &build_args),
        dockerfile,
        build_args,
        command,
        port: 0,
        hosts: HOSTS.to_vec(),
        mounts: Vec::new(),
    })
}

fn tests(test: Object<'_>, database: Option<&Database>) -> Result<Vec<Test>, BadFile> {
    let mut tests = Vec::new();
    for (key, name) in TESTS {
        let Some(url) = test.raw(key)?.filter(|url| !url.is_empty()) else {
            continue;
        };
        let obstacle = (!is_path(url)).then(|| Obstacle::Profile {
            profile: name.to_owned(),
            why: format!("`{}` is no path from `/`", shown(url)),
        });
        tests.push(Test {
            name: name.to_owned(),
            url: Some(url.to_owned()).filter(|_| obstacle.is_none()),
            // The suite starts the database of an implementation for all of its tests, and some exit without it.
            needs: database.cloned().into_iter().collect(),
            obstacle,
        });
    }
    Ok(tests)
}

#[cfg(test)]
mod tests_of_folders {
    use std::fs;

    use super::*;

    /// A folder `frameworks/Abacus/beads` with this configuration and a Dockerfile of this name.
    fn reading(config: &str, dockerfile: &str) -> Result<Vec<Implementation>, BadFile> {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("frameworks/Abacus/beads");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(CONFIG), config).unwrap();
        fs::write(folder.join(dockerfile), "FROM debian:bookworm\n").unwrap();
        read(&Files::new(root.path().to_owned()), "frameworks/Abacus/beads")
    }

    const CONFIGURED: &str = r#"{"framework": "beads", "tests": [{
        "default": {"json_url": "/json", "plaintext_url": "/plaintext", "port": 8080, "approach": "Realistic",
            "classification": "Micro", "database": "None", "framework": "beads", "language": "Abacus", "os": "Linux",
            "orm": "Raw", "platform": "None", "webserver": "None", "display_name": "Beads", "versus": "None"},
        "rods": {"dockerfile": "beads.dockerfile", "docker_cmd": "/app/rods --wires '10 100'", "db_url": "/db",
            "query_url": "/queries?q=", "cached_query_url": "/cached?q=", "update_url": "/updates?q=",
            "fortune_url": "/fortunes", "port": "9000", "database": "POSTGRES", "language": "Abacus", "os": "linux"}
    }]}"#;

    #[test]
    fn every_field_that_matters_is_read() {
        let all = reading(CONFIGURED, "beads.dockerfile").unwrap();
        let [plain, rods] = all.as_slice() else {
            panic!("{all:?}")
        };
        assert_eq!(
            (plain.name.as_str(), plain.display_name.as_str()),
            ("beads", "Beads")
        );
        let names = |one: &Implementation| one.tests.iter().map(|test| test.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(plain), ["plaintext", "json"]);
        assert_eq!(
            plain.container.dockerfile,
            "frameworks/Abacus/beads/beads.dockerfile"
        );
        assert_eq!((plain.container.port, plain.container.command.len()), (8080, 0));
        assert_eq!(plain.container.bases, ["debian:bookworm"]);
        assert!(plain.about.contains(&("classification", "Micro".to_owned())));
        assert!(
            plain.about.iter().all(|(key, _)| *key != "webserver"),
            "None says nothing"
        );
        assert!(plain.why_not().is_empty());
        assert_eq!((rods.name.as_str(), rods.container.port), ("beads-rods", 9000));
        assert_eq!(names(rods), ["db", "query", "fortune", "update", "cached-query"]);
        assert_eq!(rods.container.command, ["/app/rods", "--wires", "10 100"]);
        let args: Vec<String> = rods
            .container
            .build_args
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        assert_eq!(
            args,
            [
                "BENCHMARK_ENV=tare",
                "TFB_TEST_NAME=beads-rods",
                "TFB_TEST_DATABASE=postgres"
            ]
        );
        assert_eq!(rods.container.hosts, ["tfb-server", "tfb-database"]);
        assert!(rods.tests.iter().all(|test| test.needs == [Database::Postgres]));
        assert_eq!(rods.tests[1].url.as_deref(), Some("/queries?q="));
    }

    #[test]
    fn what_cannot_run_says_why() {
        let with = |old: &str, new: &str| CONFIGURED.replace(old, new);
        for (config, dockerfile, why) in [
            (
                with("\"port\": 8080", "\"tags\": [\"broken\"], \"port\": 8080"),
                "beads.dockerfile",
                "marks it as broken",
            ),
            (
                with("\"os\": \"Linux\"", "\"os\": \"Windows\""),
                "beads.dockerfile",
                "runs on Windows",
            ),
            (with("\"port\": 8080,", ""), "beads.dockerfile", "names no port"),
            (
                with("\"port\": 8080", "\"port\": 65536"),
                "beads.dockerfile",
                "names no port",
            ),
            (CONFIGURED.to_owned(), "other", "beads.dockerfile` is missing"),
            (
                with("\"database\": \"None\"", "\"database\": \"MySQL\""),
                "beads.dockerfile",
                "needs MySQL",
            ),
            (
                with("\"json_url\": \"/json\", \"plaintext_url\": \"/plaintext\",", ""),
                "beads.dockerfile",
                "no tests",
            ),
            (
                with(
                    "\"/json\", \"plaintext_url\": \"/plaintext\"",
                    "\"http://x/json\"",
                ),
                "beads.dockerfile",
                "no path from `/`",
            ),
        ] {
            let all = reading(&config, dockerfile).unwrap();
            let reasons: Vec<String> = all[0].why_not().iter().map(ToString::to_string).collect();
            assert!(
                reasons.iter().any(|reason| reason.contains(why)),
                "{why}: {reasons:?}"
            );
        }
        // One test that cannot be sent leaves the others.
        let all = reading(&with("\"/json\"", "\"\\u001b[2J\""), "beads.dockerfile").unwrap();
        assert_eq!(all[0].runnable().count(), 1);
        assert!(all[0].tests[1].obstacle.is_some() && all[0].tests[1].url.is_none());
    }

    #[test]
    fn hostile_and_broken_files_are_refused_with_their_place() {
        let with = |old: &str, new: &str| CONFIGURED.replace(old, new);
        for (config, why) in [
            ("{".to_owned(), "not JSON"),
            ("[]".to_owned(), "expected a JSON object"),
            ("{}".to_owned(), "`framework` is missing"),
            (
                with(
                    "\"framework\": \"beads\", \"tests\"",
                    "\"framework\": \"../beads\", \"tests\"",
                ),
                "no name",
            ),
            (with("\"rods\"", "\"a/b\""), "`a/b` is no name"),
            (with("\"rods\"", "\"a\\u001b[2Jb\""), "\\u{1b}[2J"),
            (
                with("beads.dockerfile", "../../../etc/passwd"),
                "not in the folder",
            ),
            (with("beads.dockerfile", "/etc/passwd"), "not in the folder"),
            (with("'10 100'", "; rm -rf /"), "not one command"),
            (
                with("\"port\": 8080", "\"json_url\": 3, \"port\": 8080"),
                "`json_url`: expected a string",
            ),
            (
                with("\"port\": 8080", "\"tags\": \"broken\", \"port\": 8080"),
                "`tags`: expected a list",
            ),
            (
                "{\"framework\": \"a\", \"tests\": []}".to_owned(),
                "`tests` is no list",
            ),
            (
                "{\"framework\": \"a\", \"tests\": [{\"b\": 1}]}".to_owned(),
                "expected an object",
            ),
        ] {
            let error = reading(&config, "beads.dockerfile").expect_err(why);
            assert!(error.to_string().contains(why), "{why}: {error}");
            assert!(error.path.ends_with(CONFIG), "{error}");
        }
    }
}
