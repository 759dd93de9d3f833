//! Header compression (RFC 7541): a decoder, and an encoder that refers to the static table only, so that a request is the
//! same bytes on every connection.

mod encode;
mod huffman;
mod table;

pub(crate) use encode::encode;
pub(super) use table::Table;

use std::fmt;

use crate::show;
use table::{OVERHEAD, STATIC};

/// The most that a decoded head may count, with 32 bytes for each field (RFC 7541 §4.1): as much as a head of HTTP/1.1.
const LONGEST: usize = 256 << 10;

/// The number of entries that the dynamic table can hold: each counts at least 32 bytes.
pub(super) const ENTRIES: usize = table::MOST / OVERHEAD;

/// A header field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) name: Box<[u8]>,
    pub(super) value: Box<[u8]>,
}

impl Field {
    fn new(name: &[u8], value: &[u8]) -> Self {
        Self {
            name: name.into(),
            value: value.into(),
        }
    }

    fn size(&self) -> usize {
        self.name.len() + self.value.len() + OVERHEAD
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name.escape_ascii(), self.value.escape_ascii())
    }
}

/// A decoded block.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) fields: Vec<Field>,
    /// The entries that it added to the dynamic table, in their order.
    pub(super) added: Vec<Field>,
    /// Whether its meaning depends on the dynamic table.
    pub(super) refers: bool,
    /// Whether it changed the size of the dynamic table.
    pub(super) resized: bool,
    size: usize,
}

/// A block that is being decoded.
struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

/// Decodes a block, which changes the table.
///
/// # Errors
/// Why it is no such block, and where.
pub(super) fn decode(table: &mut Table, bytes: &[u8]) -> Result<Block, String> {
    let (mut reader, mut block) = (Reader { bytes, at: 0 }, Block::default());
    while reader.at < bytes.len() {
        let at = reader.at;
        reader.field(table, &mut block).map_err(|why| {
            let window = show::window(bytes, at);
            format!("a header block with {why} at byte {at}\n  expected a block as RFC 7541 has it\n  got      {window}")
        })?;
    }
    Ok(block)
}

impl Reader<'_> {
    /// Takes one representation (RFC 7541 §6).
    fn field(&mut self, table: &mut Table, block: &mut Block) -> Result<(), &'static str> {
        match self.bytes[self.at] {
            0x80.. => {
                let index = self.integer(7)?;
                let field = found(table, index, block)?;
                block.push(field)
            }
            0x40.. => {
                let field = self.literal(6, table, block)?;
                block.added.push(field.clone());
                table.insert(field.clone());
                block.push(field)
            }
            0x20.. => {
                if !block.fields.is_empty() {
                    return Err("a change of the table's size after a field");
                }
                block.resized = true;
                match table.limit(self.integer(5)?) {
                    true => Ok(()),
                    false => Err("a table of more than 4,096 bytes"),
                }
            }
            // Without indexing, and never indexed.
            _ => {
                let field = self.literal(4, table, block)?;
                block.push(field)
            }
        }
    }

    fn literal(&mut self, prefix: u32, table: &Table, block: &mut Block) -> Result<Field, &'static str> {
        let name = match self.integer(prefix)? {
            0 => self.string()?,
            index => found(table, index, block)?.name,
        };
        let value = self.string()?;
        Ok(Field { name, value })
    }

    /// A number whose first byte has so many bits of it (RFC 7541 §5.1).
    fn integer(&mut self, prefix: u32) -> Result<usize, &'static str> {
        let mask = (1_usize << prefix) - 1;
        let mut value = usize::from(self.byte()?) & mask;
        if value < mask {
            return Ok(value);
        }
        for shift in [0, 7, 14, 21] {
            let byte = usize::from(self.byte()?);
            value += (byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err("a number of more than 28 bits")
    }

    fn string(&mut self) -> Result<Box<[u8]>, &'static str> {
        let coded = self.bytes.get(self.at).is_some_and(|byte| byte & 0x80 != 0);
        let length = self.integer(7)?;
        let end = self.at + length;
        let bytes = self.bytes.get(self.at..end).ok_or("a string that is cut")?;
        self.at = end;
        if !coded {
            return Ok(bytes.into());
        }
        let mut out = Vec::with_capacity(length * 8 / 5);
        huffman::decode(bytes, &mut out)?;
        Ok(out.into())
    }

    fn byte(&mut self) -> Result<u8, &'static str> {
        let byte = *self.bytes.get(self.at).ok_or("a field that is cut")?;
        self.at += 1;
        Ok(byte)
    }
}

/// The entry with this index.
fn found(table: &Table, index: usize, block: &mut Block) -> Result<Field, &'static str> {
    block.refers |= index > STATIC.len();
    table.get(index).ok_or("an index that no table has")
}

impl Block {
    fn push(&mut self, field: Field) -> Result<(), &'static str> {
        self.size += field.size();
        if self.size > LONGEST {
            return Err("more than 256 KiB of fields");
        }
        self.fields.push(field);
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests;
