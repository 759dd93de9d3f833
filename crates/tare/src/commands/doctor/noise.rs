//! What a minute of measuring says of this machine: how noisy it is, and what can be told on it.

use std::time::Duration;

use serde_json::{Value, json};
use tare_model::units::Seconds;

use super::clock::{self, Between, Moment};
use super::cores::Cores;
use super::decide::Twins;
use super::{Finding, finding, twins};
use crate::context::Context;
use crate::failure::Failure;

/// More than this share of the cores' time stolen widens intervals visibly; so does some task waiting for so much of
/// the time beyond what tare's own processes make wait.
const MUCH_STEAL: f64 = 0.01;

/// A timer that is later than this one time in a hundred makes an open loop send in bursts.
const LATE: f64 = 0.001;

/// Times that are looked ahead to, in seconds, and their names.
const BUDGETS: [(f64, &str); 2] = [(60.0, "1 minute"), (600.0, "10 minutes")];

/// What counts as equivalent by default.
const MARGIN: f64 = 0.01;

/// What was found.
pub struct Noise {
    load_before: Option<f64>,
    cores: Cores,
    late: Vec<f64>,
    between: Between,
    twins: Vec<Twins>,
}

/// Measures for about so long: the twins take it, and looking takes a few seconds more.
pub fn measure(context: &Context, cores: Cores, time: Duration) -> Result<Noise, Failure> {
    context.say(format!(
        "measuring this machine's noise, for about {} s (`--quick` leaves it out)",
        time.as_secs()
    ));
    let load_before = clock::load_average();
    let began = Moment::now();
    let late = clock::lateness();
    let twins = twins::measure(time)?;
    let all = std::thread::available_parallelism().map_or(cores.count(), usize::from);
    Ok(Noise {
        load_before,
        cores,
        late,
        between: began.since(all),
        twins,
    })
}

impl Noise {
    /// For people.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = vec![self.steal(), self.timers()];
        findings.extend(self.others());
        findings.extend(self.cores.threads());
        findings.extend(self.twins.iter().flat_map(of_twins));
        findings
    }

    fn steal(&self) -> Finding {
        let share = self.between.steal;
        let found = format!("{} of the cores' time in this minute", percent(share));
        let hint = "tare run --budget 30m: more rounds narrow what it widens; a machine whose cores are its own has none";
        finding("stolen time", found, if share > MUCH_STEAL { hint } else { "" })
    }

    fn timers(&self) -> Finding {
        let at = |share| Seconds(clock::quantile(&self.late, share));
        let found = format!(
            "late by {} at the median, {} at p99, {} at most",
            at(0.5),
            at(0.99),
            at(1.0)
        );
        let hint = match (at(0.99).0 > LATE, self.cores.apart()) {
            (false, _) => String::new(),
            (true, Some(apart)) => {
                format!("tare run {apart}: on a core of its own an open loop waits awake, without timers")
            }
            (true, None) => {
                let found =
                    format!("{found}; with a second core an open loop could wait awake on one of its own");
                return finding("timers", found, "");
            }
        };
        finding("timers", found, &hint)
    }

    /// Others that want the cores, from before anything was measured.
    fn others(&self) -> Option<Finding> {
        let load = self.load_before?;
        let found = format!(
            "{load:.1} tasks ran or waited in the minute before, on {} cores",
            self.cores.count()
        );
        let hint = "top -b -n 1 -o %CPU | head -15: shows who it is; end it, or wait";
        Some(finding("other work", found, if load > 0.3 { hint } else { "" }))
    }

    /// For programs.
    pub fn document(&self) -> Value {
        let told = |twins: &Twins| {
            let in_time = |seconds| json!({"apart": twins.told_in(seconds, 0.0), "beyond_margin": twins.told_in(seconds, MARGIN)});
            json!({
                "metric": twins.metric,
                "round_sd": twins.round,
                "launch_sd": twins.spread(),
                "launches": twins.centres.len(),
                "rounds": twins.rounds,
                "launch_seconds": twins.launch,
                "told_in_1_minute": in_time(BUDGETS[0].0),
                "told_in_10_minutes": in_time(BUDGETS[1].0),
            })
        };
        json!({
            "steal": self.between.steal,
            "pressure": self.between.pressure,
            "load_before": self.load_before,
            "timer_p50": clock::quantile(&self.late, 0.5),
            "timer_p99": clock::quantile(&self.late, 0.99),
            "timer_max": clock::quantile(&self.late, 1.0),
            "margin": MARGIN,
            "twins": self.twins.iter().map(told).collect::<Vec<_>>(),
        })
    }
}

/// What two of the same looked like, and what can be told by that.
fn of_twins(twins: &Twins) -> [Finding; 2] {
    let noise = format!(
        "{}: two of the same differ by {} in a round and {} in a launch of {} rounds (one standard deviation)",
        twins.what,
        percent(twins.round),
        percent(twins.spread()),
        twins.rounds
    );
    let told =
        |(seconds, name): (f64, &str)| match (twins.told_in(seconds, 0.0), twins.told_in(seconds, MARGIN)) {
            (Some(apart), Some(beyond)) => {
                format!(
                    "in {name} from {} on, by more than 1% from {}",
                    percent(apart),
                    percent(beyond)
                )
            }
            _ => format!("in {name} none: it holds too few launches"),
        };
    let decided = format!(
        "{} (in nine runs in ten, at α = 5%)",
        BUDGETS.map(told).join("; ")
    );
    [
        finding("noise", noise, ""),
        finding("differences told", decided, ""),
    ]
}

fn percent(share: f64) -> String {
    match share.abs() * 100.0 {
        large if large >= 9.95 => format!("{large:.0}%"),
        middle if middle >= 0.095 => format!("{middle:.1}%"),
        small => format!("{small:.2}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::cores::tests::machines;
    use super::super::tests::commands;
    use super::*;

    fn noise(steal: f64, late: f64, load: f64, cores: &Cores) -> Noise {
        let between = Between {
            steal,
            pressure: None,
        };
        Noise {
            load_before: Some(load),
            cores: cores.clone(),
            late: vec![late; 100],
            between,
            twins: vec![Twins {
                what: "work",
                metric: "time_per_op",
                round: 0.02,
                rounds: 20,
                centres: vec![0.001, -0.001, 0.002],
                launch: 5.0,
            }],
        }
    }

    /// On every machine: what is loud has a command, and where cores would be needed that are not there, it is said.
    #[test]
    fn each_finding_says_its_size_and_what_is_bad_has_a_command() {
        for cores in machines() {
            let calm = noise(0.001, 0.0001, 0.1, &cores).findings();
            let mut cured = calm.iter().filter(|one| !one.hint.is_empty());
            assert!(cured.all(|one| one.what == "threads"), "{cores:?}");
            let loud = noise(0.05, 0.01, 3.0, &cores).findings();
            commands(&loud, &cores);
            let of = |what: &str| loud.iter().find(|one| one.what == what).unwrap();
            assert!(of("stolen time").found.contains("5.0%") && !of("stolen time").hint.is_empty());
            assert!(of("other work").hint.starts_with("top "));
            assert_eq!(of("timers").hint.is_empty(), cores.count() == 1, "{cores:?}");
            assert_eq!(of("timers").found.contains("second core"), cores.count() == 1);
            let told = &loud.last().unwrap().found;
            assert!(
                told.contains("in 1 minute")
                    && told.contains("in 10 minutes")
                    && told.contains("nine runs in ten"),
                "{told}"
            );
        }
    }

    #[test]
    fn the_document_has_the_figures() {
        let document = noise(0.05, 0.01, 3.0, &machines()[0]).document();
        let twins = &document["twins"][0];
        let told = |name: &str| twins[name]["beyond_margin"].as_f64().unwrap();
        assert!(told("told_in_1_minute") > told("told_in_10_minutes"));
        assert_eq!((&document["steal"], &twins["rounds"]), (&json!(0.05), &json!(20)));
    }
}
