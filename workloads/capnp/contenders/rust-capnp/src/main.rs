//! `jobs CASE ROLE`: one case of the workload `capnp` on the capnp crate.

mod carsales;
mod catrank;
mod eval;
mod framing;
mod modes;

use std::error::Error;

use crate::framing::{Framing, Packed, Plain};
use crate::modes::{in_bytes, in_place, serve, Client, Exchange};

#[allow(clippy::all, dead_code)]
mod jobs_capnp {
    include!(concat!(env!("OUT_DIR"), "/jobs_capnp.rs"));
}

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [case, role] = &words[..] else {
        return Err("usage: jobs CASE ROLE".into());
    };
    let (job, mode) = case.split_once('-').ok_or("a case is JOB-MODE")?;
    match job {
        "carsales" => play::<carsales::Carsales>(mode, role),
        "catrank" => play::<catrank::Catrank>(mode, role),
        "eval" => play::<eval::Eval>(mode, role),
        _ => Err(format!("there is no job {job}").into()),
    }
}

fn play<E: Exchange>(mode: &str, role: &str) -> Outcome {
    match (mode, role) {
        ("object", _) => probed::<E, Plain>(in_place::<E>),
        ("bytes", _) => probed::<E, Plain>(in_bytes::<E, Plain>),
        ("bytes-packed", _) => probed::<E, Packed>(in_bytes::<E, Packed>),
        ("pipe", "server") => Ok(serve::<E, Plain>()?),
        ("pipe-packed", "server") => Ok(serve::<E, Packed>()?),
        ("pipe", _) => piped::<E, Plain>(),
        ("pipe-packed", _) => piped::<E, Packed>(),
        _ => Err(format!("there is no mode {mode}").into()),
    }
}

fn piped<E: Exchange, F: Framing>() -> Outcome {
    let mut client = Client::open()?;
    probed::<E, F>(move |input| client.exchange::<E, F>(input))
}

/// The commands of the probe protocol, and three for the check: which format, a request as bytes, and the answer to
/// a request that somebody else has written.
fn probed<E: Exchange, F: Framing>(mut once: impl FnMut(usize) -> capnp::Result<u64>) -> Outcome {
    let job = move |input| probe::number(once(input).expect("the exchange is whole"));
    probe::Probe::new()
        .job(inputs::KINDS, job)
        .command("format", |_| Ok(F::NAME.as_bytes().to_vec()))
        .command("bytes", |input| {
            modes::request::<E, F>(input).map_err(|why| why.to_string())
        })
        .command("read", |hex| {
            let answer = modes::read::<E, F>(&probe::unhex(hex)?);
            answer
                .map(|value| probe::number(value).to_vec())
                .map_err(|why| why.to_string())
        })
        .serve()?;
    Ok(())
}
