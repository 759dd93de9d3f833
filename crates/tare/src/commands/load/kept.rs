//! What is kept of how several servers were loaded: all that another would have to type to do the same.

use std::time::Duration;

use crate::args::LoadArgs;

/// How long at the most, where nobody says.
const USUAL: Duration = Duration::from_secs(30);

/// Of bodies and header fields, so many characters.
const LONGEST: usize = 200;

/// Header fields that hold secrets.
const SECRET: [&str; 4] = ["authorization", "proxy-authorization", "cookie", "x-api-key"];

/// How long at the most.
pub fn budget(args: &LoadArgs) -> Duration {
    args.duration.map_or(USUAL, |duration| duration.0)
}

/// What counts as equivalent; where nobody says, 1%.
pub fn margin(args: &LoadArgs) -> f64 {
    args.versus.margin.map_or(0.01, |margin| margin.0)
}

/// The chance of any false declaration; where nobody says, 5%.
pub fn alpha(args: &LoadArgs) -> f64 {
    args.versus.alpha.map_or(0.05, |alpha| alpha.0)
}

/// The settings of a run, by name; how connections were driven is with its figures.
pub fn settings(args: &LoadArgs, seed: u64) -> Vec<(String, String)> {
    let percent = |share: f64| format!("{}%", share * 100.0);
    let seconds = |time: Duration| format!("{} s", time.as_secs_f64());
    let flag = |given: bool| given.then(|| "yes".to_owned());
    let headers: Vec<String> = args.headers.iter().map(|field| header(field)).collect();
    let more = &args.more;
    let all = [
        ("duration", Some(seconds(budget(args)))),
        ("margin", Some(percent(margin(args)))),
        ("alpha", Some(percent(alpha(args)))),
        ("seed", Some(seed.to_string())),
        ("timeout", Some(seconds(args.timeout.0))),
        ("rate", args.rate.map(|rate| format!("{} /s", rate.0))),
        ("method", args.method.clone()),
        ("headers", (!headers.is_empty()).then(|| headers.join(", "))),
        ("body", args.body.as_deref().map(shortened)),
        ("send", args.send.as_deref().map(shortened)),
        ("expect", args.expect.as_deref().map(shortened)),
        ("status", more.status.map(|status| status.to_string())),
        ("any body", flag(more.any_body)),
        ("checked whole", flag(more.check_whole)),
        ("a connection for each request", flag(more.fresh)),
    ];
    let given = all
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    given.collect()
}

/// The beginning of a text, escaped, and how long it is.
fn shortened(text: &str) -> String {
    let begins: String = text.chars().take(LONGEST).collect();
    let escaped = begins.escape_default();
    match begins.len() < text.len() {
        true => format!("{escaped}… ({} bytes)", text.len()),
        false => escaped.to_string(),
    }
}

/// A header field without what would let anybody in: a run may be shown to others.
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

    fn kept(words: &[&str]) -> Vec<(String, String)> {
        settings(&LoadArgs::typed([&["http://a", "http://b"], words].concat()), 7)
    }

    #[test]
    fn what_was_typed_is_kept() {
        let all = kept(&[
            "-d",
            "4s",
            "-X",
            "PUT",
            "-H",
            "Accept: a",
            "-H",
            "authorization: Basic c2VjcmV0",
            "--body",
            "a\nb",
            "--expect",
            "c",
            "--margin",
            "2%",
        ]);
        for (name, value) in [
            ("duration", "4 s"),
            ("margin", "2%"),
            ("alpha", "5%"),
            ("seed", "7"),
            ("method", "PUT"),
            ("headers", "Accept: a, authorization: (not kept)"),
            ("body", "a\\nb"),
            ("expect", "c"),
        ] {
            assert!(
                all.contains(&(name.to_owned(), value.to_owned())),
                "no {name} {value}: {all:?}"
            );
        }
        let usual = kept(&[]);
        assert!(usual.contains(&("duration".to_owned(), "30 s".to_owned())));
        assert!(
            !usual
                .iter()
                .any(|(name, _)| ["method", "body", "headers"].contains(&name.as_str()))
        );
    }

    #[test]
    fn long_texts_are_shortened() {
        assert_eq!(shortened(&"é".repeat(LONGEST)), "\\u{e9}".repeat(LONGEST));
        let long = shortened(&"x".repeat(5000));
        assert!(long.len() < 300 && long.ends_with("… (5000 bytes)"), "{long}");
    }
}
