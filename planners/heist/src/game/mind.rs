//! An agent in a game: where he is, what he believes, wants and plans.

use super::record::Lesson;
use crate::museum::{Museum, Thing};
use crate::plan::Plan;
use crate::rules::Action;
use crate::solve::{Errand, best_plan_while};
use crate::world::{Agent, BURGLAR, Belief, Body, Facts, Goal, Leaf, Place};
use std::sync::Arc;

/// An agent in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mind {
    pub(super) agent: usize,
    pub(super) body: Body,
    /// Shared, as goal and plan: games are cloned more often than somebody learns or plans.
    pub(super) belief: Arc<Belief>,
    /// What is still to be done: `visits` shrink.
    pub(super) goal: Arc<Goal>,
    plan: Option<Arc<Plan>>,
    next: usize,
    pub(super) delay: u32,
}

impl Mind {
    /// An agent before he has thought.
    pub(super) fn new(agent: usize, it: &Agent) -> Self {
        let mut mind = Self {
            agent,
            body: it.body,
            belief: Arc::new(it.belief.clone()),
            goal: Arc::new(it.goal.clone()),
            plan: None,
            next: 0,
            delay: 0,
        };
        // A guard's list in order is a walk: he has to enter its first room, too.
        if agent == BURGLAR || !mind.goal.in_order {
            mind.visit();
        }
        mind
    }

    /// Where he is.
    #[must_use]
    pub fn body(&self) -> Body {
        self.body
    }

    /// What he believes.
    #[must_use]
    pub fn belief(&self) -> &Belief {
        &self.belief
    }

    /// What he still wants: rooms that he has visited are no more in it.
    #[must_use]
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// What he is going to do, as far as he knows. `None`: he knows no way.
    #[must_use]
    pub fn intent(&self) -> Option<&[Action]> {
        let plan = self.plan.as_ref()?;
        Some(&plan.actions[self.next..])
    }

    /// Ticks that he is still distracted for.
    #[must_use]
    pub fn delay(&self) -> u32 {
        self.delay
    }

    /// What he does next, unless he is distracted.
    pub(crate) fn next_action(&self) -> Option<Action> {
        self.intent()?.first().copied()
    }

    /// What his next action handles: what it succeeds or fails by.
    pub(crate) fn next_handled(&self) -> Option<Thing> {
        match self.next_action()? {
            Action::Approach(_) | Action::Operate(_) => None,
            Action::PickUp(_) => self.body.at,
            action => action.thing(),
        }
    }

    /// Makes a plan from the current place, by the agent's belief, and returns its length. Once
    /// `go_on` has returned false, it is any plan, or none.
    pub(super) fn think(
        &mut self,
        museum: &Museum,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<u32> {
        // Guards need not hide.
        let traps = match self.agent {
            BURGLAR => self.belief.traps(museum),
            _ => vec![false; museum.rooms()],
        };
        let errand = Errand {
            museum,
            facts: &self.belief.facts,
            body: self.body,
            agent: self.agent,
            goal: &self.goal,
            traps: &traps,
        };
        let first = self.goal.visits.first().filter(|_| self.goal.in_order);
        self.plan = if self.agent != BURGLAR && first == Some(&self.body.room) {
            walk_out(&errand, go_on).map(Arc::new)
        } else {
            best_plan_while(&errand, go_on).map(Arc::new)
        };
        self.next = 0;
        let plan = self.plan.as_ref()?;
        // Fits: plans have at most ACTIONS_MAX.
        Some(plan.actions.len() as u32)
    }

    /// Notes that the next action has been done, and what it has changed.
    pub(super) fn done(&mut self, action: Action, facts: &Facts) {
        self.next += 1;
        match action {
            Action::Enter(_) => self.visit(),
            // He knows his own hands: of several copies, too.
            Action::PickUp(_) => {
                for item in facts.held(self.agent) {
                    self.facts_mut().items[item] = facts.items[item];
                }
            }
            _ => {}
        }
        if let Some(thing) = action
            .thing()
            .filter(|_| !matches!(action, Action::Approach(_)))
        {
            self.believe(thing, facts.leaf(thing));
        }
    }

    /// Whether he has done all that he planned.
    pub(super) fn is_done(&self) -> bool {
        self.intent().is_some_and(<[Action]>::is_empty)
    }

    /// Forgets which rooms he has visited, but for the one he is in.
    pub(super) fn begin_again(&mut self, goal: &Goal) {
        Arc::make_mut(&mut self.goal)
            .visits
            .clone_from(&goal.visits);
        self.visit();
    }

    /// Strikes the room that he is in off his list.
    fn visit(&mut self) {
        let room = self.body.room;
        if !self.goal.visits.contains(&room) {
            return;
        }
        let Goal {
            visits, in_order, ..
        } = Arc::make_mut(&mut self.goal);
        if *in_order {
            let done = visits.iter().take_while(|visit| **visit == room).count();
            visits.drain(..done);
        } else {
            visits.retain(|visit| *visit != room);
        }
    }

    /// Learns the exact state of a thing.
    pub(super) fn examine(&mut self, thing: Thing, facts: &Facts, learned: &mut Vec<Lesson>) {
        let is = facts.leaf(thing);
        if let Some(was) = self.believe(thing, is) {
            learned.push(Lesson::Leaf { thing, was, is });
        }
    }

    /// Believes that a thing is like that; what was believed before, if something else was.
    fn believe(&mut self, thing: Thing, is: Leaf) -> Option<Leaf> {
        let was = self.belief.facts.leaf(thing);
        if was == is {
            return None;
        }
        *self.facts_mut().leaf_mut(thing)? = is;
        Some(was)
    }

    fn facts_mut(&mut self) -> &mut Facts {
        &mut Arc::make_mut(&mut self.belief).facts
    }

    /// Sees what is open and closed in the agent's room, items in open containers, cameras that are
    /// on, and agents. Whether something closed is locked cannot be seen.
    pub(super) fn look(&mut self, seen: &Sight<'_>, learned: &mut Vec<Lesson>) {
        let room = self.body.room;
        for exit in seen.museum.exits(room) {
            self.glance(Thing::Door(exit.door), seen.facts, learned);
        }
        for &container in seen.museum.containers_in(room) {
            self.glance(Thing::Container(container), seen.facts, learned);
            if seen.facts.containers[container].open {
                self.look_into(container, seen.facts, learned);
            }
        }
        for &camera in seen.museum.cameras_in(room) {
            let is = seen.facts.cameras[camera];
            let was = self.belief.facts.cameras[camera];
            if was != is {
                self.facts_mut().cameras[camera] = is;
                learned.push(Lesson::Camera { camera, was, is });
            }
        }
        for (agent, body) in seen.bodies().enumerate() {
            let was = self.belief.agents[agent];
            let is = if body.room == room {
                Some(room)
            } else {
                was.filter(|was| *was != room)
            };
            if agent != self.agent && was != is {
                Arc::make_mut(&mut self.belief).agents[agent] = is;
                learned.push(Lesson::Agent { agent, was, is });
            }
        }
    }

    fn glance(&mut self, thing: Thing, facts: &Facts, learned: &mut Vec<Lesson>) {
        let open = facts.leaf(thing).open;
        if self.belief.facts.leaf(thing).open != open {
            let is = if open { Leaf::OPEN } else { Leaf::CLOSED };
            let was = self.believe(thing, is);
            learned.extend(was.map(|was| Lesson::Leaf { thing, was, is }));
        }
    }

    fn look_into(&mut self, container: usize, facts: &Facts, learned: &mut Vec<Lesson>) {
        let inside = Place::In(container);
        for (item, place) in facts.items.iter().enumerate() {
            let was = self.belief.facts.items[item];
            if (*place == inside) != (was == inside) {
                let is = match *place {
                    place if place == inside => place,
                    _ => Place::Unknown,
                };
                self.facts_mut().items[item] = is;
                learned.push(Lesson::Item { item, was, is });
            }
        }
    }
}

/// The shortest plan of a guard that has to enter the room that it is in: through some room next to
/// it. A guard that has no other room to visit stays.
fn walk_out(errand: &Errand<'_>, go_on: &mut dyn FnMut() -> bool) -> Option<Plan> {
    let room = errand.body.room;
    if errand.goal.visits.iter().all(|visit| *visit == room) {
        return Some(Plan::default());
    }
    let mut goal = errand.goal.clone();
    goal.visits.insert(0, room);
    let mut best: Option<Plan> = None;
    for exit in errand.museum.exits(room) {
        if !go_on() {
            break;
        }
        goal.visits[0] = exit.to;
        let goal = &goal;
        let plan = best_plan_while(&Errand { goal, ..*errand }, go_on);
        let length = best.as_ref().map_or(usize::MAX, |it| it.actions.len());
        best = plan.filter(|it| it.actions.len() < length).or(best);
    }
    best
}

/// What there is to be seen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sight<'a> {
    pub museum: &'a Museum,
    pub facts: &'a Facts,
    /// Agents before the one who looks, himself, and those after him.
    pub before: &'a [Mind],
    pub own: Body,
    pub after: &'a [Mind],
}

impl Sight<'_> {
    fn bodies(&self) -> impl Iterator<Item = Body> + '_ {
        let before = self.before.iter().map(|mind| mind.body);
        let after = self.after.iter().map(|mind| mind.body);
        before.chain([self.own]).chain(after)
    }
}
