//! The check of a record: all that it tells is done again, by the rules of single actions alone.
//!
//! Plans are not made again: a plan's length is held against what is done with it.

use super::deed::{Deed, Target, Verb};
use super::record::{Catcher, Did, Ending, Event, Lesson, Record, Tick, Why};
use super::{Replan, Rules};
use crate::museum::Thing;
use crate::rules::{Action, Hand};
use crate::world::{BURGLAR, Belief, Body, Facts, Leaf, Place, World};

/// What a record tells wrongly.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum RecordError {
    /// Ticks or agents that are missing, too many, or not in order.
    #[error("tick {tick} is not told in full, or is one too many")]
    Shape { tick: usize },
    /// A deed that did not change what it is told to, or costs something else.
    #[error("tick {tick}: deed {index} is told wrongly")]
    Deed { tick: usize, index: usize },
    /// Somebody who did not do what he had to.
    #[error("tick {tick}: agent {agent} does not do what he can and must")]
    Did { tick: usize, agent: usize },
    /// An action whose outcome is told wrongly.
    #[error("tick {tick}: the action of agent {agent} does not end as told")]
    Outcome { tick: usize, agent: usize },
    /// Lessons other than what there was to be learned.
    #[error("tick {tick}: agent {agent} does not learn what there is to be seen")]
    Learned { tick: usize, agent: usize },
    /// A new plan without a reason, or none in spite of one.
    #[error("tick {tick}: agent {agent} plans again without a reason, or has one and does not")]
    Replanned { tick: usize, agent: usize },
    /// Another ending than told.
    #[error("tick {tick}: the game does not end as told")]
    Ending { tick: usize },
    /// Another price than told.
    #[error("the player does not pay {told}")]
    Cost { told: u64 },
}

/// Whether a record tells a game of this world by these rules.
///
/// # Errors
/// The first thing that is told wrongly.
pub fn verify_record(world: &World, rules: Rules, record: &Record) -> Result<(), RecordError> {
    let mut replay = Replay::new(world, rules, record)?;
    let mut paid = 0;
    for (index, tick) in record.ticks.iter().enumerate() {
        let last = index + 1 == record.ticks.len();
        let ending = last.then_some(record.ending);
        if tick.tick as usize != index
            || tick.events.len() != world.agents().len()
            || tick.ending != ending
        {
            return Err(RecordError::Shape { tick: index });
        }
        replay.deeds(tick)?;
        paid += tick.deeds.iter().map(|it| u64::from(it.cost)).sum::<u64>();
        for (agent, event) in tick.events.iter().enumerate() {
            if event.agent != agent {
                return Err(RecordError::Shape { tick: index });
            }
            replay.event(index, event)?;
        }
        if replay.ending(index) != ending {
            return Err(RecordError::Ending { tick: index });
        }
    }
    if record.ticks.is_empty() {
        return Err(RecordError::Shape { tick: 0 });
    }
    let told = record.cost;
    (paid == told)
        .then_some(())
        .ok_or(RecordError::Cost { told })
}

struct Replay<'a> {
    world: &'a World,
    rules: Rules,
    facts: Facts,
    bodies: Vec<Body>,
    beliefs: Vec<Belief>,
    delays: Vec<u32>,
    /// Actions left of each agent's plan. `None`: no plan.
    left: Vec<Option<u32>>,
    /// Rooms that the burglar has been in, in order.
    entered: Vec<usize>,
}

impl<'a> Replay<'a> {
    fn new(world: &'a World, rules: Rules, record: &Record) -> Result<Self, RecordError> {
        let agents = world.agents();
        if record.starts.len() != agents.len() {
            return Err(RecordError::Shape { tick: 0 });
        }
        Ok(Self {
            world,
            rules,
            facts: world.facts().clone(),
            bodies: agents.iter().map(|it| it.body).collect(),
            beliefs: agents.iter().map(|it| it.belief.clone()).collect(),
            delays: vec![0; agents.len()],
            left: record.starts.clone(),
            entered: vec![agents[BURGLAR].body.room],
        })
    }

    fn deeds(&mut self, told: &Tick) -> Result<(), RecordError> {
        for (index, done) in told.deeds.iter().enumerate() {
            if self.deed(done.deed) != Some((done.cost, done.changed)) {
                let tick = told.tick as usize;
                return Err(RecordError::Deed { tick, index });
            }
        }
        Ok(())
    }

    /// What a deed costs, and whether it changes anything. `None`: it cannot be done.
    fn deed(&mut self, Deed { verb, target }: Deed) -> Option<(u32, bool)> {
        let costs = self.rules.costs;
        Some(match target {
            Target::Thing(Thing::Machine(machine)) => {
                let it = self.world.museum().layout().machines.get(machine)?;
                let mut changed = false;
                for (body, delay) in self.bodies.iter().zip(&mut self.delays) {
                    if body.room == it.room {
                        *delay = delay.saturating_add(it.delay);
                        changed = true;
                    }
                }
                (costs.machine, changed)
            }
            Target::Thing(Thing::Door(door)) => {
                (costs.door, turn(self.facts.doors.get_mut(door)?, verb))
            }
            Target::Thing(Thing::Container(it)) => {
                let lid = self.facts.containers.get_mut(it)?;
                (costs.container, turn(lid, verb))
            }
            Target::Camera(camera) => {
                let on = self.facts.cameras.get_mut(camera)?;
                let was = std::mem::replace(on, verb == Verb::On);
                (costs.camera, was != *on)
            }
        })
    }

    fn event(&mut self, tick: usize, event: &Event) -> Result<(), RecordError> {
        let agent = event.agent;
        let must = match (self.delays[agent], self.left[agent]) {
            (1.., _) => matches!(event.did, Did::Delayed),
            (0, None | Some(0)) => matches!(event.did, Did::Waited),
            (0, Some(_)) => matches!(event.did, Did::Acted(_)),
        };
        if !must {
            return Err(RecordError::Did { tick, agent });
        }
        let room = self.bodies[agent].room;
        let blind = self.left[agent].is_none();
        match event.did {
            Did::Acted(action) => self.act(tick, event, action)?,
            Did::Delayed => self.delays[agent] -= 1,
            Did::Waited => {}
        }
        let curious = self.rules.replan == Replan::OnInconsistency;
        let moved = self.bodies[agent].room != room;
        let waits = event.did == Did::Waited && blind;
        if event.refusal.is_some() || (curious && (moved || waits)) {
            let before = self.beliefs[agent].clone();
            self.see(event);
            if tell(before, &event.learned).as_ref() != Some(&self.beliefs[agent]) {
                return Err(RecordError::Learned { tick, agent });
            }
        } else if !event.learned.is_empty() {
            return Err(RecordError::Learned { tick, agent });
        }
        self.replanned(tick, event)
    }

    fn act(&mut self, tick: usize, event: &Event, action: Action) -> Result<(), RecordError> {
        let agent = event.agent;
        let before = self.bodies[agent];
        let outcome = Hand {
            museum: self.world.museum(),
            facts: &mut self.facts,
            body: &mut self.bodies[agent],
            agent,
        }
        .act(action);
        if outcome.err() != event.refusal {
            return Err(RecordError::Outcome { tick, agent });
        }
        if event.refusal.is_some() {
            return Ok(());
        }
        self.left[agent] = self.left[agent].map(|left| left - 1);
        if agent == BURGLAR && self.bodies[agent].room != before.room {
            self.entered.push(self.bodies[agent].room);
        }
        let belief = &mut self.beliefs[agent].facts;
        match action {
            // Which of several copies it was is what has changed.
            Action::PickUp(_) => {
                let both = belief.items.iter_mut().zip(&self.facts.items);
                for (believed, is) in both.filter(|(_, is)| **is == Place::With(agent)) {
                    *believed = *is;
                }
            }
            Action::Open(Thing::Door(it))
            | Action::Close(Thing::Door(it))
            | Action::Unlock(Thing::Door(it), _)
            | Action::Lock(Thing::Door(it), _)
            | Action::Enter(it) => belief.doors[it] = self.facts.doors[it],
            Action::Open(Thing::Container(it))
            | Action::Close(Thing::Container(it))
            | Action::Unlock(Thing::Container(it), _)
            | Action::Lock(Thing::Container(it), _) => {
                belief.containers[it] = self.facts.containers[it];
            }
            _ => {}
        }
        Ok(())
    }

    /// What an agent must have learned: everything about what failed, of the rest what is visible.
    fn see(&mut self, event: &Event) {
        let agent = event.agent;
        let (museum, room) = (self.world.museum(), self.bodies[agent].room);
        let belief = &mut self.beliefs[agent];
        if let (Some(_), Did::Acted(action)) = (event.refusal, event.did) {
            let handled = match action {
                Action::PickUp(_) => self.bodies[agent].at,
                Action::Approach(_) => None,
                action => action.thing(),
            };
            match handled {
                Some(Thing::Door(it)) => belief.facts.doors[it] = self.facts.doors[it],
                Some(Thing::Container(it)) => {
                    belief.facts.containers[it] = self.facts.containers[it];
                }
                Some(Thing::Machine(_)) | None => {}
            }
        }
        let seen = |believed: Leaf, is: Leaf| match (believed.open, is.open) {
            (_, true) => Leaf::OPEN,
            (true, false) => Leaf::CLOSED,
            (false, false) => believed,
        };
        for (door, it) in museum.layout().doors.iter().enumerate() {
            if it.ends.contains(&room) {
                let leaf = &mut belief.facts.doors[door];
                *leaf = seen(*leaf, self.facts.doors[door]);
            }
        }
        for (container, it) in museum.layout().containers.iter().enumerate() {
            if it.room != room {
                continue;
            }
            let leaf = &mut belief.facts.containers[container];
            *leaf = seen(*leaf, self.facts.containers[container]);
            if self.facts.containers[container].open {
                let inside = Place::In(container);
                let places = belief.facts.items.iter_mut().zip(&self.facts.items);
                for (believed, is) in places {
                    if *is == inside {
                        *believed = inside;
                    } else if *believed == inside {
                        *believed = Place::Unknown;
                    }
                }
            }
        }
        for (camera, it) in museum.layout().cameras.iter().enumerate() {
            if *it == room {
                belief.facts.cameras[camera] = self.facts.cameras[camera];
            }
        }
        for (other, body) in self.bodies.iter().enumerate() {
            let believed = &mut belief.agents[other];
            if other != agent && body.room == room {
                *believed = Some(room);
            } else if other != agent && *believed == Some(room) {
                *believed = None;
            }
        }
    }

    fn replanned(&mut self, tick: usize, event: &Event) -> Result<(), RecordError> {
        let agent = event.agent;
        let done = event.did != Did::Waited && self.left[agent] == Some(0);
        let ends = agent != BURGLAR && done && event.did != Did::Delayed;
        let why = if event.refusal.is_some() {
            Some(Why::Failure)
        } else if ends {
            Some(Why::ListDone)
        } else {
            // Guards do not care who else is where, and what cameras see.
            let mut learned = event.learned.iter();
            let matters = learned.any(|lesson| match lesson {
                Lesson::Leaf { .. } | Lesson::Item { .. } => true,
                Lesson::Camera { .. } | Lesson::Agent { .. } => agent == BURGLAR,
            });
            matters.then_some(Why::Inconsistency)
        };
        if event.replanned.map(|it| it.why) != why {
            return Err(RecordError::Replanned { tick, agent });
        }
        if let Some(replanned) = event.replanned {
            self.left[agent] = replanned.actions;
        }
        Ok(())
    }

    fn ending(&self, index: usize) -> Option<Ending> {
        let room = self.bodies[BURGLAR].room;
        for (guard, body) in self.bodies.iter().enumerate().skip(1) {
            if body.room == room {
                let by = Catcher::Guard(guard);
                return Some(Ending::Caught { by, room });
            }
        }
        for (camera, it) in self.world.museum().layout().cameras.iter().enumerate() {
            if *it == room && self.facts.cameras[camera] {
                let by = Catcher::Camera(camera);
                return Some(Ending::Caught { by, room });
            }
        }
        if self.has_all() {
            return Some(Ending::Won);
        }
        if self.left[BURGLAR].is_none() && self.rules.replan == Replan::OnFailure {
            return Some(Ending::Stuck);
        }
        (index + 1 >= self.rules.ticks_max as usize).then_some(Ending::TimeUp)
    }

    fn has_all(&self) -> bool {
        let goal = &self.world.agents()[BURGLAR].goal;
        let mut left = self.entered.as_slice();
        let visited = goal.visits.iter().all(|room| {
            let when = left.iter().position(|entered| entered == room);
            if let (Some(when), true) = (when, goal.in_order) {
                left = &left[when..];
            }
            when.is_some()
        });
        let museum = self.world.museum();
        let room = self.bodies[BURGLAR].room;
        let mut items = goal.items.iter();
        visited
            && items.all(|it| self.facts.has(museum, BURGLAR, *it))
            && goal.room.is_none_or(|wanted| wanted == room)
    }
}

/// What somebody believes after these lessons. `None`: they do not begin with what he believed.
fn tell(mut belief: Belief, lessons: &[Lesson]) -> Option<Belief> {
    for lesson in lessons {
        let fits = match *lesson {
            Lesson::Leaf { thing, was, is } => {
                let leaf = belief.facts.leaf_mut(thing)?;
                std::mem::replace(leaf, is) == was && was != is
            }
            Lesson::Item { item, was, is } => {
                let place = belief.facts.items.get_mut(item)?;
                std::mem::replace(place, is) == was && was != is
            }
            Lesson::Camera { camera, was, is } => {
                let on = belief.facts.cameras.get_mut(camera)?;
                std::mem::replace(on, is) == was && was != is
            }
            Lesson::Agent { agent, was, is } => {
                let room = belief.agents.get_mut(agent)?;
                std::mem::replace(room, is) == was && was != is
            }
        };
        if !fits {
            return None;
        }
    }
    Some(belief)
}

/// What a deed does to a door or lid; says whether it changed anything.
fn turn(leaf: &mut Leaf, verb: Verb) -> bool {
    let before = *leaf;
    *leaf = match (verb, before) {
        (Verb::Lock, _) => Leaf::LOCKED,
        (Verb::Open, _) => Leaf::OPEN,
        (Verb::Close, Leaf::OPEN) | (Verb::Unlock, Leaf::LOCKED) => Leaf::CLOSED,
        _ => before,
    };
    *leaf != before
}
