//! One change of one field.

use super::Luck;
use narrative::problem::{
    Activity, CAPACITY_MAX, Choice, Chooser, Contingent, Demand, Link, Micros, Node, Resource,
    Spec, TIME_MAX_US,
};

/// Changes something of everything that a caller sets.
pub(super) fn once(luck: &mut Luck, spec: &mut Spec) {
    match luck.below(12) {
        0 | 1 => links(luck, spec),
        2 | 3 => contingent(luck, spec),
        4 => resources(luck, spec),
        5 | 6 => activities(luck, spec),
        7 => choices(luck, spec),
        8 => spec.events = (spec.events + luck.below(3)).saturating_sub(1),
        9 => {
            let index = luck.below(spec.links.len() + 1);
            list(luck, &mut spec.waiting, index);
        }
        10 => spec.horizon_us = (!luck.chance(3)).then(|| time(luck, spec.horizon_us)),
        _ => progress(luck, spec),
    }
}

/// A time that is nearly this one, or at a limit.
fn time(luck: &mut Luck, old: Option<Micros>) -> Micros {
    let old = old.unwrap_or(0);
    match luck.below(12) {
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
        10 => old ^ (1 << luck.below(49)),
        _ => luck.below(10) as Micros,
    }
}

fn node(luck: &mut Luck, spec: &Spec) -> Node {
    luck.below(spec.events + 1)
}

/// Shortens, doubles or empties a list, or adds to it.
fn list<T: Clone>(luck: &mut Luck, all: &mut Vec<T>, more: T) {
    let at = luck.below(all.len() + 1);
    match luck.below(8) {
        0 => all.clear(),
        1 => all.truncate(at),
        2 | 3 if at < all.len() => drop(all.remove(at)),
        4 if at < all.len() => all.push(all[at].clone()),
        5 if at < all.len() => {
            let other = luck.below(all.len());
            all.swap(at, other);
        }
        _ => all.insert(at, more),
    }
}

fn links(luck: &mut Luck, spec: &mut Spec) {
    let (from, to) = (node(luck, spec), node(luck, spec));
    if luck.chance(4) || spec.links.is_empty() {
        let lower_us = luck.chance(2).then(|| time(luck, None));
        let upper_us = luck.chance(2).then(|| time(luck, lower_us));
        let more = Link {
            from,
            to,
            lower_us,
            upper_us,
        };
        return list(luck, &mut spec.links, more);
    }
    let at = luck.below(spec.links.len());
    let link = &mut spec.links[at];
    match luck.below(6) {
        0 => link.from = from,
        1 => link.to = to,
        2 => (link.from, link.to) = (link.to, link.from),
        3 => link.lower_us = (!luck.chance(3)).then(|| time(luck, link.lower_us)),
        4 => link.upper_us = (!luck.chance(3)).then(|| time(luck, link.upper_us)),
        _ => link.upper_us = link.lower_us,
    }
}

fn contingent(luck: &mut Luck, spec: &mut Spec) {
    let (from, to) = (node(luck, spec), node(luck, spec));
    if luck.chance(4) || spec.contingent.is_empty() {
        let lower_us = time(luck, None);
        let more = Contingent {
            from,
            to,
            lower_us,
            upper_us: time(luck, Some(lower_us)),
        };
        return list(luck, &mut spec.contingent, more);
    }
    let at = luck.below(spec.contingent.len());
    let link = &mut spec.contingent[at];
    match luck.below(6) {
        0 => link.from = from,
        1 => link.to = to,
        2 => link.lower_us = time(luck, Some(link.lower_us)),
        3 | 4 => link.upper_us = time(luck, Some(link.upper_us)),
        _ => link.upper_us = link.lower_us,
    }
}

fn resources(luck: &mut Luck, spec: &mut Spec) {
    let capacity = luck.one_of(&[0, 1, 2, 3, CAPACITY_MAX]);
    if luck.chance(2) || spec.resources.is_empty() {
        return list(luck, &mut spec.resources, Resource { capacity });
    }
    let at = luck.below(spec.resources.len());
    spec.resources[at].capacity = capacity;
}

fn demand(luck: &mut Luck, spec: &Spec) -> Demand {
    Demand {
        resource: luck.below(spec.resources.len() + 1),
        amount: luck.one_of(&[1, 1, 2, CAPACITY_MAX]),
        consumed: luck.chance(3),
    }
}

fn activities(luck: &mut Luck, spec: &mut Spec) {
    let own = demand(luck, spec);
    let links = spec.links.iter().map(|link| (link.from, link.to));
    let lasting = spec.contingent.iter().map(|link| (link.from, link.to));
    let ends: Vec<_> = links.chain(lasting).collect();
    if ends.is_empty() {
        return;
    }
    let (start, end) = luck.one_of(&ends);
    if luck.chance(2) || spec.activities.is_empty() {
        let demands = vec![own; luck.below(4).min(1)];
        let more = Activity {
            start,
            end,
            demands,
        };
        return list(luck, &mut spec.activities, more);
    }
    let at = luck.below(spec.activities.len());
    let activity = &mut spec.activities[at];
    match luck.below(4) {
        0 => (activity.start, activity.end) = (start, end),
        1 => list(luck, &mut activity.demands, own),
        _ => {
            for demand in &mut activity.demands {
                if luck.chance(2) {
                    demand.consumed = own.consumed;
                    demand.amount = own.amount;
                }
            }
        }
    }
}

fn choices(luck: &mut Luck, spec: &mut Spec) {
    let more = node(luck, spec);
    if spec.choices.is_empty() || luck.chance(3) {
        return spec.choices.push(Choice {
            chooser: luck.one_of(&[Chooser::System, Chooser::Player]),
            options: vec![vec![more], vec![]],
        });
    }
    let at = luck.below(spec.choices.len());
    match luck.below(6) {
        0 => {
            let given = &mut spec.choices[at].chooser;
            *given = match *given {
                Chooser::System => Chooser::Player,
                Chooser::Player => Chooser::System,
            };
        }
        1 => list(luck, &mut spec.choices[at].options, vec![more]),
        2 => {
            let again = spec.choices[at].clone();
            list(luck, &mut spec.choices, again);
        }
        3 => {
            let option = luck.below(spec.choices[at].options.len());
            list(luck, &mut spec.withheld, (at, option));
            spec.withheld.sort_unstable();
        }
        _ => {
            let option = luck.below(spec.choices[at].options.len());
            list(luck, &mut spec.choices[at].options[option], more);
        }
    }
}

fn progress(luck: &mut Luck, spec: &mut Spec) {
    let happens = (node(luck, spec), time(luck, Some(spec.progress.now_us)));
    let choice = luck.below(spec.choices.len() + 1);
    let option = luck.below(3);
    let progress = &mut spec.progress;
    match luck.below(4) {
        0 => progress.now_us = time(luck, Some(progress.now_us)),
        1 | 2 => {
            progress.now_us = progress.now_us.max(happens.1);
            list(luck, &mut progress.happened, happens);
        }
        _ => list(luck, &mut progress.made, (choice, option)),
    }
}
