//! Two ways joined into one: equation 27.

use super::key::{Key, Waiting, bits};
use std::collections::BinaryHeap;

/// Time and damage of a way, and its label.
pub(super) type End = (u64, u64, u32);

/// Gives the sums of a leg from each list that are not dominated, within limits of time and damage,
/// by rising time, as time, damage and both labels. Both lists go by rising time and falling
/// damage.
///
/// For each leg of the first list the earliest of the second that does little enough damage. When a
/// sum is retained, all that do no less damage are skipped, so that not all sums are computed.
pub(super) fn merge(
    ways: (&[End], &[End]),
    limits: (u64, u64),
    keep: impl FnMut(u64, u64, (u32, u32)),
) {
    match bits(limits) {
        Some(bits) => merge_by::<u64>(ways, (limits, bits), keep),
        None => merge_by::<u128>(ways, (limits, u64::BITS), keep),
    }
}

/// The same, with keys of some kind in the queue.
fn merge_by<K: Key>(
    (first, second): (&[End], &[End]),
    (limits, bits): ((u64, u64), u32),
    mut keep: impl FnMut(u64, u64, (u32, u32)),
) {
    // Only less is worth something.
    let mut least = limits.1.saturating_add(1);
    let mut open = BinaryHeap::with_capacity(first.len());
    // The sum of a way with the first one from `from` on that does less than `least`.
    let next = |from: usize, way: usize, least: u64| {
        let (time, damage, _) = first[way];
        let room = least.checked_sub(damage)?;
        let at = from + second[from..].partition_point(|it| it.1 >= room);
        let (more_time, more_damage, _) = second.get(at)?;
        let both = (time + more_time, damage + more_damage);
        (both.0 <= limits.0).then(|| Waiting {
            key: K::of(both, bits),
            what: (way as u32, at as u32),
        })
    };
    open.extend((0..first.len()).filter_map(|way| next(0, way, least)));
    while let Some(next_sum) = open.pop() {
        let (time, damage) = next_sum.key.both(bits);
        let (way, at) = (next_sum.what.0 as usize, next_sum.what.1 as usize);
        if damage < least {
            least = damage;
            keep(time, damage, (first[way].2, second[at].2));
        }
        open.extend(next(at, way, least));
    }
}

#[cfg(test)]
mod tests {
    use super::{End, merge};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// A front of its own from any ways.
    fn front(ways: Vec<(u64, u64)>) -> Vec<End> {
        let all: BTreeSet<_> = ways.into_iter().collect();
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
            limits in (0..90_u64, 0..90_u64),
        ) {
            let (first, second) = (front(first), front(second));
            let mut kept = Vec::new();
            merge((&first, &second), limits, |time, damage, (a, b)| {
                let (a, b) = (first[a as usize], second[b as usize]);
                assert_eq!((a.0 + b.0, a.1 + b.1), (time, damage));
                kept.push((time, damage));
            });
            let sums = first.iter().flat_map(|a| second.iter().map(move |b| (a.0 + b.0, a.1 + b.1)));
            let all = front(sums.filter(|it| it.0 <= limits.0 && it.1 <= limits.1).collect());
            prop_assert_eq!(kept, all.into_iter().map(|it| (it.0, it.1)).collect::<Vec<_>>());
        }
    }
}
