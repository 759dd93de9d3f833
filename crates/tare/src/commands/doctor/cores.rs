//! The cores that tare may use, and commands that are made of them.

use std::fs;

use super::{Finding, finding};
use crate::values;

/// Those of the affinity mask, and which of them are threads of one core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cores {
    allowed: Vec<u32>,
    /// Each with two cores or more, all of them allowed.
    shared: Vec<Vec<u32>>,
}

impl Cores {
    /// As this machine has them.
    pub fn here(allowed: &[u32]) -> Self {
        let path = |core| format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
        Self::told(allowed, |core| fs::read_to_string(path(core)).ok())
    }

    /// As the kernel tells the threads of each one's core: `0,2` or `0-1`.
    fn told(allowed: &[u32], siblings: impl Fn(u32) -> Option<String>) -> Self {
        let mut shared: Vec<Vec<u32>> = allowed
            .iter()
            .filter_map(|&core| siblings(core)?.trim().parse::<values::Cores>().ok())
            .map(|group| {
                group
                    .0
                    .into_iter()
                    .filter(|core| allowed.contains(core))
                    .collect()
            })
            // Only where two may be used do they disturb each other.
            .filter(|group: &Vec<u32>| group.len() > 1)
            .collect();
        shared.sort();
        shared.dedup();
        Self {
            allowed: allowed.to_vec(),
            shared,
        }
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.allowed.len()
    }

    /// The options that give the load the first core for itself, and contenders the others (not the other threads of
    /// the load's core, where there are more); none where there is one core only.
    pub fn apart(&self) -> Option<String> {
        let (load, rest) = self.allowed.split_first()?;
        let beside = self.shared.iter().find(|group| group.contains(load));
        let quiet: Vec<u32> = rest
            .iter()
            .copied()
            .filter(|core| !beside.is_some_and(|group| group.contains(core)))
            .collect();
        let contender = if quiet.is_empty() { rest } else { &quiet };
        (!contender.is_empty()).then(|| format!("--cores-contender {} --cores-load {load}", list(contender)))
    }

    /// What tare may use, and how to keep the load off contenders where they share by default.
    pub fn placement(&self) -> Finding {
        let found = format!("tare may use cores {}", list(&self.allowed));
        match (self.count(), self.apart()) {
            (2 | 3, Some(apart)) => finding(
                "cores",
                format!("{found}: one for a contender and the rest for the load, or all shared"),
                &format!(
                    "tare run {apart}: keeps the load off contenders that would use all cores (from four cores on they \
                     need not share)"
                ),
            ),
            (_, None) => finding(
                "cores",
                format!(
                    "{found} alone, which contender and load share: no command mends that, only a machine (or a mask) with a \
                     second core"
                ),
                "",
            ),
            _ => finding("cores", found, ""),
        }
    }

    /// Cores that are threads of one, and how to use one of each; none where there are no such.
    pub fn threads(&self) -> Option<Finding> {
        let groups: Vec<String> = self.shared.iter().map(|group| list(group)).collect();
        if groups.is_empty() {
            return None;
        }
        let found = format!(
            "cores {} are threads of one core, and disturb each other",
            groups.join("; ")
        );
        let off = "echo off > /sys/devices/system/cpu/smt/control";
        let first = |core: &&u32| {
            let group = self.shared.iter().find(|group| group.contains(core));
            group.is_none_or(|group| group.first() == Some(core))
        };
        let each: Vec<u32> = self.allowed.iter().filter(first).copied().collect();
        Some(match each.len() {
            // Of one core's threads, taking one only would make contender and load share it.
            1 => finding(
                "threads",
                format!("{found}: there is no other core to use instead"),
                "",
            ),
            _ => finding(
                "threads",
                found,
                &format!("taskset -c {} tare run; or {off}: uses one of each", list(&each)),
            ),
        })
    }
}

/// As options and `taskset` take them.
fn list(cores: &[u32]) -> String {
    let cores: Vec<String> = cores.iter().map(u32::to_string).collect();
    cores.join(",")
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Masks of all sorts, on machines whose cores have one thread or two, numbered side by side or in halves.
    pub fn machines() -> Vec<Cores> {
        let masks: [&[u32]; 8] = [
            &[0],
            &[5],
            &[0, 1],
            &[2, 3],
            &[1, 4, 7],
            &[0, 1, 2, 3],
            &[4, 5, 6, 7],
            &[0, 2, 3, 6, 7],
        ];
        let single = |core: u32| core.to_string();
        let side_by_side = |core: u32| format!("{}-{}\n", core & !1, core | 1);
        let halves = |core: u32| format!("{},{}\n", core % 4, core % 4 + 4);
        masks
            .into_iter()
            .flat_map(|mask| {
                [
                    Cores::told(mask, |core| Some(single(core))),
                    Cores::told(mask, |core| Some(side_by_side(core))),
                    Cores::told(mask, |core| Some(halves(core))),
                    Cores::told(mask, |_| None),
                ]
            })
            .collect()
    }

    impl Cores {
        pub fn mask(&self) -> &[u32] {
            &self.allowed
        }
    }

    #[test]
    fn only_threads_that_may_both_be_used_share_a_core() {
        let halves = |core: u32| Some(format!("{},{}\n", core % 4, core % 4 + 4));
        let shared = |mask: &[u32]| Cores::told(mask, halves).shared;
        assert_eq!(shared(&[0, 1, 4, 5]), [[0, 4], [1, 5]]);
        assert_eq!(shared(&[0, 1, 4]), [[0, 4]]);
        assert_eq!(shared(&[0, 1, 2, 3]), Vec::<Vec<u32>>::new());
        assert_eq!(
            Cores::told(&[0, 1], |_| Some("nonsense".to_owned())).shared,
            Vec::<Vec<u32>>::new()
        );
    }

    #[test]
    fn the_load_gets_a_core_of_its_own_and_no_thread_beside_it() {
        let pairs = |core: u32| Some(format!("{}-{}", core & !1, core | 1));
        let apart = |mask: &[u32]| Cores::told(mask, pairs).apart();
        assert_eq!(apart(&[3]), None);
        assert_eq!(apart(&[]), None);
        assert_eq!(apart(&[2, 3]).unwrap(), "--cores-contender 3 --cores-load 2");
        assert_eq!(apart(&[4, 5, 7]).unwrap(), "--cores-contender 7 --cores-load 4");
        assert_eq!(
            Cores::told(&[4, 5, 7], |_| None).apart().unwrap(),
            "--cores-contender 5,7 --cores-load 4"
        );
    }

    #[test]
    fn one_thread_of_every_core_is_named() {
        let hint = |mask: &[u32]| {
            let pairs = |core: u32| Some(format!("{}-{}", core & !1, core | 1));
            Cores::told(mask, pairs).threads().map(|finding| finding.hint)
        };
        assert!(
            hint(&[0, 1, 2, 3, 5])
                .unwrap()
                .starts_with("taskset -c 0,2,5 tare run;")
        );
        assert_eq!(
            hint(&[2, 3]).unwrap(),
            "",
            "one of them would be shared by contender and load"
        );
        assert_eq!(hint(&[0, 2]), None);
    }

    #[test]
    fn a_machine_of_one_core_is_told_that_nothing_cures_it() {
        let one = Cores::told(&[3], |_| None).placement();
        assert!(
            one.hint.is_empty() && one.found.contains("cores 3 alone"),
            "{}",
            one.found
        );
        let four = Cores::told(&[0, 1, 2, 3], |_| None).placement();
        assert!(four.hint.is_empty() && !four.found.contains("alone"));
    }
}
