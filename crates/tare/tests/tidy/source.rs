//! As much of Rust's grammar as tells code from comments, strings and tests.

/// Rust text with comments, strings and characters blanked out; what is left is code.
pub fn code(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(next) = rest.chars().next() {
        let skipped = match next {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            'r' if !out.ends_with(|c: char| c.is_alphanumeric() || c == '_') => raw_string(rest),
            '"' => quoted(rest, '"'),
            // A character, and no lifetime: it ends after one character, or after an escape.
            '\'' if rest[1..].starts_with('\\') || rest[1..].chars().nth(1) == Some('\'') => {
                quoted(rest, '\'')
            }
            _ => 0,
        };
        if skipped == 0 {
            out.push(next);
            rest = &rest[next.len_utf8()..];
        } else {
            out.push(' ');
            rest = &rest[skipped..];
        }
    }
    out
}

/// The length of a quoted literal that the text begins with.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == quote && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

/// The length of a raw string that the text begins with; 0 if it does not.
fn raw_string(text: &str) -> usize {
    let hashes = text[1..].chars().take_while(|c| *c == '#').count();
    if !text[1 + hashes..].starts_with('"') {
        return 0;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    let begin = 2 + hashes;
    text[begin..]
        .find(&end)
        .map_or(text.len(), |at| begin + at + end.len())
}

/// Code without the items that are compiled for tests only.
pub fn without_tests(code: &str) -> String {
    let (mut out, mut rest) = (String::new(), code);
    while let Some(at) = rest.find("#[cfg(test)]") {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        rest = &rest[item_end(rest)..];
    }
    out + rest
}

/// Where an item ends: at its first `;`, or with the block that comes before one.
fn item_end(code: &str) -> usize {
    let mut depth = 0;
    for (at, c) in code.char_indices() {
        match c {
            ';' if depth == 0 => return at + 1,
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    code.len()
}

pub fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

/// Whether the code uses this name, and not a longer one that ends in it.
pub fn uses(code: &str, what: &str) -> bool {
    code.match_indices(what)
        .any(|(at, _)| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}
