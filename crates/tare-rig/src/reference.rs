//! Reference files: the right result of each input of an in-process job, and so of every checksum.

use std::fs;
use std::path::Path;

use tare_model::manifest::Probe;

/// A file of a workload that is not valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {what}\n\nhint: {hint}")]
pub struct BadFile {
    /// The file, with the line if there is one.
    pub file: String,
    /// What is wrong with it.
    pub what: String,
    /// The hint.
    pub hint: &'static str,
}

/// The results of all sizes of one case.
#[derive(Debug, Clone, PartialEq)]
pub struct References {
    /// By size, in the order of the sweep; without a sweep, one without a size.
    by_size: Vec<(Option<u64>, Reference)>,
}

/// The results of the inputs 0 … K−1.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    results: Vec<Expected>,
    /// `sums[n]`: the checksum of the first n inputs, each once.
    sums: Vec<u32>,
}

/// The right result of one input.
#[derive(Debug, Clone, PartialEq)]
enum Expected {
    Whole(Vec<u8>),
    /// Of a result that is too large to keep.
    Digest {
        len: u64,
        first: u32,
        last: u32,
        hash: u64,
    },
}

/// The largest file: workloads are kept in repositories.
const MOST_BYTES: u64 = 256 << 20;
const HINT: &str = "one line for each input: the result in hex, or `LEN FIRST LAST FNV1A64` (docs/probe.md)";

impl References {
    /// Reads the files of a case, at each of its sizes (empty without a sweep). `folder`: the workload's; `floor`: those of
    /// the floor contender.
    ///
    /// # Errors
    /// A file that is missing, or a line that is not valid.
    pub fn read(
        folder: &Path,
        probe: &Probe,
        case: &str,
        sizes: &[u64],
        floor: bool,
    ) -> Result<Self, BadFile> {
        let all: Vec<Option<u64>> = match sizes {
            [] => vec![None],
            sizes => sizes.iter().copied().map(Some).collect(),
        };
        let read = |size: Option<u64>| {
            let path = folder.join(probe.file(case, size, floor));
            Ok((
                size,
                Reference::parse(&text(&path)?, &path.display().to_string())?,
            ))
        };
        let by_size = all.into_iter().map(read).collect::<Result<_, _>>()?;
        Ok(Self { by_size })
    }

    /// The sizes and their results.
    pub fn all(&self) -> impl Iterator<Item = (Option<u64>, &Reference)> {
        self.by_size.iter().map(|(size, reference)| (*size, reference))
    }

    /// The results at a size; without a size (in a warm-up), the first.
    pub fn of(&self, size: Option<u64>) -> (Option<u64>, &Reference) {
        let found = self.by_size.iter().find(|(known, _)| *known == size);
        let (size, reference) = found.unwrap_or(&self.by_size[0]);
        (*size, reference)
    }
}

fn text(path: &Path) -> Result<String, BadFile> {
    let bad = |what: String| BadFile {
        file: path.display().to_string(),
        what,
        hint: "the workload's `reference` names it; `reference.py` beside the manifest makes it",
    };
    let size = fs::metadata(path).map_err(|error| bad(error.to_string()))?.len();
    if size > MOST_BYTES {
        return Err(bad(format!("{size} bytes are more than {MOST_BYTES}")));
    }
    fs::read_to_string(path).map_err(|error| bad(error.to_string()))
}

impl Reference {
    /// Reads a file's text.
    ///
    /// # Errors
    /// The first line that is not valid, or that there is none.
    pub fn parse(text: &str, file: &str) -> Result<Self, BadFile> {
        let bad = |file: String, what: String| BadFile {
            file,
            what,
            hint: HINT,
        };
        let mut results = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let parsed = Expected::parse(line.trim());
            let shown: String = line.chars().take(60).collect();
            let unread = || bad(format!("{file}:{}", index + 1), format!("`{shown}` is no result"));
            results.push(parsed.ok_or_else(unread)?);
        }
        if results.is_empty() {
            return Err(bad(file.to_owned(), "there is no result in it".to_owned()));
        }
        let mut sums = vec![0_u32];
        for result in &results {
            sums.push(sums[sums.len() - 1].wrapping_add(result.term()));
        }
        Ok(Self { results, sums })
    }

    /// How many inputs there are: K.
    pub fn inputs(&self) -> u64 {
        self.results.len() as u64
    }

    /// The checksum of iterations 0 … n−1, iteration i on input i mod K.
    pub fn checksum(&self, n: u64) -> u32 {
        let all = self.sums[self.results.len()];
        let (whole, rest) = (n / self.inputs(), n % self.inputs());
        (whole as u32)
            .wrapping_mul(all)
            .wrapping_add(self.sums[rest as usize])
    }

    /// The right result of an input, in hex; its beginning if it is long.
    pub fn shown(&self, input: u64) -> String {
        match &self.results[(input % self.inputs()) as usize] {
            Expected::Whole(bytes) => beginning(bytes),
            Expected::Digest { len, .. } => format!("{len} bytes"),
        }
    }

    /// The most characters that the right answer to `show` has.
    pub(crate) fn longest_show(&self) -> usize {
        let digits = |result: &Expected| 2 * result.len() as usize;
        self.results.iter().map(digits).max().unwrap_or(0) + 16
    }

    /// Compares the answer to `show`, in hex, with the right result of an input.
    ///
    /// # Errors
    /// The first difference, with both sides.
    pub fn judge(&self, input: u64, hex: &str) -> Result<(), String> {
        let found = unhex(hex).ok_or_else(|| format!("`{}` is not hex", shown(hex.as_bytes(), 0)))?;
        let expected = &self.results[(input % self.inputs()) as usize];
        if expected.fits(&found) {
            return Ok(());
        }
        Err(match expected {
            Expected::Whole(expected) => difference(&found, expected),
            Expected::Digest { len, .. } if *len != found.len() as u64 => {
                format!("it has {} bytes, expected {len}", found.len())
            }
            Expected::Digest { .. } => "its length is right, but not all of its bytes".to_owned(),
        })
    }
}

impl Expected {
    /// A line of hex digits (possibly empty), or of four words.
    fn parse(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words.as_slice() {
            [] => Some(Self::Whole(Vec::new())),
            [hex] => unhex(hex).map(Self::Whole),
            [len, first, last, hash] => Some(Self::Digest {
                len: len.parse().ok()?,
                first: u32::from_str_radix(first, 16).ok()?,
                last: u32::from_str_radix(last, 16).ok()?,
                hash: u64::from_str_radix(hash, 16).ok()?,
            }),
            _ => None,
        }
    }

    fn len(&self) -> u64 {
        match self {
            Self::Whole(bytes) => bytes.len() as u64,
            Self::Digest { len, .. } => *len,
        }
    }

    fn ends(&self) -> (u32, u32) {
        match self {
            Self::Whole(bytes) => ends(bytes),
            Self::Digest { first, last, .. } => (*first, *last),
        }
    }

    /// What it adds to a checksum: cheap compared with any work, and a wrong result is unlikely to give the same.
    fn term(&self) -> u32 {
        let (first, last) = self.ends();
        (self.len() as u32)
            .wrapping_mul(2_654_435_761)
            .wrapping_add(first.wrapping_mul(2_246_822_519))
            .wrapping_add(last.wrapping_mul(3_266_489_917))
    }

    fn fits(&self, found: &[u8]) -> bool {
        match self {
            Self::Whole(bytes) => bytes == found,
            Self::Digest { len, hash, .. } => {
                *len == found.len() as u64 && self.ends() == ends(found) && *hash == fnv1a64(found)
            }
        }
    }
}

/// The first and the last four bytes, little endian; a shorter result is padded with zeros.
fn ends(bytes: &[u8]) -> (u32, u32) {
    let word = |bytes: &[u8]| {
        let mut four = [0; 4];
        four[..bytes.len()].copy_from_slice(bytes);
        u32::from_le_bytes(four)
    };
    match bytes.len() {
        0..4 => (word(bytes), word(bytes)),
        len => (word(&bytes[..4]), word(&bytes[len - 4..])),
    }
}

/// Fowler, Noll and Vo's hash, variant 1a, 64 bits (draft-eastlake-fnv).
fn fnv1a64(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The first 32 bytes in hex.
pub(crate) fn beginning(bytes: &[u8]) -> String {
    let digits = bytes.iter().take(32).map(|byte| format!("{byte:02x}"));
    digits.chain((bytes.len() > 32).then(|| "…".to_owned())).collect()
}

pub(crate) fn unhex(hex: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pairs = hex.as_bytes().chunks(2);
    pairs
        .map(|pair| match pair {
            [high, low] => Some((digit(*high)? * 16 + digit(*low)?) as u8),
            _ => None,
        })
        .collect()
}

/// `it has 12 bytes, expected 13; the first difference is at byte 5: found `…`, expected `…``.
fn difference(found: &[u8], expected: &[u8]) -> String {
    let at = found
        .iter()
        .zip(expected)
        .position(|(a, b)| a != b)
        .unwrap_or(found.len().min(expected.len()));
    let lengths = if found.len() == expected.len() {
        String::new()
    } else {
        format!("it has {} bytes, expected {}; ", found.len(), expected.len())
    };
    format!(
        "{lengths}the first difference is at byte {at}: found `{}`, expected `{}`",
        shown(found, at),
        shown(expected, at)
    )
}

/// Some bytes around a place: as text if they are printable, otherwise in hex.
fn shown(bytes: &[u8], at: usize) -> String {
    let part = &bytes[at.saturating_sub(8).min(bytes.len())..bytes.len().min(at + 24)];
    if part.iter().all(|byte| (b' '..=b'~').contains(byte)) {
        String::from_utf8_lossy(part).into_owned()
    } else {
        part.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(text: &str) -> Reference {
        Reference::parse(text, "r.txt").unwrap()
    }

    #[test]
    fn terms_by_hand() {
        // "abcde": 5, "abcd" = 0x64636261, "bcde" = 0x65646362; "ab": 2, 0x6261 twice; nothing: 0.
        let by_hand = |len: u64, first: u64, last: u64| {
            let sum =
                len * 2_654_435_761 + first * 2_246_822_519 % (1 << 32) + last * 3_266_489_917 % (1 << 32);
            (sum % (1 << 32)) as u32
        };
        let found = reference("6162636465\n6162\n\n");
        assert_eq!(found.inputs(), 3);
        let (a, b) = (by_hand(5, 0x6463_6261, 0x6564_6362), by_hand(2, 0x6261, 0x6261));
        assert_eq!(found.checksum(0), 0);
        assert_eq!(found.checksum(1), a);
        assert_eq!(found.checksum(2), a.wrapping_add(b));
        assert_eq!(found.checksum(3), a.wrapping_add(b));
        assert_eq!(found.checksum(4), a.wrapping_mul(2).wrapping_add(b));
    }

    #[test]
    fn a_checksum_is_the_sum_of_its_iterations_whatever_their_number() {
        for seed in 1..=40_u64 {
            let mut random = fastrand::Rng::with_seed(seed);
            let lines: Vec<String> = (0..random.usize(1..9))
                .map(|_| {
                    (0..random.usize(0..12))
                        .map(|_| format!("{:02x}", random.u8(..)))
                        .collect()
                })
                .collect();
            let found = reference(&(lines.join("\n") + "\n"));
            let n = random.u64(0..200);
            let naive = (0..n).fold(0_u32, |sum, i| {
                let term = found.results[(i % found.inputs()) as usize].term();
                sum.wrapping_add(term)
            });
            assert_eq!(found.checksum(n), naive, "seed {seed}, n {n}");
        }
        // Far beyond 32 bits: whole rounds wrap, and so does their number.
        let found = reference("01\n02\n");
        assert_eq!(
            found.checksum(3 << 40),
            ((3_u64 << 39) as u32).wrapping_mul(found.sums[2])
        );
    }

    #[test]
    fn a_difference_is_shown_where_it_is() {
        let found = reference("7b2261223a317d\n");
        assert_eq!(found.judge(0, "7b2261223a317d"), Ok(()));
        assert_eq!(found.judge(1, "7b2261223a317d"), Ok(()), "inputs come again");
        assert_eq!(
            found.judge(0, "7b2261223a327d").unwrap_err(),
            "the first difference is at byte 5: found `{\"a\":2}`, expected `{\"a\":1}`"
        );
        assert_eq!(
            found.judge(0, "7b22").unwrap_err(),
            "it has 2 bytes, expected 7; the first difference is at byte 2: found `{\"`, expected `{\"a\":1}`"
        );
        assert_eq!(found.judge(0, "7b2").unwrap_err(), "`7b2` is not hex");
    }

    #[test]
    fn a_large_result_is_known_by_its_digest() {
        // FNV-1a of "foobar", from the draft's test vectors.
        assert_eq!(fnv1a64(b"foobar"), 0x8594_4171_f739_67e8);
        let found = reference("6 626f6f66 7261626f 85944171f73967e8\n");
        assert_eq!(found.checksum(1), reference("666f6f626172\n").checksum(1));
        assert_eq!(found.judge(0, "666f6f626172"), Ok(()));
        assert!(
            found
                .judge(0, "666f6f6261")
                .unwrap_err()
                .contains("it has 5 bytes, expected 6")
        );
        assert!(found.judge(0, "666f6f626173").is_err());
    }

    #[test]
    fn what_is_no_reference_is_refused_with_its_line() {
        let refused = |text: &str| Reference::parse(text, "r.txt").unwrap_err().to_string();
        assert!(refused("00\nxy\n").starts_with("r.txt:2: `xy` is no result\n\nhint: one line"));
        assert!(refused("1 2 3\n").contains("r.txt:1"));
        assert!(refused("").starts_with("r.txt: there is no result in it"));
    }
}
