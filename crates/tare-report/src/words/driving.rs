//! How contenders were driven, in words.

use tare_model::driving::{Driving, Load, Refill};

/// A driving as name and value: `connections 32`.
pub fn driving(driving: &Driving) -> Vec<(&'static str, String)> {
    match driving {
        Driving::Unknown => Vec::new(),
        Driving::InProcess { slice } => {
            vec![("the contender's own loop, in slices of about", slice.to_string())]
        }
        // Not known beforehand.
        Driving::Commands { runs: 0 } => Vec::new(),
        Driving::Commands { runs } => vec![("runs in a slice", runs.to_string())],
        Driving::Benchmark { iterations, time } => {
            let iterations = iterations.map(|count| ("iterations of a sample", count.to_string()));
            let time = time.map(|time| ("about the time of a sample", time.to_string()));
            iterations.into_iter().chain(time).collect()
        }
        Driving::Load(load) => of_load(load),
    }
}

fn of_load(load: &Load) -> Vec<(&'static str, String)> {
    let mut words = Vec::new();
    if let Some(rate) = load.rate {
        words.push(("rate for all", rate.to_string()));
    }
    if let Some(batch) = load.batch {
        words.push(("load programs at once", batch.programs.to_string()));
        words.push(("requests on each connection", batch.requests.to_string()));
    }
    words.push(("connections", listed(&load.connections)));
    let depth = match load.usage.refill {
        Refill::Batches if load.depth > 1 => format!("{}, in batches", load.depth),
        _ => load.depth.to_string(),
    };
    words.push(("in flight on each connection, at most", depth));
    if let Some(requests) = load.usage.renew_after {
        words.push(("a new connection after requests", requests.to_string()));
    }
    if let Some(awake) = load.awake {
        let how = if awake { "awake" } else { "asleep" };
        words.push(("waiting for send times", how.to_owned()));
    }
    words
}

/// The first thing in which a driving differs from an earlier one, by what was known of both beforehand:
/// `connections: 9 then, 4 now`.
pub fn driving_difference(then: &Driving, now: &Driving) -> Option<String> {
    let (then, now) = (driving(&then.planned()), driving(&now.planned()));
    let of = |list: &[(&str, String)], name: &str| {
        let known = list.iter().find(|(known, _)| *known == name);
        known.map_or("not said".to_owned(), |(_, value)| value.clone())
    };
    let mut names = then.iter().chain(&now).map(|(name, _)| *name);
    let name = names.find(|name| of(&now, name) != of(&then, name))?;
    Some(format!(
        "{name}: {} then, {} now",
        of(&then, name),
        of(&now, name)
    ))
}

/// Numbers with commas between: `16, 64`.
pub(super) fn listed(numbers: &[u32]) -> String {
    let texts: Vec<String> = numbers.iter().map(u32::to_string).collect();
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::units::PerSecond;

    #[test]
    fn a_difference_is_named_with_both_sides() {
        let load = |connections: Vec<u32>, rate| {
            Driving::Load(Load {
                connections,
                rate,
                ..Load::default()
            })
        };
        let now = load(vec![4], None);
        let of = |then: &Driving| driving_difference(then, &now);
        assert_eq!(of(&now), None);
        // What a run found out by itself is no difference.
        assert_eq!(of(&load(vec![4], Some(PerSecond(47_000.0)))), None);
        assert_eq!(
            of(&load(vec![9], None)).as_deref(),
            Some("connections: 9 then, 4 now")
        );
        assert_eq!(
            of(&Driving::Unknown).as_deref(),
            Some("connections: not said then, 4 now")
        );
    }
}
