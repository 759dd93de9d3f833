//! What every answer must be: its status, its media type, header fields, and its body.

use std::sync::OnceLock;

use serde_json::Value;

use super::coding::{self, Coding};
use super::rows::Rows;
use super::{fortunes, messages, row, table};
use crate::show;

/// The field that says how long a body is.
const LENGTH: &str = "content-length";

/// What every answer must be. All checkers of a target share it.
#[derive(Debug, Default)]
pub(crate) struct Expectation {
    /// The status; none: any of 2xx.
    pub(crate) status: Option<u16>,
    /// The media type without its parameters; none: any.
    pub(crate) media_type: Option<String>,
    /// The content codings of which it must have one; empty: it may have one or none.
    pub(crate) encoding: Vec<String>,
    /// Header fields that must be present and not empty.
    pub(crate) fields: Vec<String>,
    /// The body's meaning.
    pub(crate) content: Content,
    /// Whether the letters of a value may have any case.
    pub(crate) any_case: bool,
    /// The body's bytes, where they are the same in each answer: as given, or those of the first right answer.
    pub(crate) known: OnceLock<Box<[u8]>>,
}

/// What a body must mean.
#[derive(Debug, Default)]
pub(crate) enum Content {
    /// The known bytes.
    #[default]
    Bytes,
    /// This text, its letters in any case.
    AnyCase(String),
    /// This value.
    Json(Value),
    /// A row of a table with this number of rows.
    World(u32),
    /// Several such rows.
    Rows(Rows),
    /// The page of fortunes.
    Fortunes,
    /// An HTML table.
    Table { columns: u32, rows: u32 },
    /// Messages of gRPC, each behind its prefix: the known bytes. One, or any number.
    Messages { several: bool },
    /// Anything: only the body's end is looked for.
    Any,
}

impl Expectation {
    /// Any answer with a status of 2xx and these bytes as its body; none: the bytes of the first answer.
    pub(crate) fn bytes(body: Option<&[u8]>) -> Self {
        let expectation = Self::default();
        if let Some(body) = body {
            expectation.known.get_or_init(|| body.into());
        }
        expectation
    }

    /// Whether a right body is the known bytes and nothing else.
    pub(super) fn by_bytes(&self) -> bool {
        matches!(self.content, Content::Bytes | Content::Messages { .. })
    }

    /// Whether right bodies differ from answer to answer.
    pub(super) fn varies(&self) -> bool {
        matches!(self.content, Content::World(_) | Content::Rows(_) | Content::Any)
    }

    /// Whether every body is right.
    #[inline]
    pub(super) fn takes_any(&self) -> bool {
        matches!(self.content, Content::Any)
    }

    /// The most bytes that a body may decode to.
    pub(super) fn longest_decoded(&self) -> usize {
        match self.known() {
            Some(known) if self.by_bytes() => known.len(),
            _ => coding::LONGEST,
        }
    }

    /// The bytes of the body, once they are known.
    #[inline]
    pub(super) fn known(&self) -> Option<&[u8]> {
        self.known.get().map(|known| &**known)
    }

    /// Checks a head, which ends at `end` of the bytes `seen`.
    ///
    /// # Errors
    /// What was expected, and what was found.
    pub(super) fn check_head<'b>(
        &self,
        status: u16,
        seen: &[u8],
        end: usize,
        value: impl Fn(&str) -> Option<&'b [u8]>,
    ) -> Result<(), String> {
        let right = match self.status {
            Some(expected) => status == expected,
            None => (200..300).contains(&status),
        };
        if !right {
            let expected = self.status.map_or("2xx".to_owned(), |status| status.to_string());
            let whole = show::bytes(seen);
            return Err(format!(
                "expected a status of {expected}\n  got      {status}: {whole}"
            ));
        }
        let head = &seen[..end];
        if let Some(expected) = &self.media_type {
            check_type(value("content-type"), head, expected)?;
        }
        if matches!(self.content, Content::Fortunes) {
            check_page_type(value("content-type"), head)?;
        }
        if !self.encoding.is_empty() {
            check_encoding(value("content-encoding"), head, &self.encoding)?;
        }
        for name in &self.fields {
            let value = match name.to_ascii_lowercase().as_str() {
                // An answer in chunks says where it ends, too.
                LENGTH => value(LENGTH).or_else(|| value("transfer-encoding")),
                _ => value(name),
            };
            let found = match value {
                Some(value) if !value.is_empty() => continue,
                Some(_) => "an empty one",
                None => "none",
            };
            return Err(format!(
                "expected a header field `{name}`, found {found}\n  got      {}",
                show::bytes(head)
            ));
        }
        Ok(())
    }

    /// Checks a whole body by its meaning. Returns its rows, where it holds rows of a table.
    ///
    /// # Errors
    /// What was expected, and what was found.
    pub(super) fn check_body(&self, body: &[u8]) -> Result<Vec<(u64, u64)>, String> {
        match &self.content {
            Content::Bytes => return self.check_bytes(body),
            Content::Messages { several } => {
                // The first sets what the others must be, so it must be right by itself.
                if self.known().is_none() {
                    messages::check(body, *several).map_err(|why| format!("the body: {why}"))?;
                }
                return self.check_bytes(body);
            }
            Content::Any => return Ok(Vec::new()),
            Content::AnyCase(text) => check_letters(body, text)?,
            Content::Json(value) if self.any_case => {
                let lower = |text: &[u8]| serde_json::from_slice::<Value>(&text.to_ascii_lowercase());
                let expected = lower(value.to_string().as_bytes()).unwrap_or_default();
                check_json(&body.to_ascii_lowercase(), &expected)?;
            }
            Content::Json(value) => check_json(body, value)?,
            Content::World(rows) => return check_row(body, *rows).map(|row| vec![row]),
            Content::Rows(list) => return check_rows(body, list),
            Content::Fortunes => {
                fortunes::check(body).map_err(|why| format!("the page of fortunes: {why}"))?
            }
            Content::Table { columns, rows } => {
                table::check(body, *columns, *rows).map_err(|why| format!("the body's table: {why}"))?;
            }
        }
        self.known.get_or_init(|| body.into());
        Ok(Vec::new())
    }

    fn check_bytes(&self, body: &[u8]) -> Result<Vec<(u64, u64)>, String> {
        let known = self.known.get_or_init(|| body.into());
        if **known != *body {
            return Err(format!("the body: {}", show::difference(known, body)));
        }
        Ok(Vec::new())
    }
}

fn check_type(found: Option<&[u8]>, head: &[u8], expected: &str) -> Result<(), String> {
    let Some(found) = found else {
        return Err(format!(
            "expected the media type {expected}, found no Content-Type\n  got      {}",
            show::bytes(head)
        ));
    };
    let media_type = found.split(|&byte| byte == b';').next().unwrap_or_default();
    if !media_type.trim_ascii().eq_ignore_ascii_case(expected.as_bytes()) {
        return Err(format!(
            "expected the media type {expected}\n  got      {}",
            show::bytes(found)
        ));
    }
    Ok(())
}

fn check_page_type(found: Option<&[u8]>, head: &[u8]) -> Result<(), String> {
    if !found.is_some_and(fortunes::is_type) {
        return Err(format!(
            "expected Content-Type: text/html; charset=utf-8, without which its characters are read wrongly\n  got      {}",
            show::bytes(found.unwrap_or(head))
        ));
    }
    Ok(())
}

fn check_encoding(found: Option<&[u8]>, head: &[u8], expected: &[String]) -> Result<(), String> {
    let coding = Coding::named(found).map(Coding::name);
    if expected.iter().any(|one| Some(one.as_str()) == coding) {
        return Ok(());
    }
    let found = match found {
        None => "none".to_owned(),
        Some(found) => format!("`{}`", found.escape_ascii()),
    };
    Err(format!(
        "expected a Content-Encoding of {}, found {found}\n  got      {}",
        expected.join(" or "),
        show::bytes(head)
    ))
}

fn check_letters(body: &[u8], expected: &str) -> Result<(), String> {
    if body.eq_ignore_ascii_case(expected.as_bytes()) {
        return Ok(());
    }
    Err(format!(
        "the body: expected \"{}\", its letters in any case\n  got      {}",
        expected.escape_debug(),
        show::bytes(body)
    ))
}

fn check_json(body: &[u8], expected: &Value) -> Result<(), String> {
    let wrong = |why: String| {
        Err(format!(
            "the body: expected {expected}\n  got      {}{why}",
            show::bytes(body)
        ))
    };
    match serde_json::from_slice::<Value>(body) {
        Ok(found) if is_same(&found, expected) => Ok(()),
        Ok(_) => wrong(String::new()),
        Err(error) => wrong(format!(", which is not JSON: {error}")),
    }
}

/// Whether two values mean the same: a number is one however it is written, 7 or 7.0.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => {
            a == b || (a.is_f64() != b.is_f64() && a.as_f64() == b.as_f64())
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(name, a)| b.get(name).is_some_and(|b| is_same(a, b)))
        }
        (one, other) => one == other,
    }
}

fn check_rows(body: &[u8], list: &Rows) -> Result<Vec<(u64, u64)>, String> {
    list.check(body).map_err(|why| {
        format!(
            "the body: expected {}\n  got      {}: {why}",
            list.expected(),
            show::bytes(body)
        )
    })
}

fn check_row(body: &[u8], rows: u32) -> Result<(u64, u64), String> {
    row::check(body, rows).map_err(|why| {
        format!(
            "the body: expected {{\"id\":N,\"randomNumber\":M}}, a row of 1 to {rows}\n  got      {}: {why}",
            show::bytes(body)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_may_have_any_case_where_that_is_said() {
        let of = |content| Expectation {
            content,
            any_case: true,
            ..Expectation::default()
        };
        let text = || of(Content::AnyCase("Hello, World!".to_owned()));
        let json = || of(Content::Json(serde_json::json!({"message": "Hello, World!"})));
        assert!(text().check_body(b"hello, world!").is_ok());
        assert!(text().check_body(b"hello, world").is_err());
        assert!(json().check_body(b"{\"message\":\"Hello, world!\"}").is_ok());
        assert!(json().check_body(b"{\"message\":\"Hello, moon!\"}").is_err());
    }

    #[test]
    fn json_is_compared_by_its_meaning() {
        let expected = serde_json::json!({"count": 1, "items": [{"total": 7, "name": "a"}]});
        for same in [
            r#"{"items": [{"name": "a", "total": 7}], "count": 1}"#,
            r#"{"items": [{"name": "a", "total": 7.0}], "count": 1}"#,
        ] {
            assert_eq!(check_json(same.as_bytes(), &expected), Ok(()), "{same}");
        }
        for other in [
            r#"{"items": [{"name": "a", "total": 7.5}], "count": 1}"#,
            r#"{"items": [{"name": "a", "total": "7"}], "count": 1}"#,
            r#"{"items": [{"name": "a", "total": 7, "x": 1}], "count": 1}"#,
            r#"{"items": [], "count": 1}"#,
            r#"{"items": [{"name": "a", "total": 7}]}"#,
        ] {
            assert!(check_json(other.as_bytes(), &expected).is_err(), "{other}");
        }
    }
}
