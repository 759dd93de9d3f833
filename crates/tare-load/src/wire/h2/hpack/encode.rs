//! Requests: entries of the static table, and literals that no table keeps.

use super::table::STATIC;

/// Fields that hold secrets: no one on the way may keep them either (RFC 7541 §7.1.3).
const SECRET: [&[u8]; 3] = [b"authorization", b"cookie", b"proxy-authorization"];

/// The block of these fields, whose names are in lower case.
pub(crate) fn encode<'f>(fields: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, value) in fields {
        let whole = STATIC
            .iter()
            .position(|entry| (entry.0, entry.1.as_bytes()) == (name, value));
        let named = STATIC.iter().position(|entry| entry.0 == name);
        match (whole, named) {
            (Some(entry), _) => integer(&mut out, 0x80, 7, entry + 1),
            (None, found) => {
                let kind = if SECRET.contains(&name.as_bytes()) {
                    0x10
                } else {
                    0
                };
                integer(&mut out, kind, 4, found.map_or(0, |entry| entry + 1));
                if found.is_none() {
                    string(&mut out, name.as_bytes());
                }
                string(&mut out, value);
            }
        }
    }
    out
}

fn string(out: &mut Vec<u8>, text: &[u8]) {
    integer(out, 0, 7, text.len());
    out.extend_from_slice(text);
}

/// A number whose first byte is `first` with so many bits of it (RFC 7541 §5.1).
fn integer(out: &mut Vec<u8>, first: u8, prefix: u32, value: usize) {
    let most = (1_usize << prefix) - 1;
    if value < most {
        return out.push(first | value as u8);
    }
    out.push(first | most as u8);
    let mut rest = value - most;
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}
