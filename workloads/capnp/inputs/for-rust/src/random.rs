/// The job, which makes its inputs differ from those of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Job {
    Carsales = 1,
    Catrank = 2,
    Eval = 3,
}

/// Marsaglia's xorshift128 on 32-bit words, its state mixed from the job and the number of the input.
pub struct Random([u32; 4]);

impl Random {
    pub fn new(job: Job, input: usize) -> Self {
        let first = 2014 * 65536 + 1024 * job as u32 + 4 * input as u32;
        Self([0, 1, 2, 3].map(|k| mix(first + k)))
    }

    #[inline]
    pub fn next(&mut self) -> u32 {
        let [x, y, z, w] = self.0;
        let t = x ^ x << 11;
        let new = w ^ w >> 19 ^ t ^ t >> 8;
        self.0 = [y, z, w, new];
        new
    }

    #[inline]
    pub fn below(&mut self, limit: u32) -> u32 {
        self.next() % limit
    }
}

/// The finaliser of MurmurHash3.
fn mix(h: u32) -> u32 {
    let h = (h ^ h >> 16).wrapping_mul(0x85eb_ca6b);
    let h = (h ^ h >> 13).wrapping_mul(0xc2b2_ae35);
    h ^ h >> 16
}
