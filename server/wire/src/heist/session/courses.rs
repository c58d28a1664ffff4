//! What agents of a game under way are about, from and to the wire.

use super::super::names::{Named, Names};
use super::super::plan::{plan, plan_of};
use super::super::tick::{alert, place, reason};
use crate::mistakes::{Code, Mistakes};
use crate::values::shown;
use ::heist::game::{Alert, Course, Mind, ReplanReason};
use ::heist::{BURGLAR, Facts, Goal, Place, Plan, Spec, Thing};
use anytime::Path;
use stratagem_proto::v1 as pb;

/// The courses of the agents of a world, whose beliefs they complete. `None`: the agent begins.
pub(super) fn courses(
    given: Vec<pb::HeistCourse>,
    spec: &mut Spec,
    names: &Names,
    has_reactions: bool,
    wrong: &mut Mistakes,
) -> Vec<Option<Course>> {
    let mut courses: Vec<Option<Course>> = spec.agents.iter().map(|_| None).collect();
    let list = Path::root("courses");
    for (index, given) in given.into_iter().enumerate() {
        let at = list.index(index);
        let id_at = at.field("agent_id");
        let Some(agent) = names.agent(&id_at, &given.agent_id, wrong) else {
            continue;
        };
        if courses[agent].is_some() {
            let id = shown(&given.agent_id);
            wrong.add(&id_at, Code::Duplicate, format!("is {id}, as before"));
            continue;
        }
        let mut reader = Reader {
            agent,
            has_reactions,
            names,
            at: &at,
            wrong,
        };
        reader.beliefs(&given, spec);
        courses[agent] = Some(reader.course(&given, &spec.agents[agent].goal));
    }
    courses
}

/// What is read, and where mistakes go.
struct Reader<'r> {
    agent: usize,
    /// Whether guards react.
    has_reactions: bool,
    names: &'r Names,
    at: &'r Path<'r>,
    wrong: &'r mut Mistakes,
}

impl Reader<'_> {
    fn course(&mut self, given: &pb::HeistCourse, goal: &Goal) -> Course {
        let plan = self.plan(given.plan.as_ref());
        let is_first = plan.is_none() && !given.has_no_plan;
        let undecided = undecided(given.undecided());
        if given.undecided != 0 && (given.plan.is_some() || given.has_no_plan) {
            let why = "is set, but so is what the agent has planned";
            self.wrong
                .add(&self.at.field("undecided"), Code::Contradiction, why);
        }
        if given.has_no_plan && given.plan.is_some() {
            let why = "is set, but there is a plan";
            self.wrong
                .add(&self.at.field("has_no_plan"), Code::Contradiction, why);
        }
        Course {
            visits: self.visits(&given.remaining_room_ids, goal),
            plan,
            undecided: undecided.or(is_first.then_some(ReplanReason::First)),
            delay: given.delay_ticks.unsigned_abs(),
            is_removed: self.of_guard("removed", given.removed),
            alert: self.alert(given),
        }
    }

    fn plan(&mut self, given: Option<&pb::HeistPlan>) -> Option<Plan> {
        plan(given?, self.names, &self.at.field("plan"), self.wrong)
    }

    /// Rooms still to be visited: the end of the agent's goal, or some of it in any order.
    fn visits(&mut self, ids: &[String], goal: &Goal) -> Vec<usize> {
        let list = self.at.field("remaining_room_ids");
        let ids = ids.iter().enumerate();
        let rooms = ids.map(|(index, id)| self.names.room(&list.index(index), id, self.wrong));
        let rooms: Vec<Option<usize>> = rooms.collect();
        if rooms.contains(&None) {
            return Vec::new();
        }
        let rooms: Vec<usize> = rooms.into_iter().flatten().collect();
        let mut indexed = rooms.iter().enumerate();
        let is_rest = if goal.in_order {
            goal.visits.ends_with(&rooms)
        } else {
            indexed
                .all(|(index, room)| goal.visits.contains(room) && !rooms[..index].contains(room))
        };
        if !is_rest {
            let why = "are not what is left of the rooms of the agent's goal";
            self.wrong.add(&list, Code::Contradiction, why);
        }
        rooms
    }

    /// A statement about guards alone.
    fn of_guard(&mut self, field: &'static str, is_stated: bool) -> bool {
        if is_stated && self.agent == BURGLAR {
            let why = "is for guards alone";
            self.wrong
                .add(&self.at.field(field), Code::Contradiction, why);
        }
        is_stated
    }

    fn alert(&mut self, given: &pb::HeistCourse) -> Alert {
        let is_calm = matches!(
            given.alert(),
            pb::HeistAlert::Unspecified | pb::HeistAlert::Calm
        );
        self.of_guard("alert", !is_calm);
        if is_calm {
            return Alert::Calm;
        }
        if !self.has_reactions {
            let why = "is set, but guards do not react";
            self.wrong
                .add(&self.at.field("alert"), Code::Contradiction, why);
        }
        let room_at = self.at.field("alert_room_id");
        if given.alert_room_id.is_empty() {
            self.wrong.required(&room_at, None::<()>);
        }
        let room = self.names.room(&room_at, &given.alert_room_id, self.wrong);
        let left = given.search_ticks.unsigned_abs();
        match (room, given.alert()) {
            (None, _) => Alert::Calm,
            (Some(room), pb::HeistAlert::Chasing) => Alert::Chasing { room },
            (Some(room), _) => Alert::Suspicious { room, left },
        }
    }

    /// What the agent believes of other agents and, as a guard, of cameras.
    fn beliefs(&mut self, given: &pb::HeistCourse, spec: &mut Spec) {
        let belief = &mut spec.agents[self.agent].belief;
        belief.agents.fill(None);
        let list = self.at.field("believed_positions");
        for (index, given) in given.believed_positions.iter().enumerate() {
            let at = list.index(index);
            let id_at = at.field("agent_id");
            let other = self.names.agent(&id_at, &given.agent_id, self.wrong);
            let room = self
                .names
                .room(&at.field("room_id"), &given.room_id, self.wrong);
            let (Some(other), Some(room)) = (other, room) else {
                continue;
            };
            if other == self.agent || !given.at_id.is_empty() {
                let why = "is not a room of another agent alone";
                self.wrong.add(&at, Code::Contradiction, why);
            } else if belief.agents[other].replace(room).is_some() {
                let why = format!("is {}, as before", shown(&given.agent_id));
                self.wrong.add(&id_at, Code::Duplicate, why);
            }
        }
        let places = self.at.field("believed_item_place_ids");
        let items = &mut belief.facts.items;
        read_places(
            &given.believed_item_place_ids,
            items,
            &places,
            self.names,
            self.wrong,
        );
        let list = self.at.field("mistaken_camera_ids");
        for (index, id) in given.mistaken_camera_ids.iter().enumerate() {
            if let Some(camera) = self.names.camera(&list.index(index), id, self.wrong) {
                let cameras = &mut spec.agents[self.agent].belief.facts.cameras;
                cameras[camera] = !spec.facts.cameras[camera];
            }
        }
        self.of_guard("mistaken_camera_ids", !given.mistaken_camera_ids.is_empty());
    }
}

/// Where items are, copy by copy. Agents know what they hold.
pub(super) fn item_places(ids: &[String], spec: &mut Spec, names: &Names, wrong: &mut Mistakes) {
    let list = Path::root("item_place_ids");
    read_places(ids, &mut spec.facts.items, &list, names, wrong);
    for (agent, it) in spec.agents.iter_mut().enumerate() {
        let own = Place::With(agent);
        for (believed, is) in it.belief.facts.items.iter_mut().zip(&spec.facts.items) {
            match (*believed == own, *is == own) {
                (false, true) => *believed = own,
                (true, false) => *believed = Place::Unknown,
                _ => {}
            }
        }
    }
}

/// Replaces places by those with these ids, if there are any.
fn read_places(
    ids: &[String],
    items: &mut [Place],
    list: &Path<'_>,
    names: &Names,
    wrong: &mut Mistakes,
) {
    if ids.is_empty() {
        return;
    }
    if ids.len() != items.len() {
        let why = format!(
            "are {}, not one for each of {} items",
            ids.len(),
            items.len()
        );
        wrong.add(list, Code::WrongSize, why);
        return;
    }
    for (index, (id, item)) in ids.iter().zip(items).enumerate() {
        let wanted = "a container or an agent";
        let found = names.find(&list.index(index), id, wanted, wrong, |named| match named {
            Named::Thing(Thing::Container(container)) => Some(Place::In(container)),
            Named::Agent(agent) => Some(Place::With(agent)),
            _ => None,
        });
        // Without an id it is unknown; the planner refuses that of facts.
        *item = found.unwrap_or(Place::Unknown);
    }
}

/// Ids of the places of items.
pub(super) fn place_ids(items: &[Place], names: &Names) -> Vec<String> {
    items
        .iter()
        .map(|item| place(*item, names).into())
        .collect()
}

fn undecided(given: pb::HeistReplanReason) -> Option<ReplanReason> {
    use pb::HeistReplanReason as Wire;
    match given {
        Wire::Unspecified => None,
        Wire::Failure => Some(ReplanReason::Failure),
        Wire::Inconsistency => Some(ReplanReason::Inconsistency),
        Wire::ListDone => Some(ReplanReason::ListDone),
        Wire::Moved => Some(ReplanReason::Moved),
        Wire::First => Some(ReplanReason::First),
        Wire::Alert => Some(ReplanReason::Alert),
    }
}

/// The course of an agent, for the wire.
pub(super) fn course(mind: &Mind, id: &str, facts: &Facts, names: &Names) -> pb::HeistCourse {
    let Course {
        visits,
        plan,
        undecided,
        delay,
        is_removed,
        alert: alerted,
    } = mind.course();
    let room = |room: usize| names.rooms[room].clone();
    let left = match alerted {
        Alert::Suspicious { left, .. } => left,
        Alert::Calm | Alert::Chasing { .. } => 0,
    };
    let others = mind.belief().agents.iter().zip(&names.agents);
    let others = others.filter_map(|(place, id)| Some((place.as_ref()?, id)));
    pb::HeistCourse {
        agent_id: id.into(),
        plan: plan.map(|plan| plan_of(&plan, names)),
        undecided: undecided.map_or(0, |why| reason(why).into()),
        delay_ticks: i32::try_from(delay).unwrap_or(i32::MAX),
        remaining_room_ids: visits.into_iter().map(room).collect(),
        believed_positions: others
            .map(|(place, id)| pb::HeistAgentPosition {
                agent_id: id.clone(),
                room_id: room(*place),
                at_id: String::new(),
            })
            .collect(),
        removed: is_removed,
        alert: alert(alerted).into(),
        alert_room_id: alerted.room().map_or_else(String::new, room),
        search_ticks: i32::try_from(left).unwrap_or(i32::MAX),
        mistaken_camera_ids: mistaken_cameras(mind, facts, names),
        has_no_plan: undecided.is_none() && mind.intent().is_none(),
        believed_item_place_ids: place_ids(&mind.belief().facts.items, names),
    }
}

/// Cameras that a guard believes to be on or off when they are not.
fn mistaken_cameras(mind: &Mind, facts: &Facts, names: &Names) -> Vec<String> {
    if mind.agent() == BURGLAR {
        // It believes in those that it knows.
        return Vec::new();
    }
    let states = mind.belief().facts.cameras.iter().zip(&facts.cameras);
    let mistaken = states.zip(&names.cameras);
    let mistaken = mistaken.filter(|((believed, is), _)| believed != is);
    mistaken.map(|(_, id)| id.clone()).collect()
}
