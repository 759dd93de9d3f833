//! Names for commands and servers that were given none: made of their words, each once.

use std::collections::BTreeSet;

use tare_model::ids::{ContenderId, is_name};

/// Why there are no names, or not that one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NamingError {
    /// Not as many names as there are things to name.
    #[error("{given} names for {wanted}: name all, in their order, or none")]
    Count {
        /// The number of names.
        given: usize,
        /// How many things there are.
        wanted: usize,
    },
    /// One name for two things.
    #[error("the name `{0}` is given twice")]
    Twice(ContenderId),
    /// A name that nothing has.
    #[error("nothing here is called `{asked}`: there are {}", known.join(", "))]
    Unknown {
        /// The name.
        asked: ContenderId,
        /// The names that there are.
        known: Vec<String>,
    },
    /// A name of what others are compared with, where what is compared is meant.
    #[error("`{0}` is the baseline, which is compared with nothing")]
    IsBaseline(ContenderId),
}

/// The longest name that is made of words, in bytes.
const LONGEST: usize = 28;

/// A name that is not taken, made of this one; it is taken from now on.
pub(crate) fn free(name: &str, taken: &mut BTreeSet<ContenderId>) -> ContenderId {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    let id = names.find_map(|name| Some(ContenderId::plain(&name)).filter(|id| !taken.contains(id)));
    let id = id.expect("numbers do not end");
    taken.insert(id.clone());
    id
}

/// The letters and digits of a text, with dashes for all else; after `kind` where the text does not begin with a letter.
fn slug(text: &str, kind: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        match c.to_ascii_lowercase() {
            c if c.is_ascii_alphanumeric() => name.push(c),
            _ if name.is_empty() || name.ends_with('-') => {}
            _ => name.push('-'),
        }
        if name.len() >= LONGEST {
            break;
        }
    }
    let name = name.trim_end_matches('-');
    if is_name(name) {
        name.to_owned()
    } else {
        format!("{kind}-{name}").trim_end_matches('-').to_owned()
    }
}

/// The names that were given, or names made of each text.
///
/// # Errors
/// Not as many names as texts, or a name twice.
pub(crate) fn all(
    given: &[ContenderId],
    texts: &[String],
    kind: &str,
) -> Result<Vec<ContenderId>, NamingError> {
    if !given.is_empty() && given.len() != texts.len() {
        return Err(NamingError::Count {
            given: given.len(),
            wanted: texts.len(),
        });
    }
    let mut taken = BTreeSet::new();
    let name = |(index, text): (usize, &String)| match given.get(index) {
        Some(name) if taken.insert(name.clone()) => Ok(name.clone()),
        Some(name) => Err(NamingError::Twice(name.clone())),
        None => Ok(free(&slug(text, kind), &mut taken)),
    };
    texts.iter().enumerate().map(name).collect()
}

/// What ratios are against: as asked for, or the first.
///
/// # Errors
/// There is nothing of that name.
pub(crate) fn baseline(asked: Option<&ContenderId>, ids: &[ContenderId]) -> Result<ContenderId, NamingError> {
    match asked {
        None => Ok(ids[0].clone()),
        Some(asked) if ids.contains(asked) => Ok(asked.clone()),
        Some(asked) => Err(NamingError::Unknown {
            asked: asked.clone(),
            known: ids.iter().map(ToString::to_string).collect(),
        }),
    }
}

/// Refuses a name that is none of these, or that of what they are compared with.
///
/// # Errors
/// The names that there are, or that it is the baseline.
pub(crate) fn compared(
    name: &ContenderId,
    ids: &[ContenderId],
    against: Option<&ContenderId>,
) -> Result<(), NamingError> {
    baseline(Some(name), ids)?;
    if against == Some(name) {
        return Err(NamingError::IsBaseline(name.clone()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(names: &[&str]) -> Vec<ContenderId> {
        names.iter().map(|name| ContenderId::plain(name)).collect()
    }

    #[test]
    fn names_are_plain_and_never_twice() {
        let texts = ["sleep 0.1", "sleep 0.1", "[ -f x ]", "7z a"].map(str::to_owned);
        let names = all(&[], &texts, "command").unwrap();
        assert_eq!(names, given(&["sleep-0-1", "sleep-0-1-2", "f-x", "command-7z-a"]));
        let long = slug("grep --recursive --line-number something somewhere", "command");
        assert!(is_name(&long) && long.len() <= LONGEST, "{long}");
        assert_eq!(slug("!!", "command"), "command");
        let two = &texts[..2];
        assert_eq!(
            all(&given(&["x", "y"]), two, "command").unwrap(),
            given(&["x", "y"])
        );
        assert!(
            all(&given(&["x"]), two, "command").is_err() && all(&given(&["x", "x"]), two, "command").is_err()
        );
    }

    #[test]
    fn the_baseline_is_one_of_them() {
        let ids = given(&["a", "b"]);
        assert_eq!(baseline(None, &ids), Ok(ids[0].clone()));
        assert_eq!(baseline(Some(&ids[1]), &ids), Ok(ids[1].clone()));
        assert!(baseline(Some(&ContenderId::plain("c")), &ids).is_err());
    }
}
