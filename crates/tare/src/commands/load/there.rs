//! What the server may do, as far as it can be seen before it is asked: it is a process of this machine, too.

use std::collections::BTreeMap;
use std::fs;

use tare_host::procfs;
use tare_load::Address;

/// A remark where the processes that listen at an address may open fewer files than there are connections to come.
pub fn remark(address: &Address, connections: u32) -> Option<String> {
    let Address::Ip(address) = address else {
        return None;
    };
    let pids = procfs::pids();
    let mut limits = BTreeMap::new();
    for socket in procfs::listeners()
        .into_iter()
        .filter(|socket| socket.port == address.port())
    {
        let pid = procfs::holder(std::slice::from_ref(&socket), &pids)?;
        limits.insert(
            pid,
            open_files(&fs::read_to_string(format!("/proc/{pid}/limits")).ok()?)?,
        );
    }
    told(&limits, connections)
}

/// By each process's limit.
fn told(limits: &BTreeMap<u32, u64>, connections: u32) -> Option<String> {
    let all = limits
        .values()
        .fold(0, |sum: u64, limit| sum.saturating_add(*limit));
    let (pid, _) = limits.first_key_value()?;
    (all < u64::from(connections)).then(|| {
        format!(
            "the server (process {pid}) may open {all} files, and {connections} connections take one each: raise it with \
             `prlimit --pid {pid} --nofile={0}:{0}`, or start several server processes",
            u64::from(connections) + 100
        )
    })
}

/// The soft limit in `/proc/PID/limits` (proc(5)); without one there is no end.
fn open_files(limits: &str) -> Option<u64> {
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"))?;
    let soft = line.split_ascii_whitespace().next()?;
    Some(soft.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_too_few_files_are_remarked() {
        let line = "Limit                     Soft Limit           Hard Limit           Units     \n\
                    Max open files            1024                 20000                files     \n";
        assert_eq!(open_files(line), Some(1024));
        assert_eq!(
            open_files("Max open files            unlimited            unlimited            files\n"),
            Some(u64::MAX)
        );
        let limits = |counts: &[u64]| (1..).zip(counts.iter().copied()).collect();
        let text = told(&limits(&[1024, 1024]), 5000).unwrap();
        assert!(
            text.contains("process 1") && text.contains("2048") && text.contains("prlimit --pid 1"),
            "{text}"
        );
        assert_eq!(told(&limits(&[20_000, 20_000]), 30_000), None);
        assert_eq!(
            told(&limits(&[]), 30_000),
            None,
            "nobody listens: the load will tell"
        );
    }

    #[test]
    fn a_listener_of_our_own_is_found() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address: Address = listener.local_addr().unwrap().into();
        assert_eq!(remark(&address, 1), None);
        let text = remark(&address, u32::MAX);
        // No process of today's may open four billion files.
        assert!(text.is_some_and(|text| text.contains(&format!("process {}", std::process::id()))));
    }
}
