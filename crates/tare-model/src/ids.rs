//! Names of workloads, cases and contenders.

use std::fmt;
use std::str::FromStr;

/// A contender, or one variant of it: `node`, `haskell-conduit@all`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ContenderId {
    /// The contender's folder name.
    pub name: String,
    /// The variant, where the manifest declares some.
    pub variant: Option<String>,
}

/// A workload, or one case of it: `doubling`, `doubling/one-core`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Selector {
    /// The workload's folder name.
    pub workload: String,
    /// The case, if one is named.
    pub case: Option<String>,
}

/// An invalid name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is no {what}: names are lower-case letters, digits and single dashes, and start with a letter"
)]
pub struct BadName {
    /// What was asked for.
    pub what: &'static str,
    /// What was given.
    pub text: String,
}

/// Whether `text` is a plain name: lower-case letters, digits and single dashes, starting with a letter.
/// Names become folders and cgroups, so nothing else is accepted.
pub fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase()) && is_part(text)
}

/// Whether `text` is the name of a part of something, which may start with a digit: the case `5-fields`.
pub(crate) fn is_part(text: &str) -> bool {
    let mut previous = '-';
    for (index, c) in text.chars().enumerate() {
        let dash = index > 0 && c == '-' && previous != '-';
        let fits = c.is_ascii_lowercase() || c.is_ascii_digit() || dash;
        if !fits {
            return false;
        }
        previous = c;
    }
    !text.is_empty() && previous != '-' && text.len() <= 64
}

/// The name of a contender for something that has another: lower-case letters, digits and single dashes, a letter first.
pub fn plain_name(text: &str) -> String {
    let mut name = String::new();
    for c in text.to_lowercase().chars() {
        match c {
            'a'..='z' | '0'..='9' => name.push(c),
            _ if name.ends_with('-') => {}
            _ => name.push('-'),
        }
    }
    let name = name.trim_matches('-');
    let first = if name.starts_with(|c: char| c.is_ascii_lowercase()) {
        ""
    } else {
        "x-"
    };
    let name: String = format!("{first}{name}").chars().take(64).collect();
    name.trim_end_matches('-').to_owned()
}

impl ContenderId {
    /// The contender without a variant.
    pub fn plain(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            variant: None,
        }
    }

    /// A variant of a contender.
    pub fn variant(name: &str, variant: &str) -> Self {
        Self {
            name: name.to_owned(),
            variant: Some(variant.to_owned()),
        }
    }

    /// Whether this name, as a person gives it, means a contender: `node` stands for every variant of it.
    pub fn means(&self, id: &ContenderId) -> bool {
        self == id || (self.variant.is_none() && self.name == id.name)
    }
}

impl Selector {
    /// The whole of a workload.
    pub fn whole(workload: String) -> Self {
        Self { workload, case: None }
    }
}

impl fmt::Display for ContenderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.variant {
            Some(variant) => f.pad(&format!("{}@{variant}", self.name)),
            None => f.pad(&self.name),
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.case {
            Some(case) => write!(f, "{}/{case}", self.workload),
            None => f.write_str(&self.workload),
        }
    }
}

fn split(text: &str, at: char, what: &'static str) -> Result<(String, Option<String>), BadName> {
    let (first, second) = match text.split_once(at) {
        Some((first, second)) => (first, Some(second)),
        None => (text, None),
    };
    if is_name(first) && second.is_none_or(is_part) {
        Ok((first.to_owned(), second.map(str::to_owned)))
    } else {
        Err(BadName {
            what,
            text: text.to_owned(),
        })
    }
}

impl FromStr for ContenderId {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        split(text, '@', "contender").map(|(name, variant)| Self { name, variant })
    }
}

impl FromStr for Selector {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        split(text, '/', "workload or workload/case").map(|(workload, case)| Self { workload, case })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain() {
        for good in ["a", "node", "c-epoll", "http2", "a-1"] {
            assert!(is_name(good), "{good}");
        }
        for bad in [
            "",
            "-a",
            "a-",
            "a--b",
            "A",
            "1a",
            "a/b",
            "a.b",
            "..",
            "a b",
            "ä",
            &"a".repeat(65),
        ] {
            assert!(!is_name(bad), "{bad}");
        }
    }

    #[test]
    fn parts_may_start_with_a_digit() {
        assert!(is_part("5-fields") && !is_name("5-fields"));
        for bad in ["", "-a", "5-", "5--a", "5A", "5/a"] {
            assert!(!is_part(bad), "{bad}");
        }
        let selector: Selector = "records/5-fields".parse().unwrap();
        assert_eq!(selector.case.as_deref(), Some("5-fields"));
    }

    #[test]
    fn a_name_without_a_variant_means_all_of_them() {
        let id = ContenderId::variant("haskell", "all");
        for (text, means) in [
            ("haskell", true),
            ("haskell@all", true),
            ("haskell@one", false),
            ("go", false),
        ] {
            assert_eq!(text.parse::<ContenderId>().unwrap().means(&id), means, "{text}");
        }
        assert!(!id.means(&ContenderId::plain("haskell")));
    }

    #[test]
    fn ids_survive_their_own_text() {
        for text in ["node", "haskell-conduit@all"] {
            assert_eq!(text.parse::<ContenderId>().unwrap().to_string(), text);
        }
        for text in ["doubling", "doubling/one-core"] {
            assert_eq!(text.parse::<Selector>().unwrap().to_string(), text);
        }
        assert!("node@".parse::<ContenderId>().is_err());
        assert!("../etc".parse::<Selector>().is_err());
    }

    #[test]
    fn frameworks_get_names_that_are_names() {
        for (framework, name) in [
            ("warp", "warp"),
            ("vertx-web-postgres", "vertx-web-postgres"),
            ("0http", "x-0http"),
            ("ASP.NET Core", "asp-net-core"),
            ("may_minihttp--", "may-minihttp"),
            ("日本", "x"),
        ] {
            assert_eq!(plain_name(framework), name);
            assert!(
                plain_name(framework).parse::<ContenderId>().is_ok(),
                "{framework}"
            );
        }
        assert!(plain_name(&"x_".repeat(80)).parse::<ContenderId>().is_ok());
    }
}
