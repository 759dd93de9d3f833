//! Bytes in a message: a text with a character for each, which is readable and at most six times as long.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes that travel as a text, U+0000 to U+00FF.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let text: String = self.0.iter().map(|byte| char::from(*byte)).collect();
        to.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let bytes: Result<Vec<u8>, _> = text.chars().map(u8::try_from).collect();
        bytes.map(Self).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives() {
        let all = Bytes((0..=255).collect());
        let text = serde_json::to_string(&all).unwrap();
        assert_eq!(serde_json::from_str::<Bytes>(&text).unwrap(), all);
        assert_eq!(
            serde_json::to_string(&Bytes(b"a body".to_vec())).unwrap(),
            "\"a body\""
        );
        assert!(serde_json::from_str::<Bytes>("\"\u{100}\"").is_err());
    }
}
