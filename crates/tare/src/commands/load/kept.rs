//! What is kept of how several servers were loaded: everything that is needed to do the same again.

use std::time::Duration;

use tare_model::settings::{RequestSettings, RunKind, Settings};
use tare_model::units::{PerSecond, Seconds};

use crate::args::LoadArgs;

/// The default of the longest time.
const USUAL: Duration = Duration::from_secs(30);

/// The most characters that are kept of a body or a header field.
const LONGEST: usize = 200;

/// Header fields that hold secrets.
const SECRET: [&str; 4] = ["authorization", "proxy-authorization", "cookie", "x-api-key"];

/// The longest time that it may take.
pub fn budget(args: &LoadArgs) -> Duration {
    args.duration.map_or(USUAL, |duration| duration.0)
}

/// What counts as equivalent; by default 1%.
pub fn margin(args: &LoadArgs) -> f64 {
    args.versus.margin.map_or(0.01, |margin| margin.0)
}

/// The chance of any false declaration; by default 5%.
pub fn alpha(args: &LoadArgs) -> f64 {
    args.versus.alpha.map_or(0.05, |alpha| alpha.0)
}

/// The settings of a run; how connections were driven is with its figures.
pub fn settings(args: &LoadArgs, seed: u64) -> Settings {
    let more = &args.more;
    let shown = |text: &Option<String>| text.as_deref().map(shortened);
    Settings {
        kind: RunKind::Load,
        budget: Some(Seconds::from_duration(budget(args))),
        margin: Some(margin(args)),
        alpha: Some(alpha(args)),
        seed: Some(seed),
        timeout: Some(Seconds::from_duration(args.timeout.0)),
        rate: args.rate.map(|rate| PerSecond(rate.0)),
        requests: Some(RequestSettings {
            method: args.method.clone(),
            headers: args.headers.iter().map(|field| header(field)).collect(),
            body: shown(&args.body),
            send: shown(&args.send),
            expect: shown(&args.expect),
            status: more.status,
            any_body: more.any_body,
            checked_whole: more.check_whole,
            fresh: more.fresh,
        }),
        ..Settings::default()
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
    use super::*;

    fn kept(words: &[&str]) -> Settings {
        settings(&LoadArgs::typed([&["http://a", "http://b"], words].concat()), 7)
    }

    #[test]
    fn what_was_typed_is_kept() {
        let typed = "-d 4s -X PUT --expect c --margin 2%";
        let mut words: Vec<&str> = typed.split(' ').collect();
        words.extend([
            "-H",
            "Accept: a",
            "-H",
            "authorization: Basic c2VjcmV0",
            "--body",
            "a\nb",
        ]);
        let all = kept(&words);
        assert_eq!(
            (all.kind, all.budget, all.margin, all.alpha, all.seed),
            (RunKind::Load, Some(Seconds(4.0)), Some(0.02), Some(0.05), Some(7))
        );
        let requests = all.requests.unwrap();
        assert_eq!(requests.method.as_deref(), Some("PUT"));
        assert_eq!(requests.headers, ["Accept: a", "authorization: (not kept)"]);
        assert_eq!(requests.body.as_deref(), Some("a\\nb"));
        assert_eq!(requests.expect.as_deref(), Some("c"));
        let usual = kept(&[]);
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
