//! The folder of hostile messages: `FORMAT/NAME.hex`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::reference::BadFile;

/// The largest file: a message travels through a pipe as a line of two characters per byte.
const MOST_BYTES: u64 = 16 << 20;

const HINT: &str = "the job's `interop` names a folder that holds FORMAT/NAME.hex: a message in hex, on as many lines as \
                    it takes, and lines behind `#` that say what it is (docs/probe.md)";

/// A hostile message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// Its name in manifests: `FORMAT/NAME`.
    pub name: String,
    /// Its file, below the workload's folder.
    pub file: String,
    /// Its description in the file; its name if there is none.
    pub says: String,
    /// The message, in hex.
    pub hex: String,
}

/// The hostile messages of a case, by format.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Offers {
    by_format: BTreeMap<String, Vec<Offer>>,
}

impl Offers {
    /// Reads all messages of a folder, given relative to the workload's.
    ///
    /// # Errors
    /// A folder that is missing or empty, a file that is not a message, a line that is not hex.
    pub fn read(workload: &Path, folder: &str) -> Result<Self, BadFile> {
        let mut by_format = BTreeMap::new();
        for (format, path) in entries(&workload.join(folder))? {
            let mut offers = Vec::new();
            for (file, path) in entries(&path)? {
                let name = file.strip_suffix(".hex");
                let name = name.ok_or_else(|| bad(&path, "its name does not end in `.hex`"))?;
                let (says, hex) = parse(&text(&path)?).map_err(|(line, what)| {
                    let place = PathBuf::from(format!("{}:{line}", path.display()));
                    bad(&place, what)
                })?;
                offers.push(Offer {
                    name: format!("{format}/{name}"),
                    file: format!("{folder}/{format}/{file}"),
                    says: says.unwrap_or_else(|| name.replace('-', " ")),
                    hex,
                });
            }
            by_format.insert(format, offers);
        }
        if by_format.is_empty() {
            return Err(bad(&workload.join(folder), "there is no message in it"));
        }
        Ok(Self { by_format })
    }

    /// Whether there is one of this name, `FORMAT/NAME`.
    pub fn has(&self, name: &str) -> bool {
        self.by_format.values().flatten().any(|offer| offer.name == name)
    }

    /// The messages of a format, possibly none.
    pub fn of(&self, format: &str) -> &[Offer] {
        self.by_format.get(format).map_or(&[], Vec::as_slice)
    }
}

fn bad(path: &Path, what: impl ToString) -> BadFile {
    BadFile {
        file: path.display().to_string(),
        what: what.to_string(),
        hint: HINT,
    }
}

/// The entries of a folder, by name.
fn entries(folder: &Path) -> Result<BTreeMap<String, PathBuf>, BadFile> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(|error| bad(folder, error))? {
        let entry = entry.map_err(|error| bad(folder, error))?;
        found.insert(entry.file_name().to_string_lossy().into_owned(), entry.path());
    }
    Ok(found)
}

fn text(path: &Path) -> Result<String, BadFile> {
    let size = fs::metadata(path).map_err(|error| bad(path, error))?.len();
    if size > MOST_BYTES {
        return Err(bad(path, format!("{size} bytes are more than {MOST_BYTES}")));
    }
    fs::read_to_string(path).map_err(|error| bad(path, error))
}

/// A file's description of its message, and the message; or the line that is not valid, and why.
fn parse(text: &str) -> Result<(Option<String>, String), (usize, &'static str)> {
    let (mut says, mut hex) = (Vec::new(), String::new());
    for (index, line) in text.lines().enumerate() {
        if let Some(comment) = line.trim_start().strip_prefix('#') {
            says.push(comment.trim());
            continue;
        }
        hex.extend(line.split_ascii_whitespace());
        if !hex.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err((index + 1, "there is something else than hexadecimal digits"));
        }
        if !hex.len().is_multiple_of(2) {
            return Err((index + 1, "half a byte is left"));
        }
    }
    says.retain(|line| !line.is_empty());
    Ok(((!says.is_empty()).then(|| says.join(" ")), hex))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (file, text) in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    #[test]
    fn messages_are_read_by_format_and_say_what_they_are() {
        let cyclic = "# points\n  # at itself\n00 01\n\n0A\n#\nff\n";
        let folder = folder(&[
            ("bad/x/cyclic.hex", cyclic),
            ("bad/x/an-empty.hex", "\n"),
            ("bad/y/z.hex", "00"),
        ]);
        let offers = Offers::read(folder.path(), "bad").unwrap();
        let of = |name: &str, says: &str, hex: &str| Offer {
            name: name.to_owned(),
            file: format!("bad/{name}.hex"),
            says: says.to_owned(),
            hex: hex.to_owned(),
        };
        assert_eq!(
            offers.of("x"),
            [
                of("x/an-empty", "an empty", ""),
                of("x/cyclic", "points at itself", "00010Aff")
            ]
        );
        assert!(offers.has("y/z") && !offers.has("x/z") && !offers.has("y/z.hex"));
        assert_eq!(offers.of("z"), []);
    }

    /// An accepted message is whole bytes in hex from lines that are not comments; an error names a line of the file.
    #[test]
    fn fuzz_files_of_messages() {
        let words = [
            "#", "# ", "\n", "\r\n", " ", "\t", "0", "fF", "0x00", "\u{e9}", "\u{0}", "\u{2028}",
        ];
        crate::drivers::probe::ask::fuzz::harness::fuzz("offer", &words, |bytes| {
            // A file that is not UTF-8 is refused before it is parsed.
            let Ok(text) = std::str::from_utf8(bytes) else {
                return;
            };
            let lines: Vec<&str> = text.lines().collect();
            let is_comment = |line: &str| line.trim_start().starts_with('#');
            match parse(text) {
                Ok((says, hex)) => {
                    assert!(hex.len().is_multiple_of(2) && hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
                    let digits = lines.iter().filter(|line| !is_comment(line));
                    let digits = digits.flat_map(|line| line.split_ascii_whitespace());
                    assert_eq!(hex.len(), digits.map(str::len).sum::<usize>());
                    let said = lines.iter().any(|line| is_comment(line));
                    assert!(says.is_none_or(|says| !says.is_empty() && said));
                }
                Err((line, what)) => {
                    assert!(
                        (1..=lines.len()).contains(&line) && !what.is_empty(),
                        "{line}: {what}"
                    );
                    assert!(!is_comment(lines[line - 1]));
                }
            }
        });
    }

    #[test]
    fn what_is_no_message_is_refused_with_its_place() {
        let refused = |files: &[(&str, &str)]| {
            let folder = folder(files);
            let error = Offers::read(folder.path(), "bad").unwrap_err();
            assert!(
                error.to_string().contains("\n\nhint: the job's `interop` names"),
                "{error}"
            );
            let file = error.file.strip_prefix(&folder.path().display().to_string());
            format!("{}: {}", file.unwrap_or(&error.file), error.what)
        };
        assert_eq!(
            refused(&[("bad/x/a.hex", "00\n0g\n")]),
            "/bad/x/a.hex:2: there is something else than hexadecimal digits"
        );
        assert_eq!(
            refused(&[("bad/x/a.hex", "# é\n000\n00\n")]),
            "/bad/x/a.hex:2: half a byte is left"
        );
        assert_eq!(
            refused(&[("bad/x/a.txt", "00")]),
            "/bad/x/a.txt: its name does not end in `.hex`"
        );
        assert!(refused(&[]).starts_with("/bad: No such file"));
        assert!(refused(&[("bad/a.hex", "00")]).starts_with("/bad/a.hex: Not a directory"));
        let empty = folder(&[("bad/x/a.hex", "")]);
        fs::remove_dir_all(empty.path().join("bad/x")).unwrap();
        assert_eq!(
            Offers::read(empty.path(), "bad").unwrap_err().what,
            "there is no message in it"
        );
    }
}
