//! The generator behind every simulation: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), so that a seed means the
//! same numbers on every machine and in every version.

/// A seeded stream of pseudo-random numbers.
#[derive(Debug, Clone)]
pub struct Prng {
    state: u64,
}

impl Prng {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// A stream of its own for part `index` of a seed.
    pub fn part(seed: u64, index: u64) -> Self {
        Self::new(Self::new(seed ^ index.wrapping_mul(0xd134_2543_de82_ef95)).bits())
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform, strictly between 0 and 1.
    pub(crate) fn uniform(&mut self) -> f64 {
        ((self.bits() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// Uniform over 0 to `end` − 1 (the bias of the multiplication, under 2⁻⁴⁰ for small ends, is accepted).
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.bits()) * end as u128) >> 64) as usize
    }

    /// True with this chance.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.uniform() < probability
    }

    /// Standard normal (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        let angle = std::f64::consts::TAU * self.uniform();
        (-2.0 * self.uniform().ln()).sqrt() * angle.cos()
    }

    /// Exponential with mean 1.
    pub fn exponential(&mut self) -> f64 {
        -self.uniform().ln()
    }

    /// Student's t with 2 degrees of freedom (by its quantile function): no variance.
    pub(crate) fn student2(&mut self) -> f64 {
        let u = self.uniform();
        (2.0 * u - 1.0) / (2.0 * u * (1.0 - u)).sqrt()
    }

    /// Student's t with 3 degrees of freedom: variance 3.
    pub(crate) fn student3(&mut self) -> f64 {
        let squares: f64 = (0..3).map(|_| self.normal().powi(2)).sum();
        self.normal() / (squares / 3.0).sqrt()
    }

    /// A random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_stream() {
        // Reference values of SplitMix64 for seed 1234567, as in the Rosetta and xoshiro test vectors.
        let mut prng = Prng::new(1_234_567);
        assert_eq!(prng.bits(), 6_457_827_717_110_365_317);
        assert_eq!(prng.bits(), 3_203_168_211_198_807_973);
        assert_eq!(prng.bits(), 9_817_491_932_198_370_423);
    }

    #[test]
    fn moments() {
        let mut prng = Prng::new(7);
        let count = 100_000;
        let normals: Vec<f64> = (0..count).map(|_| prng.normal()).collect();
        let mean = normals.iter().sum::<f64>() / count as f64;
        let square = normals.iter().map(|x| x * x).sum::<f64>() / count as f64;
        assert!(
            mean.abs() < 0.02 && (square - 1.0).abs() < 0.03,
            "{mean} {square}"
        );
        // Quartiles of Student's t: ±0.8165 (2 degrees), ±0.7649 (3 degrees).
        let inside2 = (0..count).filter(|_| prng.student2().abs() < 0.8165).count();
        let inside3 = (0..count).filter(|_| prng.student3().abs() < 0.7649).count();
        for inside in [inside2, inside3] {
            assert!((inside as f64 / count as f64 - 0.5).abs() < 0.01, "{inside}");
        }
    }
}
