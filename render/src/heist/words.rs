//! Steps, states and outcomes in words.

use super::scene::{Place, Scene, Thing};
use stratagem_proto::v1::{
    HeistLockState, HeistOutcome, HeistOutcomeKind, HeistPlan, HeistStep, HeistVerb,
};

/// One step of a plan, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepText {
    /// Id of the room in which it is done; empty where that is not known.
    pub room: String,
    /// What is done, as in "opens the door d1".
    pub words: String,
    /// Id of the room that is entered, where one is.
    pub enters: Option<String>,
}

/// Returns each step of a plan in words, with its room.
#[must_use]
pub fn steps(scene: &Scene<'_>, plan: &HeistPlan) -> Vec<StepText> {
    let rooms = scene.walk(plan);
    let name = |room: Option<usize>| room.map_or(String::new(), |r| scene.room_id(r).to_owned());
    let each = plan.steps.iter().enumerate();
    each.map(|(n, step)| {
        let (here, after) = (rooms[n], rooms[n + 1]);
        let enters = (step.verb() == HeistVerb::Enter && here != after).then(|| name(after));
        StepText {
            room: name(here),
            words: words(scene, step, here, enters.as_deref()),
            enters,
        }
    })
    .collect()
}

pub(super) fn words(
    scene: &Scene<'_>,
    step: &HeistStep,
    here: Option<usize>,
    enters: Option<&str>,
) -> String {
    let id = step.target_id.as_str();
    let thing = scene.thing(id);
    let named = match thing {
        Some(Thing::Door(_)) => format!("the door {id}"),
        Some(Thing::Machine(_)) => format!("the vending machine {id}"),
        _ => id.to_owned(),
    };
    match step.verb() {
        HeistVerb::Approach => {
            let behind = match (thing, here) {
                (Some(Thing::Door(door)), Some(room)) => scene.behind(door, room),
                _ => None,
            };
            match behind {
                Some(room) => format!("goes to {named}, to {}", scene.room_id(room)),
                None => format!("goes to {named}"),
            }
        }
        HeistVerb::Open => format!("opens {named}"),
        HeistVerb::Close => format!("closes {named}"),
        HeistVerb::Unlock => format!("unlocks {named} with {}", step.key_id),
        HeistVerb::Lock => format!("locks {named} with {}", step.key_id),
        HeistVerb::Enter => match enters {
            Some(room) => format!("enters {room}"),
            None => format!("goes through {named}"),
        },
        HeistVerb::PickUp => match home(scene, id, here) {
            Some(n) => format!("takes {id} out of {}", scene.world.containers[n].id),
            None => format!("takes {id}"),
        },
        HeistVerb::Operate => format!("uses {named}"),
        HeistVerb::Unspecified => format!("does something to {named}"),
    }
}

/// The container that an item is taken out of: where there are copies of it, one in the room.
fn home(scene: &Scene<'_>, item: &str, here: Option<usize>) -> Option<usize> {
    let places = scene.believed_places(item).into_iter();
    let inside = places.filter_map(|place| match place {
        Place::In(n) => Some(n),
        Place::With(_) => None,
    });
    let inside: Vec<usize> = inside.collect();
    let is_here =
        |n: &usize| here.is_some_and(|room| scene.stands_in(Thing::Container(*n)) == [room]);
    let near = inside.iter().copied().find(is_here);
    near.or_else(|| inside.first().copied())
}

/// A state in a word.
#[must_use]
pub fn leaf_word(leaf: HeistLockState) -> &'static str {
    match leaf {
        HeistLockState::Unspecified | HeistLockState::Open => "open",
        HeistLockState::Closed => "closed",
        HeistLockState::Locked => "locked",
    }
}

/// Returns what comes of a plan as things really are, in a sentence.
#[must_use]
pub fn outcome_words(scene: &Scene<'_>, plan: &HeistPlan, outcome: &HeistOutcome) -> String {
    let at = outcome.step.and_then(|n| usize::try_from(n).ok());
    let rooms = scene.walk(plan);
    let room_at = |n: usize| {
        let room = rooms.get(n).copied().flatten();
        room.map_or("somewhere", |r| scene.room_id(r))
    };
    let step = at.map_or(String::new(), |n| format!("step {}: ", n.saturating_add(1)));
    let by = outcome.by_id.as_str();
    match outcome.kind() {
        HeistOutcomeKind::Holds => "it succeeds, if no other agent moves".into(),
        HeistOutcomeKind::Fails => {
            let truth = scene.thing(by).map(|thing| {
                let (believed, truth) = (scene.believed(thing), scene.truth(thing));
                let (believed, truth) = (leaf_word(believed), leaf_word(truth));
                format!("{by} is believed to be {believed}, it is {truth}")
            });
            let room = at.map_or("somewhere", room_at);
            let truth = truth.unwrap_or_else(|| format!("{by} is not as believed"));
            format!("it fails at {step}in {room} {truth}")
        }
        HeistOutcomeKind::Caught => {
            let camera = scene.world.cameras.iter().any(|c| c.id == by);
            let what = if camera { "camera" } else { "guard" };
            // The step that is caught is the one into the room.
            let room = at.map_or("somewhere", |n| room_at(n.saturating_add(1)));
            format!("caught after {step}in {room}, by the {what} {by}")
        }
        HeistOutcomeKind::Unspecified => "what comes of it is not known".into(),
    }
}
