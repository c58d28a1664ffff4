//! What is offered and claimed for problems that are nearly those of the generators passes verify,
//! and no search contradicts what another has found.
//!
//! After changes of the planner it is worth an hour of a machine: a larger range of seeds in the
//! test at the end.

use crate::mutated::{self, Draw, How};
use crate::relax::does;
use crate::searched as searches;
use allocation::explain::{relaxations, relaxed};
use allocation::insert::{insert, insertions};
use allocation::problem::{Micros, Previous, PreviousRoute, TIME_MAX_US};
use allocation::solve::Params;
use allocation::verify::certificate;
use allocation::{
    Cost, Plan, Problem, Rest, Route, Stop, certificates, impossible, infeasible_commitments,
    is_infeasible, is_partial, lower_bound, schedule, timeline, verify,
};
use anytime::Pulse;
use anytime::{Conclusion, Limits};

/// Result of a search: its offers, its bound and its conclusion.
type Outcome = (Vec<(Plan, Cost)>, Option<Cost>, Conclusion);

fn outcome(problem: &Problem, how: &How) -> Outcome {
    let limits = Limits::iterations(how.iterations);
    let found = searches::seeded(problem, &how.params, limits, how.seed);
    let bound = found.bound();
    (found.offers, bound, found.conclusion)
}

/// One search offers what verify accepts, at its cost, and the same again.
fn searched(problem: &Problem, how: &How) -> Outcome {
    let first = outcome(problem, how);
    let again = outcome(problem, how);
    assert_eq!(first, again, "{how:?}");
    first
}

/// What is claimed of all plans holds for this one. How many certificates there are.
fn holds(problem: &Problem, plan: &Plan, cost: Cost) -> usize {
    assert!(lower_bound(problem) <= cost, "{plan:?}");
    assert_eq!(
        infeasible_commitments(problem),
        Vec::<usize>::new(),
        "{plan:?}"
    );
    let whole = !is_partial(problem, plan);
    assert!(!whole || !is_infeasible(problem), "{plan:?}");
    for task in impossible(problem) {
        assert!(!does(plan, task), "{task} {plan:?}");
    }
    let certificates = certificates(problem);
    for one in &certificates {
        assert_eq!(certificate(problem, one), Ok(()), "{one:?}");
        let left_out = one.tasks.iter().filter(|task| !does(plan, **task));
        assert!(left_out.count() >= one.left_out, "{one:?} {plan:?}");
    }
    certificates.len()
}

/// The orders of a plan.
fn orders(plan: &Plan) -> Vec<(usize, Vec<usize>)> {
    let tasks = |route: &Route| route.stops.iter().map(|stop| stop.task).collect();
    let routes = plan.routes.iter();
    routes.map(|route| (route.agent, tasks(route))).collect()
}

/// What a task costs at least, put in everywhere. Of coupled problems an order says too little.
fn cheapest(problem: &Problem, plan: &Plan, task: usize) -> Option<Cost> {
    let mut least = None;
    for agent in 0..problem.agents().len() {
        let mut all = orders(plan);
        if all.iter().all(|(one, _)| *one != agent) {
            all.push((agent, Vec::new()));
            all.sort_by_key(|(one, _)| *one);
        }
        let at = all.iter().position(|(one, _)| *one == agent);
        let at = at.expect("it has a route now");
        for place in 0..=all[at].1.len() {
            let mut tried = all.clone();
            tried[at].1.insert(place, task);
            let cost = verify(problem, &schedule(problem, &tried)).ok();
            least = [least, cost].into_iter().flatten().min();
        }
    }
    least
}

/// Insertions cost what they say, and relaxations let their task be done. How many there were.
fn advised(problem: &Problem, plan: &Plan) -> (usize, usize) {
    let mut inserted = 0;
    for task in (0..problem.tasks().len()).filter(|task| !does(plan, *task)) {
        let places = match insertions(problem, plan, task, 3) {
            Ok(places) => places,
            Err(faults) => {
                let text = faults[0].to_string();
                let text = text.strip_prefix("task_id is not done without ");
                let text = text.expect("the task is coupled");
                let (others, _) = text.split_once(':').expect("others are named");
                let is_missing = |other: &str| !does(plan, other[5..].parse().expect("an index"));
                assert!(others.split(", ").any(is_missing), "{task}: {others}");
                continue;
            }
        };
        if !problem.is_coupled() {
            let first = places.first().map(|one| one.cost);
            assert_eq!(first, cheapest(problem, plan, task), "{task} {plan:?}");
        }
        for one in places {
            let more = insert(problem, plan, task, &one);
            assert_eq!(verify(problem, &more), Ok(one.cost), "{task} {one:?}");
            assert!(does(&more, task), "{task} {one:?}");
            inserted += 1;
        }
    }
    let offered = relaxations(problem, plan, &Pulse::unbounded());
    for one in &offered {
        let changed = relaxed(problem, &one.changes).expect("it is of the problem");
        assert_eq!(verify(&changed, &one.plan), Ok(one.cost), "{one:?}");
        assert!(does(&one.plan, one.task), "{one:?}");
    }
    (inserted, offered.len())
}

/// How many tasks of each route an agent has set out for before a moment.
fn begun(problem: &Problem, plan: &Plan, now_us: Micros) -> Vec<usize> {
    let count = |route: &Route| {
        let committed = problem.committed(route.agent).len();
        let shift_us = problem.agents()[route.agent].shift_start_us;
        let done = |stop: &Stop| stop.start_us + problem.tasks()[stop.task].service_us;
        let before = [shift_us].into_iter().chain(route.stops.iter().map(done));
        let leaves = before.enumerate().map(|(at, free_us)| {
            if at == committed {
                free_us.max(problem.now_us())
            } else {
                free_us
            }
        });
        let out = leaves.take(route.stops.len());
        out.take_while(|us| *us < now_us).count().max(committed)
    };
    plan.routes.iter().map(count).collect()
}

/// The problem in which a plan is carried out, at a moment.
fn carried_out(problem: &Problem, plan: &Plan, now_us: Micros) -> Problem {
    let routes = plan.routes.iter().zip(begun(problem, plan, now_us));
    let route = |route: &Route, committed: usize| PreviousRoute {
        agent: route.agent,
        tasks: route.stops.iter().map(|stop| stop.task).collect(),
        committed,
    };
    let mut spec = problem.spec().clone();
    spec.previous = Some(Previous {
        routes: routes
            .map(|(given, committed)| route(given, committed))
            .collect(),
        changes_max: None,
    });
    spec.now_us = now_us;
    Problem::new(spec).expect("a plan can be a previous one")
}

/// The problem and its plan without the breaks that were past when the plan was made.
fn without_past(problem: &Problem, plan: &Plan) -> (Problem, Plan) {
    let mut plan = plan.clone();
    let mut rests: Vec<&mut Rest> = plan.routes.iter_mut().flat_map(|r| &mut r.rests).collect();
    let mut spec = problem.spec().clone();
    for index in (0..spec.couplings.breaks.len()).rev() {
        let is_taken = rests.iter().any(|rest| rest.index == index);
        if !is_taken && spec.couplings.breaks[index].latest_us < problem.now_us() {
            spec.couplings.breaks.remove(index);
            let above = rests.iter_mut().filter(|rest| rest.index > index);
            above.for_each(|rest| rest.index -= 1);
        }
    }
    (Problem::new(spec).expect("it has fewer rules"), plan)
}

/// A plan that is carried out stays valid whenever it is checked, and costs the same. A search that
/// begins with it does not end with a worse one. Previous plans have no times of breaks, and no
/// starts within preferred times.
fn resumed(draw: &mut Draw, problem: &Problem, plan: &Plan) {
    let (problem, plan) = &without_past(problem, plan);
    let couplings = &problem.spec().couplings;
    let is_all = couplings.breaks.is_empty() && couplings.preferences.is_empty();
    // What is under way may need others that no direct arc reaches.
    let is_hard = problem.is_coupled() && problem.travel().durations_us.contains(&-1);
    let ends_us = timeline(problem, plan)
        .iter()
        .map(|times| times.end_us)
        .max();
    let rest_us = (ends_us.unwrap_or(0) - problem.now_us()).max(0);
    let mut costs = Vec::new();
    for (seed, share) in [0, draw.below(60), draw.below(110)].into_iter().enumerate() {
        let now_us = (problem.now_us() + rest_us / 100 * share as Micros).min(TIME_MAX_US);
        let again = carried_out(problem, plan, now_us);
        let cost = verify(&again, plan).expect("it is carried out");
        costs.push(cost);
        assert_eq!(costs[0], cost, "{now_us} {plan:?}");
        for iterations in [0, 60] {
            let how = How {
                params: Params::default(),
                iterations,
                seed: seed as u64,
            };
            let (offers, ..) = searched(&again, &how);
            let last = offers.last().map(|(_, cost)| *cost);
            assert!(
                last.map_or(is_hard, |last| !is_all || last <= cost),
                "{now_us} {how:?} {plan:?} {cost:?} {last:?}"
            );
        }
    }
}

/// No search contradicts another. Plans, certificates, insertions, relaxations, plans of coupled
/// problems, and proofs that were looked at.
fn agree(draw: &mut Draw, problem: &Problem) -> [usize; 6] {
    let searches = mutated::searches(draw, problem);
    let all: Vec<Outcome> = searches.iter().map(|how| searched(problem, how)).collect();
    let offers = all.iter().flat_map(|one| &one.0);
    let best = offers.min_by_key(|(_, cost)| *cost);
    for ((offers, bound, conclusion), how) in all.iter().zip(&searches) {
        let last = offers.last().map(|(_, cost)| *cost);
        let least = best.map(|(_, cost)| *cost);
        if let (Some(bound), Some(least)) = (*bound, least) {
            assert!(bound <= least, "{how:?} {bound:?} {best:?}");
        }
        match conclusion {
            Conclusion::Optimal => assert_eq!(last, least, "{how:?} {best:?}"),
            Conclusion::Infeasible | Conclusion::Partial(_) => {
                let partial = best.is_none_or(|(plan, _)| is_partial(problem, plan));
                assert!(partial, "{how:?} {best:?}");
            }
            Conclusion::Stopped(_) => {}
        }
    }
    let Some((plan, cost)) = best else {
        return [0; 6];
    };
    let certificates = holds(problem, plan, *cost);
    resumed(draw, problem, plan);
    let (inserted, relaxed) = advised(problem, plan);
    let is_proved = |one: &&Outcome| !matches!(one.2, Conclusion::Stopped(_));
    let proved = all.iter().filter(is_proved).count();
    let coupled = usize::from(problem.is_coupled());
    [1, certificates, inserted, relaxed, coupled, proved]
}

/// Tries these problems, among which all that is looked at occurs.
fn try_all(seeds: std::ops::Range<u64>) {
    let mut seen = [0; 6];
    for seed in seeds {
        let mut draw = mutated::draw(seed);
        let problem = mutated::problem(&mut draw);
        let agreed = std::panic::catch_unwind(move || agree(&mut draw, &problem));
        let more = agreed.unwrap_or_else(|_| panic!("problem {seed} is wrong: see above"));
        seen.iter_mut().zip(more).for_each(|(sum, one)| *sum += one);
    }
    assert!(seen.iter().all(|sum| *sum >= 50), "{seen:?}");
}

#[test]
fn claims_about_problems_that_are_nearly_right_agree() {
    try_all(0..400);
}
