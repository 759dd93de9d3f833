//! What all connections to a server have in common.

use std::sync::Arc;

use rustls::client::Resumption;
use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, SupportedCipherSuite};
use tare_model::scheme::Speech;

use crate::sessions::Sessions;
use crate::trust::{self, Trust};

/// How a server is spoken to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientOptions {
    /// The name or address that the certificate must be for. A name is sent, too (SNI); an address is not (RFC 6066 §3).
    pub name: String,
    /// What is offered by ALPN.
    pub protocol: Protocol,
    /// Which certificates are accepted.
    pub trust: Trust,
    /// Whether later connections resume the session of an earlier one.
    pub resume: bool,
}

/// A protocol, as ALPN has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// HTTP/1.1. A server that chooses nothing speaks it.
    Http1,
    /// HTTP/2.
    Http2,
}

/// Why no connection can be made, before one is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadTls {
    /// A text is no name.
    #[error("`{0}` is not a name that a certificate can be for")]
    Name(String),
    /// A bundle of authorities cannot be read.
    #[error("the bundle of certificates cannot be used: {0}")]
    Bundle(String),
    /// This machine trusts nobody.
    #[error("no certificate authorities are installed on this machine ({0})")]
    NoRoots(String),
    /// The library refuses.
    #[error("TLS cannot be set up: {0}")]
    Refused(String),
}

/// What all connections to a server have in common.
#[derive(Debug, Clone)]
pub struct Client {
    pub(crate) config: Arc<ClientConfig>,
    pub(crate) name: ServerName<'static>,
    pub(crate) protocol: Protocol,
    pub(crate) resume: bool,
}

impl From<Speech> for Protocol {
    fn from(speech: Speech) -> Self {
        match speech {
            Speech::H2 | Speech::Grpc => Self::Http2,
            Speech::Http | Speech::WebSocket | Speech::Lines => Self::Http1,
        }
    }
}

impl Protocol {
    /// Its name in ALPN.
    pub(crate) fn alpn(self) -> &'static str {
        match self {
            Self::Http1 => "http/1.1",
            Self::Http2 => "h2",
        }
    }
}

impl Client {
    /// Prepares connections. Reads the certificates of this machine where those are trusted.
    ///
    /// # Errors
    /// The name or the bundle is none, or this machine trusts nobody.
    pub fn new(options: &ClientOptions) -> Result<Self, BadTls> {
        let bad = |error: rustls::Error| BadTls::Refused(error.to_string());
        let name =
            ServerName::try_from(options.name.clone()).map_err(|_| BadTls::Name(options.name.clone()))?;
        let provider = Arc::new(provider());
        let verifier = trust::verifier(&options.trust, &provider)?;
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(bad)?
            .dangerous()
            .with_custom_certificate_verifier(verifier)
            .with_no_client_auth();
        config.alpn_protocols = vec![options.protocol.alpn().into()];
        config.resumption = Resumption::store(Arc::new(Sessions::new(options.resume)));
        // Records are opened and sealed in this room.
        config.enable_secret_extraction = true;
        Ok(Self {
            config: Arc::new(config),
            name,
            protocol: options.protocol,
            resume: options.resume,
        })
    }
}

/// What is offered: of TLS 1.3 AES-128-GCM alone. Every server must have it (RFC 8446 §9.1), and many take a suite of their own
/// liking where they may choose, so that servers which are compared would seal their answers by different ones. TLS 1.2 has no
/// such suite; there it comes first, as X25519 does. Groups against quantum computers are not offered: which servers have
/// them differs too much.
fn provider() -> CryptoProvider {
    use aws_lc_rs::{cipher_suite as suite, kx_group};
    let first = [
        suite::TLS13_AES_128_GCM_SHA256,
        suite::TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
        suite::TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
    ];
    let more = aws_lc_rs::DEFAULT_CIPHER_SUITES.iter().copied();
    let more = more.filter(|suite| suite.tls13().is_none() && !first.contains(suite));
    let suites: Vec<SupportedCipherSuite> = first.into_iter().chain(more).collect();
    CryptoProvider {
        cipher_suites: suites,
        kx_groups: vec![kx_group::X25519, kx_group::SECP256R1, kx_group::SECP384R1],
        ..aws_lc_rs::default_provider()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tls_1_3_has_one_suite_and_1_2_asks_for_the_same_cipher_first() {
        let suites = provider().cipher_suites;
        let names: Vec<String> = suites
            .iter()
            .map(|suite| format!("{:?}", suite.suite()))
            .collect();
        assert_eq!(names[0], "TLS13_AES_128_GCM_SHA256");
        assert!(
            names[1..].iter().all(|name| !name.starts_with("TLS13")),
            "{names:?}"
        );
        assert!(
            names[1..3].iter().all(|name| name.contains("_WITH_AES_128_GCM_")),
            "{names:?}"
        );
        assert_eq!(names.len(), 7, "{names:?}");
    }

    #[test]
    fn what_cannot_be_set_up_is_named() {
        let of = |name: &str, trust: Trust| {
            let options = ClientOptions {
                name: name.to_owned(),
                protocol: Protocol::Http1,
                trust,
                resume: false,
            };
            Client::new(&options).map(drop).map_err(|error| error.to_string())
        };
        assert_eq!(of("a.example", Trust::Anyone), Ok(()));
        assert_eq!(of("::1", Trust::Anyone), Ok(()));
        let name = of("a b", Trust::Anyone).unwrap_err();
        assert!(name.contains("`a b` is not a name"), "{name}");
        for bundle in [
            &b""[..],
            b"no PEM",
            b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        ] {
            let text = of("a", Trust::Bundle(bundle.to_vec())).unwrap_err();
            assert!(
                text.starts_with("the bundle of certificates cannot be used: "),
                "{text}"
            );
        }
    }
}
