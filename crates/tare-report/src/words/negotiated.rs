//! What servers that are compared negotiated by TLS.

use tare_model::tls::{Agreed, TlsReading};

/// A remark on what each server negotiated, and a warning where servers cannot be compared by it alone. Nothing where all are
/// in clear.
pub fn negotiated(servers: &[(&str, Option<&TlsReading>)]) -> Vec<String> {
    if servers.iter().all(|(_, tls)| tls.is_none()) {
        return Vec::new();
    }
    let mut notes: Vec<String> = servers.iter().map(|(name, tls)| of_one(name, *tls)).collect();
    let mut kinds: Vec<Option<Kind<'_>>> = servers.iter().flat_map(|(_, tls)| kinds(*tls)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    if kinds.len() > 1 {
        let why = match kinds.first() {
            Some(None) => "some servers were reached by TLS and some in clear",
            _ => "the servers negotiated different kinds of TLS",
        };
        notes.push(format!("warning: {why}: what differs may be that"));
    }
    notes
}

/// The same of the contenders of a case: one remark where all negotiated the same.
pub fn negotiated_in(case: &str, contenders: &[(&str, Option<&TlsReading>)]) -> Vec<String> {
    let agreed = contenders
        .iter()
        .map(|(_, tls)| tls.map(|tls| tls.agreed.as_slice()));
    let mut kinds: Vec<Option<&[Agreed]>> = agreed.collect();
    kinds.dedup();
    match kinds.as_slice() {
        [Some([agreed])] => vec![format!(
            "{case}: all negotiated {agreed}; certificates were checked"
        )],
        _ => {
            let notes = negotiated(contenders).into_iter();
            notes.map(|note| format!("{case}: {note}")).collect()
        }
    }
}

/// What makes records and handshakes dearer or cheaper: version, suite and group.
type Kind<'a> = (&'a str, &'a str, Option<&'a str>);

fn kinds(tls: Option<&TlsReading>) -> Vec<Option<Kind<'_>>> {
    fn kind(agreed: &Agreed) -> Option<Kind<'_>> {
        Some((&agreed.version, &agreed.suite, agreed.group.as_deref()))
    }
    tls.map_or(vec![None], |tls| tls.agreed.iter().map(kind).collect())
}

fn of_one(name: &str, tls: Option<&TlsReading>) -> String {
    let Some(tls) = tls else {
        return format!("{name} was reached in clear");
    };
    let agreed: Vec<String> = match tls.agreed.is_empty() {
        true => vec!["nothing".to_owned()],
        false => tls.agreed.iter().map(Agreed::to_string).collect(),
    };
    let share = match tls.resumed {
        0 => String::new(),
        resumed => format!("; {resumed} of {} handshakes were resumed", tls.handshakes),
    };
    format!("{name} negotiated {}{share}", agreed.join(" and "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tls(suite: &str, alpn: Option<&str>) -> TlsReading {
        let agreed = Agreed {
            version: "TLS 1.3".to_owned(),
            suite: suite.to_owned(),
            group: Some("X25519".to_owned()),
            alpn: alpn.map(str::to_owned),
        };
        TlsReading {
            agreed: vec![agreed],
            handshakes: 4,
            ..TlsReading::default()
        }
    }

    #[test]
    fn what_differs_is_warned_of() {
        let (a, b, h2) = (tls("A", None), tls("B", None), tls("A", Some("h2")));
        assert!(negotiated(&[("x", None), ("y", None)]).is_empty());
        // Another protocol is another job, not another TLS.
        let same = negotiated(&[("x", Some(&a)), ("y", Some(&h2))]);
        assert_eq!(
            same,
            [
                "x negotiated TLS 1.3, A, X25519",
                "y negotiated TLS 1.3, A, X25519, h2"
            ]
        );
        let other = negotiated(&[("x", Some(&a)), ("y", Some(&b))]);
        assert!(
            other[2].starts_with("warning: the servers negotiated different kinds"),
            "{other:?}"
        );
        let refused = negotiated(&[("x", Some(&a)), ("y", Some(&TlsReading::default()))]);
        assert_eq!(refused[1..], ["y negotiated nothing"]);
        let clear = negotiated(&[("x", Some(&a)), ("y", None)]);
        assert_eq!(clear[1], "y was reached in clear");
        assert!(clear[2].starts_with("warning: some servers were reached by TLS and some in clear"));
    }

    #[test]
    fn resumed_handshakes_are_counted() {
        let resumed = TlsReading {
            resumed: 3,
            ..tls("A", None)
        };
        let notes = negotiated(&[("x", Some(&resumed))]);
        assert_eq!(
            notes,
            ["x negotiated TLS 1.3, A, X25519; 3 of 4 handshakes were resumed"]
        );
    }

    #[test]
    fn contenders_that_agree_need_one_remark() {
        let (a, b) = (tls("A", None), tls("B", None));
        assert_eq!(
            negotiated_in("http/json-tls", &[("x", Some(&a)), ("y", Some(&a))]),
            ["http/json-tls: all negotiated TLS 1.3, A, X25519; certificates were checked"]
        );
        let both = negotiated_in("http/json-tls", &[("x", Some(&a)), ("y", Some(&b))]);
        assert_eq!(both.len(), 3, "{both:?}");
        assert_eq!(both[0], "http/json-tls: x negotiated TLS 1.3, A, X25519");
        assert!(both[2].starts_with("http/json-tls: warning: "), "{both:?}");
        let clear = negotiated_in("w/c", &[("x", Some(&a)), ("y", None)]);
        assert!(clear[2].contains("some in clear"), "{clear:?}");
        assert!(negotiated_in("w/c", &[("x", None)]).is_empty() && negotiated_in("w/c", &[]).is_empty());
    }
}
