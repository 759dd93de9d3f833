//! The repository's own lab: every manifest of it is right, and new folders fit its languages.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tare_model::claim::Relation;
use tare_model::manifest::{Contender, Job, Lab, Speaks, StatedClaim, scaffold};

fn own_lab() -> Lab {
    Lab::new(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .canonicalize()
            .unwrap(),
    )
}

#[test]
fn every_manifest_of_the_repository_is_valid() {
    let lab = own_lab();
    let mut wrong = Vec::new();
    for name in lab.languages().unwrap() {
        wrong.extend(lab.language(&name).err().map(|error| error.to_string()));
    }
    for name in lab.services().unwrap() {
        wrong.extend(lab.service(&name).err().map(|error| error.to_string()));
    }
    let workloads = lab.workloads().unwrap();
    assert!(workloads.contains(&"doubling".to_owned()), "{workloads:?}");
    for name in workloads {
        match lab.workload(&name) {
            Ok(workload) => {
                let contenders = lab.contenders(&workload);
                wrong.extend(
                    contenders
                        .into_iter()
                        .filter_map(|c| c.err())
                        .map(|error| error.to_string()),
                );
                wrong.extend(lab.published(&workload).err().map(|error| error.to_string()));
            }
            Err(error) => wrong.push(error.to_string()),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Stacks of compiled programs can only be walked where frame pointers are kept.
#[test]
fn every_contender_in_c_cpp_and_rust_has_a_build_with_frame_pointers() {
    let lab = own_lab();
    for (name, said) in [
        ("c", "a build with -fno-omit-frame-pointer"),
        ("cpp", "a build with -fno-omit-frame-pointer"),
        ("rust", "a build with RUSTFLAGS=-C force-frame-pointers=yes"),
    ] {
        let language = lab.language(name).unwrap();
        let mut asked = 0;
        for workload in lab.workloads().unwrap() {
            let workload = lab.workload(&workload).unwrap();
            let all = lab.contenders(&workload).into_iter().flatten();
            for contender in all.filter(|contender| contender.language == name) {
                let instrumentation = language
                    .instrumentation(&contender)
                    .map(|instrumentation| instrumentation.words());
                assert_eq!(
                    instrumentation.as_deref(),
                    Some(said),
                    "{}/{}",
                    workload.name,
                    contender.id
                );
                asked += 1;
            }
        }
        assert!(asked > 2, "{name}: {asked}");
    }
}

/// Explanations have what Haskell programs allocate: `+RTS -S` is refused where a build does not permit it.
#[test]
fn every_contender_in_haskell_can_report_its_allocations() {
    let lab = own_lab();
    let haskell = lab.language("haskell").unwrap();
    let mut asked = 0;
    for name in lab.workloads().unwrap() {
        let workload = lab.workload(&name).unwrap();
        let all = lab.contenders(&workload).into_iter().flatten();
        for contender in all.filter(|contender| contender.language == "haskell") {
            let id = &contender.id;
            assert!(
                haskell.instrumentation(&contender).is_some(),
                "{name}/{id} is built without -rtsopts"
            );
            asked += 1;
        }
    }
    assert!(asked > 20, "{asked}");
}

#[test]
fn programs_that_compute_the_large_page_are_measured_over_rows_and_with_10_columns() {
    let lab = own_lab();
    let workload = lab.workload("bigtable").unwrap();
    let swept: Vec<&String> = workload
        .cases
        .iter()
        .filter(|case| case.sweep.is_some())
        .map(|case| &case.name)
        .collect();
    let contenders: Vec<_> = lab.contenders(&workload).into_iter().flatten().collect();
    for contender in &contenders {
        // Another way of the same program is another contender: one of its ways will do.
        let ways = contenders.iter().filter(|way| way.id.name == contender.id.name);
        let cases: Vec<&String> = ways.flat_map(|way| &way.cases).collect();
        let over_rows = cases.iter().any(|case| swept.contains(case));
        let narrow = cases.iter().any(|case| case.starts_with("ten-columns"));
        // Of a file there is one page.
        let computes = contender.id.name != "static-file";
        assert_eq!(
            (over_rows, narrow),
            (computes, computes),
            "{}: {cases:?}",
            contender.id
        );
    }
    // The slowest way of Yesod is a contender of its own.
    let layout = contenders
        .iter()
        .find(|contender| contender.id.to_string() == "haskell-yesod@layout");
    assert!(layout.unwrap().cases.contains(&"rows-templates".to_owned()));
}

#[test]
fn baselines_and_published_figures_are_in_the_same_cases() {
    let lab = own_lab();
    for name in lab.workloads().unwrap() {
        let workload = lab.workload(&name).unwrap();
        let contenders: Vec<_> = lab.contenders(&workload).into_iter().flatten().collect();
        for case in &workload.cases {
            let members: BTreeSet<String> = contenders
                .iter()
                .filter(|contender| contender.cases.contains(&case.name))
                .map(|contender| contender.id.to_string())
                .collect();
            assert!(
                members.len() >= 2,
                "{name}/{}: no other contender to compare with",
                case.name
            );
            assert!(
                members.contains(&case.baseline.to_string()),
                "{name}/{}",
                case.name
            );
            let reported = lab.published(&workload).unwrap();
            for figure in reported.figures.iter().filter(|one| one.case == case.name) {
                let id = figure.published.contender.to_string();
                assert!(members.contains(&id), "{name}: {figure:?}");
            }
            let named = |stated: &&StatedClaim| {
                let other = match &stated.claim.relation {
                    Relation::MoreThanIn { case, .. } => Some(case),
                    _ => None,
                };
                stated.case == case.name || other == Some(&case.name)
            };
            for stated in reported.claims.iter().filter(named) {
                let claim = &stated.claim;
                let mut ids = std::iter::once(&claim.first).chain(&claim.others);
                assert!(
                    ids.all(|id| members.contains(&id.to_string())),
                    "{name}: {claim:?}"
                );
            }
        }
    }
}

/// A ready-made file computes nothing, so its figure does not count for the language that wrote it during the build.
#[test]
fn a_static_file_does_not_count_as_a_language() {
    let lab = own_lab();
    let workload = lab.workload("bigtable").unwrap();
    let all = lab.contenders(&workload).into_iter().flatten();
    let (files, programs): (Vec<Contender>, Vec<Contender>) =
        all.partition(|contender| contender.speaks == Speaks::Files);
    assert!(!files.is_empty() && !programs.is_empty());
    for file in &files {
        let kin = programs.iter().find(|program| program.language == file.language);
        assert!(
            kin.is_none(),
            "{} counts as {}, as {:?} does",
            file.id,
            file.language,
            kin.map(|kin| kin.id.to_string())
        );
    }
}

fn write(folder: PathBuf, files: &[(String, String)]) {
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// A new folder leaves build and run to its language: the program must be where the language looks for it.
#[test]
fn new_contenders_fit_the_languages() {
    let own = own_lab();
    for language in scaffold::LANGUAGES {
        let folder = tempfile::tempdir().unwrap();
        let file = format!("languages/{language}.toml");
        let toml = fs::read_to_string(own.folder.join(&file)).unwrap();
        write(folder.path().to_owned(), &[(file, toml)]);
        let files = scaffold::workload("fresh", language, &Job::Doubling).unwrap();
        write(folder.path().join("workloads/fresh"), &files);
        let lab = Lab::new(folder.path());
        let workload = lab
            .workload("fresh")
            .unwrap_or_else(|error| panic!("{language}: {error}"));
        let contender = lab.contender(&workload, &language.parse().unwrap()).unwrap();
        let words: Vec<&String> = contender.build.iter().flatten().chain(&contender.run).collect();
        let program = files
            .iter()
            .map(|(path, _)| path.rsplit('/').next().unwrap())
            .find(|file| {
                let named = words.iter().any(|word| word.rsplit('/').next() == Some(file));
                named && *file != "contender.toml"
            });
        let whole_folder = ["go", "rust"].contains(&language);
        assert!(
            program.is_some() || whole_folder,
            "{language}: {words:?} names none of its files"
        );
    }
}
