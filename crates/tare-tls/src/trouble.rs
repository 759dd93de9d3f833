//! What went wrong, in words: what was found, the alert or the bytes, and what helps.

use rustls::{AlertDescription, CertificateError, Error};
use tare_model::fault::{Fault, FaultKind};

use crate::alert;
use crate::client::Protocol;

/// The most bytes that are shown.
const SHOWN: usize = 48;

/// A fault of the server's TLS.
pub(crate) fn fault(what: impl Into<String>) -> Fault {
    Fault::new(FaultKind::Tls, what)
}

/// The first bytes, in hexadecimal digits, and how many there are.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let shown: Vec<String> = bytes
        .iter()
        .take(SHOWN)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    match bytes.len() {
        0 => "nothing".to_owned(),
        len if len > SHOWN => format!("{} … ({len} bytes)", shown.join(" ")),
        _ => shown.join(" "),
    }
}

/// Bytes that begin no record.
pub(crate) fn no_record(bytes: &[u8]) -> Fault {
    let text = bytes[..bytes.len().min(SHOWN)].escape_ascii();
    fault(format!(
        "what came is no record of TLS: it begins with \"{text}\"; does the server speak TLS at this port? In clear it is \
         reached by http://, h2c://, grpc:// or ws://"
    ))
}

/// A fault of the handshake. `last`: the bytes that came last; `asked`: what was offered by ALPN.
pub(crate) fn of_handshake(error: &Error, last: &[u8], asked: Protocol) -> Fault {
    let what = match error {
        Error::AlertReceived(code) => return refused(*code, asked),
        Error::InvalidCertificate(error) => {
            let code = AlertDescription::from(error.clone());
            let alert = alert::named(u8::from(code));
            return fault(format!(
                "{}; it was answered with the alert {alert}",
                certificate(error)
            ));
        }
        Error::DecryptError => "a record of the handshake cannot be decrypted: its tag is wrong".to_owned(),
        other => format!("the handshake failed: {other}"),
    };
    fault(format!("{what}; what came last begins with {}", hex(last)))
}

/// An alert of the server that ends the handshake.
fn refused(code: AlertDescription, asked: Protocol) -> Fault {
    let number = u8::from(code);
    let hint = match number {
        120 => without(asked),
        112 => "it knows nothing by this name: --sni NAME gives another",
        40 | 70 | 71 => {
            "TLS 1.3 is offered with TLS_AES_128_GCM_SHA256, and 1.2 with AES-GCM and ChaCha20-Poly1305; the groups are X25519, \
             P-256 and P-384: does it allow any of these?"
        }
        42 | 116 => "it wants a certificate of the client's, and there is none to send",
        _ => "see its log",
    };
    let name = alert::named(number);
    fault(format!(
        "the server ended the handshake with the alert {name}: {hint}"
    ))
}

/// What to do about a server that does not speak what was asked for.
fn without(asked: Protocol) -> &'static str {
    match asked {
        Protocol::Http2 => "it does not speak HTTP/2 here; leave out --http 2, or check its configuration",
        Protocol::Http1 => "it does not speak HTTP/1.1 here; --http 2 asks for HTTP/2",
    }
}

/// A server that chose nothing where HTTP/2 alone was offered.
pub(crate) fn not_chosen(asked: Protocol) -> Fault {
    fault(format!(
        "the server chose no protocol where {} was offered (ALPN): {}",
        asked.alpn(),
        without(asked)
    ))
}

fn certificate(error: &CertificateError) -> String {
    match error {
        CertificateError::ExpiredContext { time, not_after } => format!(
            "the server's certificate has expired, {} ago: renew it, or --insecure checks none",
            span(time.as_secs().saturating_sub(not_after.as_secs()))
        ),
        CertificateError::NotValidYetContext { time, not_before } => format!(
            "the server's certificate is not valid yet, for {}: is the clock right?",
            span(not_before.as_secs().saturating_sub(time.as_secs()))
        ),
        CertificateError::UnknownIssuer => "the server's certificate is signed by no authority that is trusted here (unknown \
             issuer): --cacert FILE trusts one, --insecure checks none"
            .to_owned(),
        CertificateError::BadSignature
        | CertificateError::UnsupportedSignatureAlgorithmForPublicKeyContext { .. } => "the server's certificate is not signed by the trusted authority of its name, but by \
             another key (bad signature): is the --cacert file that of an earlier one?"
            .to_owned(),
        CertificateError::NotValidForNameContext { expected, presented } => {
            let names = match presented.is_empty() {
                true => "no name at all".to_owned(),
                false => presented.iter().map(|name| plain(name)).collect::<Vec<_>>().join(", "),
            };
            let expected = expected.to_str();
            format!(
                "the server's certificate is for {names}, not for {expected}: --sni NAME expects another, --insecure checks none"
            )
        }
        // What `openssl req -x509` makes.
        CertificateError::Other(other) if other.to_string().contains("CaUsedAsEndEntity") => {
            "the server's certificate is that of an authority (CA:TRUE), which must not be a server's own: make it with \
             CA:FALSE (`openssl req -x509 -addext basicConstraints=critical,CA:FALSE …`), or --insecure checks none"
                .to_owned()
        }
        other => format!("the server's certificate was not accepted ({other}); --insecure checks none"),
    }
}

/// A name without its kind: `DnsName("a.example")` is a.example.
fn plain(name: &str) -> &str {
    let inner = name.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
    inner.unwrap_or(name).trim_matches('"')
}

/// A time in the largest unit of which there are two.
fn span(seconds: u64) -> String {
    let units = [(86_400, "days"), (3_600, "hours"), (60, "minutes")];
    let fits = units.iter().find(|(length, _)| seconds / length >= 2);
    fits.map_or(format!("{seconds} s"), |(length, name)| {
        format!("{} {name}", seconds / length)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shown_up_to_a_limit() {
        assert_eq!(hex(&[]), "nothing");
        assert_eq!(hex(&[0x16, 3]), "16 03");
        assert!(hex(&[0; 49]).ends_with("00 … (49 bytes)"));
    }

    #[test]
    fn names_have_no_kind() {
        let names = ["DnsName(\"a.example\")", "IpAddress(127.0.0.1)", "x"];
        assert_eq!(names.map(plain), ["a.example", "127.0.0.1", "x"]);
    }

    #[test]
    fn times_are_short() {
        assert_eq!(
            [1, 119, 120, 7_200, 172_800].map(span),
            ["1 s", "119 s", "2 minutes", "2 hours", "2 days"]
        );
    }
}
