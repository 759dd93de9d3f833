//! What was asked for, in words.

use tare_model::history::History;
use tare_model::metric::Mode;
use tare_model::settings::{
    BenchmarkSettings, CommandSettings, ContenderSettings, Many, RequestSettings, RunKind, Settings, SuiteOf,
    Surroundings,
};
use tare_model::subject::Subject;
use tare_model::units::Seconds;

use super::driving::{driving, listed};
use super::percent;
use crate::escape::one_line;

/// Name and value, in the order in which people read them.
type Words = Vec<(&'static str, String)>;

/// The settings of a run.
pub fn settings(settings: &Settings) -> Words {
    let mut words = Words::new();
    if let Some(both) = &settings.revisions {
        words.push(("before", both.before.clone()));
        words.push(("after", both.after.clone()));
    }
    words.extend(budget(settings));
    let all = [
        ("margin", settings.margin.map(percent)),
        ("alpha", settings.alpha.map(percent)),
        ("seed", text(settings.seed.as_ref())),
        ("timeout", settings.timeout.map(seconds)),
        ("launches", text(settings.launches.as_ref())),
        ("rounds", text(settings.rounds.as_ref())),
        ("rate", settings.rate.map(|rate| format!("{} /s", rate.0))),
        ("revision", settings.revision.clone()),
    ];
    words.extend(known(all));
    words.extend(settings.contenders.iter().flat_map(contenders));
    words.extend(settings.commands.iter().flat_map(commands));
    words.extend(settings.requests.iter().flat_map(requests));
    words.extend(settings.benchmarks.iter().flat_map(benchmarks));
    words.extend(settings.explains.iter().map(|question| {
        let place = format!("{}/{}", question.workload, question.case);
        ("explains", format!("{place}: {} to {}", question.a, question.b))
    }));
    words
}

/// The longest that it may take; where there is no limit, what ends it instead.
fn budget(settings: &Settings) -> Option<(&'static str, String)> {
    let budget = settings.budget.map(seconds);
    match settings.kind {
        RunKind::Load => budget.map(|budget| ("duration", budget)),
        RunKind::Run => Some(("budget", budget.unwrap_or("until decided".to_owned()))),
        RunKind::Time | RunKind::Bench => Some(("budget", budget.unwrap_or("none".to_owned()))),
        RunKind::Diff => budget.map(|budget| ("budget", budget)),
        RunKind::Explain | RunKind::Import => None,
    }
}

fn contenders(asked: &ContenderSettings) -> Words {
    let connections = (!asked.connections.is_empty()).then(|| listed(&asked.connections));
    let all = [
        ("suite", suites_of(&asked.suites)),
        (
            "folders",
            asked.folders.as_ref().and_then(|folders| joined(&folders.named)),
        ),
        ("manifests", Some(asked.manifests.clone())),
        ("connections", connections),
        ("pipeline", text(asked.depth.as_ref())),
        ("programs", text(asked.programs.as_ref())),
        (
            "cores of the contender",
            asked.cores_contender.as_deref().map(listed),
        ),
        ("cores of the load", asked.cores_load.as_deref().map(listed)),
        ("load from", joined(&asked.hosts)),
        ("services on", asked.service_host.clone()),
        ("address", text(asked.address.as_ref())),
        ("resumes", asked.resumes.clone()),
    ];
    known(all).collect()
}

/// `report of bigtable`; none where cases were named.
fn suites_of(suites: &[SuiteOf]) -> Option<String> {
    let texts = suites
        .iter()
        .map(|one| format!("{} of {}", one.suite, one.workload));
    joined(&texts.collect::<Vec<String>>())
}

/// The suites of a run, for the line that names it: `suite report of bigtable`; none where cases were named.
pub(crate) fn suites(settings: &Settings) -> Option<String> {
    let suites = suites_of(&settings.contenders.as_ref()?.suites)?;
    Some(format!("suite {suites}"))
}

fn commands(asked: &CommandSettings) -> Words {
    let all = [
        ("warm-up rounds", Some(asked.warm_up_rounds.to_string())),
        ("runs", text(asked.runs.as_ref())),
        ("runs at least", text(asked.least_runs.as_ref())),
        ("runs at most", text(asked.most_runs.as_ref())),
        ("cleanup", joined(&asked.cleanup)),
        ("failures", asked.failures_ignored.then(|| "ignored".to_owned())),
    ];
    known(all).chain(surroundings(&asked.around)).collect()
}

fn benchmarks(asked: &BenchmarkSettings) -> Words {
    let bounds = match asked.many {
        Many::Discoveries => "the share of false ones among what is called slower or faster",
        Many::Family => "the chance of any false verdict",
    };
    let all = [
        ("harnesses", joined(&asked.harnesses)),
        ("only", asked.only.clone()),
        ("benchmarks from", asked.benchmarks_from.clone()),
        ("layouts", Some(asked.layouts.to_string())),
        ("alpha bounds", Some(bounds.to_owned())),
    ];
    known(all).collect()
}

fn surroundings(around: &Surroundings) -> Words {
    let all = [
        ("shell", around.shell.clone()),
        ("repository", around.repository.clone()),
        ("folder", around.folder.clone()),
        ("setup", joined(&around.setup)),
        ("prepare", joined(&around.prepare)),
        ("input", around.input.clone()),
        ("same output", around.same_output.then(|| "required".to_owned())),
    ];
    known(all).collect()
}

fn requests(asked: &RequestSettings) -> Words {
    let yes = |given: bool| given.then(|| "yes".to_owned());
    let tls = asked.tls.as_ref();
    let all = [
        ("method", asked.method.clone()),
        (
            "headers",
            (!asked.headers.is_empty()).then(|| asked.headers.join(", ")),
        ),
        ("body", asked.body.clone()),
        ("bytes of a chunk", text(asked.chunk_size.as_ref())),
        ("content codings", joined(&asked.encoding)),
        ("raw requests", joined(&asked.raw)),
        ("send", asked.send.clone()),
        ("expect", asked.expect.clone()),
        ("server streaming", yes(asked.server_streaming)),
        ("status", text(asked.status.as_ref())),
        ("any body", yes(asked.any_body)),
        ("checked whole", yes(asked.checked_whole)),
        ("a connection for each request", yes(asked.fresh)),
        ("HTTP", asked.http.clone()),
        ("any certificate", yes(tls.is_some_and(|tls| tls.insecure))),
        ("authorities", tls.and_then(|tls| tls.cacert.clone())),
        ("name for TLS", tls.and_then(|tls| tls.sni.clone())),
        ("sessions resumed", yes(tls.is_some_and(|tls| tls.resume))),
    ];
    known(all).collect()
}

/// What all runs of a history have in common, beside its title.
pub fn conditions(history: &History) -> Words {
    let conditions = &history.conditions;
    let subject = conditions.subject.as_ref().map(|subject| match subject {
        Subject::Command { command } | Subject::NoCommand { command } => ("command", command.clone()),
        Subject::Server { url } => ("server", url.clone()),
        Subject::Contender { language, .. } => ("language", language.clone()),
        Subject::Benchmark { harness, .. } => ("harness", harness.clone()),
    });
    let rate = (history.mode == Mode::Cost).then(|| {
        let asked = conditions.rate.map(|rate| format!("{} /s", rate.0));
        (
            "rate",
            asked.unwrap_or("half of what the slowest can take".to_owned()),
        )
    });
    let placement = &conditions.placement;
    let cores = |cores: &[u32]| (!cores.is_empty()).then(|| listed(cores));
    let placed = [
        ("cores of the contender", cores(&placement.contender)),
        ("cores of the load", cores(&placement.load)),
        (
            "services",
            (!placement.services.is_empty()).then(|| placement.services.join(", ")),
        ),
    ];
    let mut words = Words::new();
    words.extend(subject);
    words.extend(conditions.around.iter().flat_map(surroundings));
    words.extend(rate);
    words.extend(driving(&conditions.driving));
    words.extend(known(placed));
    words.retain(|(_, value)| !value.is_empty());
    words
}

/// The same as one text: `connections 64; cores of the contender 1`.
pub fn conditions_text(history: &History) -> String {
    let texts: Vec<String> = conditions(history)
        .iter()
        .map(|(name, value)| one_line(&format!("{name} {value}")))
        .collect();
    texts.join("; ")
}

fn known<const N: usize>(
    all: [(&'static str, Option<String>); N],
) -> impl Iterator<Item = (&'static str, String)> {
    all.into_iter().filter_map(|(name, value)| Some((name, value?)))
}

fn text(value: Option<&impl ToString>) -> Option<String> {
    value.map(ToString::to_string)
}

fn seconds(time: Seconds) -> String {
    format!("{} s", time.0)
}

fn joined(texts: &[String]) -> Option<String> {
    (!texts.is_empty()).then(|| texts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::driving::{Batch, ConnectionUse, Driving, Load, Refill};
    use tare_model::ids::ContenderId;
    use tare_model::settings::{Question, Revisions, SuiteFolders, TlsSettings};
    use tare_model::units::PerSecond;

    fn chosen() -> ContenderSettings {
        let text = |text: &str| text.to_owned();
        ContenderSettings {
            manifests: text("0123456789ab"),
            suites: vec![SuiteOf {
                workload: text("doubling"),
                suite: text("report"),
            }],
            connections: vec![16, 64],
            depth: Some(3),
            programs: Some(10),
            cores_contender: Some(vec![1]),
            cores_load: Some(vec![0]),
            hosts: vec![text("n2:7400")],
            service_host: Some(text("n4")),
            address: Some(std::net::Ipv4Addr::LOCALHOST.into()),
            resumes: Some(text("20261121-204512")),
            folders: Some(SuiteFolders {
                lab: text("0123456789ab"),
                named: vec![text("tfb:frameworks/Go/gin")],
            }),
        }
    }

    fn asked() -> RequestSettings {
        let text = |text: &str| text.to_owned();
        RequestSettings {
            method: Some(text("PUT")),
            headers: vec![text("Accept: a")],
            body: Some(text("b")),
            send: Some(text("s")),
            chunk_size: Some(7),
            encoding: vec![text("gzip")],
            raw: vec![text("get.raw")],
            expect: Some(text("e")),
            server_streaming: true,
            status: Some(200),
            any_body: true,
            checked_whole: true,
            fresh: true,
            http: Some(text("2")),
            tls: Some(TlsSettings {
                insecure: true,
                cacert: Some(text("ca.pem")),
                sni: Some(text("a.example")),
                resume: true,
            }),
        }
    }

    /// Every setting that there is.
    fn all() -> Settings {
        let text = |text: &str| text.to_owned();
        Settings {
            kind: RunKind::Run,
            budget: Some(Seconds(60.0)),
            margin: Some(0.01),
            alpha: Some(0.05),
            seed: Some(7),
            timeout: Some(Seconds(10.0)),
            launches: Some(6),
            rounds: Some(20),
            rate: Some(PerSecond(9000.0)),
            revision: Some(text("1a2b3c")),
            revisions: Some(Revisions {
                before: text("1a"),
                after: text("1b"),
            }),
            contenders: Some(chosen()),
            commands: Some(CommandSettings {
                warm_up_rounds: 1,
                runs: Some(20),
                least_runs: Some(5),
                most_runs: Some(50),
                cleanup: vec![text("rm a")],
                failures_ignored: true,
                around: Surroundings {
                    shell: Some(text("sh")),
                    repository: Some(text("~/mine")),
                    folder: Some(text("sub")),
                    setup: vec![text("make")],
                    prepare: vec![text("sync")],
                    input: Some(text("in.txt")),
                    same_output: true,
                },
            }),
            requests: Some(asked()),
            benchmarks: None,
            explains: Some(Question {
                workload: text("doubling"),
                case: text("one-core"),
                a: ContenderId::plain("go"),
                b: ContenderId::plain("node"),
            }),
        }
    }

    fn drivings() -> [Driving; 3] {
        let load = Load {
            connections: vec![16, 64],
            depth: 3,
            batch: Some(Batch {
                programs: 10,
                requests: 5,
            }),
            awake: Some(true),
            rate: Some(PerSecond(47_000.0)),
            usage: ConnectionUse {
                refill: Refill::Batches,
                renew_after: Some(10),
            },
        };
        let slice = Seconds(0.01);
        [
            Driving::Load(load),
            Driving::InProcess { slice },
            Driving::Commands { runs: 7 },
        ]
    }

    /// Words are made here alone: none of a report's labels is in what is kept, so each may be reworded without a stored
    /// run changing its meaning.
    #[test]
    fn no_label_is_kept() {
        let kept = serde_json::to_string(&all()).unwrap() + &serde_json::to_string(&drivings()).unwrap();
        let labels: Vec<&str> = settings(&all())
            .into_iter()
            .chain(drivings().iter().flat_map(driving))
            .map(|(label, _)| label)
            .collect();
        assert!(labels.len() > 30, "{labels:?}");
        // A label of one word may be a field's name, too, but then it is the type's and not the report's.
        for label in labels.iter().filter(|label| label.contains(' ')) {
            assert!(!kept.contains(label), "`{label}` is kept: {kept}");
        }
        let read: Settings = serde_json::from_str(&serde_json::to_string(&all()).unwrap()).unwrap();
        assert_eq!(read, all());
    }

    #[test]
    fn no_setting_is_left_unsaid() {
        let words = settings(&all());
        for value in [
            "60 s",
            "1%",
            "5%",
            "7",
            "10 s",
            "6",
            "20",
            "9000 /s",
            "1a2b3c",
            "1a",
            "1b",
            "0123456789ab",
            "report of doubling",
            "16, 64",
            "3",
            "10",
            "1",
            "0",
            "20261121-204512",
            "rm a",
            "ignored",
            "sh",
            "~/mine",
            "sub",
            "make",
            "sync",
            "in.txt",
            "required",
            "PUT",
            "Accept: a",
            "b",
            "s",
            "e",
            "200",
            "yes",
            "doubling/one-core: go to node",
        ] {
            assert!(
                words.iter().any(|(_, said)| said == value),
                "no {value}: {words:?}"
            );
        }
    }
}
