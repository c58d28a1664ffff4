//! Bounds are below every plan, and proofs hold in every plan.

mod world;

use allocation::generate::{Shape, generate};
use allocation::{impossible, is_infeasible, lower_bound, stuck};
use proptest::prelude::*;

proptest! {
    /// No plan is cheaper than the bound.
    #[test]
    fn the_bound_is_below_the_best_plan(seed: u64, tasks in 0_usize..5, agents in 1_usize..4) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        if let Some((best, plan)) = world::best(&problem) {
            let bound = lower_bound(&problem);
            prop_assert!(bound <= best, "{bound:?} > {best:?} of {plan:?}");
        }
    }

    /// What is called impossible is in no plan, and what is called infeasible has none.
    #[test]
    fn proofs_hold_in_every_plan(seed: u64, tasks in 0_usize..5, agents in 1_usize..4) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        let impossible = impossible(&problem);
        let (mut plans, mut complete) = (0, 0);
        world::each_plan(&problem, &mut |plan, terms| {
            plans += 1;
            complete += usize::from(terms.unserved_micro == 0);
            let mut stops = plan.routes.iter().flat_map(|r| &r.stops);
            assert!(!stops.any(|s| impossible.contains(&s.task)), "{plan:?}");
        });
        if !stuck(&problem).is_empty() {
            prop_assert_eq!(plans, 0);
        }
        if is_infeasible(&problem) {
            prop_assert!(plans == 0 || problem.is_strict());
            prop_assert_eq!(complete, 0);
        }
    }
}
