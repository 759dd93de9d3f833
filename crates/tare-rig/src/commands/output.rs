//! The output of commands: where it goes, and whether it is the same.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use tare_host::command::CommandSpec;
use tare_model::fault::{Fault, FaultKind};

use super::{Output, Recipe};

/// Bytes compared at once.
const PIECE: usize = 64 * 1024;
/// Characters shown of a line that differs.
const SHOWN: usize = 80;

/// The files of outputs.
#[derive(Debug)]
pub(super) struct Outputs {
    folder: PathBuf,
    /// By size, the command whose output the others are compared with.
    first: Vec<(usize, String)>,
}

impl Outputs {
    pub(super) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            first: Vec::new(),
        }
    }

    /// The file for the errors of the latest command, and for its output if it is not timed.
    pub(super) fn log(&self) -> PathBuf {
        self.folder.join("errors")
    }

    /// The size of the log in bytes.
    pub(super) fn logged_bytes(&self) -> u64 {
        fs::metadata(self.log()).map_or(0, |data| data.len())
    }

    /// A command that is not timed, with all its output in the log.
    pub(super) fn logged(&self, spec: &CommandSpec) -> CommandSpec {
        CommandSpec {
            output: Some(self.log()),
            errors: Some(self.log()),
            ..spec.clone()
        }
    }

    /// The file for the output of the latest command that is timed, where it is kept.
    pub(super) fn latest(&self) -> PathBuf {
        self.folder.join("output")
    }

    fn reference(&self, size: usize) -> PathBuf {
        self.folder.join(format!("output-{size}"))
    }

    /// The recipe's command, with its errors in the log and its output where the recipe says.
    pub(super) fn directed(&self, recipe: &Recipe) -> CommandSpec {
        CommandSpec {
            output: match recipe.output {
                Output::Unread => None,
                Output::Kept { .. } => Some(self.latest()),
                Output::Heard => Some(self.log()),
            },
            errors: Some(self.log()),
            ..recipe.run.clone()
        }
    }

    /// Compares the latest output with that of the first run at this size.
    pub(super) fn judge(&mut self, text: &str, size: usize) -> Result<(), Fault> {
        let (latest, reference) = (self.latest(), self.reference(size));
        let failed = |error: io::Error| {
            let text = format!(
                "could not compare the outputs in {}: {error}",
                self.folder.display()
            );
            Fault::new(FaultKind::Instrument, text)
        };
        let Some((_, whose)) = self.first.iter().find(|(known, _)| *known == size) else {
            // Copied, not moved: the command opens the same file again.
            fs::copy(&latest, &reference).map_err(failed)?;
            self.first.push((size, text.to_owned()));
            return Ok(());
        };
        if same(&reference, &latest).map_err(failed)? {
            return Ok(());
        }
        let difference = difference(&reference, &latest).map_err(failed)?;
        let detail = format!(
            "the output of `{text}` is not that of the first run of `{whose}` (--same-output):\n{difference}\n\n\
             hint: commands that do not do the same cannot be compared; without --same-output outputs are not checked"
        );
        Err(Fault::new(FaultKind::Wrong, detail))
    }
}

/// Whether two files hold the same bytes.
fn same(one: &Path, other: &Path) -> io::Result<bool> {
    if fs::metadata(one)?.len() != fs::metadata(other)?.len() {
        return Ok(false);
    }
    let mut files = [
        BufReader::new(File::open(one)?),
        BufReader::new(File::open(other)?),
    ];
    let mut pieces = [vec![0; PIECE], vec![0; PIECE]];
    loop {
        let mut read = [0; 2];
        for ((file, piece), read) in files.iter_mut().zip(&mut pieces).zip(&mut read) {
            *read = fill(file, piece)?;
        }
        if pieces[0][..read[0]] != pieces[1][..read[1]] {
            return Ok(false);
        }
        if read[0] < PIECE {
            return Ok(true);
        }
    }
}

fn fill(file: &mut impl Read, piece: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < piece.len() {
        match file.read(&mut piece[filled..])? {
            0 => break,
            read => filled += read,
        }
    }
    Ok(filled)
}

/// The first line in which two files differ.
fn difference(one: &Path, other: &Path) -> io::Result<String> {
    let (one, other) = (fs::read(one)?, fs::read(other)?);
    let mut lines = [&one, &other].map(|text| text.split(|&b| b == b'\n'));
    for number in 1.. {
        let [left, right] = lines.each_mut().map(Iterator::next);
        if left.is_none() && right.is_none() {
            break;
        }
        if left != right {
            return Ok(format!(
                "  line {number}\n    expected {}\n    found    {}",
                shown(left),
                shown(right)
            ));
        }
    }
    Ok("  they changed while they were compared".to_owned())
}

fn shown(line: Option<&[u8]>) -> String {
    let Some(line) = line else {
        return "nothing: it ends before".to_owned();
    };
    let text: String = String::from_utf8_lossy(line).chars().take(SHOWN).collect();
    format!("{text:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_held_against_the_first_of_their_size() {
        let folder = tempfile::tempdir().unwrap();
        let mut outputs = Outputs::new(folder.path());
        let mut judge = |size: usize, bytes: &[u8]| {
            fs::write(outputs.latest(), bytes).unwrap();
            outputs.judge("cmd", size).map_err(|fault| fault.detail)
        };
        judge(0, b"one\ntwo\n").unwrap();
        judge(0, b"one\ntwo\n").unwrap();
        judge(1, b"else\n").unwrap();
        let detail = judge(0, b"one\nTWO\n").unwrap_err();
        assert!(
            detail.contains("line 2") && detail.contains("\"TWO\""),
            "{detail}"
        );
        let detail = judge(0, b"one\n").unwrap_err();
        assert!(detail.contains("line 2"), "{detail}");
        let long = vec![b'x'; 3 * PIECE];
        judge(2, &long).unwrap();
        judge(2, &long).unwrap();
        let mut other = long.clone();
        other[2 * PIECE + 5] = b'y';
        assert!(judge(2, &other).is_err());
    }
}
