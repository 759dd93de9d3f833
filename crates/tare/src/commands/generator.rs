//! One of several generator processes of a load (started by tare itself).

use std::io;
use std::process::Command;

use tare_host::interrupt;
use tare_load::Load;
use tare_prepare::servers::{LoadRequest, ServerLoad, served, standing_generator};
use tare_remote::Part;
use tare_remote::message::ToAgent;
use tare_rig::fleet::{Member, stand};

use crate::context::Context;
use crate::failure::{self, Failure};
use crate::key;

/// Be one of several generator processes of a load (started by tare itself)
#[derive(Debug, Clone, clap::Args)]
pub struct GeneratorArgs {}

/// The command that starts one: this program.
pub fn command() -> Result<impl Fn() -> Command, Failure> {
    let program = std::env::current_exe();
    let program = program.map_err(|error| Failure::outside(format!("cannot find tare: {error}")))?;
    Ok(move || {
        let mut command = Command::new(&program);
        // It has no use for the key.
        command.arg("__generator").env_remove(key::VARIABLE);
        command
    })
}

/// Does what standard input says.
pub fn run(_: &Context, _: &GeneratorArgs) -> Result<u8, Failure> {
    interrupt::install().map_err(Failure::outside)?;
    let nothing = |why: &str| Failure::outside(format!("there is nothing to load: {why}"));
    match Member::order().map_err(|error| nothing(&error.to_string()))? {
        ToAgent::Load(part) => take_part(&part),
        ToAgent::Stand(standing) => {
            let mut generator = Load::new(standing_generator(&standing));
            let stood = stand(&mut generator, standing.first, served, interrupt::flag());
            stood.map(|()| 0).map_err(|error| mute(&error))
        }
        _ => Err(nothing("the first line is no load")),
    }
}

/// Does its part of a load.
fn take_part(part: &Part) -> Result<u8, Failure> {
    let request = LoadRequest::of_part(part);
    let ServerLoad {
        target,
        schedule,
        length,
    } = request.of_one(&part.url)?;
    let member = Member {
        number: part.first,
        progress: part.progress,
    };
    let mut generator = Load::new(request.generator(part.awake, (part.first, part.of)));
    match member.take_part(&mut generator, target, &schedule, length, interrupt::flag()) {
        Ok(true) => Ok(0),
        Ok(false) => Ok(failure::INTERRUPTED),
        Err(error) => Err(mute(&error)),
    }
}

fn mute(error: &io::Error) -> Failure {
    Failure::outside(format!("cannot write to standard output: {error}"))
}
