//! Games of heists: what happened tick by tick, as text, and moving on the map.

use super::frame::Frame;
use super::scene::Scene;
use super::words::{leaf_word, words};
use super::{Drawn, map, titled};
use crate::scene::{Clock, Content, Drawing, On, Track, colour, line};
use std::collections::BTreeMap;
use stratagem_proto::v1::{
    HeistBeliefUpdate, HeistEnd, HeistEnding, HeistEvent, HeistInterventionResult,
    HeistInterventionVerb, HeistLockState, HeistProblem, HeistReplanReason, HeistTick, HeistVerb,
    HeistWorld, SimulateHeistResponse,
};

/// Most ticks that are listed and drawn: more are only counted.
const TICKS_MAX: usize = 2_000;
/// Seconds that a tick takes where it is shown.
const TICK_SECONDS: f64 = 0.5;

/// A game: its world, and its messages, from the first on.
#[derive(Debug, Clone, Copy)]
pub struct Game<'a> {
    /// The world as it was in the beginning.
    pub world: &'a HeistWorld,
    /// One message for each tick, after one that has none.
    pub messages: &'a [SimulateHeistResponse],
}

impl Game<'_> {
    fn problem(&self) -> HeistProblem {
        HeistProblem {
            world: Some(self.world.clone()),
            ..HeistProblem::default()
        }
    }

    fn ticks(&self) -> impl Iterator<Item = &HeistTick> {
        self.messages.iter().filter_map(|m| m.tick.as_ref())
    }

    fn end(&self) -> Option<&HeistEnd> {
        self.messages.iter().rev().find_map(|m| m.end.as_ref())
    }
}

/// Returns the scene of a game: the map with agents that move, all plans, the events tick by tick,
/// and the outcome. At most 2,000 ticks are listed.
#[must_use]
pub fn game(game: Game<'_>) -> crate::Scene {
    let problem = game.problem();
    let museum = Scene::new(&problem);
    let mut scene = titled(&museum);
    let picture = map::picture(&museum, Drawn::default(), Some(game));
    scene.push(On::Screen, picture);
    let lines = lines(game);
    // Titles are not indented.
    let styled = lines.iter().map(|text| {
        let style = if text.starts_with(' ') { "" } else { "1" };
        line(style, text.as_str())
    });
    scene.push(On::Terminal, Content::Lines(styled.collect()));
    if let Some(end) = game.end() {
        scene.push(On::Page, Content::Paragraph(format!("{}.", ending(end))));
    }
    scene.push(On::Page, Content::Heading("Tick by tick".into()));
    scene.push(On::Page, Content::Verbatim(lines.join("\n")));
    scene
}

/// Puts agents that move on the map.
pub(super) fn moving(
    all: &mut Drawing,
    frame: &Frame,
    scene: &Scene<'_>,
    game: Game<'_>,
) -> Option<Clock> {
    let agents: Vec<_> = scene.agents().collect();
    let mut ways: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (id, agent) in &agents {
        ways.insert(id, Vec::from_iter(scene.room(&agent.room_id)));
    }
    let mut count = 0;
    for tick in game.ticks().take(TICKS_MAX) {
        count += 1;
        for event in &tick.events {
            if let (Some(way), Some(room)) = (
                ways.get_mut(event.agent_id.as_str()),
                scene.room(&event.room_id),
            ) {
                way.push(room);
            }
        }
    }
    for (n, (id, _)) in agents.iter().enumerate() {
        let way = &ways[id];
        // Side by side.
        let aside = (
            18.0 * (n % 5) as f64 - 36.0,
            22.0 - 9.0 * (n / 5 % 2) as f64,
        );
        let place = |room: usize| {
            let (x, y) = frame.middles[room];
            (x + aside.0, y + aside.1)
        };
        let mut track = Track::default();
        for (tick, room) in way.iter().enumerate() {
            track.stop(tick as i64 * 1_000, place(*room));
        }
        let fill = if n == 0 {
            "#1b7f3b".to_owned()
        } else {
            colour(n + 3)
        };
        if !track.stops.is_empty() {
            all.traveller(track, &n.to_string(), &fill).tip(*id);
        }
    }
    Clock::of_steps(count, "tick", TICK_SECONDS)
}

/// The text of a game, line by line; lines of ticks are indented.
fn lines(game: Game<'_>) -> Vec<String> {
    let mut lines = vec!["What they are about to do".to_owned()];
    for intent in game.messages.iter().flat_map(|m| &m.intents) {
        lines.push(match &intent.plan {
            Some(plan) => format!("  {}: {} steps", intent.agent_id, plan.steps.len()),
            None => format!("  {}: has no plan", intent.agent_id),
        });
    }
    lines.push("Tick by tick".into());
    lines.extend(tick_lines(game, 0));
    lines.extend(game.end().map(ending));
    lines
}

/// Returns what happens from a tick on, line by line; at most 2,000 ticks.
#[must_use]
pub fn tick_lines(game: Game<'_>, first: i32) -> Vec<String> {
    let problem = game.problem();
    let scene = Scene::new(&problem);
    let agents = scene
        .agents()
        .map(|(id, agent)| (id, scene.room(&agent.room_id)));
    let mut rooms: BTreeMap<&str, Option<usize>> = agents.collect();
    let mut lines = Vec::new();
    let mut count = 0;
    for tick in game.ticks() {
        let is_shown = tick.tick >= first && count < TICKS_MAX;
        count += usize::from(tick.tick >= first);
        let mut texts: Vec<String> = tick.interventions.iter().map(deed_words).collect();
        let passing = passing(&scene, tick, &rooms);
        for event in &tick.events {
            let room = rooms.get_mut(event.agent_id.as_str());
            let after = scene.room(&event.room_id);
            let before = room.map_or(after, |room| std::mem::replace(room, after));
            texts.extend(event_words(&scene, event, [before, after]));
        }
        texts.extend(passing);
        for (n, text) in texts.into_iter().enumerate().filter(|_| is_shown) {
            // Of a tick the first line has its number.
            lines.push(match n {
                0 => format!("{:>5}  {text}", tick.tick),
                _ => format!("{:5}  {text}", ""),
            });
        }
    }
    if count > TICKS_MAX {
        lines.push(format!("  and {} more ticks", count - TICKS_MAX));
    }
    lines
}

/// Lists the guards that swap rooms with the burglar through a door in a tick: the picture shows
/// them meet, but nobody is caught.
fn passing(
    scene: &Scene<'_>,
    tick: &HeistTick,
    rooms: &BTreeMap<&str, Option<usize>>,
) -> Vec<String> {
    // Who goes through which door, and from where to where.
    let goes = |event: &HeistEvent| {
        let step = event.step.as_ref().filter(|_| event.refusal.is_empty())?;
        let before = (*rooms.get(event.agent_id.as_str())?)?;
        let after = scene.room(&event.room_id)?;
        let enters = step.verb() == HeistVerb::Enter && before != after;
        enters.then(|| (step.target_id.clone(), [before, after]))
    };
    let burglar = tick.events.first();
    let Some((burglar, (door, [from, to]))) = burglar.and_then(|it| Some((it, goes(it)?))) else {
        return Vec::new();
    };
    let others = tick.events.iter().skip(1);
    let others = others.filter(|guard| goes(guard) == Some((door.clone(), [to, from])));
    let lines = others.map(|guard| {
        let (one, other) = (&burglar.agent_id, &guard.agent_id);
        format!("  {one} and {other} pass each other in the door {door}: that is no capture")
    });
    lines.collect()
}

/// Returns what the player did, in words.
#[must_use]
pub fn deed_words(deed: &HeistInterventionResult) -> String {
    let verb = deed_word(deed.verb());
    let nothing = if deed.changed {
        ""
    } else {
        ", which changes nothing"
    };
    format!(
        "the player {verb} {} for {}{nothing}",
        deed.target_id, deed.cost
    )
}

/// Returns what the player does, in a word or two.
#[must_use]
pub fn deed_word(verb: HeistInterventionVerb) -> &'static str {
    match verb {
        HeistInterventionVerb::Lock => "locks",
        HeistInterventionVerb::Unlock => "unlocks",
        HeistInterventionVerb::Open => "opens",
        HeistInterventionVerb::Close => "closes",
        HeistInterventionVerb::SwitchOn => "switches on",
        HeistInterventionVerb::SwitchOff => "switches off",
        HeistInterventionVerb::Trigger => "triggers",
        HeistInterventionVerb::Unspecified => "does something to",
    }
}

fn event_words(
    scene: &Scene<'_>,
    event: &HeistEvent,
    [before, after]: [Option<usize>; 2],
) -> Vec<String> {
    let who = &event.agent_id;
    let room = before.map_or("somewhere", |r| scene.room_id(r));
    let enters = (before != after).then(|| after.map_or("?", |r| scene.room_id(r)));
    let did = match &event.step {
        _ if event.delayed => "is held up at a vending machine".into(),
        None => "waits".into(),
        Some(step) if event.refusal.is_empty() => words(scene, step, before, enters),
        Some(step) => {
            let wanted = words(scene, step, before, None);
            format!("cannot: {wanted} ({})", event.refusal)
        }
    };
    let mut texts_of_tick = vec![format!("{who} in {room}: {did}")];
    texts_of_tick.extend(
        event
            .belief_updates
            .iter()
            .map(|l| format!("  {who} learns: {}", lesson(l))),
    );
    if let Some(again) = &event.replanning {
        let why = match again.reason() {
            HeistReplanReason::Failure => "that could not be done",
            HeistReplanReason::Inconsistency => "observations contradict beliefs",
            HeistReplanReason::ListDone => "every place was visited",
            HeistReplanReason::Moved => "it was moved",
            HeistReplanReason::First => "it had no plan yet",
            HeistReplanReason::Alert => "its alert has changed",
            HeistReplanReason::Unspecified => "of something",
        };
        let plan = again.plan.as_ref();
        let plan = plan.map_or("has no plan".into(), |p| format!("{} steps", p.steps.len()));
        texts_of_tick.push(format!("  {who} plans again, since {why}: {plan}"));
    }
    texts_of_tick
}

fn lesson(lesson: &HeistBeliefUpdate) -> String {
    let id = &lesson.subject_id;
    if let Some(on) = lesson.camera_on {
        return format!("the camera {id} is {}", if on { "on" } else { "off" });
    }
    if lesson.lock_state_after() != HeistLockState::Unspecified {
        let (before, after) = (
            leaf_word(lesson.lock_state_before()),
            leaf_word(lesson.lock_state_after()),
        );
        return format!("{id} is {after}, not {before}");
    }
    let place = |id: &str| match id {
        "" => "an unknown place".to_owned(),
        id => id.to_owned(),
    };
    let (before, after) = (
        place(&lesson.place_id_before),
        place(&lesson.place_id_after),
    );
    format!("{id}: {after}, not {before}")
}

/// Returns how a game ended, in a sentence without a full stop.
#[must_use]
pub fn ending(end: &HeistEnd) -> String {
    let (ticks, room) = (end.tick_count, &end.room_id);
    let how = match end.ending() {
        HeistEnding::Won => format!("the burglar has won, in {room}"),
        HeistEnding::Caught => format!("the burglar is caught in {room} by {}", end.by_id),
        HeistEnding::Stuck => format!("the burglar has no plan, in {room}"),
        HeistEnding::TimeUp => format!("time is up; the burglar is in {room}"),
        HeistEnding::Stopped => "the game was stopped before its end".into(),
        HeistEnding::Unspecified => "the game is over".into(),
    };
    format!(
        "After {ticks} ticks {how}; the player has paid {}",
        end.cost
    )
}
