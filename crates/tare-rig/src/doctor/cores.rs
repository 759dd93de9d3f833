//! The cores that may be used, and which of them disturb each other.

use std::fs;

/// The cores of the affinity mask, and which of them are threads of one core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cores {
    allowed: Vec<u32>,
    /// Each with two cores or more, all of them allowed.
    shared: Vec<Vec<u32>>,
}

/// Cores for the load and for contenders that do not disturb each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Apart {
    /// The load's.
    pub load: u32,
    /// The contenders'.
    pub contender: Vec<u32>,
}

impl Cores {
    /// Of these cores, as this machine has them.
    pub fn here(allowed: &[u32]) -> Self {
        let path = |core| format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
        Self::with_siblings(allowed, |core| fs::read_to_string(path(core)).ok())
    }

    /// With the threads of each one's core as the kernel lists them: `0,2` or `0-1`.
    pub fn with_siblings(allowed: &[u32], siblings: impl Fn(u32) -> Option<String>) -> Self {
        let mut shared: Vec<Vec<u32>> = allowed
            .iter()
            .filter_map(|&core| parse_list(siblings(core)?.trim()))
            .map(|group| group.into_iter().filter(|core| allowed.contains(core)).collect())
            // They disturb each other only where two of them may be used.
            .filter(|group: &Vec<u32>| group.len() > 1)
            .collect();
        shared.sort();
        shared.dedup();
        Self {
            allowed: allowed.to_vec(),
            shared,
        }
    }

    /// The cores that may be used.
    pub fn allowed(&self) -> &[u32] {
        &self.allowed
    }

    /// Those of them that are threads of one core: two or more in each group.
    pub fn shared(&self) -> &[Vec<u32>] {
        &self.shared
    }

    /// The first core for the load, and the others for contenders, without the other threads of the load's core where
    /// there are more; none if there is only one core.
    pub fn apart(&self) -> Option<Apart> {
        let (&load, rest) = self.allowed.split_first()?;
        let beside = self.shared.iter().find(|group| group.contains(&load));
        let quiet: Vec<u32> = rest
            .iter()
            .copied()
            .filter(|core| !beside.is_some_and(|group| group.contains(core)))
            .collect();
        let contender = if quiet.is_empty() { rest.to_vec() } else { quiet };
        (!contender.is_empty()).then_some(Apart { load, contender })
    }

    /// One thread of every core.
    pub fn one_of_each(&self) -> Vec<u32> {
        let first = |core: &&u32| {
            let group = self.shared.iter().find(|group| group.contains(core));
            group.is_none_or(|group| group.first() == Some(core))
        };
        self.allowed.iter().filter(first).copied().collect()
    }
}

/// The numbers of a list of the kernel's: `0`, `0,2`, `0-3,8`. None if it is not one.
fn parse_list(text: &str) -> Option<Vec<u32>> {
    let mut cores = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        if last < first || last >= 4096 {
            return None;
        }
        cores.extend(first..=last);
    }
    Some(cores)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_the_kernel_are_read() {
        assert_eq!(parse_list("0"), Some(vec![0]));
        assert_eq!(parse_list("0-2,8"), Some(vec![0, 1, 2, 8]));
        for bad in ["", "x", "1-", "3-1", "0,,1", "0-4294967295"] {
            assert_eq!(parse_list(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn only_threads_that_may_both_be_used_share_a_core() {
        let halves = |core: u32| Some(format!("{},{}\n", core % 4, core % 4 + 4));
        let shared = |mask: &[u32]| Cores::with_siblings(mask, halves).shared;
        assert_eq!(shared(&[0, 1, 4, 5]), [[0, 4], [1, 5]]);
        assert_eq!(shared(&[0, 1, 4]), [[0, 4]]);
        assert_eq!(shared(&[0, 1, 2, 3]), Vec::<Vec<u32>>::new());
        assert_eq!(
            Cores::with_siblings(&[0, 1], |_| Some("nonsense".to_owned())).shared,
            Vec::<Vec<u32>>::new()
        );
    }

    #[test]
    fn the_load_gets_a_core_of_its_own_and_no_thread_beside_it() {
        let pairs = |core: u32| Some(format!("{}-{}", core & !1, core | 1));
        let apart = |mask: &[u32]| {
            let apart = Cores::with_siblings(mask, pairs).apart();
            apart.map(|apart| (apart.load, apart.contender))
        };
        assert_eq!(apart(&[3]), None);
        assert_eq!(apart(&[]), None);
        assert_eq!(apart(&[2, 3]), Some((2, vec![3])));
        assert_eq!(apart(&[4, 5, 7]), Some((4, vec![7])));
        let single = Cores::with_siblings(&[4, 5, 7], |_| None).apart().unwrap();
        assert_eq!(single.contender, [5, 7]);
    }

    #[test]
    fn one_thread_of_every_core_is_named() {
        let pairs = |core: u32| Some(format!("{}-{}", core & !1, core | 1));
        let of = |mask: &[u32]| Cores::with_siblings(mask, pairs).one_of_each();
        assert_eq!(of(&[0, 1, 2, 3, 5]), [0, 2, 5]);
        assert_eq!((of(&[2, 3]), of(&[0, 2])), (vec![2], vec![0, 2]));
    }
}
