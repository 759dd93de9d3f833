//! The certificate that contenders show over TLS: one for all, made for the run and removed with it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use tare_host::private::{self, PrivateFolder};
use tare_rig::RunCertificate;
use tare_tls::Issued;

use crate::error::{PrepareError, Result};
use crate::ready_case::ReadyCase;

/// Gives the cases with contenders that are reached over TLS a certificate.
///
/// # Errors
/// It cannot be made or written.
pub(crate) fn give(cases: &mut [ReadyCase], state: &Path) -> Result<()> {
    let mut made: Option<RunCertificate> = None;
    for ready in cases.iter_mut().filter(|ready| is_secure(ready)) {
        let certificate = match &made {
            Some(certificate) => certificate,
            None => made.insert(make(state)?),
        };
        ready.certificate = Some(certificate.clone());
    }
    Ok(())
}

/// Removes what a killed run left.
pub(crate) fn sweep(state: &Path) -> Result<()> {
    Ok(private::sweep(&folder(state))?)
}

fn is_secure(ready: &ReadyCase) -> bool {
    let schemes = ready.runnables.iter().flatten().filter_map(|one| one.scheme);
    schemes.into_iter().any(|scheme| scheme.secure)
}

fn folder(state: &Path) -> PathBuf {
    state.join("tls")
}

fn make(state: &Path) -> Result<RunCertificate> {
    let issued = Issued::new(SystemTime::now()).map_err(PrepareError::Certificate)?;
    let files = [
        ("cert.pem", issued.certificate.as_str()),
        ("key.pem", &issued.key),
    ];
    let folder = PrivateFolder::make(&folder(state), &files)?;
    Ok(RunCertificate {
        authority: issued.authority,
        certificate: folder.file("cert.pem"),
        key: folder.file("key.pem"),
        folder: Arc::new(folder),
    })
}
