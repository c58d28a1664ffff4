//! Stories in which nothing varies: their makespan is proved least, against brute force over all
//! times.

use anytime::{Conclusion, Control, Limits, Offer, Sink};
use narrative::generate::suite1;
use narrative::problem::{
    Activity, Contingent, Demand, Link, Node, Objective, Progress, Resource, Spec,
};
use narrative::solve::{Params, solve};
use narrative::{Answer, Cost, Narrative, verify};
use proptest::prelude::*;

/// Latest time of brute force.
const HORIZON: i64 = 7;

fn link(from: Node, to: Node, lower_us: i64, upper_us: i64) -> Link {
    Link {
        from,
        to,
        lower_us: Some(lower_us),
        upper_us: Some(upper_us),
    }
}

fn needs(resource: usize, amount: u32) -> Demand {
    Demand {
        resource,
        amount,
        consumed: false,
    }
}

#[derive(Default)]
struct Ear {
    answers: Vec<(Answer, Cost)>,
    bounds: Vec<Cost>,
}

impl Sink<Answer, Cost> for Ear {
    fn offer(&mut self, offer: Offer<'_, Answer, Cost>) {
        self.answers.push((offer.plan.clone(), offer.cost));
    }

    fn bound(&mut self, bound: Cost, _: &'static str) {
        self.bounds.push(bound);
    }
}

fn heard(spec: &Spec, iterations: u64) -> (Ear, Conclusion) {
    let narrative = Narrative::new(spec.clone()).expect("the story is valid");
    let mut ear = Ear::default();
    let mut control = Control::new(Limits::iterations(iterations), 1, &mut ear);
    let conclusion = solve(&narrative, &Params::default(), &mut control);
    let conclusion = conclusion.expect("the strategy is built in");
    for (answer, cost) in &ear.answers {
        assert_eq!(verify::answer(&narrative, answer), Ok(*cost));
    }
    (ear, conclusion)
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
    Activity {
        start,
        end,
        demands,
    }
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
            objective: Objective {
                makespan: 3,
                ..Objective::default()
            },
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
        let (ear, conclusion) = heard(&spec, 100_000);
        let least = brute(&spec, &mut vec![0]);
        match least {
            Some(least) => {
                prop_assert_eq!(conclusion, Conclusion::Optimal);
                let cost = Cost::Weighted(3 * i128::from(least));
                prop_assert_eq!(ear.answers.last().map(|(_, cost)| *cost), Some(cost));
                prop_assert!(ear.bounds.iter().all(|bound| *bound <= cost));
            }
            None => prop_assert_eq!(conclusion, Conclusion::Infeasible),
        }
    }
}

/// Jobs of these microseconds, each with an event for its start and one for its end.
fn project(jobs: &[(i64, u32)], before: &[(usize, usize)], capacity: u32) -> Spec {
    let start = |job: usize| 2 * job + 1;
    let mut spec = Spec {
        events: 2 * jobs.len(),
        resources: vec![Resource { capacity }],
        objective: Objective {
            makespan: 1,
            ..Objective::default()
        },
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
    let (ear, conclusion) = heard(&dozen(), 100_000);
    assert_eq!(conclusion, Conclusion::Optimal);
    let last = ear.answers.last().map(|(_, cost)| *cost);
    assert_eq!(ear.bounds.last().copied(), last);
    assert!(ear.bounds.is_sorted());
}

#[test]
fn a_search_that_is_cut_off_leaves_a_plan_and_a_bound() {
    let (ear, conclusion) = heard(&dozen(), 0);
    assert!(!ear.answers.is_empty());
    let best = ear.answers.last().map(|(_, cost)| *cost);
    assert!(ear.bounds.last().copied() <= best);
    assert!(matches!(
        conclusion,
        Conclusion::Optimal | Conclusion::Stopped(_)
    ));
}

#[test]
fn moments_that_take_no_time_are_still_kept_apart() {
    // A moment inside of a job needs what the job has: it has to be at its edge.
    let mut spec = project(&[(4, 1), (0, 1)], &[], 1);
    spec.links.push(link(1, 3, 1, 3));
    let (_, conclusion) = heard(&spec, 10_000);
    assert_eq!(conclusion, Conclusion::Infeasible);
    spec.links.push(link(1, 3, 0, 4));
    spec.links.remove(2);
    let (ear, conclusion) = heard(&spec, 10_000);
    assert_eq!(conclusion, Conclusion::Optimal);
    assert_eq!(ear.answers.last().map(|(_, c)| *c), Some(Cost::Weighted(4)));
}

#[test]
fn orders_guessed_from_the_longest_durations_bear_all_others() {
    let mut plans = 0;
    for index in (0..120).step_by(3) {
        let (ear, _) = heard(suite1(1, index).spec(), 300);
        // Verified as they were heard.
        plans += usize::from(matches!(ear.answers.last(), Some((Answer::Plan(_), _))));
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
        contingent: vec![Contingent {
            from: 1,
            to: 3,
            lower_us: 2,
            upper_us: 10,
        }],
        activities: vec![
            activity(1, 2, vec![needs(0, 1)]),
            activity(4, 5, vec![needs(0, 1)]),
        ],
        resources: vec![Resource { capacity: 1 }],
        ..Spec::default()
    };
    let (ear, conclusion) = heard(&spec, 1_000);
    assert_eq!(conclusion, Conclusion::Optimal);
    let Some((Answer::Plan(plan), _)) = ear.answers.last() else {
        panic!("{:?}", ear.answers);
    };
    assert_eq!(plan.policies[0].order, [(0, 1)]);
}
