//! The game: burglar and guards in step, what they find out, and what the player does.
//!
//! Each tick: the player's deeds; the burglar; the guards in their order, one action each; then the
//! burglar is caught in a room with a guard or with a camera that is on, else wins if all is done.
//! A guard that passes the burglar in a door does not catch them.
//!
//! Agents do not communicate. An agent that cannot do the next action loses the tick, learns the
//! exact state of the thing handled and what there is to be seen in its room, and plans again from
//! there (Algorithm 2 of the paper). Guards who have done all that they planned begin again. An
//! agent that knows no path waits.

mod check;
mod deed;
mod mind;
mod play;
mod record;

pub use check::{RecordError, verify_record};
pub use deed::{Deed, GameError, INTERVENTIONS_MAX, Intervention, TICKS_MAX, Target, Verb};
pub use mind::Mind;
pub use play::{play, play_until};
pub use record::{Catcher, Did, Done, Ending, Event, Lesson, Record, Replanned, Tick, Why};

use crate::museum::{Museum, Thing};
use crate::rules::Hand;
use crate::watch::Watch;
use crate::world::{BURGLAR, Facts, World};
use mind::Sight;

/// How a game is played.
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
    /// When an action cannot be done: Algorithm 2 of the paper.
    #[default]
    OnFailure,
    /// Also when they see something unexpected that matters for them: on entering a room, and while
    /// they have no plan.
    OnInconsistency,
}

/// What the player pays for a deed, by what he does it to.
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

/// A game under way. A clone goes on as the original would.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game<'a> {
    world: &'a World,
    rules: Rules,
    facts: Facts,
    minds: Vec<Mind>,
    /// What happened in the tick before; filled again and again.
    last: Tick,
    now: u32,
    ending: Option<Ending>,
}

impl<'a> Game<'a> {
    /// A game before its first tick. Everybody has made his first plan.
    #[must_use]
    pub fn new(world: &'a World, rules: Rules) -> Self {
        Self::new_while(world, rules, &mut || true).expect("nothing stops it")
    }

    /// The same; `None`: stopped, as `watch` said no before everybody had made his plan.
    pub fn new_while(world: &'a World, rules: Rules, watch: &mut dyn Watch) -> Option<Self> {
        let agents = world.agents().iter().enumerate();
        let mut minds: Vec<_> = agents.map(|(agent, it)| Mind::new(agent, it)).collect();
        for mind in &mut minds {
            mind.think(world.museum(), &mut || watch.go_on());
            if !watch.go_on() {
                return None;
            }
        }
        Some(Self {
            world,
            rules,
            facts: world.facts().clone(),
            minds,
            last: Tick::default(),
            now: 0,
            ending: None,
        })
    }

    /// The world as it was at the start.
    #[must_use]
    pub fn world(&self) -> &'a World {
        self.world
    }

    /// How it is played.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// What is true now.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The burglar, then the guards.
    #[must_use]
    pub fn minds(&self) -> &[Mind] {
        &self.minds
    }

    /// Number of the next tick.
    #[must_use]
    pub fn now(&self) -> u32 {
        self.now
    }

    /// How the game ended, once it has.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// What the agents did in the last tick played.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.last.events
    }

    /// The same game, which has forgotten what happened in the last tick.
    pub(crate) fn without_events(self) -> Self {
        let last = Tick::default();
        Self { last, ..self }
    }

    /// Does a deed of the player, before the next tick; returns whether it changed anything. An
    /// invalid deed changes nothing.
    fn apply(&mut self, deed: Deed) -> bool {
        let machines = &self.world.museum().layout().machines;
        if let (Verb::Trigger, Target::Thing(Thing::Machine(machine))) = (deed.verb, deed.target)
            && let Some(machine) = machines.get(machine)
        {
            let mut changed = false;
            for mind in &mut self.minds {
                if mind.body.room == machine.room {
                    mind.delay = mind.delay.saturating_add(machine.delay);
                    changed = true;
                }
            }
            return changed;
        }
        deed.apply(&mut self.facts)
    }

    /// Plays one tick, unless the game is over. Allocates nothing unless somebody learns something
    /// or plans again.
    pub fn step(&mut self, deeds: &[Deed]) -> &Tick {
        self.step_while(deeds, &mut || true)
            .expect("nothing stops it")
    }

    /// The same; `None`: stopped within the tick, as `watch` returned false while an agent planned.
    /// The game cannot go on then.
    pub fn step_while(&mut self, deeds: &[Deed], watch: &mut dyn Watch) -> Option<&Tick> {
        self.last.deeds.clear();
        self.last.events.clear();
        self.last.tick = self.now;
        self.last.ending = self.ending;
        if self.ending.is_some() {
            return Some(&self.last);
        }
        for &deed in deeds {
            let changed = self.apply(deed);
            let cost = deed.cost(self.rules.costs);
            self.last.deeds.push(Done {
                deed,
                cost,
                changed,
            });
        }
        for agent in 0..self.minds.len() {
            let event = self.turn(agent, watch);
            if event.replanned.is_some() && !watch.go_on() {
                return None;
            }
            self.last.events.push(event);
        }
        self.now += 1;
        self.ending = self.judge();
        self.last.ending = self.ending;
        Some(&self.last)
    }

    fn turn(&mut self, agent: usize, watch: &mut dyn Watch) -> Event {
        let museum = self.world.museum();
        let (before, rest) = self.minds.split_at_mut(agent);
        let (mind, after) = rest.split_first_mut().expect("an agent takes this turn");
        let mut event = Event {
            agent,
            did: Did::Waited,
            refusal: None,
            learned: Vec::new(),
            replanned: None,
        };
        if mind.delay > 0 {
            mind.delay -= 1;
            event.did = Did::Delayed;
            return event;
        }
        let looks_round = self.rules.replan == Replan::OnInconsistency;
        let looks;
        if let Some(action) = mind.next_action() {
            event.did = Did::Acted(action);
            let handled = mind.next_handled();
            let room = mind.body.room;
            let outcome = Hand {
                museum,
                facts: &mut self.facts,
                body: &mut mind.body,
                agent,
            }
            .act(action);
            if let Err(refusal) = outcome {
                event.refusal = Some(refusal);
                if let Some(thing) = handled {
                    mind.examine(thing, &self.facts, &mut event.learned);
                }
                looks = true;
            } else {
                mind.done(action, &self.facts);
                looks = looks_round && mind.body.room != room;
            }
        } else if mind.intent().is_none() {
            looks = looks_round;
        } else {
            return event;
        }
        if looks {
            let sight = Sight {
                museum,
                facts: &self.facts,
                before,
                own: mind.body,
                after,
            };
            mind.look(&sight, &mut event.learned);
        }
        event.replanned = reconsider(mind, (self.world, &event), watch);
        event
    }

    /// Whether the game is over after this tick.
    fn judge(&self) -> Option<Ending> {
        let burglar = &self.minds[BURGLAR];
        let room = burglar.body.room;
        if let Some(by) = self.catcher(self.world.museum(), room) {
            return Some(Ending::Caught { by, room });
        }
        if self.satisfied() {
            return Some(Ending::Won);
        }
        // Without failures he learns nothing, and without a plan he has no failures.
        if burglar.intent().is_none() && self.rules.replan == Replan::OnFailure {
            return Some(Ending::Stuck);
        }
        (self.now >= self.rules.ticks_max).then_some(Ending::TimeUp)
    }

    fn catcher(&self, museum: &Museum, room: usize) -> Option<Catcher> {
        let mut guards = self.minds.iter().skip(BURGLAR + 1);
        if let Some(guard) = guards.find(|mind| mind.body.room == room) {
            return Some(Catcher::Guard(guard.agent));
        }
        let mut cameras = museum.cameras_in(room).iter();
        let camera = cameras.find(|camera| self.facts.cameras[**camera])?;
        Some(Catcher::Camera(*camera))
    }

    fn satisfied(&self) -> bool {
        let burglar = &self.minds[BURGLAR];
        let goal = &burglar.goal;
        let mut items = goal.items.iter();
        goal.visits.is_empty()
            && goal.room.is_none_or(|room| room == burglar.body.room)
            && items.all(|item| self.facts.has(self.world.museum(), BURGLAR, *item))
    }
}

/// Whether somebody plans again after what happened to him.
fn reconsider(
    mind: &mut Mind,
    (world, event): (&World, &Event),
    watch: &mut dyn Watch,
) -> Option<Replanned> {
    let begins_again = mind.is_done() && mind.agent != BURGLAR;
    let why = match event {
        Event {
            refusal: Some(_), ..
        } => Why::Failure,
        _ if begins_again => Why::ListDone,
        Event { learned, .. } if learned.iter().any(|it| matters(mind, *it)) => Why::Inconsistency,
        Event { .. } => return None,
    };
    if begins_again {
        mind.begin_again(&world.agents()[mind.agent].goal);
    }
    let actions = mind.think(world.museum(), &mut || watch.go_on());
    Some(Replanned { why, actions })
}

/// Whether a lesson can matter for an agent's plan: the places of agents do not matter for guards.
fn matters(mind: &Mind, lesson: Lesson) -> bool {
    mind.agent == BURGLAR || matches!(lesson, Lesson::Leaf { .. } | Lesson::Item { .. })
}

/// That a game can be played.
///
/// # Errors
/// Every reason why not.
pub fn checked(world: &World, rules: &Rules, list: &[Intervention]) -> Result<(), Vec<GameError>> {
    let errors = deed::check(world, rules, list);
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}
