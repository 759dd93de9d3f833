//! A URL, taken apart.

use super::error::ServersError;

/// A URL of a server.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Url {
    /// In lower case.
    pub(super) scheme: String,
    /// A name or an address; an IPv6 address without its brackets.
    pub(super) host: String,
    /// None where it is not named.
    pub(super) port: Option<u16>,
    /// Path and query; `/` where there is neither.
    pub(super) path: String,
}

/// Parses the parts of RFC 3986 §3 that are needed. What follows `#` is not sent; a user is refused.
pub(super) fn parse(url: &str) -> Result<Url, ServersError> {
    let (scheme, rest) = url.split_once("://").ok_or_else(|| no_scheme(url))?;
    let rest = rest.split('#').next().unwrap_or_default();
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    if authority.contains('@') {
        return Err(ServersError::User(url.to_owned()));
    }
    let (host, port) = host_and_port(authority).ok_or_else(|| ServersError::NoHost {
        authority: authority.to_owned(),
        url: url.to_owned(),
    })?;
    Ok(Url {
        scheme: scheme.to_ascii_lowercase(),
        host,
        port,
        path: if path.starts_with('/') {
            path.to_owned()
        } else {
            format!("/{path}")
        },
    })
}

/// What is wrong with a text without `://`: most often that is all that is missing.
fn no_scheme(text: &str) -> ServersError {
    let authority = text.split(['/', '?', '#']).next().unwrap_or_default();
    let named =
        |(host, port): (String, Option<u16>)| port.is_some() || host == "localhost" || host.contains('.');
    if host_and_port(authority).is_some_and(named) {
        ServersError::NoScheme(text.to_owned())
    } else {
        ServersError::NoTarget(text.to_owned())
    }
}

/// None where the text is neither a host nor a host with a port. An empty port is no port (RFC 3986 §3.2.3).
fn host_and_port(authority: &str) -> Option<(String, Option<u16>)> {
    let (host, rest) = match authority.strip_prefix('[') {
        Some(inner) => inner.split_once(']')?,
        None => authority.split_at(authority.find(':').unwrap_or(authority.len())),
    };
    let digits = match rest {
        "" => "",
        _ => rest.strip_prefix(':')?,
    };
    let port = match digits {
        "" => None,
        // A number may have a sign, a port may not.
        _ if !digits.bytes().all(|byte| byte.is_ascii_digit()) => return None,
        _ => Some(digits.parse::<u16>().ok().filter(|port| *port > 0)?),
    };
    (!host.is_empty()).then(|| (host.to_owned(), port))
}

impl Url {
    /// As `Host` has it (RFC 9110 §7.2): the port is left out where it is the usual one.
    pub(super) fn named(&self, usual: u16) -> String {
        let host = if self.host.contains(':') {
            format!("[{}]", self.host)
        } else {
            self.host.clone()
        };
        match self.port {
            Some(port) if port != usual => format!("{host}:{port}"),
            _ => host,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `SCHEME HOST PORT PATH, HOST-FIELD`; a port that is not named is a dash.
    fn taken(url: &str) -> Option<String> {
        let url = parse(url).ok()?;
        let port = url.port.map_or("-".to_owned(), |port| port.to_string());
        Some(format!(
            "{} {} {port} {}, {}",
            url.scheme,
            url.host,
            url.path,
            url.named(80)
        ))
    }

    #[test]
    fn urls_are_taken_apart() {
        for (url, expected) in [
            ("http://a.example", "http a.example - /, a.example"),
            ("http://a.example/", "http a.example - /, a.example"),
            (
                "HTTP://A.example:8080/x",
                "http A.example 8080 /x, A.example:8080",
            ),
            ("http://a:80/", "http a 80 /, a"),
            ("http://a:/x", "http a - /x, a"),
            ("http://a?b=c/d", "http a - /?b=c/d, a"),
            ("http://a:81?b", "http a 81 /?b, a:81"),
            ("http://a/b?c#d", "http a - /b?c, a"),
            ("http://a#d/e", "http a - /, a"),
            ("http://a/b@c", "http a - /b@c, a"),
            ("http://[::1]", "http ::1 - /, [::1]"),
            ("http://[::1]:8080/", "http ::1 8080 /, [::1]:8080"),
            ("http://127.0.0.1:8080/", "http 127.0.0.1 8080 /, 127.0.0.1:8080"),
            ("tcp://localhost:7000", "tcp localhost 7000 /, localhost:7000"),
        ] {
            assert_eq!(taken(url).as_deref(), Some(expected), "{url}");
        }
        for bad in [
            "a.example/",
            "http:/a",
            "http://",
            "http:///x",
            "http://:80/",
            "http://a:99999/",
            "http://a:0/",
            "http://a:+80/",
            "http://a:b/",
            "http://::1/",
            "http://[::1/",
            "http://[::1]x/",
            "http://[]:80/",
            "http://user:word@a/",
        ] {
            assert_eq!(taken(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_host_without_a_scheme_is_seen_as_that() {
        for text in [
            "localhost:8080",
            "localhost",
            "127.0.0.1:80/x",
            "a.example?b",
            "[::1]:8080",
        ] {
            let hint = parse(text).unwrap_err().hint().unwrap();
            assert!(
                hint.contains(&format!("did you mean `http://{text}`?")),
                "{text}: {hint}"
            );
        }
        for text in ["100", "words", "POST"] {
            assert!(matches!(parse(text), Err(ServersError::NoTarget(_))), "{text}");
        }
    }
}
