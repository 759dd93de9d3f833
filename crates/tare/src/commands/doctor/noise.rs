//! What a minute of measuring says of this machine: how noisy it is, and which differences can be distinguished on it.

use std::time::Duration;

use serde_json::{Value, json};
use tare_model::units::Seconds;
use tare_rig::doctor::Cores;
use tare_rig::doctor::aa::AaReading;
use tare_rig::doctor::clock::{self, Between, Moment};
use tare_stats::aa::AaTest;

use super::{Check, aa, check, cores};
use crate::context::Context;
use crate::failure::Failure;

/// If the hypervisor steals more than this share of the cores' time, intervals widen visibly.
const MUCH_STEAL: f64 = 0.01;

/// If one timer in a hundred is later than this, in seconds, an open loop sends in bursts.
const LATE: f64 = 0.001;

/// Lengths of runs that differences are estimated for, in seconds, and their names.
const BUDGETS: [(f64, &str); 2] = [(60.0, "1 minute"), (600.0, "10 minutes")];

/// What counts as equivalent by default.
const MARGIN: f64 = 0.01;

/// What was found.
pub struct Noise {
    load_before: Option<f64>,
    cores: Cores,
    late: Vec<f64>,
    between: Between,
    aa: Vec<Compared>,
}

/// What an A/A test compared, and its noise.
struct Compared {
    what: &'static str,
    metric: &'static str,
    test: AaTest,
}

impl From<AaReading> for Compared {
    fn from(reading: AaReading) -> Self {
        let what = match (reading.case, reading.metric) {
            ("process", _) => "time of work in process",
            (_, "cpu_per_op") => "CPU per answer of a server",
            _ => "median latency of a server",
        };
        Self {
            what,
            metric: reading.metric,
            test: AaTest::new(&reading.log_ratios, reading.centres, reading.launch),
        }
    }
}

/// Measures for about this long: the A/A test takes it, and looking takes a few seconds more.
pub fn measure(context: &Context, cores: Cores, time: Duration) -> Result<Noise, Failure> {
    context.say(format!(
        "measuring this machine's noise, for about {} s (`--quick` leaves it out)",
        time.as_secs()
    ));
    let load_before = clock::load_average();
    let began = Moment::now();
    let late = clock::lateness();
    let aa = aa::measure(time)?;
    let all = std::thread::available_parallelism().map_or(cores.allowed().len(), usize::from);
    Ok(Noise {
        load_before,
        cores,
        late,
        between: began.since(all),
        aa: aa.into_iter().map(Compared::from).collect(),
    })
}

impl Noise {
    /// For people.
    pub fn checks(&self) -> Vec<Check> {
        let mut checks = vec![self.steal(), self.timers()];
        checks.extend(self.others());
        checks.extend(cores::threads(&self.cores));
        checks.extend(self.aa.iter().flat_map(of_aa));
        checks
    }

    fn steal(&self) -> Check {
        let share = self.between.steal;
        let found = format!("{} of the cores' time in this minute", percent(share));
        let hint = "tare run --budget 30m: more rounds narrow the intervals; a machine with dedicated cores has none";
        check("stolen time", found, if share > MUCH_STEAL { hint } else { "" })
    }

    fn timers(&self) -> Check {
        let at = |share| Seconds(clock::quantile(&self.late, share));
        let found = format!(
            "late by {} at the median, {} at p99, {} at most",
            at(0.5),
            at(0.99),
            at(1.0)
        );
        let hint = match (at(0.99).0 > LATE, cores::options_apart(&self.cores)) {
            (false, _) => String::new(),
            (true, Some(apart)) => {
                format!("tare run {apart}: on a core of its own an open loop waits awake, without timers")
            }
            (true, None) => {
                let found =
                    format!("{found}; with a second core an open loop could wait awake on one of its own");
                return check("timers", found, "");
            }
        };
        check("timers", found, &hint)
    }

    /// Other work on the cores, from before anything was measured.
    fn others(&self) -> Option<Check> {
        let load = self.load_before?;
        let found = format!(
            "{load:.1} tasks ran or waited in the minute before, on {} cores",
            self.cores.allowed().len()
        );
        let hint = "top -b -n 1 -o %CPU | head -15: shows what it is; end it, or wait";
        Some(check("other work", found, if load > 0.3 { hint } else { "" }))
    }

    /// For programs.
    pub fn document(&self) -> Value {
        let one = |compared: &Compared| {
            let test = &compared.test;
            let in_time = |seconds| json!({"any": test.distinguishable_in(seconds, 0.0), "beyond_margin": test.distinguishable_in(seconds, MARGIN)});
            json!({
                "metric": compared.metric,
                "round_sd": test.round,
                "launch_sd": test.spread(),
                "launches": test.centres.len(),
                "rounds": test.rounds,
                "launch_seconds": test.launch,
                "distinguishable_in_1_minute": in_time(BUDGETS[0].0),
                "distinguishable_in_10_minutes": in_time(BUDGETS[1].0),
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
            "aa": self.aa.iter().map(one).collect::<Vec<_>>(),
        })
    }
}

/// The noise of an A/A test, and which differences can be distinguished with it.
fn of_aa(compared: &Compared) -> [Check; 2] {
    let test = &compared.test;
    let noise = format!(
        "{}: in an A/A test the two differ by {} in a round and {} in a launch of {} rounds (one standard deviation)",
        compared.what,
        percent(test.round),
        percent(test.spread()),
        test.rounds
    );
    let in_time = |(seconds, name): (f64, &str)| {
        let least = |margin| test.distinguishable_in(seconds, margin);
        match (least(0.0), least(MARGIN)) {
            (Some(any), Some(beyond)) => {
                format!(
                    "in {name} from {} on, by more than 1% from {}",
                    percent(any),
                    percent(beyond)
                )
            }
            _ => format!("in {name} none: it holds too few launches"),
        }
    };
    let differences = format!(
        "{} (in nine runs in ten, at α = 5%)",
        BUDGETS.map(in_time).join("; ")
    );
    [
        check("noise", noise, ""),
        check("distinguishable", differences, ""),
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
            aa: vec![Compared {
                what: "work",
                metric: "time_per_op",
                test: AaTest {
                    round: 0.02,
                    rounds: 20,
                    centres: vec![0.001, -0.001, 0.002],
                    launch: 5.0,
                },
            }],
        }
    }

    /// On every machine: what is loud has a command, or the check says that cores are missing.
    #[test]
    fn each_finding_says_its_size_and_what_is_bad_has_a_command() {
        for cores in machines() {
            let calm = noise(0.001, 0.0001, 0.1, &cores).checks();
            let mut with_hint = calm.iter().filter(|one| !one.hint.is_empty());
            assert!(with_hint.all(|one| one.what == "threads"), "{cores:?}");
            let loud = noise(0.05, 0.01, 3.0, &cores).checks();
            commands(&loud, &cores);
            let of = |what: &str| loud.iter().find(|one| one.what == what).unwrap();
            assert!(of("stolen time").found.contains("5.0%") && !of("stolen time").hint.is_empty());
            assert!(of("other work").hint.starts_with("top "));
            assert_eq!(
                of("timers").hint.is_empty(),
                cores.allowed().len() == 1,
                "{cores:?}"
            );
            assert_eq!(
                of("timers").found.contains("second core"),
                cores.allowed().len() == 1
            );
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
        let test = &document["aa"][0];
        let least = |name: &str| test[name]["beyond_margin"].as_f64().unwrap();
        assert!(least("distinguishable_in_1_minute") > least("distinguishable_in_10_minutes"));
        assert_eq!((&document["steal"], &test["rounds"]), (&json!(0.05), &json!(20)));
    }
}
