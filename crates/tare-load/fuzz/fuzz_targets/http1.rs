//! HTTP answers from a stranger: no panic, no answer longer than what was received, no piece of an answer that is
//! right before its end, and a learned template that says what the full parse says.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tare_load::wire::http1::{Http1, Stop, parse};
use tare_load::wire::{Judged, Wire};

fuzz_target!(|input: (&[u8], &[u8], bool)| {
    let (first, second, head) = input;
    let method = if head { "HEAD" } else { "GET" };
    if let Ok(answer) = parse(first, head, false) {
        assert!(answer.len > 0 && answer.len <= first.len());
        for cut in 0..answer.len {
            match parse(&first[..cut], head, false) {
                Err(Stop::More(need)) => assert!(need > cut && need <= answer.len),
                other => panic!("cut at {cut}: {other:?}"),
            }
        }
    }
    let mut learned = Http1::new(method, None);
    if let Judged::Right { .. } = learned.judge(first, b"", false) {
        let mut fresh = learned.fork();
        let (one, two) = (learned.judge(second, b"", false), fresh.judge(second, b"", false));
        assert_eq!(one, two);
    }
});
