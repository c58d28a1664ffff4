//! A time and a damage in one number, which goes by time and then by damage: queues compare nothing
//! else so often.

use std::cmp::Ordering;

/// Such a number.
pub(super) trait Key: Copy + Ord {
    /// Of a time and a damage of at most this number of bits.
    fn of(both: (u64, u64), bits: u32) -> Self;
    /// The time and the damage.
    fn both(self, bits: u32) -> (u64, u64);
}

/// The bits of a damage up to this one, if with a time up to this one it fits into 64.
pub(super) fn bits((time, damage): (u64, u64)) -> Option<u32> {
    let bits = u64::BITS - damage.leading_zeros();
    (bits <= time.leading_zeros() && bits < u64::BITS).then_some(bits)
}

impl Key for u64 {
    fn of((time, damage): (u64, u64), bits: u32) -> Self {
        time << bits | damage
    }

    fn both(self, bits: u32) -> (u64, u64) {
        (self >> bits, self & ((1 << bits) - 1))
    }
}

/// For all that is larger: each has 64 bits.
impl Key for u128 {
    fn of((time, damage): (u64, u64), _: u32) -> Self {
        Self::from(time) << 64 | Self::from(damage)
    }

    fn both(self, _: u32) -> (u64, u64) {
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

    fn most(shifts: (u32, u32)) -> (u64, u64) {
        (u64::MAX >> shifts.0, u64::MAX >> shifts.1)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn keys_go_as_pairs_do(one: (u64, u64), other: (u64, u64), shifts in (0..64_u32, 0..64_u32)) {
            let most = most(shifts);
            let [one, other] = [one, other].map(|it| (it.0 & most.0, it.1 & most.1));
            if let Some(bits) = bits(most) {
                let [a, b] = [one, other].map(|it| u64::of(it, bits));
                prop_assert_eq!(a.cmp(&b), one.cmp(&other));
                prop_assert_eq!(a.both(bits), one);
            }
            let [a, b] = [one, other].map(|it| u128::of(it, 0));
            prop_assert_eq!(a.cmp(&b), one.cmp(&other));
            prop_assert_eq!(a.both(0), one);
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
