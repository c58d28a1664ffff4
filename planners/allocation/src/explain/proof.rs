//! Proved obstacles: they hold in every plan.

use super::{Obstacle, Reason, severity};
use crate::Problem;
use crate::bound::committed::capacity_obstacle;
use crate::bound::earliest_arrival::{EarliestArrivals, earliest_start, latest_close};

/// Why an agent does not do a task in any plan, if that is known: skills, then capacity, paths,
/// windows, shift.
pub(super) fn obstacle(
    problem: &Problem,
    arrivals: &EarliestArrivals,
    agent: usize,
    task: usize,
) -> Option<Obstacle> {
    let (group, one) = (arrivals.group(agent), &problem.tasks()[task]);
    let missing = one.skills & !problem.agents()[agent].skills;
    if missing != 0 {
        return Some(Obstacle::MissingSkill { missing });
    }
    let tasks = problem.committed(agent).iter().chain([&task]);
    if let Some(over) = capacity_obstacle(problem, agent, &tasks.map(|t| &problem.tasks()[*t])) {
        return Some(over);
    }
    if group.starts_us[task].is_some() {
        return None;
    }
    let Some(arrival_us) = group.arrivals_us[task] else {
        return Some(Obstacle::Unreachable);
    };
    let Some(start_us) = earliest_start(one, arrival_us) else {
        let latest_us = latest_close(one);
        return Some(Obstacle::Window {
            arrival_us,
            latest_us,
        });
    };
    let one_agent = &problem.agents()[agent];
    let travel_us = one_agent.end.map_or(Some(0), |end| {
        let travel = problem.travel();
        travel.duration_at_us(one.location, end, one_agent.speed_micro)
    });
    // Otherwise the start would be one from which the shift can end in time: there is none.
    let end_us = travel_us.map(|travel_us| {
        start_us
            .saturating_add(one.service_us)
            .saturating_add(travel_us)
    });
    Some(match (end_us, group.latest_us[task]) {
        (Some(end_us), _) => Obstacle::Shift {
            shortfall_us: end_us.saturating_sub(one_agent.shift_end_us),
        },
        // The path to the end place leads over other tasks.
        (None, Some(latest_us)) => Obstacle::Shift {
            shortfall_us: start_us - latest_us,
        },
        (None, None) => Obstacle::Unreachable,
    })
}

/// One reason about all agents, the mildest, in place of one for each agent; `None`: not all are
/// proved and of the same kind.
pub(super) fn about_all(reasons: &[Reason]) -> Option<Reason> {
    let kind = |reason: &Reason| std::mem::discriminant(&reason.obstacle);
    let first = reasons.first()?;
    let alike = |reason: &Reason| reason.proved && kind(reason) == kind(first);
    if !reasons.iter().all(alike) {
        return None;
    }
    let mildest = reasons.iter().min_by_key(|r| severity(&r.obstacle))?;
    Some(Reason {
        agent: None,
        ..mildest.clone()
    })
}
