//! For tests: bytes as no right answer has them.

use fastrand::Rng;

/// Changes bytes, of which there are some, at one to three random places: another byte, the end, or one more.
pub(crate) fn mangle(bytes: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..rng.usize(1..4) {
        let at = rng.usize(..bytes.len());
        match rng.u8(..3) {
            0 => bytes[at] = rng.u8(..),
            1 => bytes.truncate(at.max(1)),
            _ => bytes.insert(at, rng.u8(..)),
        }
    }
}
