//! Single cases: nothing to do, nothing to be done, extremes.

use super::{activity, answer, heard};
use crate::rcpsp::{Activity, Lag, Outcome, Point, Project, Schedule, TIME_MAX};

#[test]
fn nothing_to_do_takes_no_time() {
    let none = Project::default();
    assert_eq!(answer(&none), Outcome::Optimal(Schedule::default()));
    let instant = Project {
        activities: vec![activity(0, 0, vec![(0, 9, false)]); 3],
        capacities: vec![0],
        ..Project::default()
    };
    assert!(matches!(answer(&instant), Outcome::Optimal(s) if s.makespan == 0));
}

#[test]
fn what_cannot_be_held_or_fit_is_infeasible() {
    let lone = |activity: Activity, capacity| Project {
        activities: vec![activity],
        capacities: vec![capacity],
        horizon: 10,
        ..Project::default()
    };
    for (project, infeasible) in [
        (lone(activity(2, 0, vec![(0, 1, false)]), 0), true),
        (lone(activity(2, 0, vec![(0, 1, false)]), 1), false),
        (lone(activity(0, 2, vec![(0, 1, false)]), 0), false),
        (lone(activity(0, 0, vec![(0, 1, true)]), 0), true),
        (lone(activity(11, 0, vec![]), 0), true),
        (
            Project {
                horizon: -1,
                ..lone(activity(0, 0, vec![]), 0)
            },
            true,
        ),
    ] {
        assert_eq!(
            answer(&project) == Outcome::Infeasible,
            infeasible,
            "{project:?}"
        );
    }
}

#[test]
fn maximal_lags_can_make_a_sum_of_demands_infeasible() {
    // Three activities of 2 on one machine, the last of which must start within 3 of the first.
    let within = |most: i64| {
        let mut project = Project {
            activities: vec![activity(2, 0, vec![(0, 1, false)]); 3],
            capacities: vec![1],
            horizon: 20,
            ..Project::default()
        };
        for (from, to) in [(0, 1), (1, 2), (0, 2), (1, 0), (2, 1), (2, 0)] {
            let lag = Lag {
                from: Point::Start(from),
                to: Point::Start(to),
                least: -most,
            };
            project.lags.push(lag);
        }
        answer(&project)
    };
    assert_eq!(within(3), Outcome::Infeasible);
    assert!(matches!(within(4), Outcome::Optimal(s) if s.makespan == 6));
}

#[test]
fn the_largest_times_do_not_overflow() {
    let half = TIME_MAX / 2 - 1;
    let mut project = Project {
        activities: vec![
            activity(half, 0, vec![(0, 1, false)]),
            activity(half, 1, vec![(0, 1, false)]),
        ],
        capacities: vec![1],
        horizon: TIME_MAX,
        ..Project::default()
    };
    assert!(matches!(answer(&project), Outcome::Optimal(s) if s.makespan == 2 * half));
    for (from, to) in [
        (Point::End(0), Point::Start(1)),
        (Point::End(1), Point::Start(0)),
    ] {
        project.lags.push(Lag {
            from,
            to,
            least: TIME_MAX,
        });
    }
    assert_eq!(answer(&project), Outcome::Infeasible);
}

#[test]
fn positive_cycles_of_lags_are_seen_however_far_the_horizon_is() {
    let machine = |count, capacity| Project {
        activities: vec![activity(1_000_003, 0, vec![(0, 1, false)]); count],
        capacities: vec![capacity],
        horizon: TIME_MAX,
        ..Project::default()
    };
    let lag = |from, to, least| Lag { from, to, least };
    let mut given = machine(2, 2);
    given.lags.push(lag(Point::Start(0), Point::Start(1), 5));
    given.lags.push(lag(Point::Start(1), Point::Start(0), -4));
    assert_eq!(answer(&given), Outcome::Infeasible);
    // Three activities, one at a time, each to start within a little less than two durations of
    // each other.
    let mut chosen = machine(3, 1);
    for (from, to) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
        chosen
            .lags
            .push(lag(Point::Start(from), Point::Start(to), -2_000_005));
    }
    assert_eq!(answer(&chosen), Outcome::Infeasible);
    for lag in &mut chosen.lags {
        lag.least -= 1;
    }
    assert!(matches!(answer(&chosen), Outcome::Optimal(s) if s.makespan == 3_000_009));
}

#[test]
fn a_warm_start_is_the_first_offer_or_a_hint() {
    let project = Project {
        activities: (1..9)
            .map(|n| activity(n, 0, vec![(0, 2 + n % 3, false)]))
            .collect(),
        capacities: vec![7],
        horizon: 100,
        ..Project::default()
    };
    let (Outcome::Optimal(best), _, _) = heard(&project, None, u64::MAX) else {
        panic!("it is small")
    };
    let (again, _, ear) = heard(&project, Some(&best), 0);
    assert_eq!(ear.makespans.last(), Some(&best.makespan));
    let (Outcome::Optimal(again) | Outcome::Feasible(again, _)) = again else {
        panic!("it has a schedule to begin with")
    };
    assert_eq!(again.makespan, best.makespan);
    let nonsense = Schedule {
        starts: vec![0; 8],
        ends: vec![1; 8],
        modes: Vec::new(),
        makespan: 1,
    };
    let (Outcome::Optimal(warmed), _, _) = heard(&project, Some(&nonsense), u64::MAX) else {
        panic!("it is small")
    };
    assert_eq!(warmed.makespan, best.makespan);
}
