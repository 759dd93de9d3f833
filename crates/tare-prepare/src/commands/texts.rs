//! Texts that are not what a person meant to have run: refused before anything runs.

use std::path::Path;

use tare_host::command;

use super::error::CommandsError;

/// What `sh` runs by itself, without a program of that name: reserved words and builtins (POSIX, XCU 2.14 and 1.6).
const BUILT_IN: [&str; 41] = [
    ":", ".", "[", "alias", "bg", "break", "cd", "command", "continue", "echo", "eval", "exec", "exit",
    "export", "false", "fc", "fg", "getopts", "hash", "jobs", "kill", "local", "newgrp", "printf", "pwd",
    "read", "readonly", "return", "set", "shift", "test", "times", "trap", "true", "type", "ulimit", "umask",
    "unalias", "unset", "wait", "!",
];

/// Refuses texts without a word, words that were meant to be one command, and placeholders that nothing fills.
///
/// `known`: the parameters. `shell`: what the texts are given to, if they are.
pub(super) fn refuse_unmeant(
    texts: &[String],
    known: &[&str],
    shell: Option<&str>,
) -> Result<(), CommandsError> {
    if let Some(index) = texts.iter().position(|text| text.trim().is_empty()) {
        return Err(CommandsError::Empty(index + 1));
    }
    refuse_unquoted(texts, shell)?;
    for text in texts {
        if let Some(name) = unfilled(text, known) {
            let (text, name) = (text.clone(), name.to_owned());
            return Err(CommandsError::Unfilled { text, name });
        }
    }
    Ok(())
}

/// `sort words.txt` without quotes is two commands, the second of which is none.
fn refuse_unquoted(texts: &[String], shell: Option<&str>) -> Result<(), CommandsError> {
    // Other shells may have functions of their own.
    if shell.is_some_and(|shell| shell != "sh") || texts.len() < 2 || !texts.iter().all(|text| is_word(text))
    {
        return Ok(());
    }
    let is_built_in = |text: &String| BUILT_IN.contains(&text.as_str());
    let runs = |text: &String| command::find(text, None).is_some() || (shell.is_some() && is_built_in(text));
    let stray = texts.iter().find(|text| !runs(text));
    match stray.filter(|_| runs(&texts[0])) {
        Some(stray) if is_built_in(stray) => Err(CommandsError::BuiltIn(stray.clone())),
        Some(stray) => Err(CommandsError::Unquoted {
            word: stray.clone(),
            is_file: Path::new(stray).exists(),
            all: texts.join(" "),
        }),
        None => Ok(()),
    }
}

/// Whether a shell takes a text for one word, as it is.
fn is_word(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_alphanumeric() || "-_./+,:=@%".contains(c))
}

/// The first `{NAME}` in a text that no parameter fills and no quotes protect. The shell gives it no meaning: it is none of
/// `${NAME}`, `{a,b}`, `{1..3}` and `HEAD@{upstream}`.
fn unfilled<'t>(text: &'t str, known: &[&str]) -> Option<&'t str> {
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match (c, quote) {
            _ if before == '\\' && quote != Some('\'') => {
                before = ' ';
                continue;
            }
            ('\'' | '"', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            ('{', None) if !"$@".contains(before) => {
                let name = text[at + 1..].split('}').next().unwrap_or_default();
                let closes = text[at + 1..].len() > name.len();
                if closes && is_name(name) && !known.contains(&name) {
                    return Some(name);
                }
            }
            _ => {}
        }
        before = c;
    }
    None
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(texts: &[&str], known: &[&str]) -> Option<CommandsError> {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        refuse_unmeant(&texts, known, Some("sh")).err()
    }

    #[test]
    fn an_empty_text_is_refused_with_its_place() {
        let error = refused(&["true", "  "], &[]).unwrap();
        assert_eq!(error.to_string(), "command 2 is empty");
    }

    #[test]
    fn words_of_one_command_are_taken_for_that() {
        let error = refused(&["ls", "no-such-file.txt"], &[]).unwrap();
        assert_eq!(
            error.to_string(),
            "`no-such-file.txt` is not a command: there is no program of that name"
        );
        assert!(error.hint().unwrap().contains("tare time 'ls no-such-file.txt'"));
        let error = refused(&["ls", "-l", "Cargo.toml"], &[]).unwrap();
        assert!(error.hint().unwrap().contains("'ls -l Cargo.toml'"));
        assert!(
            refused(&["ls", "/"], &[])
                .unwrap()
                .to_string()
                .contains("is a file")
        );
        let alone = ["ls", "cd"].map(str::to_owned);
        let error = refuse_unmeant(&alone, &[], None).unwrap_err();
        assert_eq!(error.to_string(), "`cd` is not a command: only a shell has it");
        assert!(error.hint().unwrap().contains("-N"));
        for fine in [
            &["true", "echo"][..],
            &["ls", "no-such-program | cat"],
            &["no-such-program"],
            &["no-such-program", "another-one"],
            &["true", ":"],
        ] {
            assert!(refused(fine, &[]).is_none(), "{fine:?}");
        }
    }

    #[test]
    fn a_placeholder_without_a_parameter_is_refused_where_the_shell_gives_it_no_meaning() {
        let error = refused(&["sleep {n}"], &[]).unwrap();
        assert_eq!(
            error.to_string(),
            "`sleep {n}` has {n}, and there is no parameter `n`"
        );
        assert!(
            refused(&["a{x}b {y}"], &["x"])
                .unwrap()
                .to_string()
                .contains("`y`")
        );
        for fine in [
            "sleep {n}",
            "awk '{print}' x",
            "awk \"{print}\" x",
            "echo ${HOME} {a,b} {1..3} {} {a..c} \\{n}",
            "git show HEAD@{upstream}",
            "f() { true; }; f",
            "echo 'it'\\''s {quoted}'",
        ] {
            assert!(refused(&[fine], &["n"]).is_none(), "{fine}");
        }
    }
}
