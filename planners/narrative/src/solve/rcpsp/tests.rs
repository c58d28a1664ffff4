//! Schedules against brute force, by a checker of their own.

mod cases;

use super::{Beat, Demand, Effort, Lag, Listener, Outcome, Point, Schedule, Task, Tasks, solve};
use proptest::prelude::*;

/// Follows a search for so many conflicts, and remembers what it was told.
struct Ear {
    conflicts: u64,
    makespans: Vec<i64>,
    bounds: Vec<i64>,
}

impl Listener for Ear {
    fn go_on(&mut self, beat: Beat) -> bool {
        if beat == Beat::Conflict && self.conflicts > 0 {
            self.conflicts -= 1;
            return true;
        }
        beat == Beat::Work
    }

    fn improved(&mut self, schedule: &Schedule) {
        self.makespans.push(schedule.makespan);
    }

    fn proved(&mut self, bound: i64) {
        self.bounds.push(bound);
    }
}

fn heard(tasks: &Tasks, warm: Option<&Schedule>, conflicts: u64) -> (Outcome, Effort, Ear) {
    let mut ear = Ear {
        conflicts,
        makespans: Vec::new(),
        bounds: Vec::new(),
    };
    let (outcome, effort) = solve(tasks, warm, &mut ear);
    (outcome, effort, ear)
}

fn answer(tasks: &Tasks) -> Outcome {
    heard(tasks, None, u64::MAX).0
}

/// Whether times keep all rules, moment by moment; shares nothing with the code under test.
fn legal(tasks: &Tasks, starts: &[i64], ends: &[i64]) -> bool {
    let time = |point: Point| match point {
        Point::Start(task) => starts[task],
        Point::End(task) => ends[task],
    };
    let fits = |(task, rules): (usize, &Task)| {
        let lasts = ends[task] - starts[task];
        let latest = rules.deadline.unwrap_or(tasks.horizon).min(tasks.horizon);
        (rules.shortest..=rules.longest).contains(&lasts)
            && starts[task] >= rules.release.max(0)
            && ends[task] <= latest
    };
    let held = |resource: usize, moment: i64| -> i64 {
        let one = |(task, rules): (usize, &Task)| -> i64 {
            let demands = rules.demands.iter().filter(|d| d.resource == resource);
            let on = |d: &&Demand| starts[task] <= moment && (d.consumed || moment < ends[task]);
            demands.filter(on).map(|d| d.amount).sum()
        };
        tasks.tasks.iter().enumerate().map(one).sum()
    };
    tasks.tasks.iter().enumerate().all(fits)
        && tasks
            .lags
            .iter()
            .all(|lag| time(lag.to) - time(lag.from) >= lag.least)
        && (0..tasks.capacities.len())
            .all(|r| (0..=tasks.horizon).all(|t| held(r, t) <= tasks.capacities[r]))
}

/// The least makespan of all legal times, by trying them.
fn brute(tasks: &Tasks) -> Option<i64> {
    let mut best = None;
    let (mut starts, mut ends) = (Vec::new(), Vec::new());
    extend(tasks, (&mut starts, &mut ends), &mut best);
    best
}

fn extend(tasks: &Tasks, times: (&mut Vec<i64>, &mut Vec<i64>), best: &mut Option<i64>) {
    let (starts, ends) = times;
    let Some(task) = tasks.tasks.get(starts.len()) else {
        if legal(tasks, starts, ends) {
            let makespan = ends.iter().copied().max().unwrap_or(0);
            *best = Some(best.map_or(makespan, |best: i64| best.min(makespan)));
        }
        return;
    };
    for start in 0..=tasks.horizon {
        for lasts in task.shortest..=task.longest {
            if start + lasts <= tasks.horizon {
                starts.push(start);
                ends.push(start + lasts);
                extend(tasks, (starts, ends), best);
                starts.pop();
                ends.pop();
            }
        }
    }
}

fn task(shortest: i64, more: i64, demands: Vec<(usize, i64, bool)>) -> Task {
    let demand = |(resource, amount, consumed)| Demand {
        resource,
        amount,
        consumed,
    };
    Task {
        shortest,
        longest: shortest + more,
        demands: demands.into_iter().map(demand).collect(),
        ..Task::default()
    }
}

prop_compose! {
    fn any_task(more: i64)(
        shortest in 0..4_i64,
        more in 0..=more,
        first in prop::option::of((0..4_i64, prop::bool::weighted(0.1))),
        second in prop::option::of((0..3_i64, prop::bool::weighted(0.1))),
        release in prop_oneof![4 => Just(0), 1 => 0..4_i64],
        deadline in prop_oneof![4 => Just(None), 1 => (3..8_i64).prop_map(Some)],
    ) -> Task {
        let first = first.map(|(amount, consumed)| (0, amount, consumed));
        let second = second.map(|(amount, consumed)| (1, amount, consumed));
        let demands = first.into_iter().chain(second).collect();
        Task { release, deadline, ..task(shortest, more, demands) }
    }
}

prop_compose! {
    fn any_tasks(count: usize, more: i64)(
        tasks in prop::collection::vec(any_task(more), 0..=count),
        lags in prop::collection::vec(((0..count, any::<bool>()), (0..count, any::<bool>()), -4..3_i64), 0..5),
        capacities in (1..5_i64, 0..4_i64),
        horizon in 4..9_i64,
    ) -> Tasks {
        let point = |(task, end)| if end { Point::End(task) } else { Point::Start(task) };
        let known = lags.into_iter().filter(|((from, _), (to, _), _)| from.max(to) < &tasks.len());
        let lags = known.map(|(from, to, least)| Lag { from: point(from), to: point(to), least });
        let lags = lags.collect();
        Tasks { tasks, lags, capacities: vec![capacities.0, capacities.1], horizon }
    }
}

fn check(tasks: &Tasks) -> Result<(), TestCaseError> {
    let best = brute(tasks);
    match answer(tasks) {
        Outcome::Optimal(schedule) => {
            prop_assert!(
                legal(tasks, &schedule.starts, &schedule.ends),
                "{schedule:?}"
            );
            prop_assert_eq!(
                schedule.ends.iter().copied().max().unwrap_or(0),
                schedule.makespan
            );
            prop_assert_eq!(Some(schedule.makespan), best);
        }
        Outcome::Infeasible => prop_assert_eq!(None, best),
        other => prop_assert!(false, "nobody stopped it: {other:?}"),
    }
    Ok(())
}

proptest! {
    /// Lags of any sign between any ends, releases, deadlines, two resources, consumption.
    #[test]
    fn makespans_are_those_of_brute_force(tasks in any_tasks(4, 0)) {
        check(&tasks)?;
    }

    #[test]
    fn durations_that_are_ours_to_choose_are_chosen_well(tasks in any_tasks(3, 2)) {
        check(&tasks)?;
    }

    /// The same times in another unit.
    #[test]
    fn the_unit_of_time_does_not_matter(tasks in any_tasks(5, 2), unit in 2..50_000_i64) {
        let mut fine = tasks.clone();
        fine.horizon = fine.horizon * unit + unit / 2;
        for task in &mut fine.tasks {
            task.shortest *= unit;
            task.longest *= unit;
            task.release *= unit;
            task.deadline = task.deadline.map(|deadline| deadline * unit + unit - 1);
        }
        for lag in &mut fine.lags {
            lag.least *= unit;
        }
        let makespan = |outcome| match outcome {
            Outcome::Optimal(schedule) => Some(schedule.makespan),
            _ => None,
        };
        let (fine, coarse) = (makespan(answer(&fine)), makespan(answer(&tasks)));
        prop_assert_eq!(fine, coarse.map(|makespan| makespan * unit));
    }

    /// Tasks in another order, a horizon that is one too short, and one that just suffices: three
    /// other searches, some of many conflicts.
    #[test]
    fn the_order_of_tasks_does_not_matter_and_nothing_shorter_exists(
        tasks in prop::collection::vec((1..7_i64, 1..4_i64, 0..3_i64), 7..10),
        lags in prop::collection::vec((0..7_usize, 0..7_usize), 4),
    ) {
        let both = |(lasts, a, b)| task(lasts, 0, vec![(0, a, false), (1, b, false)]);
        let rising = lags.into_iter().filter(|(from, to)| from < to);
        let lag = |(from, to)| Lag { from: Point::End(from), to: Point::Start(to), least: 0 };
        let tasks = Tasks {
            tasks: tasks.into_iter().map(both).collect(),
            lags: rising.map(lag).collect(),
            capacities: vec![4, 3],
            horizon: 90,
        };
        let Outcome::Optimal(best) = answer(&tasks) else {
            return Err(TestCaseError::fail("there is time enough"));
        };
        prop_assert!(legal(&tasks, &best.starts, &best.ends));
        let last = tasks.tasks.len() - 1;
        let turn = |point| match point {
            Point::Start(task) => Point::Start(last - task),
            Point::End(task) => Point::End(last - task),
        };
        let mut turned = tasks.clone();
        turned.tasks.reverse();
        for lag in &mut turned.lags {
            (lag.from, lag.to) = (turn(lag.from), turn(lag.to));
        }
        let again = answer(&turned);
        prop_assert!(matches!(again, Outcome::Optimal(s) if s.makespan == best.makespan));
        let shorter = Tasks { horizon: best.makespan - 1, ..tasks.clone() };
        prop_assert_eq!(answer(&shorter), Outcome::Infeasible);
        let just = Tasks { horizon: best.makespan, ..tasks };
        prop_assert!(matches!(answer(&just), Outcome::Optimal(s) if s.makespan == best.makespan));
    }

    /// Offers improve, bounds rise, and a limit of conflicts is exact; claims of a stopped search
    /// agree with those of a finished one.
    #[test]
    fn limits_are_kept_and_what_was_said_until_then_is_true(
        tasks in any_tasks(12, 1),
        limit in 0..12_u64,
    ) {
        let tasks = Tasks { horizon: 40, ..tasks };
        let (outcome, effort, ear) = heard(&tasks, None, limit);
        prop_assert!(effort.conflicts <= limit);
        prop_assert!(ear.makespans.is_sorted_by(|a, b| a > b));
        prop_assert!(ear.bounds.is_sorted_by(|a, b| a < b));
        prop_assert_eq!(&outcome, &heard(&tasks, None, limit).0, "twice the same");
        let end = heard(&tasks, None, 50_000).0;
        let Outcome::Optimal(best) = end else {
            prop_assert!(!matches!(outcome, Outcome::Optimal(_)));
            return Ok(());
        };
        prop_assert!(ear.bounds.iter().all(|bound| *bound <= best.makespan));
        match outcome {
            Outcome::Optimal(schedule) => prop_assert_eq!(schedule.makespan, best.makespan),
            Outcome::Feasible(schedule, bound) => {
                prop_assert!(legal(&tasks, &schedule.starts, &schedule.ends));
                prop_assert!(bound <= best.makespan && best.makespan <= schedule.makespan);
            }
            Outcome::Unknown(bound) => prop_assert!(bound <= best.makespan),
            Outcome::Infeasible => prop_assert!(false, "there is a schedule"),
        }
    }
}
