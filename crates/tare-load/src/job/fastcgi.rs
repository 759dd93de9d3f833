//! One request, over and over, to a FastCGI responder, or to what starts CGI programs and answers as one.

use std::sync::Arc;

use tare_model::manifest::HttpJob;

use super::{BadJob, FindRow, Pool, Trial, Work, cgi, http};
use crate::address::Address;
use crate::wire::fastcgi::{FastCgi, Peer, request, row};

/// So many ids are drawn from, so that an answer that was sent twice bears a wrong one 7 times of 8.
const IDS: u16 = 8;

/// Header fields that a web server adds to what a CGI program answers.
const SERVERS_OWN: [&str; 2] = ["date", "server"];

impl Work {
    /// The request of an HTTP job, to a FastCGI responder at `address` with no web server in between. So header fields
    /// that a web server adds (`Date`, `Server`) are not asked for. It can be driven at depth 1 only.
    ///
    /// # Errors
    /// What of the job cannot be sent.
    pub fn fastcgi(job: &HttpJob, address: &Address) -> Result<Self, BadJob> {
        Self::asked(job, address, Peer::Responder)
    }

    /// The request of an HTTP job to a CGI program, which a forker at `address` starts for each request; otherwise as
    /// [`Work::fastcgi`].
    ///
    /// # Errors
    /// What of the job cannot be sent.
    pub fn cgi(job: &HttpJob, address: &Address) -> Result<Self, BadJob> {
        Self::asked(job, address, Peer::Forker)
    }

    fn asked(job: &HttpJob, address: &Address, from: Peer) -> Result<Self, BadJob> {
        let params = cgi::environment(job, address)?;
        let mut demands = http::demands(job)?;
        demands
            .fields
            .retain(|field| !SERVERS_OWN.contains(&&*field.to_ascii_lowercase()));
        let rows = http::rows(&demands).map(|rows| (rows, row as FindRow));
        let body = job.body.as_deref().unwrap_or_default();
        let way = match from {
            Peer::Responder => "FastCGI",
            Peer::Forker => "CGI",
        };
        let mut pool = Pool::default().with_name(format!("{} {} by {way}", job.method, job.path));
        for id in 1..=IDS {
            pool.push(&request(id, &params, body.as_bytes()), &id.to_be_bytes());
        }
        Ok(Self {
            pool,
            wire: Box::new(FastCgi::new(Arc::new(demands), from)),
            trial: Trial { dated: false, rows },
            fresh: false,
        })
    }
}
