//! Types that a key may have: TOML's own, dates, and lists.

use super::node::{Content, Node, Take};
use super::source::Spot;
use super::table::Table;

impl<'d> Take<'d> for String {
    const EXPECTED: &'static str = "a string";
    const EXAMPLE: &'static str = "\"…\"";

    fn take(node: Node<'d>) -> Option<Self> {
        match node.content {
            Content::Text(text) => Some(text.to_owned()),
            _ => node.mismatch::<Self>(),
        }
    }
}

impl<'d> Take<'d> for i64 {
    const EXPECTED: &'static str = "a whole number";
    const EXAMPLE: &'static str = "1";

    fn take(node: Node<'d>) -> Option<Self> {
        match node.content {
            Content::Whole(number) => Some(number),
            _ => node.mismatch::<Self>(),
        }
    }
}

impl<'d> Take<'d> for f64 {
    const EXPECTED: &'static str = "a number";
    const EXAMPLE: &'static str = "5.30";

    fn take(node: Node<'d>) -> Option<Self> {
        match node.content {
            Content::Real(number) => Some(number),
            Content::Whole(number) => Some(number as f64),
            _ => node.mismatch::<Self>(),
        }
    }
}

impl<'d> Take<'d> for bool {
    const EXPECTED: &'static str = "true or false";
    const EXAMPLE: &'static str = "true";

    fn take(node: Node<'d>) -> Option<Self> {
        match node.content {
            Content::Truth(truth) => Some(truth),
            _ => node.mismatch::<Self>(),
        }
    }
}

impl<'d> Take<'d> for Table<'d> {
    const EXPECTED: &'static str = "a table";
    const EXAMPLE: &'static str = "{ … }";

    fn take(node: Node<'d>) -> Option<Self> {
        match node.content {
            Content::Table(table) => Some(Table::new(node.source, node.path, node.line, table)),
            _ => node.mismatch::<Self>(),
        }
    }
}

/// A date, quoted or not, as its text.
pub(super) struct DateText(pub String);

impl<'d> Take<'d> for DateText {
    const EXPECTED: &'static str = "a date";
    const EXAMPLE: &'static str = "2026-11-21";

    fn take(node: Node<'d>) -> Option<Self> {
        match node.content {
            Content::Text(text) => Some(Self(text.to_owned())),
            Content::Date(date) => Some(Self(date)),
            _ => node.mismatch::<Self>(),
        }
    }
}

/// A list. Every wrong element is reported.
pub(super) struct List<T>(pub Vec<Spot<T>>);

/// A type that a list may hold, with the words for such a list.
pub(super) trait Element<'d>: Take<'d> {
    const LIST: &'static str;
    const LIST_EXAMPLE: &'static str;
}

impl<'d, T: Element<'d>> Take<'d> for List<T> {
    const EXPECTED: &'static str = T::LIST;
    const EXAMPLE: &'static str = T::LIST_EXAMPLE;

    fn take(node: Node<'d>) -> Option<Self> {
        if !matches!(node.content, Content::List(_) | Content::Tables(_)) {
            return node.mismatch::<Self>();
        }
        let elements = node.elements()?;
        let found = elements.len();
        let good = elements.into_iter().filter_map(|element| {
            let line = element.line;
            T::take(element).map(|value| Spot { value, line })
        });
        // The good elements are kept, so that whatever else is wrong with them is reported at once.
        let good: Vec<Spot<T>> = good.collect();
        (!good.is_empty() || found == 0).then_some(List(good))
    }
}

impl<T> List<T> {
    /// The elements without their lines.
    pub(super) fn values(self) -> Vec<T> {
        self.0.into_iter().map(|spot| spot.value).collect()
    }
}

impl Element<'_> for String {
    const LIST: &'static str = "a list of strings";
    const LIST_EXAMPLE: &'static str = "[\"…\", \"…\"]";
}

impl Element<'_> for f64 {
    const LIST: &'static str = "a list of numbers";
    const LIST_EXAMPLE: &'static str = "[2.0, 3.0]";
}

impl<'d> Element<'d> for Table<'d> {
    const LIST: &'static str = "a list of tables";
    const LIST_EXAMPLE: &'static str = "[{ … }]";
}
