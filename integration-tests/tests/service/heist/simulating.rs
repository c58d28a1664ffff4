//! Games, tick by tick.

use crate::mistakes::mistakes;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::heists::{row, simulate, surprise, unbounded, watched};
use stratagem_integration_tests::patience::{eventually, wait_for};
use stratagem_integration_tests::problems::iterations;
use stratagem_proto::v1::{
    HeistCosts, HeistEnd, HeistEnding, HeistIntervention, HeistInterventionVerb, HeistLockState,
    HeistReplan, HeistReplanReason, HeistRules, HeistWorld, ObjectiveTarget, Priority,
    SimulateHeistRequest, SimulateHeistResponse, SolveOptions,
};

const BUSY: &str = "stratagem_busy_slots";

pub(super) async fn game(
    server: &Server,
    request: SimulateHeistRequest,
) -> Vec<SimulateHeistResponse> {
    let mut client = server.heist().await;
    let mut stream = client.simulate_heist(request).await.unwrap().into_inner();
    let mut all = Vec::new();
    while let Some(step) = wait_for("a tick", stream.message()).await.unwrap() {
        all.push(step);
    }
    let (last, before) = all.split_last().expect("a last message");
    assert!(last.end.is_some() && before.iter().all(|it| it.end.is_none()));
    all
}

pub(super) fn end(all: &[SimulateHeistResponse]) -> &HeistEnd {
    let last = all.last().and_then(|last| last.end.as_ref());
    last.expect("the last message has the end")
}

fn deed(tick: i32, verb: HeistInterventionVerb, target: &str) -> HeistIntervention {
    HeistIntervention {
        tick,
        verb: verb.into(),
        target_id: target.into(),
    }
}

/// Rules of games that may go on for long.
fn long() -> Option<HeistRules> {
    Some(HeistRules {
        replan: HeistReplan::OnInconsistency.into(),
        max_ticks: Some(100_000),
        ..Default::default()
    })
}

#[tokio::test]
async fn what_goes_as_planned_is_the_plan() {
    let server = Server::start(&[]).await;
    let all = game(&server, simulate(row(2))).await;
    let [intent] = &all[0].intents[..] else {
        panic!("one plan: {:?}", all[0]);
    };
    assert_eq!(intent.agent_id, "burglar");
    let plan = &intent.plan.as_ref().expect("the burglar knows a way").steps;
    assert!(all[0].tick.is_none());
    for (index, message) in all[1..].iter().enumerate() {
        let tick = message.tick.as_ref().expect("a tick");
        assert_eq!(tick.tick, i32::try_from(index).unwrap());
        let [event] = &tick.events[..] else {
            panic!("nobody else acts: {tick:?}");
        };
        assert_eq!(event.step.as_ref(), Some(&plan[index]));
        assert!(event.refusal.is_empty() && event.replanning.is_none());
    }
    let end = end(&all);
    assert_eq!((end.ending(), &*end.room_id), (HeistEnding::Won, "r0"));
    assert_eq!(end.tick_count, i32::try_from(plan.len()).unwrap());
}

#[tokio::test]
async fn who_fails_learns_and_plans_again() {
    let server = Server::start(&[]).await;
    let all = game(&server, simulate(surprise(3))).await;
    let ticks = all.iter().filter_map(|it| it.tick.as_ref());
    let events: Vec<_> = ticks.flat_map(|tick| &tick.events).collect();
    let failed = events.iter().find(|it| !it.refusal.is_empty());
    let failed = failed.expect("the door is locked");
    assert_eq!((&*failed.refusal, &*failed.at_id), ("IS_LOCKED", "d2"));
    let [lesson] = &failed.belief_updates[..] else {
        panic!("one thing is new: {failed:?}");
    };
    assert_eq!(lesson.subject_id, "d2");
    assert_eq!(lesson.lock_state_before(), HeistLockState::Closed);
    assert_eq!(lesson.lock_state_after(), HeistLockState::Locked);
    let again = failed.replanning.as_ref().expect("a new plan");
    assert_eq!(again.reason(), HeistReplanReason::Failure);
    let plan = &again.plan.as_ref().expect("with the key").steps;
    let next = events.iter().skip_while(|it| it.refusal.is_empty()).skip(1);
    let done: Vec<_> = next.filter_map(|it| it.step.clone()).collect();
    assert_eq!(done, *plan);
    assert_eq!(end(&all).ending(), HeistEnding::Won);
    // The same again, to the last message.
    assert_eq!(all, game(&server, simulate(surprise(3))).await);
}

#[tokio::test]
async fn cameras_catch_and_players_help() {
    let server = Server::start(&[]).await;
    let all = game(&server, simulate(watched(3, 1, false))).await;
    let caught = end(&all);
    assert_eq!(caught.ending(), HeistEnding::Caught);
    assert_eq!((&*caught.by_id, &*caught.room_id), ("eye", "r1"));
    let request = SimulateHeistRequest {
        interventions: vec![deed(2, HeistInterventionVerb::SwitchOff, "eye")],
        ..simulate(watched(3, 1, false))
    };
    let all = game(&server, request).await;
    assert_eq!((end(&all).ending(), end(&all).cost), (HeistEnding::Won, 2));
    let tick = all[3].tick.as_ref().unwrap();
    let [deed] = &tick.interventions[..] else {
        panic!("one deed: {tick:?}");
    };
    assert_eq!(
        (deed.verb(), &*deed.target_id),
        (HeistInterventionVerb::SwitchOff, "eye")
    );
    assert!(deed.changed && deed.cost == 2);
}

#[tokio::test]
async fn who_knows_no_way_is_stuck_or_waits_until_the_time_is_up() {
    let server = Server::start(&[]).await;
    let all = game(&server, simulate(unbounded())).await;
    assert_eq!(end(&all).ending(), HeistEnding::Stuck);
    assert!(all[0].intents[0].plan.is_none());
    let request = SimulateHeistRequest {
        rules: Some(HeistRules {
            max_ticks: Some(50),
            ..long().unwrap()
        }),
        ..simulate(unbounded())
    };
    let all = game(&server, request).await;
    assert_eq!(end(&all).ending(), HeistEnding::TimeUp);
    // Nothing is left out.
    let ticks = all.iter().filter_map(|it| it.tick.as_ref());
    assert!(ticks.map(|tick| tick.tick).eq(0..50));
}

async fn busy(server: &Server, slots: f64) {
    eventually(&format!("{slots} slots are busy"), async || {
        let metrics = server.metrics().await;
        (metrics.sum(BUSY) == slots).then_some(())
    })
    .await;
}

fn long_game() -> SimulateHeistRequest {
    SimulateHeistRequest {
        rules: long(),
        ..simulate(unbounded())
    }
}

#[tokio::test]
async fn a_game_waits_for_its_reader_and_ends_when_he_goes() {
    let server = Server::start(&[]).await;
    let mut client = server.heist().await;
    let stream = client.simulate_heist(long_game()).await.unwrap();
    busy(&server, 1.0).await;
    drop(stream);
    busy(&server, 0.0).await;
}

#[tokio::test]
async fn the_deadline_stops_a_game_that_nobody_reads() {
    let server = Server::start(&["--stream-budget-default", "500ms"]).await;
    let mut client = server.heist().await;
    let stream = client.simulate_heist(long_game()).await.unwrap();
    busy(&server, 1.0).await;
    busy(&server, 0.0).await;
    let mut stream = stream.into_inner();
    let mut last = None;
    let mut next = 0;
    while let Ok(Some(message)) = wait_for("a tick", stream.message()).await {
        if let Some(tick) = &message.tick {
            assert_eq!(tick.tick, next, "nothing is left out");
            next += 1;
        }
        last = message.end;
    }
    let end = last.expect("the last message has the end");
    assert_eq!(end.ending(), HeistEnding::Stopped);
    assert_eq!(end.tick_count, next);
}

#[tokio::test]
async fn a_server_that_goes_stops_its_games() {
    let mut server = Server::start(&[]).await;
    let mut client = server.heist().await;
    let stream = client.simulate_heist(long_game()).await.unwrap();
    busy(&server, 1.0).await;
    server.terminate();
    let mut stream = stream.into_inner();
    let mut last = None;
    while let Some(message) = wait_for("a tick", stream.message()).await.unwrap() {
        last = message.end;
    }
    let end = last.expect("the last message has the end");
    assert_eq!(end.ending(), HeistEnding::Stopped);
    let status = server.ended().await;
    assert_eq!(status.code(), Some(0), "{}", server.log());
}

#[tokio::test]
async fn a_game_takes_no_longer_than_it_may() {
    let server = Server::start(&[]).await;
    let asked = |options| SimulateHeistRequest {
        options: Some(options),
        rules: long(),
        ..simulate(unbounded())
    };
    let few = game(&server, asked(iterations(5, 0))).await;
    assert_eq!((few.len(), end(&few).ending()), (6, HeistEnding::Stopped));
    assert_eq!(end(&few).tick_count, 5);
    let soon = SolveOptions {
        time_budget: Some(prost_types::Duration {
            seconds: 0,
            nanos: 30_000_000,
        }),
        priority: Priority::High.into(),
        ..Default::default()
    };
    let soon = game(&server, asked(soon)).await;
    // A fast machine may play all of it.
    let how = end(&soon).ending();
    assert!([HeistEnding::Stopped, HeistEnding::TimeUp].contains(&how));
    let validate = SolveOptions {
        validate_only: true,
        ..Default::default()
    };
    let mut client = server.heist().await;
    let stream = client.simulate_heist(asked(validate)).await.unwrap();
    let first = wait_for("the end", stream.into_inner().message()).await;
    assert_eq!(first.unwrap(), None, "nothing is played");
}

#[tokio::test]
async fn rules_and_options_that_make_no_sense_are_told() {
    let server = Server::start(&[]).await;
    let request = SimulateHeistRequest {
        options: Some(SolveOptions {
            strategy: "chance".into(),
            target: Some(ObjectiveTarget { levels: vec![1.0] }),
            priority: 9,
            ..Default::default()
        }),
        problem: Some(HeistWorld {
            costs: Some(HeistCosts {
                door: Some(-1),
                ..Default::default()
            }),
            ..row(2)
        }),
        ..Default::default()
    };
    let mut client = server.heist().await;
    let status = client.simulate_heist(request).await.unwrap_err();
    let mut fields: Vec<_> = mistakes(&status).into_iter().map(|it| it.0).collect();
    fields.sort();
    let expected = [
        "options.priority",
        "options.strategy",
        "options.target.levels",
        "problem.costs.door",
    ];
    assert_eq!(fields, expected);
}
