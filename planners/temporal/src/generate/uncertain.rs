//! Networks with uncertain durations around one run that works out.

use super::{Random, SECOND_US, Uncertain};
use crate::problem::{Contingent, Link, Micros, Node, ORIGIN, Owner, Spec};

/// Maximum of shortest durations, their ranges, and times between successive events of ours.
const DURATION_MAX_S: i64 = 20;

pub(super) fn spec(shape: &Uncertain, random: &mut Random) -> Spec {
    assert!(shape.ours >= 1, "there is nothing to decide");
    let mut spec = Spec {
        owners: vec![Owner::Controllable; shape.ours],
        ..Spec::default()
    };
    // When each node happens in the run, in seconds.
    let mut run = vec![0];
    for before in 0..shape.ours {
        run.push(run[before] + random.pick(0, DURATION_MAX_S));
    }
    for made in 0..shape.contingent {
        let from: Node = if made > 0 && random.chance(shape.chained_percent) {
            shape.ours + 1 + random.index(made)
        } else {
            random.index(shape.ours + 1)
        };
        let lower = random.pick(0, DURATION_MAX_S);
        let upper = lower + random.pick(1, DURATION_MAX_S);
        run.push(run[from] + random.pick(lower, upper));
        spec.contingent.push(Contingent {
            from,
            to: spec.owners.len() + 1,
            lower_us: lower * SECOND_US,
            upper_us: upper * SECOND_US,
        });
        spec.owners.push(Owner::Nature);
    }
    let after = |to| Link::new(ORIGIN, to, 0, None);
    spec.links.extend((1..=shape.ours).map(after));
    while spec.links.len() < shape.links + shape.ours {
        let (from, to) = (random.index(run.len()), random.index(run.len()));
        if from != to {
            let link = around(run[to] - run[from], shape, random);
            spec.links.push(Link { from, to, ..link });
        }
    }
    spec
}

/// A requirement that a difference, in seconds, satisfies, with one bound or two. The caller sets
/// its ends.
fn around(difference: i64, shape: &Uncertain, random: &mut Random) -> Link {
    let slack = i64::from(shape.slack_s);
    let bound = |seconds: i64| -> Option<Micros> { Some(seconds * SECOND_US) };
    let lower_us = bound(difference - random.pick(0, slack));
    let upper_us = bound(difference + random.pick(0, slack));
    let sides = random.index(3);
    Link {
        from: ORIGIN,
        to: ORIGIN,
        lower_us: lower_us.filter(|_| sides != 1),
        upper_us: upper_us.filter(|_| sides != 2),
    }
}
