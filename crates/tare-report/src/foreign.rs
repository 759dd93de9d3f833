//! Files of other suites, read with care: what is not as expected is refused with its place.

use serde_json::{Map, Value};

/// The longest file, in bytes; that of a whole round has 3 million.
pub const LONGEST: usize = 64 << 20;

/// The longest string that is kept, in characters.
const LONGEST_TEXT: usize = 300;

/// A file that is not what it was read as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadFile {
    /// Where in it: `rawData.json.gin[2].totalRequests`; empty: the whole.
    pub at: String,
    /// What was expected and what was found.
    pub why: String,
}

impl std::fmt::Display for BadFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.at.as_str() {
            "" => f.write_str(&self.why),
            at => write!(f, "{at}: {}", self.why),
        }
    }
}

impl std::error::Error for BadFile {}

pub(crate) type Read<T> = Result<T, BadFile>;

/// The JSON of a file that is not too long.
pub(crate) fn document(bytes: &[u8]) -> Read<Value> {
    if bytes.len() > LONGEST {
        return Err(bad("", format!("it has more than {} MB", LONGEST >> 20)));
    }
    serde_json::from_slice(bytes).map_err(|error| bad("", format!("it is not JSON: {error}")))
}

pub(crate) fn object<'v>(at: &str, value: &'v Value) -> Read<&'v Map<String, Value>> {
    value.as_object().ok_or_else(|| unlike(at, "an object", value))
}

/// A number that is not negative; none if it is missing or null.
pub(crate) fn number(at: &str, object: &Map<String, Value>, key: &str) -> Read<Option<f64>> {
    let place = if at.is_empty() {
        key.to_owned()
    } else {
        format!("{at}.{key}")
    };
    match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => {
            let number = value.as_f64().filter(|number| *number >= 0.0);
            let number = number.ok_or_else(|| unlike(&place, "a number, 0 or more", value))?;
            Ok(Some(number))
        }
    }
}

pub(crate) fn unlike(at: &str, expected: &str, found: &Value) -> BadFile {
    let found = short(&found.to_string());
    bad(at, format!("expected {expected}, found {found}"))
}

pub(crate) fn bad(at: &str, why: impl Into<String>) -> BadFile {
    BadFile {
        at: at.to_owned(),
        why: why.into(),
    }
}

pub(crate) fn short(text: &str) -> String {
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
