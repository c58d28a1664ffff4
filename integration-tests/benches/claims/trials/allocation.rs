//! Allocation: mutated problems, and tiny ones of which every plan is tried.

#[path = "../../../../planners/allocation/tests/suite/mutated/mod.rs"]
mod mutated;
#[path = "../../../../planners/allocation/tests/suite/world/mod.rs"]
mod world;

use super::judge::{Judge, Truth};
use super::search::{How, Run, run as search};
use super::{Rng, Tally, chance};
use allocation::generate::{Shape, generate, spec};
use allocation::verify::certificate;
use allocation::{
    Allocation, Cost, Plan, Problem, certificates, impossible, infeasible_commitments,
    is_infeasible, is_partial, lower_bound,
};
use rand::RngExt;

pub(super) fn run(seed: u64, rng: &mut Rng, tally: &mut Tally) {
    let (problem, truth) = problem(seed, rng);
    let mut draw = mutated::draw(seed);
    let searches = mutated::searches(&mut draw, &problem);
    let runs = searches.iter().filter_map(|one| {
        let how = How {
            seed: one.seed,
            ..How::random(rng, one.iterations)
        };
        let name = format!("{:?}", one.params);
        search::<Allocation>(&problem, &one.params, how, &name)
    });
    let runs: Vec<Run<Allocation>> = runs.collect();
    let judge = Judge::<Allocation> {
        problem: &problem,
        truth,
        is_whole: &|plan| !is_partial(&problem, plan),
        slack: |cost| cost,
    };
    judge.judge(&runs, tally);
    proofs(&problem, &runs, tally);
}

fn problem(seed: u64, rng: &mut Rng) -> (Problem, Truth<Cost>) {
    let (tasks, agents) = (rng.random_range(0..6), rng.random_range(1..4));
    if !chance(rng, 3) {
        let problem = mutated::problem(&mut mutated::draw(seed));
        return (problem, Truth::Unknown);
    }
    let problem = if chance(rng, 2) {
        generate(seed, &Shape::varied(tasks, agents))
    } else {
        let mut spec = spec(seed, &Shape::coupled(tasks.min(4), agents.min(2)));
        // The oracle starts everything as early as it can be.
        for wish in &mut spec.couplings.preferences {
            wish.early_micro = 0;
        }
        Problem::new(spec).expect("generated problems stay valid")
    };
    let truth = world::best(&problem).map_or(Truth::NoPlan, |(cost, plan)| {
        Truth::Least(cost, !is_partial(&problem, &plan))
    });
    (problem, truth)
}

fn does(plan: &Plan, task: usize) -> bool {
    let mut stops = plan.routes.iter().flat_map(|route| &route.stops);
    stops.any(|stop| stop.task == task)
}

/// Certificates pass their check, and nothing that is claimed about all plans is refuted by one
/// that was found.
fn proofs(problem: &Problem, runs: &[Run<Allocation>], tally: &mut Tally) {
    let certificates = certificates(problem);
    for one in &certificates {
        tally.proofs += 1;
        let checked = certificate(problem, one);
        tally.expect(checked.is_ok(), || format!("{one:?}: {checked:?}"));
    }
    let (impossible, agents) = (impossible(problem), infeasible_commitments(problem));
    let (bound, infeasible) = (lower_bound(problem), is_infeasible(problem));
    tally.proofs += impossible.len() as u64 + u64::from(infeasible);
    tally.bounds += 1;
    for (plan, cost) in runs.iter().flat_map(|run| &run.offers) {
        tally.expect(bound <= *cost, || format!("bound {bound:?}, plan {cost:?}"));
        tally.expect(agents.is_empty(), || format!("agents {agents:?}, {plan:?}"));
        let holds = !infeasible || is_partial(problem, plan);
        tally.expect(holds, || format!("infeasible, {plan:?}"));
        let done = impossible.iter().find(|task| does(plan, **task));
        tally.expect(done.is_none(), || format!("impossible {done:?}, {plan:?}"));
        for one in &certificates {
            let left_out = one.tasks.iter().filter(|task| !does(plan, **task));
            let holds = left_out.count() >= one.left_out;
            tally.expect(holds, || format!("{one:?}, {plan:?}"));
        }
    }
}
