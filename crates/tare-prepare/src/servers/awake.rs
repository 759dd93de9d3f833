//! How an open loop waits for its send times: awake where its cores are its own, otherwise asleep.
//!
//! Awake it is on time to the microsecond, and uses whole cores. So cores must be given to it, and the server must be seen
//! not to run on them.

use std::collections::BTreeSet;
use std::fs;

use tare_host::{machine, procfs};
use tare_load::Address;
use tare_model::placement::Cores;

use super::request::LoadRequest;
use super::there;

/// How it waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Whether awake.
    pub awake: bool,
    /// Why, and what that means.
    pub why: String,
}

/// How a load by so many processes waits for its send times; none where it has none.
pub(super) fn waiting(request: &LoadRequest, servers: &[&Address], processes: u32) -> Option<Waiting> {
    request.rate?;
    let asleep = |why: String| Some(Waiting { awake: false, why });
    let Some(own) = request.cores.as_deref() else {
        return asleep(
            "asleep, on no core of its own: --cores N gives it one, where it waits awake".to_owned(),
        );
    };
    if processes as usize > own.len() && processes > 1 {
        return asleep(format!(
            "asleep: {processes} generator processes have {} between them",
            shown(own)
        ));
    }
    let pids = servers
        .iter()
        .filter_map(|address| there::servers(address))
        .flatten();
    if let Some((pid, shared)) = pids.filter_map(|pid| Some((pid, shared(pid, own)?))).next() {
        return asleep(in_the_way(pid, &shared, own));
    }
    Some(Waiting {
        awake: true,
        why: format!(
            "awake on {}: that is neither in its CPU nor in how busy it was",
            shown(own)
        ),
    })
}

fn shown(cores: &[u32]) -> Cores {
    Cores(cores.to_vec())
}

/// The cores among `own` that a process may run on, if there are any.
fn shared(pid: u32, own: &[u32]) -> Option<Vec<u32>> {
    let theirs = cores_of(pid)?;
    let both: Vec<u32> = own.iter().copied().filter(|core| theirs.contains(core)).collect();
    (!both.is_empty()).then_some(both)
}

/// Where the threads of a process may run; none if that cannot be seen.
fn cores_of(pid: u32) -> Option<BTreeSet<u32>> {
    let of = |thread: u32| allowed(&fs::read_to_string(format!("/proc/{pid}/task/{thread}/status")).ok()?);
    let all: Vec<Vec<u32>> = procfs::threads(pid).into_iter().filter_map(of).collect();
    (!all.is_empty()).then(|| all.into_iter().flatten().collect())
}

/// The cores in `/proc/PID/status` (proc(5)).
pub(super) fn allowed(status: &str) -> Option<Vec<u32>> {
    let list = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    Some(list.trim().parse::<Cores>().ok()?.0)
}

fn in_the_way(pid: u32, shared: &[u32], own: &[u32]) -> String {
    let others: Vec<String> = machine::cores()
        .into_iter()
        .filter(|core| !own.contains(core))
        .map(|core| core.to_string())
        .collect();
    let hint = if others.is_empty() {
        "no core is left for it".to_owned()
    } else {
        format!("`taskset -acp {} {pid}` keeps it off", others.join(","))
    };
    format!(
        "asleep: the server (process {pid}) may run on {}, too; {hint}",
        shown(shared)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::units::PerSecond;

    fn waits((rate, cores): (Option<f64>, Option<&[u32]>), address: &str, processes: u32) -> Option<Waiting> {
        let request = LoadRequest {
            rate: rate.map(PerSecond),
            cores: cores.map(<[u32]>::to_vec),
            ..LoadRequest::default()
        };
        waiting(&request, &[&address.parse().unwrap()], processes)
    }

    #[test]
    fn only_what_has_send_times_waits_for_them() {
        assert_eq!(waits((None, Some(&[0])), "unix:/x", 1), None);
        let without = waits((Some(10.0), None), "unix:/x", 1).unwrap();
        assert!(
            !without.awake && without.why.contains("--cores"),
            "{}",
            without.why
        );
        let owned = waits((Some(10.0), Some(&[0])), "unix:/x", 1).unwrap();
        assert!(
            owned.awake && owned.why.contains("awake on core 0"),
            "{}",
            owned.why
        );
    }

    #[test]
    fn processes_that_share_a_core_sleep() {
        let two = (Some(10.0), Some(&[0, 1][..]));
        assert!(waits(two, "unix:/x", 2).unwrap().awake);
        let three = waits(two, "unix:/x", 3).unwrap();
        assert!(
            !three.awake && three.why.contains("3 generator processes"),
            "{}",
            three.why
        );
    }

    /// The server is this test, which may run on every core that it was started on.
    #[test]
    fn a_server_that_may_run_there_too_is_told_with_the_command() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let core = machine::cores()[0];
        let found = waits((Some(10.0), Some(&[core])), &address, 1).unwrap();
        assert!(!found.awake, "{}", found.why);
        assert!(found.why.contains("the server (process"), "{}", found.why);
        // A core that no thread of ours may use.
        let near = cores_of(std::process::id()).unwrap();
        let far = (0..1024).find(|core| !near.contains(core)).unwrap();
        let found = waits((Some(10.0), Some(&[far])), &address, 1).unwrap();
        assert!(found.awake, "{}", found.why);
    }

    #[test]
    fn the_list_of_cores_is_read() {
        assert_eq!(
            allowed("Name:\tx\nCpus_allowed_list:\t0,2-3\n"),
            Some(vec![0, 2, 3])
        );
        assert_eq!(allowed("Name:\tx\n"), None);
    }
}
