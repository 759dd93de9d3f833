//! What an engine does.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::ClusterError;
use crate::words::last_lines;

/// What a node's folder holds beside what its commands leave there: taken from here, and renewed each time.
#[derive(Debug, Clone)]
pub struct Files {
    /// The folder here that names are of.
    pub from: PathBuf,
    /// Files and folders in it.
    pub names: Vec<String>,
    /// Patterns of what is left out, as tar's `--exclude`.
    pub without: Vec<String>,
    /// A program of this machine that stands in the folder, too, and what it is called there.
    pub program: (PathBuf, String),
}

/// An engine: what starts commands on nodes. Several nodes may be asked at the same time.
pub trait Engine: Sync {
    /// Its nodes, at most so many.
    ///
    /// # Errors
    /// There are none, or they cannot be asked for.
    fn nodes(&self, most: Option<usize>) -> Result<Vec<String>, ClusterError>;

    /// What a node is, in words that are the same for machines of one kind: processor and cores.
    ///
    /// # Errors
    /// The node cannot be reached.
    fn kind(&self, node: &str) -> Result<String, ClusterError>;

    /// Puts files into a node's folder. What commands left there stays.
    ///
    /// # Errors
    /// The node cannot be reached, or its disk is full.
    fn place(&self, node: &str, files: &Packed) -> Result<(), ClusterError>;

    /// Starts a command in a node's folder.
    ///
    /// # Errors
    /// It cannot be started.
    fn begin(&self, node: &str, words: &[String]) -> Result<Box<dyn Running>, ClusterError>;

    /// Whether a node can be asked for what it has kept.
    fn answers(&self, _node: &str) -> bool {
        true
    }

    /// Copies the files of a node's folder whose names begin so (`.tare/results.sqlite`) into a folder here.
    ///
    /// # Errors
    /// The node cannot be reached, or there is no such file.
    fn fetch(&self, node: &str, named: &str, into: &Path) -> Result<(), ClusterError>;
}

/// A command on a node.
pub trait Running {
    /// What is known of its end; none as long as it runs.
    ///
    /// # Errors
    /// The engine cannot be asked.
    fn ended(&mut self) -> Result<Option<String>, ClusterError>;

    /// What it said since this was last asked: whole lines.
    fn heard(&mut self) -> Vec<String>;

    /// Has it end.
    fn stop(&mut self);
}

/// Processor and cores of the machine where this runs.
pub(crate) const KIND: &str =
    "echo \"$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores\"";

/// The command that takes files from standard input into a folder, in whose place nothing half done stands. What is not handed
/// over again is gone; what commands left (`.tare`) stays.
pub(crate) fn unpack(folder: &str) -> String {
    format!(
        "mkdir -p {folder} && cd {folder} && find . -mindepth 1 -maxdepth 1 ! -name .tare -exec rm -rf {{}} + && tar -x"
    )
}

/// Such files in one archive, which all nodes get.
#[derive(Debug)]
pub struct Packed(pub(crate) PathBuf);

impl Files {
    /// Packs them into a new file of a folder here.
    ///
    /// # Errors
    /// tar is missing, a file cannot be read, or the disk is full.
    pub fn packed(&self, into: &Path) -> Result<Packed, ClusterError> {
        let path = into.join("lab.tar");
        archive(self, &path)?;
        Ok(Packed(path))
    }
}

fn archive(files: &Files, into: &Path) -> Result<(), ClusterError> {
    let mut tar = Command::new("tar");
    tar.arg("--create").arg("--file").arg(into);
    tar.args(files.without.iter().map(|pattern| format!("--exclude={pattern}")));
    tar.arg("--directory").arg(&files.from).args(&files.names);
    let (program, name) = &files.program;
    let folder = program.parent().unwrap_or(Path::new("/"));
    tar.arg("--directory").arg(folder);
    tar.arg(format!("--transform=s|^{}$|{name}|", file_name(program)));
    tar.arg(file_name(program));
    said("here", "packing the lab", &mut tar).map(drop)
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// What a command prints.
pub(crate) fn said(node: &str, what: &'static str, command: &mut Command) -> Result<Vec<u8>, ClusterError> {
    let output = command.output().map_err(|error| unstarted(command, error))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(ClusterError::Step {
        node: node.to_owned(),
        what,
        status: output.status.to_string(),
        said: last_lines(&[output.stdout, output.stderr].concat()),
    })
}

/// The same of a command that reads a file.
pub(crate) fn fed(
    node: &str,
    what: &'static str,
    command: &mut Command,
    file: &Path,
) -> Result<Vec<u8>, ClusterError> {
    let input = File::open(file).map_err(|error| ClusterError::File {
        path: file.to_owned(),
        error,
    })?;
    said(node, what, command.stdin(Stdio::from(input)))
}

pub(crate) fn unstarted(command: &Command, error: std::io::Error) -> ClusterError {
    ClusterError::Program {
        program: command.get_program().to_string_lossy().into_owned(),
        error,
    }
}

/// What is added to a file, line by line.
#[derive(Debug, Default)]
pub(crate) struct Added {
    /// Bytes of it that were given out.
    upto: u64,
}

impl Added {
    /// The whole lines that were added since this was last asked.
    pub(crate) fn lines(&mut self, path: &Path) -> Vec<String> {
        let mut text = Vec::new();
        if let Ok(mut file) = File::open(path) {
            let read = file
                .seek(SeekFrom::Start(self.upto))
                .and_then(|_| file.read_to_end(&mut text));
            let _ = read;
        }
        let whole = text
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |end| end + 1);
        self.upto += whole as u64;
        let text = String::from_utf8_lossy(&text[..whole]);
        text.lines().map(|line| last_lines(line.as_bytes())).collect()
    }
}

/// The last of what stands in a file.
pub(crate) fn tail(path: &Path) -> String {
    let mut text = Vec::new();
    if let Ok(mut file) = File::open(path) {
        let _ = file.read_to_end(&mut text);
    }
    last_lines(&text)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn lines_are_told_once_and_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut added = Added::default();
        assert_eq!(added.lines(&path), Vec::<String>::new());
        let mut file = File::create(&path).unwrap();
        write!(file, "one\ntw").unwrap();
        assert_eq!(added.lines(&path), ["one"]);
        write!(file, "o\nthree\n").unwrap();
        assert_eq!(added.lines(&path), ["two", "three"]);
        assert_eq!(added.lines(&path), Vec::<String>::new());
    }
}
