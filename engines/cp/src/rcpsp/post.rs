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

/// Posts all constraints; false when one cannot be satisfied.
pub(super) fn post(project: &Project, model: &Model, solver: &mut Solver<Propagators>) -> bool {
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
    let interchangeable = interchangeable(project);
    for (one, other) in interchangeable
        .iter()
        .enumerate()
        .filter_map(|(at, next)| Some((at, (*next)?)))
    {
        let first = if disjunctive(
            project,
            &project.activities[one],
            &project.activities[other],
        ) {
            model.ends[one]
        } else {
            View {
                var: model.starts[one],
                plus: 0,
            }
        };
        let second = View {
            var: model.starts[other],
            plus: 0,
        };
        solver.theory.add_edge(first, second, 0, None);
    }
    exclude(project, model, solver, &interchangeable);
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

/// Disjunctive pairs: a Boolean orders two activities that exclude each other.
fn exclude(
    project: &Project,
    model: &Model,
    solver: &mut Solver<Propagators>,
    interchangeable: &[Option<usize>],
) {
    let mut pairs = 0;
    let count = project.activities.len();
    // Of two demands that exceed a capacity together, one exceeds half of it.
    let room = |demand: &Demand| project.capacities[demand.resource] - demand.amount;
    let exceeds = |demand: &Demand| demand.amount > room(demand);
    let large = |activity: &Activity| activity.demands.iter().any(exceeds);
    let large: Vec<bool> = project.activities.iter().map(large).collect();
    for (one, other) in (0..count).flat_map(|one| (0..one).map(move |other| (other, one))) {
        if pairs == PAIRS_MAX {
            break;
        }
        let may_exclude = large[one] || large[other];
        if may_exclude
            && interchangeable[one] != Some(other)
            && disjunctive(
                project,
                &project.activities[one],
                &project.activities[other],
            )
        {
            pairs += 1;
            // No Boolean of its own account: starts decide it, until conflicts are about it.
            let first = solver.new_int(0, 1);
            let start = |activity: usize| View {
                var: model.starts[activity],
                plus: 0,
            };
            let rules = &mut solver.theory;
            rules.add_edge(model.ends[one], start(other), 0, Some(first.yes()));
            rules.add_edge(model.ends[other], start(one), 0, Some(first.no()));
        }
    }
}

/// Whether two activities can never overlap.
fn disjunctive(project: &Project, one: &Activity, other: &Activity) -> bool {
    let back = |activity: &Activity| {
        activity.shortest > 0 && !activity.demands.iter().any(|demand| demand.consumed)
    };
    back(one)
        && back(other)
        && one.demands.iter().any(|a| {
            let mut same = other.demands.iter().filter(|b| b.resource == a.resource);
            same.any(|b| a.amount + b.amount > project.capacities[a.resource])
        })
}
