//! Every rule that a plan can break, each alone.

use anytime::Fault;
use schedule::problem::{Activity, Demand, Mode, Point, Precedence, Resource};
use schedule::{Plan, Problem, Requirement, ScheduledActivity, Spec, verify};

const fn place(activity: usize, start_us: i64) -> ScheduledActivity {
    ScheduledActivity {
        activity,
        start_us,
        mode: 0,
    }
}

const NO_MODE: ScheduledActivity = ScheduledActivity {
    mode: 1,
    ..place(2, 9)
};

/// Plans, and the rule that each of them breaks.
const CASES: &[(&[ScheduledActivity], &str)] = &[
    (
        &[place(0, -1), place(1, 5), place(2, 9)],
        "BEFORE_RELEASE activities[0] starts at -0.000001 s, before its release at 0 s",
    ),
    (
        &[place(2, 0), place(0, 11), place(1, 16)],
        "AFTER_DEADLINE activities[2] ends at 0.000021 s, after the deadline at 0.00002 s",
    ),
    (
        &[place(0, 0), place(1, 5), place(2, 26)],
        "AFTER_DEADLINE activities[2] ends at 0.000031 s, after the deadline at 0.00003 s",
    ),
    (
        &[place(0, 0), place(1, 4), place(2, 9)],
        "LAG_TOO_SHORT activities[1] breaks the precedence from activity 0 to activity 1: the lag \
         is -0.000001 s, at least 0 s is required",
    ),
    (
        &[place(0, 0), place(1, 10), place(2, 9)],
        "LAG_TOO_LONG activities[1] breaks the precedence from activity 0 to activity 1: the lag \
         is 0.000005 s, at most 0.000004 s is allowed",
    ),
    (
        &[place(0, 0), place(1, 5)],
        "ACTIVITY_MISSING activities lack activity 2",
    ),
    (
        &[place(0, 0), place(1, 5), place(2, 9), place(1, 5)],
        "ACTIVITY_REPEATED activities[3].activity_id is activity 1, which is scheduled twice",
    ),
    (
        &[place(0, 0), place(1, 5), NO_MODE],
        "UNKNOWN activities[2].mode_id is mode 1 of activity 2, which does not exist",
    ),
    (
        &[place(0, 0), place(1, 5), place(3, 0)],
        "UNKNOWN activities[2].activity_id is activity 3, which does not exist",
    ),
    (
        &[place(0, 1), place(1, 6), place(2, 4)],
        "OVERLOAD activities hold more of resource 0 than its capacity of 1 at 0.000004 s",
    ),
];

#[test]
fn every_broken_rule_is_named() {
    let activity = |amount| Activity {
        modes: vec![Mode {
            duration_us: 5,
            demands: vec![Demand {
                resource: 0,
                amount,
            }],
        }],
        ..Activity::default()
    };
    let mut activities = vec![activity(1), activity(0), activity(1)];
    activities[1].release_us = 2;
    activities[1].deadline_us = Some(20);
    let precedence = Precedence {
        lag_max_us: Some(4),
        ..Precedence::finish_to_start(0, 1)
    };
    let spec = Spec {
        activities,
        precedences: vec![precedence],
        resources: vec![Resource { capacity: 1 }],
        deadline_us: Some(30),
    };
    let problem = Problem::new(spec).expect("it is valid");
    for (activities, expected) in CASES {
        let activities = activities.to_vec();
        let faults = verify(&problem, &Plan { activities }).expect_err(expected);
        let rule = |it: &Fault| format!("{} {it}", it.code);
        let broken: Vec<_> = faults.iter().map(rule).collect();
        assert_eq!(broken, [*expected]);
    }
}

/// Requirements, and the reason that each of them is.
const REASONS: &[(Requirement, &str)] = &[
    (
        Requirement::ProjectDeadline,
        "PROJECT_DEADLINE deadline_offset everything ends by 0.00003 s",
    ),
    (
        Requirement::Deadline(1),
        "DEADLINE activities[1].deadline_offset activity 1 ends by 0.00002 s",
    ),
    (
        Requirement::Release(1),
        "RELEASE activities[1].release_offset activity 1 starts at 0.000002 s or later",
    ),
    (
        Requirement::Capacity(0),
        "CAPACITY resources[0].capacity resource 0 has 1",
    ),
    (
        Requirement::MinimalLag(0),
        "MINIMAL_LAG precedences[0].lower activity 1 starts after activity 0 ends",
    ),
    (
        Requirement::MinimalLag(1),
        "MINIMAL_LAG precedences[1].lower activity 2 ends at least 0.000003 s after activity 1 \
         starts",
    ),
    (
        Requirement::MaximalLag(0),
        "MAXIMAL_LAG precedences[0].upper activity 1 starts at most 0.000004 s after activity 0 \
         ends",
    ),
];

#[test]
fn every_requirement_is_a_reason() {
    let mut activities = vec![Activity::default(); 3];
    activities[1].release_us = 2;
    activities[1].deadline_us = Some(20);
    let after = Precedence {
        lag_max_us: Some(4),
        ..Precedence::finish_to_start(0, 1)
    };
    let across = Precedence {
        from: Point::Start(1),
        to: Point::End(2),
        lag_min_us: Some(3),
        lag_max_us: None,
    };
    let spec = Spec {
        activities,
        precedences: vec![after, across],
        resources: vec![Resource { capacity: 1 }],
        deadline_us: Some(30),
    };
    for (requirement, expected) in REASONS {
        let fault = requirement.reason(&spec).fault;
        assert_eq!(format!("{} {fault}", fault.code), *expected);
    }
}

#[test]
fn an_end_beyond_all_times_is_out_of_range() {
    let activities = vec![Activity {
        modes: vec![Mode {
            duration_us: 5,
            demands: Vec::new(),
        }],
        ..Activity::default()
    }];
    let spec = Spec {
        activities,
        ..Spec::default()
    };
    let problem = Problem::new(spec).expect("it is valid");
    let activities = vec![place(0, i64::MAX)];
    let faults = verify(&problem, &Plan { activities }).expect_err("it is too late");
    assert_eq!(faults[0].code, "OUT_OF_RANGE");
}
