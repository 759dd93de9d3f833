//! Values as people type them: `10m`, `1%`, `slower:node`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use tare_model::ids::ContenderId;
use tare_model::metric::Metric;
pub use tare_model::placement::Cores;
use tare_model::units::parse_time;

/// A length of time: `10m`, `90s`, `250ms`, `1h`; a bare number is seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span(pub Duration);

/// A percentage: `1%`, or a bare `1` which means the same. Kept as a share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Percent(pub f64);

/// A chance of error: a percentage above 0. Kept as a share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chance(pub f64);

/// Requests a second: more than 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate(pub f64);

/// A gate.
#[derive(Debug, Clone, PartialEq)]
pub struct FailIf {
    /// Whether inconclusive comparisons fail too.
    pub not_proven: bool,
    /// Only this contender counts.
    pub name: Option<ContenderId>,
    /// Figures are held against a limit, instead of comparisons against a verdict.
    pub limit: Option<Limit>,
}

/// A limit that a figure may not be beyond: `latency_p99 > 200ms`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limit {
    pub metric: Metric,
    /// Whether more is beyond it; else less.
    pub above: bool,
    /// In the metric's unit.
    pub value: f64,
}

impl Limit {
    /// Whether a value is beyond it.
    pub fn is_beyond(&self, value: f64) -> bool {
        if self.above {
            value > self.value
        } else {
            value < self.value
        }
    }
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        parse_time(text).map(Self)
    }
}

impl FromStr for Percent {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.strip_suffix('%').unwrap_or(text).trim();
        let value: f64 = number
            .parse()
            .map_err(|_| format!("`{text}` is not a percentage: expected one as in 1%"))?;
        if (0.0..=50.0).contains(&value) {
            Ok(Percent(value / 100.0))
        } else {
            Err(format!("`{text}` is out of range: from 0% to 50%"))
        }
    }
}

impl FromStr for Chance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<Percent>()? {
            Percent(0.0) => {
                Err("without any chance of error nothing can be decided: expected more than 0%".to_owned())
            }
            Percent(share) => Ok(Chance(share)),
        }
    }
}

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<f64>() {
            Ok(rate) if rate > 0.0 && rate.is_finite() => Ok(Rate(rate)),
            _ => Err(format!(
                "`{text}` is not a rate: expected a number of requests a second, more than 0"
            )),
        }
    }
}

/// What gates there are.
const GATES: &str =
    "a gate is slower, not-proven, or a limit such as 'latency_p99 > 200ms'; slower:NAME is about one alone";

impl FromStr for FailIf {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(at) = text.find(['>', '<']) {
            return limit(text, at);
        }
        let (what, name) = with_name(text)?;
        let not_proven = match what {
            "slower" => false,
            "not-proven" => true,
            _ => {
                let near = ["slower", "not-proven"]
                    .into_iter()
                    .find(|gate| strsim::osa_distance(what, gate) <= 2);
                let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
                return Err(format!("there is no gate `{what}`\n\nhint: {near}{GATES}"));
            }
        };
        Ok(FailIf {
            not_proven,
            name,
            limit: None,
        })
    }
}

/// `WHAT`, or `WHAT:NAME`.
fn with_name(text: &str) -> Result<(&str, Option<ContenderId>), String> {
    match text.split_once(':') {
        Some((what, name)) => Ok((what, Some(name.parse().map_err(|error| format!("{error}"))?))),
        None => Ok((text, None)),
    }
}

fn limit(text: &str, at: usize) -> Result<FailIf, String> {
    let (what, rest) = text.split_at(at);
    let (what, name) = with_name(what.trim())?;
    let metric: Metric = what.parse().map_err(|error| format!("{error}"))?;
    let value = rest[1..].trim();
    Ok(FailIf {
        not_proven: false,
        name,
        limit: Some(Limit {
            metric,
            above: rest.starts_with('>'),
            value: amount(metric, value)?,
        }),
    })
}

/// A figure as people write it, in the metric's own unit: `200ms`, `10k/s`, `64MiB`.
fn amount(metric: Metric, text: &str) -> Result<f64, String> {
    const TIMES: [(&str, f64); 7] = [
        ("ns", 1e-9),
        ("µs", 1e-6),
        ("us", 1e-6),
        ("ms", 1e-3),
        ("s", 1.0),
        ("m", 60.0),
        ("h", 3600.0),
    ];
    const RATES: [(&str, f64); 4] = [("", 1.0), ("/s", 1.0), ("k/s", 1e3), ("M/s", 1e6)];
    const SIZES: [(&str, f64); 7] = [
        ("B", 1.0),
        ("kB", 1e3),
        ("MB", 1e6),
        ("GB", 1e9),
        ("KiB", 1024.0),
        ("MiB", 1_048_576.0),
        ("GiB", 1_073_741_824.0),
    ];
    let (units, as_in): (&[(&str, f64)], &str) = match metric.unit() {
        "1/s" => (&RATES, "5000/s or 10k/s"),
        "bytes" => (&SIZES, "64MiB or 500kB"),
        _ => (&TIMES, "200ms or 1.5s"),
    };
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = (text[..end].parse::<f64>().ok(), text[end..].trim());
    let scale = units.iter().find(|(name, _)| *name == unit);
    match number.zip(scale) {
        Some((number, (_, scale))) => Ok(number * scale),
        None => Err(format!(
            "`{text}` is no limit of {}: expected one as in {as_in}",
            metric.title()
        )),
    }
}

impl fmt::Display for FailIf {
    /// As it was typed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self
            .name
            .as_ref()
            .map_or(String::new(), |name| format!(":{name}"));
        match &self.limit {
            Some(limit) => {
                let sign = if limit.above { '>' } else { '<' };
                write!(
                    f,
                    "{}{name} {sign} {}",
                    limit.metric,
                    limit.metric.show(limit.value)
                )
            }
            None if self.not_proven => write!(f, "not-proven{name}"),
            None => write!(f, "slower{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages() {
        assert_eq!("1%".parse::<Percent>(), Ok(Percent(0.01)));
        assert_eq!("5".parse::<Percent>(), Ok(Percent(0.05)));
        assert_eq!("0".parse::<Percent>(), Ok(Percent(0.0)));
        assert!("51%".parse::<Percent>().is_err() && "x".parse::<Percent>().is_err());
        assert!("NaN".parse::<Percent>().is_err());
    }

    #[test]
    fn chances_and_rates() {
        assert_eq!("5%".parse::<Chance>(), Ok(Chance(0.05)));
        assert!("0%".parse::<Chance>().is_err() && "-1%".parse::<Chance>().is_err());
        assert_eq!("0.5".parse::<Rate>(), Ok(Rate(0.5)));
        for bad in ["0", "-1", "inf", "NaN", "1k", ""] {
            assert!(bad.parse::<Rate>().is_err(), "{bad}");
        }
    }

    #[test]
    fn gates() {
        let named = "slower:node".parse::<FailIf>().unwrap();
        assert_eq!(
            (named.not_proven, named.name),
            (false, Some(ContenderId::plain("node")))
        );
        assert!("not-proven".parse::<FailIf>().unwrap().not_proven);
        let slip = "slow".parse::<FailIf>().unwrap_err();
        assert!(
            slip.contains("no gate `slow`") && slip.contains("did you mean `slower`?"),
            "{slip}"
        );
    }

    #[test]
    fn limits() {
        let of = |text: &str| text.parse::<FailIf>().map(|gate| gate.to_string());
        assert_eq!(of("latency_p99 > 200ms").as_deref(), Ok("latency_p99 > 200 ms"));
        assert_eq!(
            of("throughput:go<10k/s").as_deref(),
            Ok("throughput:go < 10.0k /s")
        );
        assert_eq!(of("memory_peak > 64MiB").as_deref(), Ok("memory_peak > 64.0 MiB"));
        assert_eq!(of("cpu_per_op>1.5us").as_deref(), Ok("cpu_per_op > 1.50 µs"));
        for bad in [
            "latency_p99 > 200",
            "latency_p99 > ",
            "p98 > 1s",
            "> 1s",
            "duration >= 1s",
            "throughput < 1s",
        ] {
            assert!(of(bad).is_err(), "{bad}");
        }
        let limit = "duration < 1s".parse::<FailIf>().unwrap().limit.unwrap();
        assert!(limit.is_beyond(0.9) && !limit.is_beyond(1.0) && !limit.is_beyond(1.1));
    }
}
