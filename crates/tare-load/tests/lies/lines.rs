//! What a server of lines may do, beyond what any server may do.

use crate::fixture::Act;
use crate::matrix::{HUNG, Row, WRONG};
use crate::protocol::Protocol;

fn row(name: &'static str, acts: Vec<Act>) -> Row {
    Row::new(Protocol::Lines, name, WRONG, move |_, _| acts.clone())
}

pub fn rows() -> Vec<Row> {
    let long = [vec![b'7'; 100_000], b"\n".to_vec()].concat();
    let ended = |end: &'static [u8]| {
        move |_: usize, rights: &[Vec<u8>]| {
            let right = rights.last().expect("of the request that was read");
            vec![Act::Say([&right[..right.len() - 1], end].concat())]
        }
    };
    vec![
        row("an endless line", vec![Act::Forever(vec![b'7'; 1000])]),
        row("a line of 100 KB", vec![Act::Say(long)]),
        row("endless lines", vec![Act::Forever(b"\n".repeat(1000))]),
        row("nothing but the end of a line", vec![Act::Say(b"\n".to_vec())]),
        row("bytes that are no text", vec![Act::Say(b"\xff\x00\n".to_vec())]),
        Row::new(Protocol::Lines, "lines that end in CR LF", WRONG, ended(b"\r\n")),
        Row::new(Protocol::Lines, "a space before the end", WRONG, ended(b" \n")),
        Row::new(Protocol::Lines, "a NUL in place of the end", HUNG, ended(b"\0")),
    ]
}
