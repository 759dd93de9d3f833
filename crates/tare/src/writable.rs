//! Whether files can be written that a command will write at its end: found out before it measures.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;

use crate::failure::Failure;

/// Refuses files that cannot be written. `-` is standard output. What is neither a file nor a folder (a pipe) is left alone:
/// opening it would be taken for its end.
pub fn refuse_unwritable<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Result<(), Failure> {
    for path in paths {
        if path != Path::new("-")
            && let Err(error) = try_out(path)
        {
            return Err(
                Failure::outside(format!("cannot write {}: {error}", path.display()))
                    .hint("nothing was measured; name a file in a folder that can be written"),
            );
        }
    }
    Ok(())
}

fn try_out(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(data) if data.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(data) if data.is_file() => OpenOptions::new().append(true).open(path).map(drop),
        Ok(_) => Ok(()),
        Err(_) => {
            if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                fs::create_dir_all(folder)?;
            }
            OpenOptions::new().append(true).create_new(true).open(path)?;
            fs::remove_file(path)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_cannot_be_written_is_refused_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let refused = |path: &Path| refuse_unwritable([path]).is_err();
        fs::write(path("file"), "as it was").unwrap();
        assert!(!refused(&path("file")) && !refused(&path("new")) && !refused(&path("deep/new")));
        assert!(!path("new").exists() && !path("deep/new").exists());
        assert_eq!(fs::read_to_string(path("file")).unwrap(), "as it was");
        assert!(refused(folder.path()) && refused(&path("file/below")));
        assert!(!refused(Path::new("-")) && !refused(Path::new("/dev/null")));
    }
}
