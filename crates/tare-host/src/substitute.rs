//! Placeholders in commands: `{port}` becomes the port; `{{` and `}}` stand for braces.

use std::collections::BTreeMap;

/// A command that names something unknown, or whose braces do not match.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPlaceholder {
    /// There is no placeholder of this name.
    #[error("`{word}` names the placeholder {{{name}}}, which is unknown; known: {known}")]
    Unknown {
        /// The word that holds it.
        word: String,
        /// Its name.
        name: String,
        /// All names that are known, each in braces.
        known: String,
    },
    /// A single brace.
    #[error("`{word}` has a single brace; write {{{{ or }}}} for a brace that is meant as one")]
    Brace {
        /// The word that holds it.
        word: String,
    },
}

/// Replaces the placeholders of every word by their values.
///
/// # Errors
/// The first unknown placeholder or unmatched brace.
pub fn substitute(argv: &[String], values: &BTreeMap<String, String>) -> Result<Vec<String>, BadPlaceholder> {
    argv.iter().map(|word| substitute_word(word, values)).collect()
}

/// Replaces the placeholders of one word by their values.
///
/// # Errors
/// The first unknown placeholder or unmatched brace.
pub fn substitute_word(word: &str, values: &BTreeMap<String, String>) -> Result<String, BadPlaceholder> {
    let lone = || BadPlaceholder::Brace {
        word: word.to_owned(),
    };
    let mut out = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with("{{") || rest.starts_with("}}") {
            out.push_str(&rest[..1]);
            rest = &rest[2..];
            continue;
        }
        let (name, after) = rest
            .strip_prefix('{')
            .and_then(|inside| inside.split_once('}'))
            .ok_or_else(lone)?;
        if name.contains('{') {
            return Err(lone());
        }
        out.push_str(values.get(name).ok_or_else(|| unknown(word, name, values))?);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

fn unknown(word: &str, name: &str, values: &BTreeMap<String, String>) -> BadPlaceholder {
    let known: Vec<String> = values.keys().map(|key| format!("{{{key}}}")).collect();
    BadPlaceholder::Unknown {
        word: word.to_owned(),
        name: name.to_owned(),
        known: known.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values() -> BTreeMap<String, String> {
        [("port", "8080"), ("out", "/o"), ("odd", "{port}")]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into()
    }

    #[test]
    fn values_are_put_in_once() {
        for (word, expected) in [
            ("", ""),
            ("plain", "plain"),
            ("{port}", "8080"),
            ("--listen=127.0.0.1:{port}", "--listen=127.0.0.1:8080"),
            ("{out}/{port}é", "/o/8080é"),
            ("{{port}}", "{port}"),
            ("{{{port}}}", "{8080}"),
            ("{odd}", "{port}"), // values are not substituted again
        ] {
            assert_eq!(substitute_word(word, &values()).unwrap(), expected, "{word}");
        }
    }

    #[test]
    fn what_is_unknown_or_unmatched_is_refused() {
        let error = substitute_word("-p{prt}", &values()).unwrap_err().to_string();
        assert_eq!(
            error,
            "`-p{prt}` names the placeholder {prt}, which is unknown; known: {odd}, {out}, {port}"
        );
        for bad in ["{", "}", "a}b", "{port", "{a{port}", "{{port}", "{port}}"] {
            let error = substitute_word(bad, &values()).unwrap_err();
            assert!(matches!(error, BadPlaceholder::Brace { .. }), "{bad}: {error}");
        }
    }
}
