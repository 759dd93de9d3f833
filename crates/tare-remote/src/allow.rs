//! Which addresses an agent may be told to load.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// Addresses of networks that are somebody's own: loopback, private use (RFC 1918), unique local addresses (RFC 4193).
/// Link-local addresses are not among them: in many clouds one of those gives out credentials.
const OWN: [&str; 6] = [
    "127.0.0.0/8",
    "::1",
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "fc00::/7",
];

/// Addresses: one, or a network of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Network {
    address: IpAddr,
    /// How many of its leading bits count.
    bits: u8,
}

/// The addresses that may be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed(Vec<Network>);

/// A text that names no network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither an address nor a network: expected one as in 10.77.0.11 or 10.77.0.0/24")]
pub struct BadNetwork(String);

impl Allowed {
    /// The addresses of these texts; without any, loopback and private ones.
    ///
    /// # Errors
    /// The first text that names none.
    pub fn new<T: AsRef<str>>(texts: &[T]) -> Result<Self, BadNetwork> {
        let all: Result<Vec<Network>, BadNetwork> = if texts.is_empty() {
            OWN.iter().map(|text| text.parse()).collect()
        } else {
            texts.iter().map(|text| text.as_ref().parse()).collect()
        };
        all.map(Self)
    }

    /// Whether an address is one of them.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(address))
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&all.join(", "))
    }
}

impl Network {
    fn contains(&self, address: IpAddr) -> bool {
        // An IPv4 address may be written as one of IPv6.
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                let (own, other) = (u32::from(own), u32::from(other));
                leading(u128::from(own ^ other), 32, self.bits)
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                leading(u128::from(own) ^ u128::from(other), 128, self.bits)
            }
            _ => false,
        }
    }
}

/// Whether the leading bits of a difference are zero; `width`: of how many bits it is.
fn leading(difference: u128, width: u32, bits: u8) -> bool {
    let rest = width - u32::from(bits);
    difference.checked_shr(rest).unwrap_or(0) == 0
}

impl FromStr for Network {
    type Err = BadNetwork;

    fn from_str(text: &str) -> Result<Self, BadNetwork> {
        let bad = || BadNetwork(text.to_owned());
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| bad())?;
        let width = if address.is_ipv4() { 32 } else { 128 };
        let bits = match bits {
            None => width,
            Some(bits) if bits.bytes().all(|byte| byte.is_ascii_digit()) => {
                bits.parse().map_err(|_| bad())?
            }
            Some(_) => return Err(bad()),
        };
        if bits > width {
            return Err(bad());
        }
        Ok(Self { address, bits })
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.address, self.bits) {
            (IpAddr::V4(_), 32) | (IpAddr::V6(_), 128) => write!(f, "{}", self.address),
            (address, bits) => write!(f, "{address}/{bits}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_it(texts: &[&str], address: &str) -> bool {
        Allowed::new(texts).unwrap().contains(address.parse().unwrap())
    }

    #[test]
    fn without_a_word_only_own_networks_are_allowed() {
        for own in [
            "127.0.0.1",
            "127.9.9.9",
            "10.77.0.11",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
        ] {
            assert!(in_it(&[], own), "{own}");
        }
        for own in ["::1", "fd12::1", "::ffff:10.0.0.1"] {
            assert!(in_it(&[], own), "{own}");
        }
        for other in [
            "172.32.0.1",
            "172.15.0.1",
            "11.0.0.1",
            "192.0.2.1",
            "169.254.169.254",
            "0.0.0.0",
        ] {
            assert!(!in_it(&[], other), "{other}");
        }
        for other in ["fe80::1", "2001:db8::1", "::", "::2", "::ffff:192.0.2.1"] {
            assert!(!in_it(&[], other), "{other}");
        }
    }

    #[test]
    fn what_is_named_is_allowed_and_nothing_else() {
        let named = ["192.0.2.7", "198.51.100.0/25", "2001:db8::/32"];
        for allowed in ["192.0.2.7", "198.51.100.127", "2001:db8:1::1"] {
            assert!(in_it(&named, allowed), "{allowed}");
        }
        for other in [
            "192.0.2.8",
            "198.51.100.128",
            "2001:db9::1",
            "127.0.0.1",
            "10.0.0.1",
        ] {
            assert!(!in_it(&named, other), "{other}");
        }
        assert!(in_it(&["0.0.0.0/0"], "192.0.2.1") && !in_it(&["0.0.0.0/0"], "::1"));
        assert!(in_it(&["::/0"], "::1"));
        assert_eq!(Allowed::new(&named).unwrap().to_string(), named.join(", "));
    }

    #[test]
    fn what_is_no_network_is_refused() {
        for bad in [
            "",
            "host",
            "10.0.0.0/33",
            "10.0.0.0/",
            "10.0.0.0/+8",
            "10.0.0/8",
            "::/129",
            "10.0.0.1:80",
        ] {
            assert!(Allowed::new(&[bad]).is_err(), "{bad:?}");
        }
    }
}
