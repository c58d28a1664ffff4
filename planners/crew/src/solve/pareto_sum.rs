//! The Pareto sum of two fronts of paths: equation 27.

use super::key::{Key, Waiting, bits};
use super::resources::Resources;
use std::collections::BinaryHeap;

/// Time and damage of a leg, and its label.
pub(super) type End = (u64, u64, u32);

/// Gives the sums of a leg from each list that are not dominated, within limits of time and damage,
/// by rising time, as time, damage and both labels. Both lists go by rising time and falling
/// damage.
///
/// For each leg of the first list the earliest of the second that does little enough damage. When a
/// sum is retained, all that do no less damage are skipped, so that not all sums are computed.
pub(super) fn pareto_sum(
    first: &[End],
    second: &[End],
    limits: Resources,
    keep: impl FnMut(u64, u64, (u32, u32)),
) {
    match bits(limits.pair()) {
        Some(bits) => sum_by_key::<u64>(first, second, limits, bits, keep),
        None => sum_by_key::<u128>(first, second, limits, u64::BITS, keep),
    }
}

/// The same, with keys of some kind in the queue.
fn sum_by_key<K: Key>(
    first: &[End],
    second: &[End],
    limits: Resources,
    bits: u32,
    mut keep: impl FnMut(u64, u64, (u32, u32)),
) {
    // Only less is worth something.
    let mut least = limits.damage.saturating_add(1);
    let mut open = BinaryHeap::with_capacity(first.len());
    // The sum of a leg with the first one from `from` on that does less than `least`.
    let next = |from: usize, leg: usize, least: u64| {
        let (time, damage, _) = first[leg];
        let room = least.checked_sub(damage)?;
        let at = from + second[from..].partition_point(|it| it.1 >= room);
        let (more_time, more_damage, _) = second.get(at)?;
        let both = (time + more_time, damage + more_damage);
        (both.0 <= limits.time).then(|| Waiting {
            key: K::pack(both, bits),
            what: (leg as u32, at as u32),
        })
    };
    open.extend((0..first.len()).filter_map(|leg| next(0, leg, least)));
    while let Some(next_sum) = open.pop() {
        let (time, damage) = next_sum.key.unpack(bits);
        let (leg, at) = (next_sum.what.0 as usize, next_sum.what.1 as usize);
        if damage < least {
            least = damage;
            keep(time, damage, (first[leg].2, second[at].2));
        }
        open.extend(next(at, leg, least));
    }
}

#[cfg(test)]
mod tests {
    use super::super::resources::Resources;
    use super::{End, pareto_sum};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// A front of its own from any legs.
    fn front(legs: Vec<(u64, u64)>) -> Vec<End> {
        let all: BTreeSet<_> = legs.into_iter().collect();
        let mut least = u64::MAX;
        let kept = all.into_iter().filter(|it| {
            let is_less = it.1 < least;
            least = least.min(it.1);
            is_less
        });
        let kept: Vec<_> = kept.collect();
        let numbered = kept.into_iter().zip(0..);
        numbered
            .map(|((time, damage), label)| (time, damage, label))
            .collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn sums_are_those_of_all_pairs_that_are_not_dominated(
            first in proptest::collection::vec((0..40_u64, 0..40_u64), 0..9),
            second in proptest::collection::vec((0..40_u64, 0..40_u64), 0..9),
            time_max in 0..90_u64,
            damage_max in 0..90_u64,
        ) {
            let (first, second) = (front(first), front(second));
            let mut kept = Vec::new();
            let limits = Resources::new(time_max, damage_max);
            pareto_sum(&first, &second, limits, |time, damage, (a, b)| {
                let (a, b) = (first[a as usize], second[b as usize]);
                assert_eq!((a.0 + b.0, a.1 + b.1), (time, damage));
                kept.push((time, damage));
            });
            let both = first.iter().flat_map(|a| second.iter().map(move |b| (a, b)));
            let sums = both.map(|(a, b)| (a.0 + b.0, a.1 + b.1));
            let all = front(sums.filter(|it| it.0 <= time_max && it.1 <= damage_max).collect());
            prop_assert_eq!(kept, all.into_iter().map(|it| (it.0, it.1)).collect::<Vec<_>>());
        }
    }
}
