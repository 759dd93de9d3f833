//! The words of the protocol's lines.

/// A number: decimal digits alone, within 64 bits.
pub fn number(word: &str) -> Result<u64, String> {
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let value = digits.then(|| word.parse().ok()).flatten();
    value.ok_or_else(|| format!("{word:?} is no number of 64 bits"))
}

/// Why a line has no answer.
pub fn unknown(line: &str) -> String {
    format!("{line:?} is none of: run N [SIZE], show I [SIZE]")
}

/// Two lower-case digits a byte.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .map(|digit| char::from(DIGITS[usize::from(digit)]))
        .collect()
}

/// The way back.
pub fn unhex(word: &str) -> Result<Vec<u8>, String> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pair = |pair: &[u8]| match pair {
        [high, low] => Some((digit(*high)? * 16 + digit(*low)?) as u8),
        _ => None,
    };
    let bytes: Option<Vec<u8>> = word.as_bytes().chunks(2).map(pair).collect();
    bytes.ok_or_else(|| "an even number of hexadecimal digits was expected".to_owned())
}
