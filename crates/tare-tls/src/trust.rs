//! Which certificates are accepted.

use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{DigitallySignedStruct, RootCertStore, SignatureScheme};

use crate::client::BadTls;

/// Which certificates are accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trust {
    /// Those that an authority of this machine has signed.
    System,
    /// Those that an authority in this bundle (PEM) has signed, and no others.
    Bundle(Vec<u8>),
    /// All of them: neither name, date nor issuer is checked.
    Anyone,
}

/// What checks certificates.
pub(crate) fn verifier(
    trust: &Trust,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<dyn ServerCertVerifier>, BadTls> {
    let roots = match trust {
        Trust::Anyone => return Ok(Arc::new(Anyone(provider.clone()))),
        Trust::System => system()?,
        Trust::Bundle(pem) => bundle(pem)?,
    };
    WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider.clone())
        .build()
        .map(|verifier| verifier as Arc<dyn ServerCertVerifier>)
        .map_err(|error| BadTls::Refused(error.to_string()))
}

/// The authorities of this machine. Its own, and none that are compiled in: those would age, and miss what was installed here.
fn system() -> Result<RootCertStore, BadTls> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    let (added, _) = roots.add_parsable_certificates(found.certs);
    if added == 0 {
        let why = found.errors.first().map(ToString::to_string);
        return Err(BadTls::NoRoots(
            why.unwrap_or_else(|| "no file has any".to_owned()),
        ));
    }
    Ok(roots)
}

fn bundle(pem: &[u8]) -> Result<RootCertStore, BadTls> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let certificate = certificate.map_err(|error| BadTls::Bundle(error.to_string()))?;
        roots
            .add(certificate)
            .map_err(|error| BadTls::Bundle(error.to_string()))?;
    }
    if roots.is_empty() {
        return Err(BadTls::Bundle("it holds no certificate in PEM".to_owned()));
    }
    Ok(roots)
}

/// Accepts every certificate. That the server holds its key is still checked: without that the handshake would be another
/// one, and cheaper.
#[derive(Debug)]
struct Anyone(Arc<CryptoProvider>);

impl ServerCertVerifier for Anyone {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
