//! Many random streams from one seed.

/// A seed for stream `stream` of a search with seed `seed`. Different streams are independent for
/// all purposes of a search; the same pair gives the same value on every machine and in every
/// version.
///
/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014):
/// the output function applied to the seed, advanced by `stream` golden gammas, twice, so that
/// neighbouring seeds and neighbouring streams do not meet.
#[must_use]
pub fn derive_seed(seed: u64, stream: u64) -> u64 {
    mix(mix(seed).wrapping_add(stream.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

fn mix(value: u64) -> u64 {
    let z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
