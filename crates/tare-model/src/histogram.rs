//! A histogram of times in nanoseconds, with buckets of at most 0.8% relative width.
//!
//! Log-linear like an HDR histogram: values under 256 ns have a bucket each, every further power of two has
//! 128. Recording is two shifts and an add; the encoding is short (only buckets in use) and stable.

/// Bits of precision kept below the leading bit: 2^7 = 128 buckets per power of two.
const PRECISION: u32 = 7;
const PER_OCTAVE: usize = 1 << PRECISION;

/// Times in nanoseconds, counted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Histogram {
    counts: Vec<u32>,
    total: u64,
    max: u64,
}

/// Bytes that are not an encoded histogram.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a histogram: {0}; the store may be damaged")]
pub struct BadHistogram(&'static str);

fn bucket(value: u64) -> usize {
    let octave = (64 - (value | 1).leading_zeros()).saturating_sub(PRECISION + 1);
    ((octave as usize) << PRECISION) + (value >> octave) as usize
}

/// The highest value of a bucket. Quantiles report it, so that they never understate.
fn highest(bucket: usize) -> u64 {
    let octave = (bucket >> PRECISION).saturating_sub(1);
    let mantissa = (bucket - (octave << PRECISION)) as u128;
    (((mantissa + 1) << octave) - 1).min(u64::MAX as u128) as u64
}

impl Histogram {
    /// An empty histogram.
    pub fn new() -> Self {
        Self::default()
    }

    /// Records one time.
    #[inline]
    pub fn record(&mut self, nanos: u64) {
        let index = bucket(nanos);
        if index >= self.counts.len() {
            self.grow(index);
        }
        self.counts[index] = self.counts[index].saturating_add(1);
        self.total += 1;
        self.max = self.max.max(nanos);
    }

    #[cold]
    fn grow(&mut self, index: usize) {
        self.counts.resize((index / PER_OCTAVE + 1) * PER_OCTAVE, 0);
    }

    /// The number of recorded times.
    pub fn count(&self) -> u64 {
        self.total
    }

    /// The longest time, exact.
    pub fn max(&self) -> u64 {
        self.max
    }

    /// The smallest recorded value (to its bucket's width) that at least the share `q` (0 to 1) of all values
    /// does not exceed; none if empty.
    pub fn quantile(&self, q: f64) -> Option<u64> {
        if self.total == 0 {
            return None;
        }
        let rank = ((q.clamp(0.0, 1.0) * self.total as f64).ceil() as u64).max(1);
        let mut seen = 0;
        for (index, &count) in self.counts.iter().enumerate() {
            seen += u64::from(count);
            if seen >= rank {
                return Some(highest(index).min(self.max));
            }
        }
        Some(self.max)
    }

    /// The mean, from the middles of the buckets; none if empty.
    pub fn mean(&self) -> Option<f64> {
        if self.total == 0 {
            return None;
        }
        let sum: f64 = self
            .buckets()
            .map(|(low, high, count)| (low as f64 + high as f64) / 2.0 * f64::from(count))
            .sum();
        Some(sum / self.total as f64)
    }

    /// Adds the counts of another histogram.
    pub fn merge(&mut self, other: &Histogram) {
        if other.counts.len() > self.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            *mine = mine.saturating_add(*theirs);
        }
        self.total += other.total;
        self.max = self.max.max(other.max);
    }

    /// Buckets in use, as (lowest, highest, count), rising.
    pub fn buckets(&self) -> impl Iterator<Item = (u64, u64, u32)> + '_ {
        self.counts
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
            .map(|(index, &count)| {
                let low = if index == 0 { 0 } else { highest(index - 1) + 1 };
                (low, highest(index), count)
            })
    }

    /// A short encoding: version, max, then each bucket in use, all as LEB128. A bucket is twice its count; after a
    /// gap it is one more, and followed by the count of empty buckets before it. (Most buckets follow one in use
    /// and count less than 64: one byte.)
    pub fn encode(&self) -> Vec<u8> {
        let mut out = vec![1];
        put(&mut out, self.max);
        let mut next = 0;
        for (index, &count) in self.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let gap = index - next;
            put(&mut out, u64::from(count) << 1 | u64::from(gap > 0));
            if gap > 0 {
                put(&mut out, gap as u64);
            }
            next = index + 1;
        }
        out
    }

    /// Reads what `encode` wrote.
    pub fn decode(bytes: &[u8]) -> Result<Self, BadHistogram> {
        let (&version, mut rest) = bytes.split_first().ok_or(BadHistogram("it is empty"))?;
        if version != 1 {
            return Err(BadHistogram("its version is unknown"));
        }
        let mut histogram = Histogram {
            max: take(&mut rest)?,
            ..Default::default()
        };
        let mut next = 0usize;
        while !rest.is_empty() {
            let bucket_in_use = take(&mut rest)?;
            let count =
                u32::try_from(bucket_in_use >> 1).map_err(|_| BadHistogram("a count is too large"))?;
            if count == 0 {
                return Err(BadHistogram("a bucket counts nothing"));
            }
            let gap = if bucket_in_use & 1 == 1 {
                take(&mut rest)?
            } else {
                0
            };
            let index = usize::try_from(gap).ok().and_then(|gap| next.checked_add(gap));
            let index = index
                .filter(|&i| i <= bucket(u64::MAX))
                .ok_or(BadHistogram("a bucket is out of range"))?;
            if index >= histogram.counts.len() {
                histogram.grow(index);
            }
            histogram.counts[index] = count;
            histogram.total += u64::from(count);
            next = index + 1;
        }
        Ok(histogram)
    }
}

fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn take(bytes: &mut &[u8]) -> Result<u64, BadHistogram> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or(BadHistogram("it is cut short"))?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(BadHistogram("a number is too long"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_contiguous_and_narrow() {
        for value in
            (0..70_000).chain((16..64).flat_map(|bit| [(1u64 << bit) - 1, 1 << bit, (1 << bit) + 12_345]))
        {
            let index = bucket(value);
            let low = if index == 0 { 0 } else { highest(index - 1) + 1 };
            assert!(
                low <= value && value <= highest(index),
                "{value} in {low}..={}",
                highest(index)
            );
            assert!(
                (highest(index) - low) as f64 <= value as f64 / 127.0,
                "{value}: width"
            );
        }
        assert_eq!(highest(bucket(u64::MAX)), u64::MAX);
    }

    #[test]
    fn quantiles_agree_with_the_sorted_values() {
        let mut state = 42u64;
        let mut values: Vec<u64> = (0..10_000)
            .map(|_| {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                (state >> 33) % 10_000_000
            })
            .collect();
        let mut histogram = Histogram::new();
        values.iter().for_each(|&value| histogram.record(value));
        values.sort_unstable();
        for q in [0.0, 0.001, 0.5, 0.9, 0.99, 0.999, 1.0] {
            let exact = values[((q * 10_000f64).ceil() as usize).max(1) - 1] as f64;
            let found = histogram.quantile(q).unwrap() as f64;
            assert!(
                found >= exact && found <= exact * 1.009 + 1.0,
                "q {q}: {found} for {exact}"
            );
        }
        let mean = values.iter().sum::<u64>() as f64 / 10_000.0;
        assert!((histogram.mean().unwrap() / mean - 1.0).abs() < 0.005);
    }

    #[test]
    fn an_empty_histogram_has_no_quantile() {
        assert_eq!(Histogram::new().quantile(0.5), None);
        assert_eq!(Histogram::new().mean(), None);
    }

    #[test]
    fn the_encoding_survives_and_merging_adds() {
        let mut a = Histogram::new();
        let mut b = Histogram::new();
        [0, 1, 255, 256, 1_000_000, u64::MAX]
            .iter()
            .for_each(|&v| a.record(v));
        [5, 1_000_000].iter().for_each(|&v| b.record(v));
        assert_eq!(Histogram::decode(&a.encode()).unwrap(), a);
        a.merge(&b);
        assert_eq!((a.count(), a.max()), (8, u64::MAX));
        assert_eq!(
            Histogram::decode(&Histogram::new().encode()).unwrap(),
            Histogram::new()
        );
    }

    #[test]
    fn foreign_bytes_are_refused() {
        for bytes in [
            &[][..],
            &[2],
            &[1],
            &[1, 0, 0x80],
            &[1, 0, 0],
            &[1, 0, 0xff, 0xff, 0xff, 0xff, 0x3f],
            &[1, 0, 3, 0xff, 0xff, 0x03],
            &[1, 0, 3],
        ] {
            assert!(Histogram::decode(bytes).is_err(), "{bytes:?}");
        }
    }
}
