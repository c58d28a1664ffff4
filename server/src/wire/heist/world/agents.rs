//! Those who act: where they are, what they want, what they believe.

use super::Reader;
use super::beliefs::{known_to, knows, set, states};
use super::item_places;
use crate::wire::path::Path;
use heist::museum::ITEMS_MAX;
use heist::world::VISITS_MAX;
use heist::{Agent, BURGLAR, Belief, Body, Facts, Goal, Place};
use stratagem_proto::v1 as pb;

/// The burglar, if there is one, and the guards.
type Given = (Option<pb::HeistAgent>, Vec<pb::HeistAgent>);

impl Reader<'_> {
    /// Where everybody is; what they have is put into their hands.
    pub(super) fn bodies(
        &mut self,
        (burglar, guards): (Option<&pb::HeistAgent>, &[pb::HeistAgent]),
        at: &Path<'_>,
    ) -> Vec<Body> {
        let burglar_at = at.field("burglar");
        // Told already: a room that most worlds have.
        let somewhere = Body { room: 0, at: None };
        let burglar = burglar.map(|it| self.body((BURGLAR, it), &burglar_at));
        let mut bodies = vec![burglar.unwrap_or(somewhere)];
        let list = at.field("guards");
        for (index, guard) in guards.iter().enumerate() {
            let agent = BURGLAR + 1 + index;
            bodies.push(self.body((agent, guard), &list.index(index)));
        }
        bodies
    }

    fn body(&mut self, (agent, given): (usize, &pb::HeistAgent), at: &Path<'_>) -> Body {
        let room = self.room(&at.field("room_id"), &given.room_id);
        let thing = match given.at_id.as_str() {
            "" => None,
            id => self.names.thing(&at.field("at_id"), id, self.wrong),
        };
        let hands = Place::With(agent);
        self.put(&given.item_ids, &at.field("item_ids"), hands);
        Body { room, at: thing }
    }

    /// Everybody, with goals and beliefs.
    pub(super) fn agents(
        &mut self,
        (burglar, guards): Given,
        (facts, bodies): (&Facts, Vec<Body>),
        at: &Path<'_>,
    ) -> Vec<Agent> {
        let (burglar_at, list) = (at.field("burglar"), at.field("guards"));
        let burglar = burglar.unwrap_or_default();
        let given = std::iter::once(burglar).chain(guards);
        let mut agents = Vec::with_capacity(bodies.len());
        for ((agent, given), body) in given.enumerate().zip(&bodies) {
            let of_guard;
            let at = match agent.checked_sub(BURGLAR + 1) {
                None => &burglar_at,
                Some(guard) => {
                    of_guard = list.index(guard);
                    &of_guard
                }
            };
            let pb::HeistAgent {
                // Read before.
                id: _,
                room_id: _,
                at_id: _,
                item_ids: _,
                goal,
                belief,
            } = given;
            let goal = match goal {
                Some(goal) => self.goal(goal, &at.field("goal")),
                None => self.default_goal(agent, *body),
            };
            let belief = self.belief((agent, belief), (facts, &bodies), &at.field("belief"));
            agents.push(Agent {
                body: *body,
                goal,
                belief,
            });
        }
        agents
    }

    /// The goal of an agent without one: empty for a guard, which the planner reports as a mistake.
    fn default_goal(&self, agent: usize, body: Body) -> Goal {
        if agent != BURGLAR {
            return Goal::default();
        }
        Goal {
            items: (self.names.keys..self.names.items.len()).collect(),
            room: Some(body.room),
            ..Goal::default()
        }
    }

    fn goal(&mut self, given: pb::HeistGoal, at: &Path<'_>) -> Goal {
        let pb::HeistGoal {
            item_ids,
            visit_room_ids,
            any_order,
            end_room_id,
        } = given;
        let item = at.field("item_ids");
        let items = self.different((&item_ids, &item), ITEMS_MAX, |names, at, id, wrong| {
            names.item(at, id, wrong)
        });
        let visit = at.field("visit_room_ids");
        let visits = if any_order {
            let given = (&visit_room_ids[..], &visit);
            self.different(given, VISITS_MAX, |names, at, id, wrong| {
                names.room(at, id, wrong)
            })
        } else {
            let rooms = visit_room_ids.iter().enumerate();
            rooms
                .map(|(index, id)| self.room(&visit.index(index), id))
                .collect()
        };
        let room = match end_room_id.as_str() {
            "" => None,
            id => Some(self.room(&at.field("end_room_id"), id)),
        };
        Goal {
            items,
            visits,
            in_order: !any_order,
            room,
        }
    }

    fn belief(
        &mut self,
        (agent, given): (usize, Option<pb::HeistBelief>),
        (facts, bodies): (&Facts, &[Body]),
        at: &Path<'_>,
    ) -> Belief {
        let pb::HeistBelief {
            states: other_states,
            items,
            known_ids,
        } = given.unwrap_or_default();
        let mut belief = Belief {
            facts: facts.clone(),
            agents: vec![None; bodies.len()],
        };
        if agent == BURGLAR {
            // What is not named, he knows nothing of.
            belief.facts.cameras.fill(false);
        }
        let names = &self.names;
        let states_at = at.field("states");
        let known = &mut belief.facts;
        set(
            known,
            &states(&other_states, (&states_at, names), self.wrong),
        );
        let items_at = at.field("items");
        let items_of = (agent, &mut known.items[..], &facts.items[..]);
        item_places(&items, (&items_at, names), items_of, self.wrong);
        let rooms: Vec<usize> = bodies.iter().map(|body| body.room).collect();
        let known_at = at.field("known_ids");
        let ids = (&known_ids[..], &known_at);
        known_to(agent, ids, (names, self.wrong), |named| {
            knows(&mut belief, named, &rooms);
        });
        belief
    }
}
