//! Files and names of the lab's folder.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use crate::ids::is_name;
use crate::manifest::document::{MAX_BYTES, too_large};
use crate::manifest::error::{ManifestError, Problem};
use crate::manifest::words::{near_or_all, short};

/// What reading the lab gives, or everything that is wrong.
pub(super) type Read<T> = Result<T, ManifestError>;

/// Names in a folder of the lab, in order, without hidden ones.
pub(super) fn names(root: &Path, folder: &str) -> Read<Vec<String>> {
    let path = root.join(folder);
    let failed = |error: std::io::Error| {
        Problem::whole(folder, format!("cannot be listed: {error}")).hint(format!(
            "is {} a lab's folder? it holds `workloads/` and `languages/`",
            root.display()
        ))
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// The bytes of a file of the lab. Errors: it lies outside of the lab, is no plain file, or is too large.
pub(super) fn bytes(root: &Path, file: &str) -> Read<Vec<u8>> {
    let path = root.join(file);
    let failed = |error: std::io::Error| Problem::whole(file, format!("cannot be read: {error}"));
    let real = path.canonicalize().map_err(failed)?;
    if !real.starts_with(root.canonicalize().map_err(failed)?) {
        let text = format!("leads out of the lab's folder, to {}", real.display());
        return Err(Problem::whole(file, text)
            .hint("copy it into the lab instead of linking to it")
            .into());
    }
    let metadata = fs::metadata(&real).map_err(failed)?;
    if !metadata.is_file() {
        return Err(Problem::whole(file, "expected a plain file, found something else").into());
    }
    if metadata.len() > MAX_BYTES as u64 {
        return Err(too_large(file, metadata.len()).into());
    }
    read_bounded(&real).map_err(|error| failed(error).into())
}

fn read_bounded(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?
        .take(MAX_BYTES as u64 + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

pub(super) fn bad_name(file: &str, what: &str, name: &str) -> Problem {
    Problem::whole(file, format!("`{}` is no {what}'s name", short(name)))
        .hint("lower-case letters, digits and single dashes, starting with a letter")
}

/// Checks that a name is one of those in a folder, and is a name.
pub(super) fn known(what: &str, folder: &str, name: &str, names: &[String]) -> Read<()> {
    if names.iter().any(|known| known == name) {
        return if is_name(name) {
            Ok(())
        } else {
            Err(bad_name(folder, what, name).into())
        };
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let text = format!("there is no {what} `{}`", short(name));
    Err(Problem::whole(folder, text)
        .hint(near_or_all(name, "there are", &names))
        .into())
}
