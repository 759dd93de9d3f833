//! Axes: values to pixels, and where the ticks are.

/// A range of values on a range of pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    log: bool,
}

impl Scale {
    /// A logarithmic scale that holds these (positive) values with some space around them; none if there is no such value.
    ///
    /// Values beyond 10^±15 cannot be measured ratios or times, and do not stretch the axis.
    pub(super) fn log(values: impl Iterator<Item = f64>, from: f64, to: f64, air: f64) -> Option<Self> {
        let good = values.filter(|value| (1e-15..=1e15).contains(value));
        let (low, high) = good.fold((f64::INFINITY, 0.0f64), |(low, high), v| {
            (low.min(v), high.max(v))
        });
        if low > high {
            return None;
        }
        // At least 2% to either side, so that a single value has an axis.
        let reach = ((high / low).ln() * air).max(0.02);
        Some(Self {
            low: low * (-reach).exp(),
            high: high * reach.exp(),
            from,
            to,
            log: true,
        })
    }

    /// A linear scale from 0 to `high`.
    pub(super) fn linear(high: f64, from: f64, to: f64) -> Option<Self> {
        (high.is_finite() && high > 0.0).then_some(Self {
            low: 0.0,
            high,
            from,
            to,
            log: false,
        })
    }

    /// Where a value is, kept within the axis.
    pub(super) fn at(self, value: f64) -> f64 {
        let share = if self.log {
            (value.max(f64::MIN_POSITIVE) / self.low).ln() / (self.high / self.low).ln()
        } else {
            value / self.high
        };
        let share = if share.is_nan() {
            0.0
        } else {
            share.clamp(0.0, 1.0)
        };
        self.from + (self.to - self.from) * share
    }

    /// Ticks that are at least `apart` pixels from each other: the densest round series that allows it.
    pub(super) fn ticks(self, apart: f64) -> Vec<f64> {
        let series = if self.log {
            self.log_series()
        } else {
            self.linear_series()
        };
        let fits = |ticks: &Vec<f64>| {
            ticks.len() >= 2
                && ticks
                    .windows(2)
                    .all(|pair| (self.at(pair[1]) - self.at(pair[0])).abs() >= apart)
        };
        series.into_iter().find(fits).unwrap_or_default()
    }

    fn linear_series(self) -> Vec<Vec<f64>> {
        let decade = self.high.log10().floor() as i32;
        let steps = [-2, -1, 0]
            .into_iter()
            .flat_map(|d| [1.0, 2.0, 5.0].map(|m| m * 10f64.powi(decade + d)));
        steps.map(|step| self.multiples(step)).collect()
    }

    /// Multiples of a step if the range is narrow, else round numbers of each decade; the densest series first.
    fn log_series(self) -> Vec<Vec<f64>> {
        let mut all = Vec::new();
        let decade = self.low.log10().floor() as i32;
        if self.high / self.low < 2.5 {
            for d in -3..=1 {
                all.extend([1.0, 2.0, 5.0].map(|m| self.multiples(m * 10f64.powi(decade + d))));
            }
        }
        for mantissas in [
            &[1.0, 1.5, 2.0, 3.0, 5.0, 7.0][..],
            &[1.0, 2.0, 5.0],
            &[1.0, 3.0],
            &[1.0],
        ] {
            let last = self.high.log10().ceil() as i32;
            let ticks = (decade..=last).flat_map(|d| mantissas.iter().map(move |m| m * 10f64.powi(d)));
            all.push(ticks.filter(|tick| self.holds(*tick)).collect());
        }
        all
    }

    fn multiples(self, step: f64) -> Vec<f64> {
        let (first, last) = ((self.low / step).ceil() as i64, (self.high / step).floor() as i64);
        if last - first > 200 {
            return Vec::new();
        }
        (first..=last).map(|k| k as f64 * step).collect()
    }

    fn holds(self, value: f64) -> bool {
        value >= self.low && value <= self.high
    }
}

/// A tick's number without trailing zeros.
pub(super) fn tick(value: f64) -> String {
    let decimals = (2 - value.abs().max(1e-9).log10().floor() as i32).clamp(0, 6) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// A figure without trailing zeros: `20.0 µs` as `20 µs`.
pub(super) fn trim(figure: &str) -> String {
    let (number, unit) = figure.split_once(' ').unwrap_or((figure, ""));
    let digits = number.trim_end_matches(['k', 'M']);
    let letter = &number[digits.len()..];
    let digits = if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    };
    format!("{digits}{letter} {unit}").trim_end().to_owned()
}

/// The same for an axis that begins at zero, which has no unit.
pub(super) fn from_zero(figure: &str) -> String {
    let text = trim(figure);
    match text.split_once(' ') {
        Some(("0", _)) => "0".to_owned(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_ranges_get_even_ticks_and_wide_ones_decades() {
        let near = Scale::log([0.97, 1.04].into_iter(), 0.0, 400.0, 0.05).unwrap();
        let ticks: Vec<String> = near.ticks(44.0).into_iter().map(tick).collect();
        assert_eq!(ticks, ["0.96", "0.98", "1", "1.02", "1.04", "1.06"]);
        let far = Scale::log([0.01, 30.0].into_iter(), 0.0, 400.0, 0.05).unwrap();
        assert!(far.ticks(44.0).contains(&1.0));
        let linear = Scale::linear(26.4, 0.0, 400.0).unwrap();
        assert_eq!(linear.ticks(60.0), [0.0, 5.0, 10.0, 15.0, 20.0, 25.0]);
    }

    #[test]
    fn values_fall_where_they_should() {
        let scale = Scale::log([1.0, 100.0].into_iter(), 0.0, 100.0, 0.0).unwrap();
        assert!((scale.at(10.0) - 50.0).abs() < 0.5);
        assert_eq!(scale.at(1e9), 100.0);
        assert!(Scale::log([f64::NAN, -1.0].into_iter(), 0.0, 1.0, 0.1).is_none());
        let absurd = Scale::log([f64::MIN_POSITIVE, 1.0, 1e300].into_iter(), 0.0, 100.0, 0.1).unwrap();
        assert!(absurd.ticks(10.0).len() < 12);
        assert!(Scale::linear(0.0, 0.0, 1.0).is_none());
    }

    #[test]
    fn figures_lose_needless_zeros() {
        assert_eq!(trim("20.0 µs"), "20 µs");
        assert_eq!(trim("1.50k /s"), "1.5k /s");
        assert_eq!(trim("100 ns"), "100 ns");
        assert_eq!(
            (from_zero("0.00 s"), from_zero("0.50 s")),
            ("0".to_owned(), "0.5 s".to_owned())
        );
    }
}
