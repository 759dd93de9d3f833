//! The job `grpc`: a unary call, repeated.

use toml_edit::InlineTable;

use super::http::{headers_value, take_headers, take_path};
use super::source::Spot;
use super::table::Table;
use super::words::short;
use super::write::text;

/// A unary call of gRPC, and the message that must come back. Messages are as protobuf encodes them, without their prefix.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GrpcJob {
    /// `/package.Service/Method`.
    pub path: String,
    /// Further header fields.
    pub headers: Vec<(String, String)>,
    /// The message that is sent.
    pub message: Vec<u8>,
    /// The message of every answer; none: any, but all the same as the first.
    pub answer: Option<Vec<u8>>,
}

/// Keys besides `kind`.
pub(super) const GRPC_KEYS: [&str; 4] = ["path", "headers", "message", "answer"];

/// Takes the keys of a call.
pub(super) fn take_grpc(table: &Table) -> Option<GrpcJob> {
    let path = take_path(table);
    let headers = take_headers(table);
    let message = table.required::<String>("message");
    let message = message.and_then(|text| bytes(table, "message", &text));
    let answer = table.optional::<String>("answer");
    let answer = answer.and_then(|text| bytes(table, "answer", &text));
    Some(GrpcJob {
        path: path?,
        headers,
        message: message?,
        answer,
    })
}

impl GrpcJob {
    /// Its keys as TOML writes them.
    pub(super) fn render(&self, table: &mut InlineTable) {
        table.insert("path", text(&self.path));
        table.insert("headers", headers_value(&self.headers));
        table.insert("message", text(&hex(&self.message)));
        if let Some(answer) = &self.answer {
            table.insert("answer", text(&hex(answer)));
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes in hexadecimal digits.
fn bytes(table: &Table, key: &'static str, found: &Spot<String>) -> Option<Vec<u8>> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).map(|digit| digit as u8);
    let digits: Option<Vec<u8>> = found.value.as_bytes().iter().map(digit).collect();
    let pairs = digits.filter(|digits| digits.len() % 2 == 0);
    let Some(pairs) = pairs else {
        let text = format!(
            "`{}`: expected bytes in hexadecimal digits, found \"{}\"",
            table.path(key),
            short(&found.value)
        );
        let hint = "two digits for each byte, such as \"0a05576f726c64\": the message as protobuf encodes it";
        table.source.hinted(found.line, text, hint);
        return None;
    };
    Some(pairs.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}
