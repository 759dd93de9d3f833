//! A folder of HttpArena's results: `results/PROFILE/CONNECTIONS/NAME.json`, or `data` of its site.

use std::fs;
use std::path::{Path, PathBuf};

use tare_model::record::RunRecord;
use tare_report::httparena::{self, FileOf};

use crate::failure::Failure;

/// The most files. The suite has some thousands.
const MOST: usize = 20_000;

/// How deep files are.
const DEEPEST: usize = 3;

/// Reads all results in a folder as one run; none if it has none.
pub(super) fn read(folder: &Path) -> Result<Option<RunRecord>, Failure> {
    let mut paths = Vec::new();
    collect(folder, DEEPEST, &mut paths);
    paths.sort();
    let mut texts = Vec::new();
    for path in &paths {
        let text = fs::read(path);
        let text =
            text.map_err(|error| Failure::outside(format!("cannot read {}: {error}", path.display())))?;
        texts.push((path, text));
    }
    let files: Vec<FileOf<'_>> = texts.iter().map(|(path, bytes)| FileOf { path, bytes }).collect();
    // What else is in the folder is passed over.
    Ok(httparena::read(&files, &folder.to_string_lossy(), super::now()).ok())
}

fn collect(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let is_json = path.extension().is_some_and(|end| end == "json");
        if path.is_dir() && depth > 1 {
            collect(&path, depth - 1, found);
        } else if is_json && found.len() < MOST {
            found.push(path);
        }
    }
}
