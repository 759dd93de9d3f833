//! What a URL's scheme says: how the server is spoken to, and whether over TLS.

use tare_model::scheme::{Scheme, Speech};

use super::error::ServersError;
use super::request::{HttpVersion, LoadRequest};
use super::url::Url;

/// The scheme of a URL, with the version of HTTP that is asked for. `url`: as it was typed.
pub(super) fn of(url: &str, parts: &Url, http: Option<HttpVersion>) -> Result<Scheme, ServersError> {
    let named = Scheme::named(&parts.scheme);
    let named = named.filter(|scheme| scheme.speech != Speech::Lines || parts.path == "/");
    let scheme = named.ok_or_else(|| ServersError::NoTarget(url.to_owned()))?;
    let other = |of_scheme| ServersError::OtherHttp {
        url: url.to_owned(),
        of_scheme,
    };
    match (scheme.speech, http) {
        (Speech::Http, Some(HttpVersion::Two)) => Ok(Scheme {
            speech: Speech::H2,
            ..scheme
        }),
        (Speech::H2 | Speech::Grpc, Some(HttpVersion::One)) => Err(other("2")),
        (Speech::WebSocket, Some(HttpVersion::Two)) => Err(other("1.1")),
        (Speech::Lines, Some(_)) => Err(ServersError::Kind {
            option: "--http",
            schemes: "http:// and https://",
        }),
        _ => Ok(scheme),
    }
}

/// The port of a URL that names none; 0: it must name one.
pub(super) fn usual_port(scheme: Scheme) -> u16 {
    match (scheme.speech, scheme.secure) {
        (Speech::Lines, _) => 0,
        (_, true) => 443,
        (_, false) => 80,
    }
}

/// Refuses options of TLS where no server is reached by it.
pub(super) fn refuse_in_clear(scheme: Scheme, request: &LoadRequest) -> Result<(), ServersError> {
    let secure = |url: &String| {
        let name = url.split_once("://").map(|(name, _)| name.to_ascii_lowercase());
        name.and_then(|name| Scheme::named(&name))
            .is_some_and(|scheme| scheme.secure)
    };
    match request.tls.given() {
        Some(option) if !scheme.secure && !request.urls.iter().any(secure) => {
            Err(ServersError::InClear(option))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::url::parse;
    use super::*;

    fn found(url: &str, http: Option<HttpVersion>) -> Result<(Speech, bool, u16), String> {
        let scheme = of(url, &parse(url).unwrap(), http).map_err(|error| error.to_string())?;
        Ok((scheme.speech, scheme.secure, usual_port(scheme)))
    }

    #[test]
    fn a_scheme_says_what_is_spoken_and_whether_over_tls() {
        for (url, expected) in [
            ("http://a", (Speech::Http, false, 80)),
            ("HTTPS://a", (Speech::Http, true, 443)),
            ("h2c://a", (Speech::H2, false, 80)),
            ("h2://a", (Speech::H2, true, 443)),
            ("grpc://a/b", (Speech::Grpc, false, 80)),
            ("grpcs://a/b", (Speech::Grpc, true, 443)),
            ("ws://a", (Speech::WebSocket, false, 80)),
            ("wss://a", (Speech::WebSocket, true, 443)),
            ("tcp://a:1", (Speech::Lines, false, 0)),
        ] {
            assert_eq!(found(url, None), Ok(expected), "{url}");
        }
        assert!(found("ftp://a", None).is_err() && found("tcp://a:1/x", None).is_err());
    }

    #[test]
    fn the_version_of_http_is_asked_for_where_the_scheme_says_none() {
        let (one, two) = (Some(HttpVersion::One), Some(HttpVersion::Two));
        assert_eq!(found("https://a", two), Ok((Speech::H2, true, 443)));
        assert_eq!(found("http://a", two), Ok((Speech::H2, false, 80)));
        assert_eq!(found("https://a", one), Ok((Speech::Http, true, 443)));
        assert_eq!(found("h2://a", two), Ok((Speech::H2, true, 443)));
        assert_eq!(found("wss://a", one), Ok((Speech::WebSocket, true, 443)));
        for (url, http, why) in [
            (
                "h2c://a",
                one,
                "`h2c://a` is reached by HTTP/2, and --http asks for another",
            ),
            ("grpcs://a/b", one, "reached by HTTP/2"),
            ("ws://a", two, "reached by HTTP/1.1"),
            ("tcp://a:1", two, "--http is for http:// and https:// targets"),
        ] {
            let text = found(url, http).unwrap_err();
            assert!(text.contains(why), "{text}");
        }
    }
}
