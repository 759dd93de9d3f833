//! HTTP requests as bytes, as other tools keep them: sent as they are, in turn.

use tare_model::raw_request::{BadRequest, RawRequest};

use super::http::{Framed, HttpOptions, refuse};
use super::{BadJob, Trial, Work};
use crate::check::{Content, Expectation};

/// The most bytes of all requests together: 1 GiB.
const MOST: usize = 1 << 30;

/// The most requests.
const MOST_REQUESTS: usize = 1001;

/// A request of HTTP/1.1 as its bytes, and what must come back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawJob {
    /// What it is called in errors: the name of its file.
    pub name: String,
    /// The whole request.
    pub bytes: Vec<u8>,
    /// The body of every answer; none: that of the first.
    pub expect: Option<Vec<u8>>,
}

impl Work {
    /// Requests as their bytes, sent in turn. Of the options, status and whether bodies may be anything apply; `encoding`:
    /// the content codings of which every answer must have one; empty: it may have one or none.
    ///
    /// # Errors
    /// What is not exactly one request of HTTP/1.1.
    pub fn raw(jobs: &[RawJob], options: &HttpOptions, encoding: &[String]) -> Result<Self, BadJob> {
        let name = jobs.first().map_or("", |job| job.name.as_str());
        let bytes: usize = jobs.iter().map(|job| job.bytes.len()).sum();
        refuse(
            bytes > MOST,
            "raw request",
            name,
            "all together have more than 1 GiB",
        )?;
        let odd = jobs.is_empty() || jobs.len() > MOST_REQUESTS;
        refuse(odd, "raw request", name, "there are none, or more than 1001")?;
        let framed = |job| framed(job, options, encoding);
        Ok(Self::in_turn(jobs.iter().map(framed).collect::<Result<_, _>>()?))
    }
}

fn framed(job: &RawJob, options: &HttpOptions, encoding: &[String]) -> Result<Framed, BadJob> {
    let bad = |BadRequest { at, why }| BadJob {
        what: "raw request",
        text: format!("{} (byte {at})", job.name.escape_default()),
        why,
    };
    let request = RawRequest::parse(&job.bytes).map_err(bad)?;
    let bodiless = request.method == "HEAD" && job.expect.as_ref().is_some_and(|body| !body.is_empty());
    refuse(bodiless, "expected body", &job.name, "an answer to HEAD has none")?;
    let mut expected = Expectation {
        status: options.status,
        encoding: encoding.to_vec(),
        ..Expectation::bytes(job.expect.as_deref())
    };
    if options.any_body {
        (expected.content, expected.known) = (Content::Any, Default::default());
    }
    Ok(Framed {
        method: request.method,
        bytes: job.bytes.clone(),
        expected,
        trial: Trial::default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(bytes: &str, expect: Option<&str>) -> RawJob {
        RawJob {
            name: "a.raw".to_owned(),
            bytes: bytes.as_bytes().to_vec(),
            expect: expect.map(|body| body.as_bytes().to_vec()),
        }
    }

    #[test]
    fn requests_go_out_byte_by_byte() {
        let texts = [
            "GET /a HTTP/1.1\r\nhost:x\r\n\r\n",
            "POST /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n2\r\n1\r\n0\r\n0\r\n\r\n",
        ];
        let work = Work::raw(&texts.map(|text| job(text, None)), &HttpOptions::default(), &[]).unwrap();
        for (n, text) in texts.iter().enumerate() {
            assert_eq!(work.pair(n).0, text.as_bytes());
        }
    }

    #[test]
    fn what_is_not_one_request_is_refused_with_its_place() {
        let refused = |jobs: &[RawJob]| {
            let error = Work::raw(jobs, &HttpOptions::default(), &[]).unwrap_err();
            error.to_string()
        };
        let text = refused(&[job("GET / HTTP/1.1\r\nHost: x\r\n\r\nGET", None)]);
        assert!(
            text.contains("`a.raw (byte 27)`") && text.contains("more bytes"),
            "{text}"
        );
        let text = refused(&[job("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n", Some("a"))]);
        assert!(text.contains("an answer to HEAD has none"), "{text}");
        assert!(refused(&[]).contains("there are none"));
    }
}
