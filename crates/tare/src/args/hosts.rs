//! Other machines that take part: `--hosts server=n1,load=n2,n3,service=n4`.

use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use tare_model::manifest::Machines;
use tare_prepare::ServiceHost;
use tare_report::words;

use crate::failure::Failure;

/// Options for other machines.
#[derive(Debug, Clone, Args)]
pub struct HostOptions {
    /// Other machines that take part, by their roles: `load=n2,n3` drive the load (`n2:7400`: a `tare agent` that listens there;
    /// without a port one is started by ssh), `service=n4` holds the services of cases, by ssh, and `server=n1` has contenders, by
    /// ssh; what has no role given stays here. `n1,n2,…` without roles are the machines that the suite takes: first those
    /// for the load, then the one for services
    #[arg(long, value_name = "[ROLE=]HOST,…")]
    pub hosts: Option<Hosts>,
    /// The address of this machine where contenders listen and agents reach them [default: the one that agents are
    /// connected to]
    #[arg(long, value_name = "IP")]
    pub address: Option<IpAddr>,
    /// The file with the key that the agents know which listen already [default: the variable TARE_KEY]
    #[arg(long, value_name = "FILE")]
    pub key_file: Option<PathBuf>,
}

/// Machines by their roles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hosts {
    /// Where contenders run.
    pub server: Option<String>,
    /// The agents that drive the load: where they listen, or hosts where they are to be started.
    pub load: Vec<String>,
    /// Where services run.
    pub service: Option<String>,
    /// Those without a role, which the suite gives them; the roles above are empty then.
    pub of_suite: Vec<String>,
}

impl HostOptions {
    /// What they ask for.
    pub fn asked(&self) -> tare_prepare::Hosts {
        self.filled(self.hosts.clone().unwrap_or_default())
    }

    /// The same where machines without roles get those of a suite.
    pub fn of_suite(&self, machines: Machines) -> Result<tare_prepare::Hosts, Failure> {
        let hosts = self.hosts.clone().unwrap_or_default();
        Ok(self.filled(hosts.with_roles(machines)?))
    }

    fn filled(&self, hosts: Hosts) -> tare_prepare::Hosts {
        tare_prepare::Hosts {
            load: hosts.load,
            service: hosts.service.map(|name| ServiceHost {
                name,
                ..ServiceHost::default()
            }),
            address: self.address,
            ..tare_prepare::Hosts::default()
        }
    }

    /// The machine where contenders run, and the machines of the other roles as an option of the tare there.
    pub fn server(&self) -> Option<(&str, Option<String>)> {
        let hosts = self.hosts.as_ref()?;
        let load = (!hosts.load.is_empty()).then(|| format!("load={}", hosts.load.join(",")));
        let service = hosts.service.as_ref().map(|host| format!("service={host}"));
        let others: Vec<String> = [load, service].into_iter().flatten().collect();
        let others = (!others.is_empty()).then(|| format!("--hosts={}", others.join(",")));
        Some((hosts.server.as_deref()?, others))
    }
}

/// Whether a machine is named by where an agent listens there.
pub fn listens(host: &str) -> bool {
    let with_port = |(name, port): (&str, &str)| !name.is_empty() && port.parse::<u16>().is_ok();
    // An IPv6 address without a port has colons, too.
    let is_address = host.parse::<IpAddr>().is_ok();
    !is_address && host.rsplit_once(':').is_some_and(with_port)
}

impl FromStr for Hosts {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut hosts = Self::default();
        let mut role = None;
        for part in text.split(',') {
            let (named, host) = match part.split_once('=') {
                Some((role, host)) => (Some(role), host),
                None => (role, part),
            };
            role = named;
            match named {
                Some("load") if hosts.load.iter().any(|known| known == host) => {
                    return Err(format!("`{host}` is named twice"));
                }
                Some("load") => hosts.load.push(agent(host)?),
                Some("service") => set(&mut hosts.service, "service", host)?,
                Some("server") => set(&mut hosts.server, "server", host)?,
                Some(other) => {
                    return Err(format!(
                        "`{other}` is no role of a machine: expected server=HOST, load=HOST,… or service=HOST"
                    ));
                }
                None if hosts.of_suite.iter().any(|known| known == host) => {
                    return Err(format!("`{host}` is named twice"));
                }
                None => hosts.of_suite.push(agent(host)?),
            }
        }
        if role.is_some() && !hosts.of_suite.is_empty() {
            return Err(format!(
                "`{text}`: either all machines have a role or none has: load=HOST,…, service=HOST, server=HOST"
            ));
        }
        match &hosts.server {
            Some(server) => hosts.refuse_listening(server).map(|()| hosts.clone()),
            None => Ok(hosts),
        }
    }
}

impl Hosts {
    /// Gives machines without roles those of a suite.
    fn with_roles(mut self, machines: Machines) -> Result<Self, Failure> {
        let mut named = std::mem::take(&mut self.of_suite);
        if named.is_empty() {
            return Ok(self);
        }
        let roles = "say what each is for: `--hosts load=HOST,…,service=HOST`";
        if machines.count() == 0 {
            let text = format!(
                "what is measured takes no other machines, and {} has no role",
                named.join(", ")
            );
            return Err(Failure::usage(text).hint(roles));
        }
        if named.len() != machines.count() {
            let takes = taken(machines);
            let text = format!("the suite takes {takes}, and --hosts names {}", named.len());
            return Err(Failure::usage(text).hint(format!("name {}, or {roles}", machines.count())));
        }
        if machines.service {
            let last = named.pop().unwrap_or_default();
            self.service = Some(reached(&last).map_err(Failure::usage)?);
        }
        self.load = named;
        Ok(self)
    }

    /// Their key would have to be on the other machine.
    fn refuse_listening(&self, server: &str) -> Result<(), String> {
        match self.load.iter().find(|host| listens(host)) {
            Some(host) => Err(format!(
                "`{host}`: with server={server} agents are started from there by ssh, so name its host without a port"
            )),
            None => Ok(()),
        }
    }
}

/// What a suite takes, in words.
fn taken(machines: Machines) -> String {
    let load = (machines.load > 0)
        .then(|| format!("{} for the load", words::counted(machines.load.into(), "machine")));
    let service = machines.service.then(|| "one for services".to_owned());
    let both: Vec<String> = load.into_iter().chain(service).collect();
    both.join(" and ")
}

/// A role that one machine has.
fn set(into: &mut Option<String>, role: &str, host: &str) -> Result<(), String> {
    if let Some(first) = into {
        return Err(format!("{role}={first} and `{host}`: one machine has that role"));
    }
    *into = Some(reached(host)?);
    Ok(())
}

fn agent(host: &str) -> Result<String, String> {
    if listens(host) {
        return Ok(host.to_owned());
    }
    reached(host)
        .map_err(|error| format!("{error}, or HOST:PORT where an agent listens, as in load=n2:7400,n3:7400"))
}

/// A machine that ssh reaches.
fn reached(host: &str) -> Result<String, String> {
    // Other programs' ports are no part of a name.
    let has_port = host.contains(':') && host.parse::<IpAddr>().is_err();
    match tare_cluster::is_host(host) && !has_port {
        true => Ok(host.to_owned()),
        false => Err(format!(
            "`{host}` is not a host's name: expected one that ssh reaches"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_are_named_by_their_roles() {
        let hosts = |text: &str| text.parse::<Hosts>();
        let load = |text: &str| hosts(text).map(|hosts| hosts.load);
        assert_eq!(
            load("load=n2:7400,n3:7401"),
            Ok(vec!["n2:7400".to_owned(), "n3:7401".to_owned()])
        );
        assert_eq!(load("load=n2:1,load=[::1]:2").map(|hosts| hosts.len()), Ok(2));
        assert_eq!(
            hosts("server=n1,load=n2,me@n3,service=n4"),
            Ok(Hosts {
                server: Some("n1".to_owned()),
                load: vec!["n2".to_owned(), "me@n3".to_owned()],
                service: Some("n4".to_owned()),
                of_suite: Vec::new(),
            })
        );
        for (bad, why) in [
            ("n2:7400,load=n3", "either all machines have a role"),
            ("n2,n3,n2", "named twice"),
            ("client=n1:7400", "`client` is no role"),
            ("load=n2:7400,", "HOST:PORT"),
            ("load=:7400x", "HOST:PORT"),
            ("load=-oProxyCommand=x", "not a host's name"),
            ("server=n1,n2", "one machine has that role"),
            ("load=n2,n3,load=n2", "`n2` is named twice"),
            ("service=n1;reboot", "not a host's name"),
            ("server=n1:7400", "not a host's name"),
            ("server=n1,load=n2:7400", "without a port"),
            ("", "not a host's name"),
        ] {
            let error = hosts(bad).unwrap_err();
            assert!(error.contains(why), "{bad}: {error}");
        }
    }

    #[test]
    fn machines_without_roles_get_those_of_the_suite() {
        let given = |text: &str, load, service| {
            let hosts: Hosts = text.parse().unwrap();
            let given = hosts.with_roles(Machines { load, service });
            given
                .map(|hosts| (hosts.load.join(" "), hosts.service))
                .map_err(|failure| failure.to_string())
        };
        let n4 = Some("n4".to_owned());
        assert_eq!(
            given("n2,n3:7400,n4", 2, true),
            Ok(("n2 n3:7400".to_owned(), n4.clone()))
        );
        assert_eq!(given("n2", 1, false), Ok(("n2".to_owned(), None)));
        assert_eq!(given("n4", 0, true), Ok((String::new(), n4.clone())));
        // Roles that were typed hold.
        assert_eq!(given("load=n2,service=n4", 10, false), Ok(("n2".to_owned(), n4)));
        for (text, load, service, why) in [
            (
                "n2,n3",
                3,
                true,
                "3 machines for the load and one for services, and --hosts names 2",
            ),
            ("n2,n3", 1, false, "1 machine for the load, and --hosts names 2"),
            ("n2", 0, false, "takes no other machines"),
            ("n2,n3:7400", 1, true, "not a host's name"),
        ] {
            let error = given(text, load, service).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn a_server_elsewhere_gets_the_other_roles() {
        let server = |text: &str| {
            let options = HostOptions {
                hosts: Some(text.parse().unwrap()),
                address: None,
                key_file: None,
            };
            options.server().map(|(host, others)| (host.to_owned(), others))
        };
        assert_eq!(server("load=n2"), None);
        assert_eq!(server("server=n1"), Some(("n1".to_owned(), None)));
        assert_eq!(
            server("load=n2,n3,server=n1,service=n4"),
            Some(("n1".to_owned(), Some("--hosts=load=n2,n3,service=n4".to_owned())))
        );
    }

    #[test]
    fn agents_listen_at_ports() {
        for there in ["n2:7400", "[::1]:7400", "10.0.0.1:1"] {
            assert!(listens(there), "{there}");
        }
        for host in ["n2", "me@n2", "::1", "10.0.0.1"] {
            assert!(!listens(host), "{host}");
        }
    }
}
