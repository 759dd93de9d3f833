//! Other machines that take part: `--hosts load=n2:7400,n3:7400`.

use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

/// Options for other machines.
#[derive(Debug, Clone, Args)]
pub struct HostOptions {
    /// Other machines that take part, by their roles: `load=n2:7400,n3:7400` has the agents that listen there drive the load
    /// (`tare agent`), and contenders stay here
    #[arg(long, value_name = "load=HOST:PORT,…")]
    pub hosts: Option<Hosts>,
    /// The address of this machine where contenders listen and agents reach them [default: the one that agents are
    /// connected to]
    #[arg(long, value_name = "IP")]
    pub address: Option<IpAddr>,
    /// The file with the key that the agents know [default: the variable TARE_KEY]
    #[arg(long, value_name = "FILE")]
    pub key_file: Option<PathBuf>,
}

/// Machines by their roles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hosts {
    /// Where the agents listen that drive the load.
    pub load: Vec<String>,
}

impl HostOptions {
    /// What they ask for.
    pub fn asked(&self) -> tare_prepare::Hosts {
        tare_prepare::Hosts {
            load: self.hosts.clone().unwrap_or_default().load,
            address: self.address,
        }
    }
}

impl FromStr for Hosts {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut hosts = Self::default();
        let mut has_role = false;
        for part in text.split(',') {
            let host = match part.split_once('=') {
                Some(("load", host)) => host,
                Some((role, _)) => {
                    return Err(format!(
                        "`{role}` is no role of another machine: expected load=HOST:PORT,…; contenders and services stay on this one"
                    ));
                }
                None if has_role => part,
                None => return Err(format!("`{text}` says no role: expected load=HOST:PORT,…")),
            };
            has_role = true;
            let named = host
                .rsplit_once(':')
                .is_some_and(|(name, port)| !name.is_empty() && port.parse::<u16>().is_ok());
            if !named {
                return Err(format!(
                    "`{host}` is not an agent: expected HOST:PORT, as in load=n2:7400,n3:7400"
                ));
            }
            hosts.load.push(host.to_owned());
        }
        Ok(hosts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_are_named_by_their_roles() {
        let load = |text: &str| text.parse::<Hosts>().map(|hosts| hosts.load);
        assert_eq!(
            load("load=n2:7400,n3:7401"),
            Ok(vec!["n2:7400".to_owned(), "n3:7401".to_owned()])
        );
        assert_eq!(load("load=n2:1,load=[::1]:2").map(|hosts| hosts.len()), Ok(2));
        for (bad, why) in [
            ("n2:7400", "says no role"),
            ("server=n1:7400", "`server` is no role"),
            ("load=n2", "HOST:PORT"),
            ("load=n2:7400,", "HOST:PORT"),
            ("load=:7400", "HOST:PORT"),
            ("", "says no role"),
        ] {
            let error = load(bad).unwrap_err();
            assert!(error.contains(why), "{bad}: {error}");
        }
    }
}
