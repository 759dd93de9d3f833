//! Whether a folder has changed: a hash of its contents by names, sizes and times of change. It reads no file, so a folder
//! of 100,000 files takes a second or two. Also: hashes of small folders and of texts by their bytes.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::error::{HostError, Result};
use crate::hex::hex;

/// Folders that change without a change of the files: git's own and tare's.
const ASIDE: [&str; 2] = [".git", ".tare"];

/// The hash (SHA-256, hexadecimal) of some texts, in their order. Each is preceded by its length, so that no two lists are
/// hashed alike.
pub fn of_texts<T: AsRef<[u8]>>(texts: impl IntoIterator<Item = T>) -> String {
    let mut sum = Sha256::new();
    for text in texts {
        feed(&mut sum, text.as_ref());
    }
    hex(&sum.finalize())
}

/// The hash of every file, link and folder under a folder: its path, kind and permissions, and except for folders its size
/// and the time of its last change (of the inode, which no program can set back).
///
/// # Errors
/// [`HostError::Os`] if a folder in it cannot be read.
pub fn of_folder(folder: &Path) -> Result<String> {
    let mut sum = Sha256::new();
    walk(folder, |path, _, data| {
        feed(&mut sum, path.as_os_str().as_encoded_bytes());
        sum.update(data.mode().to_le_bytes());
        if !data.is_dir() {
            sum.update(data.len().to_le_bytes());
            sum.update(data.ctime().to_le_bytes());
            sum.update(data.ctime_nsec().to_le_bytes());
        }
        Ok(())
    })?;
    Ok(hex(&sum.finalize()))
}

/// The hash of a file by its bytes, or of every file under a folder by its path and its bytes, and of every link by its target: independent of when
/// and by whom they were written. It reads every file, so it is for small folders.
///
/// # Errors
/// [`HostError::Os`] if something in it cannot be read.
pub fn of_contents(folder: &Path) -> Result<String> {
    let mut sum = Sha256::new();
    if folder.is_file() {
        feed(
            &mut sum,
            &fs::read(folder).map_err(HostError::on("read", folder))?,
        );
        return Ok(hex(&sum.finalize()));
    }
    walk(folder, |path, full, data| {
        let bytes = match (data.is_symlink(), data.is_file()) {
            (true, _) => {
                let target = fs::read_link(full).map_err(HostError::on("read the link", full))?;
                [b"link ", target.as_os_str().as_encoded_bytes()].concat()
            }
            (false, true) => fs::read(full).map_err(HostError::on("read", full))?,
            // A folder is known by its contents.
            (false, false) => return Ok(()),
        };
        feed(&mut sum, path.as_os_str().as_encoded_bytes());
        feed(&mut sum, &bytes);
        Ok(())
    })?;
    Ok(hex(&sum.finalize()))
}

/// Everything under a folder, always in the same order: its relative path, its whole path, and its metadata.
fn walk(folder: &Path, mut each: impl FnMut(&Path, &Path, &fs::Metadata) -> Result<()>) -> Result<()> {
    let mut open = vec![PathBuf::new()];
    while let Some(inside) = open.pop() {
        for name in names(&folder.join(&inside))? {
            let path = inside.join(name);
            let full = folder.join(&path);
            let data = match fs::symlink_metadata(&full) {
                // It was removed in the meantime.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                data => data.map_err(HostError::on("look at", &full))?,
            };
            each(&path, &full, &data)?;
            if data.is_dir() {
                open.push(path);
            }
        }
    }
    Ok(())
}

fn feed(sum: &mut Sha256, bytes: &[u8]) {
    sum.update((bytes.len() as u64).to_le_bytes());
    sum.update(bytes);
}

/// The entries of a folder, sorted: the system lists them in any order.
fn names(folder: &Path) -> Result<Vec<std::ffi::OsString>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(HostError::on("read the folder", folder))? {
        let name = entry
            .map_err(HostError::on("read the folder", folder))?
            .file_name();
        if ASIDE.iter().all(|aside| name != *aside) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn of(folder: &Path) -> String {
        of_folder(folder).unwrap()
    }

    #[test]
    fn whatever_is_changed_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("in")).unwrap();
        fs::write(path("in/a"), "one").unwrap();
        let mut seen = vec![of(folder.path())];
        let mut look = |what: &str| {
            let now = of(folder.path());
            assert!(!seen.contains(&now), "{what}");
            seen.push(now);
        };
        fs::write(path("in/a"), "one and more").unwrap();
        look("another size");
        fs::set_permissions(path("in/a"), fs::Permissions::from_mode(0o700)).unwrap();
        look("other permissions");
        fs::write(path("in/b"), "").unwrap();
        look("a new file");
        fs::rename(path("in/b"), path("in/c")).unwrap();
        look("another name");
        fs::create_dir(path("empty")).unwrap();
        look("a new folder");
        std::os::unix::fs::symlink("in", path("link")).unwrap();
        look("a link");
    }

    #[test]
    fn contents_are_the_same_wherever_they_lie() {
        let made = |texts: [&str; 2]| {
            let folder = tempfile::tempdir().unwrap();
            fs::create_dir(folder.path().join("in")).unwrap();
            fs::write(folder.path().join("a"), texts[0]).unwrap();
            fs::write(folder.path().join("in/b"), texts[1]).unwrap();
            folder
        };
        let of = |folder: &Path| of_contents(folder).unwrap();
        let first = made(["one", "two"]);
        let hash = of(first.path());
        assert_eq!(of(made(["one", "two"]).path()), hash);
        // The same number of bytes in all.
        assert_ne!(of(made(["onet", "wo"]).path()), hash);
        assert_ne!(of(made(["one", "tow"]).path()), hash);
        fs::rename(first.path().join("in/b"), first.path().join("in/c")).unwrap();
        let renamed = of(first.path());
        assert_ne!(renamed, hash);
        std::os::unix::fs::symlink("a", first.path().join("link")).unwrap();
        assert_ne!(of(first.path()), renamed);
    }

    /// The same size, and a time of change that was set back as far as a program can do that.
    #[test]
    fn a_file_that_was_written_anew_is_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "one").unwrap();
        let (before, modified) = (
            of(folder.path()),
            fs::metadata(&path).unwrap().modified().unwrap(),
        );
        let changed = |path: &Path| {
            let data = fs::metadata(path).unwrap();
            (data.ctime(), data.ctime_nsec())
        };
        let first = changed(&path);
        // The clock of a file system goes in ticks of some milliseconds: until one has passed.
        while changed(&path) == first {
            fs::write(&path, "two").unwrap();
            fs::File::options()
                .write(true)
                .open(&path)
                .unwrap()
                .set_modified(modified)
                .unwrap();
        }
        assert_ne!(of(folder.path()), before);
    }

    #[test]
    fn what_nothing_was_done_to_is_the_same_and_gits_own_does_not_count() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "one").unwrap();
        let before = of(folder.path());
        for name in ASIDE {
            fs::create_dir(folder.path().join(name)).unwrap();
            fs::write(folder.path().join(name).join("x"), "y").unwrap();
        }
        assert_eq!(of(folder.path()), before);
        assert!(of_folder(&folder.path().join("nowhere")).is_err());
    }

    #[test]
    fn texts_are_told_apart_where_they_end() {
        assert_eq!(of_texts(["ab", "c"]), of_texts(["ab", "c"]));
        assert_ne!(of_texts(["ab", "c"]), of_texts(["a", "bc"]));
        assert_eq!(of_texts(["ab"]).len(), 64);
    }
}
