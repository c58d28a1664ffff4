//! The initial plan: committed prefixes, and the previous plan as far as it is feasible.

use super::insertion::UnitInsertion;
use super::instance::CoupledInstance;
use super::state::State;
use crate::plan::{Plan, Rest, Route};

/// The committed prefixes and all that they need, or all of the previous plan; `None` where no such
/// plan is found, or `go_on`, which is called for each unit, returned false.
pub(super) fn initial_state(
    instance: &CoupledInstance<'_>,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<State> {
    committed_state(instance, go_on).or_else(|| previous_state(instance))
}

fn committed_state(
    instance: &CoupledInstance<'_>,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<State> {
    let mut state = State::new(instance);
    for (agent, worker) in instance.model.workers.iter().enumerate() {
        let mut behind = instance.first(agent);
        for &task in &worker.committed {
            if instance.model.jobs[task as usize].skills & !worker.skills != 0 {
                return None;
            }
            state.link(instance, task, behind);
            behind = task;
        }
    }
    state.has_feasible_times(instance, false).then_some(())?;
    let mut units: Vec<u32> = (0..instance.units.len() as u32).collect();
    units.retain(|unit| instance.is_committed[*unit as usize]);
    // Units that others need come first.
    units.sort_by_key(|unit| instance.units[*unit as usize].needs.len());
    for unit in units {
        go_on().then_some(())?;
        let tasks = &instance.units[unit as usize].tasks;
        if tasks.iter().any(|task| !state.is_assigned(*task)) {
            UnitInsertion::new(instance, &state, unit, None).insert(&mut state, f64::INFINITY)?;
        }
    }
    state.insert_breaks(instance, &mut Vec::new()).ok()?;
    (state.has_feasible_agents(instance) && state.has_feasible_times(instance, true))
        .then_some(state)
}

/// The state of a plan; `None` where its earliest times break rules.
pub(super) fn state_of_plan(instance: &CoupledInstance<'_>, plan: &Plan) -> Option<State> {
    let mut state = State::new(instance);
    for route in &plan.routes {
        let mut behind = instance.first(route.agent);
        let mut rests = route.rests.iter().peekable();
        for (index, stop) in route.stops.iter().map(Some).chain([None]).enumerate() {
            while let Some(rest) = rests.next_if(|rest| rest.stop <= index) {
                if is_past(instance, route, rest) {
                    continue;
                }
                let node = instance.node_of(rest.index as u32);
                state.link(instance, node, behind);
                behind = node;
            }
            if let Some(stop) = stop {
                state.link(instance, stop.task as u32, behind);
                behind = stop.task as u32;
            }
        }
    }
    state.has_feasible_times(instance, true).then_some(state)
}

/// Whether a break of a plan is in the past and behind the committed prefix: no rule requires it
/// any more, and no task can follow it.
pub(super) fn is_past(instance: &CoupledInstance<'_>, route: &Route, rest: &Rest) -> bool {
    let started = instance.model.workers[route.agent].committed.len();
    let latest_us = instance.breaks[rest.index].latest_us;
    rest.stop == started && latest_us < instance.now_us
}

/// The previous plan in its order; units that do not fit any more stay unassigned.
pub(super) fn restore(instance: &CoupledInstance<'_>, base: &State) -> State {
    if let Some(whole) = previous_state(instance) {
        return whole;
    }
    let mut whole = base.clone();
    if insert_previous(instance, &mut whole) {
        return whole;
    }
    let mut state = base.clone();
    for unit in 0..instance.units.len() as u32 {
        let mut trial = state.clone();
        if insert_previous_unit(instance, &mut trial, unit) {
            state = trial;
        }
    }
    state
}

/// All of the previous plan and nothing else, if that is feasible.
fn previous_state(instance: &CoupledInstance<'_>) -> Option<State> {
    instance.model.problem.previous()?;
    let mut state = State::new(instance);
    insert_previous(instance, &mut state).then_some(state)
}

/// Inserts all tasks of the previous plan. Returns false if that is infeasible.
fn insert_previous(instance: &CoupledInstance<'_>, state: &mut State) -> bool {
    for route in instance
        .model
        .problem
        .previous()
        .iter()
        .flat_map(|p| &p.routes)
    {
        let mut behind = instance.first(route.agent);
        for &task in &route.tasks {
            let task = task as u32;
            if !state.is_assigned(task) {
                state.link(instance, task, behind);
            } else if state.agent[task as usize] as usize != route.agent {
                return false;
            }
            behind = task;
        }
    }
    state.is_complete(instance) && state.is_feasible_with_breaks(instance)
}

/// Inserts one unit where the previous plan had it. Returns false if that is infeasible.
fn insert_previous_unit(instance: &CoupledInstance<'_>, state: &mut State, unit: u32) -> bool {
    let one = &instance.units[unit as usize];
    let is_assigned = |need: &u32| state.is_assigned(instance.units[*need as usize].tasks[0]);
    if state.is_assigned(one.tasks[0]) || !one.needs.iter().all(is_assigned) {
        return false;
    }
    for &task in &one.tasks {
        let routes = instance.model.problem.previous().map(|p| &p.routes[..]);
        let routes = routes.unwrap_or_default();
        let at = routes.iter().find_map(|route| {
            let position = route
                .tasks
                .iter()
                .position(|other| *other == task as usize)?;
            Some((route, position))
        });
        let Some((route, position)) = at else {
            return false;
        };
        let here = |other: &&usize| state.agent[**other] as usize == route.agent;
        let before = route.tasks[..position].iter().rev().find(here);
        let behind = before.map_or(instance.first(route.agent), |task| *task as u32);
        state.link(instance, task, behind);
    }
    state.is_feasible_with_breaks(instance)
}

impl State {
    /// Whether every unit with an assigned task is complete, with all units that it needs.
    pub(super) fn is_complete(&self, instance: &CoupledInstance<'_>) -> bool {
        let is_assigned = |unit: &u32| {
            let mut tasks = instance.units[*unit as usize].tasks.iter();
            tasks.all(|task| self.is_assigned(*task))
        };
        let is_begun = |unit: &u32| {
            let mut tasks = instance.units[*unit as usize].tasks.iter();
            tasks.any(|task| self.is_assigned(*task))
        };
        let mut begun = (0..instance.units.len() as u32).filter(is_begun);
        begun.all(|unit| {
            is_assigned(&unit) && instance.units[unit as usize].needs.iter().all(is_assigned)
        })
    }

    /// Inserts missing breaks where they cost least. Returns false if the routes break a rule; then
    /// the state is invalid.
    pub(super) fn is_feasible_with_breaks(&mut self, instance: &CoupledInstance<'_>) -> bool {
        let mut rests = Vec::new();
        self.has_feasible_agents(instance)
            && self.has_feasible_times(instance, false)
            && self.insert_breaks(instance, &mut rests).is_ok()
            && (rests.is_empty() || self.has_feasible_times(instance, true))
    }

    /// Whether all times and loads are feasible; with `rested` also that no break is missed.
    pub(super) fn has_feasible_times(
        &mut self,
        instance: &CoupledInstance<'_>,
        rested: bool,
    ) -> bool {
        let tasks = 0..instance.tasks() as u32;
        let carried = tasks
            .filter(|task| self.is_assigned(*task))
            .all(|task| self.carries(instance, task));
        carried && self.retime(instance).is_ok() && (!rested || self.takes_all_breaks(instance))
    }

    /// Whether all rules hold but those about times and loads.
    pub(super) fn has_feasible_agents(&self, instance: &CoupledInstance<'_>) -> bool {
        let tasks = (0..instance.tasks() as u32).filter(|task| self.is_assigned(*task));
        let is_feasible = |task: u32| {
            let agent = self.agent[task as usize];
            let is_here = |other: &u32| self.agent[*other as usize] == agent;
            let worker = &instance.model.workers[agent as usize];
            instance.model.jobs[task as usize].skills & !worker.skills == 0
                && instance.same_agent[task as usize]
                    .iter()
                    .filter(|o| self.is_assigned(**o))
                    .all(is_here)
                && !instance.different_agent[task as usize].iter().any(is_here)
                && instance.pickup_of[task as usize]
                    .is_none_or(|pickup| self.is_behind(task, pickup))
        };
        let few = self.sums.moved as usize <= instance.model.changes_max;
        few && tasks.into_iter().all(is_feasible)
    }

    /// Whether a node is behind another on its route.
    fn is_behind(&self, node: u32, other: u32) -> bool {
        let mut before = node;
        while self.prev[before as usize] != crate::solve::model::NONE {
            before = self.prev[before as usize];
            if before == other {
                return true;
            }
        }
        false
    }
}
