//! The last symbol before an address, from a program's own symbol table (System V ABI, object files, ELF64).
//!
//! Compilers leave local functions without symbols, GHC nearly all of them; perf then has no name. Their code lies with
//! that of the function or module that they belong to, so the symbol before them names that.

use std::fs;
use std::path::Path;

/// If the symbol before is further away than this, it says nothing.
const REACH: u64 = 64 * 1024;

const SYMTAB: u32 = 2;
const LOAD: u32 = 1;
const EXECUTABLE: u64 = 4;

/// Names of functions by their addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Symbols {
    /// Segments: offset in the file, size there, address.
    segments: Vec<(u64, u64, u64)>,
    /// Sorted by address.
    names: Vec<(u64, String)>,
}

impl Symbols {
    /// Of a program or library; none if it has no table, or is not ELF.
    pub(super) fn read(path: &Path) -> Option<Self> {
        Self::parse(&fs::read(path).ok()?)
    }

    fn parse(file: &[u8]) -> Option<Self> {
        let header = Bytes(file);
        // ELF, 64 bits, little endian.
        if file.get(..6)? != b"\x7fELF\x02\x01" {
            return None;
        }
        let sections = table(header, 0x28, 0x3a, 0x3c)?;
        let executable = |index: u16| {
            let section = sections.get(usize::from(index));
            section
                .and_then(|at| header.u64(at.saturating_add(8)))
                .is_some_and(|flags| flags & EXECUTABLE != 0)
        };
        let mut names = Vec::new();
        for &at in sections
            .iter()
            .filter(|&&at| header.u32(at.saturating_add(4)) == Some(SYMTAB))
        {
            let (offset, size) = (
                header.u64(at.saturating_add(24))?,
                header.u64(at.saturating_add(32))?,
            );
            let strings = *sections.get(header.u32(at.saturating_add(40))? as usize)?;
            let strings = header.u64(strings.saturating_add(24))?;
            for symbol in (offset..offset.checked_add(size)?).step_by(24) {
                let Some(index) = header.u16((symbol as usize).saturating_add(6)) else {
                    break;
                };
                let value = header.u64((symbol as usize).saturating_add(8))?;
                let name = header.text(strings.checked_add(u64::from(header.u32(symbol as usize)?))?);
                names.extend(
                    name.filter(|name| executable(index) && !name.is_empty())
                        .map(|name| (value, name)),
                );
            }
        }
        names.sort_unstable();
        let segments = table(header, 0x20, 0x36, 0x38)?;
        let loaded = segments.into_iter().filter(|&at| header.u32(at) == Some(LOAD));
        let segments = loaded.filter_map(|at| {
            Some((
                header.u64(at.saturating_add(8))?,
                header.u64(at.saturating_add(32))?,
                header.u64(at.saturating_add(16))?,
            ))
        });
        Some(Self {
            segments: segments.collect(),
            names,
        })
        .filter(|symbols| !symbols.names.is_empty())
    }

    /// The last symbol before an offset in the file.
    pub(super) fn before(&self, offset: u64) -> Option<&str> {
        let holds =
            |&&(from, size, _): &&(u64, u64, u64)| (from..from.saturating_add(size)).contains(&offset);
        let (from, _, address) = self.segments.iter().find(holds)?;
        let address = address.checked_add(offset - from)?;
        let after = self.names.partition_point(|(start, _)| *start <= address);
        let (start, name) = self.names.get(after.checked_sub(1)?)?;
        (address - start <= REACH).then_some(name)
    }
}

/// The offsets of a table's entries. The table's offset, entry size and count are at these places of the header.
fn table(file: Bytes<'_>, offset: usize, size: usize, count: usize) -> Option<Vec<usize>> {
    let offset = usize::try_from(file.u64(offset)?).ok()?;
    let (size, count) = (usize::from(file.u16(size)?), usize::from(file.u16(count)?));
    (0..count).map(|index| offset.checked_add(index * size)).collect()
}

/// A file, and numbers in it that may be missing.
#[derive(Clone, Copy)]
struct Bytes<'f>(&'f [u8]);

impl Bytes<'_> {
    fn array<const N: usize>(self, at: usize) -> Option<[u8; N]> {
        self.0.get(at..at.checked_add(N)?)?.try_into().ok()
    }

    fn u16(self, at: usize) -> Option<u16> {
        self.array(at).map(u16::from_le_bytes)
    }

    fn u32(self, at: usize) -> Option<u32> {
        self.array(at).map(u32::from_le_bytes)
    }

    fn u64(self, at: usize) -> Option<u64> {
        self.array(at).map(u64::from_le_bytes)
    }

    fn text(self, at: u64) -> Option<String> {
        let rest = self.0.get(usize::try_from(at).ok()?..)?;
        let end = rest.iter().position(|&byte| byte == 0)?;
        Some(String::from_utf8_lossy(&rest[..end]).into_owned())
    }
}

#[cfg(test)]
mod fuzz;

#[cfg(test)]
mod tests {
    use super::*;

    /// This test's own program, which was built with symbols.
    fn own() -> Vec<u8> {
        fs::read(std::env::current_exe().unwrap()).unwrap()
    }

    #[test]
    fn a_function_is_found_by_any_place_in_it() {
        let symbols = Symbols::parse(&own()).unwrap();
        let (address, name) = symbols
            .names
            .iter()
            .find(|(_, name)| name.contains("a_function_is_found_by_any_place_in_it"))
            .expect("it is in the table");
        let (offset, _, base) = symbols
            .segments
            .iter()
            .find(|(_, size, base)| (*base..base + size).contains(address))
            .unwrap();
        let place = address - base + offset;
        assert_eq!(symbols.before(place), Some(name.as_str()));
        assert_eq!(symbols.before(place + 3), Some(name.as_str()));
        assert_eq!(symbols.before(u64::MAX), None);
    }

    #[test]
    fn what_is_no_program_or_cut_off_is_nothing() {
        assert_eq!(Symbols::parse(b""), None);
        assert_eq!(Symbols::parse(b"#!/bin/sh\nexit 0\n"), None);
        let whole = own();
        // Cut anywhere, or with a byte changed in its header: nothing breaks.
        for end in (0..whole.len().min(4096)).step_by(7) {
            Symbols::parse(&whole[..end]);
        }
        for at in 0..64 {
            let mut damaged = whole[..whole.len().min(65_536)].to_vec();
            damaged[at] ^= 0xff;
            Symbols::parse(&damaged);
        }
    }
}
