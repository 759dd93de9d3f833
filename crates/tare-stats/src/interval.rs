//! A closed interval, which every verdict must show.

/// All values from `low` to `high`, both included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end; never below `low`.
    pub high: f64,
}

impl Interval {
    /// The interval of this half-width around a centre.
    pub fn around(centre: f64, half_width: f64) -> Self {
        Self {
            low: centre - half_width,
            high: centre + half_width,
        }
    }

    /// Whether the value lies inside or on an end.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Upper end minus lower end.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }

    /// From log units to ratios.
    pub fn exp(&self) -> Self {
        Self {
            low: self.low.exp(),
            high: self.high.exp(),
        }
    }
}
