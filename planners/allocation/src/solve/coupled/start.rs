//! The plan to begin with: what is under way, and the previous plan as far as it still can be.

use super::ground::Ground;
use super::place::Placer;
use super::state::State;
use crate::plan::{Plan, Rest, Route};

/// What is under way, and all that this needs, or all of the previous plan; `None` where no such
/// plan is found, or `go_on`, which is called for each unit, returned false.
pub(super) fn base(ground: &Ground<'_>, go_on: &mut dyn FnMut() -> bool) -> Option<State> {
    under_way(ground, go_on).or_else(|| carried_out(ground))
}

fn under_way(ground: &Ground<'_>, go_on: &mut dyn FnMut() -> bool) -> Option<State> {
    let mut state = State::new(ground);
    for (agent, worker) in ground.model.workers.iter().enumerate() {
        let mut behind = ground.first(agent);
        for &task in &worker.started {
            if ground.model.jobs[task as usize].skills & !worker.skills != 0 {
                return None;
            }
            state.link(ground, task, behind);
            behind = task;
        }
    }
    state.is_whole(ground, false).then_some(())?;
    let mut units: Vec<u32> = (0..ground.units.len() as u32).collect();
    units.retain(|unit| ground.fixed[*unit as usize]);
    // What others need comes first.
    units.sort_by_key(|unit| ground.units[*unit as usize].needs.len());
    for unit in units {
        go_on().then_some(())?;
        let tasks = &ground.units[unit as usize].tasks;
        if tasks.iter().any(|task| !state.is_done(*task)) {
            Placer::new(ground, (&state, unit), None).place(&mut state, f64::INFINITY)?;
        }
    }
    state.rest(ground, &mut Vec::new()).ok()?;
    (state.is_legal(ground) && state.is_whole(ground, true)).then_some(state)
}

/// A plan as it is; `None` where its earliest times break rules.
pub(super) fn planned(ground: &Ground<'_>, plan: &Plan) -> Option<State> {
    let mut state = State::new(ground);
    for route in &plan.routes {
        let mut behind = ground.first(route.agent);
        let mut rests = route.rests.iter().peekable();
        for (index, stop) in route.stops.iter().map(Some).chain([None]).enumerate() {
            while let Some(rest) = rests.next_if(|rest| rest.stop <= index) {
                if is_past(ground, route, rest) {
                    continue;
                }
                let node = ground.node_of(rest.index as u32);
                state.link(ground, node, behind);
                behind = node;
            }
            if let Some(stop) = stop {
                state.link(ground, stop.task as u32, behind);
                behind = stop.task as u32;
            }
        }
    }
    state.is_whole(ground, true).then_some(state)
}

/// Whether a break of a plan is past and behind what is under way: no rule asks for it any more,
/// and no task could follow on it.
pub(super) fn is_past(ground: &Ground<'_>, route: &Route, rest: &Rest) -> bool {
    let started = ground.model.workers[route.agent].started.len();
    let latest_us = ground.breaks[rest.index].latest_us;
    rest.stop == started && latest_us < ground.now_us
}

/// The previous plan, put where it was; what does not fit any more stays out.
pub(super) fn restore(ground: &Ground<'_>, base: &State) -> State {
    if let Some(whole) = carried_out(ground) {
        return whole;
    }
    let mut whole = base.clone();
    if put_all(ground, &mut whole) {
        return whole;
    }
    let mut state = base.clone();
    for unit in 0..ground.units.len() as u32 {
        let mut trial = state.clone();
        if put_unit(ground, &mut trial, unit) {
            state = trial;
        }
    }
    state
}

/// All of the previous plan and nothing else, if that is a plan.
fn carried_out(ground: &Ground<'_>) -> Option<State> {
    ground.model.problem.previous()?;
    let mut state = State::new(ground);
    put_all(ground, &mut state).then_some(state)
}

/// Puts everything where it was. False if that cannot be.
fn put_all(ground: &Ground<'_>, state: &mut State) -> bool {
    for route in ground
        .model
        .problem
        .previous()
        .iter()
        .flat_map(|p| &p.routes)
    {
        let mut behind = ground.first(route.agent);
        for &task in &route.tasks {
            let task = task as u32;
            if !state.is_done(task) {
                state.link(ground, task, behind);
            } else if state.agent[task as usize] as usize != route.agent {
                return false;
            }
            behind = task;
        }
    }
    state.is_complete(ground) && state.holds(ground)
}

/// Puts one unit where the previous plan had it. False if that cannot be.
fn put_unit(ground: &Ground<'_>, state: &mut State, unit: u32) -> bool {
    let one = &ground.units[unit as usize];
    let is_done = |need: &u32| state.is_done(ground.units[*need as usize].tasks[0]);
    if state.is_done(one.tasks[0]) || !one.needs.iter().all(is_done) {
        return false;
    }
    for &task in &one.tasks {
        let routes = ground.model.problem.previous().map(|p| &p.routes[..]);
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
        let behind = before.map_or(ground.first(route.agent), |task| *task as u32);
        state.link(ground, task, behind);
    }
    state.holds(ground)
}

impl State {
    /// Whether all that is done is done with what belongs to it, and with what that needs.
    pub(super) fn is_complete(&self, ground: &Ground<'_>) -> bool {
        let is_done = |unit: &u32| {
            let mut tasks = ground.units[*unit as usize].tasks.iter();
            tasks.all(|task| self.is_done(*task))
        };
        let is_begun = |unit: &u32| {
            let mut tasks = ground.units[*unit as usize].tasks.iter();
            tasks.any(|task| self.is_done(*task))
        };
        let mut begun = (0..ground.units.len() as u32).filter(is_begun);
        begun.all(|unit| is_done(&unit) && ground.units[unit as usize].needs.iter().all(is_done))
    }

    /// Puts missing breaks where they cost least. False if the routes break a rule; then the state
    /// is of no use.
    pub(super) fn holds(&mut self, ground: &Ground<'_>) -> bool {
        let mut rests = Vec::new();
        self.is_legal(ground)
            && self.is_whole(ground, false)
            && self.rest(ground, &mut rests).is_ok()
            && (rests.is_empty() || self.is_whole(ground, true))
    }

    /// Whether all times and loads are possible; `rested`: and nobody misses a break.
    pub(super) fn is_whole(&mut self, ground: &Ground<'_>, rested: bool) -> bool {
        let tasks = 0..ground.tasks() as u32;
        let carried = tasks
            .filter(|task| self.is_done(*task))
            .all(|task| self.carries(ground, task));
        carried && self.retime(ground).is_ok() && (!rested || self.may_end(ground))
    }

    /// Whether who does what keeps all rules but those about times and loads.
    pub(super) fn is_legal(&self, ground: &Ground<'_>) -> bool {
        let tasks = (0..ground.tasks() as u32).filter(|task| self.is_done(*task));
        let legal = |task: u32| {
            let agent = self.agent[task as usize];
            let is_here = |other: &u32| self.agent[*other as usize] == agent;
            let worker = &ground.model.workers[agent as usize];
            ground.model.jobs[task as usize].skills & !worker.skills == 0
                && ground.same[task as usize]
                    .iter()
                    .filter(|o| self.is_done(**o))
                    .all(is_here)
                && !ground.apart[task as usize].iter().any(is_here)
                && ground.pickup_of[task as usize].is_none_or(|pickup| self.is_behind(task, pickup))
        };
        let few = self.sums.moved as usize <= ground.model.changes_max;
        few && tasks.into_iter().all(legal)
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
