//! Single cases: extremes, hostile input, and a project whose optimum is known.

use crate::searched;
use anytime::{Conclusion, Pulse, Stop, written};
use schedule::problem::{
    ACTIVITIES_MAX, Activity, CAPACITY_MAX, Demand, Mode, Point, Precedence, Resource, TIME_MAX_US,
};
use schedule::{Plan, Problem, Requirement, ScheduledActivity, Spec, conflict, verify};

fn solved(spec: Spec, iterations: u64) -> (Conclusion, Option<Plan>) {
    searched::solved(&Problem::new(spec).expect("it is valid"), iterations)
}

fn activity(duration_us: i64, amount: i64) -> Activity {
    let demands = vec![Demand {
        resource: 0,
        amount,
    }];
    Activity {
        modes: vec![Mode {
            duration_us,
            demands,
        }],
        ..Activity::default()
    }
}

fn on_one_resource(activities: Vec<Activity>, capacity: i64) -> Spec {
    Spec {
        activities,
        resources: vec![Resource { capacity }],
        ..Spec::default()
    }
}

fn makespan(spec: Spec) -> Option<i64> {
    let (conclusion, plan) = solved(spec.clone(), 100_000);
    assert_eq!(conclusion == Conclusion::Infeasible, plan.is_none());
    let problem = Problem::new(spec).expect("it is valid");
    plan.map(|plan| verify(&problem, &plan).expect("it is legal").makespan_us)
}

#[test]
fn an_empty_project_takes_no_time() {
    assert_eq!(
        solved(Spec::default(), 10),
        (Conclusion::Optimal, Some(Plan::default()))
    );
}

#[test]
fn a_resource_of_no_capacity_admits_only_what_takes_no_time() {
    assert_eq!(
        makespan(on_one_resource(vec![activity(0, 9); 3], 0)),
        Some(0)
    );
    assert_eq!(makespan(on_one_resource(vec![activity(1, 1)], 0)), None);
    assert_eq!(makespan(on_one_resource(vec![activity(1, 0)], 0)), Some(1));
}

#[test]
fn a_mode_that_never_fits_is_not_chosen() {
    let mut both = activity(1, 5);
    both.modes.extend(activity(7, 2).modes);
    assert_eq!(makespan(on_one_resource(vec![both.clone()], 4)), Some(7));
    assert_eq!(makespan(on_one_resource(vec![both], 1)), None);
}

#[test]
fn a_slower_mode_pays_when_it_lets_others_run() {
    // Alone 3 is faster than 4, but two of the slow ones fit side by side.
    let mut choice = activity(3, 2);
    choice.modes.extend(activity(4, 1).modes);
    assert_eq!(makespan(on_one_resource(vec![choice; 2], 2)), Some(4));
}

#[test]
fn a_cycle_of_precedences_is_infeasible_and_named() {
    let mut spec = on_one_resource(vec![activity(TIME_MAX_US, 1); 3], 3);
    for (from, to) in [(0, 1), (1, 2), (2, 0)] {
        spec.precedences.push(Precedence::finish_to_start(from, to));
    }
    assert_eq!(solved(spec.clone(), 1_000), (Conclusion::Infeasible, None));
    let problem = Problem::new(spec).expect("it is valid");
    let found = conflict(&problem, &Pulse::unbounded()).expect("it is infeasible");
    let lags = [0, 1, 2].map(Requirement::MinimalLag);
    let reason = lags[2].reason(problem.spec()).fault.to_string();
    let text = "precedences[2].lower activity 0 starts after activity 2 ends";
    assert_eq!(reason, text);
    assert_eq!(
        (found.requirements.as_slice(), found.is_minimal),
        (&lags[..], true)
    );
}

#[test]
fn a_deadline_that_the_resource_forbids_is_a_conflict_of_both() {
    let mut spec = on_one_resource(vec![activity(5, 1); 4], 1);
    spec.deadline_us = Some(19);
    spec.activities[0].deadline_us = Some(15);
    let problem = Problem::new(spec).expect("it is valid");
    let found = conflict(&problem, &Pulse::unbounded()).expect("it is infeasible");
    let expected = [Requirement::ProjectDeadline, Requirement::Capacity(0)];
    assert_eq!(
        (found.requirements.as_slice(), found.is_minimal),
        (&expected[..], true)
    );
}

#[test]
fn a_maximal_lag_holds_activities_together() {
    let mut spec = on_one_resource(vec![activity(2, 1); 3], 1);
    spec.activities[1].release_us = 10;
    let within = |lag_max_us| Precedence {
        from: Point::Start(0),
        to: Point::Start(1),
        lag_min_us: None,
        lag_max_us: Some(lag_max_us),
    };
    spec.precedences = vec![within(3)];
    let (_, plan) = solved(spec, 1_000);
    let plan = plan.expect("it is feasible");
    assert_eq!(plan.activities[1].start_us, 10);
    assert!(plan.activities[0].start_us >= 7);
}

#[test]
fn the_largest_numbers_do_not_overflow() {
    let mut spec = on_one_resource(vec![activity(TIME_MAX_US, CAPACITY_MAX); 40], CAPACITY_MAX);
    assert_eq!(makespan(spec.clone()), Some(40 * TIME_MAX_US));
    spec.precedences.push(Precedence {
        from: Point::End(0),
        to: Point::Start(1),
        lag_min_us: Some(TIME_MAX_US),
        lag_max_us: None,
    });
    assert_eq!(makespan(spec), Some(40 * TIME_MAX_US));
    let beyond = Plan {
        activities: (0..40)
            .map(|activity| ScheduledActivity {
                activity,
                start_us: i64::MAX,
                mode: 0,
            })
            .collect(),
    };
    let spec = on_one_resource(vec![activity(TIME_MAX_US, CAPACITY_MAX); 40], CAPACITY_MAX);
    let problem = Problem::new(spec).expect("it is valid");
    let faults = verify(&problem, &beyond).expect_err("it is nonsense");
    let codes: Vec<&str> = faults.iter().map(|fault| fault.code).collect();
    assert_eq!(codes, ["OVERLOAD"]);
}

#[test]
fn the_largest_project_gets_a_plan_soon() {
    let mut spec = on_one_resource(vec![activity(3, 2); ACTIVITIES_MAX], 7);
    for to in 1..ACTIVITIES_MAX {
        spec.precedences
            .push(Precedence::finish_to_start(to / 3, to));
    }
    let (conclusion, plan) = solved(spec, 3);
    assert_eq!(conclusion, Conclusion::Stopped(Stop::Iterations));
    assert!(plan.is_some());
}

#[test]
fn every_mistake_is_reported_at_once() {
    let mut spec = on_one_resource(
        vec![activity(-1, -1), Activity::default()],
        CAPACITY_MAX + 1,
    );
    spec.activities[0].modes[0].demands.push(Demand {
        resource: 0,
        amount: 1,
    });
    spec.activities[0].modes[0].demands.push(Demand {
        resource: 8,
        amount: 1,
    });
    spec.activities[0].release_us = TIME_MAX_US + 1;
    spec.deadline_us = Some(-1);
    spec.precedences = vec![
        Precedence {
            lag_min_us: Some(2),
            lag_max_us: Some(1),
            ..Precedence::finish_to_start(0, 0)
        },
        Precedence {
            lag_min_us: None,
            ..Precedence::finish_to_start(0, 9)
        },
    ];
    let faults = Problem::new(spec).expect_err("hardly anything is valid");
    let found: Vec<(&str, String)> = { faults.iter() }
        .map(|it| (it.code, written(&it.at)))
        .collect();
    let found: Vec<(&str, &str)> = { found.iter() }
        .map(|(code, at)| (*code, at.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            ("OUT_OF_RANGE", "deadline_offset"),
            ("OUT_OF_RANGE", "resources[0].capacity"),
            ("OUT_OF_RANGE", "activities[0].release_offset"),
            ("OUT_OF_RANGE", "activities[0].modes[0].work_duration"),
            ("OUT_OF_RANGE", "activities[0].modes[0].demands[0].amount"),
            ("DUPLICATE", "activities[0].modes[0].demands[1].resource_id"),
            ("UNKNOWN", "activities[0].modes[0].demands[2].resource_id"),
            ("REQUIRED", "activities[1].modes"),
            ("SELF_LOOP", "precedences[0].to_activity_id"),
            ("REVERSED", "precedences[0].upper"),
            ("UNKNOWN", "precedences[1].to_activity_id"),
            ("REQUIRED", "precedences[1]"),
        ]
    );
    let huge = Spec {
        activities: vec![activity(TIME_MAX_US, 0); ACTIVITIES_MAX],
        resources: vec![Resource { capacity: 1 }],
        ..Spec::default()
    };
    let codes = Problem::new(huge).expect_err("it may take 20,000 years");
    assert_eq!(codes[0].code, "OUT_OF_RANGE");
    let many = vec![Activity::default(); ACTIVITIES_MAX + 1];
    let faults = Problem::new(on_one_resource(many, 1)).expect_err("there are too many");
    assert_eq!((faults[0].code, faults.len()), ("TOO_MANY", 1));
}
