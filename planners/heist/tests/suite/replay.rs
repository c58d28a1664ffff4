//! Verification of a record: a replay by the rules of single actions. Plans are not made again: the
//! length of each is compared with the actions recorded.

use heist::game::{
    BeliefUpdate, Catcher, Ending, Event, Outcome, PlayerAction, Record, Replan, ReplanReason,
    Rules, Target, Tick, Verb,
};
use heist::museum::Thing;
use heist::rules::{Action, Actor};
use heist::world::{BURGLAR, Belief, Facts, LockState, Place, Position, World};

/// An error in a record.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RecordError {
    /// Ticks or agents that are missing, too many, or not in order.
    Shape { tick: usize },
    /// A player's action with another cost, or another effect.
    PlayerAction { tick: usize, index: usize },
    /// An agent that did not act as it has to.
    Outcome { tick: usize, agent: usize },
    /// An action that fails, or does not, other than recorded.
    Refusal { tick: usize, agent: usize },
    /// Belief updates that differ from the observation.
    Learned { tick: usize, agent: usize },
    /// A new plan without a reason, or a reason without a new plan.
    Replanned { tick: usize, agent: usize },
    /// Another ending than recorded.
    Ending { tick: usize },
    /// Another total cost than recorded.
    Cost { recorded: u64 },
}

/// Verifies that a record is one of a game of this world by these rules.
///
/// # Errors
/// The first error.
pub(crate) fn verify_record(
    world: &World,
    rules: Rules,
    record: &Record,
) -> Result<(), RecordError> {
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
        replay.player_actions(tick)?;
        paid += tick
            .player_actions
            .iter()
            .map(|it| u64::from(it.cost))
            .sum::<u64>();
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
    let recorded = record.cost;
    (paid == recorded)
        .then_some(())
        .ok_or(RecordError::Cost { recorded })
}

struct Replay<'a> {
    world: &'a World,
    rules: Rules,
    facts: Facts,
    positions: Vec<Position>,
    beliefs: Vec<Belief>,
    delays: Vec<u32>,
    /// Actions left of each agent's plan. `None`: no plan.
    left: Vec<Option<u32>>,
    /// Rooms that the burglar has entered, in order.
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
            positions: agents.iter().map(|it| it.position).collect(),
            beliefs: agents.iter().map(|it| it.belief.clone()).collect(),
            delays: vec![0; agents.len()],
            left: record.starts.clone(),
            entered: vec![agents[BURGLAR].position.room],
        })
    }

    fn player_actions(&mut self, recorded: &Tick) -> Result<(), RecordError> {
        for (index, done) in recorded.player_actions.iter().enumerate() {
            if self.player_action(done.player_action) != Some((done.cost, done.changed)) {
                let tick = recorded.tick as usize;
                return Err(RecordError::PlayerAction { tick, index });
            }
        }
        Ok(())
    }

    /// Applies a player's action: its cost, and whether it changes anything. `None`: it is invalid.
    fn player_action(
        &mut self,
        PlayerAction { verb, target }: PlayerAction,
    ) -> Option<(u32, bool)> {
        let costs = self.rules.costs;
        Some(match target {
            Target::Thing(Thing::Machine(machine)) => {
                let it = self.world.museum().layout().machines.get(machine)?;
                let mut changed = false;
                for (position, delay) in self.positions.iter().zip(&mut self.delays) {
                    if position.room == it.room {
                        *delay = delay.saturating_add(it.delay);
                        changed = true;
                    }
                }
                (costs.machine, changed)
            }
            Target::Thing(Thing::Door(door)) => (
                costs.door,
                change_state(self.facts.doors.get_mut(door)?, verb),
            ),
            Target::Thing(Thing::Container(it)) => {
                let container = self.facts.containers.get_mut(it)?;
                (costs.container, change_state(container, verb))
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
            (1.., _) => matches!(event.outcome, Outcome::Delayed),
            (0, None | Some(0)) => matches!(event.outcome, Outcome::Waited),
            (0, Some(_)) => matches!(event.outcome, Outcome::Acted(_)),
        };
        if !must {
            return Err(RecordError::Outcome { tick, agent });
        }
        let room = self.positions[agent].room;
        let had_no_plan = self.left[agent].is_none();
        match event.outcome {
            Outcome::Acted(action) => self.act(tick, event, action)?,
            Outcome::Delayed => self.delays[agent] -= 1,
            Outcome::Waited => {}
        }
        let observes_always = self.rules.replan == Replan::OnInconsistency;
        let moved = self.positions[agent].room != room;
        let waits = event.outcome == Outcome::Waited && had_no_plan;
        if event.refusal.is_some() || (observes_always && (moved || waits)) {
            let before = self.beliefs[agent].clone();
            self.observe(event);
            if apply_updates(before, &event.learned).as_ref() != Some(&self.beliefs[agent]) {
                return Err(RecordError::Learned { tick, agent });
            }
        } else if !event.learned.is_empty() {
            return Err(RecordError::Learned { tick, agent });
        }
        self.replanned(tick, event)
    }

    fn act(&mut self, tick: usize, event: &Event, action: Action) -> Result<(), RecordError> {
        let agent = event.agent;
        let before = self.positions[agent];
        let outcome = Actor {
            museum: self.world.museum(),
            facts: &mut self.facts,
            position: &mut self.positions[agent],
            agent,
        }
        .act(action);
        if outcome.err() != event.refusal {
            return Err(RecordError::Refusal { tick, agent });
        }
        if event.refusal.is_some() {
            return Ok(());
        }
        self.left[agent] = self.left[agent].map(|left| left - 1);
        if agent == BURGLAR && self.positions[agent].room != before.room {
            self.entered.push(self.positions[agent].room);
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

    /// Applies the observation of an agent to its belief: the exact state of what failed, and what
    /// is visible in the room.
    fn observe(&mut self, event: &Event) {
        let agent = event.agent;
        let (museum, room) = (self.world.museum(), self.positions[agent].room);
        let belief = &mut self.beliefs[agent];
        if let (Some(_), Outcome::Acted(action)) = (event.refusal, event.outcome) {
            let handled = match action {
                Action::PickUp(_) => self.positions[agent].at,
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
        let seen = |believed: LockState, is: LockState| match (believed.open, is.open) {
            (_, true) => LockState::OPEN,
            (true, false) => LockState::CLOSED,
            (false, false) => believed,
        };
        for (door, it) in museum.layout().doors.iter().enumerate() {
            if it.ends.contains(&room) {
                let state = &mut belief.facts.doors[door];
                *state = seen(*state, self.facts.doors[door]);
            }
        }
        for (container, it) in museum.layout().containers.iter().enumerate() {
            if it.room != room {
                continue;
            }
            let state = &mut belief.facts.containers[container];
            *state = seen(*state, self.facts.containers[container]);
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
        for (other, position) in self.positions.iter().enumerate() {
            let believed = &mut belief.agents[other];
            if other != agent && position.room == room {
                *believed = Some(room);
            } else if other != agent && *believed == Some(room) {
                *believed = None;
            }
        }
    }

    fn replanned(&mut self, tick: usize, event: &Event) -> Result<(), RecordError> {
        let agent = event.agent;
        let done = event.outcome != Outcome::Waited && self.left[agent] == Some(0);
        let ends = agent != BURGLAR && done && event.outcome != Outcome::Delayed;
        let why = if event.refusal.is_some() {
            Some(ReplanReason::Failure)
        } else if ends {
            Some(ReplanReason::ListDone)
        } else {
            // Rooms of other agents and cameras are irrelevant to guards.
            let mut learned = event.learned.iter();
            let matters = learned.any(|lesson| match lesson {
                BeliefUpdate::LockState { .. } | BeliefUpdate::Item { .. } => true,
                BeliefUpdate::Camera { .. } | BeliefUpdate::Agent { .. } => agent == BURGLAR,
            });
            matters.then_some(ReplanReason::Inconsistency)
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
        let room = self.positions[BURGLAR].room;
        for (guard, position) in self.positions.iter().enumerate().skip(1) {
            if position.room == room {
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
        if self.is_goal_reached() {
            return Some(Ending::Won);
        }
        if self.left[BURGLAR].is_none() && self.rules.replan == Replan::OnFailure {
            return Some(Ending::Stuck);
        }
        (index + 1 >= self.rules.ticks_max as usize).then_some(Ending::TimeUp)
    }

    fn is_goal_reached(&self) -> bool {
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
        let room = self.positions[BURGLAR].room;
        let mut items = goal.items.iter();
        visited
            && items.all(|it| self.facts.holds(museum, BURGLAR, *it))
            && goal.room.is_none_or(|wanted| wanted == room)
    }
}

/// The belief after these updates. `None`: they do not start from this belief.
fn apply_updates(mut belief: Belief, lessons: &[BeliefUpdate]) -> Option<Belief> {
    for lesson in lessons {
        let fits = match *lesson {
            BeliefUpdate::LockState { thing, was, is } => {
                let state = belief.facts.lock_state_mut(thing)?;
                std::mem::replace(state, is) == was && was != is
            }
            BeliefUpdate::Item { item, was, is } => {
                let place = belief.facts.items.get_mut(item)?;
                std::mem::replace(place, is) == was && was != is
            }
            BeliefUpdate::Camera { camera, was, is } => {
                let on = belief.facts.cameras.get_mut(camera)?;
                std::mem::replace(on, is) == was && was != is
            }
            BeliefUpdate::Agent { agent, was, is } => {
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

/// Applies a verb to a door or container; returns whether it changed.
fn change_state(state: &mut LockState, verb: Verb) -> bool {
    let before = *state;
    *state = match (verb, before) {
        (Verb::Lock, _) => LockState::LOCKED,
        (Verb::Open, _) => LockState::OPEN,
        (Verb::Close, LockState::OPEN) | (Verb::Unlock, LockState::LOCKED) => LockState::CLOSED,
        _ => before,
    };
    *state != before
}
