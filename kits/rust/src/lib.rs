//! The probe protocol for Rust: what stands between tare and the code under test.
//!
//! A contender says `with = ["kits/rust"]` in its manifest and `probe = { path = "with/rust" }` in its Cargo.toml:
//!
//! ```no_run
//! use probe::Probe;
//!
//! fn main() -> std::io::Result<()> {
//!     let inputs: Vec<u64> = (0..64).map(|i| i * 7919).collect();
//!     Probe::new()
//!         .job(inputs.len(), |i| inputs[i].to_string())
//!         .serve()
//! }
//! ```
//!
//! Where the case is swept, each size is a job of its own, with a loop of its own: `.sized(25, 64, |i| …)`. A job
//! returns anything that is bytes, made anew; a number is [`number`]. Further commands (`read HEX`) are
//! `.command("read", |argument| …)`.

use std::hint::black_box;
use std::io::{self, BufRead, Write};
use std::time::Instant;

mod words;

/// The jobs of a contender, and the commands that it answers besides.
#[derive(Default)]
pub struct Probe<'a> {
    jobs: Vec<(Option<u64>, Box<dyn Job + 'a>)>,
    commands: Vec<(&'static str, Box<Answer<'a>>)>,
}

/// From the word that follows a command to the bytes that answer it, or why there are none.
type Answer<'a> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'a;

impl<'a> Probe<'a> {
    /// A probe without jobs.
    pub fn new() -> Self {
        Self::default()
    }

    /// The job of a case without sizes: from the number of an input, below `inputs`, to its result.
    pub fn job<R: AsRef<[u8]>>(self, inputs: usize, result: impl FnMut(usize) -> R + 'a) -> Self {
        self.add(None, inputs, result)
    }

    /// The job for one size of a swept case.
    pub fn sized<R: AsRef<[u8]>>(
        self,
        size: u64,
        inputs: usize,
        result: impl FnMut(usize) -> R + 'a,
    ) -> Self {
        self.add(Some(size), inputs, result)
    }

    /// For a case that is one size of a sweep: of all jobs that of this size remains, as the job without a size. For
    /// the sweep itself (`None`) all remain.
    pub fn only(mut self, size: Option<u64>) -> Self {
        if size.is_some() {
            self.jobs.retain(|(own, _)| *own == size);
            self.jobs.iter_mut().for_each(|(own, _)| *own = None);
        }
        self
    }

    /// A further command of one argument, answered with `ok HEX` or `error WHY`.
    pub fn command(
        mut self,
        name: &'static str,
        answer: impl FnMut(&str) -> Result<Vec<u8>, String> + 'a,
    ) -> Self {
        self.commands.push((name, Box::new(answer)));
        self
    }

    fn add<R: AsRef<[u8]>>(
        mut self,
        size: Option<u64>,
        inputs: usize,
        result: impl FnMut(usize) -> R + 'a,
    ) -> Self {
        assert!(inputs > 0, "a job needs at least one input");
        self.jobs.push((size, Box::new(Loop { inputs, result })));
        self
    }

    /// Answers each line of standard input with one line on standard output, until the input ends.
    pub fn serve(mut self) -> io::Result<()> {
        let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
        let mut line = Vec::new();
        while input.read_until(b'\n', &mut line)? > 0 {
            let text = String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(&line)).into_owned();
            match self.answer(&text) {
                Ok(answer) => writeln!(output, "ok {answer}")?,
                Err(why) => writeln!(output, "error {}", why.replace(['\n', '\r'], " "))?,
            }
            output.flush()?;
            line.clear();
        }
        Ok(())
    }

    fn answer(&mut self, line: &str) -> Result<String, String> {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["run", count] => self.run(words::number(count)?, None),
            ["run", count, size] => self.run(words::number(count)?, Some(words::number(size)?)),
            ["show", input] => self.show(words::number(input)?, None),
            ["show", input, size] => self.show(words::number(input)?, Some(words::number(size)?)),
            [name, argument] => {
                let known = self.commands.iter_mut().find(|(known, _)| *known == name);
                let (_, answer) = known.ok_or_else(|| words::unknown(line))?;
                answer(argument).map(|bytes| words::hex(&bytes))
            }
            _ => Err(words::unknown(line)),
        }
    }

    fn run(&mut self, count: u64, size: Option<u64>) -> Result<String, String> {
        let job = self.find(size)?;
        let begin = Instant::now();
        let sum = job.run(count);
        let time = begin.elapsed();
        Ok(format!("{} {sum}", time.as_nanos()))
    }

    fn show(&mut self, input: u64, size: Option<u64>) -> Result<String, String> {
        let result = self.find(size)?.show(input);
        Ok(words::hex(&result.ok_or(format!("there is no input {input}"))?))
    }

    fn find(&mut self, size: Option<u64>) -> Result<&mut (dyn Job + 'a), String> {
        let found = self.jobs.iter_mut().find(|(own, _)| *own == size);
        let lacking = || match size {
            Some(size) => format!("there is no job of size {size}"),
            None => "there is no job without a size".to_owned(),
        };
        found.map(|(_, job)| &mut **job).ok_or_else(lacking)
    }
}

/// A job behind one virtual call a command; the loop inside is compiled for the job alone.
trait Job {
    fn run(&mut self, count: u64) -> u32;
    fn show(&mut self, input: u64) -> Option<Vec<u8>>;
}

struct Loop<F> {
    inputs: usize,
    result: F,
}

impl<F: FnMut(usize) -> R, R: AsRef<[u8]>> Job for Loop<F> {
    fn run(&mut self, count: u64) -> u32 {
        let (mut sum, mut input) = (0_u32, 0);
        for _ in 0..count {
            // Neither the input is known to the optimiser nor that most bytes of the result are never read.
            let result = (self.result)(black_box(input));
            sum = sum.wrapping_add(term(black_box(result.as_ref())));
            input += 1;
            if input == self.inputs {
                input = 0;
            }
        }
        sum
    }

    fn show(&mut self, input: u64) -> Option<Vec<u8>> {
        let input = usize::try_from(input).ok()?;
        (input < self.inputs).then(|| (self.result)(input).as_ref().to_vec())
    }
}

/// What one result adds to the checksum: from its length and its first and last four bytes.
#[inline]
pub fn term(result: &[u8]) -> u32 {
    let (first, last) = match (result.first_chunk(), result.last_chunk()) {
        (Some(first), Some(last)) => (u32::from_le_bytes(*first), u32::from_le_bytes(*last)),
        _ => {
            let mut padded = [0; 4];
            padded[..result.len()].copy_from_slice(result);
            (u32::from_le_bytes(padded), u32::from_le_bytes(padded))
        }
    };
    (result.len() as u32)
        .wrapping_mul(2_654_435_761)
        .wrapping_add(first.wrapping_mul(2_246_822_519))
        .wrapping_add(last.wrapping_mul(3_266_489_917))
}

/// A result that is a number: its eight bytes, little endian. A signed one is cast (`as u64`).
#[inline]
pub fn number(value: u64) -> [u8; 8] {
    value.to_le_bytes()
}

/// The bytes that a hexadecimal word stands for, as commands of one's own may need them.
pub fn unhex(word: &str) -> Result<Vec<u8>, String> {
    words::unhex(word)
}
