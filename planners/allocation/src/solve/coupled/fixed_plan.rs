//! Insertion of one unit into a fixed plan, for explanations and for questions about one more task.

use super::initial::is_past;
use super::insertion::UnitInsertion;
use super::instance::CoupledInstance;
use super::state::State;
use super::waiting;
use crate::plan::{Cost, Plan};
use crate::problem::Problem;

/// Positions of a task: agent, stop and the cost of the plan with the task there.
pub(crate) type InsertionCosts = Vec<(usize, usize, Cost)>;

/// A plan's routes and breaks with the earliest times. `None` if they break rules.
fn state_of(instance: &CoupledInstance<'_>, plan: &Plan) -> Option<State> {
    let mut state = State::new(instance);
    for route in &plan.routes {
        let mut behind = instance.first(route.agent);
        for stop in 0..=route.stops.len() {
            let rests = route.rests.iter().filter(|rest| rest.stop == stop);
            for rest in rests.filter(|rest| !is_past(instance, route, rest)) {
                let node = instance.node_of(rest.index as u32);
                state.link(instance, node, behind);
                behind = node;
            }
            if let Some(one) = route.stops.get(stop) {
                state.link(instance, one.task as u32, behind);
                behind = one.task as u32;
            }
        }
    }
    state.retime(instance).is_ok().then_some(state)
}

/// A valid plan into which tasks are inserted on trial.
pub(crate) struct FixedPlan<'p> {
    instance: CoupledInstance<'p>,
    state: State,
}

impl<'p> FixedPlan<'p> {
    /// `None` if the plan breaks rules.
    pub(crate) fn new(problem: &'p Problem, plan: &Plan) -> Option<Self> {
        let instance = CoupledInstance::new(problem, || false);
        let state = state_of(&instance, plan)?;
        Some(Self { instance, state })
    }

    /// A lower bound of the cost with a task and the rest of its unit, at their best positions.
    /// `Ok(None)`: they fit nowhere; `Err`: the task needs this one, which is not done.
    pub(crate) fn cheapest(&self, task: usize) -> Result<Option<Cost>, usize> {
        let instance = &self.instance;
        let unit = instance.unit_of[task];
        for need in &instance.units[unit as usize].needs {
            let first = instance.units[*need as usize].tasks[0];
            if !self.state.is_assigned(first) {
                return Err(first as usize);
            }
        }
        let mut state = self.state.clone();
        let placed =
            UnitInsertion::new(instance, &state, unit, None).insert(&mut state, f64::INFINITY);
        if placed.is_none() {
            return Ok(None);
        }
        waiting::wait(instance, &mut state);
        Ok(verified(instance, &state).map(|(_, cost)| cost))
    }
}

/// The plan of a state and its cost, if it is valid.
fn verified(instance: &CoupledInstance<'_>, state: &State) -> Option<(Plan, Cost)> {
    let plan = state.plan(instance);
    let cost = crate::verify(instance.model.problem, &plan).ok()?;
    Some((plan, cost))
}

/// All positions of a task that is a unit by itself in an otherwise fixed valid plan; `Err`: the
/// other tasks of its unit, or the tasks that it needs and that are not done.
pub(crate) fn insertion_costs(
    problem: &Problem,
    plan: &Plan,
    task: usize,
) -> Result<InsertionCosts, Vec<usize>> {
    let instance = CoupledInstance::new(problem, || false);
    let unit = &instance.units[instance.unit_of[task] as usize];
    let all = |tasks: &[u32]| tasks.iter().map(|task| *task as usize).collect();
    if unit.tasks.len() > 1 {
        let others = unit.tasks.iter().filter(|one| **one as usize != task);
        return Err(all(&others.copied().collect::<Vec<_>>()));
    }
    let mut found = InsertionCosts::new();
    let Some(start) = state_of(&instance, plan) else {
        return Ok(found);
    };
    let missing = unit
        .needs
        .iter()
        .map(|need| &instance.units[*need as usize].tasks[0]);
    let missing: Vec<u32> = missing
        .filter(|task| !start.is_assigned(**task))
        .copied()
        .collect();
    if !missing.is_empty() {
        return Err(all(&missing));
    }
    for agent in 0..problem.agents().len() {
        let route = plan.routes.iter().find(|route| route.agent == agent);
        for stop in 0..=route.map_or(0, |route| route.stops.len()) {
            let cost =
                best_with_task(&instance, &start, task as u32, agent, stop).map(|(_, cost)| cost);
            found.extend(cost.map(|cost| (agent, stop, cost)));
        }
    }
    Ok(found)
}

/// The plan with a task before a stop of an agent; `None` if that breaks rules.
pub(crate) fn insert_task(
    problem: &Problem,
    plan: &Plan,
    task: usize,
    agent: usize,
    stop: usize,
) -> Option<Plan> {
    let instance = CoupledInstance::new(problem, || false);
    let start = state_of(&instance, plan)?;
    best_with_task(&instance, &start, task as u32, agent, stop).map(|(plan, _)| plan)
}

/// The best plan with the task before a stop: breaks there come before or after it.
fn best_with_task(
    instance: &CoupledInstance<'_>,
    start: &State,
    task: u32,
    agent: usize,
    stop: usize,
) -> Option<(Plan, Cost)> {
    let mut behind = instance.first(agent);
    for _ in 0..stop {
        behind = start.skip_breaks(instance, start.next[behind as usize]);
    }
    let mut best: Option<(Plan, Cost)> = None;
    loop {
        let mut state = start.clone();
        state.link(instance, task, behind);
        if state.retime(instance).is_ok() && state.insert_breaks(instance, &mut Vec::new()).is_ok()
        {
            waiting::wait(instance, &mut state);
            let found = verified(instance, &state);
            if found.as_ref().map(|f| f.1) < best.as_ref().map(|b| b.1) || best.is_none() {
                best = found.or(best);
            }
        }
        behind = start.next[behind as usize];
        if !instance.is_break(behind) {
            return best;
        }
    }
}
