//! Conflicts of stories without choices name only what is needed, also where proofs are long.

use crate::searched;
use narrative::plan::{Conflict, Member};
use narrative::problem::{Activity, Demand, Link, Micros, Resource, Source, Spec};
use narrative::solve::Params;

/// The last conflict; every one is verified.
fn refused(spec: &Spec) -> Conflict {
    let mut params = Params::default();
    params.detail.relaxations_max = 0;
    searched::refused(spec, &params, 100_000).0
}

/// Scenes of the given lengths in seconds, each with one of several actors, within a horizon.
fn scenes(lengths_s: &[Micros], actors: u32, horizon_s: Micros) -> Spec {
    let lengths = lengths_s.iter().enumerate();
    let link = |at: usize, length_s: Micros| Link {
        from: 2 * at + 1,
        to: 2 * at + 2,
        lower_us: Some(length_s * 1_000_000),
        upper_us: Some(length_s * 1_000_000),
    };
    let activity = |at: usize| Activity::new(2 * at + 1, 2 * at + 2, vec![Demand::new(0, 1)]);
    Spec {
        events: 2 * lengths_s.len(),
        links: lengths.map(|(at, length_s)| link(at, *length_s)).collect(),
        activities: (0..lengths_s.len()).map(activity).collect(),
        resources: vec![Resource { capacity: actors }],
        horizon_us: Some(horizon_s * 1_000_000),
        ..Spec::default()
    }
}

#[test]
fn six_scenes_for_two_actors_are_too_much_for_their_lengths_and_the_horizon() {
    let conflict = refused(&scenes(&[3, 8, 4, 9, 5, 10], 2, 19));
    assert!(conflict.minimal, "{conflict:?}");
    let members = conflict.members.iter();
    let bounds = members.filter(|member| matches!(member, Member::Bound(_)));
    // Of each scene its length, that it does not begin before the start, and that it ends in time.
    assert_eq!(bounds.count(), 18, "{conflict:?}");
    let lengths = (0..6).map(|at| Member::Bound(Source::LinkLower(at)));
    assert!(
        lengths
            .into_iter()
            .all(|length| conflict.members.contains(&length))
    );
}

#[test]
fn nine_scenes_for_three_actors_are_explained_by_what_is_needed() {
    let conflict = refused(&scenes(&[3, 8, 4, 9, 5, 10, 6, 11, 7], 3, 20));
    let members = conflict.members.iter();
    let bounds = members.filter(|member| matches!(member, Member::Bound(_)));
    assert_eq!(bounds.count(), 27, "{conflict:?}");
    // Most sets of four of nine are needed.
    assert!(conflict.minimal, "{conflict:?}");
    assert!(conflict.members.len() < 120, "{conflict:?}");
}
