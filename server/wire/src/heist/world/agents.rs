//! Agents: position, goal and belief.

use super::Reader;
use super::beliefs::{known_to, knows, set, states};
use super::{ItemBeliefs, item_places};
use anytime::Path;
use heist::museum::ITEMS_MAX;
use heist::world::VISITS_MAX;
use heist::{Agent, BURGLAR, Belief, Facts, Goal, Place, Position};
use stratagem_proto::v1 as pb;

impl Reader<'_> {
    /// Positions of all agents; their items are put into their hands.
    pub(super) fn positions(
        &mut self,
        burglar: Option<&pb::HeistAgent>,
        guards: &[pb::HeistAgent],
        at: &Path<'_>,
    ) -> Vec<Position> {
        let burglar_at = at.field("burglar");
        // Reported already. Most worlds have a room 0.
        let somewhere = Position { room: 0, at: None };
        let burglar = burglar.map(|it| self.position(BURGLAR, it, &burglar_at));
        let mut positions = vec![burglar.unwrap_or(somewhere)];
        let list = at.field("guards");
        for (index, guard) in guards.iter().enumerate() {
            let agent = BURGLAR + 1 + index;
            positions.push(self.position(agent, guard, &list.index(index)));
        }
        positions
    }

    fn position(&mut self, agent: usize, given: &pb::HeistAgent, at: &Path<'_>) -> Position {
        let room = self.room(&at.field("room_id"), &given.room_id);
        let thing = match given.at_id.as_str() {
            "" => None,
            id => self.names.thing(&at.field("at_id"), id, self.wrong),
        };
        let hands = Place::With(agent);
        self.put(&given.item_ids, &at.field("item_ids"), hands);
        Position { room, at: thing }
    }

    /// All agents, with goals and beliefs.
    pub(super) fn agents(
        &mut self,
        burglar: Option<pb::HeistAgent>,
        guards: Vec<pb::HeistAgent>,
        facts: &Facts,
        positions: &[Position],
        at: &Path<'_>,
    ) -> Vec<Agent> {
        let (burglar_at, list) = (at.field("burglar"), at.field("guards"));
        let burglar = burglar.unwrap_or_default();
        let given = std::iter::once(burglar).chain(guards);
        let mut agents = Vec::with_capacity(positions.len());
        for ((agent, given), position) in given.enumerate().zip(positions) {
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
                None => self.default_goal(agent, *position),
            };
            let belief = self.belief(agent, belief, facts, positions, &at.field("belief"));
            agents.push(Agent {
                position: *position,
                goal,
                belief,
            });
        }
        agents
    }

    /// The goal of an agent without one: empty for a guard, which the planner reports as a mistake.
    fn default_goal(&self, agent: usize, position: Position) -> Goal {
        if agent != BURGLAR {
            return Goal::default();
        }
        Goal {
            items: (self.names.keys..self.names.items.len()).collect(),
            room: Some(position.room),
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
        let items = self.different(&item_ids, &item, ITEMS_MAX, |names, at, id, wrong| {
            names.item(at, id, wrong)
        });
        let visit = at.field("visit_room_ids");
        let visits = if any_order {
            self.different(
                &visit_room_ids,
                &visit,
                VISITS_MAX,
                |names, at, id, wrong| names.room(at, id, wrong),
            )
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
        agent: usize,
        given: Option<pb::HeistBelief>,
        facts: &Facts,
        positions: &[Position],
        at: &Path<'_>,
    ) -> Belief {
        let pb::HeistBelief {
            states: other_states,
            items,
            known_ids,
        } = given.unwrap_or_default();
        let mut belief = Belief {
            facts: facts.clone(),
            agents: vec![None; positions.len()],
        };
        if agent == BURGLAR {
            // The burglar knows of the cameras that are named, and of no others.
            belief.facts.cameras.fill(false);
        }
        let names = &self.names;
        let states_at = at.field("states");
        let known = &mut belief.facts;
        set(known, &states(&other_states, &states_at, names, self.wrong));
        let items_at = at.field("items");
        let believed = ItemBeliefs {
            agent,
            believed: &mut known.items,
            truth: &facts.items,
        };
        item_places(&items, &items_at, names, believed, self.wrong);
        let rooms: Vec<usize> = positions.iter().map(|position| position.room).collect();
        let known_at = at.field("known_ids");
        known_to(agent, &known_ids, &known_at, names, self.wrong, |named| {
            knows(&mut belief, named, &rooms);
        });
        belief
    }
}
