//! Foreign bytes where records and messages are read here: nothing panics, and what is kept is bounded.

#[path = "../../../../fuzz/harness.rs"]
mod harness;

use super::*;
use crate::direction::{ALERT, DATA, HANDSHAKE, HEADER, header};
use crate::later::{Message, message};

#[test]
fn fuzz_records() {
    let client = client(Trust::Anyone, Protocol::Http1);
    let words = [
        "\x17\x03\x03",
        "\x15\x03\x03\0\x02",
        "\x16\x03\x03",
        "\x14\x03\x03\0\x01\x01",
        "\0\x10",
        "\x02\x28",
        "HTTP/1.1 200 OK\r\n",
    ];
    harness::fuzz("tls-records", &words, |bytes| {
        if let Ok(Some((kind, len))) = header(bytes) {
            assert!((20..=23).contains(&kind) && len <= (1 << 14) + 2048);
            assert!(bytes.len() >= HEADER);
        }
        let mut session = Session::begin(&client, &mut Vec::new()).unwrap();
        let mut received = bytes.to_vec();
        if let Ok(step) = session.take(&mut received, &mut Vec::new()) {
            assert!(
                matches!(step, Step::More),
                "nobody can complete this handshake: {step:?}"
            );
            assert_eq!(session.in_handshake(), Some(bytes.len() as u64));
        }
    });
}

#[test]
fn fuzz_messages() {
    let words = [
        "\x18\0\0\x01\0",
        "\x18\0\0\x01\x01",
        "\x04\0\0",
        "\0\0\0\0",
        "\x0d\0\0",
    ];
    harness::fuzz("tls-messages", &words, |bytes| {
        let mut at = 0;
        while let Ok(Some((found, len))) = message(&bytes[at..]) {
            assert!(len >= 4 && at + len <= bytes.len());
            if let Message::Ticket(ticket) = found {
                assert_eq!(ticket.len(), len - 4);
            }
            at += len;
        }
    });
}

/// What a server seals may be anything, too.
#[test]
fn fuzz_sealed_records() {
    let (kept, mut rng) = (harness::corpus("tls-messages"), harness::rng());
    let words = ["\x18\0\0\x01\x01", "\x04\0\0", "\x01\0", "\x02\x28", "\0\0"];
    for _ in harness::Bound::or(100).rounds() {
        let version = if rng.bool() { &TLS13 } else { &TLS12 };
        let (mut session, mut way) = records::open(version);
        for _ in 0..20 {
            let mut content = kept[rng.usize(..kept.len())].1.clone();
            harness::mangle(&mut rng, &mut content, &words);
            let kind = [ALERT, HANDSHAKE, HANDSHAKE, DATA, 0, rng.u8(..)][rng.usize(..6)];
            let mut bytes = Vec::new();
            way.seal(kind, &content, &mut bytes).unwrap();
            match records::take(&mut session, &bytes) {
                Ok((plain, ended, _)) => assert!(plain.len() <= content.len() && ended == session.ended()),
                Err(fault) => {
                    assert!(!fault.detail.is_empty());
                    break;
                }
            }
            assert!(session.kept().is_empty(), "the record was whole");
        }
    }
}
