//! Sessions play as the simulated games do, and go on from their snapshots.

mod mistakes;

use super::{STEPS_SHOWN, State, TICKS_SHOWN};
use crate::examples::Examples;
use crate::heist::game::to_play;
use crate::heist::play::play;
use crate::method::{Off, Reading, Stage};
use crate::session::{Planning, State as Any, created};
use prost::Message as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus as Random;
use std::sync::Mutex;
use stratagem_proto::v1::{
    self as pb, any_problem, create_session_request as create, session_update::Change,
};

/// The examples, and one of them with copies of keys.
fn worlds() -> Vec<(String, pb::HeistWorld)> {
    let mut worlds = examples();
    let (_, mut world) = worlds.last().unwrap().clone();
    assert!(world.key_ids.len() > 1);
    for (index, room) in world.rooms.iter().enumerate() {
        world.containers.push(pb::HeistContainer {
            id: format!("spare_{index}"),
            room_id: room.id.clone(),
            item_ids: vec![world.key_ids[index % 2].clone()],
            ..pb::HeistContainer::default()
        });
    }
    let elsewhere = pb::HeistItemPlace {
        item_id: world.key_ids[0].clone(),
        container_id: world.containers[0].id.clone(),
    };
    for guard in &mut world.guards {
        guard.belief.get_or_insert_default().items = vec![elsewhere.clone()];
    }
    worlds.push(("copies".into(), world));
    worlds
}

fn examples() -> Vec<(String, pb::HeistWorld)> {
    let examples = Examples::read().unwrap();
    let heists = examples.list().iter().filter_map(|example| {
        let any_problem::Kind::Heist(problem) = example.problem.clone()?.kind? else {
            return None;
        };
        Some((example.summary.clone()?.name, problem.world?))
    });
    heists.collect()
}

fn state(problem: pb::HeistWorld) -> pb::HeistSessionState {
    pb::HeistSessionState {
        problem: Some(problem),
        ..pb::HeistSessionState::default()
    }
}

fn updated(state: &State, changes: pb::HeistChanges) -> State {
    let update = pb::SessionUpdate {
        change: Some(Change::Heist(changes)),
        ..pb::SessionUpdate::default()
    };
    state.updated(update).unwrap()
}

/// The state after it was sent as a snapshot and created again.
fn again(state: &State) -> State {
    let request = pb::CreateSessionRequest {
        session_id: "again".into(),
        state: Some(create::State::Heist(state.snapshot())),
        ..pb::CreateSessionRequest::default()
    };
    let request = pb::CreateSessionRequest::decode(&*request.encode_to_vec()).unwrap();
    let created = match created(request, &Reading::ALONE) {
        Ok(created) => created,
        Err(wrong) => panic!("{:?}", wrong.into_list()),
    };
    assert!(matches!(created.first, Planning::Played));
    let Any::Heist(state) = created.state else {
        panic!("it is another kind of session");
    };
    state
}

/// Keeps all messages.
#[derive(Default)]
struct Kept(Mutex<Vec<pb::SimulateHeistResponse>>);

impl Stage<pb::SimulateHeistResponse> for Kept {
    fn is_wanted(&self) -> bool {
        true
    }

    fn send(
        &self,
        message: pb::SimulateHeistResponse,
    ) -> Result<(), Off<pb::SimulateHeistResponse>> {
        self.0.lock().unwrap().push(message);
        Ok(())
    }
}

#[test]
fn sessions_play_the_simulated_game() {
    for (name, world) in worlds() {
        for reactions in [None, Some(pb::HeistReactions::default())] {
            plays_as_simulated(&name, &world, reactions);
        }
    }
}

/// Plans as far as sessions show them.
fn shorten(message: &mut pb::SimulateHeistResponse) {
    let events = message.tick.iter_mut().flat_map(|tick| &mut tick.events);
    let again = events.filter_map(|event| event.replanning.as_mut());
    let again = again.filter_map(|again| again.plan.as_mut());
    let first = message.intents.iter_mut();
    let first = first.filter_map(|intent| intent.plan.as_mut());
    for plan in first.chain(again) {
        plan.steps.truncate(STEPS_SHOWN);
    }
}

fn plays_as_simulated(name: &str, world: &pb::HeistWorld, reactions: Option<pb::HeistReactions>) {
    let lock = pb::HeistIntervention {
        tick: 3,
        verb: pb::HeistInterventionVerb::Lock.into(),
        target_id: world.doors[0].id.clone(),
    };
    let request = pb::SimulateHeistRequest {
        problem: Some(world.clone()),
        interventions: vec![lock.clone()],
        reactions,
        ..pb::SimulateHeistRequest::default()
    };
    let (kept, request) = (Kept::default(), to_play(request).unwrap());
    let last = play(&request, &kept).unwrap();
    let mut messages = kept.0.into_inner().unwrap();
    messages.push(last);
    messages.iter_mut().for_each(shorten);
    let mut session = State::new(pb::HeistSessionState {
        reactions,
        ..state(world.clone())
    })
    .unwrap();
    assert_eq!(session.shown.intents, messages[0].intents, "{name}");
    for (tick, message) in messages[1..].iter().enumerate() {
        let interventions = match tick {
            3 => vec![lock.clone()],
            _ => Vec::new(),
        };
        session = updated(
            &session,
            pb::HeistChanges {
                interventions,
                ..pb::HeistChanges::default()
            },
        );
        assert_eq!(
            session.shown.ticks.last(),
            message.tick.as_ref(),
            "{name} {tick}"
        );
        assert_eq!(session.shown.end, message.end, "{name} {tick}");
    }
    assert!(session.shown.end.is_some(), "{name}");
    let over = updated(&session, pb::HeistChanges::default());
    assert_eq!(
        over.shown, session.shown,
        "{name}: nothing happens after the end"
    );
}

fn drawn<'a, T>(list: &'a [T], random: &mut Random) -> &'a T {
    &list[random.random_range(0..list.len())]
}

fn changes(world: &pb::HeistWorld, random: &mut Random) -> pb::HeistChanges {
    let guards = &world.guards;
    let mut changes = pb::HeistChanges {
        tick_count: Some(random.random_range(1..4)),
        ..pb::HeistChanges::default()
    };
    if !guards.is_empty() && random.random_bool(0.2) {
        changes.positions.push(pb::HeistAgentPosition {
            agent_id: drawn(guards, random).id.clone(),
            room_id: drawn(&world.rooms, random).id.clone(),
            at_id: String::new(),
        });
    }
    if !guards.is_empty() && random.random_bool(0.05) {
        changes.removed_guard_ids = vec![drawn(guards, random).id.clone()];
    }
    if random.random_bool(0.2) {
        changes.noises.push(pb::HeistNoise {
            room_id: drawn(&world.rooms, random).id.clone(),
            door_count: Some(random.random_range(0..4)),
        });
    }
    let mut act = |verb: pb::HeistInterventionVerb, target_id: &str| {
        changes.interventions.push(pb::HeistIntervention {
            tick: 0,
            verb: verb.into(),
            target_id: target_id.into(),
        });
    };
    use pb::HeistInterventionVerb as Verb;
    if random.random_bool(0.4) {
        let verbs = [Verb::Lock, Verb::Open, Verb::Close, Verb::Unlock];
        act(*drawn(&verbs, random), &drawn(&world.doors, random).id);
    }
    if !world.cameras.is_empty() && random.random_bool(0.3) {
        let verbs = [Verb::SwitchOn, Verb::SwitchOff];
        act(*drawn(&verbs, random), &drawn(&world.cameras, random).id);
    }
    if !world.machines.is_empty() && random.random_bool(0.2) {
        act(Verb::Trigger, &drawn(&world.machines, random).id);
    }
    changes
}

#[test]
fn sessions_go_on_from_their_snapshots() {
    for (name, world) in worlds() {
        let mut ticks = 0;
        for seed in 0..20 {
            let random = &mut Random::seed_from_u64(seed);
            let mut session = State::new(pb::HeistSessionState {
                rules: Some(pb::HeistRules {
                    max_ticks: Some(30),
                    replan: random.random_range(0..3),
                    ..pb::HeistRules::default()
                }),
                reactions: random.random_bool(0.8).then_some(pb::HeistReactions {
                    search_ticks: Some(random.random_range(1..5)),
                }),
                ..state(world.clone())
            })
            .unwrap();
            for _ in 0..20 {
                let (changes, other) = (changes(&world, random), again(&session));
                assert_eq!(other.snapshot(), session.snapshot(), "{name} {seed}");
                session = updated(&session, changes.clone());
                let other = updated(&other, changes.clone());
                let (mut shown, other) = ((*session.shown).clone(), (*other.shown).clone());
                // It does not know of ticks before.
                shown.ticks.drain(..shown.ticks.len() - other.ticks.len());
                assert_eq!(other, shown, "{name} {seed}");
                assert!(session.shown.ticks.len() <= TICKS_SHOWN);
            }
            ticks += session.shown.tick_count;
        }
        assert!(
            ticks > 100,
            "{name}: games that end early show little, {ticks}"
        );
    }
}

#[test]
fn agents_without_a_course_begin() {
    let (_, world) = worlds().pop().unwrap();
    let agents = world.burglar.iter().chain(&world.guards);
    let courses = agents.map(|agent| pb::HeistCourse {
        agent_id: agent.id.clone(),
        ..pb::HeistCourse::default()
    });
    let begun = State::new(pb::HeistSessionState {
        courses: courses.collect(),
        ..state(world.clone())
    });
    // They plan at the beginning of the tick.
    let (begun, other) = (begun.unwrap(), State::new(state(world)).unwrap());
    assert!(!begun.view().complete && other.view().complete);
    let (begun, other) = (
        updated(&begun, pb::HeistChanges::default()),
        updated(&other, pb::HeistChanges::default()),
    );
    assert_eq!(begun.shown.intents, other.shown.intents);
    assert_eq!(begun.shown.positions, other.shown.positions);
    // An agent knows what it holds.
    let mut given = other.snapshot();
    given.courses.clear();
    given.item_place_ids[0] = given
        .problem
        .as_ref()
        .unwrap()
        .burglar
        .as_ref()
        .unwrap()
        .id
        .clone();
    let held = State::new(given).unwrap();
    assert_eq!(
        held.snapshot().courses[0].believed_item_place_ids[0],
        "milo"
    );
}
