//! `[counts]` of a service: how it is asked what it did, where a case counts that.

use toml_edit::Value;

use super::argv::{Argv, Checked, Known, check_text};
use super::fields::phrase;
use super::keys::{Kind, Taken};
use super::table::Table;
use super::write::{text, texts};

/// The placeholder of the ids of rows, with commas between.
pub const IDS: &str = "ids";

/// A client that is asked what its service did, line by line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counts {
    /// Further words of the service's command, where something is counted.
    pub with: Vec<String>,
    /// The client's command: each line of its input is a question, to which one line answers.
    pub run: Vec<String>,
    /// The question for counts, to which `queries=N read=N written=N` answers.
    pub ask: String,
    /// The question for rows, with `{ids}`, to which their ids and numbers answer: `ID=NUMBER ID=NUMBER`.
    pub rows: String,
}

/// `[counts]`, with the placeholders of its commands.
pub(super) struct CountsKind<'k>(pub Checked<'k>);

impl Kind for CountsKind<'_> {
    type Value = Counts;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Counts>> {
        let counts = table.get::<Table>(key, must)?;
        let (table, line) = (&counts.value, counts.line);
        let with = table.optional::<Argv>("with");
        let run = table.required::<Argv>("run");
        for (key, argv) in [("with", &with), ("run", &run)] {
            argv.iter().for_each(|argv| argv.value.check(table, key, self.0));
        }
        let (ask, rows) = (phrase(table, "ask"), phrase(table, "rows"));
        let known = Known {
            lab: &[IDS],
            tools: &[],
            env: false,
        };
        if let Some(rows) = &rows {
            check_text(table.source, &table.path("rows"), rows, &known);
        }
        table.finish();
        let value = Counts {
            with: with.map_or(Vec::new(), |with| with.value.words()),
            run: run?.value.words(),
            ask: ask?.value,
            rows: rows?.value,
        };
        Some(Taken {
            value,
            line,
            parts: Vec::new(),
        })
    }

    fn show(&self, value: &Counts) -> Vec<(String, Value)> {
        let with = (!value.with.is_empty()).then(|| (".with".to_owned(), texts(&value.with)));
        let rest = [
            (".run".to_owned(), texts(&value.run)),
            (".ask".to_owned(), text(&value.ask)),
            (".rows".to_owned(), text(&value.rows)),
        ];
        with.into_iter().chain(rest).collect()
    }
}
