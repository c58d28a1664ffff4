//! Stories in which nothing varies: their makespan is proved least, against brute force over all
//! times.

use crate::searched::searched;
use crate::verify_stories::{link, needs};
use anytime::{Conclusion, Record};
use narrative::generate::suite1;
use narrative::problem::{
    Activity, Contingent, Demand, Link, Node, Objective, Progress, Resource, Spec,
};
use narrative::solve::Params;
use narrative::{Answer, Cost, Narrative};
use proptest::prelude::*;

/// Latest time of brute force.
const HORIZON: i64 = 7;

fn heard(spec: &Spec, iterations: u64) -> Record<Answer, Cost> {
    let narrative = Narrative::new(spec.clone()).expect("the story is valid");
    searched(&narrative, &Params::default(), iterations)
}

/// Whether times keep the story, moment by moment; nodes from `times.len()` on are not looked at.
fn legal(spec: &Spec, times: &[i64]) -> bool {
    let known = |node: Node| times.get(node).copied();
    let links = spec
        .links
        .iter()
        .all(|link| match (known(link.from), known(link.to)) {
            (Some(from), Some(to)) => {
                link.lower_us.is_none_or(|lower| to - from >= lower)
                    && link.upper_us.is_none_or(|upper| to - from <= upper)
            }
            _ => true,
        });
    let fits = |resource: usize, moment: i64| {
        // Twice the moment, so that there is something between two of them.
        let held = |activity: &Activity| -> u32 {
            let (Some(start), Some(end)) = (known(activity.start), known(activity.end)) else {
                return 0;
            };
            let demands = activity.demands.iter();
            let here = demands.filter(|demand| {
                let running = 2 * start <= moment && (demand.consumed || moment < 2 * end);
                demand.resource == resource && running
            });
            here.map(|demand| demand.amount).sum()
        };
        spec.activities.iter().map(held).sum::<u32>() <= spec.resources[resource].capacity
    };
    links && (0..spec.resources.len()).all(|r| (0..=2 * HORIZON).all(|moment| fits(r, moment)))
}

/// The least time of the last event, by trying all times.
fn brute(spec: &Spec, times: &mut Vec<i64>) -> Option<i64> {
    if times.len() > spec.events {
        return times.iter().max().copied();
    }
    let node = times.len();
    let happened = spec.progress.happened.iter().find(|(n, _)| *n == node);
    let range = match happened {
        Some((_, time)) => *time..=*time,
        None => spec.progress.now_us..=HORIZON,
    };
    let mut best: Option<i64> = None;
    for time in range {
        times.push(time);
        if legal(spec, times)
            && let Some(found) = brute(spec, times)
        {
            best = Some(best.map_or(found, |best| best.min(found)));
        }
        times.pop();
    }
    best
}

fn activity(start: Node, end: Node, demands: Vec<Demand>) -> Activity {
    Activity::new(start, end, demands)
}

/// Up to three activities of one or two events each, with lags of all kinds, in the middle of the
/// story or not.
fn small() -> impl Strategy<Value = Spec> {
    let event = 1_usize..=5;
    let act = (event.clone(), event.clone(), 1_i64..3, 0_i64..4);
    let demands = (1_u32..3, 0_u32..2, prop::bool::weighted(0.1));
    let acts = prop::collection::vec((act, demands), 2..4);
    let lags = prop::collection::vec((0_usize..=5, event, -4_i64..2, 2_i64..8), 0..3);
    let progress = (0_i64..3, prop::option::weighted(0.3, 0_i64..2));
    (acts, lags, progress).prop_map(|(acts, lags, (now_us, begun))| {
        let mut spec = Spec {
            events: 5,
            resources: vec![Resource { capacity: 2 }, Resource { capacity: 1 }],
            horizon_us: Some(HORIZON),
            objective: Objective::makespan(3),
            ..Spec::default()
        };
        for ((start, end, lower, more), (first, second, consumed)) in acts {
            let end = if start == end { start % 5 + 1 } else { end };
            spec.links.push(link(start, end, lower, lower + more));
            let mut demands = vec![Demand {
                consumed,
                ..needs(0, first)
            }];
            demands.extend((second > 0).then(|| needs(1, second)));
            spec.activities.push(activity(start, end, demands));
        }
        for (from, to, lower, more) in lags {
            if from != to {
                spec.links.push(link(from, to, lower, lower + more));
            }
        }
        let time = begun.filter(|time| *time <= now_us);
        spec.progress = Progress {
            now_us,
            happened: time.map(|time| (1, time)).into_iter().collect(),
            ..Progress::default()
        };
        spec
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_makespan_is_least_and_proved(spec in small()) {
        // What has happened may break rules by itself.
        prop_assume!(Narrative::new(spec.clone()).is_ok());
        let heard = heard(&spec, 100_000);
        let least = brute(&spec, &mut vec![0]);
        match least {
            Some(least) => {
                prop_assert_eq!(heard.conclusion, Conclusion::Optimal);
                let cost = Cost::Weighted(3 * i128::from(least));
                prop_assert_eq!(heard.cost(), Some(cost));
                prop_assert!(heard.bounds.iter().all(|(bound, _)| *bound <= cost));
            }
            None => prop_assert_eq!(heard.conclusion, Conclusion::Infeasible),
        }
    }
}

/// Jobs of these microseconds, each with an event for its start and one for its end.
fn project(jobs: &[(i64, u32)], before: &[(usize, usize)], capacity: u32) -> Spec {
    let start = |job: usize| 2 * job + 1;
    let mut spec = Spec {
        events: 2 * jobs.len(),
        resources: vec![Resource { capacity }],
        objective: Objective::makespan(1),
        ..Spec::default()
    };
    for (job, (lasts, amount)) in jobs.iter().enumerate() {
        spec.links
            .push(link(start(job), start(job) + 1, *lasts, *lasts));
        let demands = vec![needs(0, *amount)];
        spec.activities
            .push(activity(start(job), start(job) + 1, demands));
    }
    let follows = |(first, second): &(usize, usize)| Link {
        from: start(*first) + 1,
        to: start(*second),
        lower_us: Some(0),
        upper_us: None,
    };
    spec.links.extend(before.iter().map(follows));
    spec
}

/// Twelve jobs of 3 to 9 us that need 2 to 5 of 7, in three chains.
fn dozen() -> Spec {
    let jobs: Vec<(i64, u32)> = (0..12)
        .map(|job| (3 + (job * 5) % 7, 2 + (job as u32 * 3) % 4))
        .collect();
    let before: Vec<(usize, usize)> = (0..9).map(|job| (job, job + 3)).collect();
    project(&jobs, &before, 7)
}

#[test]
fn a_project_is_proved_optimal_with_rising_bounds() {
    let heard = heard(&dozen(), 100_000);
    assert_eq!(heard.conclusion, Conclusion::Optimal);
    let last = heard.cost();
    assert_eq!(heard.bound(), last);
    assert!(heard.bounds.is_sorted());
}

#[test]
fn a_search_that_is_cut_off_leaves_a_plan_and_a_bound() {
    let heard = heard(&dozen(), 0);
    assert!(!heard.offers.is_empty());
    let best = heard.cost();
    assert!(heard.bound() <= best);
    assert!(matches!(
        heard.conclusion,
        Conclusion::Optimal | Conclusion::Stopped(_)
    ));
}

#[test]
fn moments_that_take_no_time_are_still_kept_apart() {
    // A moment inside of a job needs what the job has: it has to be at its edge.
    let mut spec = project(&[(4, 1), (0, 1)], &[], 1);
    spec.links.push(link(1, 3, 1, 3));
    assert_eq!(heard(&spec, 10_000).conclusion, Conclusion::Infeasible);
    spec.links.push(link(1, 3, 0, 4));
    spec.links.remove(2);
    let heard = heard(&spec, 10_000);
    assert_eq!(heard.conclusion, Conclusion::Optimal);
    assert_eq!(heard.cost(), Some(Cost::Weighted(4)));
}

#[test]
fn orders_guessed_from_the_longest_durations_bear_all_others() {
    let mut plans = 0;
    for index in (0..120).step_by(3) {
        let heard = heard(suite1(1, index).spec(), 300);
        // Verified as they were heard.
        plans += usize::from(matches!(heard.offers.last(), Some((Answer::Plan(_), _))));
    }
    assert!(plans > 20, "{plans}");
}

#[test]
fn what_is_sure_with_the_longest_durations_only_is_said() {
    // The second act follows a duration that others pick: the longest is more than the first act
    // takes, the shortest is less.
    let spec = Spec {
        events: 5,
        links: vec![
            link(1, 2, 5, 5),
            link(3, 4, 0, 20),
            link(4, 5, 1, 1),
            link(0, 1, 0, 20),
        ],
        contingent: vec![Contingent::new(1, 3, 2, 10)],
        activities: vec![
            activity(1, 2, vec![needs(0, 1)]),
            activity(4, 5, vec![needs(0, 1)]),
        ],
        resources: vec![Resource { capacity: 1 }],
        ..Spec::default()
    };
    let heard = heard(&spec, 1_000);
    assert_eq!(heard.conclusion, Conclusion::Optimal);
    let Some((Answer::Plan(plan), _)) = heard.offers.last() else {
        panic!("{:?}", heard.offers);
    };
    assert_eq!(plan.policies[0].order, [(0, 1)]);
}
