//! Simulation of the game: agents act by their plans, observe, and replan; the player intervenes.
//!
//! A tick is: the player's interventions; one action of the burglar; one action of each guard, in
//! their order. Then the burglar is caught in a room with a guard or with a camera that is on, else
//! wins if the goal is reached. A guard that passes the burglar in a door does not catch them.
//!
//! Agents do not communicate. An agent whose next action fails loses the tick, learns the exact
//! state of the thing handled, observes its room, and replans from there (Algorithm 2 of the
//! paper). Guards that have completed their plan start again. An agent without a plan waits.

mod alert;
mod live;
mod mind;
mod play;
mod player_action;
mod record;
mod turn;

pub use alert::{Alert, Noise, Reactions};
pub use live::{Course, Paused};
pub use mind::Mind;
pub use play::{play, play_until};
pub use player_action::{INTERVENTIONS_MAX, Intervention, PlayerAction, TICKS_MAX, Target, Verb};
pub use record::{
    BeliefUpdate, Catcher, Ending, Event, InterventionResult, Outcome, Record, ReplanReason,
    Replanned, Tick,
};

use crate::budget::Budget;
use crate::museum::{Museum, Thing};
use crate::world::{BURGLAR, Facts, World};
use alert::Heard;
use anytime::Fault;

/// Most ticks that an agent has still to lose, in all.
const DELAYS_MAX: u32 = 1_000_000_000;

/// Rules of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// When agents plan again.
    pub replan: Replan,
    /// What the player pays.
    pub costs: Costs,
    /// Ticks after which the game is over, 1 to [`TICKS_MAX`].
    pub ticks_max: u32,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            replan: Replan::OnFailure,
            costs: Costs::default(),
            ticks_max: 1_000,
        }
    }
}

/// When agents plan again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Replan {
    /// When an action fails: Algorithm 2 of the paper.
    #[default]
    OnFailure,
    /// Also when they observe something unexpected and relevant: on entering a room, and while they
    /// have no plan.
    OnInconsistency,
}

/// Costs of an intervention, by its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "named after what it is done to")]
pub struct Costs {
    pub door: u32,
    pub container: u32,
    pub machine: u32,
    pub camera: u32,
}

impl Default for Costs {
    /// Ours: the paper gives none.
    fn default() -> Self {
        Self {
            door: 1,
            container: 1,
            machine: 1,
            camera: 2,
        }
    }
}

/// A game under way. A clone continues as the original would.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game<'a> {
    world: &'a World,
    state: Paused,
    /// Those before the next tick.
    noises: Vec<Heard>,
    /// Events of the last tick; the allocation is reused.
    last: Tick,
}

impl<'a> Game<'a> {
    /// A game before its first tick. All agents have made their first plan.
    #[must_use]
    pub fn new(world: &'a World, rules: Rules) -> Self {
        Self::new_until(world, rules, &mut || true).expect("nothing stops it")
    }

    /// The same; `None`: `budget` ended before all agents had a plan.
    pub fn new_until(world: &'a World, rules: Rules, budget: &mut dyn Budget) -> Option<Self> {
        let mut game = Paused::new(world, rules).resume(world);
        for mind in &mut game.state.minds {
            mind.replan(world.museum(), &mut || budget.go_on());
            if !budget.go_on() {
                return None;
            }
        }
        Some(game)
    }

    /// The world as it was at the start.
    #[must_use]
    pub fn world(&self) -> &'a World {
        self.world
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.state.rules
    }

    /// The current facts.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.state.facts
    }

    /// The burglar, then the guards.
    #[must_use]
    pub fn minds(&self) -> &[Mind] {
        &self.state.minds
    }

    /// Number of the next tick.
    #[must_use]
    pub fn now(&self) -> u32 {
        self.state.now
    }

    /// How the game ended, once it has.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        self.state.ending
    }

    /// What the agents did in the last tick played.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.last.events
    }

    /// The same game without the events of the last tick.
    pub(crate) fn without_events(self) -> Self {
        let last = Tick::default();
        Self { last, ..self }
    }

    /// Applies an action of the player before the next tick; returns whether it changed anything.
    /// An invalid one changes nothing.
    fn apply(&mut self, player_action: PlayerAction) -> bool {
        let machines = &self.world.museum().layout().machines;
        if let (Verb::Trigger, Target::Thing(Thing::Machine(machine))) =
            (player_action.verb, player_action.target)
            && let Some(machine) = machines.get(machine)
        {
            let mut changed = false;
            for mind in &mut self.state.minds {
                if mind.position.room == machine.room {
                    mind.delay = DELAYS_MAX.min(mind.delay.saturating_add(machine.delay));
                    changed = true;
                }
            }
            return changed;
        }
        player_action.apply(&mut self.state.facts)
    }

    /// Simulates one tick, unless the game is over. Allocates only when an agent learns something
    /// or replans.
    pub fn step(&mut self, player_actions: &[PlayerAction]) -> &Tick {
        self.step_until(player_actions, &mut || true)
            .expect("nothing stops it")
    }

    /// The same; `None`: `budget` ended while an agent planned. The game cannot continue then.
    pub fn step_until(
        &mut self,
        player_actions: &[PlayerAction],
        budget: &mut dyn Budget,
    ) -> Option<&Tick> {
        self.last.player_actions.clear();
        self.last.events.clear();
        self.last.tick = self.state.now;
        self.last.ending = self.state.ending;
        if self.state.ending.is_some() {
            return Some(&self.last);
        }
        for &player_action in player_actions {
            let changed = self.apply(player_action);
            let cost = player_action.cost(self.state.rules.costs);
            self.last.player_actions.push(InterventionResult {
                player_action,
                cost,
                changed,
            });
        }
        let planned = self.plan_undecided(budget);
        for agent in 0..self.state.minds.len() {
            if self.state.minds[agent].is_removed {
                continue;
            }
            let planned = planned.iter().find(|(planner, _)| *planner == agent);
            let event = self.take_turn(agent, planned.map(|it| it.1), budget);
            if event.replanned.is_some() && budget.has_ended() {
                return None;
            }
            self.last.events.push(event);
        }
        self.noises.clear();
        self.state.now += 1;
        self.state.ending = self.find_ending();
        self.last.ending = self.state.ending;
        Some(&self.last)
    }

    /// The ending after this tick, if any.
    fn find_ending(&self) -> Option<Ending> {
        let burglar = &self.state.minds[BURGLAR];
        let room = burglar.position.room;
        if let Some(by) = self.catcher(self.world.museum(), room) {
            return Some(Ending::Caught { by, room });
        }
        if self.is_goal_reached() {
            return Some(Ending::Won);
        }
        // Without a plan the burglar has no failures, and without failures learns nothing.
        let has_none = burglar.intent().is_none() && burglar.undecided.is_none();
        if has_none && self.state.rules.replan == Replan::OnFailure {
            return Some(Ending::Stuck);
        }
        (self.state.now >= self.state.rules.ticks_max).then_some(Ending::TimeUp)
    }

    fn catcher(&self, museum: &Museum, room: usize) -> Option<Catcher> {
        let mut guards = self.state.minds.iter().skip(BURGLAR + 1);
        if let Some(guard) = guards.find(|mind| mind.position.room == room && !mind.is_removed) {
            return Some(Catcher::Guard(guard.agent));
        }
        let mut cameras = museum.cameras_in(room).iter();
        let camera = cameras.find(|camera| self.state.facts.cameras[**camera])?;
        Some(Catcher::Camera(*camera))
    }

    fn is_goal_reached(&self) -> bool {
        let burglar = &self.state.minds[BURGLAR];
        let goal = &burglar.goal;
        let mut items = goal.items.iter();
        goal.visits.is_empty()
            && goal.room.is_none_or(|room| room == burglar.position.room)
            && items.all(|item| self.state.facts.holds(self.world.museum(), BURGLAR, *item))
    }
}

/// Checks the rules and interventions of a game.
///
/// # Errors
/// Every reason why it cannot be played.
pub fn validate(world: &World, rules: &Rules, list: &[Intervention]) -> Result<(), Vec<Fault>> {
    let faults = player_action::check(world, rules, list);
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}
