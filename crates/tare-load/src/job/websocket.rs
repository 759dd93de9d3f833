//! One message, repeated over WebSocket.

use tare_model::manifest::{HttpJob, WebSocketJob};

use super::http::{self, refuse};
use super::{BadJob, RequestPool, Trial, Work};
use crate::address::Address;
use crate::wire::{Handshake, Message, Protocol, WebSocket};

/// Fields that the handshake has itself.
const OWN: [&str; 5] = [
    "connection",
    "upgrade",
    "sec-websocket-key",
    "sec-websocket-version",
    "sec-websocket-extensions",
];

/// Messages over a WebSocket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Messages {
    /// The path of the handshake.
    pub path: String,
    /// Header fields of the handshake.
    pub headers: Vec<(String, String)>,
    /// The value of `Host`; none: the address.
    pub host: Option<String>,
    /// The message of each request.
    pub send: Message,
    /// The message that answers each; none: that of the first answer.
    pub expect: Option<Message>,
}

impl From<&WebSocketJob> for Messages {
    fn from(job: &WebSocketJob) -> Self {
        Self {
            path: job.path.clone(),
            headers: job.headers.clone(),
            host: None,
            send: Message::Text(job.send.clone()),
            expect: job.expect.clone().map(Message::Text),
        }
    }
}

impl Work {
    /// A message and its answer over a WebSocket; answers come in order. The same seed masks with the same keys.
    ///
    /// # Errors
    /// The part of the handshake that cannot be sent.
    pub fn websocket(messages: &Messages, address: &Address, seed: u64) -> Result<Self, BadJob> {
        let job = HttpJob {
            path: messages.path.clone(),
            headers: messages.headers.clone(),
            ..HttpJob::default()
        };
        http::check(&job)?;
        let host = messages.host.clone().unwrap_or_else(|| http::host(address));
        http::check_host(&host)?;
        let mut first = format!("GET {} HTTP/1.1\r\n", job.path);
        if !job
            .headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("host"))
        {
            first += &format!("Host: {host}\r\n");
        }
        for (name, value) in &job.headers {
            let own = OWN.iter().any(|own| name.eq_ignore_ascii_case(own));
            refuse(own, "header name", name, "the handshake has this field itself")?;
            first += &format!("{name}: {value}\r\n");
        }
        let mut rng = fastrand::Rng::with_seed(seed);
        let handshake = Handshake::new(&first, &mut rng);
        let socket = WebSocket::new(handshake, &messages.send, messages.expect.clone(), &mut rng);
        Ok(Self {
            requests: RequestPool::default().with_name(named(&messages.send)),
            protocol: Protocol::Dialog(Box::new(socket)),
            trials: vec![Trial::default()],
            tls: None,
        })
    }
}

/// A message, for a person.
fn named(message: &Message) -> String {
    match message {
        Message::Text(text) => format!("the message {}", crate::show::bytes(text.as_bytes())),
        Message::Binary(bytes) => format!("the binary message {}", crate::show::bytes(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handshake_keeps_its_own_fields() {
        let of = |name: &str| Messages {
            path: "/ws".to_owned(),
            headers: vec![(name.to_owned(), "x".to_owned())],
            host: None,
            send: Message::Text("ping".to_owned()),
            expect: None,
        };
        let work = |name: &str| Work::websocket(&of(name), &Address::loopback(1), 1);
        assert!(work("Sec-WebSocket-Protocol").is_ok());
        assert_eq!(work("Origin").unwrap().requests.show(0), "the message \"ping\"");
        let error = work("UPGRADE").unwrap_err().to_string();
        assert!(error.contains("the handshake has this field itself"), "{error}");
    }
}
