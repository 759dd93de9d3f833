//! What is started.

use std::path::PathBuf;

use tare_host::command::CommandSpec;

/// A command with the defaults: no input, no output. `folder`: where it is run; none: in the current folder.
pub(crate) fn spec(argv: Vec<String>, folder: Option<PathBuf>) -> CommandSpec {
    CommandSpec {
        argv,
        env: Vec::new(),
        cwd: folder,
        input: None,
        output: None,
        errors: None,
    }
}
