//! Nodes of a Slurm cluster.
//!
//! Each command is a job of its own on one node, which it has for itself. The folders of nodes are here, on a file system that
//! all of them see. A job that Slurm would run again by itself is asked not to be (`--no-requeue`), since only what a command
//! left says what is still to be done.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::engine::{Engine, Files, KIND, Running, archive, fed, said, tail, unpack};
use crate::error::ClusterError;
use crate::words::{line, quoted};

/// How long a job may wait for a node that is down. A node that comes back does so sooner.
const PATIENCE: Duration = Duration::from_secs(180);

/// Nodes of a Slurm cluster.
pub struct Slurm {
    /// The partition; none: the one that Slurm takes by itself.
    partition: Option<String>,
    /// The folder with one for each node.
    here: PathBuf,
}

impl Slurm {
    /// `here`: a folder on a file system that all nodes see.
    pub fn new(partition: Option<String>, here: PathBuf) -> Self {
        Self { partition, here }
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        if let Some(partition) = &self.partition {
            command.args(["--partition", partition]);
        }
        command
    }

    fn folder(&self, node: &str) -> PathBuf {
        self.here.join(node)
    }
}

impl Engine for Slurm {
    fn nodes(&self, most: Option<usize>) -> Result<Vec<String>, ClusterError> {
        let mut sinfo = self.command("sinfo");
        sinfo.args([
            "--noheader",
            "--Node",
            "--responding",
            "--states=idle,mixed,allocated",
            "--format=%n",
        ]);
        let listed = said("Slurm", "listing nodes", &mut sinfo)?;
        let mut nodes: Vec<String> = Vec::new();
        for name in String::from_utf8_lossy(&listed).split_whitespace() {
            if !nodes.iter().any(|node| node == name) {
                nodes.push(name.to_owned());
            }
        }
        nodes.truncate(most.unwrap_or(nodes.len()));
        let of = self
            .partition
            .as_ref()
            .map_or(String::new(), |name| format!(" of {name}"));
        match (nodes.len(), most) {
            (0, _) => Err(ClusterError::Nodes(format!("Slurm has no node{of} that answers"))),
            (there, Some(most)) if there < most => Err(ClusterError::Nodes(format!(
                "Slurm has {there} nodes{of} that answer, and {most} are asked for"
            ))),
            _ => Ok(nodes),
        }
    }

    fn kind(&self, node: &str) -> Result<String, ClusterError> {
        let mut srun = self.command("srun");
        srun.args([
            "--nodes=1",
            "--ntasks=1",
            "--nodelist",
            node,
            "--quiet",
            "sh",
            "-c",
            KIND,
        ]);
        let said = said(node, "asking for its processor", &mut srun)?;
        Ok(String::from_utf8_lossy(&said).trim().to_owned())
    }

    fn place(&self, node: &str, files: &Files) -> Result<(), ClusterError> {
        std::fs::create_dir_all(&self.here).map_err(|error| ClusterError::File {
            path: self.here.clone(),
            error,
        })?;
        let path = self.here.join("lab.tar");
        archive(files, &path)?;
        let mut sh = Command::new("sh");
        let folder = self.folder(node).display().to_string();
        sh.args(["-c", &unpack(&quoted(&folder))]);
        fed(node, "copying the lab", &mut sh, &path).map(drop)
    }

    fn begin(&self, node: &str, words: &[String]) -> Result<Box<dyn Running>, ClusterError> {
        let log = self.here.join(format!("{node}.log"));
        let mut sbatch = self.command("sbatch");
        sbatch.args([
            "--parsable",
            "--no-requeue",
            "--exclusive",
            "--nodes=1",
            "--ntasks=1",
            "--nodelist",
            node,
        ]);
        sbatch.arg("--job-name=tare").arg("--open-mode=truncate");
        sbatch
            .arg("--chdir")
            .arg(self.folder(node))
            .arg("--output")
            .arg(&log);
        sbatch.arg("--wrap").arg(format!("exec {}", line(words)));
        let printed = said(node, "submitting a job", &mut sbatch)?;
        let printed = String::from_utf8_lossy(&printed).trim().to_owned();
        // With several clusters their name follows.
        let id = printed.split(';').next().unwrap_or_default().to_owned();
        Ok(Box::new(Job { id, log, down: None }))
    }

    fn fetch(&self, node: &str, named: &str, into: &Path) -> Result<(), ClusterError> {
        let folder = self.folder(node);
        let mut sh = Command::new("sh");
        let script = format!(
            "cp {}/{}* {}",
            quoted(&folder.display().to_string()),
            quoted(named),
            quoted(&into.display().to_string())
        );
        said(node, "fetching its results", sh.args(["-c", &script])).map(drop)
    }
}

/// A job that was submitted.
struct Job {
    id: String,
    log: PathBuf,
    /// Since when its node is down.
    down: Option<Instant>,
}

impl Job {
    /// Whether its node has been down for too long.
    fn waits_in_vain(&mut self, reason: &str) -> bool {
        let down = reason.contains("NotAvail") || reason.contains("DOWN");
        self.down = if down {
            self.down.or_else(|| Some(Instant::now()))
        } else {
            None
        };
        self.down.is_some_and(|since| since.elapsed() > PATIENCE)
    }
}

impl Running for Job {
    fn ended(&mut self) -> Result<Option<String>, ClusterError> {
        let mut squeue = Command::new("squeue");
        squeue.args(["--noheader", "--format=%T %r", "--states=all", "--jobs", &self.id]);
        let asked = said("Slurm", "asking for a job", &mut squeue);
        let state = match &asked {
            Ok(printed) => String::from_utf8_lossy(printed).trim().to_owned(),
            // A job that is over is forgotten after some minutes.
            Err(ClusterError::Step { said, .. }) if said.contains("Invalid job id") => String::new(),
            Err(_) => return asked.map(|_| None),
        };
        let (state, reason) = state.split_once(' ').unwrap_or((&state, ""));
        match state {
            "PENDING" if self.waits_in_vain(reason) => {
                let _ = Command::new("scancel").arg(&self.id).output();
                Ok(Some("its node is down".to_owned()))
            }
            "PENDING" | "RUNNING" | "COMPLETING" | "CONFIGURING" | "SUSPENDED" | "STAGE_OUT"
            | "SIGNALING" => Ok(None),
            "COMPLETED" | "" => Ok(Some("it ended".to_owned())),
            other => Ok(Some(format!("Slurm says {other}: {}", tail(&self.log)))),
        }
    }

    fn stop(&mut self) {
        // An interrupt first: tare keeps what it has. What does not end is Slurm's to kill.
        let mut scancel = Command::new("scancel");
        let _ = scancel.args(["--signal=INT", "--full", &self.id]).output();
    }
}
