//! Facts about the machine, for results and for `tare doctor`.

use std::fs;

use tare_model::results::Machine;
use tare_sys::proc::labelled;

use crate::account;
use crate::groups::Grouping;
use crate::sys;

/// What `tare doctor` needs beyond [`Machine`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// The cores that tare may use.
    pub cores: Vec<u32>,
    /// What is less exact here than with cgroups, and why: a sentence each; empty with cgroups.
    pub less_exact: Vec<String>,
    /// Whether the kernel reports pressure (PSI).
    pub pressure: bool,
    /// Whether the hypervisor has stolen time since boot.
    pub steal_seen: bool,
    /// Open files that a process may have (the hard limit).
    pub open_files: u64,
    /// The governors of clock frequency in use: `performance`, `powersave` …; empty in most virtual machines.
    pub governors: Vec<String>,
}

/// The machine that tare runs on. Fields that cannot be found are empty.
pub fn machine(grouping: &Grouping) -> Machine {
    Machine {
        freezer: grouping.backing.freezer().to_owned(),
        accounting: grouping.backing.accounting().to_owned(),
        ..ungrouped()
    }
}

/// The same without how processes are held.
pub fn ungrouped() -> Machine {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let meminfo = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    Machine {
        host: line_of("/proc/sys/kernel/hostname"),
        cpu: cpu_model(&cpuinfo),
        cores: cores().len() as u32,
        memory: memory(&meminfo),
        kernel: line_of("/proc/sys/kernel/osrelease"),
        os: os_name(&release),
        freezer: String::new(),
        accounting: String::new(),
    }
}

/// The cores that the calling thread may run on: before any pinning, those that tare was started with.
pub fn cores() -> Vec<u32> {
    // It fails only if the kernel has more cores than the mask has bits (1024): core 0 always exists.
    sys::affinity().unwrap_or_else(|_| vec![0])
}

/// Further facts.
pub fn facts(grouping: &Grouping) -> Facts {
    Facts {
        cores: cores(),
        less_exact: grouping.less_exact().into_iter().collect(),
        pressure: account::pressure().is_some(),
        steal_seen: account::steal().0 > 0.0,
        open_files: sys::raise_open_files(),
        governors: governors(),
    }
}

fn governors() -> Vec<String> {
    let path = |core| format!("/sys/devices/system/cpu/cpu{core}/cpufreq/scaling_governor");
    let mut found: Vec<String> = cores()
        .into_iter()
        .map(|core| line_of(&path(core)))
        .filter(|name| !name.is_empty())
        .collect();
    found.sort();
    found.dedup();
    found
}

fn line_of(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default().trim().to_owned()
}

/// `model name` on x86; other architectures have only a number for the implementer.
fn cpu_model(cpuinfo: &str) -> String {
    ["model name", "Model", "cpu model", "CPU implementer"]
        .into_iter()
        .find_map(|key| value_of(cpuinfo, key))
        .unwrap_or_default()
}

fn value_of(text: &str, key: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == key).then(|| value.trim().to_owned())
    })
}

fn memory(meminfo: &str) -> u64 {
    labelled(meminfo, "MemTotal:").unwrap_or(0) * 1024
}

/// From `/etc/os-release`, which a container with a single file lacks.
fn os_name(release: &str) -> String {
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let name = name.map(|name| name.trim_matches('"'));
    name.filter(|name| !name.is_empty()).unwrap_or("Linux").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groups::{Backing, detect};

    #[test]
    fn this_machine_is_known() {
        let grouping = detect(Some(Backing::Plain)).unwrap();
        let machine = machine(&grouping);
        assert!(machine.cores >= 1 && machine.memory > 1 << 20, "{machine:?}");
        assert!(
            !machine.kernel.is_empty() && !machine.host.is_empty(),
            "{machine:?}"
        );
        assert_eq!(
            (machine.freezer.as_str(), machine.accounting.as_str()),
            ("SIGSTOP", "process clocks")
        );
        let facts = facts(&grouping);
        assert_eq!(facts.cores.len() as u32, machine.cores);
        assert_eq!(facts.less_exact.len(), 1);
    }

    #[test]
    fn files_of_other_machines_are_read() {
        assert_eq!(cpu_model("processor : 0\nmodel name\t: AMD EPYC\n"), "AMD EPYC");
        assert_eq!(cpu_model("processor : 0\nCPU implementer\t: 0x41\n"), "0x41");
        assert_eq!(cpu_model(""), "");
        assert_eq!(memory("MemTotal:        2048 kB\n"), 2 << 20);
        assert_eq!(
            os_name("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n"),
            "Debian GNU/Linux 12"
        );
        assert_eq!(os_name(""), "Linux");
    }
}
