//! Several servers against each other, in interleaved slices.

use std::collections::BTreeMap;
use std::time::Duration;

use tare_host::{groups, machine as host};
use tare_lab::plan::{Group, ModePlan, Plan, Rules};
use tare_load::{Address, LoadConfig, Schedule, limits};
use tare_model::ids::ContenderId;
use tare_model::manifest::ModeDriving;
use tare_model::metric::{Metric, Mode};
use tare_model::placement::Placement;
use tare_model::record::EntrantRecord;
use tare_model::results::Machine;
use tare_model::subject::Subject;
use tare_model::units::Seconds;
use tare_remote::{Key, Served};
use tare_rig::fleet::Crew;
use tare_rig::urls::Server;

use super::awake::{Waiting, waiting};
use super::error::ServersError;
use super::one::ServerLoad;
use super::request::LoadRequest;
use super::team::{Team, TeamRequest, connected, refuse_within};
use super::{target, there};
use crate::error::Result;
use crate::naming;

/// Rounds before those that count. How long the servers have been running is not known.
const WARM_UP: u32 = 10;

/// Answers in a slice at a rate: a median needs a hundred, and the length of slices varies by a tenth.
const ANSWERS: f64 = 120.0;

/// The longest slice, in seconds. A rate so low that it would have to be longer yields no median.
const LONGEST: f64 = 5.0;

/// Servers that can be compared.
pub struct ServersJob {
    /// The plan.
    pub plan: Plan,
    /// The servers, in the plan's order.
    pub servers: Vec<Server>,
    /// What the generator is made of.
    pub generator: LoadConfig,
    /// What drives the servers in place of that.
    pub agents: Option<Crew>,
    /// What comes close to a limit of a machine.
    pub remarks: Vec<String>,
    /// What a reader of the results should know.
    pub notes: Vec<String>,
}

impl LoadRequest {
    /// The servers and a plan to compare them. Nothing is sent yet. `usual`: the rules of which the request says nothing;
    /// `from`: where agents listen that drive the servers, and their key; none: this machine does.
    ///
    /// # Errors
    /// What is wrong with a URL, with what is to be sent, or with a name; an agent does not take part, or a machine cannot
    /// carry the load.
    pub fn of_several(&self, usual: Rules, from: Option<(&[String], &Key)>) -> Result<ServersJob> {
        let schedule = self.schedule()?;
        let servers = self.servers(from.is_some())?;
        let ids = self.ids()?;
        let baseline = naming::baseline(self.comparison.baseline.as_ref(), &ids)?;
        let by = match from {
            Some((names, key)) => By::of(self.team(&servers, names, key)?, self),
            None => self.by_this_machine(&schedule, &servers)?,
        };
        let awake = by.waiting.as_ref().is_some_and(|waiting| waiting.awake);
        let entrants = ids.iter().zip(&servers).map(|(id, server)| entrant(id, server));
        let group = Group {
            entrants: entrants.collect(),
            baseline: Some(baseline),
            awake,
            placement: by.placement,
            ..self.group()
        };
        Ok(ServersJob {
            plan: Plan {
                groups: vec![group],
                rules: self.rules(usual),
            },
            generator: self.generator(awake, (0, 1)),
            agents: by.agents,
            notes: self.notes(by.waiting.as_ref()),
            servers,
            remarks: by.remarks,
        })
    }

    fn by_this_machine(&self, schedule: &Schedule, servers: &[Server]) -> Result<By> {
        let addresses: Vec<&Address> = servers.iter().map(|server| server.target.address()).collect();
        Ok(By {
            agents: None,
            placement: Placement {
                load: self.cores.clone().unwrap_or_else(host::cores),
                ..Placement::default()
            },
            waiting: waiting(self, &addresses, 1),
            remarks: remarks(schedule, servers)?,
        })
    }

    /// The agents that drive the servers.
    fn team(&self, servers: &[Server], names: &[String], key: &Key) -> Result<Team> {
        let addresses = servers.iter().map(|server| match server.target.address() {
            Address::Ip(address) => Ok(*address),
            Address::Inside(..) | Address::Unix(_) => Err(ServersError::SocketByAgents),
        });
        let addresses = addresses.collect::<std::result::Result<Vec<_>, _>>()?;
        let agents = connected(names, &BTreeMap::new(), key)?;
        for address in &addresses {
            refuse_within(*address, &agents)?;
        }
        let request = TeamRequest {
            connections: self.connections,
            resident: servers.len() as u32,
            shares: self.connections,
            longest: Duration::from_secs_f64(LONGEST),
            processes: self.processes,
            cores: self.cores.clone(),
            contended: Vec::new(),
            timeout: self.timeout,
            seed: self.seed,
            servers: addresses,
        };
        request.stand(agents)
    }

    /// The servers; `away`: whether agents are told of them.
    fn servers(&self, away: bool) -> Result<Vec<Server>> {
        let (mut servers, mut kinds) = (Vec::new(), Vec::new());
        for url in &self.urls {
            let asked = target::target(url, self)?;
            kinds.push(asked.kind());
            let (target, served) = match away {
                false => (asked.driven(self)?, None),
                true => {
                    let load = ServerLoad::of(asked.driven(self)?, self)?;
                    let part = self.part(url, &load, 1, false)?;
                    (load.target, Some(Served::Url(Box::new(part))))
                }
            };
            servers.push(Server {
                url: url.clone(),
                target,
                served,
            });
        }
        if kinds.windows(2).any(|pair| pair[0] != pair[1]) {
            return Err(ServersError::DifferentJobs.into());
        }
        Ok(servers)
    }

    fn ids(&self) -> Result<Vec<ContenderId>> {
        let called = |url: &String| {
            let rest = url.split_once("://").map(|(_, rest)| rest.to_owned());
            rest.unwrap_or_else(|| url.clone())
        };
        let texts: Vec<String> = self.urls.iter().map(called).collect();
        Ok(naming::all(&self.comparison.names, &texts, "server")?)
    }

    /// The group, without its servers.
    fn group(&self) -> Group {
        let driving = self.driving();
        Group {
            workload: "load".to_owned(),
            summary: "Servers that ran already; neither frozen nor accounted".to_owned(),
            case: "servers".to_owned(),
            case_summary: String::new(),
            in_process: false,
            awake: false,
            placement: Placement::default(),
            floor: None,
            baseline: None,
            entrants: Vec::new(),
            warm_up: ModeDriving {
                mode: Mode::Capacity,
                depth: if driving.mode == Mode::Cost {
                    1
                } else {
                    driving.depth
                },
                ..driving.clone()
            },
            warm_up_rounds: Some(WARM_UP),
            modes: vec![ModePlan {
                driving,
                rate: self.rate,
                published: Vec::new(),
                claims: Vec::new(),
            }],
            sweep: None,
            prior: Vec::new(),
            expected: None,
        }
    }

    fn driving(&self) -> ModeDriving {
        // At one rate for all, what differs is how long an answer takes.
        let (mode, primary) = match self.rate {
            Some(_) => (Mode::Cost, Metric::LatencyP50),
            None => (Mode::Capacity, Metric::Throughput),
        };
        ModeDriving {
            mode,
            primary,
            connections: vec![self.connections],
            depth: self.in_flight.depth(),
            programs: 1,
            requests: 1,
            usage: self.usage(),
        }
    }

    fn rules(&self, usual: Rules) -> Rules {
        // At a rate, long enough for the answers that a median needs.
        let at_rate = |answers: f64| Seconds((ANSWERS / answers).clamp(usual.slice.0, LONGEST));
        Rules {
            budget: Some(Seconds::from_duration(self.duration())),
            // Tare does not start them.
            launches: Some(1),
            alpha: self.comparison.alpha,
            margin: self.comparison.margin,
            seed: self.seed,
            slice: self.rate.map_or(usual.slice, |rate| at_rate(rate.0)),
            ..usual
        }
    }

    fn notes(&self, waiting: Option<&Waiting>) -> Vec<String> {
        let mut notes = vec![
            "the servers were started by somebody else: one start of each, whatever it drew, is all that is known here"
                .to_owned(),
        ];
        notes.extend(waiting.map(|waiting| format!("the load waited for send times {}", waiting.why)));
        if self.tls.insecure {
            notes.push("certificates were not checked (--insecure)".to_owned());
        }
        let lines = |url: &String| url.to_ascii_lowercase().starts_with("tcp");
        if self.requests.any_body {
            notes
                .push("bodies were not looked at: only the status of answers, and where they end".to_owned());
        } else if self.requests.expect.is_empty() && !self.urls.iter().all(lines) {
            notes.push(
                "each server's answers were held against its own first, not against the others'".to_owned(),
            );
        }
        notes
    }
}

/// What drives the servers.
struct By {
    agents: Option<Crew>,
    placement: Placement,
    waiting: Option<Waiting>,
    remarks: Vec<String>,
}

impl By {
    /// Agents, as the request has them drive.
    fn of(team: Team, request: &LoadRequest) -> Self {
        Self {
            agents: Some(team.crew),
            placement: Placement {
                load: request.cores.clone().unwrap_or_default(),
                agents: team.nodes,
                ..Placement::default()
            },
            waiting: team.waiting.filter(|_| request.rate.is_some()),
            remarks: team.remarks,
        }
    }
}

impl ServersJob {
    /// Refuses a gate on a name that is compared with nothing.
    ///
    /// # Errors
    /// It is none of the servers, whose names follow, or the baseline.
    pub fn refuse_uncompared(&self, name: &ContenderId) -> Result<()> {
        let Some(group) = self.plan.groups.first() else {
            return Ok(());
        };
        let ids: Vec<ContenderId> = group.entrants.iter().map(|entrant| entrant.id.clone()).collect();
        Ok(naming::compared(name, &ids, group.baseline.as_ref())?)
    }

    /// The names of the servers, in the plan's order.
    pub fn names(&self) -> Vec<String> {
        let entrants = self.plan.groups.iter().flat_map(|group| &group.entrants);
        entrants.map(|entrant| entrant.id.to_string()).collect()
    }

    /// Refuses servers of which one is not there.
    ///
    /// # Errors
    /// Nothing listens at its address.
    pub fn refuse_absent(&self) -> Result<()> {
        for server in &self.servers {
            there::refuse_absent(&server.url, server.target.address())?;
        }
        Ok(())
    }
}

/// What comes close to a limit, each once.
fn remarks(schedule: &Schedule, servers: &[Server]) -> Result<Vec<String>> {
    let mut remarks: Vec<String> = Vec::new();
    for server in servers {
        remarks.extend(limits::check_target(schedule, &server.target, 1)?);
    }
    remarks.dedup();
    Ok(remarks)
}

fn entrant(id: &ContenderId, server: &Server) -> EntrantRecord {
    EntrantRecord {
        id: id.clone(),
        summary: server.url.clone(),
        subject: Subject::Server {
            url: server.url.clone(),
        },
        fault: None,
        fault_launch: None,
    }
}

/// The machine, as results of servers describe it.
///
/// # Errors
/// Processes cannot be looked at.
pub fn machine() -> Result<Machine> {
    let grouping = groups::detect(Some(groups::Backing::Plain))?;
    Ok(Machine {
        freezer: "none".to_owned(),
        accounting: "none".to_owned(),
        ..host::machine(&grouping)
    })
}

#[cfg(test)]
mod tests {
    use super::super::request::Comparison;
    use super::*;
    use tare_model::units::PerSecond;

    fn request(urls: &[&str]) -> LoadRequest {
        LoadRequest {
            urls: urls.iter().map(|url| (*url).to_owned()).collect(),
            connections: 2,
            ..LoadRequest::default()
        }
    }

    /// Nothing is sent to servers when the plan is made: there are none here.
    const TWO: [&str; 2] = ["http://127.0.0.1:9/a", "http://127.0.0.1:9/b"];

    #[test]
    fn servers_are_named_by_their_addresses_and_the_first_is_the_baseline() {
        let job = request(&TWO).of_several(Rules::default(), None).unwrap();
        let group = &job.plan.groups[0];
        let ids: Vec<String> = group.entrants.iter().map(|one| one.id.to_string()).collect();
        assert_eq!(ids, ["server-127-0-0-1-9-a", "server-127-0-0-1-9-b"]);
        assert_eq!(group.baseline.as_ref(), Some(&group.entrants[0].id));
        assert!(job.refuse_uncompared(&group.entrants[1].id).is_ok());
        assert!(job.refuse_uncompared(&group.entrants[0].id).is_err());
        let error = job.refuse_uncompared(&ContenderId::plain("nobody")).unwrap_err();
        assert!(error.to_string().contains("called `nobody`"), "{error}");
        assert_eq!((job.servers.len(), job.generator.own_cores), (2, false));
    }

    #[test]
    fn at_a_rate_slices_are_long_enough_for_a_median() {
        let usual = Rules::default();
        let slice = |rate: Option<f64>| {
            let request = LoadRequest {
                rate: rate.map(PerSecond),
                ..request(&TWO)
            };
            let job = request.of_several(usual.clone(), None).unwrap();
            (job.plan.groups[0].modes[0].driving.mode, job.plan.rules.slice.0)
        };
        assert_eq!(slice(None), (Mode::Capacity, usual.slice.0));
        assert_eq!(slice(Some(1e6)), (Mode::Cost, usual.slice.0));
        assert_eq!(slice(Some(100.0)), (Mode::Cost, ANSWERS / 100.0));
        assert_eq!(slice(Some(0.1)), (Mode::Cost, LONGEST));
    }

    #[test]
    fn what_cannot_be_compared_is_refused() {
        let refused = |request: LoadRequest| {
            request
                .of_several(Rules::default(), None)
                .err()
                .unwrap()
                .to_string()
        };
        let kinds = refused(request(&["http://127.0.0.1:9/", "tcp://127.0.0.1:9"]));
        assert!(kinds.contains("do not do the same"), "{kinds}");
        let named = LoadRequest {
            comparison: Comparison {
                baseline: Some(ContenderId::plain("nobody")),
                ..Comparison::default()
            },
            ..request(&TWO)
        };
        let text = refused(named);
        assert!(text.contains("called `nobody`"), "{text}");
    }
}
