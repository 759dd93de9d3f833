//! Units as types, so that a rate cannot be mistaken for a time.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A length of time in seconds. Never negative in a measurement.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seconds(pub f64);

/// Events per second.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PerSecond(pub f64);

/// A count of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bytes(pub u64);

/// A share of a whole, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Share(pub f64);

impl Seconds {
    /// From whole nanoseconds.
    pub fn from_nanos(nanos: u64) -> Self {
        Self(nanos as f64 / 1e9)
    }

    /// From a standard duration.
    pub fn from_duration(duration: Duration) -> Self {
        Self(duration.as_secs_f64())
    }
}

impl fmt::Display for Seconds {
    /// Three significant digits in the unit that suits: `812 ns`, `8.30 µs`, `1.20 ms`, `5.30 s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = self.0.abs();
        let (scale, unit) = match magnitude {
            0.0 => (1.0, "s"),
            m if m < 0.9995e-6 => (1e9, "ns"),
            m if m < 0.9995e-3 => (1e6, "µs"),
            m if m < 0.9995 => (1e3, "ms"),
            _ => (1.0, "s"),
        };
        write!(f, "{} {unit}", three_digits(self.0 * scale))
    }
}

impl fmt::Display for PerSecond {
    /// `950 /s`, `12.3k /s`, `1.30M /s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.abs() {
            r if r < 999.5 => write!(f, "{} /s", three_digits(self.0)),
            r if r < 999_500.0 => write!(f, "{}k /s", three_digits(self.0 / 1e3)),
            _ => write!(f, "{}M /s", three_digits(self.0 / 1e6)),
        }
    }
}

impl fmt::Display for Bytes {
    /// `812 B`, `1.20 KiB`, `45.0 MiB`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0 as f64;
        match self.0 {
            0..1024 => write!(f, "{} B", self.0),
            1024..1_048_576 => write!(f, "{} KiB", three_digits(bytes / 1024.0)),
            1_048_576..1_073_741_824 => write!(f, "{} MiB", three_digits(bytes / 1_048_576.0)),
            _ => write!(f, "{} GiB", three_digits(bytes / 1_073_741_824.0)),
        }
    }
}

/// A length of time as people write it: `10m`, `90s`, `250ms`, `1h`; a bare number is seconds.
///
/// # Errors
/// What was expected and what was found.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let scale = match unit {
        "ms" => 1e-3,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => {
            return Err(format!(
                "`{unit}` is not a unit of time: expected ms, s, m or h, as in 90s or 10m"
            ));
        }
    };
    let value: f64 = number
        .parse()
        .map_err(|_| format!("`{text}` is not a time: expected one as in 90s or 10m"))?;
    let seconds = value * scale;
    if seconds > 0.0 && seconds <= 30.0 * 86400.0 {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(format!(
            "`{text}` is out of range: a time is more than 0 and at most 30 days"
        ))
    }
}

/// A length of time as [`parse_time`] reads it: `10m`, `90s`, `250ms`.
pub fn time_text(time: Duration) -> String {
    let millis = time.as_millis();
    if millis.is_multiple_of(60_000) {
        format!("{}m", millis / 60_000)
    } else if millis.is_multiple_of(1000) {
        format!("{}s", millis / 1000)
    } else {
        format!("{millis}ms")
    }
}

/// A number with three significant digits and no exponent.
pub fn three_digits(value: f64) -> String {
    let magnitude = value.abs();
    let decimals = match magnitude {
        m if m >= 99.95 => 0,
        m if m >= 9.995 => 1,
        _ => 2,
    };
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_as_people_write_them() {
        let cases = [
            (812e-9, "812 ns"),
            (8.3e-6, "8.30 µs"),
            (0.99999e-6, "1.00 µs"),
            (1.2e-3, "1.20 ms"),
            (5.3, "5.30 s"),
            (0.0, "0.00 s"),
            (123.4, "123 s"),
        ];
        for (value, text) in cases {
            assert_eq!(Seconds(value).to_string(), text);
        }
    }

    #[test]
    fn times_are_read_as_they_are_written() {
        let millis = |text: &str| parse_time(text).map(|time| time.as_millis());
        assert_eq!(millis("10m"), Ok(600_000));
        assert_eq!(millis("90"), Ok(90_000));
        assert_eq!(millis("250ms"), Ok(250));
        assert_eq!(millis("1.5s"), Ok(1500));
        for bad in ["", "s", "0s", "10 m", "1d", "-1s", "1e9h", "31h31h", "99999h"] {
            assert!(millis(bad).is_err(), "{bad}");
        }
        for text in ["10m", "90s", "250ms", "60m"] {
            assert_eq!(time_text(parse_time(text).unwrap()), text);
        }
    }

    #[test]
    fn rates_and_sizes_read_as_people_write_them() {
        assert_eq!(PerSecond(950.0).to_string(), "950 /s");
        assert_eq!(PerSecond(12_340.0).to_string(), "12.3k /s");
        assert_eq!(PerSecond(1.3e6).to_string(), "1.30M /s");
        assert_eq!(Bytes(1023).to_string(), "1023 B");
        assert_eq!(Bytes(1536).to_string(), "1.50 KiB");
    }
}
