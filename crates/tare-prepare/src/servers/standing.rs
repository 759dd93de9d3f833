//! Generators that stay, on the side of an agent: what they are made of, and what the servers of their slices are.

use tare_load::job::{self, Way};
use tare_load::{Address, LoadConfig, Target, Work};
use tare_model::manifest::{Job, Speaks};
use tare_model::scheme::Scheme;
use tare_model::units::PerSecond;
use tare_remote::{Served, ServedJob, Standing};

use super::awake::{Waiting, waiting};
use super::request::LoadRequest;

/// What a generator that stays is made of.
pub fn standing_generator(standing: &Standing) -> LoadConfig {
    LoadConfig {
        cores: standing.cores.clone().unwrap_or_default(),
        own_cores: standing.awake,
        timeout: standing.timeout,
        seed: standing.seed,
        turn: (standing.first, standing.of),
    }
}

/// A server of which slices are driven. Nothing that it says is looked up or read here.
///
/// # Errors
/// It is none that can be driven.
pub fn served(server: &Served) -> Result<Target, String> {
    match server {
        Served::Url(part) => {
            let load = LoadRequest::of_part(part).of_one(&part.url);
            load.map(|load| load.target).map_err(|error| error.to_string())
        }
        Served::Job(job) => of_job(job),
    }
}

fn of_job(server: &ServedJob) -> Result<Target, String> {
    let job = Job::parse(&server.job).map_err(|error| error.to_string())?;
    let speaks: Speaks = server
        .speaks
        .parse()
        .map_err(|error: tare_model::metric::UnknownName| error.to_string())?;
    let scheme = Scheme::named(&server.scheme).ok_or_else(|| format!("no scheme `{}`", server.scheme))?;
    let way = match speaks {
        Speaks::Own => Way::of_scheme(scheme, "").map_err(|error| error.to_string())?,
        other => Way::clear(other, scheme.speech),
    };
    let address = Address::Ip(server.server);
    let work = Work::over(&way, &job, &address, server.seed).map_err(|error| error.to_string())?;
    Ok(Target::new(address, work.sampled(job::WHOLE)))
}

/// How generators that stay wait for send times, where a slice has some.
pub(super) fn standing_waiting(standing: &Standing) -> Option<Waiting> {
    let request = LoadRequest {
        rate: Some(PerSecond(1.0)),
        cores: standing.cores.clone(),
        ..LoadRequest::default()
    };
    let servers: Vec<Address> = standing
        .servers
        .iter()
        .map(|server| Address::Ip(*server))
        .collect();
    let waiting = waiting(&request, &servers.iter().collect::<Vec<_>>(), standing.processes)?;
    Some(match waiting.awake && !standing.awake {
        true => Waiting {
            awake: false,
            why: "asleep: the servers may run on its cores, too".to_owned(),
        },
        false => waiting,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::SocketAddr;
    use std::time::Duration;

    fn server() -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], 9))
    }

    fn job(job: &str, (speaks, scheme): (&str, &str)) -> Served {
        Served::Job(ServedJob {
            job: job.to_owned(),
            speaks: speaks.to_owned(),
            scheme: scheme.to_owned(),
            server: server(),
            seed: 1,
        })
    }

    fn standing(cores: Option<&[u32]>, awake: bool) -> Standing {
        Standing {
            connections: 10,
            longest: Duration::from_secs(1),
            cores: cores.map(<[u32]>::to_vec),
            timeout: Duration::from_secs(1),
            seed: 1,
            servers: Vec::new(),
            awake,
            first: 2,
            processes: 1,
            of: 4,
        }
    }

    #[test]
    fn a_server_does_the_job_of_a_manifest_over_its_protocol() {
        let http = "schema = 1\njob = { kind = \"http\", path = \"/json\" }\n";
        for (text, speaks) in [
            (Job::Doubling.to_text().as_str(), ("http", "tcp")),
            (http, ("http", "http")),
            (http, ("http", "h2c")),
            (http, ("fastcgi", "http")),
        ] {
            let target = served(&job(text, speaks)).unwrap();
            assert_eq!(target.address(), &Address::Ip(server()), "{text}");
        }
        for (text, speaks, why) in [
            ("nonsense", ("http", "http"), "the job:1"),
            (http, ("telepathy", "http"), "`telepathy` is not a protocol"),
            (http, ("http", "gopher"), "no scheme `gopher`"),
            (
                "schema = 1\njob = { kind = \"probe\", reference = \"r.txt\" }\n",
                ("http", "http"),
                "in process",
            ),
        ] {
            let error = served(&job(text, speaks)).err().unwrap();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn generators_take_turns_over_all_agents() {
        let config = standing_generator(&standing(Some(&[3]), true));
        assert_eq!(
            (config.turn, config.cores, config.own_cores),
            ((2, 4), vec![3], true)
        );
    }

    #[test]
    fn send_times_are_waited_for_awake_on_cores_of_ones_own() {
        let awake = |cores, awake| standing_waiting(&standing(cores, awake)).unwrap().awake;
        assert!(awake(Some(&[0]), true));
        assert!(!awake(Some(&[0]), false) && !awake(None, true));
    }
}
