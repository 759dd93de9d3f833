//! Foreign text made harmless for each kind of output.
//!
//! A contender's output ends up in fault details: it may hold escape sequences that repaint a terminal, markup
//! that runs in a browser, characters that XML cannot hold, formulas that a spreadsheet evaluates, and
//! marks that reverse the direction of text. All of it is shown, and none of it takes effect.

use std::borrow::Cow;

/// The text with every character that has an effect replaced by a picture of it (`␛` for escape), or by `�` if there is
/// none. Line ends become `\n`; tabs stay.
pub fn visible(text: &str) -> String {
    text.replace("\r\n", "\n").chars().map(visible_char).collect()
}

fn visible_char(c: char) -> char {
    match c {
        '\n' | '\t' => c,
        // U+2400 and on picture the 32 control characters in their order; U+2421 pictures delete.
        '\0'..='\x1f' => char::from_u32(0x2400 + c as u32).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\x7f' => '\u{2421}',
        '\u{80}'..='\u{9f}' => char::REPLACEMENT_CHARACTER,
        // Marks that change the direction of text, break lines or take no width; and non-characters, which XML 1.0
        // cannot hold.
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' => {
            char::REPLACEMENT_CHARACTER
        }
        '\u{feff}' | '\u{fdd0}'..='\u{fdef}' | '\u{fff9}'..='\u{ffff}' => char::REPLACEMENT_CHARACTER,
        // Tag characters: invisible, and able to hide a whole text.
        '\u{e0000}'..='\u{e007f}' => char::REPLACEMENT_CHARACTER,
        _ => c,
    }
}

/// The text on one line: visible, with line ends and tabs as single spaces, trimmed.
pub(crate) fn one_line(text: &str) -> String {
    visible(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text for HTML, XHTML and SVG, as content or within a quoted attribute.
pub fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

/// Text for a line or a table's cell of Markdown: on one line, with every special character escaped.
pub fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in one_line(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '!' | '#' | '$' => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

/// A fenced block of Markdown that the text cannot close.
pub fn fenced(text: &str) -> String {
    let text = visible(text);
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}text\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

/// The text, or both of its ends if it is too long for a comment: GitHub refuses those of more than 65,536 characters.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 3_000;
    let count = text.chars().count();
    if count <= LONGEST {
        return text.to_owned();
    }
    let first: String = text.chars().take(LONGEST / 2).collect();
    let last: String = text.chars().skip(count - LONGEST / 2).collect();
    format!("{first}\n[…]\n{last}")
}

/// A text field of CSV (RFC 4180), quoted where needed. A field that a spreadsheet would evaluate as a formula
/// gets a leading apostrophe.
pub fn csv(text: &str) -> String {
    let text = visible(text);
    let formula = text.starts_with(['=', '+', '-', '@', '\t']);
    let text: Cow<str> = if formula {
        format!("'{text}").into()
    } else {
        text.into()
    };
    if text.contains(['"', ',', '\n', ';']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_pictured() {
        assert_eq!(visible("a\x1b[2Jb\0\x07\r\nc\rd\x7f"), "a␛[2Jb␀␇\nc␍d␡");
        assert_eq!(
            visible("\u{9b}31m\u{202e}abc\u{200b}\u{ffff}\u{e0041}"),
            "�31m�abc���"
        );
        assert_eq!(visible("Grüße, 世界 🎉\tok"), "Grüße, 世界 🎉\tok");
    }

    #[test]
    fn markup_is_text() {
        assert_eq!(
            xml("<script>alert(\"1\" & '2')</script>"),
            "&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;"
        );
        assert_eq!(
            markdown("a|b\n*c* [x](y) <i>"),
            "a\\|b \\*c\\* \\[x\\](y) &lt;i&gt;"
        );
    }

    #[test]
    fn a_fence_cannot_be_closed_from_within() {
        assert_eq!(fenced("a\n```\nb\n"), "````text\na\n```\nb\n````\n");
        assert_eq!(fenced(""), "```text\n\n```\n");
    }

    #[test]
    fn csv_fields_hold_quotes_lines_and_formulas() {
        assert_eq!(csv("plain"), "plain");
        assert_eq!(csv("a,\"b\"\nc"), "\"a,\"\"b\"\"\nc\"");
        assert_eq!(csv("=HYPERLINK(1)"), "'=HYPERLINK(1)");
    }
}
