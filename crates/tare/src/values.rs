//! Values as people type them: `10m`, `1%`, `slower:node`.

use std::str::FromStr;
use std::time::Duration;

use tare_model::ids::ContenderId;
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailIf {
    /// Whether inconclusive comparisons fail too.
    pub not_proven: bool,
    /// Only this contender's comparisons count.
    pub name: Option<ContenderId>,
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

impl FromStr for FailIf {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (what, name) = match text.split_once(':') {
            Some((what, name)) => (
                what,
                Some(name.parse::<ContenderId>().map_err(|error| error.to_string())?),
            ),
            None => (text, None),
        };
        match what {
            "slower" => Ok(FailIf {
                not_proven: false,
                name,
            }),
            "not-proven" => Ok(FailIf {
                not_proven: true,
                name,
            }),
            _ => Err(format!("`{what}` is not a gate: expected slower or not-proven")),
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
        assert!("slow".parse::<FailIf>().is_err());
    }
}
