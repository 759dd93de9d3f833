//! Where each value of a resolved manifest came from.

use std::fmt;

/// The places of values, by the keys that [`render`](super::render) shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sources {
    places: Vec<(String, Vec<Place>)>,
}

/// A line of a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub file: String,
    pub line: u32,
    pub layer: Layer,
}

/// Which of the layers that make up a contender a value is from. Other manifests have only their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layer {
    /// The defaults of the contender's language.
    Language,
    /// The manifest itself.
    Own,
    /// A variant's table.
    Variant,
}

/// Shown for a value that no manifest sets.
const TARE_DEFAULT: &str = "tare default";

impl Sources {
    /// Where the value of a key came from: `file:line`, several for a value put together from several, or
    /// `tare default`. A part without a place of its own (`origin.text`) has that of the whole (`origin`). None: the key
    /// is not known.
    pub fn get(&self, key: &str) -> Option<String> {
        let Some(places) = self.places(key) else {
            return self.get(key.rsplit_once('.')?.0);
        };
        if places.is_empty() {
            return Some(TARE_DEFAULT.to_owned());
        }
        let places: Vec<String> = places.iter().map(Place::to_string).collect();
        Some(places.join(", "))
    }

    /// The line that sets a key in the contender's own file; none for a default of tare or of the language.
    pub(super) fn line(&self, key: &str) -> Option<u32> {
        let own = |place: &&Place| place.layer != Layer::Language;
        self.places(key)?.iter().rfind(own).map(|place| place.line)
    }

    /// All keys that begin with a prefix: what follows it, and the line; 0 for tare's default.
    pub(super) fn lines(&self, prefix: &str) -> Vec<(String, u32)> {
        let known = self.places.iter();
        let lines = known.filter_map(|(key, places)| {
            let line = places.last().map_or(0, |place| place.line);
            Some((key.strip_prefix(prefix)?.to_owned(), line))
        });
        lines.collect()
    }

    fn places(&self, key: &str) -> Option<&[Place]> {
        let found = self.places.iter().find(|(known, _)| known == key);
        found.map(|(_, places)| places.as_slice())
    }

    /// Notes the one place of a key.
    pub(super) fn set(&mut self, key: String, place: Place) {
        let places = self.of(key);
        places.clear();
        places.push(place);
    }

    /// Notes a further place of a key.
    pub(super) fn add(&mut self, key: String, place: Place) {
        self.of(key).push(place);
    }

    /// Notes that tare's default holds, unless a place is noted.
    pub(super) fn default_of(&mut self, key: String) {
        self.of(key);
    }

    /// The sources of a language's values that its contenders inherit.
    pub(super) fn inherit(&mut self, language: &Sources, inherited: &[&str]) {
        let part = |key: &str| inherited.iter().any(|name| key.split('.').next() == Some(name));
        for (key, places) in language.places.iter().filter(|(key, _)| part(key)) {
            let of_language = |place: &Place| Place {
                layer: Layer::Language,
                ..place.clone()
            };
            self.of(key.clone()).extend(places.iter().map(of_language));
        }
    }

    fn of(&mut self, key: String) -> &mut Vec<Place> {
        let at = self.places.iter().position(|(known, _)| *known == key);
        let at = at.unwrap_or_else(|| {
            self.places.push((key, Vec::new()));
            self.places.len() - 1
        });
        &mut self.places[at].1
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        match self.layer {
            Layer::Language => f.write_str(" (language default)"),
            Layer::Own => Ok(()),
            Layer::Variant => f.write_str(" (variant)"),
        }
    }
}
