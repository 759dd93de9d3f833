//! Nodes of a Slurm cluster.
//!
//! Each command is a job of its own on one node, which it has for itself. The folders of nodes are here, on a file system that
//! all of them see. A job that Slurm would run again by itself is asked not to be (`--no-requeue`), since only what a command
//! left says what is still to be done.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::engine::{Added, Engine, KIND, Packed, Running, fed, said, tail, unpack};
use crate::error::ClusterError;
use crate::words::{line, quoted};

/// How long a job may wait for a node that is down. A node that comes back does so sooner.
const PATIENCE: Duration = Duration::from_secs(180);

/// How old what Slurm said of the jobs may be.
const FRESH: Duration = Duration::from_millis(400);

/// Nodes of a Slurm cluster.
pub struct Slurm {
    /// The partition; none: the one that Slurm takes by itself.
    partition: Option<String>,
    /// The folder with one for each node.
    here: PathBuf,
    queue: Arc<Mutex<Queue>>,
}

impl Slurm {
    /// `here`: a folder on a file system that all nodes see.
    pub fn new(partition: Option<String>, here: PathBuf) -> Self {
        Self {
            partition,
            here,
            queue: Arc::default(),
        }
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

    fn place(&self, node: &str, files: &Packed) -> Result<(), ClusterError> {
        let mut sh = Command::new("sh");
        let folder = self.folder(node).display().to_string();
        sh.args(["-c", &unpack(&quoted(&folder))]);
        fed(node, "copying the lab", &mut sh, &files.0).map(drop)
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
            .arg("--error")
            .arg(&log);
        // What it prints is in the store, too.
        sbatch.arg("--output=/dev/null");
        sbatch.arg("--wrap").arg(format!("exec {}", line(words)));
        let printed = said(node, "submitting a job", &mut sbatch)?;
        let printed = String::from_utf8_lossy(&printed).trim().to_owned();
        // With several clusters their name follows.
        let id = printed.split(';').next().unwrap_or_default().to_owned();
        locked(&self.queue).add(&id);
        Ok(Box::new(Job {
            id,
            queue: self.queue.clone(),
            log,
            said: Added::default(),
            down: None,
        }))
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

/// What Slurm says of all jobs, asked for at once: a question for each would keep it busy where there are many.
#[derive(Debug, Default)]
struct Queue {
    /// State and reason of each that is not over, as last said.
    said: BTreeMap<String, String>,
    /// When that was.
    at: Option<Instant>,
}

fn locked(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    // What a thread that panicked left is what Slurm said.
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Queue {
    fn add(&mut self, id: &str) {
        self.said.insert(id.to_owned(), "PENDING".to_owned());
        self.at = None;
    }

    /// What is said of a job; nothing of one that is over and forgotten.
    fn of(&mut self, id: &str) -> Result<String, ClusterError> {
        if self.at.is_none_or(|at| at.elapsed() >= FRESH) {
            self.ask()?;
        }
        Ok(self.said.get(id).cloned().unwrap_or_default())
    }

    fn ask(&mut self) -> Result<(), ClusterError> {
        let ids: Vec<&str> = self.said.keys().map(String::as_str).collect();
        let mut squeue = Command::new("squeue");
        squeue.args([
            "--noheader",
            "--format=%i %T %r",
            "--states=all",
            "--jobs",
            &ids.join(","),
        ]);
        let asked = said("Slurm", "asking for jobs", &mut squeue);
        let told = match &asked {
            Ok(printed) => String::from_utf8_lossy(printed).into_owned(),
            // A job that is over is forgotten after some minutes.
            Err(ClusterError::Step { said, .. }) if said.contains("Invalid job id") => String::new(),
            Err(_) => return asked.map(drop),
        };
        self.said = by_id(&told);
        self.at = Some(Instant::now());
        Ok(())
    }
}

/// Lines that begin with a job's id.
fn by_id(told: &str) -> BTreeMap<String, String> {
    let line = |line: &str| {
        let (id, rest) = line.trim().split_once(' ')?;
        Some((id.to_owned(), rest.trim().to_owned()))
    };
    told.lines().filter_map(line).collect()
}

/// A job that was submitted.
struct Job {
    id: String,
    queue: Arc<Mutex<Queue>>,
    log: PathBuf,
    said: Added,
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

    /// How it ended; none as long as it has not.
    fn look(&mut self) -> Result<Option<String>, ClusterError> {
        let state = locked(&self.queue).of(&self.id)?;
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
}

impl Running for Job {
    fn ended(&mut self) -> Result<Option<String>, ClusterError> {
        let ended = self.look()?;
        if ended.is_some() {
            locked(&self.queue).said.remove(&self.id);
        }
        Ok(ended)
    }

    fn heard(&mut self) -> Vec<String> {
        self.said.lines(&self.log)
    }

    fn stop(&mut self) {
        // An interrupt first: tare keeps what it has. What does not end is Slurm's to kill.
        let mut scancel = Command::new("scancel");
        let _ = scancel.args(["--signal=INT", "--full", &self.id]).output();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_told_apart_by_their_ids() {
        let told = by_id("12 RUNNING None\n 13 PENDING ReqNodeNotAvail, UnavailableNodes:n2 \n\n");
        assert_eq!(told["12"], "RUNNING None");
        assert_eq!(told["13"], "PENDING ReqNodeNotAvail, UnavailableNodes:n2");
        assert_eq!(told.len(), 2);
    }
}
