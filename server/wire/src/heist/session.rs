//! A session that plays a heist: the game under way, and what has happened in it.

mod changes;
mod courses;
mod present;
#[cfg(test)]
mod tests;

use super::game::{reactions, rules};
use super::names::Names;
use super::tick::{alert, ended, intent, shown};
use super::world::{Read, checked, read as read_world};
use crate::mistakes::{Code, Mistakes};
use crate::session::now_after;
use crate::values::{duration_of_micros, rounded_micros};
use ::heist::World;
use ::heist::budget::LiveBudget;
use ::heist::game::{Game, Mind, Paused};
use anytime::Path;
use prost::Message as _;
use std::sync::Arc;
use stratagem_proto::v1::{self as pb, session_update::Change, session_view};

/// Ticks that a view shows.
const TICKS_SHOWN: usize = 16;
/// Steps that it shows of a plan.
const STEPS_SHOWN: usize = 100;
/// What the player pays at most: more is no number in every language.
const COST_MAX: u64 = (1 << 53) - 1;

/// The state of a session. Clones share what is large.
#[derive(Debug, Clone)]
pub struct State {
    base: Arc<Base>,
    game: Arc<Paused>,
    /// What the player has paid.
    cost: u64,
    shown: Arc<pb::HeistGame>,
    /// Memory that it takes, near enough.
    bytes: usize,
    now_us: i64,
}

/// What a session began with.
#[derive(Debug)]
struct Base {
    given: pb::HeistSessionState,
    world: World,
    names: Names,
    /// Memory that the world takes, near enough.
    bytes: usize,
}

impl State {
    /// The beginning of a session.
    ///
    /// # Errors
    /// All mistakes.
    pub(crate) fn new(mut given: pb::HeistSessionState) -> Result<Self, Mistakes> {
        let mut wrong = Mistakes::default();
        let rules = rules(given.rules, given.problem.as_ref());
        let played = u32::try_from(given.tick_count).unwrap_or(0);
        if played > rules.ticks_max {
            let why = format!("is {played}, of {} ticks", rules.ticks_max);
            wrong.add(&Path::root("tick_count"), Code::OutOfRange, why);
        }
        let at = Path::root("problem");
        let read = given.problem.clone();
        let read = read.and_then(|world| read_world(world, &at, &mut wrong));
        let Some(Read { mut spec, names }) = read else {
            return Err(wrong);
        };
        let list = std::mem::take(&mut given.courses);
        let places = std::mem::take(&mut given.item_place_ids);
        courses::item_places(&places, &mut spec, &names, &mut wrong);
        let has_reactions = given.reactions.is_some();
        let courses = courses::courses(list, &mut spec, &names, has_reactions, &mut wrong);
        let Some(world) = checked(spec, &names, &at, &mut wrong) else {
            return Err(wrong);
        };
        let reactions = given.reactions.map(reactions);
        let bytes = given.encoded_len();
        let base = Arc::new(Base {
            given,
            world,
            names,
            bytes,
        });
        let game = Game::under_way(&base.world, rules, played, courses).reacting(reactions);
        let now_us = base.given.now_offset.as_ref().map_or(0, rounded_micros);
        let cost = u64::try_from(base.given.cost).unwrap_or(0);
        Ok(Self::showing(&base, cost, now_us, game, Vec::new()))
    }

    /// The game, to be played on.
    fn resumed(&self) -> Game<'_> {
        Paused::clone(&self.game).resume(&self.base.world)
    }

    /// The state after an update.
    ///
    /// # Errors
    /// All mistakes of the update.
    pub(crate) fn updated(&self, update: pb::SessionUpdate) -> Result<Self, Mistakes> {
        let now_us = now_after(self.now_us, &update)?;
        let same = || Self {
            now_us,
            ..self.clone()
        };
        let Some(Change::Heist(changes)) = update.change else {
            return Ok(same());
        };
        let (mut game, names) = (self.resumed(), &self.base.names);
        let ticks = changes.tick_count.map_or(1, i32::unsigned_abs);
        let mut actions = changes::apply(changes, &mut game, names)?;
        if game.ending().is_some() {
            return Ok(same());
        }
        let mut cost = self.cost;
        let mut played = self.shown.ticks.clone();
        let budget = &mut LiveBudget::new(LiveBudget::STEPS, self.base.world.museum());
        for _ in 0..ticks {
            if game.ending().is_some() {
                break;
            }
            let Some(one) = game.step_until(&actions, budget).cloned() else {
                break;
            };
            actions.clear();
            let paid = one.player_actions.iter().map(|done| u64::from(done.cost));
            cost = COST_MAX.min(cost + paid.sum::<u64>());
            played.push(shown(&game, &one, STEPS_SHOWN, names));
        }
        played.drain(..played.len().saturating_sub(TICKS_SHOWN));
        Ok(Self::showing(&self.base, cost, now_us, game, played))
    }

    /// The state with a game, and with the ticks that are shown.
    fn showing(
        base: &Arc<Base>,
        cost: u64,
        now_us: i64,
        game: Game<'_>,
        ticks: Vec<pb::HeistTick>,
    ) -> Self {
        let names = &base.names;
        let minds = || game.minds().iter().zip(&names.agents);
        let present = || minds().filter(|(mind, _)| !mind.is_removed());
        let undecided = present().filter(|(mind, _)| mind.undecided().is_some());
        let intents = present().map(|(mind, id)| pb::HeistIntent {
            agent_id: id.clone(),
            plan: intent(mind, STEPS_SHOWN, names),
        });
        let shown = pb::HeistGame {
            tick_count: i32::try_from(game.now()).unwrap_or(i32::MAX),
            ticks,
            positions: present()
                .map(|(mind, id)| position(mind, id, names))
                .collect(),
            intents: intents.collect(),
            alerted_guards: present()
                .filter_map(|(mind, id)| alerted(mind, id, names))
                .collect(),
            undecided_agent_ids: undecided.map(|(_, id)| id.clone()).collect(),
            end: ended(&game, cost, names),
        };
        // The names of things, keys of locks by copies, and beliefs of agents.
        let museum = base.world.museum().layout();
        let locks = 8 * names.kinds.len() * (museum.doors.len() + museum.containers.len());
        Self {
            // What is shown is kept where it is published, too.
            bytes: 8 * base.bytes + locks + 16 * shown.encoded_len() + game.bytes(),
            base: Arc::clone(base),
            shown: Arc::new(shown),
            game: Arc::new(game.pause()),
            cost,
            now_us,
        }
    }

    /// What agents have done, and are about to do.
    pub(crate) fn view(&self) -> pb::SessionView {
        pb::SessionView {
            plan: Some(session_view::Plan::Heist(pb::HeistGame::clone(&self.shown))),
            complete: self.shown.undecided_agent_ids.is_empty(),
            ..pb::SessionView::default()
        }
    }

    /// The current time.
    pub(crate) fn now_us(&self) -> i64 {
        self.now_us
    }

    /// The state as it is created again.
    pub(crate) fn snapshot(&self) -> pb::HeistSessionState {
        let Base { given, names, .. } = &*self.base;
        let game = self.resumed();
        let problem = given.problem.as_ref();
        let minds = game.minds().iter().zip(&names.agents);
        pb::HeistSessionState {
            problem: problem.map(|given| present::world(given, &game, names)),
            rules: given.rules,
            reactions: given.reactions,
            tick_count: self.shown.tick_count,
            cost: i64::try_from(self.cost).unwrap_or(i64::MAX),
            courses: minds
                .map(|(mind, id)| courses::course(mind, id, game.facts(), names))
                .collect(),
            item_place_ids: courses::place_ids(&game.facts().items, names),
            now_offset: Some(duration_of_micros(self.now_us)),
        }
    }

    /// Memory that it takes, near enough.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Where an agent is.
fn position(mind: &Mind, id: &str, names: &Names) -> pb::HeistAgentPosition {
    let position = mind.position();
    let at = position.at.map_or("", |thing| names.thing_id(thing));
    pb::HeistAgentPosition {
        agent_id: id.into(),
        room_id: names.rooms[position.room].clone(),
        at_id: at.into(),
    }
}

/// A guard that is not calm.
fn alerted(mind: &Mind, id: &str, names: &Names) -> Option<pb::HeistAlertedGuard> {
    let room = mind.alert().room()?;
    Some(pb::HeistAlertedGuard {
        guard_id: id.into(),
        alert: alert(mind.alert()).into(),
        room_id: names.rooms[room].clone(),
    })
}
