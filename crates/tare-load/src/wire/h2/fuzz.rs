//! Foreign bytes: nothing panics, nothing is found beyond what was received, and bytes in pieces mean what they mean at once.

use super::hpack::{self, Table};
use super::*;
use crate::wire::fuzz::harness::fuzz;

/// What came of bytes: which requests were answered and taken back, and whether all was right.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    answered: Vec<u64>,
    back: Vec<u64>,
    right: bool,
    left: usize,
}

fn talk(manner: Manner) -> H2 {
    let block = encode([(":method", b"GET".as_slice())]);
    let mut h2 = H2::new("GET", block, Vec::new(), Expectation::bytes(None), manner);
    h2.resize(1, 4);
    h2.begin(0);
    let greeting = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    h2.take(0, &greeting, &mut News::default()).unwrap();
    for sent in 0..4 {
        h2.send(0, Times { intended: sent, sent }, &mut Vec::new());
    }
    h2
}

/// Takes bytes, of which each piece ends where `cuts` says.
fn outcome(bytes: &[u8], cuts: impl Iterator<Item = usize>) -> Outcome {
    let (mut h2, mut news, mut from, mut need) = (talk(Manner::Http), News::default(), 0, 0);
    let (mut answered, mut back, mut right) = (Vec::new(), Vec::new(), true);
    for to in cuts.chain([bytes.len()]) {
        if to - from < need {
            continue;
        }
        news.clear();
        let taken = h2.take(0, &bytes[from..to], &mut news);
        answered.extend(news.answered.iter().map(|one| one.intended));
        back.extend(&news.taken_back);
        match taken {
            Ok(taken) => {
                assert!(from + taken.len <= to && from + taken.len + taken.need > to);
                (from, need) = (from + taken.len, taken.need);
            }
            Err(breach) => {
                assert!(!breach.why.is_empty());
                right = false;
                break;
            }
        }
    }
    let mut all = [&answered[..], &back[..]].concat();
    all.extend(h2.take_back(0).unwrap_or_default());
    all.sort_unstable();
    all.dedup();
    assert!(all.len() <= 4);
    let left = if right { bytes.len() - from } else { 0 };
    Outcome {
        answered,
        back,
        right,
        left,
    }
}

#[test]
fn h2_connections() {
    let mut pieces = fastrand::Rng::with_seed(1);
    let words = [
        "\u{0}\u{0}\u{1}\u{1}\u{4}\u{0}\u{0}\u{0}\u{3}",
        "\u{0}\u{0}\u{5}\u{0}\u{1}\u{0}\u{0}\u{0}\u{3}hello",
        "\u{0}\u{0}\u{0}\u{0}\u{1}\u{0}\u{0}\u{0}\u{5}",
        "\u{0}\u{0}\u{0}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}",
        "\u{0}\u{0}\u{8}\u{7}\u{0}\u{0}\u{0}\u{0}\u{0}",
    ];
    fuzz("h2", &words, |bytes| {
        let whole = outcome(bytes, std::iter::empty());
        let mut cuts: Vec<usize> = (0..4).map(|_| pieces.usize(..=bytes.len())).collect();
        cuts.sort_unstable();
        assert_eq!(outcome(bytes, cuts.into_iter()), whole);
        let _ = talk(Manner::Grpc).take(0, bytes, &mut News::default());
    });
}

#[test]
fn hpack_blocks() {
    fuzz(
        "hpack",
        &["\u{7f}", "\u{40}\u{1}x\u{1}y", "\u{3f}", " "],
        |bytes| {
            let mut table = Table::default();
            // The second block meets what the first one left.
            for _ in 0..2 {
                match hpack::decode(&mut table, bytes) {
                    Ok(block) => assert!(block.added.len() <= block.fields.len()),
                    Err(why) => assert!(why.contains("a header block with")),
                }
                assert!(table.is_within_its_size());
            }
        },
    );
}
