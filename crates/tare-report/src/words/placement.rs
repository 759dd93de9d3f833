//! Where everything ran, in words.

use tare_model::metric::Mode;
use tare_model::placement::{Cores, Node, Placement};
use tare_model::results::{ServiceCost, WorkloadResult};

use super::number::{counted, list};
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
    if !placement.agents.is_empty() {
        return away(placement);
    }
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

/// The same where other machines drove the load, each with its host name and its CPU.
fn away(placement: &Placement) -> String {
    let nodes: Vec<String> = placement.agents.iter().map(node).collect();
    let on = match placement.load.as_slice() {
        [] => String::new(),
        chosen => format!(", on {} of each", cores(chosen)),
    };
    let load = format!("load from {}{on}", list(&nodes));
    match placement.contender.as_slice() {
        [] => format!("{load}; tare did not place the contenders"),
        own => format!(
            "contender on {}, {load}{}",
            cores(own),
            services_beside(placement)
        ),
    }
}

/// `n2:7400 (n2, AMD EPYC, 8 cores)`.
fn node(node: &Node) -> String {
    let known = [&node.host, &node.cpu].map(|text| one_line(text));
    let mut known: Vec<String> = known.into_iter().filter(|text| !text.is_empty()).collect();
    known.push(counted(u64::from(node.cores), "core"));
    format!("{} ({})", one_line(&node.name), known.join(", "))
}

/// Where the services ran, in brackets, for the end of a sentence on placement.
fn services_beside(placement: &Placement) -> String {
    if placement.services.is_empty() {
        return String::new();
    }
    let names: Vec<String> = placement.services.iter().map(|name| one_line(name)).collect();
    let verb = if names.len() == 1 { "runs" } else { "run" };
    let place = match (&placement.services_on, placement.agents.as_slice()) {
        (Some(other), _) => format!("on {}", node(other)),
        (None, []) => "beside the load".to_owned(),
        (None, _) => "beside the contenders".to_owned(),
    };
    format!(" ({} {verb} {place}, never paused)", list(&names))
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
                ..Placement::default()
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
            ..Placement::default()
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

    #[test]
    fn other_machines_that_drove_the_load_are_named() {
        let away = Placement {
            load: Vec::new(),
            agents: vec![
                Node {
                    name: "n2:7400".to_owned(),
                    host: "n2".to_owned(),
                    cpu: "AMD\u{1b} EPYC".to_owned(),
                    cores: 8,
                },
                Node {
                    name: "n3:7400".to_owned(),
                    cores: 1,
                    ..Node::default()
                },
            ],
            contender: vec![1],
            services: vec!["db".to_owned()],
            services_on: None,
        };
        let text = sides(&away);
        assert!(
            text.starts_with("contender on core 1, load from n2:7400 (n2, AMD"),
            "{text}"
        );
        assert!(
            text.contains("EPYC, 8 cores) and n3:7400 (1 core) (db runs beside the contenders"),
            "{text}"
        );
        assert!(!text.contains('\u{1b}'), "{text}");
        let elsewhere = Placement {
            services_on: Some(Node {
                name: "n4".to_owned(),
                cores: 2,
                ..Node::default()
            }),
            ..away.clone()
        };
        let text = sides(&elsewhere);
        assert!(
            text.ends_with("(db runs on n4 (2 cores), never paused)"),
            "{text}"
        );
        let chosen = Placement {
            load: vec![2, 3],
            contender: Vec::new(),
            ..away
        };
        let text = sides(&chosen);
        assert!(
            text.ends_with("on cores 2–3 of each; tare did not place the contenders"),
            "{text}"
        );
    }
}
