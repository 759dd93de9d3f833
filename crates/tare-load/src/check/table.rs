//! An HTML table by its meaning: rows of cells, each holding the number of its column.

use crate::show;

/// A cursor over a page.
struct Page<'p> {
    bytes: &'p [u8],
    at: usize,
}

/// Checks a page that must hold one table with this number of columns and rows, complete and in order; the cell in
/// column c (from 1) holds c. White space between tags, attributes, `<tbody>`, and text around the table are free.
///
/// # Errors
/// What was expected where, and what was found.
pub(crate) fn check(bytes: &[u8], columns: u32, rows: u32) -> Result<(), String> {
    let mut page = Page { bytes, at: 0 };
    if !page.seek("table") {
        return Err(format!("it holds no <table>: {}", show::bytes(bytes)));
    }
    let body = page.opens("tbody");
    for row in 1..=rows {
        let opened = page.opens("tr");
        page.expect(opened, row, rows, "<tr>")?;
        for column in 1..=columns {
            page.cell(column)
                .map_err(|what| format!("row {row} of {rows}, column {column} of {columns}: {what}"))?;
        }
        let closed = page.closes("tr");
        page.expect(closed, row, rows, "</tr>")?;
    }
    if body && !page.closes("tbody") {
        return Err(page.found("</tbody> after the last row"));
    }
    if !page.closes("table") {
        return Err(page.found(&format!("</table> after {rows} rows")));
    }
    if page.seek("table") {
        return Err(page.found("one table, not a second one"));
    }
    Ok(())
}

impl<'p> Page<'p> {
    fn rest(&self) -> &'p [u8] {
        &self.bytes[self.at..]
    }

    fn skip_space(&mut self) {
        self.at += self
            .rest()
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
    }

    /// Skips an opening tag of a name, with its attributes, if it is next. Returns whether it was.
    fn opens(&mut self, name: &str) -> bool {
        self.tag(b"<", name)
    }

    /// Skips a closing tag of a name, if it is next. Returns whether it was.
    fn closes(&mut self, name: &str) -> bool {
        self.tag(b"</", name)
    }

    fn tag(&mut self, mark: &[u8], name: &str) -> bool {
        self.skip_space();
        let tag = self.rest().strip_prefix(mark).and_then(|rest| {
            let (found, rest) = rest.split_at_checked(name.len())?;
            let ends =
                matches!(rest.first(), Some(b'>')) || rest.first().is_some_and(u8::is_ascii_whitespace);
            (ends && found.eq_ignore_ascii_case(name.as_bytes())).then_some(rest)
        });
        let end = tag.and_then(|rest| {
            let close = rest.iter().position(|&byte| byte == b'>')?;
            Some(mark.len() + name.len() + close + 1)
        });
        self.at += end.unwrap_or(0);
        end.is_some()
    }

    /// Skips everything to the end of the next opening tag of a name. Returns whether there is one.
    fn seek(&mut self, name: &str) -> bool {
        while let Some(next) = self.rest().iter().position(|&byte| byte == b'<') {
            self.at += next;
            if self.opens(name) {
                return true;
            }
            self.at += 1;
        }
        false
    }

    fn cell(&mut self, column: u32) -> Result<(), String> {
        if !self.opens("td") {
            return Err(self.found("<td>"));
        }
        self.skip_space();
        let (text, at) = (column.to_string(), self.at);
        let digits = self
            .rest()
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric())
            .count();
        if &self.rest()[..digits] != text.as_bytes() {
            return Err(self.found(&text));
        }
        self.at += digits;
        if !self.closes("td") {
            self.at = at;
            return Err(self.found(&format!("{text} and </td>")));
        }
        Ok(())
    }

    fn expect(&self, is: bool, row: u32, rows: u32, tag: &str) -> Result<(), String> {
        if !is {
            return Err(format!("row {row} of {rows}: {}", self.found(tag)));
        }
        Ok(())
    }

    fn found(&self, expected: &str) -> String {
        let found = match self.rest() {
            [] => "the page's end".to_owned(),
            rest => show::bytes(&rest[..rest.len().min(60)]),
        };
        format!(
            "expected {expected}, found {found} at byte {} of {}",
            self.at,
            self.bytes.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mangle::mangle;

    fn page(columns: u32, rows: u32) -> String {
        let cells: String = (1..=columns).map(|column| format!("<td>{column}</td>")).collect();
        format!(
            "<table>{}</table>",
            format!("<tr>{cells}</tr>\n").repeat(rows as usize)
        )
    }

    #[test]
    fn a_table_is_right_whatever_is_around_it() {
        let plain = page(12, 3);
        for text in [
            plain.clone(),
            plain.replace('<', " \n <").replace('>', "> "),
            format!("<!doctype html><html><body class=\"table\"><h1>T</h1>{plain}</body></html>\n"),
            plain
                .replace("<table>", "<TABLE border=1 ><tbody>")
                .replace("</table>", "</tbody></TABLE>"),
            plain.replace("<td>", "<td class='c'>").replace("</tr>", "</tr >"),
        ] {
            assert_eq!(check(text.as_bytes(), 12, 3), Ok(()), "{text}");
        }
    }

    #[test]
    fn errors_name_the_place_of_what_is_missing_or_wrong() {
        let plain = page(3, 4);
        let cut = |at: usize| plain[..at].to_owned();
        let cases = [
            (String::new(), "no <table>"),
            ("<tables></tables>".into(), "no <table>"),
            (page(3, 3), "row 4 of 4: expected <tr>, found \"</table>\""),
            (page(3, 5), "expected </table> after 4 rows, found \"<tr>"),
            (
                page(2, 4),
                "row 1 of 4, column 3 of 3: expected <td>, found \"</tr>",
            ),
            (page(4, 4), "row 1 of 4: expected </tr>, found \"<td>4"),
            (
                plain.replacen("<td>2", "<td>3", 1),
                "column 2 of 3: expected 2, found \"3</td>",
            ),
            (plain.replacen("<td>2", "<td>", 1), "expected 2, found \"</td>"),
            (plain.replacen("<td>2", "<td>22", 1), "expected 2, found \"22"),
            (plain.replacen("<td>2", "<td>2 2", 1), "expected 2 and </td>"),
            (format!("{plain}{plain}"), "not a second one"),
            (
                cut(plain.len() / 2),
                "row 3 of 4: expected <tr>, found the page's end",
            ),
            (
                cut(plain.len() - 8),
                "expected </table> after 4 rows, found the page's end",
            ),
        ];
        for (text, why) in cases {
            let error = check(text.as_bytes(), 3, 4).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    /// Random changes never cause a panic, and a page that is still right has lost no digit.
    #[test]
    fn mangled_pages_are_survived() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut rng = fastrand::Rng::with_seed(seed);
        let plain = page(5, 6);
        for _ in 0..20_000 {
            let mut bytes = plain.clone().into_bytes();
            mangle(&mut bytes, &mut rng);
            if check(&bytes, 5, 6).is_ok() {
                let digits = |bytes: &[u8]| bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
                assert!(
                    digits(&bytes) >= digits(plain.as_bytes()),
                    "{}",
                    bytes.escape_ascii()
                );
            }
        }
    }
}
