//! How a contender is spoken to.

use std::net::Ipv4Addr;

use tare_model::manifest::Speaks;
use tare_model::scheme::{Scheme, Speech};
use tare_tls::{BadTls, Client, ClientOptions, Trust};

use super::HttpOptions;

/// How a contender is spoken to: one that speaks for itself by a scheme, any other in its own way.
#[derive(Debug, Clone)]
pub struct Way {
    pub(super) speaks: Speaks,
    pub(super) speech: Speech,
    /// What secures connections; none in clear.
    pub(super) client: Option<Client>,
}

impl Way {
    /// In clear.
    pub fn clear(speaks: Speaks, speech: Speech) -> Self {
        Self {
            speaks,
            speech,
            client: None,
        }
    }

    /// By a scheme, for a server at 127.0.0.1. Over TLS its certificate must be signed by this authority (PEM).
    ///
    /// # Errors
    /// The authority cannot be read.
    pub fn of_scheme(scheme: Scheme, authority: &str) -> Result<Self, BadTls> {
        let client = || {
            Client::new(&ClientOptions {
                name: Ipv4Addr::LOCALHOST.to_string(),
                protocol: scheme.speech.into(),
                trust: Trust::Bundle(authority.into()),
                resume: false,
            })
        };
        Ok(Self {
            client: scheme.secure.then(client).transpose()?,
            ..Self::clear(Speaks::Own, scheme.speech)
        })
    }

    /// What it speaks.
    pub fn speaks(&self) -> Speaks {
        self.speaks
    }

    pub(super) fn is_secure(&self) -> bool {
        self.client.is_some()
    }

    pub(super) fn options(&self) -> HttpOptions {
        HttpOptions {
            secure: self.is_secure(),
            ..HttpOptions::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use tare_model::manifest::{GrpcJob, HttpJob, Job, WebSocketJob};
    use tare_tls::Issued;

    use super::*;
    use crate::address::Address;
    use crate::job::Work;

    #[test]
    fn a_scheme_says_what_is_sent_and_whether_over_tls() {
        let authority = Issued::new(SystemTime::now()).unwrap().authority;
        let http = || Job::Http(HttpJob::default());
        let call = || {
            Job::Grpc(GrpcJob {
                path: "/a.B/C".to_owned(),
                ..GrpcJob::default()
            })
        };
        let talk = || {
            Job::WebSocket(WebSocketJob {
                path: "/".to_owned(),
                send: "a".to_owned(),
                ..WebSocketJob::default()
            })
        };
        for (scheme, job, sent, http1) in [
            ("http", http(), "GET / HTTP/1.1", true),
            ("https", http(), "GET / HTTP/1.1", true),
            ("h2c", http(), "GET / over HTTP/2", false),
            ("h2", http(), "GET / over HTTP/2", false),
            ("grpc", call(), "the call /a.B/C", false),
            ("grpcs", call(), "the call /a.B/C", false),
            ("ws", talk(), "the message \"a\"", false),
            ("wss", talk(), "the message \"a\"", false),
            ("tcp", Job::Doubling, "", false),
        ] {
            let scheme = Scheme::named(scheme).unwrap();
            let way = Way::of_scheme(scheme, &authority).unwrap();
            let work = Work::over(&way, &job, &Address::loopback(1), 1).unwrap();
            assert!(
                work.requests.show(0).contains(sent),
                "{scheme:?}: {}",
                work.requests.show(0)
            );
            assert_eq!(
                (work.is_over_tls(), work.trials[0].http1),
                (scheme.secure, http1),
                "{scheme:?}"
            );
        }
        let https = Scheme::named("https").unwrap();
        assert!(
            Way::of_scheme(https, "").is_err(),
            "nobody is trusted without an authority"
        );
    }
}
