//! The key that a conductor and its agents have in common.

use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The fewest characters of a key: as many as hold 96 random bits in hexadecimal digits, and more in other texts.
const SHORTEST: usize = 24;

/// The most bytes of a file that holds one.
const LONGEST: u64 = 4096;

/// A key. It is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(Vec<u8>);

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The file cannot be read.
    #[error("the key file {path} cannot be read: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Others may read or change the file.
    #[error("the key file {path} is open to others (mode {mode:o})")]
    Open {
        /// The file.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// It is too easy to guess.
    #[error("the key has {0} characters, and needs {SHORTEST} or more")]
    Short(usize),
    /// It is no key's file.
    #[error("the key file {0} has more than {LONGEST} bytes")]
    Long(PathBuf),
}

impl KeyError {
    /// What helps.
    pub fn hint(&self) -> String {
        const MAKE: &str = "(umask 077; head -c 32 /dev/urandom | base64 > KEYFILE)";
        match self {
            Self::Unreadable { .. } | Self::Long(_) => {
                format!("make one with `{MAKE}`, and copy it to every machine")
            }
            Self::Open { path, .. } => format!(
                "`chmod 600 {}`; if others of this machine are not to know it, make another",
                path.display()
            ),
            Self::Short(_) => format!("one that nobody guesses: `{MAKE}`"),
        }
    }
}

impl Key {
    /// The key in a file that only its owner may read. Space around it does not count.
    ///
    /// # Errors
    /// The file cannot be read, others can read it, or it holds no key.
    pub fn read(path: &Path) -> Result<Self, KeyError> {
        let failed = |source| KeyError::Unreadable {
            path: path.to_owned(),
            source,
        };
        let file = fs::File::open(path).map_err(failed)?;
        let about = file.metadata().map_err(failed)?;
        let mode = about.mode() & 0o777;
        // A pipe (`<(pass show tare)`) is nobody else's.
        if about.is_file() && mode & 0o077 != 0 {
            return Err(KeyError::Open {
                path: path.to_owned(),
                mode,
            });
        }
        let mut bytes = Vec::new();
        file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > LONGEST {
            return Err(KeyError::Long(path.to_owned()));
        }
        Self::new(&bytes)
    }

    /// A key of these bytes. Space around it does not count.
    ///
    /// # Errors
    /// It is too short.
    pub fn new(bytes: &[u8]) -> Result<Self, KeyError> {
        let bytes = bytes.trim_ascii();
        if bytes.len() < SHORTEST {
            return Err(KeyError::Short(bytes.len()));
        }
        Ok(Self(bytes.to_vec()))
    }

    /// A key that nobody knows yet.
    ///
    /// # Errors
    /// The system gives out no random numbers.
    pub fn fresh() -> io::Result<Self> {
        let mut random = [0_u8; 32];
        getrandom::fill(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
        let digits: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self(digits.into_bytes()))
    }

    /// Writes it as a line, for a process that is to have it, too.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn hand_over(&self, into: &mut impl io::Write) -> io::Result<()> {
        into.write_all(&self.0)?;
        into.write_all(b"\n")?;
        into.flush()
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    const TEXT: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn a_key_is_read_from_a_file_of_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        let written = |text: &str, mode: u32| {
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            Key::read(&path)
        };
        assert_eq!(
            written(&format!(" {TEXT}\n"), 0o600).unwrap(),
            Key::new(TEXT.as_bytes()).unwrap()
        );
        for mode in [0o640, 0o604, 0o620] {
            let error = written(TEXT, mode).unwrap_err();
            assert!(error.hint().contains("chmod 600"), "{error}");
        }
        assert!(matches!(written("short\n", 0o600), Err(KeyError::Short(5))));
        assert!(matches!(
            written(&"x".repeat(4097), 0o600),
            Err(KeyError::Long(_))
        ));
        let error = Key::read(&folder.path().join("none")).unwrap_err();
        assert!(
            error.to_string().contains("cannot be read") && error.hint().contains("umask 077"),
            "{error}"
        );
    }

    #[test]
    fn a_fresh_key_is_handed_over() {
        let key = Key::fresh().unwrap();
        let mut line = Vec::new();
        key.hand_over(&mut line).unwrap();
        assert_eq!(Key::new(&line).unwrap(), key);
        assert_ne!(Key::fresh().unwrap(), key);
    }

    #[test]
    fn a_key_is_never_shown() {
        let key = Key::new(TEXT.as_bytes()).unwrap();
        assert!(!format!("{key:?}").contains("0123"));
    }
}
