//! The program of the doctor's A/A test: started twice, so that every difference between the two is this machine's noise.

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Instant;

/// The result of every iteration, as the reference file has it.
pub(super) const RESULT: &str = "0100000000000000";

/// Steps of the chain of each iteration: about 2 µs.
const STEPS: u32 = 1000;

/// Answers as an in-process benchmark (docs/probe.md) over standard input and output, until its input ends.
///
/// # Errors
/// If standard input or output fails.
pub fn probe() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let answer = match line.split_once(' ') {
            Some(("run", n)) => n.parse().map_or_else(|_| not_understood(&line), iterate),
            Some(("show", _)) => format!("ok {RESULT}"),
            _ => not_understood(&line),
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

fn not_understood(line: &str) -> String {
    format!("error `{line}` is not understood")
}

fn iterate(n: u64) -> String {
    // 8 bytes, of which the first four are 1 and the last four 0, little endian.
    let term = 8_u32.wrapping_mul(2_654_435_761).wrapping_add(2_246_822_519);
    let (began, mut sum) = (Instant::now(), 0_u32);
    for _ in 0..n {
        black_box(chain(black_box(88_172_645_463_325_252)));
        sum = sum.wrapping_add(term);
    }
    format!("ok {} {sum}", began.elapsed().as_nanos())
}

/// Each step needs the one before (xorshift64, Marsaglia 2003).
fn chain(mut x: u64) -> u64 {
    for _ in 0..STEPS {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    x
}

/// Serves the doubling job on a port of the loopback interface, a thread for each connection, until it is killed.
///
/// # Errors
/// If it cannot listen on the port.
pub fn serve(port: u16) -> std::io::Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", port))?;
    for stream in listener.incoming().flatten() {
        // A connection that gets no thread is dropped; the load reports that.
        let _ = thread::Builder::new().spawn(move || converse(stream));
    }
    Ok(())
}

fn converse(stream: TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut lines = BufReader::new(stream.try_clone()?);
    let (mut out, mut line, mut answer) = (stream, String::new(), String::new());
    while lines.read_line(&mut line)? > 0 {
        let text = line.trim_end_matches('\n').trim_end_matches('\r');
        if text == "end" {
            break;
        }
        answer.clear();
        let _ = writeln!(answer, "{}", tare_load::job::double(text));
        out.write_all(answer.as_bytes())?;
        line.clear();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_its_results() {
        let words: Vec<String> = iterate(3).split(' ').map(str::to_owned).collect();
        // 3 · (8·2654435761 + 1·2246822519 + 0) modulo 2^32, worked out apart.
        let expected = 3 * (8 * 2_654_435_761_u64 + 2_246_822_519) % (1 << 32);
        assert_eq!((words[0].as_str(), &words[2]), ("ok", &expected.to_string()));
        assert_eq!(not_understood("x"), "error `x` is not understood");
    }
}
