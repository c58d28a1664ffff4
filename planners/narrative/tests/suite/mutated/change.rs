//! One change of one field.

use super::Random;
use narrative::problem::{
    Activity, CAPACITY_MAX, Choice, Chooser, Contingent, Demand, Link, Micros, Node, Resource,
    Spec, TIME_MAX_US,
};

/// Changes something of everything that a caller sets.
pub(super) fn once(random: &mut Random, spec: &mut Spec) {
    match random.below(12) {
        0 | 1 => links(random, spec),
        2 | 3 => contingent(random, spec),
        4 => resources(random, spec),
        5 | 6 => activities(random, spec),
        7 => choices(random, spec),
        8 => spec.events = (spec.events + random.below(3)).saturating_sub(1),
        9 => {
            let index = random.below(spec.links.len() + 1);
            list(random, &mut spec.waiting, index);
        }
        10 => spec.horizon_us = (!random.chance(3)).then(|| time(random, spec.horizon_us)),
        _ => progress(random, spec),
    }
}

/// A time that is nearly this one, or at a limit.
fn time(random: &mut Random, old: Option<Micros>) -> Micros {
    let old = old.unwrap_or(0);
    match random.below(12) {
        0 => 0,
        1 => 1,
        2 => -1,
        3 => TIME_MAX_US,
        4 => -TIME_MAX_US,
        5 => TIME_MAX_US - 1,
        6 => old + 1,
        7 => old - 1,
        8 => old * 2,
        9 => old / 2,
        10 => old ^ (1 << random.below(49)),
        _ => random.below(10) as Micros,
    }
}

fn node(random: &mut Random, spec: &Spec) -> Node {
    random.below(spec.events + 1)
}

/// Shortens, doubles or empties a list, or adds to it.
fn list<T: Clone>(random: &mut Random, all: &mut Vec<T>, more: T) {
    let at = random.below(all.len() + 1);
    match random.below(8) {
        0 => all.clear(),
        1 => all.truncate(at),
        2 | 3 if at < all.len() => drop(all.remove(at)),
        4 if at < all.len() => all.push(all[at].clone()),
        5 if at < all.len() => {
            let other = random.below(all.len());
            all.swap(at, other);
        }
        _ => all.insert(at, more),
    }
}

fn links(random: &mut Random, spec: &mut Spec) {
    let (from, to) = (node(random, spec), node(random, spec));
    if random.chance(4) || spec.links.is_empty() {
        let lower_us = random.chance(2).then(|| time(random, None));
        let upper_us = random.chance(2).then(|| time(random, lower_us));
        let more = Link::new(from, to, lower_us, upper_us);
        return list(random, &mut spec.links, more);
    }
    let at = random.below(spec.links.len());
    let link = &mut spec.links[at];
    match random.below(6) {
        0 => link.from = from,
        1 => link.to = to,
        2 => (link.from, link.to) = (link.to, link.from),
        3 => link.lower_us = (!random.chance(3)).then(|| time(random, link.lower_us)),
        4 => link.upper_us = (!random.chance(3)).then(|| time(random, link.upper_us)),
        _ => link.upper_us = link.lower_us,
    }
}

fn contingent(random: &mut Random, spec: &mut Spec) {
    let (from, to) = (node(random, spec), node(random, spec));
    if random.chance(4) || spec.contingent.is_empty() {
        let lower_us = time(random, None);
        let more = Contingent::new(from, to, lower_us, time(random, Some(lower_us)));
        return list(random, &mut spec.contingent, more);
    }
    let at = random.below(spec.contingent.len());
    let link = &mut spec.contingent[at];
    match random.below(6) {
        0 => link.from = from,
        1 => link.to = to,
        2 => link.lower_us = time(random, Some(link.lower_us)),
        3 | 4 => link.upper_us = time(random, Some(link.upper_us)),
        _ => link.upper_us = link.lower_us,
    }
}

fn resources(random: &mut Random, spec: &mut Spec) {
    let capacity = *random.one_of(&[0, 1, 2, 3, CAPACITY_MAX]);
    if random.chance(2) || spec.resources.is_empty() {
        return list(random, &mut spec.resources, Resource { capacity });
    }
    let at = random.below(spec.resources.len());
    spec.resources[at].capacity = capacity;
}

fn demand(random: &mut Random, spec: &Spec) -> Demand {
    Demand {
        resource: random.below(spec.resources.len() + 1),
        amount: *random.one_of(&[1, 1, 2, CAPACITY_MAX]),
        consumed: random.chance(3),
    }
}

fn activities(random: &mut Random, spec: &mut Spec) {
    let own = demand(random, spec);
    let links = spec.links.iter().map(|link| (link.from, link.to));
    let lasting = spec.contingent.iter().map(|link| (link.from, link.to));
    let ends: Vec<_> = links.chain(lasting).collect();
    if ends.is_empty() {
        return;
    }
    let (start, end) = *random.one_of(&ends);
    if random.chance(2) || spec.activities.is_empty() {
        let demands = vec![own; random.below(4).min(1)];
        let more = Activity::new(start, end, demands);
        return list(random, &mut spec.activities, more);
    }
    let at = random.below(spec.activities.len());
    let activity = &mut spec.activities[at];
    match random.below(4) {
        0 => (activity.start, activity.end) = (start, end),
        1 => list(random, &mut activity.demands, own),
        _ => {
            for demand in &mut activity.demands {
                if random.chance(2) {
                    demand.consumed = own.consumed;
                    demand.amount = own.amount;
                }
            }
        }
    }
}

fn choices(random: &mut Random, spec: &mut Spec) {
    let more = node(random, spec);
    if spec.choices.is_empty() || random.chance(3) {
        return spec.choices.push(Choice {
            chooser: *random.one_of(&[Chooser::System, Chooser::Player]),
            options: vec![vec![more], vec![]],
        });
    }
    let at = random.below(spec.choices.len());
    match random.below(6) {
        0 => {
            let given = &mut spec.choices[at].chooser;
            *given = match *given {
                Chooser::System => Chooser::Player,
                Chooser::Player => Chooser::System,
            };
        }
        1 => list(random, &mut spec.choices[at].options, vec![more]),
        2 => {
            let again = spec.choices[at].clone();
            list(random, &mut spec.choices, again);
        }
        3 => {
            let option = random.below(spec.choices[at].options.len());
            list(random, &mut spec.withheld, (at, option));
            spec.withheld.sort_unstable();
        }
        _ => {
            let option = random.below(spec.choices[at].options.len());
            list(random, &mut spec.choices[at].options[option], more);
        }
    }
}

fn progress(random: &mut Random, spec: &mut Spec) {
    let happens = (node(random, spec), time(random, Some(spec.progress.now_us)));
    let choice = random.below(spec.choices.len() + 1);
    let option = random.below(3);
    let progress = &mut spec.progress;
    match random.below(4) {
        0 => progress.now_us = time(random, Some(progress.now_us)),
        1 | 2 => {
            progress.now_us = progress.now_us.max(happens.1);
            list(random, &mut progress.happened, happens);
        }
        _ => list(random, &mut progress.made, (choice, option)),
    }
}
