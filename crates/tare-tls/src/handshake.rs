//! The handshake, by rustls.

use rustls::client::{ClientConnectionData, UnbufferedClientConnection};
use rustls::unbuffered::{ConnectionState, EncodeError, EncodeTlsData, UnbufferedStatus};
use rustls::{CipherSuite, HandshakeKind, ProtocolVersion};
use tare_model::fault::{Fault, FaultKind};
use tare_model::tls::Agreed;

use crate::client::{Client, Protocol};
use crate::direction::begins;
use crate::records::Records;
use crate::trouble;

/// Most flights fit.
const FLIGHT: usize = 1024;

/// A handshake that is under way.
pub(crate) struct Handshake {
    connection: UnbufferedClientConnection,
    protocol: Protocol,
    resume: bool,
    /// Received bytes of records that are not whole, or not taken yet. rustls bounds a message at 64 KiB.
    rest: Vec<u8>,
    /// What the server has sent already for the reader.
    early: Vec<u8>,
    /// Whether the server has said that it sends nothing more.
    ended: bool,
    received: u64,
}

/// A handshake that is complete.
pub(crate) struct Complete {
    pub(crate) records: Records,
    pub(crate) agreed: Agreed,
    pub(crate) resumed: bool,
    pub(crate) early: Vec<u8>,
    /// The beginning of a record.
    pub(crate) rest: Vec<u8>,
}

/// How a look at received bytes ended.
enum Look {
    /// There is more to do.
    Again,
    /// More bytes are needed.
    Wait,
    Done,
}

impl Handshake {
    /// Begins one: its first flight is appended to `out`.
    pub(crate) fn begin(client: &Client, out: &mut Vec<u8>) -> Result<Self, Fault> {
        let connection = UnbufferedClientConnection::new(client.config.clone(), client.name.clone())
            .map_err(|error| {
                Fault::new(
                    FaultKind::Instrument,
                    format!("no handshake could be begun: {error}"),
                )
            })?;
        let mut handshake = Self {
            connection,
            protocol: client.protocol,
            resume: client.resume,
            rest: Vec::new(),
            early: Vec::new(),
            ended: false,
            received: 0,
        };
        handshake.advance(out).map(|_| handshake)
    }

    /// Bytes that were received so far.
    pub(crate) fn received(&self) -> u64 {
        self.received
    }

    /// Takes received bytes, and appends what has to be sent to `out`, also if it fails: an alert. Returns whether the
    /// handshake is complete.
    pub(crate) fn take(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<bool, Fault> {
        if self.received == 0 && !bytes.is_empty() && !begins(bytes[0]) {
            return Err(trouble::no_record(bytes));
        }
        self.received += bytes.len() as u64;
        self.rest.extend_from_slice(bytes);
        self.advance(out)
    }

    fn advance(&mut self, out: &mut Vec<u8>) -> Result<bool, Fault> {
        loop {
            let (discard, look) = self.look(out);
            let look = match look {
                Ok(look) => look,
                Err(error) => return Err(self.failed(&error, discard, out)),
            };
            self.rest.drain(..discard);
            match look {
                Look::Again => {}
                Look::Done => return Ok(true),
                Look::Wait => return Ok(false),
            }
        }
    }

    /// One step of rustls. Returns how many bytes of the rest it is done with.
    fn look(&mut self, out: &mut Vec<u8>) -> (usize, Result<Look, rustls::Error>) {
        let UnbufferedStatus { discard, state, .. } = self.connection.process_tls_records(&mut self.rest);
        let look = match state {
            Ok(ConnectionState::EncodeTlsData(mut data)) => {
                encode(&mut data, out);
                Ok(Look::Again)
            }
            Ok(ConnectionState::TransmitTlsData(data)) => {
                data.done();
                Ok(Look::Again)
            }
            Ok(ConnectionState::ReadTraffic(mut traffic)) => {
                let mut result = Ok(Look::Again);
                while let Some(record) = traffic.next_record() {
                    match record {
                        Ok(record) => self.early.extend_from_slice(record.payload),
                        Err(error) => result = Err(error),
                    }
                }
                result
            }
            Ok(ConnectionState::PeerClosed) => {
                self.ended = true;
                Ok(Look::Again)
            }
            Ok(ConnectionState::BlockedHandshake) => Ok(Look::Wait),
            Ok(ConnectionState::WriteTraffic(_)) => Ok(Look::Done),
            Ok(other) => Err(rustls::Error::General(format!("an unexpected state, {other:?}"))),
            Err(error) => Err(error),
        };
        (discard, look)
    }

    /// The fault of a handshake that failed; the alert that ends it is appended to `out`.
    #[cold]
    fn failed(&mut self, error: &rustls::Error, discard: usize, out: &mut Vec<u8>) -> Fault {
        let last = Some(&self.rest[discard..]).filter(|last| !last.is_empty());
        let fault = trouble::of_handshake(error, last.unwrap_or(&self.rest), self.protocol);
        // rustls remembers places in these bytes.
        self.rest.drain(..discard);
        let status = self.connection.process_tls_records(&mut self.rest);
        if let Ok(ConnectionState::EncodeTlsData(mut data)) = status.state {
            encode(&mut data, out);
        }
        fault
    }

    /// Ends a complete handshake: its records are opened and sealed by this room from now on.
    pub(crate) fn complete(self) -> Result<Complete, Fault> {
        let broken = |error: rustls::Error| trouble::fault(format!("the handshake failed: {error}"));
        let connection = self.connection;
        let alpn = connection
            .alpn_protocol()
            .map(|name| String::from_utf8_lossy(name).into_owned());
        if alpn.is_none() && self.protocol == Protocol::Http2 {
            return Err(trouble::not_chosen(self.protocol));
        }
        let version = connection.protocol_version();
        let suite = connection.negotiated_cipher_suite().map(|suite| suite.suite());
        let agreed = Agreed {
            version: version.map_or_else(String::new, version_named),
            suite: suite.map_or_else(String::new, suite_named),
            group: connection
                .negotiated_key_exchange_group()
                .map(|group| format!("{:?}", group.name())),
            alpn,
        };
        let resumed = connection.handshake_kind() == Some(HandshakeKind::Resumed);
        let (secrets, kernel) = connection.dangerous_into_kernel_connection().map_err(broken)?;
        Ok(Complete {
            records: Records::new(secrets, kernel, self.resume, self.ended)?,
            agreed,
            resumed,
            early: self.early,
            rest: self.rest,
        })
    }
}

fn encode(data: &mut EncodeTlsData<'_, ClientConnectionData>, out: &mut Vec<u8>) {
    let begin = out.len();
    out.resize(begin + FLIGHT, 0);
    let written = loop {
        match data.encode(&mut out[begin..]) {
            Ok(written) => break written,
            Err(EncodeError::InsufficientSize(short)) => out.resize(begin + short.required_size, 0),
            Err(EncodeError::AlreadyEncoded) => break 0,
        }
    };
    out.truncate(begin + written);
}

fn version_named(version: ProtocolVersion) -> String {
    match version {
        ProtocolVersion::TLSv1_2 => "TLS 1.2".to_owned(),
        ProtocolVersion::TLSv1_3 => "TLS 1.3".to_owned(),
        other => format!("{other:?}"),
    }
}

/// The name of the registry: rustls marks suites of TLS 1.3 in its own.
fn suite_named(suite: CipherSuite) -> String {
    format!("{suite:?}").replacen("TLS13_", "TLS_", 1)
}
