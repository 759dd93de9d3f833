//! Which engine and which nodes a person named.

use std::path::PathBuf;
use std::str::FromStr;

use crate::error::ClusterError;

/// Which engine and which nodes a person named: `ssh:n1,n2`, `ssh:FILE`, `slurm`, `slurm:PARTITION`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Machines that ssh reaches.
    Ssh(Vec<String>),
    /// A file with one such machine a line.
    SshFile(PathBuf),
    /// The nodes of a partition; none: of the one that Slurm takes by itself.
    Slurm(Option<String>),
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            Some(("ssh", rest)) if rest.contains('/') => Ok(Self::SshFile(rest.into())),
            Some(("ssh", rest)) => hosts(rest.split(',')).map(Self::Ssh),
            Some(("slurm", partition)) if is_name(partition) => Ok(Self::Slurm(Some(partition.to_owned()))),
            None if text == "slurm" => Ok(Self::Slurm(None)),
            _ => Err(format!(
                "`{text}` is no cluster: expected ssh:HOST,HOST, ssh:./FILE with a host a line, slurm, or slurm:PARTITION"
            )),
        }
    }
}

impl Target {
    /// The hosts of a target by ssh.
    ///
    /// # Errors
    /// The file cannot be read, or names no host.
    pub fn hosts(&self) -> Result<Vec<String>, ClusterError> {
        match self {
            Self::Ssh(hosts) => Ok(hosts.clone()),
            Self::Slurm(_) => Ok(Vec::new()),
            Self::SshFile(path) => {
                let text = std::fs::read_to_string(path).map_err(|error| ClusterError::File {
                    path: path.clone(),
                    error,
                })?;
                let lines = text
                    .lines()
                    .map(|line| line.split('#').next().unwrap_or("").trim());
                let failed = |why: String| ClusterError::Nodes(format!("{}: {why}", path.display()));
                hosts(lines.filter(|line| !line.is_empty())).map_err(failed)
            }
        }
    }
}

fn hosts<'a>(names: impl Iterator<Item = &'a str>) -> Result<Vec<String>, String> {
    let mut hosts: Vec<String> = Vec::new();
    for name in names {
        let name = name.trim();
        if !is_name(name) {
            return Err(format!("`{name}` is not a host's name"));
        }
        if hosts.iter().any(|host| host == name) {
            return Err(format!("`{name}` is named twice"));
        }
        hosts.push(name.to_owned());
    }
    if hosts.is_empty() {
        Err("no host is named".to_owned())
    } else {
        Ok(hosts)
    }
}

/// Whether a text may stand as a host's name: as a word of its own, and never as an option.
pub fn is_host(name: &str) -> bool {
    is_name(name)
}

/// What may stand as a word of its own, and never is an option.
fn is_name(name: &str) -> bool {
    let of_a_name = |c: char| c.is_ascii_alphanumeric() || "-_.@:[]".contains(c);
    !name.is_empty() && !name.starts_with('-') && name.chars().all(of_a_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_are_named() {
        let hosts = |text: &str| {
            text.parse::<Target>()
                .and_then(|target| target.hosts().map_err(|error| error.to_string()))
        };
        assert_eq!(
            hosts("ssh:n1,me@n2"),
            Ok(vec!["n1".to_owned(), "me@n2".to_owned()])
        );
        assert_eq!("slurm".parse(), Ok(Target::Slurm(None)));
        assert_eq!("slurm:lab".parse(), Ok(Target::Slurm(Some("lab".to_owned()))));
        assert_eq!("ssh:./hosts".parse(), Ok(Target::SshFile("./hosts".into())));
        for (bad, why) in [
            ("n1,n2", "is no cluster"),
            ("k8s:prod", "is no cluster"),
            ("slurm:", "is no cluster"),
            ("slurm:-x", "is no cluster"),
            ("ssh:", "not a host's name"),
            ("ssh:n1,", "not a host's name"),
            ("ssh:-oProxyCommand=x", "not a host's name"),
            ("ssh:n1;reboot", "not a host's name"),
            ("ssh:n1,n1", "twice"),
        ] {
            let error = hosts(bad).unwrap_err();
            assert!(error.contains(why), "{bad}: {error}");
        }
    }

    #[test]
    fn a_file_has_a_host_a_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hosts");
        std::fs::write(&path, "# the rack\nn1\n\n n2 # slow\n").unwrap();
        let hosts = Target::SshFile(path.clone()).hosts().unwrap();
        assert_eq!(hosts, ["n1", "n2"]);
        std::fs::write(&path, "# none\n").unwrap();
        let error = Target::SshFile(path).hosts().unwrap_err().to_string();
        assert!(error.ends_with("no host is named"), "{error}");
    }
}
