//! Foreign text: lines of bounded length, names that can be shown, numbers that are figures.

/// The longest line that is looked at, in bytes. A result has some hundreds; what is longer was printed by something else.
const LONGEST_LINE: usize = 16 << 10;

/// The longest name of a benchmark, in bytes. Longer ones cannot be shown in a table, nor chosen by some harnesses.
const LONGEST_NAME: usize = 1000;

/// How much of a program's own words an error shows.
const LAST_LINES: usize = 12;
const LONGEST_SHOWN: usize = 300;

/// The lines that may mean something: UTF-8, and not too long. Bytes that are no UTF-8 become U+FFFD, which no name may have.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = String> {
    let short = bytes
        .split(|byte| *byte == b'\n')
        .filter(|line| line.len() <= LONGEST_LINE);
    short.map(|line| String::from_utf8_lossy(line).trim_end_matches('\r').to_owned())
}

/// Whether a benchmark may be called so. If not, why.
pub(crate) fn name_fault(name: &str) -> Option<&'static str> {
    if name.trim().is_empty() {
        Some("its name is empty")
    } else if name.len() > LONGEST_NAME {
        Some("its name has more than 1000 bytes")
    } else if name.contains(char::REPLACEMENT_CHARACTER) {
        Some("its name is not UTF-8")
    } else if name.chars().any(unshowable) {
        Some("its name has control characters")
    } else {
        None
    }
}

/// Text that a terminal does not obey: control characters and those that change the direction of writing are escaped, line
/// ends are kept.
pub(crate) fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push(c),
            '\t' => out.push(' '),
            c if unshowable(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// The beginning of a text, for a sentence about it.
pub(crate) fn short(text: &str) -> String {
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The lines of a source that mean something: without empty ones and those that are only a remark.
pub(crate) fn code(source: &str, remark: &str) -> String {
    let lines = source.lines().map(str::trim);
    let kept = lines.filter(|line| !line.is_empty() && !line.starts_with(remark));
    kept.map(|line| format!("{line}\n")).collect()
}

/// Control characters, and the marks by which text runs backwards.
fn unshowable(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// How the words of a program that died begin, in several languages. The stack that follows them may be long.
const DEATHS: [&str; 6] = [
    "<failure>",
    "panic: ",
    "fatal error: ",
    "panicked at ",
    "terminate called ",
    "Exception in thread ",
];

/// The last lines that say something; of a program that died, from its first words about it.
pub(crate) fn last_lines(bytes: &[u8]) -> String {
    // Only the end is looked at, so that a flood of output costs nothing.
    let end = &bytes[bytes.len().saturating_sub(LAST_LINES * LONGEST_LINE)..];
    let lines: Vec<String> = lines(end).filter(|line| !line.trim().is_empty()).collect();
    let died = lines
        .iter()
        .position(|line| DEATHS.iter().any(|death| line.contains(death)));
    let from = lines.len().saturating_sub(LAST_LINES);
    let words = lines.iter().skip(died.unwrap_or(from).min(from)).take(LAST_LINES);
    words.map(|line| short(line)).collect::<Vec<_>>().join("\n")
}

/// A printed number, and how coarse it is: the last digit's worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Printed {
    pub(crate) value: f64,
    pub(crate) step: f64,
}

impl Printed {
    /// Reads `110.4`, `1,234`, `12` or `1.5e-05`. None if it is no finite number.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let text = text.replace(',', "");
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
        let plain = mantissa.trim_start_matches(['-', '+']);
        if plain.is_empty() || !plain.chars().all(|c| c.is_ascii_digit() || c == '.') {
            return None;
        }
        let decimals = plain.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let exponent: i32 = exponent.parse().ok()?;
        let value: f64 = text.parse().ok().filter(|value: &f64| value.is_finite())?;
        let step = 10f64.powi(exponent.checked_sub(i32::try_from(decimals).ok()?)?);
        Some(Self { value, step })
    }

    pub(crate) fn times(self, factor: f64) -> Self {
        Self {
            value: self.value * factor,
            step: self.step * factor,
        }
    }
}

/// A regular expression that matches just this text, in the syntaxes of RE2, Rust, Java and ECMAScript.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if r"\.+*?()|[]{}^$".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The first field of a line of a CSV table, which may be quoted, and what follows.
pub(crate) fn csv_field(line: &str) -> Option<(String, &str)> {
    let Some(quoted) = line.strip_prefix('"') else {
        let (name, rest) = line.split_once(',')?;
        return Some((name.to_owned(), rest));
    };
    let mut at = 0;
    loop {
        at += quoted.get(at..)?.find('"')?;
        match quoted.get(at + 1..)? {
            twice if twice.starts_with('"') => at += 2,
            rest => return Some((quoted[..at].replace("\"\"", "\""), rest.strip_prefix(',')?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_as_coarse_as_its_last_digit() {
        let step = |text| Printed::read(text).map(|printed| printed.step);
        assert_eq!(step("110.4"), Some(0.1));
        assert_eq!(step("9865"), Some(1.0));
        assert_eq!(step("1,234"), Some(1.0));
        assert_eq!(step("1.5e-05"), Some(10f64.powi(-6)));
        for none in ["", "-", "NaN", "+Inf", "1e999", "0x12", "1e", "12ns", "1.2.3"] {
            assert_eq!(Printed::read(none), None, "{none}");
        }
    }

    #[test]
    fn names_that_cannot_be_shown_are_none() {
        for name in ["Count/n=10", "../../x", "a b", "日本", "-x"] {
            assert_eq!(name_fault(name), None, "{name}");
        }
        let long = "x".repeat(1001);
        for name in ["", " ", "a\u{1b}[2J", "a\nb", "a\u{202e}b", "a\u{fffd}", &long] {
            assert!(name_fault(name).is_some(), "{name:?}");
        }
    }

    #[test]
    fn a_line_of_megabytes_is_passed_over() {
        let mut bytes = vec![b'x'; 10 << 20];
        bytes.extend_from_slice(b"\nlast \xff\n");
        assert_eq!(lines(&bytes).collect::<Vec<_>>(), ["last \u{fffd}", ""]);
        assert_eq!(last_lines(&bytes), "last \u{fffd}");
    }

    #[test]
    fn of_a_program_that_died_its_first_words_are_shown() {
        let stack: String = (0..50).map(|frame| format!("frame {frame}\n")).collect();
        let shown = last_lines(format!("before\npanic: no such key\n{stack}").as_bytes());
        assert!(shown.starts_with("panic: no such key\nframe 0\n"), "{shown}");
        assert_eq!(shown.lines().count(), LAST_LINES);
        assert!(last_lines(stack.as_bytes()).ends_with("frame 49"));
    }

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        assert_eq!(shown("a\u{1b}[2J\tb\n\u{202e}c"), "a\\u{1b}[2J b\n\\u{202e}c");
        assert_eq!(quoted("fib(1)/[x].y"), r"fib\(1\)/\[x\]\.y");
    }
}
