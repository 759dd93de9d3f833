//! Requests whose lengths point anywhere.

use std::os::unix::ffi::OsStrExt;

use super::{BEGIN_REQUEST, PARAMS, Request, STDIN};
use crate::profile::harness;

fn record(kind: u8, id: [u8; 2], content: &[u8]) -> Vec<u8> {
    let [long, short] = u16::try_from(content.len()).unwrap().to_be_bytes();
    [&[1, kind, id[0], id[1], long, short, 0, 0], content].concat()
}

/// A stream of content in as many records as it takes, and the empty one that ends it.
fn stream(kind: u8, id: [u8; 2], content: &[u8]) -> Vec<u8> {
    let mut bytes: Vec<u8> = content
        .chunks(0xffff)
        .flat_map(|part| record(kind, id, part))
        .collect();
    bytes.extend(record(kind, id, b""));
    bytes
}

/// A request as a web server would send it, each length in its long form.
fn sent(request: &Request) -> Vec<u8> {
    let mut pairs = Vec::new();
    for (name, value) in &request.parameters {
        for text in [name, value] {
            pairs.extend((u32::try_from(text.len()).unwrap() | 1 << 31).to_be_bytes());
        }
        pairs.extend_from_slice(name.as_bytes());
        pairs.extend_from_slice(value.as_bytes());
    }
    [
        record(BEGIN_REQUEST, request.id, &[0, 1, 1, 0, 0, 0, 0, 0]),
        stream(PARAMS, request.id, &pairs),
        stream(STDIN, request.id, &request.body),
    ]
    .concat()
}

/// What is read was sent: it takes its bytes, makes none up, and is read again from what it means.
#[test]
fn fuzz_requests_of_a_web_server() {
    let words = [
        "\u{1}\u{1}\u{0}\u{1}",
        "\u{1}\u{4}\u{0}\u{1}",
        "\u{1}\u{5}\u{0}\u{1}\u{0}\u{0}\u{0}\u{0}",
        "\u{7f}",
        "\u{0}\u{0}\u{0}\u{0}",
        "REQUEST_METHOD",
    ];
    harness::fuzz("fastcgi-request", &words, |bytes| {
        let mut reader = bytes;
        let mut left = bytes.len();
        while let Ok(Some(request)) = Request::read(&mut reader) {
            let texts = request.parameters.iter().flat_map(|(name, value)| [name, value]);
            let size = texts.map(|text| text.len()).sum::<usize>() + request.body.len();
            assert!(
                size + reader.len() < left,
                "{size} of {left}, and {} are left",
                reader.len()
            );
            left = reader.len();
            let again = Request::read(&mut &sent(&request)[..]);
            assert_eq!(again.unwrap(), Some(request));
        }
    });
}
