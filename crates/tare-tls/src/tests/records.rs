//! Records that no server of good will sends, made with the server's own keys.

use super::*;
use crate::direction::{ALERT, DATA, Direction, HANDSHAKE};

/// A client after its handshake, and the server's direction of the connection.
pub(super) fn open(version: &'static SupportedProtocolVersion) -> (Session, Direction) {
    let (client, mut config) = both(&[], version);
    config.enable_secret_extraction = true;
    config.send_tls13_tickets = 0;
    let mut pair = Pair::open(&client, config);
    // Nothing is under way any more.
    pair.talk(usize::MAX).unwrap();
    let secrets = pair.server.dangerous_extract_secrets().unwrap();
    let tls13 = version.version == rustls::ProtocolVersion::TLSv1_3;
    let way = Direction::new(&secrets.tx.1, secrets.tx.0, tls13).unwrap();
    (pair.client, way)
}

/// What becomes of these records.
pub(super) fn take(session: &mut Session, bytes: &[u8]) -> Result<(Vec<u8>, bool, Vec<u8>), Fault> {
    let mut bytes = [session.kept(), bytes].concat();
    let (mut at, mut plain, mut out) = (0, Vec::new(), Vec::new());
    loop {
        match session.take(&mut bytes[at..], &mut out)? {
            Step::More => return Ok((plain, false, out)),
            Step::Ended => return Ok((plain, true, out)),
            Step::Silent(len) => at += len,
            Step::Plain(range, len) => {
                plain.extend_from_slice(&bytes[at + range.start..at + range.end]);
                at += len;
            }
            Step::Secured(_) => panic!("it was secured before"),
        }
    }
}

fn sealed(way: &mut Direction, records: &[(u8, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (kind, content) in records {
        way.seal(*kind, content, &mut bytes).unwrap();
    }
    bytes
}

/// The words of what is wrong with these records.
fn refused(version: &'static SupportedProtocolVersion, records: &[(u8, &[u8])]) -> String {
    let (mut session, mut way) = open(version);
    let bytes = sealed(&mut way, records);
    let fault = take(&mut session, &bytes).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Tls, "{fault}");
    fault.detail
}

#[test]
fn data_alerts_and_silence_are_taken_as_they_are() {
    for version in [&TLS13, &TLS12] {
        let (mut session, mut way) = open(version);
        let bytes = sealed(
            &mut way,
            &[
                (DATA, b"one"),
                (DATA, b""),
                (ALERT, &[1, 90]),
                (DATA, b" two"),
                (ALERT, &[1, 0]),
                (DATA, b"after"),
            ],
        );
        let (plain, ended, _) = take(&mut session, &bytes).unwrap();
        assert_eq!(
            (&plain[..], ended, session.ended()),
            (&b"one two"[..], true, true)
        );
        let again = take(&mut session, b"more").unwrap();
        assert!(again.1, "what follows does not count");
    }
}

#[test]
fn renegotiation_and_what_is_not_expected_are_refused() {
    let text = refused(&TLS12, &[(HANDSHAKE, &[0, 0, 0, 0])]);
    assert!(
        text.contains("renegotiation, HelloRequest): 00 00 00 00"),
        "{text}"
    );
    assert!(
        text.contains("answered with the alert unexpected_message (10)"),
        "{text}"
    );
    for (record, says) in [
        (
            (HANDSHAKE, &[13, 0, 0, 0][..]),
            "wants a certificate of the client's",
        ),
        (
            (HANDSHAKE, &[24, 0, 0, 1, 0, 4]),
            "bytes follow a KeyUpdate in its record: 04",
        ),
        ((HANDSHAKE, &[1, 0, 0, 0]), "of the type 1"),
        ((ALERT, &[2, 80]), "the alert internal_error (80): 02 50"),
        ((ALERT, &[2, 80, 1]), "a record of the kind 21 came"),
        (
            (99, b"x"),
            "a record of the kind 99 came in the middle of the connection: 78",
        ),
    ] {
        let text = refused(&TLS13, &[record]);
        assert!(text.contains(says), "{text}");
    }
}

#[test]
fn a_record_that_was_changed_is_shown_with_its_tag() {
    for version in [&TLS13, &TLS12] {
        let (mut session, mut way) = open(version);
        let mut bytes = sealed(&mut way, &[(DATA, b"hello")]);
        let last = bytes.last_mut().unwrap();
        *last ^= 1;
        let tag = format!("{last:02x}");
        let fault = take(&mut session, &bytes).unwrap_err();
        let says = [
            "its tag is wrong",
            "17 03 03 00",
            &format!("{tag})"),
            "bad_record_mac (20)",
        ];
        assert!(says.iter().all(|text| fault.detail.contains(text)), "{fault}");
    }
}

#[test]
fn records_without_end_or_sense_are_refused() {
    for version in [&TLS13, &TLS12] {
        let flood = vec![(DATA, &b""[..]); 1001];
        let text = refused(version, &flood);
        assert!(
            text.contains("more than 1000 records in a row carried nothing"),
            "{text}"
        );
        let (mut session, _) = open(version);
        let fault = take(&mut session, &[23, 3, 3, 0xff, 0xff]).unwrap_err();
        assert!(fault.detail.contains("a record of 65535 bytes came"), "{fault}");
        let fault = take(&mut session, b"HTTP/1.1 200 OK").unwrap_err();
        assert!(
            fault.detail.contains("begins with \"HTTP/1.1 200 OK\""),
            "{fault}"
        );
        let fault = take(&mut session, &[23, 3, 3, 0, 1, 7]).unwrap_err();
        assert!(fault.detail.contains("cannot hold a tag"), "{fault}");
    }
    let (mut session, _) = open(&TLS13);
    let fault = take(&mut session, &[22, 3, 3, 0, 4, 0, 0, 0, 0]).unwrap_err();
    assert!(
        fault.detail.contains("a record in clear came, of the kind 22"),
        "{fault}"
    );
    let fault = take(&mut session, &[21, 3, 3, 0, 2, 2, 20]).unwrap_err();
    assert!(fault.detail.contains("bad_record_mac (20), in clear"), "{fault}");
    // A flood of new keys carries nothing either.
    let (mut session, mut way) = open(&TLS13);
    let ticket = [&[4, 0, 0, 20][..], &[0; 20]].concat();
    let bytes = sealed(&mut way, &vec![(HANDSHAKE, &ticket[..]); 1001]);
    let fault = take(&mut session, &bytes).unwrap_err();
    assert!(
        fault.detail.contains("carried nothing, the last of the kind 22"),
        "{fault}"
    );
}

#[test]
fn padding_is_taken_off_and_a_record_of_it_alone_is_refused() {
    let (mut session, mut way) = open(&TLS13);
    // The kind is what stands behind the content; so content with zeros behind is made of the kind 0.
    let bytes = sealed(&mut way, &[(0, b"hello\x17\0\0\0")]);
    assert_eq!(take(&mut session, &bytes).unwrap().0, b"hello");
    let bytes = sealed(&mut way, &[(0, &[0; 9])]);
    let fault = take(&mut session, &bytes).unwrap_err();
    assert!(fault.detail.contains("a record of 10 zeros"), "{fault}");
}

#[test]
fn messages_may_be_in_pieces() {
    let (mut session, mut way) = open(&TLS13);
    let ticket = [&[4, 0, 0, 20][..], &[7; 20], &[4, 0]].concat();
    let pieces: Vec<(u8, &[u8])> = ticket.chunks(5).map(|piece| (HANDSHAKE, piece)).collect();
    let bytes = sealed(&mut way, &pieces);
    assert_eq!(take(&mut session, &bytes).unwrap().0, b"");
    let bytes = sealed(&mut way, &[(HANDSHAKE, &[0, 1, 9]), (DATA, b"x")]);
    assert_eq!(take(&mut session, &bytes).unwrap().0, b"x");
}
