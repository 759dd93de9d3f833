//! What a benchmark of Go consists of: its own function, and what it shares with the package's other tests.

/// How functions begin that the test binary calls by itself.
const CALLED: [&str; 4] = ["Benchmark", "Test", "Fuzz", "Example"];

/// The text of a function in the test files of a package, and of all that is beside tests, since it may use any of that. None
/// if there is no such function.
pub(crate) fn of<'t>(files: impl Iterator<Item = &'t str>, function: &str) -> Option<String> {
    let (mut text, mut found) = (String::new(), false);
    for (name, line) in files.flat_map(lines) {
        found |= name == Some(function);
        if name.is_none_or(|name| name == function) {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    found.then_some(text)
}

/// The lines that mean something, each with the test that it is part of. Without imports and comments of their own, which
/// change with other tests. A function ends where `gofmt` closes it: in the first column.
fn lines(file: &str) -> Vec<(Option<&str>, &str)> {
    let (mut out, mut within, mut importing) = (Vec::new(), None, false);
    for line in file.lines() {
        if within.is_none() {
            within = called(line);
        }
        importing |= line.starts_with("import (");
        let aside = ["package ", "import ", "//"];
        let aside = within.is_none() && aside.iter().any(|word| line.starts_with(word));
        if !importing && !aside && !line.trim().is_empty() {
            out.push((within, line));
        }
        importing &= !line.starts_with(')');
        if line.starts_with('}') || (line.starts_with("func ") && line.trim_end().ends_with('}')) {
            within = None;
        }
    }
    out
}

/// The name of the test that begins with a line.
fn called(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("func ")?;
    let name = rest.split('(').next()?.trim();
    CALLED.iter().any(|word| name.starts_with(word)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"package words

import (
	"testing"
)

// Fills a text.
func text(n int) string { return "" }

func BenchmarkCount(b *testing.B) {
	for b.Loop() {
		Count(text(9))
	}
}

func BenchmarkOne(b *testing.B) { Count("") }

var input = 3
"#;

    fn count(file: &str) -> Option<String> {
        of([file].into_iter(), "BenchmarkCount")
    }

    #[test]
    fn a_benchmark_is_its_function_and_what_tests_share() {
        let text = count(FILE).unwrap();
        assert!(
            text.contains("Count(text(9))") && text.contains("var input"),
            "{text}"
        );
        assert!(
            !text.contains("BenchmarkOne") && !text.contains("import"),
            "{text}"
        );
        assert_eq!(of([FILE].into_iter(), "BenchmarkTwo"), None);
    }

    #[test]
    fn other_tests_imports_and_comments_may_change() {
        let same = [
            FILE.replace("Count(\"\") }", "Count(\"a\") }"),
            FILE.replace("import (", "import (\n\t\"fmt\""),
            FILE.replace("// Fills a text.", "// Another comment."),
            format!("{FILE}\nfunc TestCount(t *testing.T) {{\n\tCount(\"x\")\n}}\n"),
        ];
        for other in same {
            assert_eq!(count(&other), count(FILE), "{other}");
        }
        for (from, to) in [
            ("text(9)", "text(10)"),
            ("input = 3", "input = 4"),
            ("return \"\"", "return \"a\""),
        ] {
            assert_ne!(count(&FILE.replace(from, to)), count(FILE), "{to}");
        }
    }
}
