//! Rewards of terminal states, in [0, 1].

use super::arcs::ArcSet;
use super::state::State;
use crate::plan::Cost;
use crate::problem::{Level, MICRO, Problem, Term};
use crate::solve::model::Model;

/// Largest reward of an incomplete plan: below one half in spite of rounding.
const PARTIAL_MAX: f64 = 0.5 - 1.0 / 1_048_576.0;

/// Reward function with values in [0, 1]; higher is better.
#[derive(Debug, Clone)]
pub(crate) enum Evaluation {
    /// Equation 4.1 of Kartal 2016, for its objective: mandatory tasks first, then travel.
    /// Penalties of optional tasks, which it does not have, count as distance, and all of them are
    /// part of alpha.
    ///
    /// Of complete plans the cheaper has the higher reward, and any complete plan a higher one than
    /// any incomplete plan. Among incomplete plans fewer missing tasks do not always mean a higher
    /// reward.
    Kartal {
        /// Twice the cost of the most expensive arcs that a plan could have.
        alpha: f64,
        /// Weight of travel in the second level.
        travel: f64,
        /// Weight of penalties in the second level.
        drop: f64,
    },
    /// Any other objective, level by level. The reward never rises with the cost.
    Levels(Vec<Radix>),
}

/// Map of a level to [0, 1): `half` steps become one half.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Radix {
    step: f64,
    half: f64,
}

impl Evaluation {
    pub(crate) fn new(model: &Model<'_>, arcs: &ArcSet) -> Self {
        let problem = model.problem;
        let Some((travel, drop)) = kartal_weights(problem) else {
            let levels = problem
                .levels()
                .iter()
                .map(|level| radix(level, model, arcs));
            return Self::Levels(levels.collect());
        };
        let arcs = arcs.sum_of_longest(model.jobs.len() + model.workers.len());
        let penalties = model.jobs.iter().filter_map(|job| job.penalty_micro);
        let penalties = penalties.map(|p| p as f64).sum::<f64>();
        Self::Kartal {
            alpha: 2.0 * (travel * arcs + drop * penalties),
            travel,
            drop,
        }
    }

    /// The reward of a terminal state with this cost.
    pub(crate) fn reward(&self, arcs: &ArcSet, end: &State, cost: &Cost) -> f64 {
        match self {
            Self::Kartal {
                alpha,
                travel,
                drop,
            } => {
                let terms = &end.terms;
                let distance = travel * terms.travel_cost_micro as f64
                    + drop * terms.drop_penalty_micro as f64;
                let missing = (terms.unserved_micro / MICRO) as usize;
                let psi = 2.0 * travel * arcs.worst_insertion(end, missing);
                equation_4_1(*alpha, distance + psi, missing == 0)
            }
            Self::Levels(levels) => {
                let mut below = 0.0;
                for (radix, value) in levels.iter().zip(&cost.0).rev() {
                    // In levels that count things steps are whole, and lower levels never outweigh
                    // one. Otherwise ties at worst: each operation here is monotone also when
                    // rounded, which steps / (steps + half) is not.
                    let steps = (*value as f64 / radix.step).floor() + below;
                    below = 1.0 - radix.half / (steps + radix.half);
                }
                1.0 - below
            }
        }
    }
}

/// Equation 4.1 of Kartal 2016: (alpha - (D + psi)) / alpha * delta. There incomplete plans have
/// rewards above 0, but a few very long arcs can make D + psi exceed alpha: then 0.
fn equation_4_1(alpha: f64, distance_and_psi: f64, is_complete: bool) -> f64 {
    let share = if alpha > 0.0 {
        (alpha - distance_and_psi) / alpha
    } else {
        1.0
    };
    if is_complete {
        // D <= alpha / 2, since no arc is used twice.
        share.clamp(0.5, 1.0)
    } else {
        (0.5 * share).clamp(0.0, PARTIAL_MAX)
    }
}

/// The weights of travel and penalties, if the objective is that of Kartal 2016.
fn kartal_weights(problem: &Problem) -> Option<(f64, f64)> {
    let [_, second] = problem.levels() else {
        return None;
    };
    let weight = |wanted: Term| {
        let found = second.terms.iter().find(|(term, _)| *term == wanted);
        found.map(|(_, weight)| *weight as f64)
    };
    let only = |term: &(Term, i64)| matches!(term.0, Term::TravelCost | Term::DropPenalty);
    let travel = weight(Term::TravelCost).filter(|_| second.terms.iter().all(only))?;
    problem
        .is_strict()
        .then_some((travel, weight(Term::DropPenalty).unwrap_or(0.0)))
}

fn radix(level: &Level, model: &Model<'_>, arcs: &ArcSet) -> Radix {
    let step = match level.terms[..] {
        [(Term::Unserved | Term::AgentsUsed, weight)] => (weight * MICRO) as f64,
        _ => 1.0,
    };
    let (tasks, agents) = (model.jobs.len(), model.workers.len());
    let spans = model.jobs.iter().map(|job| job.open_us + job.service_us);
    let half = |&(term, weight): &(Term, i64)| {
        weight as f64
            * match term {
                Term::Unserved => tasks as f64 * MICRO as f64,
                Term::AgentsUsed => agents as f64 * MICRO as f64,
                Term::DropPenalty => model
                    .jobs
                    .iter()
                    .filter_map(|j| j.penalty_micro)
                    .map(|p| p as f64)
                    .sum(),
                Term::TravelCost => arcs.sum_of_longest(tasks + agents) / 4.0,
                Term::Makespan | Term::Lateness => spans.clone().max().unwrap_or(0) as f64,
                // Problems that count these are coupled.
                Term::Preferences | Term::TasksMoved | Term::Balance => 0.0,
            }
    };
    // Any positive number is valid: this one puts usual costs where rewards differ most.
    Radix {
        step,
        half: (level.terms.iter().map(half).sum::<f64>() / step).max(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Shape, generate};
    use crate::solve::SearchContext;
    use crate::solve::neighbourhood::Neighbourhood;
    use crate::solve::tree::domain::AllocationDomain;
    use mcts::{Domain, Outcome, Rng};
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};

    /// Outcomes of `count` random rollouts, with the number of missing mandatory tasks.
    fn ends(problem: &Problem, seed: u64, count: usize) -> Vec<(Outcome<Cost>, i64)> {
        let model = Model::new(problem);
        let neighbourhood = Neighbourhood::new(&model, || true);
        let context = SearchContext {
            model,
            neighbourhood,
        };
        let domain = AllocationDomain::new(&context, ArcSet::new(&context.model, || true));
        let mut rng = Rng::seed_from_u64(seed);
        let mut ends = Vec::new();
        for _ in 0..count {
            let mut state = domain.root();
            loop {
                let mut actions = Vec::new();
                domain.actions(&state, &mut actions);
                if actions.is_empty() {
                    break;
                }
                let chosen = rng.random_range(0..actions.len());
                domain.apply(&mut state, actions[chosen]);
            }
            ends.push((domain.outcome(&state), state.terms.unserved_micro / MICRO));
        }
        ends
    }

    proptest! {
        /// Equation 4.1: complete plans have rewards in [0.5, 1), incomplete ones lower, and of
        /// complete plans the cheaper higher.
        #[test]
        fn complete_plans_score_higher_than_incomplete_ones(
            seed: u64, tasks in 1_usize..12, agents in 1_usize..4,
        ) {
            let problem = generate(seed, &Shape::depot(tasks, agents));
            let ends = ends(&problem, seed, 40);
            for (end, missing) in &ends {
                if *missing == 0 {
                    prop_assert!((0.5..1.0).contains(&end.reward), "{end:?}");
                } else {
                    prop_assert!((0.0..0.5).contains(&end.reward), "{end:?}");
                }
            }
            let complete = || ends.iter().filter(|(_, missing)| *missing == 0);
            for (one, _) in complete() {
                for (other, _) in complete().filter(|(other, _)| other.cost < one.cost) {
                    prop_assert!(other.reward >= one.reward, "{one:?} {other:?}");
                }
            }
        }

        /// Rewards are in [0, 1] for each objective. For objectives other than that of Kartal 2016
        /// they never rise with the cost.
        #[test]
        fn rewards_never_rise_with_the_cost(
            seed: u64, tasks in 1_usize..10, agents in 1_usize..4,
        ) {
            let problem = generate(seed, &Shape::varied(tasks, agents));
            prop_assume!(crate::bound::infeasible_commitments(&problem).is_empty());
            let mut ends = ends(&problem, seed, 30);
            prop_assert!(ends.iter().all(|(end, _)| (0.0..=1.0).contains(&end.reward)));
            ends.sort_by_key(|(end, _)| end.cost);
            if kartal_weights(&problem).is_none() {
                prop_assert!(ends.is_sorted_by(|a, b| a.0.reward >= b.0.reward));
            }
        }
    }

    #[test]
    fn complete_plans_score_at_least_half_and_incomplete_ones_less() {
        for distance in [0.0, 1.0, 49.0, 50.0] {
            let (complete, partial) = (
                equation_4_1(100.0, distance, true),
                equation_4_1(100.0, distance, false),
            );
            assert!((0.5..=1.0).contains(&complete), "{distance}: {complete}");
            assert!((0.0..0.5).contains(&partial), "{distance}: {partial}");
        }
    }

    #[test]
    fn equation_4_1_is_as_by_hand() {
        assert_eq!(equation_4_1(100.0, 20.0, true), 0.8);
        assert_eq!(equation_4_1(100.0, 20.0, false), 0.4);
        assert_eq!(equation_4_1(100.0, 130.0, false), 0.0, "never below 0");
    }
}
