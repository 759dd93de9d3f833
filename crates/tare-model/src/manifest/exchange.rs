//! `[[exchanges]]`: what every contender must answer before it is timed.

use std::collections::HashMap;

use toml_edit::Value;

use super::fields::Phrase;
use super::keys::{Kind, Taken};
use super::source::Spot;
use super::table::Table;
use super::take::List;
use super::words::short;
use super::write::text;

/// A fixed exchange: bytes sent, bytes expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// What it shows.
    pub name: String,
    /// Bytes sent.
    pub send: String,
    /// Bytes expected, all of them and no more.
    pub expect: String,
    /// Whether the contender must close the connection afterwards.
    pub closes: bool,
    /// Whether the bytes are sent one at a time, each a packet of its own.
    pub dribble: bool,
}

/// `[[exchanges]]`, each with a name of its own.
pub(super) struct ExchangesKind;

impl Kind for ExchangesKind {
    type Value = Vec<Exchange>;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Vec<Exchange>>> {
        let tables = table.get::<List<Table>>(key, must)?;
        let each = tables.value.0.iter();
        let taken: Vec<Spot<Exchange>> = each.filter_map(|table| take_exchange(&table.value)).collect();
        let mut first: HashMap<&str, u32> = HashMap::new();
        for exchange in &taken {
            let name = exchange.value.name.as_str();
            if let Some(line) = first.get(name) {
                let text = format!("a second exchange named `{}`", short(name));
                let hint = format!("the first is on line {line}");
                table.source.hinted(exchange.line, text, hint);
            } else {
                first.insert(name, exchange.line);
            }
        }
        let lines = taken.iter().enumerate();
        Some(Taken {
            line: tables.line,
            parts: lines
                .map(|(index, spot)| (format!("[{index}]"), spot.line))
                .collect(),
            value: taken.into_iter().map(|spot| spot.value).collect(),
        })
    }

    fn show(&self, value: &Vec<Exchange>) -> Vec<(String, Value)> {
        let lines = value.iter().enumerate();
        lines
            .map(|(index, exchange)| (format!("[{index}]"), text(&exchange.name)))
            .collect()
    }
}

fn take_exchange(table: &Table) -> Option<Spot<Exchange>> {
    let name = table.required::<Phrase>("name");
    let send = table.required::<String>("send");
    let expect = table.required::<String>("expect");
    let closes = table.optional::<bool>("closes").is_some_and(|spot| spot.value);
    let dribble = table.optional::<bool>("dribble").is_some_and(|spot| spot.value);
    table.finish();
    let name = name?;
    Some(Spot {
        value: Exchange {
            name: name.value.0,
            send: send?.value,
            expect: expect?.value,
            closes,
            dribble,
        },
        line: name.line,
    })
}
