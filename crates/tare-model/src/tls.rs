//! What a load saw of TLS.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::histogram::Histogram;

/// What the two ends of a connection agreed on, by the names of the registry of TLS parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agreed {
    /// The version, as `TLS 1.3`.
    pub version: String,
    /// The cipher suite.
    pub suite: String,
    /// The group of the key exchange; none where a resumed session of TLS 1.2 had none.
    pub group: Option<String>,
    /// The protocol that the server chose by ALPN; none: it chose none.
    pub alpn: Option<String>,
}

/// What was seen of TLS in a slice.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TlsReading {
    /// What connections agreed on, each kind once, in the order in which they were seen: usually one.
    pub agreed: Vec<Agreed>,
    /// Handshakes, with those of connections that were opened before the measured time.
    pub handshakes: u64,
    /// Those of them that resumed an earlier session.
    pub resumed: u64,
    /// Those of them that ended within the measured time.
    pub in_time: u64,
    /// How long each took, from the first byte sent to its end.
    pub times: Histogram,
}

impl Agreed {
    /// Whether another agreement is this one, or the same without a key exchange.
    fn covers(&self, other: &Self) -> bool {
        let same = (&self.version, &self.suite, &self.alpn) == (&other.version, &other.suite, &other.alpn);
        same && (self.group == other.group || other.group.is_none())
    }
}

impl TlsReading {
    /// Adds what a connection agreed on, if it is something new.
    pub fn saw(&mut self, agreed: &Agreed) {
        if !self.agreed.iter().any(|known| known.covers(agreed)) {
            self.agreed.retain(|known| !agreed.covers(known));
            self.agreed.push(agreed.clone());
        }
    }

    /// Adds what another slice, core or process saw.
    pub fn merge(&mut self, other: &Self) {
        other.agreed.iter().for_each(|agreed| self.saw(agreed));
        self.handshakes += other.handshakes;
        self.resumed += other.resumed;
        self.in_time += other.in_time;
        self.times.merge(&other.times);
    }
}

/// `TLS 1.3, TLS_AES_128_GCM_SHA256, X25519, h2`.
impl fmt::Display for Agreed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.version, self.suite)?;
        self.group.iter().try_for_each(|group| write!(f, ", {group}"))?;
        self.alpn.iter().try_for_each(|alpn| write!(f, ", {alpn}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agreed(suite: &str, group: Option<&str>) -> Agreed {
        Agreed {
            version: "TLS 1.2".to_owned(),
            suite: suite.to_owned(),
            group: group.map(str::to_owned),
            alpn: Some("h2".to_owned()),
        }
    }

    #[test]
    fn each_kind_is_seen_once_and_a_resumed_session_is_no_kind_of_its_own() {
        let mut reading = TlsReading::default();
        let (full, resumed) = (agreed("A", Some("X25519")), agreed("A", None));
        for seen in [&resumed, &full, &resumed, &full] {
            reading.saw(seen);
        }
        assert_eq!(reading.agreed, std::slice::from_ref(&full));
        let mut other = TlsReading {
            handshakes: 3,
            resumed: 2,
            in_time: 1,
            ..TlsReading::default()
        };
        other.saw(&agreed("B", None));
        other.times.record(1000);
        reading.merge(&other);
        assert_eq!(reading.agreed, [full, agreed("B", None)]);
        assert_eq!((reading.handshakes, reading.resumed, reading.in_time), (3, 2, 1));
        assert_eq!(reading.times.count(), 1);
        assert_eq!(reading.agreed[0].to_string(), "TLS 1.2, A, X25519, h2");
        assert_eq!(reading.agreed[1].to_string(), "TLS 1.2, B, h2");
    }
}
