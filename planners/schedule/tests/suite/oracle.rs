//! Optimal plans, proofs and conflicts compared with brute force.

use crate::brute_force::{brute_force, relaxed};
use crate::searched::solved;
use crate::small::{any_spec, is_legal};
use anytime::{Conclusion, Pulse};
use proptest::prelude::*;
use schedule::{Cost, Plan, Problem, Requirement, ScheduledActivity, Spec, conflict, verify};

/// Largest horizon for which all starts are tried.
const HORIZON_MAX: i64 = 16;

proptest! {
    #[test]
    fn conclusions_agree_with_brute_force(spec in any_spec(3)) {
        let problem = Problem::new(spec.clone()).expect("it is valid");
        prop_assume!(problem.horizon_us() <= HORIZON_MAX);
        let best = brute_force(&spec, problem.horizon_us());
        let (conclusion, plan) = solved(&problem, 100_000);
        match plan {
            Some(plan) => {
                prop_assert_eq!(conclusion, Conclusion::Optimal);
                prop_assert!(is_legal(&spec, &plan), "{plan:?}");
                let cost = best.map(|makespan_us| Cost { makespan_us });
                prop_assert_eq!(verify(&problem, &plan).ok(), cost);
            }
            None => {
                prop_assert_eq!(conclusion, Conclusion::Infeasible);
                prop_assert_eq!(best, None);
            }
        }
    }

    /// The horizon loses no plan: nothing shorter, and nothing at all, exists beyond it.
    #[test]
    fn nothing_exists_beyond_the_horizon_only(spec in any_spec(2)) {
        let spec = Spec { deadline_us: None, ..spec };
        let problem = Problem::new(spec.clone()).expect("it is valid");
        let within = brute_force(&spec, problem.horizon_us());
        prop_assert_eq!(within, brute_force(&spec, problem.horizon_us() + 6));
    }

    /// The verdict of `verify` on any times is that of the oracle.
    #[test]
    fn verify_agrees_with_the_oracle(
        spec in any_spec(4),
        times in prop::collection::vec((0..8_i64, 0..3_usize), 4),
    ) {
        let problem = Problem::new(spec.clone()).expect("it is valid");
        let all = spec.activities.iter().zip(times).enumerate();
        let placed = all.map(|(activity, (it, (start_us, mode)))| {
            let mode = mode % it.modes.len();
            ScheduledActivity { activity, start_us, mode }
        });
        let mut plan = Plan { activities: placed.collect() };
        let is_legal = is_legal(&spec, &plan);
        prop_assert_eq!(verify(&problem, &plan).is_ok(), is_legal);
        plan.activities.reverse();
        prop_assert_eq!(verify(&problem, &plan).is_ok(), is_legal, "in any order");
    }

    /// What a conflict names is infeasible by itself, and feasible without any one of it.
    #[test]
    fn conflicts_are_minimal(spec in any_spec(3)) {
        let problem = Problem::new(spec.clone()).expect("it is valid");
        prop_assume!(problem.horizon_us() <= HORIZON_MAX);
        let found = conflict(&problem, &Pulse::unbounded());
        let infeasible = brute_force(&spec, problem.horizon_us()).is_none();
        prop_assert_eq!(found.is_some(), infeasible);
        let Some(found) = found else {
            return Ok(());
        };
        prop_assert!(found.is_minimal);
        let feasible = |requirements: &[Requirement]| {
            let spec = relaxed(&spec, requirements);
            let horizon = Problem::new(spec.clone()).expect("it is valid").horizon_us();
            brute_force(&spec, horizon).is_some()
        };
        prop_assert!(!feasible(&found.requirements), "{found:?}");
        for without in 0..found.requirements.len() {
            let mut fewer = found.requirements.clone();
            fewer.remove(without);
            prop_assert!(feasible(&fewer), "{found:?} without {without}");
        }
    }
}
