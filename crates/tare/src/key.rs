//! The key that agents and conductors have in common: from a file, or from the environment. Never from the command line, which
//! everybody on a machine can read.

use std::path::Path;

use tare_remote::{Key, KeyError};

use crate::failure::Failure;

/// The variable that holds it where no file is named.
pub const VARIABLE: &str = "TARE_KEY";

/// The key of a file, or of the environment.
pub fn read(file: Option<&Path>) -> Result<Key, Failure> {
    let failed = |error: KeyError| Failure::usage(&error).hint(error.hint());
    match (file, std::env::var_os(VARIABLE)) {
        (Some(file), _) => Key::read(file).map_err(failed),
        (None, Some(text)) => Key::new(text.as_encoded_bytes()).map_err(failed),
        (None, None) => Err(Failure::usage(
            "an agent and those who use it need a common key: --key-file FILE, or the variable TARE_KEY",
        )
        .hint("make one with `(umask 077; head -c 32 /dev/urandom | base64 > KEYFILE)`, and copy it to every machine")),
    }
}
