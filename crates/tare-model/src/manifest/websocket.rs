//! The job `websocket`: a message and its answer, repeated over an open connection.

use toml_edit::InlineTable;

use super::http::{headers_value, take_headers, take_path};
use super::table::Table;
use super::write::text;

/// A text message over WebSocket, and the message that must come back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WebSocketJob {
    /// The path of the handshake.
    pub path: String,
    /// Further header fields of the handshake.
    pub headers: Vec<(String, String)>,
    /// The message that is sent.
    pub send: String,
    /// The message of every answer; none: any, but all the same as the first.
    pub expect: Option<String>,
}

/// Keys besides `kind`.
pub(super) const WEBSOCKET_KEYS: [&str; 4] = ["path", "headers", "send", "expect"];

/// Takes the keys of a conversation.
pub(super) fn take_websocket(table: &Table) -> Option<WebSocketJob> {
    let path = take_path(table);
    let headers = take_headers(table);
    let send = table.required::<String>("send");
    let expect = table.optional::<String>("expect");
    Some(WebSocketJob {
        path: path?,
        headers,
        send: send?.value,
        expect: expect.map(|expect| expect.value),
    })
}

impl WebSocketJob {
    /// Its keys as TOML writes them.
    pub(super) fn render(&self, table: &mut InlineTable) {
        table.insert("path", text(&self.path));
        table.insert("headers", headers_value(&self.headers));
        table.insert("send", text(&self.send));
        if let Some(expect) = &self.expect {
            table.insert("expect", text(expect));
        }
    }
}
