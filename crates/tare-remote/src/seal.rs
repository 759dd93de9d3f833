//! That a message is of somebody who knows the key: HMAC-SHA256 (RFC 2104), compared in constant time.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::key::Key;

/// Bytes of a tag.
pub(crate) const TAG: usize = 32;

/// A number that is used once.
pub(crate) type Nonce = [u8; 32];

/// Who speaks: what one side says is no proof of the other, and cannot be sent back to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Agent,
    Conductor,
}

/// The nonces of a greeting: the agent's and the conductor's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Nonces {
    pub(crate) agent: Nonce,
    pub(crate) conductor: Nonce,
}

/// Seals the messages of one side of a connection, or checks those of the other: each has a number, which both count, so
/// that none can be repeated, left out or exchanged.
#[derive(Debug)]
pub(crate) struct Seal {
    mac: Hmac<Sha256>,
    next: u64,
}

/// A nonce.
///
/// # Errors
/// The system gives out no random numbers.
pub(crate) fn nonce() -> Result<Nonce, getrandom::Error> {
    let mut nonce = [0; 32];
    getrandom::fill(&mut nonce)?;
    Ok(nonce)
}

fn keyed(key: &[u8]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("a key of HMAC has any length")
}

/// What `purpose` and a side's part in a greeting give. Its parts have fixed lengths, but for the first, whose end is marked.
fn derived(key: &Key, purpose: &str, side: Side, protocol: u32, nonces: &Nonces) -> Hmac<Sha256> {
    let mut mac = keyed(key.bytes());
    let name = match side {
        Side::Agent => "agent",
        Side::Conductor => "conductor",
    };
    mac.update(format!("tare {purpose} {name}\0").as_bytes());
    mac.update(&protocol.to_be_bytes());
    mac.update(&nonces.agent);
    mac.update(&nonces.conductor);
    mac
}

/// The proof that a side knows the key.
pub(crate) fn proof(key: &Key, side: Side, protocol: u32, nonces: &Nonces) -> [u8; TAG] {
    derived(key, "proof", side, protocol, nonces)
        .finalize()
        .into_bytes()
        .into()
}

/// Whether a proof is right.
pub(crate) fn proved(key: &Key, side: Side, protocol: u32, nonces: &Nonces, proof: &[u8]) -> bool {
    derived(key, "proof", side, protocol, nonces)
        .verify_slice(proof)
        .is_ok()
}

impl Seal {
    /// Of what a side says in the connection with these nonces.
    pub(crate) fn new(key: &Key, side: Side, protocol: u32, nonces: &Nonces) -> Self {
        let own = derived(key, "messages", side, protocol, nonces)
            .finalize()
            .into_bytes();
        Self {
            mac: keyed(&own),
            next: 0,
        }
    }

    fn numbered(&mut self, content: &[u8]) -> Hmac<Sha256> {
        let mut mac = self.mac.clone();
        mac.update(&self.next.to_be_bytes());
        mac.update(content);
        self.next += 1;
        mac
    }

    /// A content with its tag behind it.
    pub(crate) fn sealed(&mut self, mut content: Vec<u8>) -> Vec<u8> {
        let tag = self.numbered(&content).finalize().into_bytes();
        content.extend_from_slice(&tag);
        content
    }

    /// The content of what the other side sealed; none where it is not theirs, or not the next.
    pub(crate) fn opened(&mut self, mut sealed: Vec<u8>) -> Option<Vec<u8>> {
        let tag = sealed.split_off(sealed.len().checked_sub(TAG)?);
        self.numbered(&sealed)
            .verify_slice(&tag)
            .is_ok()
            .then_some(sealed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(byte: u8) -> Key {
        Key::new(&[byte; 32]).unwrap()
    }

    const NONCES: Nonces = Nonces {
        agent: [1; 32],
        conductor: [2; 32],
    };

    /// RFC 4231, test case 2.
    #[test]
    fn the_code_is_that_of_the_standard() {
        let mut mac = keyed(b"Jefe");
        mac.update(b"what do ya want for nothing?");
        let text: String = mac
            .finalize()
            .into_bytes()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(
            text,
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }

    #[test]
    fn a_proof_is_of_one_key_one_side_one_greeting_and_one_version() {
        let right = proof(&key(7), Side::Agent, 1, &NONCES);
        assert!(proved(&key(7), Side::Agent, 1, &NONCES, &right));
        assert!(!proved(&key(8), Side::Agent, 1, &NONCES, &right));
        assert!(!proved(&key(7), Side::Conductor, 1, &NONCES, &right));
        assert!(!proved(&key(7), Side::Agent, 2, &NONCES, &right));
        let others = Nonces {
            agent: [2; 32],
            conductor: [1; 32],
        };
        assert!(!proved(&key(7), Side::Agent, 1, &others, &right));
        assert!(!proved(&key(7), Side::Agent, 1, &NONCES, &right[..31]));
        assert!(!proved(&key(7), Side::Agent, 1, &NONCES, b""));
        assert_ne!(nonce().unwrap(), nonce().unwrap());
    }

    #[test]
    fn messages_are_neither_changed_nor_repeated_nor_left_out() {
        let seal = |side| Seal::new(&key(7), side, 1, &NONCES);
        let mut says = seal(Side::Agent);
        let (first, second) = (says.sealed(b"first".to_vec()), says.sealed(Vec::new()));
        let mut hears = seal(Side::Agent);
        assert_eq!(hears.opened(first.clone()).as_deref(), Some(&b"first"[..]));
        assert_eq!(hears.opened(second.clone()).as_deref(), Some(&b""[..]));
        assert_eq!(seal(Side::Agent).opened(second), None, "left out");
        let mut again = seal(Side::Agent);
        assert!(again.opened(first.clone()).is_some() && again.opened(first.clone()).is_none());
        assert_eq!(seal(Side::Conductor).opened(first.clone()), None, "sent back");
        for at in 0..first.len() {
            let mut changed = first.clone();
            changed[at] ^= 1;
            assert_eq!(seal(Side::Agent).opened(changed), None, "{at}");
        }
        assert_eq!(seal(Side::Agent).opened(b"short".to_vec()), None);
    }
}
