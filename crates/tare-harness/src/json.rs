//! JSON as harnesses write it.

use serde_json::Value;

use crate::command::Done;
use crate::refused::Refused;
use crate::text::short;

/// A file of a command, as JSON.
///
/// # Errors
/// It is no JSON. None if there is no such file.
pub(crate) fn file(tried: &str, done: &Done, name: &str) -> Result<Option<Value>, Refused> {
    let Some(bytes) = done.file(name) else {
        return Ok(None);
    };
    let value = serde_json::from_slice(bytes).map(Some);
    value.map_err(|error| {
        let hint = "it may have been ended while it wrote; run it again by hand";
        Refused::new(tried, &format!("its {name} is not JSON: {error}"), hint)
    })
}

/// The objects of a list; none where there is no list.
pub(crate) fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// A text; empty where there is none.
pub(crate) fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A text that is shown.
pub(crate) fn short_text(value: &Value, key: &str) -> String {
    short(text(value, key))
}

pub(crate) fn number(value: &Value, key: &str) -> Option<f64> {
    value.get(key).and_then(Value::as_f64)
}

/// The numbers of a list, and of lists in it.
pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        Value::Number(number) => number.as_f64().into_iter().collect(),
        _ => Vec::new(),
    }
}
