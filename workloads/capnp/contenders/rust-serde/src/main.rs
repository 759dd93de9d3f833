//! `jobs CASE ROLE postcard|json`: one case of the workload `capnp` on a format of serde.

mod carsales;
mod catrank;
mod eval;
mod format;
mod modes;

use std::error::Error;

use crate::format::{Format, Json, Postcard};
use crate::modes::{in_bytes, read, request, serve, Client, Exchange};

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [case, role, format] = &words[..] else {
        return Err("usage: jobs CASE ROLE postcard|json".into());
    };
    match format.as_str() {
        "postcard" => choose::<Postcard>(case, role),
        "json" => choose::<Json>(case, role),
        _ => Err(format!("there is no format {format}").into()),
    }
}

fn choose<F: Format>(case: &str, role: &str) -> Outcome {
    let (job, mode) = case.split_once('-').ok_or("a case is JOB-MODE")?;
    match job {
        "carsales" => play::<carsales::Carsales, F>(mode, role),
        "catrank" => play::<catrank::Catrank, F>(mode, role),
        "eval" => play::<eval::Eval, F>(mode, role),
        _ => Err(format!("there is no job {job}").into()),
    }
}

fn play<E: Exchange, F: Format>(mode: &str, role: &str) -> Outcome {
    match (mode, role) {
        ("bytes", _) => probed::<E, F>(in_bytes::<E, F>),
        ("pipe", "server") => Ok(serve::<E, F>()?),
        ("pipe", _) => {
            let mut client = Client::open()?;
            probed::<E, F>(move |input| client.exchange::<E, F>(input))
        }
        _ => Err(format!("there is no mode {mode}").into()),
    }
}

/// The commands of the probe protocol, and three for the check: which format, a request as bytes, and the answer to
/// a request that somebody else has written.
fn probed<E: Exchange, F: Format>(mut once: impl FnMut(usize) -> format::Result<u64>) -> Outcome {
    let job = move |input| probe::number(once(input).expect("the exchange is whole"));
    probe::Probe::new()
        .job(inputs::KINDS, job)
        .command("format", |_| Ok(F::NAME.as_bytes().to_vec()))
        .command("bytes", |input| {
            let input = input.parse().map_err(|why| format!("{input:?}: {why}"))?;
            request::<E, F>(input).map_err(|why| why.to_string())
        })
        .command("read", |hex| {
            let answer = read::<E, F>(&probe::unhex(hex)?).map_err(|why| why.to_string())?;
            Ok(probe::number(answer).to_vec())
        })
        .serve()?;
    Ok(())
}
