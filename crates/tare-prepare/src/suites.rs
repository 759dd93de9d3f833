//! Checkouts of other suites: as they are, or at a revision; and labs made of them.

use std::fs;
use std::path::{Path, PathBuf};

use tare_host::build;
use tare_host::error::HostError;
use tare_host::fingerprint;
use tare_host::revisions::Repository;
use tare_model::ids::{Selector, plain_name};
use tare_model::manifest::{Contender, Lab};
use tare_suites::{Checkout, Copied, Implementation, LabFiles, Source, Suite, SuiteError};

use crate::error::{PrepareError, Result};
use crate::request::{Choice, names};
use crate::revisions::{Found, Side, TwoRevisions, of_side, two, used};

/// The folder, of those that tare makes, where trees of checkouts are.
const TREES: &str = "suites";

/// A checkout that was read, and what of it.
pub struct CheckoutAt {
    /// What is in it.
    pub checkout: Checkout,
    /// The revision that was asked for, as its repository describes it; none: the files as they are.
    pub revision: Option<String>,
}

/// Reads a checkout of another suite, or a folder of one: the files as they are, or those of a revision, which are checked
/// out below `own` and kept there.
///
/// # Errors
/// It is no such folder, or there is no such revision.
pub fn checkout(folder: &Path, revision: Option<&str>, own: &Path) -> Result<CheckoutAt> {
    let Some(name) = revision else {
        return Ok(CheckoutAt {
            checkout: tare_suites::read(folder)?,
            revision: None,
        });
    };
    let missing = || SuiteError::NoFolder {
        folder: folder.to_owned(),
    };
    let whole = folder.canonicalize().map_err(|_| missing())?;
    let repository = Repository::of(&whole).map_err(PrepareError::Revision)?;
    let revision = repository.revision(name).map_err(PrepareError::Revision)?;
    let root = repository.root().canonicalize().map_err(|_| missing())?;
    let below: PathBuf = whole.strip_prefix(&root).map_err(|_| missing())?.to_owned();
    let tree = repository
        .check_out(&revision, &own.join(TREES))
        .map_err(PrepareError::Revision)?;
    used(&tree.folder);
    let there = tree.folder.join(&below);
    if !there.is_dir() {
        return Err(PrepareError::NotInRevision {
            folder: below,
            revision: revision.describe(),
        });
    }
    Ok(CheckoutAt {
        checkout: tare_suites::read(&there)?,
        revision: Some(revision.describe()),
    })
}

/// The folder, of those that tare makes, where labs of other suites' folders are.
const LABS: &str = "suite-labs";

/// The hexadecimal digits that a lab is known by.
const DIGITS: usize = 12;

/// A folder of another suite whose implementations are to be measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Foreign {
    /// The suite.
    pub suite: Suite,
    /// The folder, of a checkout or in one.
    pub folder: PathBuf,
    /// Only the implementation of this name, in the suite or as a contender; none: all in the folder.
    pub only: Option<String>,
    /// The revision; none: the files as they are.
    pub revision: Option<String>,
}

/// A lab that was made of other suites' folders.
#[derive(Debug)]
pub struct ForeignLab {
    /// The lab.
    pub lab: Lab,
    /// What it is known by: the hash of its files.
    pub key: String,
    /// Its only workload.
    pub workload: Selector,
    /// Implementations that are in no case, and why.
    pub left_out: Vec<(String, String)>,
}

/// The lab of the implementations in these folders, made below `own` unless it is there. `tests`: only these; empty: all that
/// they have. `choice`: which contenders take part.
///
/// # Errors
/// A folder is no such folder, nothing of it can run here, or the lab cannot be written.
pub fn lab(foreign: &[Foreign], tests: &[String], choice: &Choice, own: &Path) -> Result<ForeignLab> {
    let sources: Vec<Source> = foreign
        .iter()
        .map(|one| source(one, own))
        .collect::<Result<_>>()?;
    let selects = |id: &_| (choice.only.is_empty() || names(&choice.only, id)) && !names(&choice.except, id);
    let files = tare_suites::lab(&sources, tests, selects)?;
    let (lab, key) = written(&files, own)?;
    Ok(ForeignLab {
        lab,
        key,
        workload: Selector::whole(files.workload.to_owned()),
        left_out: files.left_out,
    })
}

/// A lab that was made before, by what it is known by.
///
/// # Errors
/// It was removed.
pub fn known_lab(key: &str, own: &Path) -> Result<Lab> {
    let folder = own.join(LABS).join(key);
    let plain = key.len() == DIGITS && key.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !plain || !folder.is_dir() {
        return Err(PrepareError::NoForeignLab { folder });
    }
    used(&folder);
    Ok(Lab::new(folder))
}

fn source(foreign: &Foreign, own: &Path) -> Result<Source> {
    let mut found = checkout(&foreign.folder, foreign.revision.as_deref(), own)?;
    if found.checkout.suite != foreign.suite {
        return Err(PrepareError::OtherSuite {
            folder: foreign.folder.clone(),
            is: found.checkout.suite.name(),
        });
    }
    if let Some(only) = &foreign.only {
        choose(&mut found.checkout, foreign, only)?;
    }
    Ok(Source {
        checkout: found.checkout,
        revision: foreign.revision.clone(),
        described: found.revision,
    })
}

/// Leaves one implementation of a checkout.
fn choose(checkout: &mut Checkout, foreign: &Foreign, only: &str) -> Result<()> {
    let names = checkout.implementations.iter().map(|one| plain_name(&one.name));
    let known: Vec<String> = names.collect();
    let is = |one: &Implementation| one.name == only || plain_name(&one.name) == only;
    checkout.implementations.retain(is);
    if checkout.implementations.is_empty() {
        return Err(PrepareError::NoImplementation {
            folder: foreign.folder.clone(),
            asked: only.to_owned(),
            known,
        });
    }
    Ok(())
}

/// Writes a lab's files, all or none. The same files are written once.
fn written(files: &LabFiles, own: &Path) -> Result<(Lab, String)> {
    let key = key(files)?;
    let labs = own.join(LABS);
    let folder = labs.join(&key);
    if !folder.is_dir() {
        // The name of another process's could be taken for a lab's only if it were hexadecimal.
        let new = labs.join(format!("new-{}", std::process::id()));
        let _ = fs::remove_dir_all(&new);
        let made = fill(files, &new).and_then(|()| match fs::rename(&new, &folder) {
            // Another process was faster.
            Err(_) if folder.is_dir() => Ok(()),
            done => Ok(done.map_err(HostError::on("rename to", &folder))?),
        });
        let _ = fs::remove_dir_all(&new);
        made?;
    }
    used(&folder);
    Ok((Lab::new(folder), key))
}

fn fill(files: &LabFiles, folder: &Path) -> Result<()> {
    for Copied { from, to } in &files.copies {
        let to = folder.join(to);
        make_parent(&to)?;
        build::copy_tree(from, &to)?;
    }
    for (path, text) in &files.files {
        let path = folder.join(path);
        make_parent(&path)?;
        fs::write(&path, text).map_err(HostError::on("write", &path))?;
    }
    Ok(())
}

fn make_parent(path: &Path) -> Result<()> {
    let parent = path.parent().unwrap_or(path);
    Ok(fs::create_dir_all(parent).map_err(HostError::on("create the folder", parent))?)
}

/// Refuses a link: what it leads to is not of the checkout.
fn refuse_link(path: &Path) -> Result<()> {
    let found = fs::symlink_metadata(path).map_err(HostError::on("look at", path))?;
    if found.is_symlink() {
        let text = format!(
            "{} is a link, which is not followed out of a checkout",
            path.display()
        );
        return Err(HostError::Other(text).into());
    }
    Ok(())
}

/// What a lab is known by: everything that is written into it.
fn key(files: &LabFiles) -> Result<String> {
    let mut texts = Vec::new();
    for (path, text) in &files.files {
        texts.extend([path.clone(), text.clone()]);
    }
    for Copied { from, to } in &files.copies {
        refuse_link(from)?;
        texts.extend([to.clone(), fingerprint::of_contents(from)?]);
    }
    Ok(fingerprint::of_texts(texts)[..DIGITS].to_owned())
}

/// One implementation of a folder at both revisions of its repository. `within`: the folder in that; `tests`: only these; empty:
/// all that it has.
///
/// # Errors
/// At one of the revisions there is no such folder, nothing of it can run, or it has several implementations and none is named.
pub fn at_both(
    sides: &[Side; 2],
    within: &Path,
    foreign: &Foreign,
    tests: &[String],
    own: &Path,
) -> Result<TwoRevisions> {
    let find = |side: &Side| {
        let there = Foreign {
            folder: side.tree.join(within),
            revision: None,
            ..foreign.clone()
        };
        let made = lab(&[there], tests, &Choice::default(), own)?;
        let workload = made.lab.workload(&made.workload.workload)?;
        let contenders: Vec<Contender> = made
            .lab
            .contenders(&workload)
            .into_iter()
            .collect::<std::result::Result<_, _>>()?;
        let [contender] = contenders.as_slice() else {
            return Err(PrepareError::SeveralImplementations {
                folder: foreign.folder.clone(),
                known: contenders.iter().map(|one| one.id.to_string()).collect(),
            });
        };
        let mut contender = contender.clone();
        of_side(&mut contender, side);
        Ok(Found {
            workload,
            contender,
            lab: made.lab,
        })
    };
    two(find(&sides[0])?, find(&sides[1])?, tests)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A checkout with two implementations.
    fn beads(root: &Path) -> Foreign {
        let folder = "frameworks/Abacus/beads";
        put(
            root,
            &format!("{folder}/benchmark_config.json"),
            r#"{"framework": "beads", "tests": [{"default": {"json_url": "/json", "port": 80, "language": "Abacus"},
                "rods": {"json_url": "/json", "port": 80, "language": "Abacus", "dockerfile": "beads.dockerfile"}}]}"#,
        );
        put(root, &format!("{folder}/beads.dockerfile"), "FROM scratch\n");
        Foreign {
            suite: Suite::FrameworkBenchmarks,
            folder: root.join(folder),
            only: None,
            revision: None,
        }
    }

    #[test]
    fn the_same_folders_give_the_same_lab_and_changed_ones_another() {
        let (root, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let foreign = [beads(root.path())];
        let made = |choice: &Choice| lab(&foreign, &[], choice, own.path()).unwrap();
        let first = made(&Choice::default());
        assert_eq!(first.key, made(&Choice::default()).key);
        let copied = first
            .lab
            .folder
            .join("workloads/tfb/contenders/beads/src/beads.dockerfile");
        assert_eq!(fs::read_to_string(copied).unwrap(), "FROM scratch\n");
        let one = Choice {
            only: vec!["beads".parse().unwrap()],
            ..Choice::default()
        };
        assert_ne!(first.key, made(&one).key);
        put(root.path(), "frameworks/Abacus/beads/more", "");
        assert_ne!(first.key, made(&Choice::default()).key);
        assert_eq!(
            known_lab(&first.key, own.path()).unwrap().folder,
            first.lab.folder
        );
        for odd in ["", "../suite-labs", "0123456789ab"] {
            assert!(known_lab(odd, own.path()).is_err(), "{odd}");
        }
    }

    #[test]
    fn one_implementation_is_named_after_its_folder() {
        let (root, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let all = beads(root.path());
        let named = |only: &str| {
            let foreign = Foreign {
                only: Some(only.to_owned()),
                ..all.clone()
            };
            lab(&[foreign], &[], &Choice::default(), own.path())
        };
        let made = named("beads-rods").unwrap();
        assert_eq!(made.lab.contenders(&made.lab.workload("tfb").unwrap()).len(), 1);
        let refused = named("beds").unwrap_err();
        assert_eq!(refused.hint().unwrap(), "it has beads, beads-rods");
        let other = Foreign {
            suite: Suite::HttpArena,
            ..all
        };
        let refused = lab(&[other], &[], &Choice::default(), own.path()).unwrap_err();
        assert!(refused.to_string().ends_with("is of FrameworkBenchmarks"));
    }

    #[test]
    fn a_link_out_of_a_checkout_is_not_followed() {
        let (root, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let link = root.path().join("link");
        std::os::unix::fs::symlink("/etc", &link).unwrap();
        let files = LabFiles {
            workload: "tfb",
            files: Vec::new(),
            copies: vec![Copied {
                from: link,
                to: "src".to_owned(),
            }],
            left_out: Vec::new(),
        };
        let refused = written(&files, own.path()).unwrap_err();
        assert!(refused.to_string().contains("is a link"), "{refused}");
        assert!(!own.path().join(LABS).exists());
    }
}
