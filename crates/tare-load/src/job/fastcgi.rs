//! One request, repeated, to a FastCGI responder, or to the forker, which starts CGI programs and answers as a responder.

use std::sync::Arc;

use tare_model::manifest::HttpJob;

use super::{BadJob, RequestPool, Trial, Work, cgi, http};
use crate::address::Address;
use crate::wire::Protocol;
use crate::wire::fastcgi::{FastCgi, Peer, request};

/// The number of ids that requests have: an answer that is sent twice has a wrong id 7 times of 8.
const IDS: u16 = 8;

/// Header fields that a web server adds to the answer of a CGI program.
const SERVERS_OWN: [&str; 3] = ["content-length", "date", "server"];

impl Work {
    /// The request of an HTTP job, to a FastCGI responder at `address` with no web server in between. Header fields that a
    /// web server adds (`Date`, `Server`) are not expected. It can be driven at depth 1 only.
    ///
    /// # Errors
    /// The part of the job that cannot be sent.
    pub fn fastcgi(job: &HttpJob, address: &Address) -> Result<Self, BadJob> {
        Self::by_records(job, address, Peer::Responder)
    }

    /// The request of an HTTP job to a CGI program, which the forker at `address` starts for each request; otherwise as
    /// [`Work::fastcgi`].
    ///
    /// # Errors
    /// The part of the job that cannot be sent.
    pub(super) fn cgi(job: &HttpJob, address: &Address) -> Result<Self, BadJob> {
        Self::by_records(job, address, Peer::Forker)
    }

    fn by_records(job: &HttpJob, address: &Address, from: Peer) -> Result<Self, BadJob> {
        let params = cgi::environment(job, address)?;
        let mut expected = http::expectation(job)?;
        expected
            .fields
            .retain(|field| !SERVERS_OWN.contains(&&*field.to_ascii_lowercase()));
        let rows = http::rows(&expected);
        let body = job.body.as_deref().unwrap_or_default();
        let way = match from {
            Peer::Responder => "FastCGI",
            Peer::Forker => "CGI",
        };
        let mut requests = RequestPool::default().with_name(format!("{} {} by {way}", job.method, job.path));
        for id in 1..=IDS {
            requests.push(&request(id, &params, body.as_bytes()), &id.to_be_bytes());
        }
        Ok(Self {
            requests,
            protocol: Protocol::InOrder(Box::new(FastCgi::new(Arc::new(expected), from))),
            trials: vec![Trial {
                rows,
                ..Trial::default()
            }],
            tls: None,
        })
    }
}
