//! On repositories of one file.

use super::*;

/// Runs a command that needs an author.
fn as_somebody(folder: &Path, words: &[&str]) {
    let who = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
    git(folder, &[&who[..], words].concat()).unwrap();
}

/// A commit in which `file` holds this text.
fn commit(folder: &Path, text: &str) {
    fs::write(folder.join("file"), text).unwrap();
    git(folder, &["add", "file"]).unwrap();
    as_somebody(folder, &["commit", "--quiet", "-m", text]);
}

fn repository() -> (tempfile::TempDir, Repository) {
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "--quiet"]).unwrap();
    for text in ["one", "two"] {
        commit(folder.path(), text);
    }
    let repository = Repository::of(folder.path()).unwrap();
    (folder, repository)
}

#[test]
fn revisions_are_found_and_checked_out_once() {
    let (folder, repository) = repository();
    let before = repository.revision("HEAD~1").unwrap();
    assert_eq!((before.subject.as_str(), before.changed), ("one", None));
    let trees = folder.path().join(".tare/worktrees");
    let tree = repository.check_out(&before, &trees).unwrap().folder;
    assert_eq!(fs::read_to_string(tree.join("file")).unwrap(), "one");
    fs::write(tree.join("built"), "x").unwrap();
    let same = Tree {
        folder: tree.clone(),
        mended: false,
    };
    assert_eq!(repository.check_out(&before, &trees).unwrap(), same);
    assert!(tree.join("built").exists(), "what was built there is kept");
    fs::remove_dir_all(&tree).unwrap();
    repository.check_out(&before, &trees).unwrap();
    assert!(tree.join("file").exists());
    // A folder that is no tree of its own is not taken for one, though the repository around it has these files.
    let now = repository.revision("HEAD").unwrap();
    let other = trees.join(&now.tree[..12]);
    fs::create_dir(&other).unwrap();
    repository.check_out(&now, &trees).unwrap();
    assert_eq!(fs::read_to_string(other.join("file")).unwrap(), "two");
}

#[test]
fn commits_with_the_same_files_share_a_tree() {
    let (folder, repository) = repository();
    let first = repository.revision("HEAD").unwrap();
    let trees = folder.path().join(".tare/worktrees");
    let tree = repository.check_out(&first, &trees).unwrap().folder;
    fs::write(tree.join("built"), "x").unwrap();
    as_somebody(
        folder.path(),
        &["commit", "--quiet", "--amend", "-m", "another message"],
    );
    let second = repository.revision("HEAD").unwrap();
    assert!(first.commit != second.commit && first.tree == second.tree);
    let again = repository.check_out(&second, &trees).unwrap();
    assert_eq!((again.folder.as_path(), again.mended), (tree.as_path(), false));
    assert!(tree.join("built").exists());
    let there = git(&tree, &["rev-parse", "HEAD"]).unwrap();
    assert_eq!(
        there, second.commit,
        "what a build asks git for is the commit's own"
    );
}

#[test]
fn the_working_tree_says_what_is_changed() {
    let (folder, repository) = repository();
    assert!(
        repository
            .working_tree()
            .unwrap()
            .describe()
            .ends_with("unchanged")
    );
    fs::write(folder.path().join("file"), "three").unwrap();
    fs::write(folder.path().join("new"), "").unwrap();
    let tree = repository.working_tree().unwrap();
    assert!(
        tree.describe().ends_with("2 files changed"),
        "{}",
        tree.describe()
    );
}

#[test]
fn files_differ_between_revisions_and_in_the_working_tree() {
    let (folder, repository) = repository();
    let [one, two] = ["HEAD~1", "HEAD"].map(|name| repository.revision(name).unwrap());
    let between = |after: &Revision| repository.differing(&one, after).unwrap();
    assert_eq!(between(&two), [PathBuf::from("file")]);
    assert!(between(&one).is_empty());
    fs::create_dir(folder.path().join("a b")).unwrap();
    fs::write(folder.path().join("a b/new\nest"), "").unwrap();
    let tree = repository.working_tree().unwrap();
    assert_eq!(between(&tree), ["file", "a b/new\nest"].map(PathBuf::from));
    assert_eq!(repository.differing(&two, &tree).unwrap().len(), 1);
}

#[test]
fn what_is_not_there_is_said_with_its_cure() {
    let (folder, repository) = repository();
    let error = repository.revision("nowhere").unwrap_err().to_string();
    assert!(
        error.contains("`nowhere`") && error.contains("git branch -a"),
        "{error}"
    );
    assert!(repository.revision("--all").is_err());
    let shallow = tempfile::tempdir().unwrap();
    let from = format!("file://{}", folder.path().display());
    let to = shallow.path().join("clone");
    git(
        folder.path(),
        &["clone", "--quiet", "--depth", "1", &from, to.to_str().unwrap()],
    )
    .unwrap();
    let error = Repository::of(&to)
        .unwrap()
        .revision("HEAD~1")
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("shallow") && error.contains("fetch-depth: 0"),
        "{error}"
    );
    let none = tempfile::tempdir().unwrap();
    assert!(
        Repository::of(none.path())
            .unwrap_err()
            .to_string()
            .contains("no git repository")
    );
}

/// A setup that writes over a file of the commit's, a file that was removed, another commit: all are found.
#[test]
fn what_was_altered_in_a_tree_is_put_back_and_what_was_built_stays() {
    let (folder, repository) = repository();
    let before = repository.revision("HEAD~1").unwrap();
    let trees = folder.path().join(".tare/worktrees");
    let tree = repository.check_out(&before, &trees).unwrap().folder;
    let read = || fs::read_to_string(tree.join("file")).unwrap();
    fs::write(tree.join("built"), "x").unwrap();
    let alterations: [&dyn Fn(); 5] = [
        &|| fs::write(tree.join("file"), "one, altered").unwrap(),
        // Of the same length, and known to git.
        &|| {
            fs::write(tree.join("file"), "eno").unwrap();
            git(&tree, &["add", "file"]).unwrap();
        },
        &|| fs::remove_file(tree.join("file")).unwrap(),
        &|| commit(&tree, "three"),
        &|| {
            let other = repository.revision("HEAD").unwrap();
            git(&tree, &["checkout", "--quiet", "--detach", &other.commit]).unwrap();
        },
    ];
    for (index, alter) in alterations.iter().enumerate() {
        alter();
        let again = repository.check_out(&before, &trees).unwrap();
        assert!(again.mended, "{index}");
        assert_eq!(
            (again.folder.as_path(), read().as_str()),
            (tree.as_path(), "one"),
            "{index}"
        );
        assert_eq!(
            git(&tree, &["rev-parse", "HEAD"]).unwrap(),
            before.commit,
            "{index}"
        );
        assert!(tree.join("built").exists(), "{index}");
        assert!(!repository.check_out(&before, &trees).unwrap().mended, "{index}");
    }
}

#[test]
fn where_two_revisions_parted() {
    let (folder, repository) = repository();
    let main = git(folder.path(), &["branch", "--show-current"]).unwrap();
    let parted = repository.revision("HEAD~1").unwrap();
    git(folder.path(), &["checkout", "--quiet", "-b", "side", "HEAD~1"]).unwrap();
    commit(folder.path(), "three");
    assert_eq!(repository.merge_base(&main, "side").unwrap(), parted);
    assert_eq!(repository.merge_base("side", "side~1").unwrap(), parted);
    let error = repository.merge_base("side", "nowhere").unwrap_err().to_string();
    assert!(error.contains("no revision `nowhere`"), "{error}");
    git(folder.path(), &["checkout", "--quiet", "--orphan", "apart"]).unwrap();
    commit(folder.path(), "four");
    let error = repository.merge_base(&main, "apart").unwrap_err().to_string();
    assert!(
        error.contains("no common ancestor") && error.contains("with two dots"),
        "{error}"
    );
}

#[test]
fn submodules_are_empty_until_somebody_fills_them() {
    let (inner, _) = repository();
    let (folder, repository) = repository();
    let from = inner.path().display().to_string();
    // Since CVE-2022-39253 git takes no submodule from a folder by default.
    let allowed = ["-c", "protocol.file.allow=always"];
    git(
        folder.path(),
        &[&allowed[..], &["submodule", "--quiet", "add", &from, "inner"]].concat(),
    )
    .unwrap();
    commit(folder.path(), "with one");
    let now = repository.revision("HEAD").unwrap();
    let trees = folder.path().join(".tare/worktrees");
    let tree = repository.check_out(&now, &trees).unwrap().folder;
    assert_eq!(empty_submodules(&tree), 1);
    let fill = ["submodule", "--quiet", "update", "--init"];
    git(&tree, &[&allowed[..], &fill].concat()).unwrap();
    assert_eq!(empty_submodules(&tree), 0);
    // What is built in there is no alteration.
    fs::write(tree.join("inner/built"), "x").unwrap();
    assert!(!repository.check_out(&now, &trees).unwrap().mended);
    let before = repository.revision("HEAD~1").unwrap();
    let tree = repository.check_out(&before, &trees).unwrap().folder;
    assert_eq!(empty_submodules(&tree), 0, "it had none then");
}
