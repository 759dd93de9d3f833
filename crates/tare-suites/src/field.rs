//! Values of a JSON file by their names, and texts that may be shown and used as names.

use serde_json::{Map, Value};

use crate::files::{BadFile, bad};

/// The longest text that is kept of a file.
const LONGEST: usize = 300;

/// The longest name.
const LONGEST_NAME: usize = 100;

/// An object of a JSON file, with what people call it in errors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Object<'j> {
    path: &'j str,
    fields: &'j Map<String, Value>,
}

/// Reads a JSON file whose value is an object.
pub(crate) fn parse(path: &str, text: &str) -> Result<Value, BadFile> {
    match serde_json::from_str(text) {
        Ok(value @ Value::Object(_)) => Ok(value),
        Ok(_) => Err(bad(path, "expected a JSON object")),
        Err(error) => Err(bad(path, format!("it is not JSON: {error}"))),
    }
}

impl<'j> Object<'j> {
    pub(crate) fn of(path: &'j str, value: &'j Value) -> Result<Self, BadFile> {
        match value {
            Value::Object(fields) => Ok(Self { path, fields }),
            _ => Err(bad(path, "expected an object where something else is")),
        }
    }

    /// A text that may be missing: of one line, escaped and not too long.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, BadFile> {
        match self.fields.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(shown(text))),
            Some(_) => Err(self.wrong(name, "a string")),
        }
    }

    /// A text as it is, however it looks.
    pub(crate) fn raw(&self, name: &str) -> Result<Option<&'j str>, BadFile> {
        match self.fields.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.wrong(name, "a string")),
        }
    }

    /// Truth; missing: the default.
    pub(crate) fn truth(&self, name: &str, missing: bool) -> Result<bool, BadFile> {
        match self.fields.get(name) {
            None | Some(Value::Null) => Ok(missing),
            Some(Value::Bool(truth)) => Ok(*truth),
            Some(_) => Err(self.wrong(name, "true or false")),
        }
    }

    /// A list of texts; missing: none.
    pub(crate) fn texts(&self, name: &str) -> Result<Vec<&'j str>, BadFile> {
        match self.fields.get(name) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Array(all)) => all
                .iter()
                .map(|one| one.as_str().ok_or_else(|| self.wrong(name, "a list of strings")))
                .collect(),
            Some(_) => Err(self.wrong(name, "a list of strings")),
        }
    }

    /// Any value.
    pub(crate) fn value(&self, name: &str) -> Option<&'j Value> {
        self.fields.get(name)
    }

    /// All of its values.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&'j String, &'j Value)> {
        self.fields.iter()
    }

    fn wrong(&self, name: &str, expected: &str) -> BadFile {
        bad(self.path, format!("`{name}`: expected {expected}"))
    }
}

/// A text as it may be shown: escaped, and cut where it is long.
pub(crate) fn shown(text: &str) -> String {
    let begins: String = text.trim().chars().take(LONGEST).collect();
    let escaped: String = begins
        .chars()
        .flat_map(|c| {
            let odd = c.is_control()
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            let escapes = odd.then(|| c.escape_unicode());
            let plain = (!odd).then_some(c);
            escapes.into_iter().flatten().chain(plain)
        })
        .collect();
    if begins.len() < text.trim().len() {
        format!("{escaped}…")
    } else {
        escaped
    }
}

/// Whether a text can name an implementation, an image or a test.
pub(crate) fn is_name(text: &str) -> bool {
    let begins = text.starts_with(|c: char| c.is_ascii_alphanumeric());
    begins
        && text.len() <= LONGEST_NAME
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "._+-".contains(c))
        && !text.contains("..")
}

/// Whether a text can be the path of a request.
pub(crate) fn is_path(text: &str) -> bool {
    text.starts_with('/') && text.len() <= 2048 && text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_harmless() {
        for name in ["aiohttp", "ffead-cpp-t1", "c++", "vertx3.5_x"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "-x", "a/b", "a b", "..", "a..b", "a\n", "é", &"x".repeat(101)] {
            assert!(!is_name(name), "{name:?}");
        }
    }

    #[test]
    fn texts_are_shown_without_what_a_terminal_would_do() {
        assert_eq!(shown(" plain "), "plain");
        assert_eq!(shown("a\u{1b}[2J\u{202e}b"), "a\\u{1b}[2J\\u{202e}b");
        let long = shown(&"é".repeat(LONGEST + 1));
        assert!(long.ends_with('…') && long.chars().count() == LONGEST + 1);
    }

    #[test]
    fn values_of_another_kind_are_named() {
        let value = parse("meta.json", r#"{"a": 1, "b": ["x", 2], "c": "y"}"#).unwrap();
        let object = Object::of("meta.json", &value).unwrap();
        assert_eq!(object.text("c").unwrap().as_deref(), Some("y"));
        assert_eq!(object.text("d"), Ok(None));
        for error in [
            object.text("a").unwrap_err(),
            object.texts("b").unwrap_err(),
            object.truth("c", true).unwrap_err(),
        ] {
            assert!(error.why.contains("expected"), "{error}");
        }
        for text in ["", "[]", "{", "{\"a\":}"] {
            assert!(parse("meta.json", text).is_err(), "{text}");
        }
    }
}
