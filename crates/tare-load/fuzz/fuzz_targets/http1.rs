//! HTTP answers from a stranger: no panic, no answer longer than what was received, no piece of an answer that is
//! right before its end, and a learned template that says what the full parse says.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tare_load::wire::http1::{Http1, Stop, parse};
use tare_load::wire::{Judged, Progress, Wire};

/// How a judgement ends: with a right answer so long, and the connection's last or not.
fn judge(wire: &mut dyn Wire, bytes: &[u8]) -> Option<(usize, bool)> {
    match wire.judge(bytes, b"", &mut Progress::Start, false) {
        Judged::Right { len, last, .. } => Some((len, last)),
        Judged::Partial { .. } | Judged::Wrong { .. } => None,
    }
}

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
    let mut learned = Http1::of_body(method, None);
    if judge(&mut learned, first).is_some() {
        let mut fresh = learned.fork();
        assert_eq!(judge(&mut learned, second), judge(&mut *fresh, second));
    }
});
