//! The formats.

use std::io;

use serde::{Deserialize, Serialize};

/// What can go wrong: the format, or the pipe.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// A format of serde.
pub trait Format {
    /// What the check knows it as.
    const NAME: &'static str;

    /// A value's bytes.
    fn write<T: Serialize>(value: &T) -> Result<Vec<u8>>;

    /// The value of bytes, all of them; texts stay where they are.
    fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T>;
}

/// Variable-length integers, no names of fields.
pub struct Postcard;

impl Format for Postcard {
    const NAME: &'static str = "postcard";

    fn write<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        Ok(postcard::to_stdvec(value)?)
    }

    fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T> {
        match postcard::take_from_bytes(bytes)? {
            (value, []) => Ok(value),
            (_, rest) => Err(io::Error::other(format!("{} bytes too many", rest.len())).into()),
        }
    }
}

/// Text.
pub struct Json;

impl Format for Json {
    const NAME: &'static str = "json";

    fn write<T: Serialize>(value: &T) -> Result<Vec<u8>> {
        Ok(serde_json::to_vec(value)?)
    }

    fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T> {
        Ok(serde_json::from_slice(bytes)?)
    }
}
