//! Groups that live through one story, each with a beginning of its own.

use super::{IMPOSSIBLE, PROVED, ask, enough, plan_of, status, verify};
use stratagem_cli::stage::{Script, Stage, broken, play_by_chance};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::stories::{
    group, in_millis, quest, quest_of_players, quest_of_two, schedule,
};
use stratagem_proto::v1::{NarrativeProblem, TemporalBoundSide, narrative_conflict_member};

#[tokio::test]
async fn groups_hand_over_what_they_share() {
    let server = Server::start(&[]).await;
    let problem = quest_of_two(70_000);
    let answer = ask(&server, schedule(problem.clone(), enough())).await;
    assert_eq!(status(&answer), PROVED, "{answer:?}");
    let plan = plan_of(&answer);
    assert!(verify(&server, &problem, plan).await.valid);
    let peaks: Vec<_> = plan
        .peaks
        .iter()
        .map(|peak| (peak.resource_id.as_str(), peak.amount, peak.capacity))
        .collect();
    assert_eq!(peaks, [("horse", 1, 1)]);
    let passed = plan.policies.iter().flat_map(|policy| &policy.hand_overs);
    let passed = passed.filter(|one| one.from_activity_id == "first/on horseback");
    assert!(
        passed
            .clone()
            .any(|one| one.to_activity_id == "second/on horseback"),
        "{plan:?}"
    );
    assert!(
        passed
            .clone()
            .all(|one| one.resource_id == "horse" && one.amount == 1)
    );
}

#[tokio::test]
async fn outcomes_count_from_the_beginning_of_their_group() {
    let server = Server::start(&[]).await;
    let problem = quest_of_two(70_000);
    let answer = ask(&server, schedule(problem.clone(), enough())).await;
    let outcomes = plan_of(&answer).policies.iter().flat_map(|p| &p.outcomes);
    for outcome in outcomes {
        let lower = in_millis(outcome.lower.as_ref());
        let upper = in_millis(outcome.upper.as_ref());
        assert!(10_000 <= lower && upper <= 60_000, "{outcome:?}");
    }
    // The execution knows no more than the contract.
    let script = Script::new(&problem).unwrap();
    for seed in 0..50 {
        let mut stage = Stage::new(&script, plan_of(&answer));
        play_by_chance(&mut stage, seed);
        assert_eq!(broken(&stage), [""; 0], "{seed}");
    }
}

#[tokio::test]
async fn conflicts_of_groups_name_the_bounds_as_written() {
    let server = Server::start(&[]).await;
    let problem = NarrativeProblem {
        groups: [("a", 0), ("b", 70_000), ("c", 200_000)]
            .map(|(id, start_ms)| group(id, start_ms))
            .into(),
        ..quest_of_players()
    };
    let answer = ask(&server, schedule(problem, enough())).await;
    assert_eq!(status(&answer), IMPOSSIBLE, "{answer:?}");
    let members = &answer.conflict.as_ref().expect("a reason").members;
    assert!(!members.is_empty());
    for member in members {
        let rule = member.rule.as_ref().expect("a rule");
        let narrative_conflict_member::Rule::Bound(bound) = rule else {
            continue;
        };
        let (_, id) = bound.link_id.split_once('/').expect("ids of groups");
        let (quest, lower) = (quest(), bound.side() == TemporalBoundSide::Lower);
        let links = quest.links.iter().map(|l| (&l.id, l.lower, l.upper));
        let contingent = quest.contingent_links.iter();
        let mut all = links.chain(contingent.map(|l| (&l.id, l.lower, l.upper)));
        let link = all.find(|link| *link.0 == id).expect("a link of the story");
        let written = if lower { link.1 } else { link.2 };
        assert_eq!(bound.bound, written, "{member:?}");
    }
}

#[tokio::test]
async fn what_keeps_a_group_after_its_beginning_has_words() {
    let server = Server::start(&[]).await;
    // The second group begins when all is over.
    let problem = NarrativeProblem {
        horizon_offset: Some(stratagem_integration_tests::problems::millis(140_000)),
        ..quest_of_two(150_000)
    };
    let answer = ask(&server, schedule(problem, enough())).await;
    assert_eq!(status(&answer), IMPOSSIBLE, "{answer:?}");
    let members = &answer.conflict.as_ref().expect("a reason").members;
    for member in members {
        assert!(member.rule.is_some(), "{member:?}");
    }
    let words: Vec<_> = members.iter().map(|m| m.message.as_str()).collect();
    assert!(
        words
            .iter()
            .any(|w| w.contains("by the horizon, 2 min 20 s")),
        "{words:?}"
    );
}

#[tokio::test]
async fn an_activity_from_the_origin_begins_at_the_origin_of_its_group() {
    let server = Server::start(&[]).await;
    let mut problem = quest_of_two(70_000);
    let (mut market, mut square) = (problem.activities[0].clone(), problem.resources[0].clone());
    "square".clone_into(&mut square.id);
    square.capacity = Some(2);
    "market".clone_into(&mut market.id);
    "origin".clone_into(&mut market.start_event_id);
    "home".clone_into(&mut market.end_event_id);
    "square".clone_into(&mut market.demands[0].resource_id);
    problem.activities.push(market);
    problem.resources.push(square);
    let answer = ask(&server, schedule(problem.clone(), enough())).await;
    assert_eq!(status(&answer), PROVED, "{answer:?}");
    let plan = plan_of(&answer);
    assert!(verify(&server, &problem, plan).await.valid);
    let ranges = plan.policies.iter().flat_map(|policy| &policy.ranges);
    let own = ranges.filter(|range| range.event_id.ends_with("/origin"));
    let own: Vec<_> = own
        .map(|range| (&*range.event_id, in_millis(range.earliest_offset.as_ref())))
        .collect();
    assert!(!own.is_empty(), "{plan:?}");
    assert!(
        own.iter().all(|one| *one == ("second/origin", 70_000)),
        "{own:?}"
    );
}
