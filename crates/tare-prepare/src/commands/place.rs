//! The folder that commands are run in.

use std::path::{Path, PathBuf};

use tare_host::revisions::Repository;

/// The folder that commands are run in: the same name may mean another program elsewhere.
pub fn folder() -> Option<String> {
    std::env::current_dir().ok().map(|here| place(&here))
}

/// The revision that commands are run in, where that is in a repository.
pub fn revision() -> Option<String> {
    let here = std::env::current_dir().ok()?;
    let revision = Repository::of(&here).and_then(|repository| repository.working_tree());
    revision.ok().map(|revision| revision.describe())
}

/// A folder as it is kept with a run, whose report may be shown to others: the user's own folder is `~`.
pub(crate) fn place(folder: &Path) -> String {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    seen_from(home.as_deref(), folder)
}

fn seen_from(home: Option<&Path>, folder: &Path) -> String {
    // The root is not a user's own folder.
    let home = home.filter(|home| home.file_name().is_some());
    match home.and_then(|home| folder.strip_prefix(home).ok()) {
        Some(within) if within.as_os_str().is_empty() => "~".to_owned(),
        Some(within) => format!("~/{}", within.display()),
        None => folder.display().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_own_folder_is_not_shown() {
        let seen = |home: Option<&str>, folder: &str| seen_from(home.map(Path::new), Path::new(folder));
        assert_eq!(seen(Some("/h/me"), "/h/me/src/mine"), "~/src/mine");
        assert_eq!(seen(Some("/h/me"), "/h/me"), "~");
        assert_eq!(seen(Some("/h/me"), "/h/meagre"), "/h/meagre");
        assert_eq!(seen(Some("/"), "/srv/mine"), "/srv/mine");
        assert_eq!(seen(None, "/srv/mine"), "/srv/mine");
    }
}
