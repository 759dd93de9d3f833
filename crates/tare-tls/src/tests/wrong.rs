//! Handshakes that fail, each with what is said of it.

use super::*;

/// The fault of a handshake.
fn refused(client: &Client, config: ServerConfig) -> Fault {
    Pair::new(client, config).talk(usize::MAX).unwrap_err()
}

fn ours(authority: &Authority, protocol: Protocol) -> Client {
    client(Trust::Bundle(authority.pem().into_bytes()), protocol)
}

fn holds(fault: &Fault, says: &[&str]) {
    assert_eq!(fault.kind, FaultKind::Tls, "{fault}");
    let missing: Vec<&&str> = says
        .iter()
        .filter(|text| !fault.detail.contains(**text))
        .collect();
    assert!(missing.is_empty(), "{missing:?}: {fault}");
}

#[test]
fn certificates_that_are_not_accepted_are_named_with_the_alert_and_what_helps() {
    let (authority, other) = (Authority::new("ours"), Authority::new("theirs"));
    for version in [&TLS13, &TLS12] {
        let of = |identity| {
            refused(
                &ours(&authority, Protocol::Http1),
                server(identity, &[], &[version]),
            )
        };
        holds(
            &of(authority.signs(&["localhost"], 2020)),
            &[
                "has expired",
                "days ago",
                "certificate_expired (45)",
                "--insecure",
            ],
        );
        holds(
            &of(other.here()),
            &["unknown issuer", "unknown_ca (48)", "--cacert FILE"],
        );
        holds(
            &of(authority.signs(&["a.example", "b.example"], 4000)),
            &["is for a.example, b.example, not for localhost", "--sni NAME"],
        );
        // An authority that was made anew has the old one's name.
        holds(
            &of(Authority::new("ours").here()),
            &["by another key (bad signature)", "decrypt_error (51)", "--cacert"],
        );
        let lenient = client(Trust::Anyone, Protocol::Http1);
        for identity in [
            authority.signs(&["localhost"], 2020),
            other.here(),
            authority.signs(&["a.example"], 4000),
        ] {
            Pair::open(&lenient, server(identity, &[], &[version]));
        }
    }
}

/// What `openssl req -x509` makes: its own authority, and a server's certificate at once.
#[test]
fn an_authority_s_own_certificate_is_explained() {
    let key = rcgen::KeyPair::generate().unwrap();
    let mut params = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let certificate = params.self_signed(&key).unwrap();
    let identity = authority::Identity {
        chain: vec![certificate.der().clone()],
        key: rustls::pki_types::PrivateKeyDer::try_from(key.serialize_der()).unwrap(),
    };
    let trust = Trust::Bundle(certificate.pem().into_bytes());
    let fault = refused(&client(trust, Protocol::Http1), server(identity, &[], &[&TLS13]));
    holds(&fault, &["CA:TRUE", "CA:FALSE", "--insecure"]);
}

#[test]
fn a_protocol_that_is_not_spoken_is_named() {
    let authority = Authority::new("ours");
    let of = |asked, spoken: &[&str]| {
        refused(
            &ours(&authority, asked),
            server(authority.here(), spoken, &[&TLS13]),
        )
    };
    holds(
        &of(Protocol::Http2, &["http/1.1"]),
        &[
            "no_application_protocol (120)",
            "does not speak HTTP/2",
            "--http 2",
        ],
    );
    holds(
        &of(Protocol::Http2, &[]),
        &["chose no protocol where h2 was offered", "leave out --http 2"],
    );
    holds(
        &of(Protocol::Http1, &["h2"]),
        &["no_application_protocol (120)", "--http 2 asks for HTTP/2"],
    );
}

/// A server that must have the suite, and does not allow it.
#[test]
fn a_server_without_the_suite_is_refused_with_what_is_offered() {
    use rustls::crypto::aws_lc_rs::{cipher_suite, default_provider};
    let authority = Authority::new("ours");
    let mut provider = default_provider();
    provider.cipher_suites = vec![cipher_suite::TLS13_AES_256_GCM_SHA384];
    let config = server_by(provider, authority.here(), &[&TLS13]);
    let fault = refused(&ours(&authority, Protocol::Http1), config);
    holds(&fault, &["handshake_failure (40)", "TLS_AES_128_GCM_SHA256"]);
}

#[test]
fn what_is_no_tls_is_shown() {
    let authority = Authority::new("ours");
    for (bytes, shown) in [
        (
            &b"HTTP/1.1 400 Bad Request\r\n\r\n"[..],
            "HTTP/1.1 400 Bad Request\\r\\n",
        ),
        (b"220 mail.example ESMTP\r\n", "220 mail.example"),
        (b"\0", "\\x00"),
    ] {
        let config = server(authority.here(), &[], &[&TLS13]);
        let mut pair = Pair::new(&ours(&authority, Protocol::Http1), config);
        let fault = pair.feed_client(bytes).unwrap_err();
        holds(&fault, &["no record of TLS", shown, "http://"]);
    }
}

#[test]
fn an_alert_and_garbage_end_the_handshake() {
    let authority = Authority::new("ours");
    let of = |bytes: &[u8]| {
        let config = server(authority.here(), &[], &[&TLS13]);
        let mut pair = Pair::new(&ours(&authority, Protocol::Http1), config);
        pair.feed_client(bytes).unwrap_err()
    };
    holds(
        &of(&[21, 3, 3, 0, 2, 2, 40]),
        &[
            "ended the handshake with the alert handshake_failure (40)",
            "does it allow any of these",
        ],
    );
    holds(
        &of(&[21, 3, 3, 0, 2, 2, 112]),
        &["unrecognized_name (112)", "--sni"],
    );
    holds(
        &of(&[22, 3, 3, 0, 4, 99, 0, 0, 0]),
        &["the handshake failed", "16 03 03 00 04 63"],
    );
    // A record that was changed on its way, of the server's first flight.
    let config = server(authority.here(), &[], &[&TLS13]);
    let mut pair = Pair::new(&ours(&authority, Protocol::Http1), config);
    pair.feed_server();
    let mut wire = Vec::new();
    while pair.server.wants_write() {
        pair.server.write_tls(&mut wire).unwrap();
    }
    *wire.last_mut().unwrap() ^= 1;
    let fault = pair.feed_client(&wire).unwrap_err();
    holds(&fault, &["cannot be decrypted: its tag is wrong"]);
}
