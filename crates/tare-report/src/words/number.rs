//! Numbers in words: counts, ratios, shares, figures with their intervals.

use tare_model::estimate::Estimate;
use tare_model::metric::Metric;
use tare_model::units::three_digits;

/// `launch` or `launches`.
pub fn plural(count: u64, unit: &str) -> String {
    let end = match count {
        1 => "",
        _ if unit.ends_with("ch") || unit.ends_with("ss") => "es",
        _ => "s",
    };
    format!("{unit}{end}")
}

/// `1 launch`, `8 launches`.
pub fn counted(count: u64, unit: &str) -> String {
    format!("{} {}", grouped(count), plural(count, unit))
}

/// A count with commas between thousands: `1,234,567`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A figure in the metric's unit as a person writes it. A value that no machine can have measured gets an exponent, so
/// that it fits into a table.
pub fn show(metric: Metric, value: f64) -> String {
    if value.is_finite() && value.abs() >= 1e12 && metric != Metric::MemoryPeak {
        return format!("{value:.2e} {}", metric.unit());
    }
    metric.show(value)
}

/// A ratio with three or four significant digits: `0.0123`, `2.310`, `12.30`, `123`.
pub fn ratio(value: f64) -> String {
    if value != 0.0 && value.is_finite() && !(0.00095..1e6).contains(&value.abs()) {
        return format!("{value:.2e}");
    }
    let decimals = match value.abs() {
        v if v < 0.09995 => 4,
        v if v < 9.9995 => 3,
        v if v < 99.995 => 2,
        _ => 0,
    };
    format!("{value:.decimals$}")
}

/// A ratio and its interval: `0.677 (0.671–0.683)`, or `0.677 (no interval)`.
pub fn ratio_and_interval(value: f64, limits: Option<(f64, f64)>) -> String {
    match limits {
        Some((low, high)) => format!("{} ({}–{})", ratio(value), ratio(low), ratio(high)),
        None => format!("{} (no interval)", ratio(value)),
    }
}

/// A figure and its interval, with the unit once if all three numbers share it: `8.93 µs (8.86–9.01)`.
pub fn estimate(metric: Metric, estimate: &Estimate) -> String {
    let middle = show(metric, estimate.estimate);
    let Some((low, high)) = estimate.low.zip(estimate.high) else {
        return format!("{middle} (no interval)");
    };
    let (low, high) = (show(metric, low), show(metric, high));
    match (
        middle.rsplit_once(' '),
        low.rsplit_once(' '),
        high.rsplit_once(' '),
    ) {
        (Some((_, unit)), Some((low, of_low)), Some((high, of_high)))
            if unit == of_low && unit == of_high =>
        {
            format!("{middle} ({low}–{high})")
        }
        _ => format!("{middle} ({low}–{high})"),
    }
}

/// A share as a percentage without trailing zeros: `5%`, `0.625%`, `0.6%`.
pub fn percent(share: f64) -> String {
    let value = share * 100.0;
    let decimals = match value.abs() {
        v if v >= 10.0 => 0,
        v if v >= 1.0 => 1,
        v if v >= 0.1 => 3,
        0.0 => 0,
        _ => 4,
    };
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    format!("{text}%")
}

/// A small difference: `0.7%`, `0.04%`.
pub(super) fn slight(share: f64) -> String {
    let value = share * 100.0;
    let decimals = if value < 0.095 { 2 } else { 1 };
    format!("{value:.decimals$}%")
}

/// A measured share, with at most two digits: `34%`, `1.2%`, `0.03%`.
pub fn measured_percent(share: f64) -> String {
    let value = share * 100.0;
    match value.abs() {
        0.0 => "0%".to_owned(),
        v if v < 0.005 => "<0.01%".to_owned(),
        v if v < 0.995 => format!("{value:.2}%"),
        v if v < 9.95 => format!("{value:.1}%"),
        _ => format!("{value:.0}%"),
    }
}

/// `3`, or `2–4`.
pub fn span((low, high): (u32, u32)) -> String {
    if low == high {
        low.to_string()
    } else {
        format!("{low}–{high}")
    }
}

/// The text with a capital first letter.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// Items as a list in prose: `a`, `a and b`, `a, b and c`.
pub fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A number with three significant digits, such as a count per operation.
pub fn number(value: f64) -> String {
    three_digits(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_words() {
        for (share, text) in [
            (0.05, "5%"),
            (0.00625, "0.625%"),
            (0.01, "1%"),
            (0.025, "2.5%"),
            (0.0, "0%"),
            (1.0, "100%"),
        ] {
            assert_eq!(percent(share), text);
        }
        assert_eq!(ratio(0.012345), "0.0123");
        assert_eq!(
            (ratio(1.5e-7), ratio(2.5e9), ratio(0.0)),
            ("1.50e-7".into(), "2.50e9".into(), "0.0000".into())
        );
        assert_eq!(ratio_and_interval(12.3, Some((9.9, 101.0))), "12.30 (9.900–101)");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(list(&["a".into(), "b".into(), "c".into()]), "a, b and c");
        let figure = Estimate {
            estimate: 8.93e-6,
            low: Some(8.86e-6),
            high: Some(9.01e-6),
        };
        assert_eq!(estimate(Metric::CpuPerOp, &figure), "8.93 µs (8.86–9.01)");
        let wide = Estimate {
            low: Some(0.9e-6),
            ..figure
        };
        assert_eq!(estimate(Metric::CpuPerOp, &wide), "8.93 µs (900 ns–9.01 µs)");
    }
}
