//! The words of a command that is run without a shell.

/// Splits a command as POSIX shells do (XCU 2.2, quoting), and expands nothing.
///
/// # Errors
/// What is wrong with the text.
pub fn words(text: &str) -> Result<Vec<String>, &'static str> {
    let mut words: Vec<String> = Vec::new();
    // None: between two words. Empty quotes are a word.
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            '\'' => single(&mut chars, word.get_or_insert_default())?,
            '"' => double(&mut chars, word.get_or_insert_default())?,
            '\\' => {
                let next = chars.next().ok_or("it ends with a backslash")?;
                word.get_or_insert_default().push(next);
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if words.is_empty() {
        Err("it has no words")
    } else {
        Ok(words)
    }
}

fn single(chars: &mut std::str::Chars<'_>, word: &mut String) -> Result<(), &'static str> {
    loop {
        match chars.next() {
            Some('\'') => return Ok(()),
            Some(c) => word.push(c),
            None => return Err("a ' is never closed"),
        }
    }
}

/// Within double quotes a backslash stands for itself, except before these four characters.
fn double(chars: &mut std::str::Chars<'_>, word: &mut String) -> Result<(), &'static str> {
    const OPEN: &str = "a \" is never closed";
    loop {
        match chars.next().ok_or(OPEN)? {
            '"' => return Ok(()),
            '\\' => match chars.next().ok_or(OPEN)? {
                c @ ('$' | '`' | '"' | '\\') => word.push(c),
                c => word.extend(['\\', c]),
            },
            c => word.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes_are_heeded() {
        let of = |text: &str| words(text).unwrap();
        assert_eq!(of("a  b\tc"), ["a", "b", "c"]);
        assert_eq!(of(r#"a 'b c' "d e" f\ g"#), ["a", "b c", "d e", "f g"]);
        assert_eq!(of(r#"'' "" x''y"#), ["", "", "xy"]);
        assert_eq!(of(r#""a\"b\n\\""#), [r#"a"b\n\"#]);
        assert_eq!(of("$HOME *"), ["$HOME", "*"]);
        for bad in ["", "  ", "'a", "\"a", "\"a\\", "a\\"] {
            assert!(words(bad).is_err(), "{bad:?}");
        }
    }
}
