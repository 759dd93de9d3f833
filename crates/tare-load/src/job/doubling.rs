//! The doubling job of experiment 4: integers, one per line, each answered by its double.
//!
//! The mix of requests (one in 16 ends in CR LF instead of LF):
//!
//! | share | what | why |
//! |---|---|---|
//! | 55% | 0 to 9999 | what the load programs of the report sent |
//! | 14% | any 32-bit integer, either sign | doubles beyond 32 bits |
//! | 12% | −1 to −9999 | the sign |
//! | 6% | one to five leading zeros, either sign, `-0` among them | canonical form |
//! | 6% | any 64-bit integer, either sign | doubles beyond 64 bits |
//! | 4% | 20 to 40 digits, either sign | integers of any size |
//! | 3% | no integer | `not an integer` |

use super::{RequestPool, Work};
use crate::wire::{Lines, Protocol};

/// The number of requests in the pool.
const POOL: usize = 4096;

/// Lines that are not integers: an integer is an optional `-` and at least one ASCII digit, nothing else.
const NO_INTEGERS: [&str; 16] = [
    "", "-", "--5", "+5", "5-", "1.5", "1e3", "0x10", "1_000", "1,000", "1 2", " 7", "7 ", "seven", "NaN",
    "٣",
];

impl Work {
    /// The doubling job. The same seed makes the same requests.
    pub fn doubling(seed: u64) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut requests = RequestPool::default().with_farewell(b"end\n");
        for _ in 0..POOL {
            let line = draw(&mut rng);
            let end = if rng.u8(..16) == 0 { "\r\n" } else { "\n" };
            requests.push(
                format!("{line}{end}").as_bytes(),
                format!("{}\n", double(&line)).as_bytes(),
            );
        }
        Self {
            requests,
            protocol: Protocol::InOrder(Box::new(Lines)),
            trials: vec![super::Trial::default()],
            tls: None,
        }
    }
}

fn draw(rng: &mut fastrand::Rng) -> String {
    match rng.u8(..100) {
        0..55 => rng.u32(..10_000).to_string(),
        55..69 => rng.i32(..).to_string(),
        69..81 => format!("-{}", rng.u32(1..10_000)),
        81..87 => format!("{}{}{}", sign(rng), "0".repeat(rng.usize(1..6)), rng.u32(..1000)),
        87..93 => rng.i64(..).to_string(),
        93..97 => format!("{}{}", sign(rng), digits(rng)),
        _ => NO_INTEGERS[rng.usize(..NO_INTEGERS.len())].to_owned(),
    }
}

fn sign(rng: &mut fastrand::Rng) -> &'static str {
    if rng.bool() { "-" } else { "" }
}

fn digits(rng: &mut fastrand::Rng) -> String {
    let first = char::from(b'1' + rng.u8(..9));
    let rest = (0..rng.usize(19..40)).map(|_| rng.digit(10));
    std::iter::once(first).chain(rest.collect::<Vec<_>>()).collect()
}

/// The answer to a line (without its end): twice the integer in canonical form, or `not an integer`.
/// Exact for every length: digits are doubled one by one from the last.
pub fn double(line: &str) -> String {
    let (negative, digits) = match line.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return "not an integer".to_owned();
    }
    let mut doubled = Vec::with_capacity(digits.len() + 2);
    let mut carry = 0;
    for digit in digits.bytes().rev() {
        let twice = (digit - b'0') * 2 + carry;
        doubled.push(char::from(b'0' + twice % 10));
        carry = twice / 10;
    }
    doubled.push(char::from(b'0' + carry));
    while doubled.len() > 1 && doubled.last() == Some(&'0') {
        doubled.pop();
    }
    if negative && doubled != ['0'] {
        doubled.push('-');
    }
    doubled.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same answer computed in another way: limbs of nine digits, added to themselves.
    fn by_limbs(line: &str) -> String {
        let digits = line.trim_start_matches('-');
        let mut limbs = Vec::new();
        let mut rest = digits;
        while !rest.is_empty() {
            let (front, back) = rest.split_at(rest.len().saturating_sub(9));
            limbs.push(back.parse::<u64>().unwrap());
            rest = front;
        }
        let mut carry = 0;
        for limb in &mut limbs {
            let sum = *limb + *limb + carry;
            (*limb, carry) = (sum % 1_000_000_000, sum / 1_000_000_000);
        }
        limbs.push(carry);
        let text: String = limbs.iter().rev().map(|limb| format!("{limb:09}")).collect();
        match (text.trim_start_matches('0'), line.starts_with('-')) {
            ("", _) => "0".to_owned(),
            (text, true) => format!("-{text}"),
            (text, false) => text.to_owned(),
        }
    }

    #[test]
    fn doubles_are_exact_and_canonical() {
        let cases = [
            ("7", "14"),
            ("0", "0"),
            ("-0", "0"),
            ("-000", "0"),
            ("007", "14"),
            ("-5", "-10"),
            ("-05", "-10"),
            ("5000000000", "10000000000"),
            ("9223372036854775807", "18446744073709551614"),
            ("-9223372036854775808", "-18446744073709551616"),
            (
                "99999999999999999999999999999999999999999",
                "199999999999999999999999999999999999999998",
            ),
        ];
        for (line, answer) in cases {
            assert_eq!(double(line), answer, "{line}");
        }
    }

    #[test]
    fn lines_that_are_not_integers_are_answered_so() {
        for line in NO_INTEGERS.into_iter().chain(["- 5", "5\r", "end", "−5"]) {
            assert_eq!(double(line), "not an integer", "{line:?}");
        }
    }

    #[test]
    fn two_ways_of_doubling_agree() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut rng = fastrand::Rng::with_seed(seed);
        for _ in 0..5000 {
            let length = rng.usize(1..120);
            let zeros = "0".repeat(rng.usize(..4));
            let line: String = (0..length).map(|_| rng.digit(10)).collect();
            let line = format!("{}{zeros}{line}", sign(&mut rng));
            assert_eq!(double(&line), by_limbs(&line), "{line}");
            if let Ok(value) = line.parse::<i128>()
                && let Some(twice) = value.checked_mul(2)
            {
                assert_eq!(double(&line), twice.to_string(), "{line}");
            }
        }
    }

    #[test]
    fn a_seed_fixes_the_pool_and_the_mix_is_as_documented() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let (one, two) = (Work::doubling(seed), Work::doubling(seed));
        let mut counts = [0; 4];
        for n in 0..POOL {
            assert_eq!(one.pair(n), two.pair(n));
            let (request, answer) = one.pair(n);
            let text = std::str::from_utf8(request).unwrap();
            assert_ne!(text.trim_end(), "end");
            counts[0] += usize::from(answer == b"not an integer\n");
            counts[1] += usize::from(text.ends_with("\r\n"));
            counts[2] += usize::from(answer.len() > 21);
            counts[3] += usize::from(text.starts_with('-'));
        }
        // Means 123, 256, about 165 and about 1000: the bounds are more than six standard deviations away.
        let bounds = [(50, 200), (150, 370), (80, 280), (700, 1300)];
        for (count, (low, high)) in counts.into_iter().zip(bounds) {
            assert!((low..=high).contains(&count), "{counts:?}");
        }
    }
}
