//! What a benchmark of Go consists of: its own function, and whatever of the package's other tests it may use.

use std::collections::BTreeSet;

/// How functions begin that the test binary calls by itself.
const CALLED: [&str; 4] = ["Benchmark", "Test", "Fuzz", "Example"];

/// Functions that run whatever is measured, and what has no name.
const ALWAYS: [&str; 3] = ["init", "TestMain", "_"];

/// The words by which a declaration begins.
const KINDS: [&str; 4] = ["func ", "type ", "var ", "const "];

/// The text of a function in the test files of a package, and of all that it may use there: what it names, what that names, and
/// what runs always. None if there is no such function.
pub(crate) fn of<'t>(files: impl Iterator<Item = &'t str>, function: &str) -> Option<String> {
    let all: Vec<Declared<'t>> = files.flat_map(declared).collect();
    all.iter().find(|one| one.names.contains(function))?;
    let (mut taken, mut wanted) = (vec![false; all.len()], BTreeSet::from([function]));
    wanted.extend(ALWAYS);
    loop {
        let next = |(index, one): (usize, &Declared<'_>)| !taken[index] && !one.names.is_disjoint(&wanted);
        let Some(index) = all.iter().enumerate().position(next) else {
            break;
        };
        taken[index] = true;
        // What the test binary calls by itself is used by no other.
        let words = all[index].lines.iter().flat_map(|line| words(line));
        wanted.extend(words.filter(|word| !is_called(word)));
    }
    let kept = all.iter().zip(taken).filter(|(_, taken)| *taken);
    let lines = kept.flat_map(|(one, _)| one.lines.iter().map(|line| line.trim_end()));
    Some(lines.map(|line| format!("{line}\n")).collect())
}

fn is_called(name: &str) -> bool {
    !ALWAYS.contains(&name) && CALLED.iter().any(|word| name.starts_with(word))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| !word.is_empty())
}

/// A declaration of a file, as far as it means something.
#[derive(Default)]
struct Declared<'t> {
    names: BTreeSet<&'t str>,
    lines: Vec<&'t str>,
}

/// The declarations of a file. Without imports and comments between them, which change with other tests. `gofmt` begins each in the
/// first column.
fn declared(file: &str) -> Vec<Declared<'_>> {
    let mut all: Vec<Declared<'_>> = Vec::new();
    let (mut quoted, mut block) = (false, false);
    for line in file.lines() {
        let begins = !quoted && KINDS.iter().any(|kind| line.starts_with(kind));
        let aside = ["package ", "import ", "//"];
        let aside = !quoted && aside.iter().any(|word| line.starts_with(word));
        quoted = is_quoted_after(line, quoted);
        if begins {
            block = !line.starts_with("func ") && line.trim_end().ends_with('(');
            all.push(Declared::default());
        }
        if line.starts_with("import (") {
            // What follows belongs to no declaration.
            all.push(Declared::default());
        }
        let Some(last) = all.last_mut() else { continue };
        if aside || line.trim().is_empty() {
            continue;
        }
        last.lines.push(line);
        if begins {
            last.names.extend(named(line));
        } else if block {
            let inner = line.strip_prefix('\t');
            let inner = inner.filter(|inner| !inner.starts_with(char::is_whitespace));
            last.names.extend(inner.into_iter().flat_map(listed));
        }
    }
    all.retain(|one| !one.names.is_empty());
    all
}

/// Whether a text in backquotes, which may look like anything, goes on after this line.
fn is_quoted_after(line: &str, mut quoted: bool) -> bool {
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '`' => quoted = !quoted,
            _ if quoted => {}
            '/' if chars.peek() == Some(&'/') => break,
            '"' | '\'' => {
                while let Some(inner) = chars.next().filter(|inner| *inner != c) {
                    if inner == '\\' {
                        chars.next();
                    }
                }
            }
            _ => {}
        }
    }
    quoted
}

/// The name that a line declares: of a method that of its receiver's type.
fn named(line: &str) -> Vec<&str> {
    let rest = KINDS
        .iter()
        .find_map(|kind| line.strip_prefix(kind))
        .unwrap_or(line);
    match rest.strip_prefix('(').filter(|_| line.starts_with("func ")) {
        Some(receiver) => {
            let receiver = receiver.split([')', '[']).next().unwrap_or_default();
            words(receiver).last().into_iter().collect()
        }
        None => listed(rest).collect(),
    }
}

/// Names that are declared together: `a, b = 1, 2`.
fn listed(text: &str) -> impl Iterator<Item = &str> {
    let names = text.split(['=', '(', '[', '{']).next().unwrap_or_default();
    names.split(',').filter_map(|name| words(name).next())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"package words

import (
	"testing"
)

// Fills a text.
func text(n int) string { return first + filler{}.fill(n) }

type filler struct{}

func (f *filler) fill(n int) string { return "" }

const (
	zero  = iota
	first = "a"
)

func BenchmarkCount(b *testing.B) {
	for b.Loop() {
		Count(text(9))
	}
}

func BenchmarkOne(b *testing.B) { Count("") }

func aside() string { return `
func text(n int) string { return "other" }
` }

func init() { prepare(3) }

var input = 3
"#;

    fn count(file: &str) -> Option<String> {
        of([file].into_iter(), "BenchmarkCount")
    }

    #[test]
    fn a_benchmark_is_its_function_and_what_it_uses() {
        let text = count(FILE).unwrap();
        for part in ["Count(text(9))", "func text", "fill(n int)", "zero", "prepare(3)"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        for part in [
            "BenchmarkOne",
            "import",
            "testing\"",
            "var input",
            "other",
            "// Fills",
        ] {
            assert!(!text.contains(part), "{part}: {text}");
        }
        assert_eq!(of([FILE].into_iter(), "BenchmarkTwo"), None);
    }

    #[test]
    fn what_it_does_not_use_imports_and_comments_may_change() {
        let same = [
            FILE.replace("Count(\"\") }", "Count(\"a\") }"),
            FILE.replace("import (", "import (\n\t\"fmt\""),
            FILE.replace("// Fills a text.", "// Another comment."),
            FILE.replace("input = 3", "input = 4"),
            FILE.replace("\"other\"", "\"another\""),
            format!("{FILE}\nfunc TestCount(t *testing.T) {{\n\tCount(\"x\")\n}}\n"),
            format!("{FILE}\ntype lazy struct{{}}\n"),
        ];
        for other in same {
            assert_eq!(count(&other), count(FILE), "{other}");
        }
        for (from, to) in [
            ("text(9)", "text(10)"),
            ("first = \"a\"", "first = \"b\""),
            ("return \"\"", "return \"a\""),
            ("prepare(3)", "prepare(4)"),
            ("type filler struct{}", "type filler struct{ n int }"),
        ] {
            assert_ne!(count(&FILE.replace(from, to)), count(FILE), "{to}");
        }
    }

    #[test]
    fn only_texts_in_backquotes_go_on() {
        for (line, quoted) in [
            ("a := `x", true),
            ("a := `x` + \"`\"", false),
            ("'`', '\\'', \"\\\"`\" // `", false),
        ] {
            assert_eq!(is_quoted_after(line, false), quoted, "{line}");
        }
        assert!(!is_quoted_after("\" // `", true) && is_quoted_after("\"'//", true));
    }

    #[test]
    fn what_it_uses_may_be_in_another_file() {
        let helper = |text: &str| format!("package words\n\nvar a, text = 1, {text}\n");
        let file = "package words\n\nfunc BenchmarkX(b *testing.B) { Count(text) }\n";
        let both = |text: &str| of([file, helper(text).as_str()].into_iter(), "BenchmarkX");
        assert_ne!(both("3"), both("4"));
    }
}
