//! Rows of the table `world(id, randomNumber)`, and whether they are drawn at random.

use serde_json::Value;

/// What the table holds in a row.
pub(super) fn number_of(id: u64) -> u64 {
    id.wrapping_mul(48_271) % 2_147_483_647 % 10_000 + 1
}

/// `{"id":N,"randomNumber":M}` to the byte; none: it may still be right by meaning.
pub(super) fn scan(body: &[u8]) -> Option<(u64, u64)> {
    let (id, rest) = digits(body.strip_prefix(b"{\"id\":")?)?;
    let (number, rest) = digits(rest.strip_prefix(b",\"randomNumber\":")?)?;
    (rest == b"}").then_some((id, number))
}

/// A number without leading zeros.
fn digits(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let len = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = bytes.split_at(len);
    let valid = (1..=18).contains(&len) && (digits[0] != b'0' || len == 1);
    let add = |sum: u64, digit: &u8| sum * 10 + u64::from(digit - b'0');
    valid.then(|| (digits.iter().fold(0, add), rest))
}

/// Reads a row, and holds it against the table.
///
/// # Errors
/// Why it is no row of a table with so many.
pub(super) fn judge(body: &[u8], rows: u32) -> Result<u64, String> {
    let (id, number) = match scan(body) {
        Some(row) => row,
        None => by_meaning(body).ok_or("it is no object of two whole numbers, `id` and `randomNumber`")?,
    };
    if !is_row(id, rows) {
        return Err(format!("the id {id} is outside the table"));
    }
    match number_of(id) == number {
        true => Ok(id),
        false => Err(format!("row {id} of the table holds {}", number_of(id))),
    }
}

pub(super) fn is_row(id: u64, rows: u32) -> bool {
    (1..=u64::from(rows)).contains(&id)
}

fn by_meaning(body: &[u8]) -> Option<(u64, u64)> {
    let value: Value = serde_json::from_slice(body).ok()?;
    let object = value.as_object().filter(|object| object.len() == 2)?;
    Some((object.get("id")?.as_u64()?, object.get("randomNumber")?.as_u64()?))
}

/// Bands that the table is cut into to see whether draws are spread over it.
const BANDS: usize = 8;

/// Draws from the table, judged in windows: were they drawn at random, independently, evenly?
///
/// With R rows and n draws, the i-th draw repeats an earlier one with a chance of at most (i−1)/R whatever came
/// before, so the number of repeats S is at most (stochastically) a sum of independent trials with the mean
/// μ = n(n−1)/2R, and P(S ≥ a) ≤ exp(a − μ − a·ln(a/μ)) (Chernoff 1952). P(S = 0) is the product of 1 − i/R. Draws
/// in a band of share p are binomial: P(X ≥ k) and P(X ≤ k) are at most exp(−n·KL(k/n ‖ p)).
#[derive(Debug, Clone)]
pub(crate) struct Draws {
    rows: u32,
    window: u32,
    /// Repeats that are too many, and whether none is too few.
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
    /// Judges windows of so many draws; `alarm`: the chance that a window of honest draws is found wanting.
    pub(crate) fn new(rows: u32, window: u32, alarm: f64) -> Self {
        let share = (alarm / 4.0).ln();
        let mean = f64::from(window) * f64::from(window - 1) / 2.0 / f64::from(rows);
        let too_many = |a: &u32| {
            let a = f64::from(*a);
            a > mean && a - mean - a * (a / mean).ln() <= share
        };
        let none = (0..window).map(|i| (1.0 - f64::from(i) / f64::from(rows)).max(0.0).ln());
        Self {
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

    /// Adds a draw, an id of the table.
    ///
    /// # Errors
    /// At the end of a window: why such ids are not drawn at random.
    #[inline]
    pub(crate) fn add(&mut self, id: u64) -> Result<(), String> {
        let (word, bit) = (&mut self.seen[id as usize / 64], 1 << (id % 64));
        self.repeats += u32::from(*word & bit != 0);
        *word |= bit;
        self.bands[((id - 1) * BANDS as u64 / u64::from(self.rows)) as usize] += 1;
        self.drawn += 1;
        match self.drawn == self.window {
            true => self.judge(id),
            false => Ok(()),
        }
    }

    /// Adds a draw, unless it is a window's last, which has to be judged; whether it was added.
    #[inline]
    pub(crate) fn add_quietly(&mut self, id: u64) -> bool {
        self.drawn + 1 < self.window && self.add(id).is_ok()
    }

    #[cold]
    fn judge(&mut self, last: u64) -> Result<(), String> {
        let (repeats, bands, window) = (self.repeats, self.bands, self.window);
        (self.drawn, self.repeats, self.bands) = (0, 0, [0; BANDS]);
        self.seen.fill(0);
        let rows = self.rows;
        let told = format!("{window} ids of 1 to {rows}, the last of them {last}");
        if self.most.is_some_and(|most| repeats >= most) {
            return Err(format!(
                "the ids are not drawn at random: of {told}, {repeats} had come before, which chance does not bring \
                 about; rows are cached, or drawn from few"
            ));
        }
        if self.some && repeats == 0 {
            return Err(format!(
                "the ids are not drawn at random: of {told}, none had come before, which chance does not bring about; \
                 they are counted up, or dealt out"
            ));
        }
        let odd = |(few, many): (u32, u32)| bands.iter().position(|&n| n <= few || n >= many);
        match self.band.and_then(odd) {
            Some(band) => Err(format!(
                "the ids are not drawn evenly: of {told}, {} are in part {} of the table's {BANDS}, which chance does \
                 not bring about",
                bands[band],
                band + 1
            )),
            None => Ok(()),
        }
    }
}

/// Draws in a band that are too few and too many; none: no number is (or the bands differ in size).
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

    #[test]
    fn rows_are_read_and_held_against_the_table() {
        let row = |id: u64| format!("{{\"id\":{id},\"randomNumber\":{}}}", number_of(id));
        assert_eq!((number_of(1), number_of(2), number_of(10_000)), (8272, 6543, 1));
        for id in [1, 2, 9999, 10_000] {
            assert_eq!(judge(row(id).as_bytes(), 10_000), Ok(id));
            assert!(scan(row(id).as_bytes()).is_some());
        }
        let loose = " { \"randomNumber\" : 8272 ,\n\"id\": 1 } ";
        assert_eq!(scan(loose.as_bytes()), None);
        assert_eq!(judge(loose.as_bytes(), 10_000), Ok(1));
        for (body, why) in [
            (row(0), "outside"),
            (row(10_001), "outside"),
            (row(7).replace("\"id\":7", "\"id\":8"), "row 8 of the table holds"),
            ("{\"id\":1}".into(), "two whole numbers"),
            ("{\"id\":\"1\",\"randomNumber\":8272}".into(), "two whole numbers"),
            (
                "{\"id\":1,\"randomNumber\":8272,\"x\":1}".into(),
                "two whole numbers",
            ),
            ("{\"id\":01,\"randomNumber\":8272}".into(), "two whole numbers"),
            ("{\"id\":1.0,\"randomNumber\":8272}".into(), "two whole numbers"),
            ("".into(), "two whole numbers"),
        ] {
            let error = judge(body.as_bytes(), 10_000).unwrap_err();
            assert!(error.contains(why), "{body}: {error}");
        }
    }

    fn seen(draws: &mut Draws, ids: impl Iterator<Item = u64>) -> Result<(), String> {
        ids.take(draws.window as usize).try_for_each(|id| draws.add(id))
    }

    #[test]
    fn honest_draws_pass_and_dealt_cached_or_counted_ones_do_not() {
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

    /// With few rows nearly all repeat, and with one all do: nothing can be told of chance.
    #[test]
    fn small_tables_are_not_judged_by_what_chance_must_bring() {
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
