//! The hash of everything that a build is made from.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use sha2::{Digest, Sha256};
use tare_model::fault::{Fault, FaultKind};

use super::{Recipe, copy, resolve};
use crate::error::HostError;
use crate::hex::hex;

/// Changes when tare builds in another way, so that older builds are not reused.
const LAYOUT: &str = "tare build 1";

/// The hash (SHA-256, hexadecimal) of sources, steps, environment and tool versions.
///
/// `{src}`, `{out}` and `{state}` are hashed as names, since they depend on the hash. Every part is preceded by its length,
/// so that no two recipes are hashed alike.
pub(super) fn hash(recipe: &Recipe) -> Result<String, Fault> {
    let mut sum = Sha256::new();
    let mut feed = |bytes: &[u8]| {
        sum.update((bytes.len() as u64).to_le_bytes());
        sum.update(bytes);
    };
    feed(LAYOUT.as_bytes());
    let mut values = recipe.values.clone();
    for name in super::MADE.into_iter().chain(["src"]) {
        values.insert(name.to_owned(), format!("{{{name}}}"));
    }
    let resolved = resolve(recipe, &values).map_err(|error| {
        Fault::new(
            FaultKind::BuildFailed,
            format!("a build step of {}: {error}", recipe.contender),
        )
    })?;
    for step in &resolved.steps {
        feed(&(step.len() as u64).to_le_bytes());
        step.iter().for_each(|word| feed(word.as_bytes()));
    }
    let versions = recipe.versions.iter().map(|(name, version)| (name, version));
    for (key, value) in resolved.env.iter().chain(versions) {
        feed(key.as_bytes());
        feed(value.as_bytes());
    }
    feed_tree(&recipe.folder, &mut feed)?;
    for (name, from) in &recipe.with {
        feed(b"with");
        feed(name.as_bytes());
        feed_tree(from, &mut feed)?;
    }
    Ok(hex(&sum.finalize()))
}

/// Feeds every source under a folder: its path, its kind and its bytes.
fn feed_tree(folder: &Path, feed: &mut impl FnMut(&[u8])) -> Result<(), Fault> {
    for path in copy::sources(folder)? {
        let full = copy::within(folder, &path);
        feed(path.as_os_str().as_encoded_bytes());
        if full.is_symlink() {
            let target = fs::read_link(&full).map_err(HostError::on("read the link", &full))?;
            feed(b"link");
            feed(target.as_os_str().as_encoded_bytes());
        } else {
            let data = fs::read(&full).map_err(HostError::on("read", &full))?;
            let mode = fs::metadata(&full)
                .map_err(HostError::on("look at", &full))?
                .permissions()
                .mode();
            feed(if mode & 0o111 == 0 { b"file" } else { b"program" });
            feed(&data);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::time::Duration;

    fn recipe(folder: &Path) -> Recipe {
        Recipe {
            workload: "w".to_owned(),
            contender: "c".to_owned(),
            folder: folder.to_owned(),
            with: vec![],
            steps: vec![vec!["{cc}".to_owned(), "-o".to_owned(), "{out}/x".to_owned()]],
            env: BTreeMap::from([("A".to_owned(), "{src}".to_owned())]),
            values: BTreeMap::from([("cc".to_owned(), "/usr/bin/cc".to_owned())]),
            versions: vec![("cc".to_owned(), "12".to_owned())],
            timeout: Duration::from_secs(1),
        }
    }

    #[test]
    fn every_input_changes_the_hash_and_nothing_else_does() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("x.c"), "int main;").unwrap();
        let base = recipe(folder.path());
        let first = hash(&base).unwrap();
        assert_eq!(first.len(), 64);
        let mut changed = vec![base.clone(); 5];
        changed[0].steps[0].push("-O2".to_owned());
        changed[1].steps.push(vec![]);
        changed[2].env.insert("A".to_owned(), "2".to_owned());
        changed[3]
            .values
            .insert("cc".to_owned(), "/usr/bin/gcc".to_owned());
        changed[4].versions[0].1 = "13".to_owned();
        for (index, recipe) in changed.iter().enumerate() {
            assert_ne!(hash(recipe).unwrap(), first, "case {index}");
        }
        let mut same = base.clone();
        same.timeout = Duration::from_secs(9);
        same.values.insert("port".to_owned(), "unused".to_owned());
        assert_eq!(hash(&same).unwrap(), first);
    }

    #[test]
    fn sources_count_by_name_content_and_run_bit() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.c");
        fs::write(&file, "one").unwrap();
        let base = recipe(folder.path());
        let mut hashes = vec![hash(&base).unwrap()];
        fs::write(&file, "two").unwrap();
        hashes.push(hash(&base).unwrap());
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        hashes.push(hash(&base).unwrap());
        fs::rename(&file, folder.path().join("y.c")).unwrap();
        hashes.push(hash(&base).unwrap());
        let distinct: std::collections::BTreeSet<&String> = hashes.iter().collect();
        assert_eq!(distinct.len(), hashes.len(), "{hashes:?}");
        fs::create_dir(folder.path().join("target")).unwrap();
        fs::write(folder.path().join("target/x"), "built").unwrap();
        assert_eq!(hash(&base).unwrap(), hashes[3]);
    }

    #[test]
    fn what_is_built_with_counts_too() {
        let (folder, kit) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(kit.path().join("x.h"), "one").unwrap();
        let alone = recipe(folder.path());
        let with = |name: &str, path: &Path| Recipe {
            with: vec![(name.to_owned(), path.to_owned())],
            ..alone.clone()
        };
        let mut hashes = vec![hash(&alone).unwrap()];
        hashes.push(hash(&with("kit", kit.path())).unwrap());
        hashes.push(hash(&with("other", kit.path())).unwrap());
        hashes.push(hash(&with("kit", &kit.path().join("x.h"))).unwrap());
        fs::write(kit.path().join("x.h"), "two").unwrap();
        hashes.push(hash(&with("kit", kit.path())).unwrap());
        let distinct: std::collections::BTreeSet<&String> = hashes.iter().collect();
        assert_eq!(distinct.len(), hashes.len(), "{hashes:?}");
    }

    #[test]
    fn an_unknown_placeholder_is_the_builds_fault() {
        let folder = tempfile::tempdir().unwrap();
        let mut bad = recipe(folder.path());
        bad.steps[0].push("{nope}".to_owned());
        let fault = hash(&bad).unwrap_err();
        assert_eq!(fault.kind, FaultKind::BuildFailed);
        assert!(fault.detail.contains("{nope}"), "{fault}");
    }
}
