//! A contender that is a container: it listens on a port of its own network, in which the load's sockets are opened.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::AtomicBool;

use tare_host::containers::{self, ContainerSpec};
use tare_host::keeper::Keeper;
use tare_host::process::Process;
use tare_host::ready;
use tare_host::substitute::{BadPlaceholder, substitute, substitute_word};
use tare_model::fault::{Fault, FaultKind};

use crate::contender::{ContainerRun, RigGroup, Runnable};
use crate::spec::filled;

/// What a log says where a program was refused something, in lower case.
const REFUSALS: [&str; 3] = ["operation not permitted", "permission denied", "eperm"];

/// Starts the container and waits until it is ready; returns the port that it listens on.
pub(super) fn start(
    container: &ContainerRun,
    keeper: &Keeper,
    cancel: &AtomicBool,
    group: &RigGroup,
    runnable: &Runnable,
) -> Result<(Process, u16), Fault> {
    let spec = spec(container, group, runnable)?;
    let mut process = containers::start(keeper, &container.engine, &spec)?;
    let port = container.port;
    ready::wait(&mut process, &runnable.ready, port, group.ready_within, cancel).map_err(with_hint)?;
    Ok((process, port))
}

/// How it is started, with its placeholders replaced.
fn spec(container: &ContainerRun, group: &RigGroup, runnable: &Runnable) -> Result<ContainerSpec, Fault> {
    let reaches = container.reaches.as_ref();
    let services = reaches.map_or(Ipv4Addr::LOCALHOST, |host| host.address());
    let own = [
        ("port", container.port.to_string()),
        ("host", Ipv4Addr::LOCALHOST.to_string()),
        ("services", services.to_string()),
    ];
    let values = filled(&runnable.values, &own);
    let unfit = |error: BadPlaceholder| Fault::new(FaultKind::DiedAtStart, error.to_string());
    let word = |(name, word): (&String, &String)| {
        let filled = substitute_word(word, &values).map_err(unfit)?;
        Ok((name.clone(), filled))
    };
    let hosts = container.hosts.iter().map(word);
    let hosts = hosts
        .map(|host| host.and_then(address))
        .collect::<Result<_, Fault>>()?;
    Ok(ContainerSpec {
        image: container.image.clone(),
        name: container.name.clone(),
        command: substitute(&container.command, &values).map_err(unfit)?,
        env: runnable.env.iter().map(word).collect::<Result<_, Fault>>()?,
        hosts,
        files: container.files.clone(),
        limits: container.limits.clone(),
        reaches: container.reaches.clone(),
        cores: group.placement.contender.clone(),
        log: runnable.log.clone(),
    })
}

fn address((name, address): (String, String)) -> Result<(String, String), Fault> {
    match address.parse::<IpAddr>() {
        Ok(_) => Ok((name, address)),
        Err(_) => {
            let text = format!(
                "the host `{name}` of a container has no address: `{address}`\n\nhint: an IP address, such as 127.0.0.1, which \
                 is the container itself"
            );
            Err(Fault::new(FaultKind::DiedAtStart, text))
        }
    }
}

/// Adds what helps where a container was refused something.
fn with_hint(fault: Fault) -> Fault {
    let text = fault.detail.to_lowercase();
    if fault.kind == FaultKind::Instrument || !REFUSALS.iter().any(|refusal| text.contains(refusal)) {
        return fault;
    }
    let detail = format!(
        "{}\n\nhint: it was refused something: containers have the engine's usual capabilities here and no others, and no \
         devices; a port below 1024 needs none",
        fault.detail
    );
    Fault::new(fault.kind, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_have_addresses() {
        let host = |text: &str| address(("db".to_owned(), text.to_owned()));
        assert!(host("10.1.0.1").is_ok() && host("::1").is_ok());
        for bad in ["", "localhost", "10.1.0.1 x", "10.1.0"] {
            assert!(host(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_refusal_comes_with_a_hint() {
        let hinted = |kind, text: &str| {
            with_hint(Fault::new(kind, text))
                .detail
                .contains("hint: it was refused")
        };
        assert!(hinted(FaultKind::DiedAtStart, "mount: Operation not permitted"));
        assert!(!hinted(FaultKind::DiedAtStart, "no such table"));
        assert!(!hinted(FaultKind::Instrument, "Operation not permitted"));
    }
}
