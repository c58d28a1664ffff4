//! Whether agents can do what they have under way.

use super::reach::{Reach, Source, earliest_start, latest_close};
use crate::obstacle::Obstacle;
use crate::problem::{Problem, Task};

/// The first of the tasks under way that an agent cannot do, and why not; `None` when it can do
/// them all, or has none.
///
/// They come first on the route, in their order, so their earliest times are those of every plan.
/// Only on the way home from the last one other tasks can help: ways need not keep the triangle
/// inequality.
///
/// `goes_on` says whether an agent may have other tasks behind these.
pub(crate) fn obstacle(
    problem: &Problem,
    goes_on: &dyn Fn(usize) -> bool,
    agent: usize,
) -> Option<(usize, Obstacle)> {
    let one = &problem.agents()[agent];
    let own = Source::of(problem, agent);
    let (mut here, mut free_us) = (one.start, one.shift_start_us);
    for (position, &index) in problem.started(agent).iter().enumerate() {
        let task = &problem.tasks()[index];
        let wrong = |obstacle| Some((index, obstacle));
        let missing = task.skills & !one.skills;
        if missing != 0 {
            return wrong(Obstacle::MissingSkill { missing });
        }
        if let Some(over) = overload(problem, agent, position) {
            return wrong(over);
        }
        let Some(way_us) = own.way_us(problem, here, task.location) else {
            return wrong(Obstacle::Unreachable);
        };
        let arrival_us = free_us.saturating_add(way_us);
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
    let last = *problem.started(agent).last()?;
    let home_us = one
        .end
        .map_or(Some(0), |end| own.way_us(problem, here, end));
    match home_us.map(|home_us| free_us.saturating_add(home_us)) {
        Some(end_us) if end_us <= one.shift_end_us => None,
        _ if goes_on(agent) => None,
        Some(end_us) => Some((
            last,
            Obstacle::Shift {
                shortfall_us: end_us - one.shift_end_us,
            },
        )),
        None => Some((last, Obstacle::Unreachable)),
    }
}

/// Whether an agent may reach some task in time behind what it has under way.
pub(crate) fn goes_on(reach: &Reach, agent: usize) -> bool {
    reach.group(agent).starts_us.iter().any(Option::is_some)
}

/// The largest shortfall of the agent's capacities with its first tasks under way, up to and with
/// the one at `position`.
fn overload(problem: &Problem, agent: usize, position: usize) -> Option<Obstacle> {
    let first = &problem.started(agent)[..=position];
    worst(problem, agent, &first.iter().map(|&t| &problem.tasks()[t]))
}

/// The dimension in which tasks are most above the agent's capacity, if any is; ties go to the
/// lower index.
pub(crate) fn worst<'t>(
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
