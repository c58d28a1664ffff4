//! Feasibility of committed prefixes: whether agents can do the tasks that they have under way.

use super::earliest_arrival::{EarliestArrivals, Source, earliest_start, latest_close};
use crate::obstacle::Obstacle;
use crate::problem::{Problem, Task};

/// The first task under way that an agent cannot do, and the obstacle; `None`: it can do all of
/// them, or has none.
///
/// These tasks come first on the route, in their order, so their earliest times are those of every
/// plan. Only between the last of them and the end place other tasks can help: arcs need not
/// satisfy the triangle inequality.
///
/// `continues` returns whether an agent may have other tasks after these.
pub(crate) fn obstacle(
    problem: &Problem,
    continues: &dyn Fn(usize) -> bool,
    agent: usize,
) -> Option<(usize, Obstacle)> {
    let one = &problem.agents()[agent];
    let own = Source::new(problem, agent);
    let (mut here, mut free_us) = (one.start, one.shift_start_us);
    for (position, &index) in problem.committed(agent).iter().enumerate() {
        let task = &problem.tasks()[index];
        let wrong = |obstacle| Some((index, obstacle));
        let missing = task.skills & !one.skills;
        if missing != 0 {
            return wrong(Obstacle::MissingSkill { missing });
        }
        if let Some(over) = overload(problem, agent, position) {
            return wrong(over);
        }
        let Some(travel_us) = own.travel_us(problem, here, task.location) else {
            return wrong(Obstacle::Unreachable);
        };
        let arrival_us = free_us.saturating_add(travel_us);
        let Some(start_us) = earliest_start(task, arrival_us) else {
            let latest_us = latest_close(task);
            return wrong(Obstacle::Window {
                arrival_us,
                latest_us,
            });
        };
        here = task.location;
        free_us = start_us.saturating_add(task.service_us);
        if free_us > one.shift_end_us {
            let shortfall_us = free_us - one.shift_end_us;
            return wrong(Obstacle::Shift { shortfall_us });
        }
    }
    let last = *problem.committed(agent).last()?;
    let home_us = one
        .end
        .map_or(Some(0), |end| own.travel_us(problem, here, end));
    match home_us.map(|home_us| free_us.saturating_add(home_us)) {
        Some(end_us) if end_us <= one.shift_end_us => None,
        _ if continues(agent) => None,
        Some(end_us) => Some((
            last,
            Obstacle::Shift {
                shortfall_us: end_us - one.shift_end_us,
            },
        )),
        None => Some((last, Obstacle::Unreachable)),
    }
}

/// Whether an agent may reach some task in time after those that it has under way.
pub(crate) fn continues(arrivals: &EarliestArrivals, agent: usize) -> bool {
    arrivals.group(agent).starts_us.iter().any(Option::is_some)
}

/// The largest shortfall of the agent's capacities with its first tasks under way, up to and with
/// the one at `position`.
fn overload(problem: &Problem, agent: usize, position: usize) -> Option<Obstacle> {
    let first = &problem.committed(agent)[..=position];
    capacity_obstacle(problem, agent, &first.iter().map(|&t| &problem.tasks()[t]))
}

/// The dimension in which tasks are most above the agent's capacity, if any is; ties go to the
/// lower index.
pub(crate) fn capacity_obstacle<'t>(
    problem: &Problem,
    agent: usize,
    tasks: &(impl Iterator<Item = &'t Task> + Clone),
) -> Option<Obstacle> {
    let value = |list: &[i64], d: usize| list.get(d).copied().unwrap_or(0);
    let over = |d: usize| {
        let load: i64 = tasks.clone().map(|task| value(&task.demands, d)).sum();
        load - value(&problem.agents()[agent].capacities, d)
    };
    let all = (0..problem.dimensions()).map(|d| (over(d), std::cmp::Reverse(d)));
    let (shortfall, std::cmp::Reverse(dimension)) = all.max().filter(|(over, _)| *over > 0)?;
    Some(Obstacle::Capacity {
        dimension,
        shortfall,
    })
}
