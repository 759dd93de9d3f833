//! Names and values in their order.

use serde::ser::{Serialize, Serializer};

/// Names and values in their order, as a JSON object.
#[derive(Debug, Clone, Default)]
pub(super) struct Pairs(pub Vec<(String, String)>);

impl Pairs {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Pairs {
    /// Readers of JSON lose a second key of one name, so the values of a repeated name are joined by `; `.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut joined: Vec<(&str, String)> = Vec::new();
        for (name, value) in &self.0 {
            match joined.iter_mut().find(|(known, _)| known == name) {
                Some((_, values)) => *values = format!("{values}; {value}"),
                None => joined.push((name, value.clone())),
            }
        }
        serializer.collect_map(joined)
    }
}
