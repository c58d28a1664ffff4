//! Games that are played live: put aside between ticks, and changed by what happens outside.

use super::alert::Heard;
use super::turn::replan;
use super::{Alert, Ending, Game, Mind, Noise, Reactions, ReplanReason, Rules, Tick};
use crate::budget::LiveBudget;
use crate::plan::Plan;
use crate::rules::Action;
use crate::world::{BURGLAR, Facts, Position, World};
use std::sync::Arc;

/// A game between two ticks, without its world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paused {
    pub(super) rules: Rules,
    /// `None`: guards do not depart from their rounds.
    pub(super) reactions: Option<Reactions>,
    pub(super) facts: Facts,
    pub(super) minds: Vec<Mind>,
    /// Number of the next tick.
    pub(super) now: u32,
    pub(super) ending: Option<Ending>,
}

/// What an agent does in a game under way, and has still to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Course {
    /// Rooms that are still to be visited. Empty for an agent that has to plan for the first time:
    /// those of its goal.
    pub visits: Vec<usize>,
    /// The rest of its plan. `None`: there is no plan.
    pub plan: Option<Plan>,
    /// Why it has to plan before it acts; `None`: it has planned.
    pub undecided: Option<ReplanReason>,
    /// Ticks that it still loses.
    pub delay: u32,
    /// Whether it is out of the game. Only guards.
    pub is_removed: bool,
    /// Whether it goes its round.
    pub alert: Alert,
}

impl Mind {
    /// What it does, and has still to do.
    #[must_use]
    pub fn course(&self) -> Course {
        let actions = self.intent().map(<[Action]>::to_vec);
        Course {
            visits: self.goal.visits.clone(),
            plan: actions.map(|actions| Plan { actions }),
            undecided: self.undecided,
            delay: self.delay,
            is_removed: self.is_removed,
            alert: self.alert,
        }
    }

    /// Takes up what the agent did before.
    pub(super) fn resume(&mut self, course: Course) {
        let Course {
            visits,
            plan,
            undecided,
            delay,
            is_removed,
            alert,
        } = course;
        // One that begins has its whole goal before it.
        if undecided != Some(ReplanReason::First) || !visits.is_empty() {
            Arc::make_mut(&mut self.goal).visits = visits;
        }
        (self.plan, self.next) = (plan.map(Arc::new), 0);
        (self.undecided, self.delay) = (undecided, delay);
        (self.is_removed, self.alert) = (is_removed, alert);
    }
}

impl Paused {
    /// A game before its first tick. No agent has planned.
    pub(super) fn new(world: &World, rules: Rules) -> Self {
        let agents = world.agents().iter().enumerate();
        Self {
            rules,
            reactions: None,
            facts: world.facts().clone(),
            minds: agents.map(|(agent, it)| Mind::new(agent, it)).collect(),
            now: 0,
            ending: None,
        }
    }

    /// The game, in the world in which it began.
    #[must_use]
    pub fn resume(self, world: &World) -> Game<'_> {
        Game {
            world,
            state: self,
            noises: Vec::new(),
            last: Tick::default(),
        }
    }
}

impl<'a> Game<'a> {
    /// A game that is under way in this world, before the tick of number `now`. Agents without a
    /// course begin with a plan, as far as the budget lasts.
    #[must_use]
    pub fn under_way(
        world: &'a World,
        rules: Rules,
        now: u32,
        courses: Vec<Option<Course>>,
    ) -> Self {
        let mut game = Paused::new(world, rules).resume(world);
        let budget = &mut LiveBudget::new(LiveBudget::STEPS, world.museum());
        for (mind, course) in game.state.minds.iter_mut().zip(courses) {
            match course {
                Some(course) => mind.resume(course),
                None => {
                    replan(mind, world, ReplanReason::First, budget);
                }
            }
        }
        game.state.now = now;
        if now > 0 {
            game.state.ending = game.find_ending();
        }
        game
    }

    /// The same with guards that react. `None`: they do not depart from their rounds.
    #[must_use]
    pub fn reacting(mut self, reactions: Option<Reactions>) -> Self {
        self.state.reactions = reactions;
        self
    }

    /// Puts the game aside.
    #[must_use]
    pub fn pause(self) -> Paused {
        self.state
    }

    /// Memory that it takes besides the world, near enough.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let Facts {
            doors,
            containers,
            cameras,
            ..
        } = self.facts();
        let facts = 2 * (doors.len() + containers.len() + cameras.len());
        let minds = self.minds().iter().map(|mind| mind.bytes() + facts);
        minds.sum::<usize>() + facts
    }

    /// Moves an agent, as of the next tick, to a room and a thing there. It plans before it acts.
    pub fn place(&mut self, agent: usize, position: Position) {
        self.state.minds[agent].place(position);
    }

    /// Has a noise made before the next tick.
    pub fn hear(&mut self, noise: Noise) {
        let heard = Heard::new(self.world.museum(), noise);
        self.noises.push(heard);
    }

    /// Takes a guard out of the game: it neither acts nor is seen from now on, and keeps its
    /// items. The burglar stays.
    pub fn remove(&mut self, guard: usize) {
        if guard != BURGLAR {
            self.state.minds[guard].is_removed = true;
        }
    }
}
