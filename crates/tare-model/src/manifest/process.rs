//! `[ready]` and `[stop]`: how a process is seen to be ready, and how it is asked to stop.

use toml_edit::Value;

use super::fields::phrase;
use super::keys::{Kind, Taken};
use super::kinds::one;
use super::table::Table;
use super::words::{near_or_all, short};
use super::write::text;

/// Signals that may ask a process to stop.
const SIGNALS: [&str; 7] = ["TERM", "INT", "HUP", "QUIT", "USR1", "USR2", "KILL"];

/// The signal where the manifest names none.
pub(super) const STOP_SIGNAL: &str = "TERM";

/// How readiness is seen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Ready {
    /// A TCP connection to the port is accepted.
    #[default]
    Connect,
    /// The process prints a line that holds this text.
    Line(String),
}

/// `[ready]`, with `line`.
pub(super) struct ReadyKind;

/// `[stop]`, with `signal`.
pub(super) struct StopKind;

impl Kind for ReadyKind {
    type Value = Ready;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Ready>> {
        let ready = table.get::<Table>(key, must)?.value;
        let line = phrase(&ready, "line");
        ready.finish();
        Some(line?.map(Ready::Line).into())
    }

    fn show(&self, value: &Ready) -> Vec<(String, Value)> {
        match value {
            Ready::Connect => one(text("the port accepts a connection")),
            Ready::Line(line) => vec![(".line".to_owned(), text(line))],
        }
    }
}

impl Kind for StopKind {
    type Value = String;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<String>> {
        let stop = table.get::<Table>(key, must)?.value;
        let signal = stop.required::<String>("signal");
        stop.finish();
        let signal = signal?;
        if !SIGNALS.contains(&signal.value.as_str()) {
            let plain = signal.value.to_uppercase();
            let plain = plain.strip_prefix("SIG").unwrap_or(&plain);
            let text = format!("unknown signal `{}`", short(&signal.value));
            let hint = if SIGNALS.contains(&plain) {
                format!("write it without `SIG`, in capitals: `{plain}`")
            } else {
                near_or_all(plain, "expected one of", &SIGNALS)
            };
            stop.source.hinted(signal.line, text, hint);
        }
        Some(signal.into())
    }

    fn show(&self, value: &String) -> Vec<(String, Value)> {
        vec![(".signal".to_owned(), text(value))]
    }
}
