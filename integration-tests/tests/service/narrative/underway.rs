//! Stories that have begun: what has happened stays, and the rest is planned from now on.

use super::{IMPOSSIBLE, PROVED, ask, enough, plan_of, status, verify};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::problems::millis;
use stratagem_integration_tests::stories::{
    in_millis, quest, quest_of_players, quest_of_two, schedule,
};
use stratagem_proto::v1::{
    NarrativePick, NarrativeProblem, NarrativeProgress, TemporalScheduledEvent,
};

fn happened(id: &str, ms: i64) -> TemporalScheduledEvent {
    TemporalScheduledEvent {
        event_id: id.into(),
        time_offset: Some(millis(ms)),
    }
}

fn picked(choice: &str, option: &str) -> NarrativePick {
    NarrativePick {
        choice_id: choice.into(),
        option_id: option.into(),
    }
}

fn problem_at(
    now_ms: i64,
    happened: Vec<TemporalScheduledEvent>,
    made: Vec<NarrativePick>,
    problem: NarrativeProblem,
) -> NarrativeProblem {
    NarrativeProblem {
        progress: Some(NarrativeProgress {
            now_offset: Some(millis(now_ms)),
            happened,
            made,
        }),
        ..problem
    }
}

#[tokio::test]
async fn the_rest_is_planned_from_now_on() {
    let server = Server::start(&[]).await;
    let seen = vec![happened("found", 15_000)];
    let problem = problem_at(15_200, seen, Vec::new(), quest());
    let answer = ask(&server, schedule(problem.clone(), enough())).await;
    assert_eq!(status(&answer), PROVED, "{answer:?}");
    let plan = plan_of(&answer);
    assert!(verify(&server, &problem, plan).await.valid);
    for policy in &plan.policies {
        // After so short a search only riding works.
        assert_eq!(policy.picks, [picked("way", "horse")]);
        for range in &policy.ranges {
            let earliest = in_millis(range.earliest_offset.as_ref());
            let latest = in_millis(range.latest_offset.as_ref());
            if range.event_id == "found" {
                assert_eq!((earliest, latest), (15_000, 15_000));
            } else {
                assert!(earliest >= 15_200, "{range:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_choice_of_players_that_went_well_can_be_gone_on_with() {
    let server = Server::start(&[]).await;
    let seen = || vec![happened("found", 15_000)];
    let horse = vec![picked("way", "horse")];
    let good = problem_at(15_200, seen(), horse, quest_of_players());
    assert_eq!(
        status(&ask(&server, schedule(good, enough())).await),
        PROVED
    );
    // On foot they are home too early, whatever we do.
    let foot = vec![picked("way", "foot")];
    let bad = problem_at(15_200, seen(), foot, quest_of_players());
    let answer = ask(&server, schedule(bad, enough())).await;
    assert_eq!(status(&answer), IMPOSSIBLE, "{answer:?}");
    assert!(!answer.conflict.unwrap().members.is_empty());
}

#[tokio::test]
async fn groups_are_told_apart_by_their_names() {
    let server = Server::start(&[]).await;
    // The second group begins after 50 s. The first has been searching for 40, so that it walks:
    // the horse is free, whatever happens.
    let problem = problem_at(40_000, Vec::new(), Vec::new(), quest_of_two(50_000));
    let answer = ask(&server, schedule(problem, enough())).await;
    assert_eq!(status(&answer), PROVED, "{answer:?}");
    let picks = plan_of(&answer).policies.iter().flat_map(|p| &p.picks);
    let first = picks.filter(|pick| pick.choice_id == "first/way");
    assert!(first.clone().count() > 0);
    assert!(first.clone().all(|pick| pick.option_id == "foot"));
}
