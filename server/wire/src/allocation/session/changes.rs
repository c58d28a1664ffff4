//! What has changed: applied to the problem, fact by fact.

use super::routes::Route;
use super::{State, active_id};
use crate::mistakes::{Code, Mistakes};
use crate::values::{rounded_micros, shown};
use anytime::Path;
use std::sync::Arc;
use stratagem_proto::v1 as pb;

impl State {
    /// Applies facts in the order of their fields.
    pub(super) fn change(
        &mut self,
        changes: pb::AllocationChanges,
        at: &Path<'_>,
        wrong: &mut Mistakes,
    ) {
        let pb::AllocationChanges {
            events,
            removed_agent_ids,
            put_agents,
            positions,
            removed_task_ids,
            put_tasks,
            put_pairs,
            arcs,
            removed_break_ids,
        } = changes;
        apply_each(events, &at.field("events"), |one, at| {
            self.event(&one, at, wrong);
        });
        apply_each(
            removed_agent_ids,
            &at.field("removed_agent_ids"),
            |id, at| {
                self.remove_agent(&id, at, wrong);
            },
        );
        for agent in put_agents {
            let mut agents = self.problem.agents.iter_mut();
            match agents.find(|other| other.id == agent.id) {
                Some(other) => *other = agent,
                None => self.problem.agents.push(agent),
            }
        }
        apply_each(positions, &at.field("positions"), |one, at| {
            self.position(one, at, wrong);
        });
        apply_each(removed_task_ids, &at.field("removed_task_ids"), |id, at| {
            if self.task(at, &id, wrong).is_some() {
                self.drop_with_pair(&id);
            }
        });
        apply_each(put_tasks, &at.field("put_tasks"), |task, at| {
            self.put_task(task, at, wrong);
        });
        if !put_pairs.is_empty() {
            let couplings = self.problem.couplings.get_or_insert_default();
            couplings.pairs.extend(put_pairs);
        }
        apply_each(arcs, &at.field("arcs"), |arc, at| self.arc(&arc, at, wrong));
        apply_each(
            removed_break_ids,
            &at.field("removed_break_ids"),
            |id, at| {
                self.remove_break(&id, at, wrong);
            },
        );
    }

    fn event(&mut self, event: &pb::AllocationTaskEvent, at: &Path<'_>, wrong: &mut Mistakes) {
        use pb::AllocationTaskEventKind as Kind;
        let (now_us, id) = (self.now_us(), &*event.task_id);
        let at_us = event.at_offset.as_ref().map_or(now_us, rounded_micros);
        if at_us > now_us {
            let why = format!("is {at_us} us, after now, which is {now_us} us");
            wrong.add(&at.field("at_offset"), Code::OutOfRange, why);
        }
        let Some(agent) = self.agent(&at.field("agent_id"), &event.agent_id, wrong) else {
            return;
        };
        if event.kind() != Kind::Failed && self.reported_late(event, agent, at_us) {
            return;
        }
        let Some(task) = self.task(&at.field("task_id"), id, wrong) else {
            return;
        };
        let served = self.active_of(&event.agent_id);
        let serves_it = served.is_some_and(|served| active_id(&self.active[served]) == id);
        let fits = match event.kind() {
            Kind::Started => served.is_none() && self.active.iter().all(|it| active_id(it) != id),
            Kind::Failed => serves_it,
            Kind::Done | Kind::Unspecified => served.is_none() || serves_it,
        };
        if !fits {
            let why = format!(
                "is {}, but this agent serves another task or none, or another agent serves it",
                shown(id)
            );
            wrong.add(&at.field("task_id"), Code::Contradiction, why);
            return;
        }
        match event.kind() {
            Kind::Started => self.start(task, agent, at_us),
            Kind::Failed => self.fail(task, agent, at_us),
            Kind::Done | Kind::Unspecified => {
                self.active.retain(|one| active_id(one) != id);
                let task = self.problem.tasks[task].clone();
                self.withdraw(id);
                self.set_free(agent, task.place.clone(), at_us);
                self.done(&task, &event.agent_id, at_us);
            }
        }
    }

    /// Applies an event of a task that is assumed to be done; false: it is none.
    fn reported_late(&mut self, event: &pb::AllocationTaskEvent, agent: usize, at_us: i64) -> bool {
        let is_it = |one: &pb::AllocationActiveTask| {
            active_id(one) == event.task_id && one.agent_id == event.agent_id
        };
        let Some(assumed) = self.assumed.iter().position(is_it) else {
            return false;
        };
        let task = self.assumed[assumed].task.clone().unwrap_or_default();
        let is_done = event.kind() == pb::AllocationTaskEventKind::Done;
        let mut later = self.assumed[assumed + 1..].iter();
        let is_last = !later.any(|one| one.agent_id == event.agent_id);
        if is_last && self.active_of(&event.agent_id).is_none() {
            let service = task.service_duration.as_ref().map_or(0, rounded_micros);
            let free_us = at_us.saturating_add(if is_done { 0 } else { service });
            self.set_free(agent, task.place, free_us);
        }
        if is_done {
            self.assumed.remove(assumed);
        }
        true
    }

    /// The service of an agent.
    fn active_of(&self, agent_id: &str) -> Option<usize> {
        let mut active = self.active.iter();
        active.position(|one| one.agent_id == agent_id)
    }

    /// The agent has begun to serve a task: nothing hinders it any more.
    fn start(&mut self, task: usize, agent: usize, at_us: i64) {
        let agent_id = self.problem.agents[agent].id.clone();
        let task = &mut self.problem.tasks[task];
        let (id, place) = (task.id.clone(), task.place.clone());
        let service = task.service_duration.as_ref().map_or(0, rounded_micros);
        self.active.push(pb::AllocationActiveTask {
            agent_id: agent_id.clone(),
            task: Some(task.clone()),
        });
        task.windows.clear();
        task.required_skills.clear();
        task.max_lateness_duration = None;
        if let Some(couplings) = &mut self.problem.couplings {
            couplings.orders.retain(|order| order.second_task_id != id);
            for group in &mut couplings.groups {
                group.task_ids.retain(|task| *task != id);
            }
            couplings.groups.retain(|group| group.task_ids.len() > 1);
        }
        for route in &mut self.routes {
            route.remove(&id);
        }
        self.set_free(agent, place, at_us);
        let index = self.route_of(&agent_id);
        self.routes[index].serve(&id, at_us, at_us.saturating_add(service));
    }

    /// A service was broken off.
    fn fail(&mut self, task: usize, agent: usize, at_us: i64) {
        let id = self.problem.tasks[task].id.clone();
        let service = self.active.iter().position(|one| active_id(one) == id);
        let before = service.map(|service| self.active.remove(service));
        if let Some(before) = before.and_then(|service| service.task) {
            let place = before.place.clone();
            self.problem.tasks[task] = before;
            self.set_free(agent, place, at_us);
        }
    }

    /// The route of an agent, which may be empty.
    fn route_of(&mut self, agent_id: &str) -> usize {
        let found = self.routes.iter().position(|it| it.agent_id == agent_id);
        found.unwrap_or_else(|| {
            self.routes.push(Route::empty(agent_id));
            self.routes.len() - 1
        })
    }

    /// The agent begins with its next task there and then.
    fn set_free(&mut self, agent: usize, place: Option<pb::AllocationPlace>, at_us: i64) {
        let agent = &mut self.problem.agents[agent];
        agent.start = place;
        let id = agent.id.clone();
        self.begin_at(&id, at_us);
        let mut routes = self.routes.iter_mut();
        if let Some(route) = routes.find(|route| route.agent_id == id) {
            route.free_at(at_us);
        }
    }

    fn position(
        &mut self,
        position: pb::AllocationAgentPosition,
        at: &Path<'_>,
        wrong: &mut Mistakes,
    ) {
        let pb::AllocationAgentPosition {
            agent_id,
            place,
            free_offset,
        } = position;
        let Some(agent) = self.agent(&at.field("agent_id"), &agent_id, wrong) else {
            return;
        };
        if self.active_of(&agent_id).is_none() {
            let now_us = self.now_us();
            let at_us = free_offset.as_ref().map_or(now_us, rounded_micros);
            self.set_free(agent, place, at_us);
        }
        if !self.tracked.contains(&agent_id) {
            self.tracked.push(agent_id);
        }
    }

    fn put_task(&mut self, task: pb::AllocationTask, at: &Path<'_>, wrong: &mut Mistakes) {
        if self.active.iter().any(|one| active_id(one) == task.id) {
            let why = format!("is {}, which is being served", shown(&task.id));
            wrong.add(&at.field("id"), Code::Duplicate, why);
            return;
        }
        self.assumed.retain(|one| active_id(one) != task.id);
        match self.task_index(&task.id) {
            Some(index) => self.problem.tasks[index] = task,
            None => self.problem.tasks.push(task),
        }
    }

    fn remove_agent(&mut self, id: &str, at: &Path<'_>, wrong: &mut Mistakes) {
        let Some(agent) = self.agent(at, id, wrong) else {
            return;
        };
        self.problem.agents.remove(agent);
        self.routes.retain(|route| route.agent_id != id);
        self.tracked.retain(|agent| agent != id);
        self.assumed.retain(|one| one.agent_id != id);
        if let Some(couplings) = &mut self.problem.couplings {
            couplings.breaks.retain(|rest| rest.agent_id != id);
        }
        let held = self.commitments.iter().filter(|one| one.agent_id == id);
        for lost in held.map(|one| one.task_id.clone()).collect::<Vec<_>>() {
            self.drop_with_pair(&lost);
        }
        if let Some(service) = self.active_of(id) {
            let before = self.active.remove(service).task.unwrap_or_default();
            if let Some(task) = self.task_index(&before.id) {
                self.problem.tasks[task] = before;
            }
        }
    }

    fn remove_break(&mut self, id: &str, at: &Path<'_>, wrong: &mut Mistakes) {
        let breaks = self.problem.couplings.as_mut().map(|it| &mut it.breaks);
        let breaks = breaks.and_then(|list| {
            let index = list.iter().position(|rest| rest.id == id)?;
            Some(list.remove(index))
        });
        if breaks.is_none() {
            let why = format!("is {}, which is no break", shown(id));
            wrong.add(at, Code::Unknown, why);
        }
    }

    fn arc(&mut self, arc: &pb::AllocationArc, at: &Path<'_>, wrong: &mut Mistakes) {
        use pb::allocation_travel::Kind;
        let matrix = self.travel.as_mut().map(Arc::make_mut);
        let matrix = matrix.and_then(|travel| match &mut travel.kind {
            Some(Kind::Matrix(matrix)) => Some(matrix),
            _ => None,
        });
        let Some(matrix) = matrix else {
            let why = "is there, but the problem has no matrices";
            wrong.add(at, Code::Contradiction, why);
            return;
        };
        let mut find = |field: &'static str, id: &str| {
            let found = matrix.location_ids.iter().position(|other| other == id);
            if found.is_none() {
                let why = format!("is {}, which is no location", shown(id));
                wrong.add(&at.field(field), Code::Unknown, why);
            }
            found
        };
        let from = find("from_location_id", &arc.from_location_id);
        let to = find("to_location_id", &arc.to_location_id);
        let Some((from, to)) = from.zip(to) else {
            return;
        };
        // The sizes of the matrices were checked when they came.
        let index = from * matrix.location_ids.len() + to;
        if let (Some(cost), true) = (arc.cost_micro, matrix.costs_micro.is_empty()) {
            let why = format!("is {cost}, but the problem has no costs");
            wrong.add(&at.field("cost_micro"), Code::Contradiction, why);
        }
        if let Some(duration) = matrix.durations_us.get_mut(index) {
            *duration = arc.duration_us;
        }
        if let (Some(cost), Some(given)) = (matrix.costs_micro.get_mut(index), arc.cost_micro) {
            *cost = given;
        }
    }
}

/// Each element with its path.
fn apply_each<T>(list: Vec<T>, at: &Path<'_>, mut apply: impl FnMut(T, &Path<'_>)) {
    for (index, one) in list.into_iter().enumerate() {
        apply(one, &at.index(index));
    }
}
