//! Signals by their names.

/// The signals that a manifest may name, without `SIG`.
const SIGNALS: [(&str, i32); 10] = [
    ("TERM", libc::SIGTERM),
    ("INT", libc::SIGINT),
    ("QUIT", libc::SIGQUIT),
    ("HUP", libc::SIGHUP),
    ("USR1", libc::SIGUSR1),
    ("USR2", libc::SIGUSR2),
    ("KILL", libc::SIGKILL),
    ("ABRT", libc::SIGABRT),
    ("SEGV", libc::SIGSEGV),
    ("PIPE", libc::SIGPIPE),
];

/// The number of a signal by its name without `SIG`.
pub(crate) fn signal_number(name: &str) -> Option<i32> {
    SIGNALS.iter().find(|(known, _)| *known == name).map(|&(_, n)| n)
}

/// The name of a signal without `SIG`.
pub(crate) fn signal_name(number: i32) -> Option<&'static str> {
    SIGNALS.iter().find(|(_, n)| *n == number).map(|&(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_go_by_their_names() {
        for (name, number) in SIGNALS {
            assert_eq!(signal_number(name), Some(number));
            assert_eq!(signal_name(number), Some(name));
        }
        assert_eq!(signal_number("SIGTERM"), None);
    }
}
