//! Several modes for each activity, and the genetic algorithm, against brute force.

use super::{any_project, brute, heard, legal};
use crate::rcpsp::{
    Activity, Demand, Lag, Mode, Outcome, Point, Population, Project, Schedule, broken,
};
use proptest::prelude::*;

/// The project in which each activity has one of its modes; shares nothing with the code under
/// test.
fn chosen(project: &Project, modes: &[usize]) -> Project {
    let mut chosen = project.clone();
    for (activity, mode) in chosen.activities.iter_mut().zip(modes) {
        let all = std::mem::take(&mut activity.modes);
        let Some(mode) = all.get(*mode) else {
            continue;
        };
        (activity.shortest, activity.longest) = (mode.duration, mode.duration);
        for demand in &mode.demands {
            let mut own = activity.demands.iter_mut();
            match own.find(|own| own.resource == demand.resource) {
                Some(own) => own.amount += demand.amount,
                None => activity.demands.push(*demand),
            }
        }
    }
    chosen
}

/// The least makespan of all modes and all legal times.
fn brute_modes(project: &Project) -> Option<i64> {
    let mut combinations = vec![Vec::new()];
    for activity in &project.activities {
        let longer = |modes: &Vec<usize>| -> Vec<Vec<usize>> {
            let all = 0..activity.modes.len().max(1);
            all.map(|mode| [&modes[..], &[mode]].concat()).collect()
        };
        combinations = combinations.iter().flat_map(longer).collect();
    }
    let all = combinations.iter();
    all.filter_map(|modes| brute(&chosen(project, modes))).min()
}

fn is_legal(project: &Project, schedule: &Schedule) -> bool {
    let project = chosen(project, &schedule.modes);
    legal(&project, &schedule.starts, &schedule.ends)
}

prop_compose! {
    fn any_modes()(
        modes in prop::collection::vec((0..4_i64, 0..4_i64, 0..4_i64), 0..4),
    ) -> Vec<Mode> {
        let demand = |resource, amount| Demand { resource, amount, consumed: false };
        let mode = |(duration, first, second)| Mode {
            duration,
            demands: vec![demand(0, first), demand(1, second)],
        };
        modes.into_iter().map(mode).collect()
    }
}

prop_compose! {
    fn any_modal(count: usize)(
        project in any_project(count, 0),
        modes in prop::collection::vec(any_modes(), count),
    ) -> Project {
        let with_modes = |(activity, modes)| {
            let Activity { shortest, longest, .. } = activity;
            let durations = |mode: &Mode| mode.duration;
            let modes: Vec<Mode> = modes;
            let mut demands: Vec<Demand> = activity.demands;
            for demand in &mut demands {
                demand.consumed &= modes.is_empty();
            }
            let min = modes.iter().map(durations).min().unwrap_or(shortest);
            let max = modes.iter().map(durations).max().unwrap_or(longest);
            Activity { shortest: min, longest: max, modes, demands, ..activity }
        };
        let activities = project.activities.into_iter().zip(modes).map(with_modes).collect();
        Project { activities, ..project }
    }
}

proptest! {
    #[test]
    fn modes_are_chosen_as_by_brute_force(project in any_modal(3)) {
        let best = brute_modes(&project);
        match heard(&project, None, u64::MAX).0 {
            Outcome::Optimal(schedule) => {
                prop_assert!(is_legal(&project, &schedule), "{schedule:?}");
                prop_assert_eq!(broken(&project, &schedule), None);
                prop_assert_eq!(Some(schedule.makespan), best);
            }
            Outcome::Infeasible => prop_assert_eq!(None, best),
            other => prop_assert!(false, "nothing stopped it: {other:?}"),
        }
    }

    /// Schedules of the genetic algorithm are legal, never below the optimum, and the same for the
    /// same seed.
    #[test]
    fn evolved_schedules_are_legal(project in any_modal(3), seed in any::<u64>()) {
        let project = Project { horizon: 12, ..project };
        let evolved = || {
            let mut population = Population::new(&project, seed)?;
            population.evolve(120, i64::MAX, &mut |_| true)
        };
        if let Some(schedule) = evolved() {
            prop_assert!(is_legal(&project, &schedule), "{schedule:?}");
            let again = evolved();
            prop_assert_eq!(again.as_ref(), Some(&schedule));
            let Outcome::Optimal(best) = heard(&project, None, u64::MAX).0 else {
                return Err(TestCaseError::fail("it has a schedule"));
            };
            prop_assert!(best.makespan <= schedule.makespan);
        }
    }
}

/// In its long mode the first activity would have to end before the second starts, and the second
/// to start before the first.
#[test]
fn modes_in_which_lags_form_a_cycle_are_avoided() {
    let mode = |duration| Mode {
        duration,
        demands: Vec::new(),
    };
    let first = Activity {
        shortest: 1,
        longest: 5,
        modes: vec![mode(1), mode(5)],
        ..Activity::default()
    };
    let lag = |from, to, least| Lag { from, to, least };
    let project = Project {
        activities: vec![first, Activity::default()],
        lags: vec![
            lag(Point::End(0), Point::Start(1), -3),
            lag(Point::Start(1), Point::Start(0), 0),
        ],
        horizon: 20,
        ..Project::default()
    };
    let mut population = Population::new(&project, 1).expect("in short modes there is no cycle");
    let schedule = population.evolve(100, i64::MAX, &mut |_| true);
    assert_eq!(schedule.map(|schedule| schedule.makespan), Some(1));
}
