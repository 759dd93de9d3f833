//! How the connections to a server are secured.

use std::fs;

use tare_model::scheme::Speech;
use tare_tls::{Client, ClientOptions, Trust};

use super::error::ServersError;
use super::request::{Authorities, TlsRequest};

/// What secures the connections to a server. `url`: as it was typed; `host`: its name or address there.
pub(super) fn client(
    url: &str,
    host: &str,
    speech: Speech,
    request: &TlsRequest,
) -> Result<Client, ServersError> {
    let options = ClientOptions {
        name: request.sni.clone().unwrap_or_else(|| host.to_owned()),
        protocol: speech.into(),
        trust: trust(request)?,
        resume: request.resume,
    };
    Client::new(&options).map_err(|source| ServersError::Tls {
        url: url.to_owned(),
        source,
    })
}

fn trust(request: &TlsRequest) -> Result<Trust, ServersError> {
    match &request.cacert {
        _ if request.insecure => Ok(Trust::Anyone),
        None => Ok(Trust::System),
        Some(authorities) => Ok(Trust::Bundle(bundle(authorities)?)),
    }
}

/// What the authorities' file holds.
pub(super) fn bundle(authorities: &Authorities) -> Result<Vec<u8>, ServersError> {
    match authorities {
        Authorities::Brought(bundle) => Ok(bundle.clone()),
        Authorities::File(path) => fs::read(path).map_err(|source| ServersError::CaCert {
            path: path.display().to_string(),
            source,
        }),
    }
}
