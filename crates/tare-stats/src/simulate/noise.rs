//! Noise between a slice and the truth, and between one start of a program and the next.

use super::prng::Prng;

/// Noise of slices within a launch. Each kind is scaled by σ, about the noise of one quiet slice in log units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Noise {
    /// Independent, N(0, σ).
    Gaussian,
    /// Gaussian, and bursts that last 4 slices on average and take 15% of the time, in which each slice is slowed
    /// by an exponential of mean 8σ.
    Bursts,
    /// Gaussian, on a machine that drifts: an AR(1) with φ = 0.97 from slice to slice and a spread of 4σ, shared by
    /// both contenders.
    MachineDrift,
    /// Gaussian, and a hypervisor that takes a share of the time now and then (a fifth of the slices lose up to 20σ,
    /// at most 90%): the work is divided by the rest.
    Steal,
    /// Half the noise Gaussian, and pauses of the contender's own: a quarter of the slices has one, exponential
    /// with mean 4σ.
    Pauses,
    /// AR(1) with φ = 0.8 from round to round, each contender its own, spread σ.
    AttachedDrift,
    /// Student's t with 2 degrees of freedom, times σ.
    Student2,
}

/// What a fresh start of a contender draws, once per launch and contender, scaled by a size in log units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// N(0, size).
    Gaussian,
    /// −size or +size with the same chance.
    TwoValued,
    /// Student's t with 3 degrees of freedom, scaled to the standard deviation `size`.
    HeavyTailed,
}

impl Noise {
    /// All kinds.
    pub const ALL: [Noise; 7] = [
        Noise::Gaussian,
        Noise::Bursts,
        Noise::MachineDrift,
        Noise::Steal,
        Noise::Pauses,
        Noise::AttachedDrift,
        Noise::Student2,
    ];

    /// A short name.
    pub fn name(self) -> &'static str {
        match self {
            Noise::Gaussian => "gaussian",
            Noise::Bursts => "bursts",
            Noise::MachineDrift => "machine-drift",
            Noise::Steal => "steal",
            Noise::Pauses => "pauses",
            Noise::AttachedDrift => "attached-drift",
            Noise::Student2 => "student-2",
        }
    }
}

impl Effect {
    /// All kinds.
    pub const ALL: [Effect; 3] = [Effect::Gaussian, Effect::TwoValued, Effect::HeavyTailed];

    /// A short name.
    pub fn name(self) -> &'static str {
        match self {
            Effect::Gaussian => "gaussian",
            Effect::TwoValued => "two-valued",
            Effect::HeavyTailed => "heavy-tailed",
        }
    }

    /// One draw.
    pub fn draw(self, prng: &mut Prng, size: f64) -> f64 {
        match self {
            Effect::Gaussian => size * prng.normal(),
            Effect::TwoValued if prng.chance(0.5) => size,
            Effect::TwoValued => -size,
            Effect::HeavyTailed => size * prng.student3() / 3f64.sqrt(),
        }
    }
}

/// A machine within one launch of two contenders.
#[derive(Debug)]
pub struct Launch<'a> {
    prng: &'a mut Prng,
    noise: Noise,
    sigma: f64,
    /// The machine's drift now, in σ (`MachineDrift`).
    machine: f64,
    /// Each contender's drift now, in σ (`AttachedDrift`).
    attached: [f64; 2],
    /// Whether a burst is on (`Bursts`).
    burst: bool,
}

const MACHINE_PHI: f64 = 0.97;
const MACHINE_SPREAD: f64 = 4.0;
const ATTACHED_PHI: f64 = 0.8;
/// A burst ends after a slice with this chance, and begins so that bursts take 15% of the time.
const BURST_ENDS: f64 = 0.25;
const BURST_BEGINS: f64 = BURST_ENDS * 0.15 / 0.85;

impl<'a> Launch<'a> {
    /// A random order, from the same stream.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        self.prng.shuffle(items);
    }

    /// A launch that begins in the stationary state of its noise.
    pub fn new(prng: &'a mut Prng, noise: Noise, sigma: f64) -> Self {
        Self {
            machine: MACHINE_SPREAD * prng.normal(),
            attached: [prng.normal(), prng.normal()],
            burst: prng.chance(0.15),
            prng,
            noise,
            sigma,
        }
    }

    /// The log difference of the two contenders in one round, measured in random order; the truth is zero.
    pub fn round(&mut self) -> f64 {
        let values = self.both();
        values[0] - values[1]
    }

    /// The noise of a slice of each contender in one round, in log units, measured in random order.
    pub fn both(&mut self) -> [f64; 2] {
        let mut order = [0, 1];
        self.prng.shuffle(&mut order);
        let mut values = [0.0; 2];
        for contender in order {
            values[contender] = self.sigma * self.slice(contender);
        }
        values
    }

    /// One slice's noise, in σ.
    fn slice(&mut self, contender: usize) -> f64 {
        match self.noise {
            Noise::Gaussian => self.prng.normal(),
            Noise::Bursts => self.prng.normal() + self.burst(),
            Noise::MachineDrift => self.prng.normal() + self.drift(),
            Noise::Steal => self.prng.normal() + self.stolen(),
            Noise::Pauses => 0.5 * self.prng.normal() + self.pause(),
            Noise::AttachedDrift => self.own_drift(contender),
            Noise::Student2 => self.prng.student2(),
        }
    }

    fn burst(&mut self) -> f64 {
        let turns = if self.burst { BURST_ENDS } else { BURST_BEGINS };
        self.burst ^= self.prng.chance(turns);
        if self.burst {
            8.0 * self.prng.exponential()
        } else {
            0.0
        }
    }

    fn drift(&mut self) -> f64 {
        let step = MACHINE_SPREAD * (1.0 - MACHINE_PHI * MACHINE_PHI).sqrt();
        self.machine = MACHINE_PHI * self.machine + step * self.prng.normal();
        self.machine
    }

    /// −ln(1 − share) in σ.
    fn stolen(&mut self) -> f64 {
        if !self.prng.chance(0.2) {
            return 0.0;
        }
        let share = (20.0 * self.sigma * self.prng.uniform()).min(0.9);
        -(-share).ln_1p() / self.sigma
    }

    fn pause(&mut self) -> f64 {
        if self.prng.chance(0.25) {
            4.0 * self.prng.exponential()
        } else {
            0.0
        }
    }

    fn own_drift(&mut self, contender: usize) -> f64 {
        let step = (1.0 - ATTACHED_PHI * ATTACHED_PHI).sqrt() * self.prng.normal();
        self.attached[contender] = ATTACHED_PHI * self.attached[contender] + step;
        self.attached[contender]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_noise_is_symmetric_between_the_contenders_and_none_is_silent() {
        for noise in Noise::ALL {
            let mut prng = Prng::new(11);
            let mut above = 0;
            let mut sizes = Vec::new();
            for _ in 0..2000 {
                let mut launch = Launch::new(&mut prng, noise, 0.03);
                let d = launch.round();
                above += usize::from(d > 0.0);
                sizes.push(d.abs());
            }
            // Five standard deviations of a fair coin: 0.5 ± 0.056.
            assert!(
                (888..=1112).contains(&above),
                "{}: {above} of 2000 above",
                noise.name()
            );
            let typical = crate::huber::median(&sizes).unwrap();
            assert!(typical > 0.005 && typical < 0.2, "{}: {typical}", noise.name());
        }
    }

    #[test]
    fn attached_drift_is_autocorrelated_and_the_machines_is_not_in_differences() {
        let lag = |noise| {
            let mut prng = Prng::new(5);
            let mut launch = Launch::new(&mut prng, noise, 0.03);
            let rounds: Vec<f64> = (0..4000).map(|_| launch.round()).collect();
            let squares: f64 = rounds.iter().map(|d| d * d).sum();
            rounds.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>() / squares
        };
        assert!((lag(Noise::AttachedDrift) - 0.8).abs() < 0.06);
        assert!(lag(Noise::MachineDrift).abs() < 0.1);
    }
}
