//! The search on small stories whose answers can be given by hand; every plan is verified.

use crate::searched::{concluded, refused as refused_by};
use crate::verify_stories::{figure_2, two_visits};
use anytime::Conclusion;
use narrative::plan::{Change, Flexibility, Member, Outcomes, Plan, Relaxation};
use narrative::problem::{Chooser, Objective, Progress, Source, Spec};
use narrative::solve::Params;
use narrative::{Answer, Narrative};

/// The last answer, and how the search ended. Every plan offered is verified at its cost.
fn answer(spec: &Spec) -> (Option<Answer>, Conclusion) {
    let narrative = Narrative::new(spec.clone()).expect("the story is valid");
    concluded(&narrative, &Params::default(), 10_000)
}

fn plan(spec: &Spec) -> Plan {
    match answer(spec) {
        (Some(Answer::Plan(plan)), _) => plan,
        other => panic!("{other:?}"),
    }
}

fn refused(spec: &Spec) -> narrative::Conflict {
    refused_by(spec, &Params::default(), 10_000).0
}

#[test]
fn three_storylines_together_cover_what_none_covers_alone() {
    for option in 0..3 {
        let conflict = refused(&figure_2(Chooser::System, &[option]));
        assert!(conflict.uncovered.is_some());
    }
    refused(&figure_2(Chooser::System, &[0, 1]));
    let plan = plan(&figure_2(Chooser::System, &[0, 1, 2]));
    let ranges: Vec<(Option<usize>, &[Outcomes])> = plan
        .policies
        .iter()
        .map(|policy| (policy.picks[0], &policy.outcomes[..]))
        .collect();
    let outcomes = |lower_us, upper_us| {
        [Outcomes {
            contingent: 0,
            lower_us,
            upper_us,
        }]
    };
    assert_eq!(ranges.len(), 3);
    assert!(ranges.contains(&(Some(2), &outcomes(81, 90))), "{ranges:?}");
}

#[test]
fn a_player_who_picks_any_storyline_breaks_the_example() {
    let conflict = refused(&figure_2(Chooser::Player, &[0, 1, 2]));
    assert!(conflict.uncovered.is_some());
}

#[test]
fn visits_to_one_actor_come_one_after_the_other() {
    let plan = plan(&two_visits(40));
    assert_eq!(plan.makespan_us, 40);
    assert_eq!(plan.policies[0].order.len(), 1);
    refused(&two_visits(39));
}

#[test]
fn what_is_used_up_is_not_there_again() {
    let mut spec = two_visits(100);
    spec.activities[0].demands[0].consumed = true;
    assert_eq!(plan(&spec).policies[0].order, [(1, 0)]);
    spec.activities[1].demands[0].consumed = true;
    refused(&spec);
}

#[test]
fn a_story_that_has_begun_goes_on_from_there() {
    let mut spec = two_visits(40);
    spec.progress = Progress {
        now_us: 12,
        happened: vec![(3, 0)],
        made: Vec::new(),
    };
    assert_eq!(plan(&spec).policies[0].order, [(1, 0)]);
    spec.progress.happened.push((1, 3));
    refused(&spec);
}

/// The best plan, which is proved to be the best.
fn best(spec: &Spec) -> Plan {
    match answer(spec) {
        (Some(Answer::Plan(plan)), Conclusion::Optimal) => plan,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_makespan_is_the_least_that_can_be_kept() {
    let mut spec = two_visits(1_000);
    spec.objective = Objective::makespan(1);
    assert_eq!(best(&spec).makespan_us, 40);
    spec.resources[0].capacity = 2;
    assert_eq!(best(&spec).makespan_us, 20);
}

#[test]
fn the_slack_is_the_largest_that_can_be_kept() {
    let mut spec = two_visits(47);
    spec.objective = Objective {
        slack: 1,
        ..Objective::default()
    };
    // Two visits of up to 20 + 3 each.
    assert_eq!(best(&spec).slack_us, 3);
}

#[test]
fn idle_time_is_the_least_that_can_be_kept() {
    let mut spec = two_visits(100);
    // The one that is visited first waits for the end until the other is over.
    spec.waiting = vec![0, 1];
    spec.objective = Objective {
        idle: 1,
        ..Objective::default()
    };
    let (answer, _) = answer(&spec);
    let Some(Answer::Plan(plan)) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(plan.idle_us, 20);
}

#[test]
fn a_conflict_names_what_is_needed_and_each_relaxation_helps() {
    let (conflict, relaxations) = refused_by(&two_visits(39), &Params::default(), 10_000);
    assert!(conflict.minimal);
    let capacity = Member::Capacity {
        resource: 0,
        activities: vec![0, 1],
    };
    assert!(conflict.members.contains(&capacity), "{conflict:?}");
    let end = Member::Bound(Source::LinkUpper(2));
    assert!(conflict.members.contains(&end), "{conflict:?}");
    let later = Change::Bound {
        source: Source::LinkUpper(2),
        old_us: 39,
        new_us: 40,
    };
    assert!(offered(&relaxations, later), "{relaxations:?}");
    let more = Change::Capacity {
        resource: 0,
        capacity: 2,
    };
    assert!(offered(&relaxations, more), "{relaxations:?}");
}

/// Whether one change is offered, with a plan that shows that it helps.
fn offered(relaxations: &[Relaxation], change: Change) -> bool {
    let mut all = relaxations.iter();
    all.any(|one| one.changes == [change] && one.plan.is_some())
}

#[test]
fn a_choice_that_becomes_ours_is_among_the_relaxations() {
    let spec = figure_2(Chooser::Player, &[0, 1, 2]);
    let (_, relaxations) = refused_by(&spec, &Params::default(), 10_000);
    let ours = Change::Chooser { choice: 0 };
    assert!(offered(&relaxations, ours), "{relaxations:?}");
}

#[test]
fn each_duration_stretches_as_far_as_all_else_allows() {
    let mut params = Params::default();
    params.detail.flexibilities = true;
    let narrative = Narrative::new(two_visits(47)).expect("the story is valid");
    let (Some(Answer::Plan(plan)), Conclusion::Optimal) = concluded(&narrative, &params, 1_000)
    else {
        panic!("there is a plan");
    };
    let stretch = |contingent| Flexibility {
        contingent,
        shortest_us: 0,
        longest_us: 27,
    };
    assert_eq!(plan.flexibilities, [stretch(0), stretch(1)]);
}
