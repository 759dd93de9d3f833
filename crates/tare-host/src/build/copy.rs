//! Which files of a contender's folder are its sources, and a copy of them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{HostError, Result};

/// Folders that tools make beside sources, and that hold no sources.
const LEAVINGS: [&str; 8] = [
    "target",
    "node_modules",
    "dist-newstyle",
    "__pycache__",
    ".git",
    ".venv",
    ".stack-work",
    ".tare",
];

/// All files and symbolic links under a folder, as paths relative to it, sorted by their bytes; for a file, the empty
/// path.
pub(super) fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    if folder.is_file() {
        return Ok(vec![PathBuf::new()]);
    }
    let mut found = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(inside) = open.pop() {
        let at = folder.join(&inside);
        for entry in fs::read_dir(&at).map_err(HostError::on("read the folder", &at))? {
            let entry = entry.map_err(HostError::on("read the folder", &at))?;
            let kind = entry
                .file_type()
                .map_err(HostError::on("look at", entry.path()))?;
            let path = inside.join(entry.file_name());
            let leaving = LEAVINGS.iter().any(|name| entry.file_name() == *name);
            match (kind.is_dir(), kind.is_file() || kind.is_symlink()) {
                (true, _) if !leaving => open.push(path),
                (false, true) => found.push(path),
                // Sockets and the like are not sources.
                _ => {}
            }
        }
    }
    found.sort_by(|a, b| a.as_os_str().cmp(b.as_os_str()));
    Ok(found)
}

/// A path within a folder; for the empty path the folder itself, without the slash that `join` would add.
pub(super) fn within(folder: &Path, path: &Path) -> PathBuf {
    if path.as_os_str().is_empty() {
        folder.to_owned()
    } else {
        folder.join(path)
    }
}

/// Copies the sources of one folder into another, with their permissions; links stay links, and what tools leave behind is
/// left out. Of a file, the file.
///
/// # Errors
/// [`HostError::Os`] if something cannot be read or written.
pub fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    for path in sources(from)? {
        let (old, new) = (within(from, &path), within(to, &path));
        let parent = new.parent().unwrap_or(to);
        fs::create_dir_all(parent).map_err(HostError::on("create the folder", parent))?;
        if old.is_symlink() {
            let target = fs::read_link(&old).map_err(HostError::on("read the link", &old))?;
            std::os::unix::fs::symlink(target, &new).map_err(HostError::on("link", &new))?;
        } else {
            fs::copy(&old, &new).map_err(HostError::on("copy to", &new))?;
        }
    }
    Ok(())
}

/// Copies a whole folder: every file and folder, empty ones too, with their permissions. Links stay links; sockets and
/// the like are left out.
pub(crate) fn copy_whole(from: &Path, to: &Path) -> Result<()> {
    let look = |path: &Path| fs::symlink_metadata(path).map_err(HostError::on("look at", path));
    fs::create_dir_all(to).map_err(HostError::on("create the folder", to))?;
    for entry in fs::read_dir(from).map_err(HostError::on("read the folder", from))? {
        let old = entry.map_err(HostError::on("read the folder", from))?.path();
        let new = to.join(old.file_name().unwrap_or_default());
        let kind = look(&old)?.file_type();
        if kind.is_dir() {
            copy_whole(&old, &new)?;
        } else if kind.is_symlink() {
            let target = fs::read_link(&old).map_err(HostError::on("read the link", &old))?;
            std::os::unix::fs::symlink(target, &new).map_err(HostError::on("link", &new))?;
        } else if kind.is_file() {
            fs::copy(&old, &new).map_err(HostError::on("copy to", &new))?;
        }
    }
    let permissions = look(from)?.permissions();
    fs::set_permissions(to, permissions).map_err(HostError::on("set the permissions of", to))
}

/// Changes the owner of a folder and of everything in it.
pub(crate) fn hand_over(folder: &Path, user: u32) -> Result<()> {
    let give = |path: &Path| {
        std::os::unix::fs::lchown(path, Some(user), Some(user)).map_err(HostError::on("hand over", path))
    };
    give(folder)?;
    for entry in fs::read_dir(folder).map_err(HostError::on("read the folder", folder))? {
        let path = entry.map_err(HostError::on("read the folder", folder))?.path();
        if path.is_dir() && !path.is_symlink() {
            hand_over(&path, user)?;
        } else {
            give(&path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leavings_stay_behind_and_the_rest_is_copied_as_it_is() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for path in ["b.c", "a/x.h", "target/debug/b", "a/node_modules/y", "target.c"] {
            let path = from.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "text").unwrap();
        }
        fs::set_permissions(from.path().join("b.c"), fs::Permissions::from_mode(0o755)).unwrap();
        symlink("b.c", from.path().join("link")).unwrap();
        let names: Vec<PathBuf> = ["a/x.h", "b.c", "link", "target.c"].map(PathBuf::from).into();
        assert_eq!(sources(from.path()).unwrap(), names);
        copy_tree(from.path(), to.path()).unwrap();
        assert_eq!(sources(to.path()).unwrap(), names);
        let mode = fs::metadata(to.path().join("b.c")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755);
        assert!(to.path().join("link").is_symlink());
    }

    #[test]
    fn a_whole_copy_has_empty_folders_and_permissions_too() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for folder in ["data/empty", "data/target"] {
            fs::create_dir_all(from.path().join(folder)).unwrap();
        }
        fs::write(from.path().join("data/target/x"), "text").unwrap();
        symlink("target/x", from.path().join("data/link")).unwrap();
        fs::set_permissions(from.path().join("data"), fs::Permissions::from_mode(0o700)).unwrap();
        let copy = to.path().join("copy");
        copy_whole(from.path(), &copy).unwrap();
        assert_eq!(fs::read_to_string(copy.join("data/link")).unwrap(), "text");
        assert!(copy.join("data/empty").is_dir() && copy.join("data/link").is_symlink());
        let mode = fs::metadata(copy.join("data")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}
