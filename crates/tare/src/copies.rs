//! What other machines get of a lab, and of tare.

use std::hash::{DefaultHasher, Hash, Hasher};

use tare_cluster::{ClusterError, Files};
use tare_model::manifest::Lab;

use crate::failure::Failure;

/// What the program is called in a folder there.
pub const PROGRAM: &str = "./tare";

/// What a folder there has of a lab.
const OF_A_LAB: [&str; 5] = ["workloads", "languages", "services", "kits", "tare.toml"];

/// The folder of a machine that has only tare.
pub const OF_TARE: &str = ".cache/tare/agent";

/// The folder there of a lab, from the user's own: the same for the same lab, so that builds are kept; another for another lab of
/// the same name.
pub fn folder(lab: &Lab) -> String {
    let mut hasher = DefaultHasher::new();
    (tare_host::machine::ungrouped().host, &lab.folder).hash(&mut hasher);
    format!(".cache/tare/labs/{:016x}", hasher.finish())
}

/// A lab, and tare.
pub fn of_lab(lab: &Lab) -> Result<Files, Failure> {
    let there = |name: &&str| lab.folder.join(name).exists();
    Ok(Files {
        from: lab.folder.clone(),
        names: OF_A_LAB.into_iter().filter(there).map(str::to_owned).collect(),
        ..of_tare()?
    })
}

/// Tare alone.
pub fn of_tare() -> Result<Files, Failure> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::outside(format!("tare's own program is not found: {error}")))?;
    Ok(Files {
        from: "/".into(),
        names: Vec::new(),
        without: ["node_modules", "target", ".git"].map(str::to_owned).into(),
        program: (program, PROGRAM.trim_start_matches("./").to_owned()),
    })
}

/// The failure of a step on another machine.
pub fn refused(error: ClusterError) -> Failure {
    let hint = error.hint();
    Failure::outside(error).hint(hint)
}
