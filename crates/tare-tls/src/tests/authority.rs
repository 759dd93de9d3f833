//! Certificates and servers for tests, of this room and of others.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test file uses some")]

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, SupportedProtocolVersion};

/// The name and the addresses of a server on this machine.
pub const HERE: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// An authority that signs certificates.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

/// A certificate with its key.
pub struct Identity {
    pub chain: Vec<CertificateDer<'static>>,
    pub key: PrivateKeyDer<'static>,
}

impl Authority {
    pub fn new(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, name);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    /// Its own certificate, as a bundle.
    pub fn pem(&self) -> String {
        self.0.pem()
    }

    /// A certificate for these names, valid until the end of this year.
    pub fn signs(&self, names: &[&str], until: i32) -> Identity {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut params = CertificateParams::new(names).unwrap();
        params.not_before = date_time_ymd(2000, 1, 1);
        params.not_after = date_time_ymd(until, 12, 31);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.0).unwrap();
        Identity {
            chain: vec![certificate.der().clone()],
            key: PrivateKeyDer::from_pem_slice(key.serialize_pem().as_bytes()).unwrap(),
        }
    }

    /// A good certificate for this machine.
    pub fn here(&self) -> Identity {
        self.signs(&HERE, 4000)
    }
}

/// A server of the given versions, which speaks these protocols.
pub fn server(
    identity: Identity,
    protocols: &[&str],
    versions: &[&'static SupportedProtocolVersion],
) -> ServerConfig {
    let mut config = server_by(aws_lc_rs::default_provider(), identity, versions);
    config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
    config
}

/// A server that has the suites and groups of a provider.
pub fn server_by(
    provider: CryptoProvider,
    identity: Identity,
    versions: &[&'static SupportedProtocolVersion],
) -> ServerConfig {
    ServerConfig::builder_with_provider(Arc::new(provider))
        .with_protocol_versions(versions)
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(identity.chain, identity.key)
        .unwrap()
}
