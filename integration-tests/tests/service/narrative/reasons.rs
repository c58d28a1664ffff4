//! Why there is no plan, in the author's ids, and what would help.

use super::{IMPOSSIBLE, PROVED, ask, enough, status};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::networks::link;
use stratagem_integration_tests::problems::millis;
use stratagem_integration_tests::stories::{
    quest, quest_of_players, quest_of_two, resource, scenes, schedule,
};
use stratagem_proto::v1::{
    NarrativeChooser, NarrativeDetail, NarrativeOption, NarrativePick, NarrativeProblem,
    ScheduleNarrativeRequest, ScheduleNarrativeResponse, narrative_change,
    narrative_conflict_member,
};

#[tokio::test]
async fn what_players_choose_must_work_and_the_answer_says_what_would_help() {
    let server = Server::start(&[]).await;
    let answer = ask(&server, schedule(quest_of_players(), enough())).await;
    assert_eq!(status(&answer), IMPOSSIBLE, "{answer:?}");
    assert_eq!(answer.plan, None);
    let conflict = answer.conflict.as_ref().expect("a reason");
    assert!(!conflict.summary.is_empty() && !conflict.members.is_empty());
    for member in &conflict.members {
        assert!(
            member.rule.is_some() && !member.message.is_empty(),
            "{member:?}"
        );
    }
    assert!(!answer.relaxations.is_empty(), "{conflict:?}");
    let mut ours = 0;
    for relaxation in &answer.relaxations {
        let mut changed = quest_of_players();
        for change in &relaxation.changes {
            ours += usize::from(apply(&mut changed, change.kind.as_ref().unwrap()));
        }
        let answer = ask(&server, schedule(changed, enough())).await;
        assert_eq!(status(&answer), PROVED, "{relaxation:?}");
    }
    assert_eq!(ours, 1, "the house could choose: {:?}", answer.relaxations);
}

/// Makes a change; true when it takes a choice from the players.
fn apply(problem: &mut NarrativeProblem, change: &narrative_change::Kind) -> bool {
    match change {
        narrative_change::Kind::Bound(bound) => {
            let lower = bound.side() == stratagem_proto::v1::TemporalBoundSide::Lower;
            let id = &bound.link_id;
            let place = if let Some(link) = problem.links.iter_mut().find(|l| l.id == *id) {
                if lower {
                    &mut link.lower
                } else {
                    &mut link.upper
                }
            } else {
                let links = &mut problem.contingent_links;
                let link = links.iter_mut().find(|l| l.id == *id).expect("a known id");
                if lower {
                    &mut link.lower
                } else {
                    &mut link.upper
                }
            };
            assert_eq!(*place, bound.old_bound);
            *place = bound.new_bound;
        }
        narrative_change::Kind::Capacity(more) => {
            let mut all = problem.resources.iter_mut();
            let resource = all.find(|r| r.id == more.resource_id).expect("a known id");
            assert_eq!(resource.capacity, Some(more.old_capacity));
            resource.capacity = Some(more.new_capacity);
        }
        narrative_change::Kind::SystemChoiceId(id) => {
            let mut all = problem.choices.iter_mut();
            let choice = all.find(|c| c.id == *id).expect("a known id");
            choice.chooser = NarrativeChooser::System.into();
            return true;
        }
        narrative_change::Kind::OfferedOption(pick) => {
            let option = option(problem, pick);
            assert!(std::mem::take(&mut option.withheld), "{pick:?}");
        }
        narrative_change::Kind::WithheldOption(pick) => {
            let option = option(problem, pick);
            assert!(!std::mem::replace(&mut option.withheld, true), "{pick:?}");
        }
    }
    false
}

fn option<'p>(problem: &'p mut NarrativeProblem, pick: &NarrativePick) -> &'p mut NarrativeOption {
    let mut choices = problem.choices.iter_mut();
    let choice = choices.find(|c| c.id == pick.choice_id);
    let mut options = choice.expect("a known id").options.iter_mut();
    let option = options.find(|o| o.id == pick.option_id);
    option.expect("a known id")
}

/// The relaxations that change nothing but which options there are.
fn of_options(answer: &ScheduleNarrativeResponse) -> Vec<Vec<narrative_change::Kind>> {
    use narrative_change::Kind::{OfferedOption, WithheldOption};
    let changes = answer.relaxations.iter().map(|relaxation| {
        let kinds = relaxation.changes.iter();
        let kinds = kinds.map(|change| change.kind.clone().expect("a kind"));
        kinds.collect::<Vec<_>>()
    });
    let options = |kinds: &Vec<_>| {
        let mut kinds = kinds.iter();
        kinds.all(|kind| matches!(kind, OfferedOption(_) | WithheldOption(_)))
    };
    changes.filter(options).collect()
}

#[tokio::test]
async fn a_way_that_is_withheld_is_advised_where_the_others_do_not_do() {
    let server = Server::start(&[]).await;
    let mut ride_only = quest();
    ride_only.choices[0].options[1].withheld = true;
    let answer = ask(&server, schedule(ride_only.clone(), enough())).await;
    assert_eq!(status(&answer), IMPOSSIBLE, "{answer:?}");
    let pick = NarrativePick {
        choice_id: ride_only.choices[0].id.clone(),
        option_id: ride_only.choices[0].options[1].id.clone(),
    };
    let kind = narrative_change::Kind::OfferedOption(pick);
    assert_eq!(of_options(&answer), [[kind.clone()]], "{answer:?}");
    apply(&mut ride_only, &kind);
    assert_eq!(ride_only, quest());
    let answer = ask(&server, schedule(ride_only, enough())).await;
    assert_eq!(status(&answer), PROVED, "{answer:?}");
}

#[tokio::test]
async fn what_players_may_not_pick_any_more_is_advised_where_the_rest_can_be_told() {
    let server = Server::start(&[]).await;
    // On foot they are late: the ride suits searches of up to 32 s only.
    let mut problem = quest_of_players();
    problem.contingent_links[0].upper = Some(millis(30_000));
    let every = ScheduleNarrativeRequest {
        detail: Some(NarrativeDetail {
            max_relaxations: Some(20),
            ..Default::default()
        }),
        ..schedule(problem.clone(), enough())
    };
    let answer = ask(&server, every).await;
    assert_eq!(status(&answer), IMPOSSIBLE, "{answer:?}");
    let found = of_options(&answer);
    let [kinds] = found.as_slice() else {
        panic!("one way to forbid: {answer:?}");
    };
    for kind in kinds {
        apply(&mut problem, kind);
    }
    let withheld = problem.choices[0].options.iter().map(|o| o.withheld);
    assert_eq!(withheld.collect::<Vec<_>>(), [false, true]);
    let answer = ask(&server, schedule(problem, enough())).await;
    assert_eq!(status(&answer), PROVED, "{answer:?}");
}

#[tokio::test]
async fn groups_that_need_one_horse_at_once_have_no_plan() {
    let server = Server::start(&[]).await;
    let answer = ask(&server, schedule(quest_of_two(0), enough())).await;
    assert_eq!(status(&answer), IMPOSSIBLE, "{answer:?}");
    assert!(!answer.conflict.as_ref().unwrap().members.is_empty());
}

#[tokio::test]
async fn scenes_that_do_not_fit_are_named_and_one_more_actor_is_advised() {
    let server = Server::start(&[]).await;
    // One actor has 3 and 8 s to play in 10.
    let problem = NarrativeProblem {
        horizon_offset: Some(millis(10_000)),
        resources: vec![resource("actor", 1), resource("stage", 1)],
        ..scenes(2)
    };
    let answer = ask(&server, schedule(problem, enough())).await;
    assert_eq!(status(&answer), IMPOSSIBLE, "{answer:?}");
    let members = &answer.conflict.as_ref().expect("a reason").members;
    let overloads = members.iter().filter_map(|member| match &member.rule {
        Some(narrative_conflict_member::Rule::Overload(overload)) => Some(overload),
        _ => None,
    });
    let named: Vec<_> = overloads
        .inspect(|overload| assert!(overload.activity_ids.len() >= 2, "{overload:?}"))
        .map(|overload| overload.resource_id.as_str())
        .collect();
    assert!(named.contains(&"actor"), "{members:?}");
    let changes = answer.relaxations.iter().flat_map(|r| &r.changes);
    let more = changes.filter_map(|change| match &change.kind {
        Some(narrative_change::Kind::Capacity(more)) => {
            Some((more.resource_id.as_str(), more.new_capacity))
        }
        _ => None,
    });
    let more: Vec<_> = more.collect();
    assert_eq!(more, [("actor", 2)], "{:?}", answer.relaxations);
}

#[tokio::test]
async fn a_circle_of_precedence_is_told_by_its_links() {
    let server = Server::start(&[]).await;
    let mut problem = scenes(2);
    for (from, to) in [("end 0", "begin 1"), ("end 1", "begin 0")] {
        problem.links.push(link(from, to, 0, 60_000));
    }
    let answer = ask(&server, schedule(problem, enough())).await;
    assert_eq!(status(&answer), IMPOSSIBLE, "{answer:?}");
    let conflict = answer.conflict.as_ref().expect("a reason");
    assert!(conflict.minimal, "{conflict:?}");
    let mut links: Vec<_> = conflict
        .members
        .iter()
        .map(|member| match &member.rule {
            Some(narrative_conflict_member::Rule::Bound(bound)) => bound.link_id.as_str(),
            other => panic!("links are enough: {other:?}"),
        })
        .collect();
    links.sort_unstable();
    let cycle = [
        "begin 0->end 0",
        "begin 1->end 1",
        "end 0->begin 1",
        "end 1->begin 0",
    ];
    assert_eq!(links, cycle);
}
