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

#[cfg(test)]
mod tests {
    use super::*;

    fn squares() -> Probe<'static> {
        Probe::new()
            .job(3, |i| (i * i * 1000).to_string())
            .sized(2, 2, |i| vec![i as u8; 2])
            .command("half", |word| words::number(word).map(|n| number(n / 2).to_vec()))
    }

    #[test]
    fn runs_go_around_the_inputs() {
        let sum = |line: &str| {
            let answer = squares().answer(line).unwrap();
            answer.split_once(' ').unwrap().1.parse::<u32>().unwrap()
        };
        let term = |text: &str| term(text.as_bytes());
        assert_eq!(sum("run 0"), 0);
        assert_eq!(sum("run 2"), term("0").wrapping_add(term("1000")));
        let round = ["0", "1000", "4000"].iter().fold(0_u32, |sum, text| sum.wrapping_add(term(text)));
        assert_eq!(sum("run 4"), round.wrapping_add(term("0")));
        assert_eq!(sum("run 1 2"), super::term(&[0, 0]));
    }

    #[test]
    fn terms_pad_what_is_short() {
        assert_eq!(term(b""), 0);
        let weighed = |len: u32, first: u32, last: u32| {
            let term = u64::from(len) * 2_654_435_761 + u64::from(first) * 2_246_822_519;
            ((u128::from(term) + u128::from(last) * 3_266_489_917) % (1 << 32)) as u32
        };
        assert_eq!(term(&[1]), weighed(1, 1, 1));
        assert_eq!(term(&[1, 0, 2]), weighed(3, 0x20001, 0x20001));
        assert_eq!(term(&[1, 2, 3, 4, 5]), weighed(5, 0x0403_0201, 0x0504_0302));
    }

    #[test]
    fn results_are_shown_whole() {
        assert_eq!(squares().answer("show 2"), Ok("34303030".to_owned()));
        assert_eq!(squares().answer("show 1 2"), Ok("0101".to_owned()));
        assert_eq!(squares().answer("half 6"), Ok("0300000000000000".to_owned()));
    }

    #[test]
    fn what_is_not_understood_is_said() {
        for line in ["", "run", "run ", "run x", "run -1", "run +1", "run 1 ", "run 1 2 3", "Run 1"] {
            assert!(squares().answer(line).is_err(), "{line:?}");
        }
        for line in ["show 3", "show 0 3", "run 1 3", "run 18446744073709551616", "half x", "run 1\r"] {
            assert!(squares().answer(line).is_err(), "{line:?}");
        }
        assert!(Probe::new().answer("run 0").is_err());
    }

    #[test]
    fn hexadecimal_words_are_read_back() {
        assert_eq!(unhex("00ff1a"), Ok(vec![0, 255, 26]));
        assert_eq!(unhex(""), Ok(vec![]));
        assert!(unhex("0").is_err() && unhex("0g").is_err() && unhex("+1").is_err() && unhex("é").is_err());
    }
}
