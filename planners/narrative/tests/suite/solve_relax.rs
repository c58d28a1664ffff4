//! What would help, where proofs that there is no plan are long or nothing helps alone.

use crate::searched::refused;
use narrative::plan::{Change, Relaxation};
use narrative::problem::{Activity, Demand, Link, Micros, Resource, Source, Spec};
use narrative::solve::Params;

/// What the last answer says would help; every answer is verified.
fn relaxations(spec: &Spec) -> Vec<Relaxation> {
    refused(spec, &Params::default(), 100_000).1
}

/// Scenes of the given lengths and needs, within a horizon.
fn scenes(scenes: &[(Micros, &[usize])], capacities: &[u32], horizon_s: Micros) -> Spec {
    let links = scenes.iter().enumerate().map(|(at, (length_s, _))| {
        let length_us = Some(length_s * 1_000_000);
        Link::new(2 * at + 1, 2 * at + 2, length_us, length_us)
    });
    let demand = |&resource: &usize| Demand::new(resource, 1);
    let activities = scenes.iter().enumerate();
    let activities = activities.map(|(at, (_, needs))| Activity {
        start: 2 * at + 1,
        end: 2 * at + 2,
        demands: needs.iter().map(demand).collect(),
    });
    Spec {
        events: 2 * scenes.len(),
        links: links.collect(),
        activities: activities.collect(),
        resources: capacities
            .iter()
            .map(|&capacity| Resource { capacity })
            .collect(),
        horizon_us: Some(horizon_s * 1_000_000),
        ..Spec::default()
    }
}

#[test]
fn one_actor_more_helps_where_the_proof_is_long() {
    // 63 seconds of scenes, three actors, 20 seconds; every third scene needs the stage.
    let lengths = [3, 8, 4, 9, 5, 10, 6, 11, 7];
    let needs = |at: usize| {
        if at.is_multiple_of(3) {
            &[0, 1][..]
        } else {
            &[0]
        }
    };
    let all = lengths.iter().enumerate();
    let all: Vec<(Micros, &[usize])> = all.map(|(at, length)| (*length, needs(at))).collect();
    let found = relaxations(&scenes(&all, &[3, 1], 20));
    let offered = |change: &Change| found.iter().any(|found| found.changes == [*change]);
    let actor = Change::Capacity {
        resource: 0,
        capacity: 4,
    };
    assert!(offered(&actor), "{found:?}");
    let later = found.iter().any(|found| {
        matches!(
            found.changes[..],
            [Change::Bound {
                source: Source::Horizon(_),
                new_us: 21_000_000,
                ..
            }]
        )
    });
    assert!(later, "{found:?}");
    assert!(found.iter().all(|found| found.plan.is_some()));
}

#[test]
fn two_changes_help_where_neither_does_alone() {
    // Two pairs of scenes, each for another actor, side by side with room for one only.
    let spec = scenes(&[(9, &[0]), (9, &[0]), (9, &[1]), (9, &[1])], &[1, 1], 10);
    let mut fixed = spec;
    // The horizon is no way out, nor are other lengths: nothing waits.
    fixed.horizon_us = None;
    fixed
        .links
        .extend((0..4).map(|at| Link::new(0, 2 * at + 1, 0, 0)));
    let found = relaxations(&fixed);
    let more = |resource| Change::Capacity {
        resource,
        capacity: 2,
    };
    let both = found
        .iter()
        .find(|found| found.changes == [more(0), more(1)]);
    let both = both.unwrap_or_else(|| panic!("{found:?}"));
    assert!(both.plan.is_some());
}
