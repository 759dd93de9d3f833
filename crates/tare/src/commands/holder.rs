//! Holds services for a run on another machine, which started this by ssh.

use std::io::{BufRead, Read};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use tare_host::error::HostError;
use tare_host::lock::Lock;
use tare_host::{interrupt, machine};
use tare_model::fault::{Fault, FaultKind};
use tare_prepare::{Held, HoldRequest, Holding};
use tare_remote::holding::{Answer, LONGEST, Question, SILENCE, line, read};
use tare_remote::message::Machine;
use tare_rig::service::{Listens, answer, failed};

use crate::context::{self, Context};
use crate::failure::Failure;
use crate::reached;
use crate::supervise;

/// Hold services for a run on another machine (started by tare itself)
#[derive(Debug, Clone, clap::Args)]
pub struct HolderArgs {}

/// How often it checks whether it was interrupted.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// How long services may take to end.
const ENDING: Duration = Duration::from_secs(10);

/// What a lab's folder is held by meanwhile.
const HOLDER: &str = "tare __holder";

/// Holds what is asked for, until nobody asks any more.
pub fn run(context: &Context, _: &HolderArgs) -> Result<u8, Failure> {
    let (clients, at) = reached::ends()?;
    let lines = lines();
    wait_for_lab(context)?;
    let supervised = supervise::lab(context)?;
    let preparation = supervised.preparation();
    let mut holding = preparation.holding(Listens::Network { at, clients });
    let served = serve(&mut holding, &lines);
    for note in holding.stop() {
        context.say(format!("note: {note}"));
    }
    served.map(|()| 0)
}

/// Waits until what holds services for an earlier run has ended, which may have been killed a moment ago.
fn wait_for_lab(context: &Context) -> Result<(), Failure> {
    let (state, until) = (context.state()?, Instant::now() + SILENCE + ENDING);
    let is_held = || matches!(Lock::take(&state, HOLDER), Err(HostError::Held { .. }));
    while Instant::now() < until && !interrupt::asked() && is_held() {
        std::thread::sleep(LOOK_EVERY);
    }
    Ok(())
}

/// Answers until nobody asks any more. That a service died is the answer to all further questions about it.
fn serve(holding: &mut Holding<'_>, lines: &Receiver<String>) -> Result<(), Failure> {
    while let Some(question) = next(lines)? {
        let answer = match question {
            Question::Beat => continue,
            Question::Hold {
                version,
                service,
                counted,
                install,
            } => hold(
                holding,
                &HoldRequest {
                    version,
                    service,
                    counted,
                    install,
                },
            ),
            Question::Of { number, what } => match holding.service(number) {
                Some(service) => answer(service, &what),
                None => failed(&Fault::new(FaultKind::ServiceDied, "no such service is held")),
            },
        };
        context::put(&format!("{}\n", line(&answer)))?;
    }
    Ok(())
}

fn hold(holding: &mut Holding<'_>, request: &HoldRequest) -> Answer {
    let Held { number, versions } = match holding.hold(request) {
        Ok(held) => held,
        Err(fault) => return failed(&fault),
    };
    let machine = machine::ungrouped();
    let service = holding.service(number);
    Answer::Ready {
        number,
        gives: service.map(|service| service.gives().clone()).unwrap_or_default(),
        versions,
        machine: Machine {
            host: machine.host,
            cpu: machine.cpu,
            cores: machine.cores,
        },
    }
}

/// The next question; none at the end, which a long silence is, too: the machine of whoever asked may have lost its power.
fn next(lines: &Receiver<String>) -> Result<Option<Question>, Failure> {
    let until = Instant::now() + SILENCE;
    loop {
        match lines.recv_timeout(LOOK_EVERY) {
            Ok(text) => {
                let odd = || Failure::outside("a line is no question");
                return read(&text).map(Some).ok_or_else(odd);
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) if interrupt::asked() => return Ok(None),
            Err(RecvTimeoutError::Timeout) if Instant::now() >= until => {
                let silence = SILENCE.as_secs();
                return Err(Failure::outside(format!(
                    "nothing was heard for {silence} s from whoever needs the services"
                )));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// The lines of standard input, until it ends or one is too long. Then nobody needs what is being made, either.
fn lines() -> Receiver<String> {
    let (tell, lines) = channel();
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        loop {
            let mut text = Vec::new();
            let most = LONGEST as u64 + 1;
            let read = input.by_ref().take(most).read_until(b'\n', &mut text);
            let is_whole = text.last() == Some(&b'\n');
            let text = String::from_utf8_lossy(&text).trim_end().to_owned();
            if read.is_err() || !is_whole || tell.send(text).is_err() {
                interrupt::flag().store(true, Ordering::SeqCst);
                return;
            }
        }
    });
    lines
}
