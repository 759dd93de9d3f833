//! Numbers in files under `/proc` (proc(5)).

use std::fs;

/// The number in a file that holds one, such as a sysctl; none if there is no such file.
pub fn number(path: &str) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// The number after a label at the beginning of a line, such as `MemTotal:`; its unit is left out.
pub fn labelled(text: &str, label: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(label))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

/// The ports that the kernel takes for outgoing connections, the first and the last (`ip_local_port_range`); where it does
/// not say, its default.
pub fn outgoing_ports() -> (u16, u16) {
    let text = fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").unwrap_or_default();
    range(&text).unwrap_or((32_768, 60_999))
}

fn range(text: &str) -> Option<(u16, u16)> {
    let (low, high) = text.trim().split_once(char::is_whitespace)?;
    Some((low.parse().ok()?, high.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found() {
        assert!(number("/proc/sys/kernel/pid_max").is_some_and(|most| most > 0));
        assert_eq!(number("/proc/self/status"), None);
        assert_eq!(number("/nonexistent"), None);
        let meminfo = "MemTotal: 9 kB\nMemAvailable:   23133220 kB\n";
        assert_eq!(labelled(meminfo, "MemAvailable:"), Some(23_133_220));
        assert_eq!(labelled(meminfo, "MemFree:"), None);
        assert_eq!(labelled("MemTotal:\n", "MemTotal:"), None);
    }

    #[test]
    fn the_range_of_ports_is_read() {
        assert_eq!(range("32768\t60999\n"), Some((32_768, 60_999)));
        assert_eq!(range("x"), None);
        let (first, last) = outgoing_ports();
        assert!(first <= last);
    }
}
