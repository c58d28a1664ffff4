//! What must hold for every problem, whatever the search does.

use allocation::generate::{Shape, generate};
use allocation::solve::{Params, Strategy};
use allocation::{Cost, Plan, Problem, solve, verify};
use anytime::{Conclusion, Control, Limits};
use proptest::prelude::*;

fn run(problem: &Problem, strategy: Strategy, limits: Limits) -> (Vec<(Plan, Cost)>, Conclusion) {
    let mut offers = Vec::new();
    let mut sink = |plan: &Plan, cost| offers.push((plan.clone(), cost));
    let mut control = Control::new(limits, 1, &mut sink);
    let params = Params {
        strategy,
        ..Params::default()
    };
    let conclusion = solve(problem, &params, &mut control).unwrap();
    (offers, conclusion)
}

proptest! {
    /// Plans are legal, costs are honest, and each offer beats the last.
    #[test]
    fn offers_are_legal_honest_and_improving(seed: u64, tasks in 0_usize..30, agents in 1_usize..6) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        for strategy in [Strategy::Insertion, Strategy::Auto] {
            let (offers, _) = run(&problem, strategy, Limits::iterations(200));
            for (plan, claimed) in &offers {
                prop_assert_eq!(verify(&problem, plan), Ok(*claimed));
            }
            prop_assert!(offers.is_sorted_by(|a, b| a.1 > b.1));
        }
    }
}
