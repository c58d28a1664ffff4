//! Conflicts are minimal when the filter reports so, by enumeration of their parts.

use anytime::Stop;
use proptest::prelude::*;
use search::conflict::{DeletionFilter, Verdict};
use std::collections::BTreeSet;

/// Sets of members that cannot all be satisfied, and so neither can any larger ones.
type Conflicts = Vec<BTreeSet<u8>>;

fn conflicts() -> impl Strategy<Value = Conflicts> {
    let conflict = prop::collection::btree_set(0..10_u8, 1..5);
    prop::collection::vec(conflict, 1..6)
}

fn is_conflict(conflicts: &Conflicts, members: &[u8]) -> bool {
    let is_part = |part: &BTreeSet<u8>| part.iter().all(|it| members.contains(it));
    conflicts.iter().any(is_part)
}

/// Whether leaving out any member makes the others satisfiable.
fn is_minimal(conflicts: &Conflicts, members: &[u8]) -> bool {
    (0..members.len()).all(|at| {
        let rest = [&members[..at], &members[at + 1..]].concat();
        !is_conflict(conflicts, &rest)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn conflicts_become_minimal(conflicts in conflicts(), names_parts: bool) {
        let mut filter = DeletionFilter::new((0..10).collect());
        let verdict = |members: &[u8]| {
            let part = conflicts.iter().find(|it| is_conflict(&vec![(*it).clone()], members));
            Ok(match part {
                None => Verdict::Satisfiable,
                Some(part) if names_parts => Verdict::Conflict(part.iter().copied().collect()),
                Some(_) => Verdict::Conflict(members.to_vec()),
            })
        };
        filter.minimize(verdict).expect("nothing stops it");
        prop_assert!(filter.is_minimal());
        prop_assert!(is_conflict(&conflicts, &filter.members));
        prop_assert!(is_minimal(&conflicts, &filter.members));
    }

    #[test]
    fn only_what_is_proved_is_minimal(
        conflicts in conflicts(),
        unknown in prop::collection::vec(any::<bool>(), 64),
        verdicts_max in 0..40_usize,
    ) {
        let mut filter = DeletionFilter::new((0..10).collect());
        let mut count = 0;
        let end = filter.minimize(|members| {
            if count == verdicts_max {
                return Err(Stop::Deadline);
            }
            count += 1;
            Ok(if unknown[count] {
                Verdict::Unknown
            } else if is_conflict(&conflicts, members) {
                Verdict::Conflict(members.to_vec())
            } else {
                Verdict::Satisfiable
            })
        });
        prop_assert!(is_conflict(&conflicts, &filter.members));
        prop_assert!(!filter.is_minimal() || is_minimal(&conflicts, &filter.members));
        prop_assert!(end.is_ok() || count == verdicts_max);
        for member in &filter.needed {
            let rest = filter.members.iter().copied().filter(|it| it != member);
            prop_assert!(!is_conflict(&conflicts, &rest.collect::<Vec<u8>>()));
        }
    }
}

#[test]
fn a_single_member_is_tried_and_none_is_minimal() {
    let mut filter = DeletionFilter::new(vec![7]);
    let conflict = |members: &[i32]| Ok(Verdict::Conflict(members.to_vec()));
    filter.minimize(conflict).expect("nothing stops it");
    assert!(filter.members.is_empty() && filter.is_minimal());
}
