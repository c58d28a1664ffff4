//! Pairs of numbers in one number, with the same order: queues compare nothing else so often.

use std::cmp::Ordering;

/// A packed pair, such as a time and a damage.
pub(super) trait Key: Copy + Ord {
    /// Packs a pair whose second number has at most this number of bits.
    fn pack(pair: (u64, u64), bits: u32) -> Self;
    /// The pair.
    fn unpack(self, bits: u32) -> (u64, u64);
}

/// The bits of second numbers up to this one; `None` where they and first numbers up to this one
/// do not fit into 64.
pub(super) fn bits(most: (u64, u64)) -> Option<u32> {
    let bits = u64::BITS - most.1.leading_zeros();
    (bits <= most.0.leading_zeros() && bits < u64::BITS).then_some(bits)
}

impl Key for u64 {
    fn pack(pair: (u64, u64), bits: u32) -> Self {
        pair.0 << bits | pair.1
    }

    fn unpack(self, bits: u32) -> (u64, u64) {
        (self >> bits, self & ((1 << bits) - 1))
    }
}

/// For all that is larger: each has 64 bits.
impl Key for u128 {
    fn pack(pair: (u64, u64), _: u32) -> Self {
        Self::from(pair.0) << 64 | Self::from(pair.1)
    }

    fn unpack(self, _: u32) -> (u64, u64) {
        ((self >> 64) as u64, self as u64)
    }
}

/// What waits in a queue: the least key first. What else there is to it decides nothing, so that no
/// more is compared.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiting<K> {
    pub key: K,
    pub what: (u32, u32),
}

impl<K: Ord> Ord for Waiting<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        // Queues give the greatest.
        other.key.cmp(&self.key)
    }
}

impl<K: Ord> PartialOrd for Waiting<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Ord> PartialEq for Waiting<K> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<K: Ord> Eq for Waiting<K> {}

#[cfg(test)]
mod tests {
    use super::{Key, bits};
    use proptest::prelude::*;

    fn largest_pair(shifts: (u32, u32)) -> (u64, u64) {
        (u64::MAX >> shifts.0, u64::MAX >> shifts.1)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn keys_go_as_pairs_do(
            one: (u64, u64),
            other: (u64, u64),
            shifts in (0..64_u32, 0..64_u32),
        ) {
            let most = largest_pair(shifts);
            let [one, other] = [one, other].map(|it| (it.0 & most.0, it.1 & most.1));
            if let Some(bits) = bits(most) {
                let [a, b] = [one, other].map(|it| u64::pack(it, bits));
                prop_assert_eq!(a.cmp(&b), one.cmp(&other));
                prop_assert_eq!(a.unpack(bits), one);
            }
            let [a, b] = [one, other].map(|it| u128::pack(it, 0));
            prop_assert_eq!(a.cmp(&b), one.cmp(&other));
            prop_assert_eq!(a.unpack(0), one);
        }
    }

    #[test]
    fn what_does_not_fit_is_told() {
        assert_eq!(bits((u64::MAX >> 20, (1 << 20) - 1)), Some(20));
        assert_eq!(bits((u64::MAX >> 19, (1 << 20) - 1)), None);
        assert_eq!(bits((u64::MAX, 0)), Some(0));
        assert_eq!(bits((0, u64::MAX)), None);
    }
}
