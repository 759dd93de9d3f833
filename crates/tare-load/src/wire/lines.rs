//! Lines: an answer is the bytes up to and including the next line feed.

use super::{Judged, Progress, Wire};
use crate::show;

/// A line that is this many bytes longer than expected is wrong even before its end is seen.
const LONGEST_EXTRA: usize = 64 << 10;

/// Lines. The expected answer is a line with its line feed, so one compare finds its end and checks it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Lines;

impl Wire for Lines {
    #[inline]
    fn judge(&mut self, bytes: &[u8], expected: &[u8], _progress: &mut Progress, _closed: bool) -> Judged {
        if bytes.starts_with(expected) {
            return Judged::Right {
                len: expected.len(),
                last: false,
                whole: true,
            };
        }
        not_whole(bytes, expected)
    }

    fn fork(&self) -> Box<dyn Wire> {
        Box::new(*self)
    }
}

#[cold]
fn not_whole(bytes: &[u8], expected: &[u8]) -> Judged {
    match bytes.iter().position(|&byte| byte == b'\n') {
        Some(end) => Judged::Wrong {
            why: show::difference(expected, &bytes[..=end]),
        },
        None if bytes.len() > expected.len() + LONGEST_EXTRA => Judged::Wrong {
            why: format!("{}\n  and no end of line", show::difference(expected, bytes)),
        },
        None => Judged::Partial {
            taken: 0,
            need: bytes.len() + 1,
            skip: 0,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(bytes: &[u8], expected: &[u8]) -> Judged {
        Lines.judge(bytes, expected, &mut Progress::Start, false)
    }

    const RIGHT: Judged = Judged::Right {
        len: 3,
        last: false,
        whole: true,
    };

    #[test]
    fn a_right_line_is_right_whatever_follows() {
        for follows in [&b""[..], b"1", b"14\n"] {
            let bytes = [b"14\n", follows].concat();
            assert_eq!(judge(&bytes, b"14\n"), RIGHT);
        }
    }

    #[test]
    fn every_beginning_of_a_line_waits_for_its_end() {
        for line in [&b"14\n"[..], b"not an integer\n", b"15\n"] {
            for cut in 1..line.len() {
                assert_eq!(
                    judge(&line[..cut], b"14\n"),
                    Judged::Partial {
                        taken: 0,
                        need: cut + 1,
                        skip: 0
                    },
                    "{cut}"
                );
            }
        }
    }

    #[test]
    fn anything_else_is_wrong_and_shown() {
        for wrong in [
            &b"15\n"[..],
            b"\n",
            b"14\r\n",
            b"014\n",
            b"14 \n",
            b"1\n4\n",
            b"\0\xff\n",
        ] {
            let Judged::Wrong { why } = judge(wrong, b"14\n") else {
                panic!("{}", show::bytes(wrong))
            };
            assert!(
                why.contains("expected \"14\\n\"") && why.contains("first difference"),
                "{why}"
            );
        }
        assert!(matches!(
            judge(&vec![b'1'; 70_000], b"14\n"),
            Judged::Wrong { .. }
        ));
    }
}
