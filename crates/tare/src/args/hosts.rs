//! Other machines that take part: `--hosts server=n1,load=n2,n3,service=n4`.

use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use tare_prepare::ServiceHost;

/// Options for other machines.
#[derive(Debug, Clone, Args)]
pub struct HostOptions {
    /// Other machines that take part, by their roles: `load=n2,n3` drive the load (`n2:7400`: a `tare agent` that listens there;
    /// without a port one is started by ssh), `service=n4` holds the services of cases, by ssh, and `server=n1` has contenders, by
    /// ssh; what has no role given stays here
    #[arg(long, value_name = "ROLE=HOST,…")]
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
}

impl HostOptions {
    /// What they ask for.
    pub fn asked(&self) -> tare_prepare::Hosts {
        let hosts = self.hosts.clone().unwrap_or_default();
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
                None => {
                    return Err(format!(
                        "`{text}` says no role: expected load=HOST,…, service=HOST or server=HOST"
                    ));
                }
            }
        }
        match &hosts.server {
            Some(server) => hosts.refuse_listening(server).map(|()| hosts.clone()),
            None => Ok(hosts),
        }
    }
}

impl Hosts {
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
            })
        );
        for (bad, why) in [
            ("n2:7400", "says no role"),
            ("client=n1:7400", "`client` is no role"),
            ("load=n2:7400,", "HOST:PORT"),
            ("load=:7400x", "HOST:PORT"),
            ("load=-oProxyCommand=x", "not a host's name"),
            ("server=n1,n2", "one machine has that role"),
            ("load=n2,n3,load=n2", "`n2` is named twice"),
            ("service=n1;reboot", "not a host's name"),
            ("server=n1:7400", "not a host's name"),
            ("server=n1,load=n2:7400", "without a port"),
            ("", "says no role"),
        ] {
            let error = hosts(bad).unwrap_err();
            assert!(error.contains(why), "{bad}: {error}");
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
