//! What commands are called where nobody named them: the program, and of those with the same program what distinguishes them.

use std::collections::BTreeMap;

/// A command, taken apart at its blanks.
struct Parts<'t> {
    /// The folders of its program.
    folders: Vec<&'t str>,
    program: &'t str,
    /// Its other words: variables before the program, and arguments.
    words: Vec<&'t str>,
}

/// For each text the words that its name is made of.
pub(super) fn distinct(texts: &[String]) -> Vec<String> {
    let parts: Vec<Parts<'_>> = texts.iter().map(|text| parts(text)).collect();
    let mut alike: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, one) in parts.iter().enumerate() {
        alike.entry(one.program).or_default().push(index);
    }
    let mut names = vec![String::new(); texts.len()];
    for (program, members) in alike {
        let folders: Vec<&[&str]> = members
            .iter()
            .map(|&index| parts[index].folders.as_slice())
            .collect();
        let words: Vec<&[&str]> = members
            .iter()
            .map(|&index| parts[index].words.as_slice())
            .collect();
        let (folders, words) = (differing(&folders), differing(&words));
        for ((index, folders), words) in members.into_iter().zip(folders).zip(words) {
            names[index] = [folders, &[program], words].concat().join(" ");
        }
    }
    names
}

fn parts(text: &str) -> Parts<'_> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let is_variable = |word: &&str| {
        let name = word.split_once('=').map(|(name, _)| name);
        name.is_some_and(|name| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        })
    };
    let at = words.iter().position(|word| !is_variable(word)).unwrap_or(0);
    if words.is_empty() {
        words.push("");
    }
    let mut folders: Vec<&str> = words
        .remove(at)
        .split('/')
        .filter(|part| !part.is_empty())
        .collect();
    Parts {
        program: folders.pop().unwrap_or_default(),
        folders,
        words,
    }
}

/// Of lists what is between their common beginning and their common end; nothing of one alone.
fn differing<'l, 't>(lists: &[&'l [&'t str]]) -> Vec<&'l [&'t str]> {
    let Some((first, others)) = lists.split_first() else {
        return Vec::new();
    };
    let same = |at: &dyn Fn(&[&'t str]) -> Option<&'t str>| {
        at(first).is_some() && others.iter().all(|list| at(list) == at(first))
    };
    let shortest = lists.iter().map(|list| list.len()).min().unwrap_or(0);
    let begin = (0..shortest)
        .take_while(|&index| same(&|list| list.get(index).copied()))
        .count();
    let end = (0..shortest - begin)
        .take_while(|&back| same(&|list| list.get(list.len() - 1 - back).copied()))
        .count();
    lists.iter().map(|list| &list[begin..list.len() - end]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(texts: &[&str]) -> Vec<String> {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        distinct(&texts)
    }

    #[test]
    fn a_name_is_the_program_and_what_distinguishes_it() {
        for (texts, expected) in [
            (&["gzip -c a/b.out", "xz -c a/b.out"][..], &["gzip", "xz"][..]),
            (&["sleep 0.1"], &["sleep"]),
            (&["sleep 0.1", "sleep 0.2"], &["sleep 0.1", "sleep 0.2"]),
            (
                &["gzip -1 f", "gzip -9 f", "/usr/bin/xz f"],
                &["gzip -1", "gzip -9", "xz"],
            ),
            (&["sort x", "sort -u x"], &["sort", "sort -u"]),
            (&["a a", "a"], &["a a", "a"]),
            (&["old/bin/p x", "new/bin/p x"], &["old p", "new p"]),
            (&["X=1 ls -l", "X=2 ls -l"], &["ls X=1", "ls X=2"]),
            (&["true", "true"], &["true", "true"]),
            (&["X=1", "/"], &["X=1", ""]),
        ] {
            assert_eq!(names(texts), expected, "{texts:?}");
        }
    }
}
