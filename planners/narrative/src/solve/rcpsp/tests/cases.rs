//! Single cases: nothing to do, nothing to be done, extremes.

use super::{answer, heard, task};
use crate::solve::rcpsp::{Lag, Outcome, Point, Schedule, TIME_MAX, Task, Tasks};

#[test]
fn nothing_to_do_takes_no_time() {
    let none = Tasks::default();
    assert_eq!(answer(&none), Outcome::Optimal(Schedule::default()));
    let instant = Tasks {
        tasks: vec![task(0, 0, vec![(0, 9, false)]); 3],
        capacities: vec![0],
        ..Tasks::default()
    };
    assert!(matches!(answer(&instant), Outcome::Optimal(s) if s.makespan == 0));
}

#[test]
fn what_cannot_be_held_or_fit_is_infeasible() {
    let lone = |task: Task, capacity| Tasks {
        tasks: vec![task],
        capacities: vec![capacity],
        horizon: 10,
        ..Tasks::default()
    };
    for (tasks, infeasible) in [
        (lone(task(2, 0, vec![(0, 1, false)]), 0), true),
        (lone(task(2, 0, vec![(0, 1, false)]), 1), false),
        (lone(task(0, 2, vec![(0, 1, false)]), 0), false),
        (lone(task(0, 0, vec![(0, 1, true)]), 0), true),
        (lone(task(11, 0, vec![]), 0), true),
        (
            Tasks {
                horizon: -1,
                ..lone(task(0, 0, vec![]), 0)
            },
            true,
        ),
    ] {
        assert_eq!(
            answer(&tasks) == Outcome::Infeasible,
            infeasible,
            "{tasks:?}"
        );
    }
}

#[test]
fn maximal_lags_can_make_a_sum_of_demands_infeasible() {
    // Three tasks of 2 on one machine, the last of which must start within 3 of the first.
    let within = |most: i64| {
        let mut tasks = Tasks {
            tasks: vec![task(2, 0, vec![(0, 1, false)]); 3],
            capacities: vec![1],
            horizon: 20,
            ..Tasks::default()
        };
        for (from, to) in [(0, 1), (1, 2), (0, 2), (1, 0), (2, 1), (2, 0)] {
            let lag = Lag {
                from: Point::Start(from),
                to: Point::Start(to),
                least: -most,
            };
            tasks.lags.push(lag);
        }
        answer(&tasks)
    };
    assert_eq!(within(3), Outcome::Infeasible);
    assert!(matches!(within(4), Outcome::Optimal(s) if s.makespan == 6));
}

#[test]
fn the_largest_times_do_not_overflow() {
    let half = TIME_MAX / 2 - 1;
    let mut tasks = Tasks {
        tasks: vec![
            task(half, 0, vec![(0, 1, false)]),
            task(half, 1, vec![(0, 1, false)]),
        ],
        capacities: vec![1],
        horizon: TIME_MAX,
        ..Tasks::default()
    };
    assert!(matches!(answer(&tasks), Outcome::Optimal(s) if s.makespan == 2 * half));
    for (from, to) in [
        (Point::End(0), Point::Start(1)),
        (Point::End(1), Point::Start(0)),
    ] {
        tasks.lags.push(Lag {
            from,
            to,
            least: TIME_MAX,
        });
    }
    assert_eq!(answer(&tasks), Outcome::Infeasible);
}

#[test]
fn circles_of_lags_are_seen_however_far_the_horizon_is() {
    let machine = |count, capacity| Tasks {
        tasks: vec![task(1_000_003, 0, vec![(0, 1, false)]); count],
        capacities: vec![capacity],
        horizon: TIME_MAX,
        ..Tasks::default()
    };
    let lag = |from, to, least| Lag { from, to, least };
    let mut given = machine(2, 2);
    given.lags.push(lag(Point::Start(0), Point::Start(1), 5));
    given.lags.push(lag(Point::Start(1), Point::Start(0), -4));
    assert_eq!(answer(&given), Outcome::Infeasible);
    // Three tasks, one at a time, each to start within a little less than two durations of each
    // other.
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
    let tasks = Tasks {
        tasks: (1..9)
            .map(|n| task(n, 0, vec![(0, 2 + n % 3, false)]))
            .collect(),
        capacities: vec![7],
        horizon: 100,
        ..Tasks::default()
    };
    let (Outcome::Optimal(best), _, _) = heard(&tasks, None, u64::MAX) else {
        panic!("it is small")
    };
    let (again, _, ear) = heard(&tasks, Some(&best), 0);
    assert_eq!(ear.makespans.last(), Some(&best.makespan));
    assert!(
        matches!(again, Outcome::Optimal(s) | Outcome::Feasible(s, _) if s.makespan == best.makespan)
    );
    let nonsense = Schedule {
        starts: vec![0; 8],
        ends: vec![1; 8],
        makespan: 1,
    };
    let (Outcome::Optimal(warmed), _, _) = heard(&tasks, Some(&nonsense), u64::MAX) else {
        panic!("it is small")
    };
    assert_eq!(warmed.makespan, best.makespan);
}
