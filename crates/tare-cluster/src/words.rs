//! Commands for a shell on another machine.

/// A word that a shell reads as it is.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Words that a shell reads as they are.
pub(crate) fn line(words: &[String]) -> String {
    words
        .iter()
        .map(|word| quoted(word))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The last lines of what a program said, on one line.
pub(crate) fn last_lines(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let last = lines[lines.len().saturating_sub(3)..].join("; ");
    let shown: String = last
        .chars()
        .map(|c| if c.is_control() { '·' } else { c })
        .collect();
    if shown.is_empty() {
        "it said nothing".to_owned()
    } else {
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_words_as_they_are() {
        let words = ["run", "http/json", "it's $HOME", "", "latency_p99 > 200ms", "a;b"];
        let line = line(&words.map(str::to_owned));
        let said = std::process::Command::new("sh")
            .args([
                "-c",
                &format!("for word in {line}; do printf '[%s]' \"$word\"; done"),
            ])
            .output()
            .unwrap();
        let expected: String = words.iter().map(|word| format!("[{word}]")).collect();
        assert_eq!(String::from_utf8(said.stdout).unwrap(), expected);
    }

    #[test]
    fn what_is_said_is_short_and_plain() {
        assert_eq!(last_lines(b"\n"), "it said nothing");
        assert_eq!(last_lines(b"a\nb\n\nc\x1b[1m\nd\n"), "b; c\u{b7}[1m; d");
    }
}
