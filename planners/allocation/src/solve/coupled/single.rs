//! One unit more in a plan that is kept: for whoever explains plans and inserts tasks.

use super::early;
use super::ground::Ground;
use super::place::Placer;
use super::start::is_past;
use super::state::State;
use crate::plan::{Cost, Plan};
use crate::problem::Problem;

/// Where a task can be put: agent, stop and what the plan costs then.
pub(crate) type Places = Vec<(usize, usize, Cost)>;

/// A plan's routes and breaks with the earliest times. `None` when they break rules.
fn state(ground: &Ground<'_>, plan: &Plan) -> Option<State> {
    let mut state = State::new(ground);
    for route in &plan.routes {
        let mut behind = ground.first(route.agent);
        for stop in 0..=route.stops.len() {
            let rests = route.rests.iter().filter(|rest| rest.stop == stop);
            for rest in rests.filter(|rest| !is_past(ground, route, rest)) {
                let node = ground.node_of(rest.index as u32);
                state.link(ground, node, behind);
                behind = node;
            }
            if let Some(one) = route.stops.get(stop) {
                state.link(ground, one.task as u32, behind);
                behind = one.task as u32;
            }
        }
    }
    state.retime(ground).is_ok().then_some(state)
}

/// A valid plan that is kept while tasks are tried in it.
pub(crate) struct Kept<'p> {
    ground: Ground<'p>,
    state: State,
}

impl<'p> Kept<'p> {
    /// `None` when the plan breaks rules.
    pub(crate) fn new(problem: &'p Problem, plan: &Plan) -> Option<Self> {
        let ground = Ground::new(problem, || false);
        let state = state(&ground, plan)?;
        Some(Self { ground, state })
    }

    /// What the plan costs at least with a task, and those that it is done with or not at all,
    /// where they cost least; `Ok(None)`: they fit nowhere; `Err`: the task needs this one, which
    /// is not done.
    pub(crate) fn cheapest(&self, task: usize) -> Result<Option<Cost>, usize> {
        let ground = &self.ground;
        let unit = ground.unit_of[task];
        for need in &ground.units[unit as usize].needs {
            let first = ground.units[*need as usize].tasks[0];
            if !self.state.is_done(first) {
                return Err(first as usize);
            }
        }
        let mut state = self.state.clone();
        let placed = Placer::new(ground, (&state, unit), None).place(&mut state, f64::INFINITY);
        if placed.is_none() {
            return Ok(None);
        }
        early::wait(ground, &mut state);
        Ok(judged(ground, &state).map(|(_, cost)| cost))
    }
}

/// What a state costs if it is a valid plan.
fn judged(ground: &Ground<'_>, state: &State) -> Option<(Plan, Cost)> {
    let plan = state.plan(ground);
    let cost = crate::verify(ground.model.problem, &plan).ok()?;
    Some((plan, cost))
}

/// All places for a task that goes alone in an otherwise fixed valid plan; `Err`: all tasks of its
/// unit, which go together, or those that it needs and that are not done.
pub(crate) fn places(problem: &Problem, plan: &Plan, task: usize) -> Result<Places, Vec<usize>> {
    let ground = Ground::new(problem, || false);
    let unit = &ground.units[ground.unit_of[task] as usize];
    let all = |tasks: &[u32]| tasks.iter().map(|task| *task as usize).collect();
    if unit.tasks.len() > 1 {
        let others = unit.tasks.iter().filter(|one| **one as usize != task);
        return Err(all(&others.copied().collect::<Vec<_>>()));
    }
    let mut found = Places::new();
    let Some(start) = state(&ground, plan) else {
        return Ok(found);
    };
    let missing = unit
        .needs
        .iter()
        .map(|need| &ground.units[*need as usize].tasks[0]);
    let missing: Vec<u32> = missing
        .filter(|task| !start.is_done(**task))
        .copied()
        .collect();
    if !missing.is_empty() {
        return Err(all(&missing));
    }
    for agent in 0..problem.agents().len() {
        let route = plan.routes.iter().find(|route| route.agent == agent);
        for stop in 0..=route.map_or(0, |route| route.stops.len()) {
            let cost = put(&ground, &start, (task as u32, agent, stop)).map(|(_, cost)| cost);
            found.extend(cost.map(|cost| (agent, stop, cost)));
        }
    }
    Ok(found)
}

/// The plan with a task before a stop of an agent; `None` when that breaks rules.
pub(crate) fn with(
    problem: &Problem,
    plan: &Plan,
    (task, agent, stop): (usize, usize, usize),
) -> Option<Plan> {
    let ground = Ground::new(problem, || false);
    let start = state(&ground, plan)?;
    put(&ground, &start, (task as u32, agent, stop)).map(|(plan, _)| plan)
}

/// The best plan with the task before a stop: breaks there come before it or after.
fn put(
    ground: &Ground<'_>,
    start: &State,
    (task, agent, stop): (u32, usize, usize),
) -> Option<(Plan, Cost)> {
    let mut behind = ground.first(agent);
    for _ in 0..stop {
        behind = start.onward(ground, start.next[behind as usize]);
    }
    let mut best: Option<(Plan, Cost)> = None;
    loop {
        let mut state = start.clone();
        state.link(ground, task, behind);
        if state.retime(ground).is_ok() && state.rest(ground, &mut Vec::new()).is_ok() {
            early::wait(ground, &mut state);
            let found = judged(ground, &state);
            if found.as_ref().map(|f| f.1) < best.as_ref().map(|b| b.1) || best.is_none() {
                best = found.or(best);
            }
        }
        behind = start.next[behind as usize];
        if !ground.is_break(behind) {
            return best;
        }
    }
}
