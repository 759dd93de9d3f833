//! Where everything ran, in words.

use tare_model::metric::Mode;
use tare_model::placement::{Cores, Placement};
use tare_model::results::{ServiceCost, WorkloadResult};

use super::number::list;
use crate::escape::one_line;

/// Which cores each side had: `contender on core 1, load on core 0`, with a caveat if they share any. In process there
/// is no load: `contender on core 1, tare on core 0`.
pub fn placement(result: &WorkloadResult) -> String {
    let placement = &result.placement;
    if result.mode == Mode::Command {
        return format!("commands on {}, one at a time", cores(&placement.contender));
    }
    if result.driving.in_process() && !placement.contender.is_empty() && !placement.load.is_empty() {
        let (contender, own) = (cores(&placement.contender), cores(&placement.load));
        return format!("contender on {contender}, tare on {own}");
    }
    sides(placement)
}

fn sides(placement: &Placement) -> String {
    let (contender, load) = (cores(&placement.contender), cores(&placement.load));
    if placement.contender.is_empty() && !placement.load.is_empty() {
        return format!("load on {load}; tare did not place the contenders");
    }
    if placement.contender.is_empty() || placement.load.is_empty() {
        return "placement was not recorded".to_owned();
    }
    let services = services_beside(placement);
    if !placement.shared() {
        return format!("contender on {contender}, load on {load}{services}");
    }
    let caveat = "not comparable with separate-core results";
    if contender == load {
        return format!("load and contender share {contender}{services}: {caveat}");
    }
    format!("contender on {contender} and load on {load} share cores{services}: {caveat}")
}

/// Where the services ran, in brackets, for the end of a sentence on placement.
fn services_beside(placement: &Placement) -> String {
    if placement.services.is_empty() {
        return String::new();
    }
    let names: Vec<String> = placement.services.iter().map(|name| one_line(name)).collect();
    let verb = if names.len() == 1 { "runs" } else { "run" };
    format!(" ({} {verb} beside the load, never paused)", list(&names))
}

/// What a service used for a contender: `25.3 µs of CPU per right answer, not included in the contender's`.
pub fn service_cost(cost: &ServiceCost) -> String {
    format!(
        "{} of CPU per right answer, not included in the contender's",
        cost.cpu_per_op
    )
}

/// `core 1`, `cores 0–3, 6`.
pub fn cores(list: &[u32]) -> String {
    Cores(list.to_vec()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placements_in_words() {
        let place = |contender: &[u32], load: &[u32]| {
            sides(&Placement {
                contender: contender.to_vec(),
                load: load.to_vec(),
                services: Vec::new(),
            })
        };
        assert_eq!(place(&[1], &[0]), "contender on core 1, load on core 0");
        assert_eq!(
            place(&[5, 2, 3], &[0, 1]),
            "contender on cores 2–3, 5, load on cores 0–1"
        );
        assert_eq!(
            place(&[0, 1], &[1, 0]),
            "load and contender share cores 0–1: not comparable with separate-core results"
        );
        assert!(place(&[0, 1], &[0]).contains("share cores: not comparable"));
        assert_eq!(place(&[], &[]), "placement was not recorded");
        assert_eq!(
            place(&[], &[0]),
            "load on core 0; tare did not place the contenders"
        );
        let mut served = Placement {
            contender: vec![1],
            load: vec![0],
            services: vec!["db".to_owned()],
        };
        assert_eq!(
            sides(&served),
            "contender on core 1, load on core 0 (db runs beside the load, never paused)"
        );
        served.services.push("cache".to_owned());
        served.contender = vec![0];
        assert_eq!(
            sides(&served),
            "load and contender share core 0 (db and cache run beside the load, never paused): not comparable with \
             separate-core results"
        );
    }
}
