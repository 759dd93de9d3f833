//! The page of fortunes by its meaning: a table of the rows of `fortune` and of one that is added for each request, sorted by
//! message, with every message escaped.

use std::borrow::Cow;

use crate::show;

/// The rows of the table `fortune`, as the service `postgresql` has them, and the one that servers add, sorted.
const FORTUNES: [(u32, &str); 13] = [
    (11, "<script>alert(\"Nothing of this may run.\");</script>"),
    (1, "A backup that was never restored is a hope."),
    (0, "Additional fortune added at request time."),
    (2, "Caches forget; databases remember."),
    (3, "Every fast path has a slow one beside it."),
    (4, "Fewer moving parts, fewer broken ones."),
    (5, "It works here & now; there & later is another matter."),
    (6, "Latency hides in the queue."),
    (7, "Measure twice, optimise once."),
    (8, "Nobody remembers the \"quick fix\" that stayed for years."),
    (9, "One core is enough, until it isn't."),
    (10, "Premature pessimisation is premature, too."),
    (12, "急がば回れ。測ってから語れ。"),
];

/// The page up to its table's heading.
const BEFORE: [Part; 14] = [
    Part::Doctype,
    Part::Open("html"),
    Part::Open("head"),
    Part::Open("title"),
    Part::Text("Fortunes"),
    Part::Close("title"),
    Part::Close("head"),
    Part::Open("body"),
    Part::Open("table"),
    Part::Open("tr"),
    Part::Open("th"),
    Part::Text("id"),
    Part::Close("th"),
    Part::Open("th"),
];

/// The rest of the heading.
const HEADING: [Part; 3] = [Part::Text("message"), Part::Close("th"), Part::Close("tr")];

/// The page after the last row.
const AFTER: [Part; 3] = [Part::Close("table"), Part::Close("body"), Part::Close("html")];

/// Tags that may stand anywhere, and mean nothing here.
const FREE: [&str; 3] = ["meta", "thead", "tbody"];

/// A part of a page: a tag by its name in lower case, or text without the white space around it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part<'p> {
    Doctype,
    Open(&'p str),
    Close(&'p str),
    Text(&'p str),
}

/// The type that the page must have: without a charset, its last row would be read in another one.
pub(super) fn is_type(content_type: &[u8]) -> bool {
    let text = content_type.to_ascii_lowercase();
    let mut parts = text.split(|&byte| byte == b';').map(<[u8]>::trim_ascii);
    parts.next() == Some(b"text/html")
        && parts.any(|part| part == b"charset=utf-8" || part == b"charset=\"utf-8\"")
}

/// Checks a page. White space between tags, attributes, the way in which characters are escaped, and the tags `meta`,
/// `thead` and `tbody` are free.
///
/// # Errors
/// What was expected where, and what was found.
pub(crate) fn check(bytes: &[u8]) -> Result<(), String> {
    let text = std::str::from_utf8(bytes).map_err(|error| format!("it is not UTF-8: {error}"))?;
    let mut page = Page { text, at: 0 };
    page.expect_all(BEFORE.iter().chain(&HEADING), "the heading")?;
    for (number, (id, message)) in (1..).zip(FORTUNES) {
        let id = id.to_string();
        let row = [
            Part::Open("tr"),
            Part::Open("td"),
            Part::Text(&id),
            Part::Close("td"),
            Part::Open("td"),
            Part::Text(message),
            Part::Close("td"),
            Part::Close("tr"),
        ];
        page.expect_all(row.iter(), &format!("row {number} of {}", FORTUNES.len()))?;
    }
    page.expect_all(AFTER.iter(), "the end")?;
    page.ends()
}

/// A cursor over a page.
struct Page<'p> {
    text: &'p str,
    at: usize,
}

/// A part that was found, with the escaped characters of a text as they are meant.
enum Found<'p> {
    Doctype,
    Open(String),
    Close(String),
    Text(Cow<'p, str>),
    End,
}

impl<'p> Page<'p> {
    fn expect_all<'e>(
        &mut self,
        parts: impl Iterator<Item = &'e Part<'e>>,
        place: &str,
    ) -> Result<(), String> {
        for part in parts {
            let at = self.at;
            if !self.next().is(part) {
                self.at = at;
                return Err(format!("{place}: {}", self.found(part)));
            }
        }
        Ok(())
    }

    fn ends(&mut self) -> Result<(), String> {
        let at = self.at;
        if !matches!(self.next(), Found::End) {
            self.at = at;
            return Err(format!("expected its end, {}", self.rest()));
        }
        Ok(())
    }

    /// The next part that means something.
    fn next(&mut self) -> Found<'p> {
        loop {
            let rest = &self.text[self.at..];
            let begun = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_whitespace()).len();
            self.at += begun;
            let rest = &rest[begun..];
            if rest.is_empty() {
                return Found::End;
            }
            let Some(tag) = rest.strip_prefix('<') else {
                let end = rest.find('<').unwrap_or(rest.len());
                self.at += end;
                return Found::Text(unescaped(
                    rest[..end].trim_end_matches(|c: char| c.is_ascii_whitespace()),
                ));
            };
            // A tag without an end is the rest of the page.
            let end = tag.find('>').unwrap_or(tag.len());
            self.at += (end + 2).min(rest.len());
            let tag = tag[..end].to_ascii_lowercase();
            let (name, closes) = match tag.strip_prefix('/') {
                Some(name) => (name, true),
                None => (tag.as_str(), false),
            };
            let name = name
                .split(|c: char| c.is_ascii_whitespace() || c == '/')
                .next()
                .unwrap_or_default();
            if tag.starts_with("!doctype") && tag.split_ascii_whitespace().eq(["!doctype", "html"]) {
                return Found::Doctype;
            }
            if !FREE.contains(&name) {
                let name = name.to_owned();
                return if closes {
                    Found::Close(name)
                } else {
                    Found::Open(name)
                };
            }
        }
    }

    fn found(&self, expected: &Part<'_>) -> String {
        let expected = match expected {
            Part::Doctype => "<!DOCTYPE html>".to_owned(),
            Part::Open(name) => format!("<{name}>"),
            Part::Close(name) => format!("</{name}>"),
            Part::Text(text) => format!("{text:?}, escaped"),
        };
        format!("expected {expected}, {}", self.rest())
    }

    fn rest(&self) -> String {
        match &self.text.as_bytes()[self.at..] {
            [] => "found the page's end".to_owned(),
            rest => format!(
                "found {} at byte {} of {}",
                show::bytes(&rest[..rest.len().min(90)]),
                self.at,
                self.text.len()
            ),
        }
    }
}

impl Found<'_> {
    fn is(&self, part: &Part<'_>) -> bool {
        match (self, part) {
            (Found::Doctype, Part::Doctype) => true,
            (Found::Open(found), Part::Open(name)) | (Found::Close(found), Part::Close(name)) => {
                found == name
            }
            (Found::Text(found), Part::Text(text)) => found == text,
            _ => false,
        }
    }
}

/// A text with its character references replaced; what is none stays as it is, as in browsers.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let reference = rest
            .find(';')
            .and_then(|end| Some((character(&rest[1..end])?, end + 1)));
        let (c, len) = reference.unwrap_or(('&', 1));
        plain.push(c);
        rest = &rest[len..];
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// The character of a reference, without `&` and `;`.
fn character(name: &str) -> Option<char> {
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)
        }
    }
}

/// A right page.
#[cfg(test)]
pub(crate) fn written() -> String {
    let escaped = |text: &str| {
        let text = text
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        text.replace('"', "&quot;").replace('\'', "&#39;")
    };
    let row = |(id, message): &(u32, &str)| format!("<tr><td>{id}</td><td>{}</td></tr>", escaped(message));
    let rows: String = FORTUNES.iter().map(row).collect();
    format!(
        "<!DOCTYPE html><html><head><title>Fortunes</title></head><body><table><tr><th>id</th><th>message</th></tr>\
         {rows}</table></body></html>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mangle::mangle;

    #[test]
    fn a_page_is_right_however_it_is_laid_out_and_escaped() {
        let plain = written();
        for page in [
            plain.clone(),
            plain.replace('<', "\n  <").replace('>', ">\n"),
            plain.replace("<!DOCTYPE html>", "<!doctype html>"),
            plain.replace("<head>", "<head><meta charset=\"utf-8\"/>"),
            plain.replace("<td>", "<td class=\"cell\">"),
            plain
                .replace("<table>", "<table><thead>")
                .replace("message</th></tr>", "message</th></tr></thead><tbody>"),
            plain
                .replace("&quot;", "\"")
                .replace("&#39;", "'")
                .replace("&gt;", ">"),
            plain
                .replace("&quot;", "&#34;")
                .replace("&#39;", "&apos;")
                .replace("&lt;", "&#x3C;"),
            plain.replace("</script&gt;", "&#x2F;script&gt;"),
        ] {
            assert_eq!(check(page.as_bytes()), Ok(()), "{page}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let plain = written();
        let row = "<tr><td>6</td><td>Latency hides in the queue.</td></tr>";
        let added = "<tr><td>0</td><td>Additional fortune added at request time.</td></tr>";
        for (page, why) in [
            (
                String::new(),
                "the heading: expected <!DOCTYPE html>, found the page's end",
            ),
            (
                plain.replace("&lt;", "<"),
                "row 1 of 13: expected \"<script>alert(",
            ),
            (
                plain.replace(row, ""),
                "row 8 of 13: expected \"6\", escaped, found \"7",
            ),
            (plain.replace(added, ""), "row 3 of 13: expected \"0\""),
            (
                plain
                    .replace(row, "")
                    .replace("</table>", &format!("{row}</table>")),
                "row 8 of 13",
            ),
            (
                plain.replace("</table>", &format!("{row}</table>")),
                "the end: expected </table>",
            ),
            (
                plain.replace("queue.", "queue"),
                "row 8 of 13: expected \"Latency hides",
            ),
            (plain.replace("急", "?"), "row 13 of 13"),
            (plain.replace("&amp;", "&amp;amp;"), "row 7 of 13"),
            (
                plain.replace("</html>", ""),
                "the end: expected </html>, found the page's end",
            ),
            (format!("{plain}x"), "expected its end, found \"x\""),
            (
                plain.replace("<title>Fortunes</title>", ""),
                "the heading: expected <title>",
            ),
            (
                plain.replace("<!DOCTYPE html>", "<!DOCTYPE xml>"),
                "expected <!DOCTYPE html>",
            ),
            (plain[..plain.len() / 2].to_owned(), "of 13: expected"),
        ] {
            let error = check(page.as_bytes()).unwrap_err();
            assert!(error.contains(why), "{why}: {error}");
        }
        let mut bytes = plain.into_bytes();
        let at = bytes.iter().position(|&byte| byte > 127).unwrap();
        bytes[at] = 0xff;
        assert!(check(&bytes).unwrap_err().contains("not UTF-8"));
    }

    #[test]
    fn the_type_names_the_charset() {
        for right in [
            "text/html; charset=utf-8",
            "text/html;charset=UTF-8",
            "Text/HTML; charset=\"utf-8\"",
        ] {
            assert!(is_type(right.as_bytes()), "{right}");
        }
        for wrong in [
            "text/html",
            "text/html; charset=latin1",
            "text/plain; charset=utf-8",
            "",
        ] {
            assert!(!is_type(wrong.as_bytes()), "{wrong}");
        }
    }

    /// Rows are sorted by message, and are those that the service has.
    #[test]
    fn the_rows_are_those_of_the_service() {
        assert!(FORTUNES.is_sorted_by_key(|(_, message)| message));
        let sql = concat!(env!("CARGO_MANIFEST_DIR"), "/../../services/postgresql/world.sql");
        let sql = std::fs::read_to_string(sql).unwrap();
        for (id, message) in FORTUNES.iter().filter(|(id, _)| *id > 0) {
            let row = format!("({id}, '{}')", message.replace('\'', "''"));
            assert!(sql.contains(&row), "{row}");
        }
        assert_eq!(sql.matches("\n  (").count(), FORTUNES.len() - 1);
    }

    #[test]
    fn mangled_pages_are_survived() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut rng = fastrand::Rng::with_seed(seed);
        let plain = written().into_bytes();
        for _ in 0..10_000 {
            let mut bytes = plain.clone();
            mangle(&mut bytes, &mut rng);
            if check(&bytes).is_ok() {
                let letters = |bytes: &[u8]| bytes.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
                assert!(letters(&bytes) + 8 >= letters(&plain), "{}", bytes.escape_ascii());
            }
        }
    }
}
