//! The trees whose benchmarks are measured: one, or one of each revision, with the benchmarks of one of them in both.

use std::fs;
use std::path::{Path, PathBuf};

use tare_harness::{Harness, Tree};
use tare_host::error::HostError;
use tare_host::fingerprint;
use tare_host::machine;
use tare_host::revisions::Repository;
use tare_rig::commands::{Hints, Policy};

use super::error::BenchError;
use super::overlay::{Differing, Rooted, differing};
use super::request::{BenchPlaces, BenchmarksFrom, Compared, Given};
use crate::commands::Outputs;
use crate::error::{PrepareError, Result};
use crate::progress::Progress;
use crate::revisions::{NAMES, Setup, Side, SideSetup, how, ignore, sides, used};
use crate::supervision::Supervision;

/// A side of the comparison, or the only one.
#[derive(Debug)]
pub(super) struct BenchSide {
    /// `before` or `after`.
    pub(super) name: &'static str,
    /// Its revision, or what else people call it.
    pub(super) summary: String,
    /// The root of its tree.
    pub(super) root: PathBuf,
    /// The folder in it whose benchmarks are wanted.
    pub(super) within: PathBuf,
    /// The folder for what is built of it.
    pub(super) out: PathBuf,
    /// Whether somebody may change its files during the run.
    pub(super) open: bool,
    /// A program that is there already, instead of suites.
    pub(super) given: Option<Given>,
    overlay: Option<Overlay>,
}

/// The benchmarks of another revision in a tree.
#[derive(Debug)]
struct Overlay {
    /// The tree with its own benchmarks.
    plain: PathBuf,
    /// The tree whose benchmarks they are.
    source: PathBuf,
    laid: Vec<Differing>,
    /// Says what was put where; the tree is used again as long as that is so.
    marker: PathBuf,
    digest: String,
}

/// All sides, and whose benchmarks they run.
#[derive(Debug)]
pub(super) struct Trees {
    pub(super) sides: Vec<BenchSide>,
    /// The revision whose benchmarks both sides run.
    pub(super) from: Option<String>,
    /// The earlier and the later revision.
    pub(super) revisions: Option<(Option<String>, String)>,
    /// Whether the sides differ, and in nothing but benchmarks, of which both run the same.
    pub(super) same: bool,
}

/// What trees are made with.
#[derive(Clone, Copy)]
pub(super) struct Making<'a> {
    pub(super) places: BenchPlaces<'a>,
    pub(super) harnesses: &'a [&'static dyn Harness],
    pub(super) supervision: &'a Supervision,
    pub(super) progress: &'a dyn Progress,
}

/// The trees of what is compared.
pub(super) fn trees(compared: &Compared, making: Making<'_>) -> Result<Trees> {
    match compared {
        Compared::Here { program } => here(program.as_ref(), making.places),
        Compared::Programs(given) => programs(given, making.places),
        Compared::Revisions {
            revisions,
            from,
            setup,
            program,
        } => {
            let repository = Repository::of(making.places.here)?;
            let two = Two {
                sides: sides(revisions, &repository, making.places.own, making.progress)?,
                within: within(repository.root(), making.places.here),
                repository,
                making,
            };
            two.trees(from, setup.as_ref(), program.as_ref())
        }
    }
}

/// A folder as seen from the root of its repository.
fn within(root: &Path, here: &Path) -> PathBuf {
    let real = |folder: &Path| folder.canonicalize().unwrap_or(folder.to_owned());
    real(here)
        .strip_prefix(real(root))
        .unwrap_or("".as_ref())
        .to_owned()
}

fn builds(own: &Path, tree: &str) -> PathBuf {
    own.join("benchmarks/builds").join(tree)
}

/// The tree as it is; of a folder that is in no repository, the folder.
fn here(program: Option<&Given>, places: BenchPlaces<'_>) -> Result<Trees> {
    ignore(places.own)?;
    let repository = Repository::of(places.here).ok();
    if repository.is_none() && program.is_none() && !Tree::begins_at(places.here) {
        // Else every project of somebody's home would be built.
        return Err(BenchError::NoProject(places.here.to_owned()).into());
    }
    let root = repository.as_ref().map_or(places.here, Repository::root);
    let revision = repository
        .as_ref()
        .and_then(|repository| repository.working_tree().ok())
        .map(|revision| revision.describe());
    let side = BenchSide {
        name: NAMES[1],
        summary: revision.clone().unwrap_or_else(|| "this folder".to_owned()),
        root: root.canonicalize().unwrap_or_else(|_| root.to_owned()),
        within: within(root, places.here),
        out: builds(places.own, "working-tree"),
        open: true,
        given: program.cloned(),
        overlay: None,
    };
    Ok(Trees {
        sides: vec![side],
        from: None,
        revisions: revision.map(|revision| (None, revision)),
        same: false,
    })
}

/// Programs that are built already. They run in the folder that was asked from.
fn programs(given: &[Given], places: BenchPlaces<'_>) -> Result<Trees> {
    let Some(last) = given.last().filter(|_| given.len() <= NAMES.len()) else {
        return Err(BenchError::Programs(given.len()).into());
    };
    // Both are called alike, since their benchmarks are matched by the program's name, too.
    let name = last.path.file_name().unwrap_or_default().to_string_lossy();
    let side = |(side, given): (&'static str, &Given)| BenchSide {
        name: side,
        summary: format!("{}: {}", given.name, given.path.display()),
        root: places.here.to_owned(),
        within: PathBuf::new(),
        out: builds(places.own, "none"),
        open: true,
        given: Some(Given {
            name: name.clone().into_owned(),
            path: given.path.clone(),
        }),
        overlay: None,
    };
    let names = NAMES.into_iter().skip(NAMES.len() - given.len());
    Ok(Trees {
        sides: names.zip(given).map(side).collect(),
        from: None,
        revisions: None,
        same: false,
    })
}

/// Two revisions.
struct Two<'a> {
    sides: [Side; 2],
    within: PathBuf,
    repository: Repository,
    making: Making<'a>,
}

/// Where the benchmarks of both sides come from.
struct Source {
    root: PathBuf,
    described: String,
    /// The side that has these anyway.
    of: Option<usize>,
}

impl Two<'_> {
    fn trees(self, from: &BenchmarksFrom, setup: Option<&Setup>, given: Option<&Given>) -> Result<Trees> {
        // A program that needs no build is a file of its tree: nothing says what of it is the benchmark.
        let source = match given {
            Some(_) => None,
            None => self.source(from)?,
        };
        let mut all = Vec::new();
        for index in 0..2 {
            let mut side = self.side(index, given);
            if let Some(source) = source.as_ref().filter(|source| source.of != Some(index)) {
                self.lay(index, source, &mut side)?;
            }
            if let Some(setup) = setup {
                self.set_up(index, &side, setup)?;
            }
            if let Some(overlay) = &side.overlay {
                overlay.mark(&side.root)?;
            }
            all.push(side);
        }
        let [before, after] = self.sides.each_ref().map(|side| side.revision.describe());
        Ok(Trees {
            same: self.differ_in_benchmarks_only(&all)?,
            sides: all,
            from: source.map(|source| source.described),
            revisions: Some((Some(before), after)),
        })
    }

    fn differ_in_benchmarks_only(&self, sides: &[BenchSide]) -> Result<bool> {
        let laid: Vec<&Differing> = sides.iter().flat_map(BenchSide::laid).collect();
        if laid.is_empty() {
            return Ok(false);
        }
        let [before, after] = self.sides.each_ref().map(|side| &side.revision);
        let files = self
            .repository
            .differing(before, after)
            .map_err(PrepareError::Revision)?;
        let covered = |file: &PathBuf| laid.iter().any(|laid| laid.covers(file));
        Ok(!files.is_empty() && files.iter().all(covered))
    }

    fn side(&self, index: usize, given: Option<&Given>) -> BenchSide {
        let side = &self.sides[index];
        let open = side.revision.changed.is_some();
        let tree = if open {
            "working-tree"
        } else {
            &side.revision.tree[..12]
        };
        BenchSide {
            name: side.name,
            summary: side.revision.describe(),
            root: side.tree.canonicalize().unwrap_or_else(|_| side.tree.clone()),
            within: self.within.clone(),
            out: builds(self.making.places.own, tree),
            open,
            given: given.cloned(),
            overlay: None,
        }
    }

    fn source(&self, from: &BenchmarksFrom) -> Result<Option<Source>> {
        let of_side = |index: usize| Source {
            root: self.sides[index].tree.clone(),
            described: self.sides[index].revision.describe(),
            of: Some(index),
        };
        let name = match from {
            BenchmarksFrom::Each => return Ok(None),
            BenchmarksFrom::Later => return Ok(Some(of_side(1))),
            BenchmarksFrom::Revision(name) => name,
        };
        let revision = self.repository.revision(name).map_err(PrepareError::Revision)?;
        let same =
            |side: &Side| side.revision.tree == revision.tree && side.revision.changed.unwrap_or(0) == 0;
        if let Some(index) = self.sides.iter().position(same) {
            return Ok(Some(of_side(index)));
        }
        let worktrees = self.making.places.own.join("worktrees");
        let tree = self.repository.check_out(&revision, &worktrees)?;
        used(&tree.folder);
        Ok(Some(Source {
            root: tree.folder,
            described: revision.describe(),
            of: None,
        }))
    }

    /// Gives a side the benchmarks of the source, in a tree that is used for nothing else, where they differ from its own.
    fn lay(&self, index: usize, source: &Source, side: &mut BenchSide) -> Result<()> {
        let (theirs, own) = (read(&source.root)?, read(&side.root)?);
        let from = Rooted {
            root: &source.root,
            tree: &theirs,
        };
        let to = Rooted {
            root: &side.root,
            tree: &own,
        };
        let laid = differing(self.making.harnesses, from, to, &self.within)?;
        if laid.is_empty() {
            return Ok(());
        }
        let revision = &self.sides[index].revision;
        if revision.changed.unwrap_or(0) > 0 {
            return Err(BenchError::OverWorkingTree {
                side: side.name,
                from: source.described.clone(),
            }
            .into());
        }
        let texts = laid.iter().map(|one| one.digest(&source.root));
        let mut texts = texts.collect::<Result<Vec<String>>>()?;
        texts.push(revision.commit.clone());
        let folder = self.making.places.own.join("benchmarks/trees");
        let name = &revision.tree[..12];
        let overlay = Overlay {
            plain: std::mem::take(&mut side.root),
            source: source.root.clone(),
            marker: folder.join(format!("{name}.laid")),
            digest: fingerprint::of_texts(texts),
            laid,
        };
        side.root = folder.join(name);
        used(&side.root);
        if !overlay.is_marked(&side.root) {
            overlay.unmark()?;
            side.root = self.repository.check_out_clean(revision, &folder)?;
            for laid in &overlay.laid {
                laid.lay(&source.root, &side.root)?;
            }
        }
        side.out = builds(self.making.places.own, &format!("{name}-with-others"));
        side.open = false;
        side.overlay = Some(overlay);
        Ok(())
    }

    fn set_up(&self, index: usize, side: &BenchSide, setup: &Setup) -> Result<()> {
        let outputs = Outputs::make(&self.making.supervision.state)?;
        let setup = SideSetup {
            command: &setup.command,
            rebuild: setup.rebuild,
            within: &self.within,
            folder: &self.making.places.own.join("benchmarks/setups"),
            policy: Policy {
                timeout: setup.timeout,
                folder: outputs.folder().to_owned(),
                sizes: Vec::new(),
                cores: machine::cores().len(),
                hints: Hints {
                    failed: "run it by itself in the tree, and cure what it says",
                    not_found: Hints::NOT_BY_THE_SHELL,
                    late: "run it by itself in the tree, to see what it waits for",
                },
                show: None,
            },
            supervision: self.making.supervision,
            progress: self.making.progress,
        };
        setup.run(&Side {
            tree: side.root.clone(),
            ..self.sides[index].clone()
        })
    }
}

impl BenchSide {
    /// What harnesses look at.
    pub(super) fn read(&self) -> Result<Tree> {
        read(&self.root)
    }

    /// Hash of its files, and of the environment that it is built in; none where it cannot be made.
    pub(super) fn key(&self) -> Option<String> {
        let files = fingerprint::of_folder(&self.root).ok()?;
        Some(fingerprint::of_texts([how("", &self.within), files]))
    }

    /// The suites whose benchmarks are those of another revision.
    pub(super) fn laid(&self) -> &[Differing] {
        self.overlay.as_ref().map_or(&[], |overlay| &overlay.laid)
    }

    /// Puts the tree's own benchmarks of a suite back; returns whether there were others.
    pub(super) fn take_back(&self, harness: &str, folder: &Path) -> Result<bool> {
        let Some((overlay, laid)) = self.laid_of(harness, folder) else {
            return Ok(false);
        };
        overlay.unmark()?;
        laid.take_back(&overlay.plain, &self.root)?;
        Ok(true)
    }

    /// Leaves only the files of the other benchmarks themselves; returns whether that is anything else than all of them.
    pub(super) fn lay_least(&self, harness: &str, folder: &Path) -> Result<bool> {
        let Some((overlay, laid)) = self.laid_of(harness, folder) else {
            return Ok(false);
        };
        overlay.unmark()?;
        laid.lay_least(&overlay.source, &overlay.plain, &self.root)
    }

    fn laid_of(&self, harness: &str, folder: &Path) -> Option<(&Overlay, &Differing)> {
        let overlay = self.overlay.as_ref()?;
        let mut laid = overlay.laid.iter();
        let laid = laid.find(|laid| laid.harness == harness && laid.folder == folder)?;
        Some((overlay, laid))
    }
}

impl Overlay {
    fn is_marked(&self, root: &Path) -> bool {
        let text = fs::read_to_string(&self.marker).ok();
        text.is_some_and(|text| self.mark_of(root).is_some_and(|mark| mark == text))
    }

    fn mark_of(&self, root: &Path) -> Option<String> {
        let files = fingerprint::of_folder(root).ok()?;
        Some(format!("{}\n{files}\n", self.digest))
    }

    fn mark(&self, root: &Path) -> Result<()> {
        let written = self.mark_of(root).map(|text| fs::write(&self.marker, text));
        Ok(written
            .unwrap_or(Ok(()))
            .map_err(HostError::on("write", &self.marker))?)
    }

    fn unmark(&self) -> Result<()> {
        match fs::remove_file(&self.marker) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(HostError::on("remove", &self.marker)(error).into())
            }
            _ => Ok(()),
        }
    }
}

fn read(root: &Path) -> Result<Tree> {
    Ok(Tree::read(root).map_err(|source| BenchError::Unreadable {
        folder: root.to_owned(),
        source,
    })?)
}
