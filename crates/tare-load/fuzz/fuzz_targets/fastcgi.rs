//! Records from a stranger: no panic, no answer longer than what was received, and the same end however the bytes come,
//! and whatever was learned before.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tare_load::wire::fastcgi::FastCgi;
use tare_load::wire::{Judged, Progress, Wire};

const ID: [u8; 2] = [0, 3];

/// Where a right answer ends, of bytes that come in two pieces.
fn judge(wire: &mut dyn Wire, bytes: &[u8], cut: usize) -> Option<usize> {
    let mut progress = Progress::Start;
    match wire.judge(&bytes[..cut], &ID, &mut progress, false) {
        Judged::Right { len, .. } => Some(len),
        Judged::Wrong { .. } => None,
        Judged::Partial { taken, need } => {
            assert!(taken <= cut && need > 0);
            match wire.judge(&bytes[taken..], &ID, &mut progress, false) {
                Judged::Right { len, .. } => Some(taken + len),
                Judged::Partial { .. } | Judged::Wrong { .. } => None,
            }
        }
    }
}

fuzz_target!(|input: (&[u8], &[u8], u16)| {
    let (first, second, cut) = input;
    let mut learned = FastCgi::of_body(None);
    let end = judge(&mut learned, first, first.len());
    assert!(end.is_none_or(|end| end > 0 && end <= first.len()));
    let cut = usize::from(cut).min(first.len());
    if end.is_none_or(|end| cut <= end) {
        assert_eq!(judge(&mut FastCgi::of_body(None), first, cut), end);
    }
    if end.is_some() {
        let mut fresh = learned.fork();
        assert_eq!(
            judge(&mut learned, second, second.len()),
            judge(&mut *fresh, second, second.len())
        );
    }
});
