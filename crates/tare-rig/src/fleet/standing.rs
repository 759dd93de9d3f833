//! A generator process that stays, from within: it gets servers, and drives slices of them.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use tare_lab::rig::{Pacing, SliceOrder};
use tare_load::{Load, LoadFault, Target, limits};
use tare_model::driving::{ConnectionUse, Refill};
use tare_model::fault::{Fault, FaultKind};
use tare_model::units::{PerSecond, Seconds};
use tare_remote::message::ToAgent;
use tare_remote::{Served, Slice};

use super::member::{SOURCES, say};
use super::message::Message;
use super::outcome::GeneratorOutcome;
use crate::pacing::{length, schedule};

/// Drives slices over standard input and output until the input ends. `number`: its own among all generator processes;
/// `target`: what a server is, and what is asked of it. Sets `cancel` to end a slice early, and at the end.
///
/// # Errors
/// If standard output cannot be written to.
pub fn stand(
    load: &mut Load,
    number: u32,
    target: impl Fn(&Served) -> Result<Target, String>,
    cancel: &'static AtomicBool,
) -> io::Result<()> {
    // Raises the limit of open files; the agent has checked the other limits.
    limits::most_of_one_process();
    let told = hear(cancel);
    let mut servers = BTreeMap::new();
    while let Ok(message) = told.recv() {
        match message {
            ToAgent::Serve { number: at, server } => {
                let made = target(&server).map(|target| target.from_source(number * SOURCES));
                servers.insert(at, made);
            }
            ToAgent::Leave(at) => drop(servers.remove(&at)),
            ToAgent::Slice(slice) => {
                let outcome = match servers.get_mut(&slice.server) {
                    Some(Ok(target)) => driven(load, target, &slice, &told, cancel)?,
                    Some(Err(why)) => failed(why),
                    None => failed("it was not named before"),
                };
                say(&Message::Ended(Box::new(outcome)))?;
            }
            // Of a slice that has ended already.
            _ => {}
        }
    }
    Ok(())
}

/// Opens the connections of a slice, waits until all generators have done so, and drives it.
fn driven(
    load: &mut Load,
    target: &mut Target,
    slice: &Slice,
    told: &Receiver<ToAgent>,
    cancel: &AtomicBool,
) -> io::Result<GeneratorOutcome> {
    let order = order(slice);
    target.set_use(order.usage);
    let mut reopened = 0;
    // A job opens connections of its own.
    if order.pacing != Pacing::Job {
        match load.connect(target, order.connections, cancel) {
            Ok(again) => reopened = again,
            Err(failed) => return Ok(failed.into()),
        }
    }
    say(&Message::Ready)?;
    match told.recv() {
        Ok(ToAgent::Go) => {}
        _ => return Ok(LoadFault::interrupted().into()),
    }
    say(&Message::Began)?;
    let driven = load.run(target, &schedule(&order), length(&order), cancel);
    let mut outcome = GeneratorOutcome::from(driven);
    outcome.reading.reopened += reopened;
    Ok(outcome)
}

/// A server that cannot be driven here.
fn failed(why: &str) -> GeneratorOutcome {
    let text = format!("a generator cannot drive the server: {why}");
    GeneratorOutcome {
        reading: Default::default(),
        fault: Some(Fault::new(FaultKind::Instrument, text)),
        interrupted: false,
    }
}

fn order(slice: &Slice) -> SliceOrder {
    let (pacing, rate, programs, requests) = match slice.pacing {
        tare_remote::Pacing::Closed => (Pacing::Closed, 0.0, 1, 1),
        tare_remote::Pacing::Open(rate) => (Pacing::Open, rate, 1, 1),
        tare_remote::Pacing::Job { programs, requests } => (Pacing::Job, 0.0, programs, requests),
    };
    SliceOrder {
        pacing,
        length: Seconds(slice.length.as_secs_f64()),
        rate: PerSecond(rate),
        connections: slice.connections,
        depth: slice.depth,
        programs,
        requests,
        usage: ConnectionUse {
            refill: match slice.refill {
                tare_remote::Refill::OneByOne => Refill::OneByOne,
                tare_remote::Refill::Batches => Refill::Batches,
            },
            renew_after: slice.renew_after,
        },
        size: None,
    }
}

/// Hears in a thread what the agent says. A slice that is to end early is ended at once, and so is one at the end of the
/// input.
fn hear(cancel: &'static AtomicBool) -> Receiver<ToAgent> {
    let (tell, told) = channel();
    thread::spawn(move || {
        let mut line = String::new();
        while io::stdin().read_line(&mut line).is_ok_and(|read| read > 0) {
            if let Ok(message) = serde_json::from_str(&line) {
                match message {
                    ToAgent::Slice(_) => cancel.store(false, Ordering::SeqCst),
                    ToAgent::Stop => cancel.store(true, Ordering::SeqCst),
                    _ => {}
                }
                // It has an output only as long as it has an input.
                let _ = tell.send(message);
            }
            line.clear();
        }
        cancel.store(true, Ordering::SeqCst);
    });
    told
}
