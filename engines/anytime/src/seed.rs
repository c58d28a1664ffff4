//! Many random streams from one seed: SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom
//! number generators", OOPSLA 2014).

/// The golden gamma.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// A seed for stream `stream` of a search with seed `seed`. Different streams are independent for
/// all purposes of a search; the same pair gives the same value on every machine and in every
/// version.
///
/// The output function of [`SplitMix64`] applied to the seed, advanced by `stream` golden gammas,
/// twice, so that neighbouring seeds and neighbouring streams do not meet.
#[must_use]
pub fn derive_seed(seed: u64, stream: u64) -> u64 {
    mix(mix(seed).wrapping_add(stream.wrapping_mul(GAMMA)))
}

fn mix(value: u64) -> u64 {
    let z = value.wrapping_add(GAMMA);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A random number generator of one word, for generators of problems and tests: the same numbers
/// on every machine and in every version.
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The generator of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        let number = mix(self.0);
        self.0 = self.0.wrapping_add(GAMMA);
        number
    }

    /// A number below `end`, which is above 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.number() % end as u64) as usize
    }

    /// True in one of `period` cases, which is above 0.
    pub fn chance(&mut self, period: usize) -> bool {
        self.below(period) == 0
    }

    /// One element of a list that is not empty.
    pub fn one_of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}
