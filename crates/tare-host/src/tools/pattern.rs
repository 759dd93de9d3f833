//! Where a tool may be: names on the PATH, and paths with `*`, `{tools}`, `{lab}` and `{env:NAME}`.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Every program that a list of patterns matches, in order; those of one pattern newest version first.
pub(super) fn candidates(patterns: &[String], values: &BTreeMap<String, String>) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for pattern in patterns {
        for path in matches(pattern, values, &|name| env::var(name).ok()) {
            if !found.contains(&path) {
                found.push(path);
            }
        }
    }
    found
}

fn matches(
    pattern: &str,
    values: &BTreeMap<String, String>,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Vec<PathBuf> {
    let Some(pattern) = expand(pattern, values, variable) else {
        return Vec::new();
    };
    if !pattern.contains('/') {
        let path = variable("PATH").unwrap_or_default();
        let places = env::split_paths(&path).map(|folder| folder.join(&pattern));
        return places.filter(|path| is_program(path)).collect();
    }
    let mut found: Vec<PathBuf> = glob(&pattern).into_iter().filter(|p| is_program(p)).collect();
    found.sort_by(|a, b| natural(&b.to_string_lossy(), &a.to_string_lossy()));
    found
}

/// The pattern with its placeholders replaced; none if a variable is not set or a placeholder is unknown: such a pattern
/// matches nothing.
fn expand(
    pattern: &str,
    values: &BTreeMap<String, String>,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Option<String> {
    let mut out = String::new();
    let mut rest = pattern;
    while let Some((before, inside)) = rest.split_once('{') {
        let (name, after) = inside.split_once('}')?;
        out.push_str(before);
        match name.strip_prefix("env:") {
            Some(name) => out.push_str(&variable(name).filter(|value| !value.is_empty())?),
            None => out.push_str(values.get(name)?),
        }
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// Paths that match: `*` stands for any characters within one name, but not for a leading dot.
fn glob(pattern: &str) -> Vec<PathBuf> {
    let start = if pattern.starts_with('/') { "/" } else { "." };
    let mut paths = vec![PathBuf::from(start)];
    for part in pattern.split('/').filter(|part| !part.is_empty()) {
        paths = paths.iter().flat_map(|path| children(path, part)).collect();
    }
    paths.retain(|path| path.exists());
    paths
}

fn children(folder: &Path, part: &str) -> Vec<PathBuf> {
    if !part.contains('*') {
        return vec![folder.join(part)];
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| fits(name, part) && (part.starts_with('.') || !name.starts_with('.')))
        .map(|name| folder.join(name))
        .collect()
}

fn fits(name: &str, pattern: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else {
        return name == pattern;
    };
    let Some(name) = name.strip_prefix(head) else {
        return false;
    };
    let starts = name.char_indices().map(|(at, _)| at).chain([name.len()]);
    starts.into_iter().any(|at| fits(&name[at..], rest))
}

/// Compares digits as numbers: `jdk-9` before `jdk-21`, `ghc-9.4` before `ghc-9.10`.
fn natural(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        let (left, right) = (chunk(a), chunk(b));
        let order = match (left.parse::<u64>(), right.parse::<u64>()) {
            (Ok(x), Ok(y)) => x.cmp(&y),
            _ => left.cmp(right),
        };
        if order != Ordering::Equal || left.is_empty() {
            return order;
        }
        (a, b) = (&a[left.len()..], &b[right.len()..]);
    }
}

/// The longest prefix that is all digits, or all other characters.
fn chunk(text: &str) -> &str {
    let digits = text.starts_with(|c: char| c.is_ascii_digit());
    let end = text.find(|c: char| c.is_ascii_digit() != digits);
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "#!/bin/sh\n").unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn tools_in(folder: &Path) -> BTreeMap<String, String> {
        BTreeMap::from([("tools".to_owned(), folder.display().to_string())])
    }

    #[test]
    fn the_newest_match_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        for version in ["9", "21.0.2", "21.0.10", "17"] {
            program(&folder.path().join(format!("jdk-{version}/bin/java")));
        }
        fs::create_dir_all(folder.path().join("jdk-99/bin")).unwrap(); // holds no program
        let found = matches("{tools}/jdk-*/bin/java", &tools_in(folder.path()), &|_| None);
        let names: Vec<String> = found
            .iter()
            .map(|path| path.strip_prefix(folder.path()).unwrap().display().to_string())
            .collect();
        assert_eq!(
            names,
            [
                "jdk-21.0.10/bin/java",
                "jdk-21.0.2/bin/java",
                "jdk-17/bin/java",
                "jdk-9/bin/java"
            ]
        );
    }

    #[test]
    fn variables_and_the_path_are_looked_up() {
        let folder = tempfile::tempdir().unwrap();
        program(&folder.path().join("a/tool"));
        program(&folder.path().join("b/tool"));
        let home = folder.path().join("a").display().to_string();
        let path = format!(
            "/nowhere:{}/b:{}/a",
            folder.path().display(),
            folder.path().display()
        );
        let variable = |name: &str| match name {
            "HOME_OF_TOOL" => Some(home.clone()),
            "PATH" => Some(path.clone()),
            "EMPTY" => Some(String::new()),
            _ => None,
        };
        for (pattern, expected) in [
            ("{env:HOME_OF_TOOL}/tool", vec!["a/tool"]),
            ("tool", vec!["b/tool", "a/tool"]),
            ("{env:UNSET}/tool", vec![]),
            ("{env:EMPTY}/tool", vec![]),
            ("{what}/tool", vec![]),
            ("{env:HOME_OF_TOOL/tool", vec![]),
            ("{tools}/*/t*l", vec!["b/tool", "a/tool"]),
            ("{tools}/a", vec![]), // a folder
        ] {
            let expected: Vec<PathBuf> = expected.iter().map(|path| folder.path().join(path)).collect();
            assert_eq!(
                matches(pattern, &tools_in(folder.path()), &variable),
                expected,
                "{pattern}"
            );
        }
    }

    #[test]
    fn stars_stand_for_any_characters() {
        for (name, pattern, expected) in [
            ("ghc-9.4", "ghc-*", true),
            ("ghc-9.4", "*", true),
            ("ghc-9.4", "*9*4", true),
            ("ghc-9.4", "*9*5", false),
            ("ghc", "ghc*", true),
            ("xghc", "ghc*", false),
            ("é", "*", true),
        ] {
            assert_eq!(fits(name, pattern), expected, "{name} {pattern}");
        }
    }

    #[test]
    fn numbers_compare_as_numbers() {
        for (less, more) in [
            ("a9", "a10"),
            ("9.4", "9.10"),
            ("jdk-9", "jdk-21"),
            ("a", "b"),
            ("a", "a1"),
            ("a1", "a1b"),
        ] {
            assert_eq!(natural(less, more), Ordering::Less, "{less} {more}");
            assert_eq!(natural(more, less), Ordering::Greater, "{more} {less}");
            assert_eq!(natural(less, less), Ordering::Equal);
        }
    }
}
