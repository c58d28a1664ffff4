//! Nothing that a message can say makes a picture fail.

use super::{game_text, page, svg, text};
use crate::ESCAPE;
use proptest::prelude::*;
use stratagem_proto::v1::{
    HeistAgent, HeistBelief, HeistCamera, HeistContainer, HeistCurrent, HeistDoor, HeistGoal,
    HeistItemPlace, HeistMachine, HeistOutcome, HeistPlan, HeistProblem, HeistRoom, HeistState,
    HeistStep, HeistWorld,
};
use stratagem_proto::v1::{
    HeistBeliefUpdate, HeistEnd, HeistEvent, HeistIntent, HeistInterventionResult, HeistReplanning,
    HeistTick, SimulateHeistResponse,
};
use stratagem_render::heist::{Drawn, Game, game as film, moment};
use stratagem_render::text::TextOptions;

fn id() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c", "d", "勇者", "<<", "\u{1b}[2J", ""])
        .prop_map(String::from)
}

fn ids() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(id(), 0..4)
}

fn number() -> impl Strategy<Value = Option<f64>> {
    prop::option::of(prop_oneof![
        -3.0..3.0,
        Just(f64::NAN),
        Just(f64::INFINITY),
        any::<f64>()
    ])
}

fn few_of<T: std::fmt::Debug>(of: impl Strategy<Value = T>) -> impl Strategy<Value = Vec<T>> {
    prop::collection::vec(of, 0..5)
}

fn room() -> impl Strategy<Value = HeistRoom> {
    (id(), number(), number()).prop_map(|(id, x, y)| HeistRoom { id, x, y })
}

fn door() -> impl Strategy<Value = HeistDoor> {
    (id(), id(), id(), -1..5, ids()).prop_map(|(id, a, b, leaf, key_ids)| HeistDoor {
        id,
        a_room_id: a,
        b_room_id: b,
        lock_state: leaf,
        key_ids,
    })
}

fn container() -> impl Strategy<Value = HeistContainer> {
    (id(), id(), -1..5, ids(), ids()).prop_map(|(id, room_id, leaf, key_ids, item_ids)| {
        HeistContainer {
            id,
            room_id,
            lock_state: leaf,
            key_ids,
            item_ids,
        }
    })
}

fn states() -> impl Strategy<Value = Vec<HeistState>> {
    few_of((id(), -1..5).prop_map(|(id, leaf)| HeistState {
        id,
        lock_state: leaf,
    }))
}

fn agent() -> impl Strategy<Value = HeistAgent> {
    let goal =
        (ids(), ids(), any::<bool>(), id()).prop_map(|(items, visits, any, end)| HeistGoal {
            item_ids: items,
            visit_room_ids: visits,
            any_order: any,
            end_room_id: end,
        });
    let place = (id(), id()).prop_map(|(item_id, container_id)| HeistItemPlace {
        item_id,
        container_id,
    });
    let belief =
        (states(), few_of(place), ids()).prop_map(|(states, items, known_ids)| HeistBelief {
            states,
            items,
            known_ids,
        });
    let parts = (
        id(),
        id(),
        id(),
        ids(),
        prop::option::of(goal),
        prop::option::of(belief),
    );
    parts.prop_map(|(id, room_id, at_id, item_ids, goal, belief)| HeistAgent {
        id,
        room_id,
        at_id,
        item_ids,
        goal,
        belief,
    })
}

fn world() -> impl Strategy<Value = HeistWorld> {
    let machine = (id(), id()).prop_map(|(id, room_id)| HeistMachine {
        id,
        room_id,
        delay_ticks: None,
    });
    let camera =
        (id(), id(), any::<Option<bool>>()).prop_map(|(id, room_id, active)| HeistCamera {
            id,
            room_id,
            active,
        });
    let places = (few_of(room()), few_of(door()), few_of(container()));
    let rest = (few_of(machine), few_of(camera), ids(), ids());
    let people = (prop::option::of(agent()), few_of(agent()), id());
    (places, rest, people).prop_map(
        |((rooms, doors, containers), (machines, cameras, keys, artifacts), people)| HeistWorld {
            title: people.2.clone(),
            description: people.2,
            rooms,
            doors,
            containers,
            machines,
            cameras,
            key_ids: keys,
            artifact_ids: artifacts,
            burglar: people.0,
            guards: people.1,
            costs: None,
        },
    )
}

/// A game in which one name stands for anything.
fn game(id: &str, kind: i32, number: i32, plan: &HeistPlan) -> Vec<SimulateHeistResponse> {
    let lesson = HeistBeliefUpdate {
        subject_id: id.into(),
        lock_state_after: kind,
        place_id_after: id.into(),
        camera_on: (number % 3 == 0).then_some(true),
        ..HeistBeliefUpdate::default()
    };
    let event = |step: &HeistStep| HeistEvent {
        agent_id: id.into(),
        step: Some(step.clone()),
        refusal: id.into(),
        belief_updates: vec![lesson.clone()],
        replanning: Some(HeistReplanning {
            reason: kind,
            plan: Some(plan.clone()),
        }),
        room_id: id.into(),
        at_id: id.into(),
        alert: 0,
        delayed: false,
    };
    let deed = HeistInterventionResult {
        verb: kind,
        target_id: id.into(),
        cost: number,
        changed: false,
    };
    let message = SimulateHeistResponse {
        intents: vec![HeistIntent {
            agent_id: id.into(),
            plan: Some(plan.clone()),
        }],
        tick: Some(HeistTick {
            tick: number,
            interventions: vec![deed],
            events: plan.steps.iter().map(event).collect(),
        }),
        end: Some(HeistEnd {
            ending: kind,
            by_id: id.into(),
            room_id: id.into(),
            tick_count: number,
            cost: i64::from(number),
        }),
    };
    vec![message; 2]
}

proptest! {
    /// Any problem, plan and outcome can be drawn, twice alike, and names are always escaped.
    #[test]
    fn anything_can_be_drawn(
        world in prop::option::of(world()),
        (agent_id, avoided, now) in (id(), ids(), prop::option::of((id(), id(), ids(), states()))),
        steps in few_of((-1..10, id(), id())),
        (kind, step, by_id) in (-1..6, prop::option::of(any::<i32>()), id()),
    ) {
        let current = now.map(|(room_id, at_id, item_ids, states)| HeistCurrent {
            room_id,
            at_id,
            items: item_ids.iter().map(|id| HeistItemPlace {
                item_id: id.clone(),
                container_id: id.clone(),
            }).collect(),
            known_ids: item_ids.clone(),
            item_ids,
            states,
        });
        let problem = HeistProblem { world, agent_id, avoided_room_ids: avoided, current };
        let step_of = |(verb, target_id, key_id)| HeistStep { verb, target_id, key_id };
        let plan = HeistPlan { steps: steps.into_iter().map(step_of).collect() };
        let outcome = HeistOutcome { kind, step, by_id };
        let drawn = Drawn { plan: Some(&plan), outcome: Some(&outcome) };
        let messages = game(&outcome.by_id, kind, step.unwrap_or(3), &plan);
        if let Some(world) = &problem.world {
            let game = Game { world, messages: &messages };
            let _ = moment(game, i32::MAX);
            prop_assert!(!game_text(game, &TextOptions::default()).contains(ESCAPE));
            for picture in [film(game).svg(), film(game).html()] {
                prop_assert!(!picture.contains("<<") && !picture.contains(ESCAPE));
                prop_assert!(!picture.contains("NaN") && !picture.contains("inf"));
            }
        }
        for drawn in [drawn, Drawn::default()] {
            for width in [0, 100] {
                let text = text(&problem, drawn, &TextOptions { width, ..TextOptions::default() });
                prop_assert!(!text.contains(ESCAPE) && !text.contains('\0'));
            }
            for picture in [svg(&problem, drawn), page(&problem, drawn)] {
                prop_assert!(!picture.contains("<<") && !picture.contains(ESCAPE));
                prop_assert!(!picture.contains("NaN") && !picture.contains("inf"));
            }
            prop_assert_eq!(svg(&problem, drawn), svg(&problem, drawn));
        }
    }
}
