//! Versions, as programs print them.

/// The first line that holds a digit. Lines in which a JVM reports options from the environment are skipped.
pub(super) fn line_in(text: &str) -> Option<String> {
    text.lines()
        .map(str::trim)
        .find(|line| line.contains(|c: char| c.is_ascii_digit()) && !line.starts_with("Picked up "))
        .map(str::to_owned)
}

/// The first number of a line that holds a dot (`21.0.2`), otherwise the first number: a year or a bit width in a
/// program's name has no dot.
pub fn number_in(line: &str) -> Option<&str> {
    let mut numbers = numbers(line);
    let first = numbers.next()?;
    if first.contains('.') {
        return Some(first);
    }
    numbers.find(|number| number.contains('.')).or(Some(first))
}

fn numbers(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_ascii_digit() || c == '.'))
        .map(|word| word.trim_matches('.'))
        .filter(|word| !word.is_empty())
}

/// Whether the version in a line is at least `least`, number by number; missing numbers count as 0.
pub fn at_least(line: &str, least: &str) -> bool {
    let Some(version) = number_in(line) else {
        return false;
    };
    let parts = |text: &str| -> Vec<u64> { text.split('.').map(|part| part.parse().unwrap_or(0)).collect() };
    let (mut have, mut need) = (parts(version), parts(least));
    let length = have.len().max(need.len());
    have.resize(length, 0);
    need.resize(length, 0);
    have >= need
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_tell_their_versions_in_many_ways() {
        for (text, line, number) in [
            (
                "openjdk version \"21.0.2\" 2024-01-16\nOpenJDK Runtime",
                "openjdk version \"21.0.2\" 2024-01-16",
                "21.0.2",
            ),
            ("openjdk 25 2025-09-16", "openjdk 25 2025-09-16", "25"),
            (
                "Picked up JAVA_TOOL_OPTIONS: -Xmx2g\njava 17.0.1",
                "java 17.0.1",
                "17.0.1",
            ),
            (
                "gcc (Debian 12.2.0-14) 12.2.0\nCopyright (C) 2022",
                "gcc (Debian 12.2.0-14) 12.2.0",
                "12.2.0",
            ),
            (
                "go version go1.26.0 linux/amd64",
                "go version go1.26.0 linux/amd64",
                "1.26.0",
            ),
            ("v20.19.2\n", "v20.19.2", "20.19.2"),
            ("Python 3.11.2", "Python 3.11.2", "3.11.2"),
            (
                "The Glorious Glasgow Haskell Compilation System, version 9.0.2",
                "The Glorious Glasgow Haskell Compilation System, version 9.0.2",
                "9.0.2",
            ),
            (
                "rustc 1.95.0 (f2d3ce0bd 2026-03-21)",
                "rustc 1.95.0 (f2d3ce0bd 2026-03-21)",
                "1.95.0",
            ),
            (
                "\n\nhello\nEclipse Compiler for Java(TM) v20251118-1623, 3.44.0, Copyright",
                "Eclipse Compiler for Java(TM) v20251118-1623, 3.44.0, Copyright",
                "3.44.0",
            ),
        ] {
            let found = line_in(text).unwrap();
            assert_eq!(found, line);
            assert_eq!(number_in(&found), Some(number), "{text}");
        }
        assert_eq!(line_in("no digits\nat all"), None);
        assert_eq!(number_in("no digits ..."), None);
    }

    #[test]
    fn versions_compare_number_by_number() {
        for (line, least, expected) in [
            ("v21.0.2", "21", true),
            ("v21", "21.0.0", true),
            ("v20.19", "21", false),
            ("v9.10", "9.4", true),
            ("v9.4", "9.10", false),
            ("v1.2.3", "1.2.3", true),
            ("v1.2.3", "1.2.4", false),
            ("none", "1", false),
        ] {
            assert_eq!(at_least(line, least), expected, "{line} {least}");
        }
    }
}
