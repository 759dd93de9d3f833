//! How this machine was reached by ssh.

use std::net::{IpAddr, Ipv4Addr};

use crate::failure::Failure;

/// The variable that sshd sets: the client's address and port, and the server's.
const VARIABLE: &str = "SSH_CONNECTION";

/// The address of the machine that reached this one, and the address of this one that it reached.
pub fn ends() -> Result<(Ipv4Addr, Ipv4Addr), Failure> {
    let text = std::env::var(VARIABLE).unwrap_or_default();
    of_text(&text).ok_or_else(|| {
        Failure::outside(format!(
            "{VARIABLE} is `{text}`, so where others reach this machine is not known"
        ))
        .hint("tare starts this by ssh, over IPv4: name the machine by such an address")
    })
}

fn of_text(text: &str) -> Option<(Ipv4Addr, Ipv4Addr)> {
    let words: Vec<&str> = text.split(' ').collect();
    let [client, _, server, _] = words[..] else {
        return None;
    };
    let address = |word: &str| match word.parse::<IpAddr>().ok()?.to_canonical() {
        IpAddr::V4(address) => Some(address),
        IpAddr::V6(_) => None,
    };
    Some((address(client)?, address(server)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_connection_are_known() {
        let ends = Some((Ipv4Addr::new(10, 0, 0, 1), Ipv4Addr::new(10, 0, 0, 2)));
        assert_eq!(of_text("10.0.0.1 51234 10.0.0.2 22"), ends);
        assert_eq!(of_text("::ffff:10.0.0.1 51234 ::ffff:10.0.0.2 22"), ends);
        for bad in ["", "10.0.0.1", "fe80::1 1 fe80::2 22", "a 1 b 2"] {
            assert_eq!(of_text(bad), None, "{bad}");
        }
    }
}
