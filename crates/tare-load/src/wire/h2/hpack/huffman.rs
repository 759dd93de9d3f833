//! The Huffman code of HPACK (RFC 7541 §5.2, appendix B). It is canonical: among codes of one length, the order of symbols
//! is the order of codes. So the lengths alone are the table.

/// The symbol that only pads (RFC 7541 §5.2).
const EOS: usize = 256;

const LONGEST: usize = 30;

/// The length of each symbol's code in bits: of the bytes 0 to 255, and of EOS.
#[rustfmt::skip]
const LENGTHS: [u8; EOS + 1] = [
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
    28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
     6, 10, 10, 12, 13,  6,  8, 11, 10, 10,  8, 11,  8,  6,  6,  6,
     5,  5,  5,  6,  6,  6,  6,  6,  6,  6,  7,  8, 15,  6, 12, 10,
    13,  6,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,
     7,  7,  7,  7,  7,  7,  7,  7,  8,  7,  8, 13, 19, 13, 14,  6,
    15,  5,  6,  5,  6,  5,  6,  6,  6,  5,  7,  7,  6,  6,  6,  5,
     6,  7,  6,  5,  5,  6,  7,  7,  7,  7,  7, 15, 11, 14, 13, 28,
    20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
    24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
    22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
    21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
    26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
    19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
    20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
    26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
    30,
];

/// The code, made of its lengths.
struct Code {
    /// Of each length: the first code, and which of `symbols` has it.
    first: [u32; LONGEST + 1],
    from: [usize; LONGEST + 1],
    /// Of each length: what 32 bits that begin with a code of at most this length are below.
    below: [u64; LONGEST + 1],
    /// The symbols in the order of their codes.
    symbols: [u16; EOS + 1],
}

static CODE: Code = code();

const fn code() -> Code {
    let mut code = Code {
        first: [0; LONGEST + 1],
        from: [0; LONGEST + 1],
        below: [0; LONGEST + 1],
        symbols: [0; EOS + 1],
    };
    let (mut next, mut placed, mut length) = (0_u32, 0, 1);
    while length <= LONGEST {
        (code.first[length], code.from[length]) = (next, placed);
        let mut symbol = 0;
        while symbol <= EOS {
            if LENGTHS[symbol] as usize == length {
                code.symbols[placed] = symbol as u16;
                placed += 1;
                next += 1;
            }
            symbol += 1;
        }
        code.below[length] = (next as u64) << (32 - length);
        next <<= 1;
        length += 1;
    }
    code
}

/// The symbol whose code begins these 32 bits, and its length.
fn symbol(bits: u32) -> (usize, u32) {
    let length = (5..LONGEST)
        .find(|&length| u64::from(bits) < CODE.below[length])
        .unwrap_or(LONGEST);
    let nth = (bits >> (32 - length)) - CODE.first[length];
    let symbol = CODE.symbols[CODE.from[length] + nth as usize];
    (usize::from(symbol), length as u32)
}

/// Decodes a string to the end of `out`.
///
/// # Errors
/// Why it is no such string.
pub(super) fn decode(bytes: &[u8], out: &mut Vec<u8>) -> Result<(), &'static str> {
    // The last `count` of `bits` are still to be decoded.
    let (mut bits, mut count, mut rest) = (0_u64, 0_u32, bytes.iter());
    loop {
        while count <= 32
            && let Some(byte) = rest.next()
        {
            bits = bits << 8 | u64::from(*byte);
            count += 8;
        }
        if count == 0 {
            return Ok(());
        }
        // What is missing of 32 bits is filled with ones, as the padding is.
        let next = match count {
            32.. => (bits >> (count - 32)) as u32,
            _ => (bits << (32 - count)) as u32 | u32::MAX >> count,
        };
        let (symbol, length) = symbol(next);
        if length > count {
            return match next {
                u32::MAX if count < 8 => Ok(()),
                u32::MAX => Err("a Huffman string with more than 7 bits of padding"),
                _ => Err("a Huffman string that ends within a symbol"),
            };
        }
        if symbol == EOS {
            return Err("a Huffman string that holds EOS");
        }
        out.push(symbol as u8);
        count -= length;
    }
}

/// A string in the code.
#[cfg(test)]
pub(super) fn encode(text: &[u8]) -> Vec<u8> {
    let mut bits = String::new();
    for &byte in text {
        let length = usize::from(LENGTHS[usize::from(byte)]);
        let nth = CODE.symbols[CODE.from[length]..]
            .iter()
            .position(|&symbol| symbol == u16::from(byte));
        let code = CODE.first[length] + nth.expect("each byte has a code") as u32;
        bits += &format!("{code:0length$b}");
    }
    bits += &"1".repeat(bits.len().next_multiple_of(8) - bits.len());
    let byte = |eight: &[u8]| eight.iter().fold(0, |byte, bit| byte << 1 | (bit - b'0'));
    bits.as_bytes().chunks(8).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> Result<Vec<u8>, &'static str> {
        let mut out = Vec::new();
        decode(bytes, &mut out).map(|()| out)
    }

    /// Codes that RFC 7541 lists in appendix B.
    #[test]
    fn the_code_is_that_of_the_standard() {
        for (byte, code) in [
            (b'0', "00000"),
            (b't', "01001"),
            (b' ', "010100"),
            (b'u', "101101"),
            (b':', "1011100"),
            (b'z', "1111011"),
            (b'&', "11111000"),
            (b'Z', "11111101"),
            (b'!', "1111111000"),
            (b'\\', "1111111111111110000"),
            (0, "1111111111000"),
            (10, "111111111111111111111111111100"),
            (22, "111111111111111111111111111110"),
            (249, "1111111111111111111111111110"),
            (255, "11111111111111111111101110"),
        ] {
            let bits: String = encode(&[byte]).iter().map(|byte| format!("{byte:08b}")).collect();
            assert!(bits.starts_with(code), "{byte}: {bits}");
            assert!(
                bits[code.len()..].bytes().all(|bit| bit == b'1'),
                "{byte}: {bits}"
            );
        }
    }

    /// Strings of RFC 7541, appendix C.
    #[test]
    fn strings_are_decoded() {
        for (bytes, text) in [
            (
                &b"\xf1\xe3\xc2\xe5\xf2\x3a\x6b\xa0\xab\x90\xf4\xff"[..],
                "www.example.com",
            ),
            (b"\xa8\xeb\x10\x64\x9c\xbf", "no-cache"),
            (b"\x64\x02", "302"),
            (b"\xae\xc3\x77\x1a\x4b", "private"),
            (
                b"\xd0\x7a\xbe\x94\x10\x54\xd4\x44\xa8\x20\x05\x95\x04\x0b\x81\x66\xe0\x82\xa6\x2d\x1b\xff",
                "Mon, 21 Oct 2013 20:13:21 GMT",
            ),
            (b"", ""),
        ] {
            assert_eq!(decoded(bytes).unwrap(), text.as_bytes());
        }
    }

    #[test]
    fn all_bytes_survive() {
        let all: Vec<u8> = (0..=255).chain((0..=255).rev()).collect();
        assert_eq!(decoded(&encode(&all)).unwrap(), all);
        for byte in 0..=255 {
            for times in 1..9 {
                let text = vec![byte; times];
                assert_eq!(decoded(&encode(&text)).unwrap(), text);
            }
        }
    }

    #[test]
    fn what_is_no_string_is_refused() {
        assert!(decoded(b"\xff").unwrap_err().contains("more than 7 bits"));
        assert!(
            decoded(b"\x07\xff").unwrap_err().contains("more than 7 bits"),
            "11 after a symbol"
        );
        assert!(decoded(b"\xff\xff\xff\xff").unwrap_err().contains("EOS"));
        // The first 8 of the 10 bits of `!`.
        assert!(decoded(b"\xfe").unwrap_err().contains("within a symbol"));
        // `0`, and a padding of zeros.
        assert!(decoded(b"\x00").unwrap_err().contains("within a symbol"));
    }
}
