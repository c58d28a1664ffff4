//! Validation of couplings.

use super::{ERRORS_MAX, outside};
use crate::errors::{CouplingError as E, List, Site};
use crate::problem::{
    AGENT_BREAKS_MAX, BREAKS_MAX, GROUPS_MAX, ORDERS_MAX, PAIRS_MAX, PREFERENCES_MAX,
    RATE_MAX_MICRO, Spec, TIME_MAX_US,
};

/// All mistakes, list by list; a cycle is looked for where there are no others.
pub(super) fn errors(spec: &Spec) -> Vec<E> {
    let mut wrong = Vec::new();
    lengths(spec, &mut wrong);
    if !wrong.is_empty() {
        return wrong;
    }
    orders(spec, &mut wrong);
    pairs(spec, &mut wrong);
    groups(spec, &mut wrong);
    breaks(spec, &mut wrong);
    preferences(spec, &mut wrong);
    if wrong.is_empty() {
        wrong.extend(cycle(spec).map(|tasks| E::Circle { tasks }));
    }
    wrong.truncate(ERRORS_MAX);
    wrong
}

fn lengths(spec: &Spec, wrong: &mut Vec<E>) {
    let all = &spec.couplings;
    let lists = [
        (List::Orders, all.orders.len(), ORDERS_MAX),
        (List::Pairs, all.pairs.len(), PAIRS_MAX),
        (List::Groups, all.groups.len(), GROUPS_MAX),
        (List::Breaks, all.breaks.len(), BREAKS_MAX),
        (List::Preferences, all.preferences.len(), PREFERENCES_MAX),
    ];
    let long = lists.iter().filter(|(_, given, most)| given > most);
    wrong.extend(long.map(|&(list, given, most)| E::TooMany { list, given, most }));
}

/// Checks that each task exists, and is there once.
fn members(tasks: &[usize], site: Site, seen: &mut [bool], wrong: &mut Vec<E>) {
    for (member, &task) in tasks.iter().enumerate() {
        match seen.get_mut(task) {
            None => wrong.push(E::UnknownTask { site, member, task }),
            Some(true) => wrong.push(E::Repeated { site, member, task }),
            Some(seen) => *seen = true,
        }
    }
}

/// A window within ten years. False if it is not.
fn window(earliest_us: i64, latest_us: i64, site: Site, wrong: &mut Vec<E>) -> bool {
    let before = wrong.len();
    if outside(earliest_us, TIME_MAX_US) {
        wrong.push(E::TimeOutOfRange {
            site,
            time_us: earliest_us,
        });
    }
    if outside(latest_us, TIME_MAX_US) {
        wrong.push(E::LatestOutOfRange {
            site,
            time_us: latest_us,
        });
    }
    if wrong.len() == before && latest_us < earliest_us {
        wrong.push(E::Reversed {
            site,
            earliest_us,
            latest_us,
        });
    }
    wrong.len() == before
}

fn orders(spec: &Spec, wrong: &mut Vec<E>) {
    for (index, order) in spec.couplings.orders.iter().enumerate() {
        let site = Site::Order(index);
        let mut seen = vec![false; spec.tasks.len()];
        members(&[order.first, order.second], site, &mut seen, wrong);
        let latest_us = order.gap_max_us.unwrap_or(TIME_MAX_US);
        window(order.gap_min_us, latest_us, site, wrong);
    }
}

fn pairs(spec: &Spec, wrong: &mut Vec<E>) {
    let mut seen = vec![false; spec.tasks.len()];
    for (index, pair) in spec.couplings.pairs.iter().enumerate() {
        let before = wrong.len();
        let tasks = [pair.pickup, pair.delivery];
        members(&tasks, Site::Pair(index), &mut seen, wrong);
        if wrong.len() > before {
            continue;
        }
        let task = pair.delivery;
        if spec.tasks[task].demands.iter().any(|demand| *demand != 0) {
            wrong.push(E::DeliveryDemands { pair: index, task });
        }
        let skills = spec.tasks[pair.pickup].skills | spec.tasks[task].skills;
        let able = |agent: &crate::problem::Agent| skills & !agent.skills == 0;
        if skills != 0 && !spec.agents.iter().any(able) {
            wrong.push(E::PairWithoutAgent { pair: index });
        }
    }
}

fn groups(spec: &Spec, wrong: &mut Vec<E>) {
    let mut seen = vec![false; spec.tasks.len()];
    for (group, one) in spec.couplings.groups.iter().enumerate() {
        if one.tasks.len() < 2 {
            wrong.push(E::GroupTooSmall {
                group,
                given: one.tasks.len(),
            });
        }
        members(&one.tasks, Site::Group(group), &mut seen, wrong);
    }
}

fn breaks(spec: &Spec, wrong: &mut Vec<E>) {
    let mut counts = vec![0; spec.agents.len()];
    for (index, one) in spec.couplings.breaks.iter().enumerate() {
        let agent = one.agent;
        if outside(one.length_us, TIME_MAX_US) {
            wrong.push(E::LengthOutOfRange {
                index,
                length_us: one.length_us,
            });
        }
        let site = Site::Break(index);
        let whole = window(one.earliest_us, one.latest_us, site, wrong);
        let (Some(given), Some(count)) = (spec.agents.get(agent), counts.get_mut(agent)) else {
            wrong.push(E::UnknownAgent { index, agent });
            continue;
        };
        *count += 1;
        if *count == AGENT_BREAKS_MAX + 1 {
            wrong.push(E::TooManyOfAgent { index, agent });
        }
        if whole && one.latest_us < given.shift_start_us {
            wrong.push(E::BeforeShift {
                index,
                latest_us: one.latest_us,
                shift_start_us: given.shift_start_us,
            });
        }
    }
}

fn preferences(spec: &Spec, wrong: &mut Vec<E>) {
    let mut seen = vec![false; spec.tasks.len()];
    for (index, one) in spec.couplings.preferences.iter().enumerate() {
        let site = Site::Preference(index);
        members(&[one.task], site, &mut seen, wrong);
        window(one.from_us, one.until_us, site, wrong);
        if outside(one.early_micro, RATE_MAX_MICRO) {
            wrong.push(E::EarlyOutOfRange {
                index,
                rate_micro: one.early_micro,
            });
        }
        if outside(one.late_micro, RATE_MAX_MICRO) {
            wrong.push(E::LateOutOfRange {
                index,
                rate_micro: one.late_micro,
            });
        }
    }
}

/// A cycle of tasks of which each waits for the next, if there is one.
///
/// Tasks that start together are one node, named after the first of them. Depth-first search with
/// an explicit stack: chains may be long.
fn cycle(spec: &Spec) -> Option<Vec<usize>> {
    let count = spec.tasks.len();
    let mut name: Vec<usize> = (0..count).collect();
    for group in &spec.couplings.groups {
        for &task in &group.tasks {
            name[task] = group.tasks[0];
        }
    }
    let mut before: Vec<Vec<(usize, usize)>> = vec![Vec::new(); count];
    let orders = spec.couplings.orders.iter().map(|o| (o.first, o.second));
    let pairs = spec.couplings.pairs.iter().map(|p| (p.pickup, p.delivery));
    for (first, second) in orders.chain(pairs) {
        before[name[second]].push((second, first));
    }
    // 0: not seen; 1: on the path; 2: done.
    let mut state = vec![0_u8; count];
    for root in 0..count {
        if state[root] != 0 {
            continue;
        }
        state[root] = 1;
        // Node, the arc to try next, and the task that led to the node.
        let mut path = vec![(root, 0, root)];
        while let Some((node, next, _)) = path.last_mut() {
            let Some(&(_, first)) = before[*node].get(*next) else {
                state[*node] = 2;
                path.pop();
                continue;
            };
            *next += 1;
            let to = name[first];
            match state[to] {
                0 => {
                    state[to] = 1;
                    path.push((to, 0, first));
                }
                1 => {
                    let from = path.iter().position(|(node, ..)| *node == to);
                    let cycle = &path[from.unwrap_or(0)..];
                    return Some(cycle.iter().map(|(node, ..)| *node).collect());
                }
                _ => {}
            }
        }
    }
    None
}
