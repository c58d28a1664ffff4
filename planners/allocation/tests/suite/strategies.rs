//! Every strategy, alone and together, against the best plan of problems small enough to go
//! through all plans.

use crate::searched::seeded;
use crate::world;
use allocation::generate::{Shape, generate};
use allocation::problem::Problem;
use allocation::solve::{Params, Strategy};
use allocation::{Cost, Plan, is_partial, verify};
use anytime::{Conclusion, Limits};
use proptest::prelude::*;

const ITERATIONS: u64 = 200_000;

/// The last offer, the bound and the conclusion.
fn run(problem: &Problem, params: &Params) -> (Option<(Plan, Cost)>, Option<Cost>, Conclusion) {
    let mut found = seeded(problem, params, Limits::iterations(ITERATIONS), 5);
    let bound = found.bound();
    (found.offers.pop(), bound, found.conclusion)
}

/// What a conclusion claims is true, and small problems are solved.
fn agrees(problem: &Problem, params: &Params) {
    let (last, bound, conclusion) = run(problem, params);
    let best = world::best(problem);
    let context = format!("{params:?}");
    if let (Some(bound), Some((best, _))) = (bound, &best) {
        assert!(bound <= *best, "{context}: {bound:?} {best:?}");
    }
    match conclusion {
        Conclusion::Optimal => {
            let (plan, cost) = last.expect("an optimum was offered");
            assert_eq!(Some(cost), best.map(|(cost, _)| cost), "{context}");
            assert!(!is_partial(problem, &plan), "{context}");
            assert_eq!(verify(problem, &plan), Ok(cost), "{context}");
        }
        Conclusion::Infeasible => {
            let partial = best
                .as_ref()
                .is_none_or(|(_, plan)| is_partial(problem, plan));
            assert!(partial, "{context}");
            let found = last.map(|(_, cost)| cost);
            assert_eq!(found, best.map(|(cost, _)| cost), "{context}");
        }
        Conclusion::Partial(why) | Conclusion::Stopped(why) => {
            panic!("{context}: stopped by {why:?}")
        }
    }
}

proptest! {
    #[test]
    fn strategies_prove_the_optimum_of_small_problems(
        seed: u64, tasks in 0_usize..6, agents in 1_usize..4,
    ) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        for strategy in [Strategy::Auto, Strategy::Mcts, Strategy::MctsUniform] {
            agrees(&problem, &Params { strategy, ..Params::default() });
        }
    }

    #[test]
    fn trees_agree_on_the_optimum_alone_and_together(
        seed: u64, tasks in 0_usize..5, agents in 1_usize..4,
    ) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        for strategy in [Strategy::Mcts, Strategy::MctsUniform] {
            for width in [1, 3] {
                agrees(&problem, &Params { strategy, width });
            }
        }
    }
}
