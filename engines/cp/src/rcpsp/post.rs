//! Posts the constraints of a project: lags, resource uses, disjunctive pairs, symmetry breaking.

use super::model::{Model, View, edges};
use super::modes::is_usable;
use super::propagators::Propagators;
use super::timetable::Use;
use super::{Activity, Demand, Lag, Point, Project};
use crate::clause_learning::{Lit, Solver};
use std::collections::BTreeMap;

/// Most pairs of activities that get a Boolean for their order.
const PAIRS_MAX: usize = 5_000;

/// Posts all constraints; false when one cannot be satisfied. Once `go_on` returns false, no more
/// disjunctive pairs are posted: the capacities imply them.
pub(super) fn post(
    project: &Project,
    model: &Model,
    solver: &mut Solver<Propagators>,
    go_on: &mut dyn FnMut() -> bool,
) -> bool {
    for (activity, start) in model.starts.iter().enumerate() {
        solver.theory.add_var(*start);
        if model.ends[activity].var != *start {
            solver.theory.add_var(model.ends[activity].var);
        }
    }
    solver.theory.add_var(model.makespan);
    for (from, to, least) in edges(project, model) {
        solver.theory.add_edge(from, to, least, None);
    }
    for capacity in &project.capacities {
        solver.theory.table.add_resource(*capacity);
    }
    for (index, activity) in project.activities.iter().enumerate() {
        let start = View {
            var: model.starts[index],
            plus: 0,
        };
        for demand in activity.demands.iter().filter(|demand| demand.amount > 0) {
            if demand.amount > project.capacities[demand.resource] {
                if demand.consumed || activity.shortest > 0 {
                    return false;
                }
                solver.theory.add_edge(model.ends[index], start, 0, None);
            } else if demand.consumed || activity.longest > 0 {
                solver
                    .theory
                    .table
                    .add_use(used(model, index, demand, None));
            }
        }
    }
    let held: Vec<Vec<i64>> = { project.activities.iter() }
        .map(|activity| held(project, activity))
        .collect();
    let interchangeable = interchangeable(project);
    for (one, other) in interchangeable.iter().enumerate() {
        let Some(other) = *other else { continue };
        let is_first_over = is_disjunctive(project, &held[one], &held[other]);
        let first = if is_first_over {
            Point::End(one)
        } else {
            Point::Start(one)
        };
        let second = model.view(Point::Start(other));
        solver.theory.add_edge(model.view(first), second, 0, None);
    }
    for [one, other] in disjunctive_pairs(project, &held, &interchangeable, go_on) {
        // No Boolean of its own account: starts decide it, until conflicts are about it.
        let first = solver.new_int(0, 1);
        let start = |activity: usize| model.view(Point::Start(activity));
        let rules = &mut solver.theory;
        rules.add_edge(model.ends[one], start(other), 0, Some(first.yes()));
        rules.add_edge(model.ends[other], start(one), 0, Some(first.no()));
    }
    post_modes(project, model, solver);
    true
}

/// The use of a resource by an activity, when a condition holds.
fn used(model: &Model, activity: usize, demand: &Demand, when: Option<Lit>) -> Use {
    Use {
        start: model.starts[activity],
        end: model.until(activity, demand),
        amount: demand.amount,
        resource: u32::try_from(demand.resource).expect("fewer than 2^32 resources"),
        when,
    }
}

/// Posts that an activity has exactly one of its modes, with the mode's duration and demands.
fn post_modes(project: &Project, model: &Model, solver: &mut Solver<Propagators>) {
    for (index, activity) in project.activities.iter().enumerate() {
        let chosen = &model.modes[index];
        let start = model.view(Point::Start(index));
        let end = model.ends[index];
        for (mode, chosen) in activity.modes.iter().zip(chosen) {
            let when = Some(chosen.yes());
            if !is_usable(project, activity, mode) {
                solver.add_clause(&[chosen.no()]);
                continue;
            }
            if activity.shortest < activity.longest {
                let rules = &mut solver.theory;
                rules.add_edge(start, end, mode.duration, when);
                rules.add_edge(end, start, -mode.duration, when);
            }
            for demand in &mode.demands {
                let table = &mut solver.theory.table;
                table.add_use(used(model, index, demand, when));
            }
        }
        for (at, one) in chosen.iter().enumerate() {
            for other in &chosen[..at] {
                solver.add_clause(&[one.no(), other.no()]);
            }
        }
        if !chosen.is_empty() {
            let any: Vec<Lit> = chosen.iter().map(|mode| mode.yes()).collect();
            solver.add_clause(&any);
        }
    }
}

/// For each activity the next one that differs from it in nothing but its index (symmetry
/// breaking): swapping both makes no difference, so the first may be required to start first.
fn interchangeable(project: &Project) -> Vec<Option<usize>> {
    let mut lags: Vec<Vec<(bool, bool, Point, i64)>> = vec![Vec::new(); project.activities.len()];
    for Lag { from, to, least } in &project.lags {
        let (Point::Start(one) | Point::End(one), Point::Start(other) | Point::End(other)) =
            (from, to);
        lags[*one].push((true, matches!(from, Point::End(_)), *to, *least));
        lags[*other].push((false, matches!(to, Point::End(_)), *from, *least));
    }
    let mut last = BTreeMap::new();
    let mut next = vec![None; project.activities.len()];
    for (at, (activity, mut lags)) in project.activities.iter().zip(lags).enumerate() {
        lags.sort_unstable();
        let Activity {
            shortest,
            longest,
            release,
            deadline,
            demands,
            modes,
        } = activity;
        let mut demands = demands.clone();
        demands.sort_unstable();
        let times = (*shortest, *longest, *release, *deadline);
        let key = (times, demands, modes.clone(), lags);
        if let Some(before) = last.insert(key, at) {
            next[before] = Some(at);
        }
    }
    next
}

/// Pairs of activities that can never overlap, at most [`PAIRS_MAX`]: those that are found while
/// `go_on` returns true.
pub(super) fn disjunctive_pairs(
    project: &Project,
    held: &[Vec<i64>],
    interchangeable: &[Option<usize>],
    go_on: &mut dyn FnMut() -> bool,
) -> Vec<[usize; 2]> {
    // Of two amounts that exceed a capacity together, one exceeds half of it.
    let is_large = |amounts: &Vec<i64>| is_disjunctive(project, amounts, amounts);
    let is_large: Vec<bool> = held.iter().map(is_large).collect();
    let mut pairs = Vec::new();
    for other in 0..held.len() {
        if pairs.len() == PAIRS_MAX || !go_on() {
            break;
        }
        let is_disjunctive = |one: &usize| {
            (is_large[*one] || is_large[other])
                && interchangeable[*one] != Some(other)
                && is_disjunctive(project, &held[*one], &held[other])
        };
        let found = (0..other).filter(is_disjunctive).map(|one| [one, other]);
        pairs.extend(found.take(PAIRS_MAX - pairs.len()));
    }
    pairs
}

/// How much of each resource an activity holds until its end, whatever its mode; nothing if it may
/// take no time or consumes.
pub(super) fn held(project: &Project, activity: &Activity) -> Vec<i64> {
    let mut amounts = vec![0; project.capacities.len()];
    if activity.shortest > 0 && !activity.demands.iter().any(|demand| demand.consumed) {
        for demand in &activity.demands {
            amounts[demand.resource] += demand.amount;
        }
    }
    amounts
}

/// Whether what two activities hold exceeds a capacity: they can never overlap.
fn is_disjunctive(project: &Project, one: &[i64], other: &[i64]) -> bool {
    let both = one.iter().zip(other).zip(&project.capacities);
    both.fold(false, |exceeds, ((one, other), capacity)| {
        exceeds | (one + other > *capacity)
    })
}
