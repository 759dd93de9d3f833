//! A certificate for a run, and the authority that signed it. Its key is forgotten as soon as it has signed.

use std::time::{Duration, SystemTime};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose, PKCS_ECDSA_P256_SHA256, date_time_ymd,
};

use crate::client::BadTls;

/// The names and addresses of a server on this machine.
const HERE: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// A server's clock may be behind.
const BEFORE: Duration = Duration::from_secs(24 * 60 * 60);

/// Longer than any run.
const AFTER: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// A certificate of a server on this machine, and who signed it, as PEM.
#[derive(Clone)]
pub struct Issued {
    /// The authority's certificate: what a client trusts.
    pub authority: String,
    /// The server's certificate.
    pub certificate: String,
    /// The server's key (PKCS #8): ECDSA on P-256.
    pub key: String,
}

impl Issued {
    /// Makes an authority and a certificate that it signs, for `localhost`, `127.0.0.1` and `::1`, valid from a day before `now`
    /// for a year.
    ///
    /// # Errors
    /// The library refuses.
    pub fn new(now: SystemTime) -> Result<Self, BadTls> {
        Self::made(now).map_err(|error| BadTls::Refused(error.to_string()))
    }

    fn made(now: SystemTime) -> Result<Self, rcgen::Error> {
        let issuer = CertifiedIssuer::self_signed(of_authority(now), key()?)?;
        let key = key()?;
        let certificate = of_server(now)?.signed_by(&key, &issuer)?;
        Ok(Self {
            authority: issuer.pem(),
            certificate: certificate.pem(),
            key: key.serialize_pem(),
        })
    }
}

fn key() -> Result<KeyPair, rcgen::Error> {
    KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)
}

fn of_authority(now: SystemTime) -> CertificateParams {
    let mut params = valid(CertificateParams::default(), now);
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    params
        .distinguished_name
        .push(DnType::CommonName, "Tare, for one run");
    params
}

fn of_server(now: SystemTime) -> Result<CertificateParams, rcgen::Error> {
    let mut params = valid(CertificateParams::new(HERE.map(str::to_owned))?, now);
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params.use_authority_key_identifier_extension = true;
    params.distinguished_name.push(DnType::CommonName, HERE[0]);
    Ok(params)
}

fn valid(mut params: CertificateParams, now: SystemTime) -> CertificateParams {
    let since = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let now = date_time_ymd(1970, 1, 1) + Duration::from_secs(since.as_secs());
    params.distinguished_name = rcgen::DistinguishedName::new();
    (params.not_before, params.not_after) = (now - BEFORE, now + AFTER);
    params
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_has_others() {
        let now = SystemTime::now();
        let (a, b) = (Issued::new(now).unwrap(), Issued::new(now).unwrap());
        assert!(a.authority != b.authority && a.certificate != b.certificate && a.key != b.key);
        assert!(a.key.starts_with("-----BEGIN PRIVATE KEY-----"), "PKCS #8");
    }
}
