//! Whether rows of a table are drawn at random.

/// The number of bands that the table is cut into, to see whether draws are spread over it.
const BANDS: usize = 8;

/// Draws from a table, tested window by window: are they random, independent and even?
///
/// With R rows and n draws, the i-th draw repeats an earlier one with a chance of at most (i−1)/R whatever came
/// before, so the number of repeats S is at most (stochastically) a sum of independent trials with the mean
/// μ = n(n−1)/2R, and P(S ≥ a) ≤ exp(a − μ − a·ln(a/μ)) (Chernoff 1952). P(S = 0) is the product of 1 − i/R. Draws
/// in a band of share p are binomial: P(X ≥ k) and P(X ≤ k) are at most exp(−n·KL(k/n ‖ p)).
#[derive(Debug, Clone)]
pub(crate) struct Draws {
    /// What is drawn, in the plural.
    what: &'static str,
    rows: u32,
    window: u32,
    /// The least number of repeats that is too many, and whether none is too few.
    most: Option<u32>,
    some: bool,
    /// Draws in a band that are too few and too many.
    band: Option<(u32, u32)>,
    seen: Vec<u64>,
    bands: [u32; BANDS],
    drawn: u32,
    repeats: u32,
}

impl Draws {
    /// Tests windows of `window` draws; `alarm`: the chance that a window of honest draws fails.
    pub(crate) fn new(rows: u32, window: u32, alarm: f64) -> Self {
        let share = (alarm / 4.0).ln();
        let mean = f64::from(window) * f64::from(window - 1) / 2.0 / f64::from(rows);
        let too_many = |a: &u32| {
            let a = f64::from(*a);
            a > mean && a - mean - a * (a / mean).ln() <= share
        };
        let none = (0..window).map(|i| (1.0 - f64::from(i) / f64::from(rows)).max(0.0).ln());
        Self {
            what: "ids",
            rows,
            window,
            most: (1..=window).find(too_many),
            some: none.sum::<f64>() <= share,
            band: band(rows, window, (alarm / 2.0 / BANDS as f64 / 2.0).ln()),
            seen: vec![0; rows as usize / 64 + 1],
            bands: [0; BANDS],
            drawn: 0,
            repeats: 0,
        }
    }

    /// What is drawn, in the plural, for messages.
    pub(crate) fn of(self, what: &'static str) -> Self {
        Self { what, ..self }
    }

    /// Adds a draw, the id of a row.
    ///
    /// # Errors
    /// At the end of a window that fails: why its ids are not drawn at random.
    #[inline]
    pub(crate) fn add(&mut self, id: u64) -> Result<(), String> {
        let (word, bit) = (&mut self.seen[id as usize / 64], 1 << (id % 64));
        self.repeats += u32::from(*word & bit != 0);
        *word |= bit;
        self.bands[((id - 1) * BANDS as u64 / u64::from(self.rows)) as usize] += 1;
        self.drawn += 1;
        if self.drawn == self.window {
            return self.test(id);
        }
        Ok(())
    }

    /// Whether no window ends with so many further draws.
    #[inline]
    pub(crate) fn has_room_for(&self, draws: usize) -> bool {
        self.drawn as usize + draws < self.window as usize
    }

    #[cold]
    fn test(&mut self, last: u64) -> Result<(), String> {
        let (repeats, bands, window) = (self.repeats, self.bands, self.window);
        (self.drawn, self.repeats, self.bands) = (0, 0, [0; BANDS]);
        self.seen.fill(0);
        let (rows, what) = (self.rows, self.what);
        let ids = format!("{window} {what} of 1 to {rows}, the last of them {last}");
        if self.most.is_some_and(|most| repeats >= most) {
            return Err(format!(
                "the {what} are not drawn at random: of {ids}, {repeats} had come before, which is more than chance \
                 allows; rows are cached, or drawn from few"
            ));
        }
        if self.some && repeats == 0 {
            return Err(format!(
                "the {what} are not drawn at random: of {ids}, none had come before, which is less than chance allows; \
                 they are counted up, or dealt out"
            ));
        }
        let odd = |(few, many): (u32, u32)| bands.iter().position(|&n| n <= few || n >= many);
        match self.band.and_then(odd) {
            Some(band) => Err(format!(
                "the {what} are not drawn evenly: of {ids}, {} are in part {} of the table's {BANDS}, which chance does \
                 not allow",
                bands[band],
                band + 1
            )),
            None => Ok(()),
        }
    }
}

/// The numbers of draws in a band that are too few and too many; none: no number is, or the bands differ in size.
fn band(rows: u32, window: u32, share: f64) -> Option<(u32, u32)> {
    if !(rows as usize).is_multiple_of(BANDS) {
        return None;
    }
    let (n, p) = (f64::from(window), 1.0 / BANDS as f64);
    let unlikely = |k: &u32| {
        let q = f64::from(*k) / n;
        let part = |a: f64, b: f64| if a > 0.0 { a * (a / b).ln() } else { 0.0 };
        -n * (part(q, p) + part(1.0 - q, 1.0 - p)) <= share
    };
    let mean = (n * p) as u32;
    let few = (0..mean).rev().find(unlikely)?;
    let many = (mean + 1..=window).find(unlikely)?;
    Some((few, many))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(draws: &mut Draws, ids: impl Iterator<Item = u64>) -> Result<(), String> {
        ids.take(draws.window as usize).try_for_each(|id| draws.add(id))
    }

    #[test]
    fn honest_draws_pass_and_dealt_cached_or_counted_ones_fail() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut rng = fastrand::Rng::with_seed(seed);
        for (window, alarm) in [(750, 1e-9), (1000, 1e-15)] {
            let mut draws = Draws::new(10_000, window, alarm);
            assert!(
                draws.some && draws.most.is_some() && draws.band.is_some(),
                "{draws:?}"
            );
            for _ in 0..200 {
                assert_eq!(
                    seen(&mut draws, std::iter::repeat_with(|| rng.u64(1..=10_000))),
                    Ok(())
                );
            }
            let first = rng.u64(..);
            let mut refused = |ids: &mut dyn Iterator<Item = u64>, why: &str| {
                let error = seen(&mut draws, ids).unwrap_err();
                assert!(error.contains(why), "{error}");
            };
            refused(&mut std::iter::repeat(5), "had come before");
            refused(
                &mut (0..).map(|n| (first / 2 + n) % 10_000 + 1),
                "none had come before",
            );
            refused(
                &mut (0..).map(|n| (first / 2 + n * 7919) % 10_000 + 1),
                "none had come before",
            );
            refused(
                &mut std::iter::repeat_with(|| rng.u64(1..=1000)),
                "had come before",
            );
            refused(&mut std::iter::repeat_with(|| rng.u64(1..=8750)), "evenly");
        }
    }

    /// With few rows nearly all draws repeat, and with one row all do: that says nothing about chance.
    #[test]
    fn draws_from_small_tables_are_not_rejected() {
        for rows in [1, 2, 7, 100] {
            let mut draws = Draws::new(rows, 750, 1e-9);
            let mut rng = fastrand::Rng::with_seed(1);
            assert_eq!(
                seen(
                    &mut draws,
                    std::iter::repeat_with(|| rng.u64(1..=u64::from(rows)))
                ),
                Ok(())
            );
        }
    }
}
