//! Nodes that ssh reaches.
//!
//! A command ends with its connection: it is interrupted when its standard input ends, so that nothing goes on when this machine
//! is cut off. One command at a time runs on a node, whoever asks: a lock there says so.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

use crate::attached::Attached;
use crate::engine::{Added, Engine, KIND, Packed, Running, fed, said, tail, unpack, unstarted};
use crate::error::ClusterError;
use crate::words::{line, quoted};

/// What the lock's status is where somebody else has it.
const TAKEN: i32 = 75;

/// Nodes that ssh reaches.
pub struct Ssh {
    /// The hosts.
    hosts: Vec<String>,
    /// The folder on each node, from the user's own.
    folder: String,
    /// Where files are put meanwhile, and what commands say.
    here: PathBuf,
}

impl Ssh {
    /// `folder`: on each node, from the user's own folder. `here`: for archives and logs.
    pub fn new(hosts: Vec<String>, folder: String, here: PathBuf) -> Self {
        Self { hosts, folder, here }
    }

    /// ssh to a node, where a shell reads `script`.
    fn to(&self, node: &str, script: &str) -> Command {
        let [program, arguments @ ..] = &reaching(node, script)[..] else {
            unreachable!("it begins with the program")
        };
        let mut ssh = Command::new(program);
        ssh.args(arguments).stdin(Stdio::null());
        ssh
    }

    /// The command that runs another one in a node's folder, whose input and output are its own: for one that ends when its
    /// input does.
    pub fn command(&self, node: &str, words: &[String]) -> Vec<String> {
        let script = format!("cd {} && exec {}", quoted(&self.folder), line(words));
        reaching(node, &script)
    }

    /// Starts such a command.
    ///
    /// # Errors
    /// ssh is missing, or its log cannot be written.
    pub fn attach(&self, node: &str, words: &[String]) -> Result<Attached, ClusterError> {
        Attached::start(node, &self.command(node, words), &self.log(node))
    }

    fn log(&self, node: &str) -> PathBuf {
        self.here
            .join(format!("{}.log", node.replace(['/', ':', '@'], "-")))
    }
}

impl Engine for Ssh {
    fn nodes(&self, most: Option<usize>) -> Result<Vec<String>, ClusterError> {
        let most = most.unwrap_or(self.hosts.len());
        Ok(self.hosts.iter().take(most).cloned().collect())
    }

    fn kind(&self, node: &str) -> Result<String, ClusterError> {
        let said = said(node, "asking for its processor", &mut self.to(node, KIND))?;
        Ok(String::from_utf8_lossy(&said).trim().to_owned())
    }

    fn place(&self, node: &str, files: &Packed) -> Result<(), ClusterError> {
        let mut ssh = self.to(node, &unpack(&quoted(&self.folder)));
        fed(node, "copying the lab", &mut ssh, &files.0).map(drop)
    }

    fn begin(&self, node: &str, words: &[String]) -> Result<Box<dyn Running>, ClusterError> {
        let script = attended(&quoted(&self.folder), &line(words));
        let log = self.log(node);
        let said = std::fs::File::create(&log).map_err(|error| ClusterError::File {
            path: log.clone(),
            error,
        })?;
        let mut ssh = self.to(node, &script);
        // What it prints is in the store, too.
        ssh.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(said);
        // Ctrl-C is for the conductor, who has the node end in order, and fetches what it kept then.
        ssh.process_group(0);
        let mut child = ssh.spawn().map_err(|error| unstarted(&ssh, error))?;
        Ok(Box::new(Connection {
            input: child.stdin.take(),
            child,
            log,
            said: Added::default(),
        }))
    }

    fn answers(&self, node: &str) -> bool {
        said(node, "asking whether it answers", &mut self.to(node, "true")).is_ok()
    }

    fn fetch(&self, node: &str, named: &str, into: &Path) -> Result<(), ClusterError> {
        let (folder, name) = named.rsplit_once('/').unwrap_or((".", named));
        let script = format!(
            "cd {} && cd {} && tar -c {}*",
            quoted(&self.folder),
            quoted(folder),
            quoted(name)
        );
        let archive = self.here.join("results.tar");
        let file = |error| ClusterError::File {
            path: archive.clone(),
            error,
        };
        let packed = said(node, "fetching its results", &mut self.to(node, &script))?;
        std::fs::write(&archive, packed).map_err(file)?;
        let mut tar = Command::new("tar");
        tar.arg("--extract").arg("--directory").arg(into);
        fed("here", "unpacking results", &mut tar, &archive).map(drop)
    }
}

/// ssh to a node, where a shell reads `script`, as words.
fn reaching(node: &str, script: &str) -> Vec<String> {
    // Nobody is there to type a password, and one that does not answer is found out.
    let options = [
        "BatchMode=yes",
        "ConnectTimeout=10",
        "ServerAliveInterval=5",
        "ServerAliveCountMax=3",
    ];
    let options = options.iter().flat_map(|option| ["-o", option]);
    let words = ["ssh", "-T"]
        .into_iter()
        .chain(options)
        .chain(["--", node, script]);
    words.map(str::to_owned).collect()
}

/// A script that runs a command in a folder until it ends or standard input does. The process that watches the input looks
/// whether its number is still the command's (by its start) before it interrupts it.
fn attended(folder: &str, command: &str) -> String {
    format!(
        "cd {folder} || exit; exec 3<&0; began() {{ cut -d' ' -f22 /proc/$$/stat; }}; at=$(began); \
         (cat; test \"$(began)\" = \"$at\" && kill -INT $$) <&3 3<&- >/dev/null 2>&1 & \
         exec flock --nonblock --conflict-exit-code {TAKEN} --no-fork \"${{TMPDIR:-/tmp}}/tare-$(id -u).lock\" {command} </dev/null 3<&-"
    )
}

struct Connection {
    child: Child,
    /// Its end is the command's.
    input: Option<ChildStdin>,
    log: PathBuf,
    said: Added,
}

impl Running for Connection {
    fn ended(&mut self) -> Result<Option<String>, ClusterError> {
        let ended = self.child.try_wait().map_err(|error| ClusterError::Program {
            program: "ssh".to_owned(),
            error,
        })?;
        Ok(ended.map(|status| match status.code() {
            Some(0) => "it ended".to_owned(),
            Some(TAKEN) => "something else is measured there".to_owned(),
            Some(255) => format!("the connection was lost: {}", tail(&self.log)),
            _ => format!("{status}: {}", tail(&self.log)),
        }))
    }

    fn heard(&mut self) -> Vec<String> {
        self.said.lines(&self.log)
    }

    fn stop(&mut self) {
        // The node interrupts the command, which keeps what it has, and then the connection ends.
        self.input = None;
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.input = None;
        if let Ok(None) = self.child.try_wait() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn sh(script: &str) -> Child {
        let mut sh = Command::new("sh");
        sh.args(["-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    }

    #[test]
    fn a_command_ends_by_itself() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().display();
        let script = attended(&own.to_string(), "sh -c 'pwd; exit 7'");
        // With a lock of its own.
        let mut child = sh(&format!("TMPDIR={own}; {script}"));
        let input = child.stdin.take();
        let ended = child.wait_with_output().unwrap();
        drop(input);
        assert_eq!(ended.status.code(), Some(7));
        assert_eq!(String::from_utf8(ended.stdout).unwrap().trim(), own.to_string());
    }

    #[test]
    fn a_command_is_interrupted_when_its_input_ends() {
        // A shell cannot trap what is ignored already, as it is where the tests run in the background.
        let script = attended(
            "/",
            "env --default-signal=INT sh -c 'trap \"exit 9\" INT; echo ready; while :; do sleep 0.05; done'",
        );
        let mut child = sh(&script.replace("--nonblock ", "--wait 30 "));
        let mut ready = [0; 6];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut ready).unwrap();
        child.stdin.take().unwrap().flush().unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(9));
    }
}
