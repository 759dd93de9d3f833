//! Parts of error texts: what may have been meant, and lists of known names.

/// The candidate nearest to `text`, if one is near enough to be a typing error: a third of the letters may differ (at
/// least one); two swapped neighbours count as one.
pub(super) fn nearest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (text.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != text)
        .map(|candidate| (strsim::osa_distance(text, candidate), candidate))
        .filter(|&(distance, candidate)| distance <= allowed && distance < candidate.chars().count())
        .min()
        .map(|(_, candidate)| candidate)
}

/// `did you mean `x`?`, if something is near.
pub(super) fn did_you_mean<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(text, candidates).map(|near| format!("did you mean `{near}`?"))
}

/// `a, b, c`; `none` for nothing.
pub(super) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}

/// The hint for an unknown name: the nearest one, if there is one, and all known names.
pub(super) fn near_or_all(text: &str, what: &str, names: &[&str]) -> String {
    let all = format!("{what}: {}", list(names.iter().copied()));
    match did_you_mean(text, names.iter().copied()) {
        Some(near) => format!("{near} {all}"),
        None => all,
    }
}

/// `text` cut to what fits into an error: its first 60 characters, control characters escaped.
pub(super) fn short(text: &str) -> String {
    let mut out: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    out = out.replace("\\\"", "\"").replace("\\'", "'");
    if text.chars().count() > 60 {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let names = ["summary", "source", "cases", "run"];
        for (text, near) in [
            ("summry", Some("summary")),
            ("smumary", Some("summary")),
            ("case", Some("cases")),
            ("urn", Some("run")),
            ("x", None),
            ("dependencies", None),
            ("", None),
        ] {
            assert_eq!(nearest(text, names), near, "{text}");
        }
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!(short("a\nb \"c\""), "a\\nb \"c\"");
        assert_eq!(short(&"ä".repeat(61)), format!("{}…", "ä".repeat(60)));
    }
}
