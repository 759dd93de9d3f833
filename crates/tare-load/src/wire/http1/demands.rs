//! What every answer must be: its status, its media type, fields, and its body.

use std::sync::OnceLock;

use serde_json::Value;

use super::head::Head;
use super::{table, world};
use crate::show;

/// What every answer must be. Shared by all judges of a target.
#[derive(Debug, Default)]
pub(crate) struct Demands {
    /// The status; none: any of 2xx.
    pub(crate) status: Option<u16>,
    /// The media type, parameters aside; none: any.
    pub(crate) media_type: Option<String>,
    /// Fields that must be there, and not empty.
    pub(crate) fields: Vec<String>,
    /// The body's meaning.
    pub(crate) content: Content,
    /// The body's bytes, where they are the same each time: given, or those of the first answer that was right.
    pub(crate) known: OnceLock<Box<[u8]>>,
}

/// What a body must mean.
#[derive(Debug, Default)]
pub(crate) enum Content {
    /// The known bytes.
    #[default]
    Bytes,
    /// This value.
    Json(Value),
    /// A row of a table with so many.
    World(u32),
    /// An HTML table.
    Table { columns: u32, rows: u32 },
    /// Anything: only where it ends is looked for.
    Any,
}

impl Demands {
    /// These bytes in the body, and nothing else is demanded.
    pub(crate) fn bytes(body: Option<&[u8]>) -> Self {
        let demands = Self::default();
        if let Some(body) = body {
            demands.known.get_or_init(|| body.into());
        }
        demands
    }

    /// Whether the body is another from answer to answer.
    pub(super) fn varies(&self) -> bool {
        matches!(self.content, Content::World(_) | Content::Any)
    }

    /// Whether the body is not looked at.
    #[inline]
    pub(super) fn takes_any(&self) -> bool {
        matches!(self.content, Content::Any)
    }

    /// The bytes of the body, once they are known.
    #[inline]
    pub(in crate::wire) fn known(&self) -> Option<&[u8]> {
        self.known.get().map(|known| &**known)
    }

    /// Whether a head, which ends `bytes`, is as it must be.
    ///
    /// # Errors
    /// What was expected, and what was found. `seen`: what is there of the answer.
    pub(in crate::wire) fn judge_head(&self, head: &Head, seen: &[u8]) -> Result<(), String> {
        let expected = self.status.map_or("2xx".to_owned(), |status| status.to_string());
        let fits = self
            .status
            .map_or((200..300).contains(&head.status), |status| status == head.status);
        if !fits {
            let whole = show::bytes(seen);
            return Err(format!(
                "expected a status of {expected}\n  got      {}: {whole}",
                head.status
            ));
        }
        let media_type = self.media_type.as_deref();
        media_type.map_or(Ok(()), |expected| judge_type(head, seen, expected))?;
        self.fields.iter().try_for_each(|name| {
            let value = head.value(seen, name);
            match value {
                Some(value) if !value.is_empty() => Ok(()),
                _ => Err(format!(
                    "expected a header field `{name}`, found {}\n  got      {}",
                    if value.is_some() { "an empty one" } else { "none" },
                    show::bytes(&seen[..head.end])
                )),
            }
        })
    }

    /// Whether a whole body is right, by its meaning; the id of its row, where it is one.
    ///
    /// # Errors
    /// What was expected, and what was found.
    pub(in crate::wire) fn judge_body(&self, body: &[u8]) -> Result<Option<u64>, String> {
        match &self.content {
            Content::Bytes => {
                let known = self.known.get_or_init(|| body.into());
                match **known == *body {
                    true => return Ok(None),
                    false => return Err(format!("the body: {}", show::difference(known, body))),
                }
            }
            Content::Any => return Ok(None),
            Content::Json(value) => judge_json(body, value)?,
            Content::World(rows) => return judge_row(body, *rows).map(Some),
            Content::Table { columns, rows } => {
                table::judge(body, *columns, *rows).map_err(|why| format!("the body's table: {why}"))?;
            }
        }
        self.known.get_or_init(|| body.into());
        Ok(None)
    }
}

fn judge_type(head: &Head, bytes: &[u8], expected: &str) -> Result<(), String> {
    let found = head.value(bytes, "content-type");
    let fits = |found: &[u8]| {
        let media_type = found.split(|&byte| byte == b';').next().unwrap_or_default();
        media_type.trim_ascii().eq_ignore_ascii_case(expected.as_bytes())
    };
    match found {
        Some(found) if fits(found) => Ok(()),
        Some(found) => Err(format!(
            "expected the media type {expected}\n  got      {}",
            show::bytes(found)
        )),
        None => Err(format!(
            "expected the media type {expected}, found no Content-Type\n  got      {}",
            show::bytes(&bytes[..head.end])
        )),
    }
}

fn judge_json(body: &[u8], expected: &Value) -> Result<(), String> {
    let wrong = |what: String| {
        Err(format!(
            "the body: expected {expected}\n  got      {}{what}",
            show::bytes(body)
        ))
    };
    match serde_json::from_slice::<Value>(body) {
        Ok(found) if found == *expected => Ok(()),
        Ok(_) => wrong(String::new()),
        Err(error) => wrong(format!(", which is no JSON: {error}")),
    }
}

fn judge_row(body: &[u8], rows: u32) -> Result<u64, String> {
    world::judge(body, rows).map_err(|why| {
        format!(
            "the body: expected {{\"id\":N,\"randomNumber\":M}}, a row of 1 to {rows}\n  got      {}: {why}",
            show::bytes(body)
        )
    })
}
