//! Tables of keys. A manifest has one, next to its type, with a row for each key: the field that it fills and the kind of
//! its value. Reading, inheritance, sources and `tare show` all follow the table.

use toml_edit::Value;

use super::source::Spot;
use super::sources::{Layer, Place, Sources};
use super::table::Table;

/// A kind of value: how it is read, inherited and shown.
pub(super) trait Kind {
    /// What it resolves to.
    type Value;

    /// Whether a value adds to the inherited one, so that both places count.
    const ADDS: bool = false;

    /// Takes a key of a table; `must`: a missing key is an error. None if it is missing, or after reporting what is
    /// wrong with it.
    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Self::Value>>;

    /// Puts a value over the inherited one.
    fn lay(&self, value: Self::Value, over: &mut Self::Value) {
        *over = value;
    }

    /// How it is shown: what follows the key, and the value as TOML. Empty: not at all.
    fn show(&self, value: &Self::Value) -> Vec<(String, Value)>;
}

/// A value that was read, and where.
pub(super) struct Taken<V> {
    pub value: V,
    pub line: u32,
    /// What follows the key, for parts with a line of their own. Line 0: tare's default.
    pub parts: Vec<(String, u32)>,
}

impl<V> From<Spot<V>> for Taken<V> {
    fn from(spot: Spot<V>) -> Self {
        Self {
            value: spot.value,
            line: spot.line,
            parts: Vec::new(),
        }
    }
}

/// One field of a type, and the name of its key. Made by [`field!`].
pub(super) struct Field<T, V> {
    pub key: &'static str,
    pub get: fn(&T) -> &V,
    pub get_mut: fn(&mut T) -> &mut V,
}

/// A field whose key has its name, or another one: `field!(run)`, `field!(stop_signal as "stop")`.
macro_rules! field {
    ($name:ident) => {
        $crate::manifest::keys::field!($name as stringify!($name))
    };
    ($($name:ident).+ as $key:expr) => {
        $crate::manifest::keys::Field {
            key: $key,
            get: |it| &it.$($name).+,
            get_mut: |it| &mut it.$($name).+,
        }
    };
}
pub(super) use field;

/// A table of keys for the fields of `T`.
pub(super) struct Keys<'c, T> {
    rows: Vec<Row<'c, T>>,
}

/// A row of the table. What its methods set is for keys that differ from most.
pub(super) struct Row<'c, T> {
    key: &'static str,
    must: bool,
    varies: bool,
    shown: &'static str,
    shown_if: Box<dyn Fn(&T) -> bool + 'c>,
    column: Box<dyn Column<T> + 'c>,
}

/// A field with its kind, whatever its type.
trait Column<T> {
    fn preset(&self, into: &mut T);
    fn read(&self, table: &Table, key: &'static str, must: bool, into: &mut T) -> Option<Lines>;
    fn show(&self, of: &T) -> Vec<(String, Value)>;
}

/// The lines of a key and of its parts, and whether they add to the inherited ones.
struct Lines {
    line: u32,
    parts: Vec<(String, u32)>,
    add: bool,
}

struct Cell<T, K: Kind> {
    field: Field<T, K::Value>,
    kind: K,
    default: Option<K::Value>,
}

impl<T, K: Kind> Column<T> for Cell<T, K>
where
    K::Value: Clone,
{
    fn preset(&self, into: &mut T) {
        if let Some(default) = &self.default {
            (self.field.get_mut)(into).clone_from(default);
        }
    }

    fn read(&self, table: &Table, key: &'static str, must: bool, into: &mut T) -> Option<Lines> {
        let taken = self.kind.take(table, key, must)?;
        self.kind.lay(taken.value, (self.field.get_mut)(into));
        Some(Lines {
            line: taken.line,
            parts: taken.parts,
            add: K::ADDS,
        })
    }

    fn show(&self, of: &T) -> Vec<(String, Value)> {
        self.kind.show((self.field.get)(of))
    }
}

impl<'c, T: 'c> Keys<'c, T> {
    pub(super) fn new() -> Self {
        Self { rows: Vec::new() }
    }

    /// A key that must be there.
    pub(super) fn must<K: Kind + 'c>(&mut self, field: Field<T, K::Value>, kind: K) -> &mut Row<'c, T>
    where
        K::Value: Clone + 'c,
    {
        let row = self.row(field, kind, None);
        row.must = true;
        row
    }

    /// A key that may be missing: the field keeps what it inherits.
    pub(super) fn may<K: Kind + 'c>(&mut self, field: Field<T, K::Value>, kind: K) -> &mut Row<'c, T>
    where
        K::Value: Clone + 'c,
    {
        self.row(field, kind, None)
    }

    /// A key that may be missing, with tare's default.
    pub(super) fn may_or<K: Kind + 'c>(
        &mut self,
        field: Field<T, K::Value>,
        kind: K,
        default: K::Value,
    ) -> &mut Row<'c, T>
    where
        K::Value: Clone + 'c,
    {
        self.row(field, kind, Some(default))
    }

    fn row<K: Kind + 'c>(
        &mut self,
        field: Field<T, K::Value>,
        kind: K,
        default: Option<K::Value>,
    ) -> &mut Row<'c, T>
    where
        K::Value: Clone + 'c,
    {
        let key = field.key;
        let row = Row {
            key,
            must: false,
            varies: true,
            shown: key,
            shown_if: Box::new(|_| true),
            column: Box::new(Cell { field, kind, default }),
        };
        let at = self.rows.len();
        self.rows.push(row);
        &mut self.rows[at]
    }

    /// Reads a table into `into`, which holds what is inherited, and notes where each value came from. All errors are
    /// reported. None if a key that must be there is missing or wrong.
    pub(super) fn read(
        &self,
        table: &Table,
        layer: Layer,
        into: &mut T,
        sources: &mut Sources,
    ) -> Option<()> {
        let mut whole = Some(());
        let variant = layer == Layer::Variant;
        let place = |line: u32| Place {
            file: table.source.file().to_owned(),
            line,
            layer,
        };
        for row in self.rows.iter().filter(|row| row.varies || !variant) {
            // A variant's values are those of the contender: its table is not part of their keys.
            let shown = if variant {
                row.shown.to_owned()
            } else {
                row.column.preset(into);
                table.path(row.shown)
            };
            let must = row.must && !variant;
            let Some(lines) = row.column.read(table, row.key, must, into) else {
                if must {
                    whole = None;
                }
                sources.default_of(shown);
                continue;
            };
            for (part, line) in &lines.parts {
                let key = format!("{shown}{part}");
                if *line == 0 {
                    sources.default_of(key);
                } else {
                    sources.set(key, place(*line));
                }
            }
            if lines.add {
                sources.add(shown, place(lines.line));
            } else {
                sources.set(shown, place(lines.line));
            }
        }
        whole
    }

    /// The rows as `tare show` prints them: keys and values.
    pub(super) fn show(&self, of: &T) -> Vec<(String, Value)> {
        let rows = self.rows.iter().filter(|row| (row.shown_if)(of));
        let lines = rows.flat_map(|row| {
            let line = |(part, value)| (format!("{}{part}", row.shown), value);
            row.column.show(of).into_iter().map(line)
        });
        lines.collect()
    }
}

impl<'c, T> Row<'c, T> {
    /// Variants cannot set it.
    pub(super) fn of_all_variants(&mut self) -> &mut Self {
        self.varies = false;
        self
    }

    /// Shown under another key.
    pub(super) fn shown_as(&mut self, key: &'static str) -> &mut Self {
        self.shown = key;
        self
    }

    /// Shown only where this holds.
    pub(super) fn shown_if(&mut self, condition: impl Fn(&T) -> bool + 'c) -> &mut Self {
        self.shown_if = Box::new(condition);
        self
    }
}
