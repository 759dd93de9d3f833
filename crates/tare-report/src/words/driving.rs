//! How contenders were driven, in words.

use tare_model::driving::{Driving, Load};

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
    words.push(("in flight on each connection, at most", load.depth.to_string()));
    if let Some(awake) = load.awake {
        let how = if awake { "awake" } else { "asleep" };
        words.push(("waiting for send times", how.to_owned()));
    }
    words
}

/// Numbers with commas between: `16, 64`.
pub(super) fn listed(numbers: &[u32]) -> String {
    let texts: Vec<String> = numbers.iter().map(u32::to_string).collect();
    texts.join(", ")
}
