//! Foreign bytes: nothing panics, nothing is found beyond what was received, and bytes in pieces mean what they mean at once.

use super::*;
use crate::wire::fuzz::harness::fuzz;

fn talk(handshake: bool) -> WebSocket {
    let mut rng = fastrand::Rng::with_seed(1);
    let text = |text: &str| Message::Text(text.to_owned());
    let opening = Handshake::new("GET / HTTP/1.1\r\n", &mut rng);
    let mut socket = WebSocket::new(opening, &text("ping"), None, &mut rng);
    socket.resize(1, 4);
    socket.begin(0);
    socket.connections[0].greeted = !handshake;
    for sent in 0..4 {
        socket.send(0, Times { intended: sent, sent }, &mut Vec::new());
    }
    socket
}

/// The number of answers, and whether all was right, of bytes of which each piece ends where `cuts` says.
fn outcome(bytes: &[u8], handshake: bool, cuts: impl Iterator<Item = usize>) -> (usize, bool) {
    let (mut socket, mut news, mut from, mut need) = (talk(handshake), News::default(), 0, 0);
    for to in cuts.chain([bytes.len()]) {
        if to - from < need {
            continue;
        }
        match socket.take(0, &bytes[from..to], &mut news) {
            Ok(taken) => {
                assert!(from + taken.len <= to && from + taken.len + taken.need > to);
                (from, need) = (from + taken.len, taken.need);
            }
            Err(breach) => {
                assert!(!breach.why.is_empty());
                return (news.answered.len(), false);
            }
        }
    }
    assert!(news.answered.len() <= 4);
    (news.answered.len(), true)
}

#[test]
fn websocket_frames() {
    let mut pieces = fastrand::Rng::with_seed(1);
    let words = [
        "\u{1}\u{2}po",
        "\u{0}\u{0}",
        "\u{7f}",
        "\r\n",
        "Upgrade: websocket\r\n",
    ];
    fuzz("websocket", &words, |bytes| {
        for handshake in [false, true] {
            let whole = outcome(bytes, handshake, std::iter::empty());
            let mut cuts: Vec<usize> = (0..4).map(|_| pieces.usize(..=bytes.len())).collect();
            cuts.sort_unstable();
            assert_eq!(outcome(bytes, handshake, cuts.into_iter()), whole);
        }
    });
}
