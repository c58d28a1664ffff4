//! Plans of problems small enough to go through all of them.

mod world;

use allocation::generate::{Shape, generate};
use allocation::problem::Problem;
use allocation::verify::{is_partial, terms, verify};
use proptest::prelude::*;

/// Every plan that the oracle finds passes the check with the oracle's terms.
fn agrees(problem: &Problem) {
    world::each_plan(problem, &mut |plan, expected| {
        assert_eq!(terms(problem, plan).as_ref(), Ok(expected), "{plan:?}");
        assert_eq!(verify(problem, plan), Ok(problem.cost(expected)));
        let partial = problem.is_strict() && expected.unserved_micro > 0;
        assert_eq!(is_partial(problem, plan), partial);
    });
}

proptest! {
    /// Two programs agree on what plans cost.
    #[test]
    fn the_check_and_the_oracle_agree(seed: u64, tasks in 0_usize..5, agents in 1_usize..4) {
        agrees(&generate(seed, &Shape::varied(tasks, agents)));
    }
}
