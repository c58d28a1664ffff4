//! Schedules against brute force, by a checker of their own.

mod cases;
mod modes;

use super::post::{disjunctive_pairs, held};
use super::{
    Activity, Checkpoint, Demand, Effort, Lag, Listener, Outcome, Point, Project, Schedule, solve,
};
use proptest::prelude::*;

/// Follows a search for a number of conflicts, and remembers what it heard.
struct Ear {
    conflicts: u64,
    makespans: Vec<i64>,
    bounds: Vec<i64>,
}

impl Listener for Ear {
    fn go_on(&mut self, checkpoint: Checkpoint) -> bool {
        if checkpoint == Checkpoint::Conflict && self.conflicts > 0 {
            self.conflicts -= 1;
            return true;
        }
        checkpoint == Checkpoint::Work
    }

    fn improved(&mut self, schedule: &Schedule) {
        self.makespans.push(schedule.makespan);
    }

    fn proved(&mut self, bound: i64) {
        self.bounds.push(bound);
    }
}

fn heard(project: &Project, warm: Option<&Schedule>, conflicts: u64) -> (Outcome, Effort, Ear) {
    let mut ear = Ear {
        conflicts,
        makespans: Vec::new(),
        bounds: Vec::new(),
    };
    let (outcome, effort) = solve(project, warm, &mut ear);
    (outcome, effort, ear)
}

fn answer(project: &Project) -> Outcome {
    heard(project, None, u64::MAX).0
}

/// Whether times keep all rules, moment by moment; shares nothing with the code under test.
fn legal(project: &Project, starts: &[i64], ends: &[i64]) -> bool {
    let time = |point: Point| match point {
        Point::Start(activity) => starts[activity],
        Point::End(activity) => ends[activity],
    };
    let fits = |activity: usize| {
        let rules = &project.activities[activity];
        let lasts = ends[activity] - starts[activity];
        let latest = rules
            .deadline
            .unwrap_or(project.horizon)
            .min(project.horizon);
        (rules.shortest..=rules.longest).contains(&lasts)
            && starts[activity] >= rules.release.max(0)
            && ends[activity] <= latest
    };
    let held = |resource: usize, moment: i64| -> i64 {
        let one = |activity: usize| -> i64 {
            let rules = &project.activities[activity];
            let demands = rules.demands.iter().filter(|d| d.resource == resource);
            let on =
                |d: &&Demand| starts[activity] <= moment && (d.consumed || moment < ends[activity]);
            demands.filter(on).map(|d| d.amount).sum()
        };
        (0..project.activities.len()).map(one).sum()
    };
    (0..project.activities.len()).all(fits)
        && project
            .lags
            .iter()
            .all(|lag| time(lag.to) - time(lag.from) >= lag.least)
        && (0..project.capacities.len())
            .all(|r| (0..=project.horizon).all(|t| held(r, t) <= project.capacities[r]))
}

/// The least makespan of all legal times, by trying them.
fn brute(project: &Project) -> Option<i64> {
    let mut best = None;
    let (mut starts, mut ends) = (Vec::new(), Vec::new());
    extend(project, (&mut starts, &mut ends), &mut best);
    best
}

fn extend(project: &Project, times: (&mut Vec<i64>, &mut Vec<i64>), best: &mut Option<i64>) {
    let (starts, ends) = times;
    let Some(activity) = project.activities.get(starts.len()) else {
        if legal(project, starts, ends) {
            let makespan = ends.iter().copied().max().unwrap_or(0);
            *best = Some(best.map_or(makespan, |best: i64| best.min(makespan)));
        }
        return;
    };
    for start in 0..=project.horizon {
        for lasts in activity.shortest..=activity.longest {
            if start + lasts <= project.horizon {
                starts.push(start);
                ends.push(start + lasts);
                extend(project, (starts, ends), best);
                starts.pop();
                ends.pop();
            }
        }
    }
}

fn activity(shortest: i64, more: i64, demands: Vec<(usize, i64, bool)>) -> Activity {
    let demand = |(resource, amount, consumed)| Demand {
        resource,
        amount,
        consumed,
    };
    Activity {
        shortest,
        longest: shortest + more,
        demands: demands.into_iter().map(demand).collect(),
        ..Activity::default()
    }
}

prop_compose! {
    fn any_activity(more: i64)(
        shortest in 0..4_i64,
        more in 0..=more,
        first in prop::option::of((0..4_i64, prop::bool::weighted(0.1))),
        second in prop::option::of((0..3_i64, prop::bool::weighted(0.1))),
        release in prop_oneof![4 => Just(0), 1 => 0..4_i64],
        deadline in prop_oneof![4 => Just(None), 1 => (3..8_i64).prop_map(Some)],
    ) -> Activity {
        let first = first.map(|(amount, consumed)| (0, amount, consumed));
        let second = second.map(|(amount, consumed)| (1, amount, consumed));
        let demands = first.into_iter().chain(second).collect();
        Activity { release, deadline, ..activity(shortest, more, demands) }
    }
}

prop_compose! {
    fn any_project(count: usize, more: i64)(
        activities in prop::collection::vec(any_activity(more), 0..=count),
        lags in prop::collection::vec(
            ((0..count, any::<bool>()), (0..count, any::<bool>()), -4..3_i64),
            0..5,
        ),
        capacities in (1..5_i64, 0..4_i64),
        horizon in 4..9_i64,
    ) -> Project {
        let point = |(at, end)| if end { Point::End(at) } else { Point::Start(at) };
        let count = activities.len();
        let known = lags.into_iter().filter(|((from, _), (to, _), _)| *from.max(to) < count);
        let lags = known.map(|(from, to, least)| Lag { from: point(from), to: point(to), least });
        let lags = lags.collect();
        Project { activities, lags, capacities: vec![capacities.0, capacities.1], horizon }
    }
}

fn check(project: &Project) -> Result<(), TestCaseError> {
    let best = brute(project);
    match answer(project) {
        Outcome::Optimal(schedule) => {
            prop_assert!(
                legal(project, &schedule.starts, &schedule.ends),
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
    fn makespans_are_those_of_brute_force(project in any_project(4, 0)) {
        check(&project)?;
    }

    #[test]
    fn durations_that_are_ours_to_choose_are_chosen_well(project in any_project(3, 2)) {
        check(&project)?;
    }

    /// The same times in another unit.
    #[test]
    fn the_unit_of_time_does_not_matter(project in any_project(5, 2), unit in 2..50_000_i64) {
        let mut fine = project.clone();
        fine.horizon = fine.horizon * unit + unit / 2;
        for activity in &mut fine.activities {
            activity.shortest *= unit;
            activity.longest *= unit;
            activity.release *= unit;
            activity.deadline = activity.deadline.map(|deadline| deadline * unit + unit - 1);
        }
        for lag in &mut fine.lags {
            lag.least *= unit;
        }
        let makespan = |outcome| match outcome {
            Outcome::Optimal(schedule) => Some(schedule.makespan),
            _ => None,
        };
        let (fine, coarse) = (makespan(answer(&fine)), makespan(answer(&project)));
        prop_assert_eq!(fine, coarse.map(|makespan| makespan * unit));
    }

    /// Activities in another order, a horizon that is one too short, and one that just suffices:
    /// three other searches, some of many conflicts.
    #[test]
    fn the_order_of_tasks_does_not_matter_and_nothing_shorter_exists(
        activities in prop::collection::vec((1..7_i64, 1..4_i64, 0..3_i64), 7..10),
        lags in prop::collection::vec((0..7_usize, 0..7_usize), 4),
    ) {
        let both = |(lasts, a, b)| activity(lasts, 0, vec![(0, a, false), (1, b, false)]);
        let rising = lags.into_iter().filter(|(from, to)| from < to);
        let lag = |(from, to)| Lag { from: Point::End(from), to: Point::Start(to), least: 0 };
        let project = Project {
            activities: activities.into_iter().map(both).collect(),
            lags: rising.map(lag).collect(),
            capacities: vec![4, 3],
            horizon: 90,
        };
        let Outcome::Optimal(best) = answer(&project) else {
            return Err(TestCaseError::fail("there is time enough"));
        };
        prop_assert!(legal(&project, &best.starts, &best.ends));
        let last = project.activities.len() - 1;
        let turn = |point| match point {
            Point::Start(activity) => Point::Start(last - activity),
            Point::End(activity) => Point::End(last - activity),
        };
        let mut turned = project.clone();
        turned.activities.reverse();
        for lag in &mut turned.lags {
            (lag.from, lag.to) = (turn(lag.from), turn(lag.to));
        }
        let again = answer(&turned);
        prop_assert!(matches!(again, Outcome::Optimal(s) if s.makespan == best.makespan));
        let shorter = Project { horizon: best.makespan - 1, ..project.clone() };
        prop_assert_eq!(answer(&shorter), Outcome::Infeasible);
        let just = Project { horizon: best.makespan, ..project };
        prop_assert!(matches!(answer(&just), Outcome::Optimal(s) if s.makespan == best.makespan));
    }

    /// Offers improve, bounds rise, and a limit of conflicts is exact; claims of a stopped search
    /// agree with those of a finished one.
    #[test]
    fn limits_are_kept_and_what_was_said_until_then_is_true(
        project in any_project(12, 1),
        limit in 0..12_u64,
    ) {
        let project = Project { horizon: 40, ..project };
        let (outcome, effort, ear) = heard(&project, None, limit);
        prop_assert!(effort.conflicts <= limit);
        prop_assert!(ear.makespans.is_sorted_by(|a, b| a > b));
        prop_assert!(ear.bounds.is_sorted_by(|a, b| a < b));
        prop_assert_eq!(&outcome, &heard(&project, None, limit).0, "twice the same");
        let end = heard(&project, None, 50_000).0;
        let Outcome::Optimal(best) = end else {
            prop_assert!(!matches!(outcome, Outcome::Optimal(_)));
            return Ok(());
        };
        prop_assert!(ear.bounds.iter().all(|bound| *bound <= best.makespan));
        match outcome {
            Outcome::Optimal(schedule) => prop_assert_eq!(schedule.makespan, best.makespan),
            Outcome::Feasible(schedule, bound) => {
                prop_assert!(legal(&project, &schedule.starts, &schedule.ends));
                prop_assert!(bound <= best.makespan && best.makespan <= schedule.makespan);
            }
            Outcome::Unknown(bound) => prop_assert!(bound <= best.makespan),
            Outcome::Infeasible => prop_assert!(false, "there is a schedule"),
        }
    }
}

#[test]
fn disjunctive_pairs_are_those_that_exceed_a_capacity_until_stopped() {
    let activity = |amount| Activity {
        shortest: 1,
        longest: 1,
        demands: vec![Demand {
            resource: 0,
            amount,
            consumed: false,
        }],
        ..Activity::default()
    };
    let project = Project {
        activities: [3, 2, 4, 1, 3].map(activity).to_vec(),
        capacities: vec![5],
        horizon: 10,
        ..Project::default()
    };
    let held: Vec<Vec<i64>> = { project.activities.iter() }
        .map(|activity| held(&project, activity))
        .collect();
    let found = |mut left: usize| {
        let mut go_on = || {
            left = left.saturating_sub(1);
            left > 0
        };
        disjunctive_pairs(&project, &held, &[None; 5], &mut go_on)
    };
    let all = [[0, 2], [1, 2], [0, 4], [2, 4]];
    assert_eq!(found(usize::MAX), all);
    // Stopped before the last activity.
    assert_eq!(found(5), all[..2]);
    assert_eq!(found(1), [[0; 2]; 0]);
}
