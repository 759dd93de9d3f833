//! What is kept of how several servers were loaded: everything that is needed to do the same again.

use tare_model::settings::{RequestSettings, Settings, TlsSettings};
use tare_model::units::Seconds;

use super::request::{Authorities, LoadRequest, Requests, TlsRequest};

/// The most characters that are kept of a body or a header field.
const LONGEST: usize = 200;

/// Header fields that hold secrets.
const SECRET: [&str; 4] = ["authorization", "proxy-authorization", "cookie", "x-api-key"];

impl LoadRequest {
    /// The settings of a run of several; how connections were driven is with its figures, and what else the settings say
    /// is left to the caller.
    pub fn settings(&self) -> Settings {
        Settings {
            budget: Some(Seconds::from_duration(self.duration())),
            margin: Some(self.comparison.margin),
            alpha: Some(self.comparison.alpha),
            seed: Some(self.seed),
            timeout: Some(Seconds::from_duration(self.timeout)),
            rate: self.rate,
            requests: Some(RequestSettings {
                http: self.http.map(|http| http.number().to_owned()),
                tls: self.tls.kept(),
                ..self.requests.kept()
            }),
            ..Settings::default()
        }
    }
}

impl Requests {
    fn expected(&self) -> Option<String> {
        let texts: Vec<String> = self.expect.iter().map(|text| shortened(text)).collect();
        (!texts.is_empty()).then(|| texts.join(", "))
    }

    fn kept(&self) -> RequestSettings {
        let shown = |text: &Option<String>| text.as_deref().map(shortened);
        RequestSettings {
            method: self.method.clone(),
            headers: self.headers.iter().map(|field| header(field)).collect(),
            body: shown(&self.body),
            send: shown(&self.send),
            chunk_size: self.chunk_size,
            encoding: self.encoding.clone(),
            raw: self.raw.iter().map(|path| shortened(path)).collect(),
            expect: self.expected(),
            server_streaming: self.server_streaming,
            status: self.status,
            any_body: self.any_body,
            checked_whole: self.check_whole,
            fresh: self.fresh,
            ..RequestSettings::default()
        }
    }
}

impl TlsRequest {
    fn kept(&self) -> Option<TlsSettings> {
        self.given()?;
        let file = self.cacert.as_ref().and_then(|authorities| match authorities {
            Authorities::File(path) => Some(path),
            Authorities::Brought(_) => None,
        });
        Some(TlsSettings {
            insecure: self.insecure,
            cacert: file.map(|path| shortened(&path.to_string_lossy())),
            sni: self.sni.as_deref().map(shortened),
            resume: self.resume,
        })
    }
}

/// The beginning of a text, escaped, and how long it is.
fn shortened(text: &str) -> String {
    let begins: String = text.chars().take(LONGEST).collect();
    let escaped = begins.escape_default();
    if begins.len() < text.len() {
        format!("{escaped}… ({} bytes)", text.len())
    } else {
        escaped.to_string()
    }
}

/// A header field without secrets: a run may be shown to others.
fn header(field: &str) -> String {
    match field.split_once(':') {
        Some((name, _))
            if SECRET
                .iter()
                .any(|secret| name.trim().eq_ignore_ascii_case(secret)) =>
        {
            format!("{}: (not kept)", name.trim())
        }
        _ => shortened(field),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::request::{Comparison, HttpVersion};
    use super::*;

    #[test]
    fn what_was_asked_for_is_kept_without_secrets() {
        let text = |text: &str| Some(text.to_owned());
        let urls = ["http://a", "http://b"].map(str::to_owned).to_vec();
        let request = LoadRequest {
            urls: urls.clone(),
            requests: Requests {
                method: text("PUT"),
                headers: ["Accept: a", "authorization: Basic c2VjcmV0"]
                    .map(str::to_owned)
                    .to_vec(),
                body: text("a\nb"),
                expect: vec!["c".to_owned()],
                ..Requests::default()
            },
            http: Some(HttpVersion::Two),
            tls: TlsRequest {
                sni: text("a.example"),
                ..TlsRequest::default()
            },
            duration: Some(Duration::from_secs(4)),
            seed: 7,
            comparison: Comparison {
                margin: 0.02,
                ..Comparison::default()
            },
            ..LoadRequest::default()
        };
        let all = request.settings();
        assert_eq!(
            (all.budget, all.margin, all.alpha, all.seed),
            (Some(Seconds(4.0)), Some(0.02), Some(0.05), Some(7))
        );
        let requests = all.requests.unwrap();
        assert_eq!(requests.method.as_deref(), Some("PUT"));
        assert_eq!(requests.headers, ["Accept: a", "authorization: (not kept)"]);
        assert_eq!(requests.body.as_deref(), Some("a\\nb"));
        assert_eq!(requests.http.as_deref(), Some("2"));
        assert_eq!(requests.tls.unwrap().sni.as_deref(), Some("a.example"));
        assert_eq!(requests.expect.as_deref(), Some("c"));
        let usual = LoadRequest {
            urls,
            ..LoadRequest::default()
        };
        let usual = usual.settings();
        assert_eq!(usual.budget, Some(Seconds(30.0)));
        assert_eq!(usual.requests, Some(RequestSettings::default()));
    }

    #[test]
    fn long_texts_are_shortened() {
        assert_eq!(shortened(&"é".repeat(LONGEST)), "\\u{e9}".repeat(LONGEST));
        let long = shortened(&"x".repeat(5000));
        assert!(long.len() < 300 && long.ends_with("… (5000 bytes)"), "{long}");
    }
}
