//! How a server is spoken to, by the schemes of its URLs.

/// What is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Speech {
    /// HTTP/1.1.
    Http,
    /// HTTP/2.
    H2,
    /// gRPC.
    Grpc,
    /// WebSocket.
    WebSocket,
    /// Lines over TCP.
    Lines,
}

/// A scheme: what is spoken, and whether over TLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scheme {
    /// What is spoken.
    pub speech: Speech,
    /// Whether over TLS.
    pub secure: bool,
}

impl Scheme {
    /// All schemes.
    pub const ALL: [Self; 9] = [
        Self::clear(Speech::Http),
        Self::over_tls(Speech::Http),
        Self::clear(Speech::H2),
        Self::over_tls(Speech::H2),
        Self::clear(Speech::Grpc),
        Self::over_tls(Speech::Grpc),
        Self::clear(Speech::WebSocket),
        Self::over_tls(Speech::WebSocket),
        Self::clear(Speech::Lines),
    ];

    /// Without TLS.
    pub const fn clear(speech: Speech) -> Self {
        Self {
            speech,
            secure: false,
        }
    }

    /// Over TLS.
    pub const fn over_tls(speech: Speech) -> Self {
        Self { speech, secure: true }
    }

    /// The scheme of a name in lower case.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.name() == name)
    }

    /// Its name in URLs and manifests.
    pub const fn name(self) -> &'static str {
        match (self.speech, self.secure) {
            (Speech::Http, false) => "http",
            (Speech::Http, true) => "https",
            (Speech::H2, false) => "h2c",
            (Speech::H2, true) => "h2",
            (Speech::Grpc, false) => "grpc",
            (Speech::Grpc, true) => "grpcs",
            (Speech::WebSocket, false) => "ws",
            (Speech::WebSocket, true) => "wss",
            (Speech::Lines, _) => "tcp",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_survive_their_names() {
        for scheme in Scheme::ALL {
            assert_eq!(Scheme::named(scheme.name()), Some(scheme));
        }
        assert_eq!(Scheme::named("ftp"), None);
        let secure = Scheme::ALL.into_iter().filter(|scheme| scheme.secure);
        assert_eq!(
            secure.map(Scheme::name).collect::<Vec<_>>(),
            ["https", "h2", "grpcs", "wss"]
        );
    }
}
