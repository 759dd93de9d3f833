//! Lines from a stranger: right exactly where the expected line is what was received.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tare_load::wire::{Judged, Lines, Progress, Wire};

fuzz_target!(|input: (&[u8], &[u8])| {
    let (bytes, line) = input;
    let expected: Vec<u8> = line.iter().copied().filter(|&byte| byte != b'\n').chain([b'\n']).collect();
    match Lines.judge(bytes, &expected, &mut Progress::Start, false) {
        Judged::Right { len, last, .. } => assert!(bytes.starts_with(&expected) && len == expected.len() && !last),
        Judged::Partial { taken, need, .. } => assert!(taken == 0 && need > bytes.len() && !bytes.contains(&b'\n')),
        Judged::Wrong { .. } => assert!(!bytes.starts_with(&expected)),
    }
});
