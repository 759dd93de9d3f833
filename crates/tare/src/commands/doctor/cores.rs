//! Checks on the cores, and commands for them.

use tare_rig::doctor::Cores;

use super::{Check, check};

/// The options that give the load a core for itself; none if there is only one core.
pub fn options_apart(cores: &Cores) -> Option<String> {
    let apart = cores.apart()?;
    Some(format!(
        "--cores-contender {} --cores-load {}",
        list(&apart.contender),
        apart.load
    ))
}

/// The cores that tare may use, and how to keep the load off contenders that share them by default.
pub fn placement(cores: &Cores) -> Check {
    let found = format!("tare may use cores {}", list(cores.allowed()));
    match (cores.allowed().len(), options_apart(cores)) {
        (2 | 3, Some(apart)) => check(
            "cores",
            format!("{found}: one for a contender and the rest for the load, or all shared"),
            &format!(
                "tare run {apart}: keeps the load off contenders that would use all cores (from four cores on they \
                 need not share)"
            ),
        ),
        (_, None) => check(
            "cores",
            format!(
                "{found} alone, which contender and load share: no command changes that, only a machine (or a mask) \
                 with a second core"
            ),
            "",
        ),
        _ => check("cores", found, ""),
    }
}

/// Cores that are threads of one core, and how to use one of each; none if there are none.
pub fn threads(cores: &Cores) -> Option<Check> {
    let groups: Vec<String> = cores.shared().iter().map(|group| list(group)).collect();
    if groups.is_empty() {
        return None;
    }
    let found = format!(
        "cores {} are threads of one core, and disturb each other",
        groups.join("; ")
    );
    let off = "echo off > /sys/devices/system/cpu/smt/control";
    let each = cores.one_of_each();
    Some(match each.len() {
        // With a single core, contender and load would share its one thread.
        1 => check(
            "threads",
            format!("{found}: there is no other core to use instead"),
            "",
        ),
        _ => check(
            "threads",
            found,
            &format!("taskset -c {} tare run; or {off}: uses one of each", list(&each)),
        ),
    })
}

/// The cores as options and `taskset` take them.
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
                    Cores::with_siblings(mask, |core| Some(single(core))),
                    Cores::with_siblings(mask, |core| Some(side_by_side(core))),
                    Cores::with_siblings(mask, |core| Some(halves(core))),
                    Cores::with_siblings(mask, |_| None),
                ]
            })
            .collect()
    }

    #[test]
    fn the_load_gets_a_core_of_its_own_and_no_thread_beside_it() {
        let pairs = |core: u32| Some(format!("{}-{}", core & !1, core | 1));
        let apart = |mask: &[u32]| options_apart(&Cores::with_siblings(mask, pairs));
        assert_eq!(apart(&[3]), None);
        assert_eq!(apart(&[]), None);
        assert_eq!(apart(&[2, 3]).unwrap(), "--cores-contender 3 --cores-load 2");
        assert_eq!(apart(&[4, 5, 7]).unwrap(), "--cores-contender 7 --cores-load 4");
        assert_eq!(
            options_apart(&Cores::with_siblings(&[4, 5, 7], |_| None)).unwrap(),
            "--cores-contender 5,7 --cores-load 4"
        );
    }

    #[test]
    fn one_thread_of_every_core_is_named() {
        let hint = |mask: &[u32]| {
            let pairs = |core: u32| Some(format!("{}-{}", core & !1, core | 1));
            threads(&Cores::with_siblings(mask, pairs)).map(|check| check.hint)
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
    fn for_a_machine_of_one_core_there_is_no_hint() {
        let one = placement(&Cores::with_siblings(&[3], |_| None));
        assert!(
            one.hint.is_empty() && one.found.contains("cores 3 alone"),
            "{}",
            one.found
        );
        let four = placement(&Cores::with_siblings(&[0, 1, 2, 3], |_| None));
        assert!(four.hint.is_empty() && !four.found.contains("alone"));
    }
}
