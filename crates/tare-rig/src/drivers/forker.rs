//! CGI programs without a web server in front: started by tare's own forker, which is in their group and counted apart, as
//! a front is.

use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use tare_host::forker;
use tare_host::keeper::Keeper;
use tare_host::process::{Process, ProcessSpec};
use tare_host::{ports, ready};
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::Ready;

use crate::contender::{RigGroup, Runnable};
use crate::spec::process_spec;

/// Starts the forker and waits until it is ready; returns the port that it listens on.
pub(crate) fn start(
    keeper: &Keeper,
    cancel: &AtomicBool,
    group: &RigGroup,
    runnable: &Runnable,
) -> Result<(Process, u16), Fault> {
    let program = process_spec(group, runnable, &[])?;
    let path = program.argv.first().map_or("", String::as_str);
    executable(path)?;
    let mut argv = group.forker.clone();
    argv.extend(forker::words(path, program.env.keys().cloned()));
    let folder = Path::new(path).parent().filter(|folder| folder.is_absolute());
    let spec = ProcessSpec {
        argv,
        // As under web servers, a program runs in its own folder.
        cwd: folder.unwrap_or(&program.cwd).to_owned(),
        ..program
    };
    let (listener, port) = ports::listener(group.host())?;
    let mut process = Process::start_listening(keeper.group()?, spec, listener)?;
    process.count_apart(forker::NAME);
    let at = SocketAddr::new(group.host(), port);
    ready::wait_at(&mut process, &Ready::Connect, at, group.ready_within, cancel)?;
    Ok((process, port))
}

fn executable(path: &str) -> Result<(), Fault> {
    let unfit = match fs::metadata(path) {
        Ok(found) if !found.is_file() => "is no file".to_owned(),
        Ok(found) if found.permissions().mode() & 0o111 == 0 => "is not executable".to_owned(),
        Ok(_) => return Ok(()),
        Err(error) => format!("cannot be found ({error})"),
    };
    let text = format!(
        "the CGI program {path} {unfit}\n\nhint: `run` in the manifest names it; see that the build makes it, and \
         makes it executable (chmod 755)"
    );
    Err(Fault::new(FaultKind::DiedAtStart, text))
}
