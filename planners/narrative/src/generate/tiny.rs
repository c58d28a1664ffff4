//! Narratives small enough to be played out in all ways, in single microseconds. Many have no plan.

use super::{Random, valid};
use crate::problem::{
    Activity, Choice, Chooser, Contingent, Demand, Link, Micros, Narrative, Node, Resource, Spec,
};

/// Bounds between events, either way.
const BOUND_MAX_US: Micros = 4;
/// Latest horizon.
const HORIZON_MAX_US: Micros = 8;

/// The tiny narrative number `seed` without choices and resources: one to three events of ours, one
/// or two durations that others pick, chained or not, at most 8 us.
///
/// # Examples
/// ```
/// assert!(narrative::generate::tiny(3).nodes() <= 6);
/// ```
#[must_use]
pub fn tiny(seed: u64) -> Narrative {
    let mut random = Random::new(seed);
    let mut events = 1 + random.index(3);
    let contingent = lasting(&mut events, &mut random);
    let links = links(events, &mut random);
    valid(Spec {
        events,
        links,
        contingent,
        horizon_us: Some(random.pick(4, HORIZON_MAX_US)),
        ..Spec::default()
    })
}

/// The tiny narrative number `seed` with one choice of two options, one event each, and up to three
/// activities on up to two resources; otherwise as [`tiny`].
///
/// # Examples
/// ```
/// assert_eq!(narrative::generate::tiny_story(3).storylines().len(), 2);
/// ```
#[must_use]
pub fn tiny_story(seed: u64) -> Narrative {
    let mut random = Random::new(seed);
    let mut events = 1 + random.index(2);
    let contingent = lasting(&mut events, &mut random);
    let mut links = links(events, &mut random);
    let options = [events + 1, events + 2];
    for option in options {
        // After something, so that there is something to be seen before the choice.
        let from = random.index(events + 1);
        let lower = random.pick(0, 2);
        links.push(Link::new(from, option, lower, lower + random.pick(0, 3)));
        links.push(any_link(random.index(events + 1), option, &mut random));
    }
    let chooser = if random.chance(70) {
        Chooser::System
    } else {
        Chooser::Player
    };
    let resources: Vec<_> = (0..random.index(3))
        .map(|_| Resource {
            capacity: if random.chance(70) { 1 } else { 2 },
        })
        .collect();
    let forked = |link: &&Link| link.to <= events && link.from <= events;
    let takes = |link: &&Link| link.lower_us.is_some_and(|lower| lower >= 0);
    let ends = links.iter().filter(forked).filter(takes);
    let ends = ends.map(|link| (link.from, link.to));
    let ends: Vec<_> = ends
        .chain(contingent.iter().map(|link| (link.from, link.to)))
        .collect();
    let some = random.index(4);
    let activities = random
        .some(some, ends.len())
        .into_iter()
        .map(|at| Activity {
            start: ends[at].0,
            end: ends[at].1,
            demands: (0..resources.len())
                .filter_map(|resource| {
                    let demand = Demand {
                        resource,
                        amount: 1,
                        consumed: random.chance(10),
                    };
                    random.chance(60).then_some(demand)
                })
                .collect(),
        });
    let activities = activities.collect();
    valid(Spec {
        events: events + 2,
        links,
        contingent,
        activities,
        resources,
        choices: vec![Choice {
            chooser,
            options: options.iter().map(|option| vec![*option]).collect(),
        }],
        horizon_us: Some(random.pick(5, HORIZON_MAX_US)),
        ..Spec::default()
    })
}

/// One or two durations that others pick, each with an event of its own.
fn lasting(events: &mut usize, random: &mut Random) -> Vec<Contingent> {
    let count = 1 + random.index(2);
    let mut all = Vec::new();
    for _ in 0..count {
        let from = random.index(*events + 1);
        *events += 1;
        let lower_us = random.pick(0, 2);
        all.push(Contingent::new(
            from,
            *events,
            lower_us,
            lower_us + random.pick(0, 3),
        ));
    }
    all
}

/// One to four requirements.
fn links(events: usize, random: &mut Random) -> Vec<Link> {
    let count = 1 + random.index(4);
    let mut all = Vec::new();
    while all.len() < count {
        let (from, to) = (random.index(events + 1), random.index(events + 1));
        if from != to {
            all.push(any_link(from, to, random));
        }
    }
    all
}

fn any_link(from: Node, to: Node, random: &mut Random) -> Link {
    let lower = random.pick(-BOUND_MAX_US, 2);
    Link::new(from, to, lower, lower + random.pick(1, 2 * BOUND_MAX_US))
}
