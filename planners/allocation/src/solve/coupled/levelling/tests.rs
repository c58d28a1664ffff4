use super::*;
use crate::generate::{Shape, spec};
use crate::problem::{Level, Problem, Term};
use crate::solve::coupled::initial;
use crate::solve::coupled::recreate::{InsertionOrder, recreate};
use crate::verify;
use mcts::Rng;
use proptest::prelude::*;
use rand::SeedableRng;

/// A problem whose objective counts balance alone, first or last.
fn problem(seed: u64, shape: &Shape, order: usize) -> Problem {
    let mut spec = spec(seed, shape);
    let level = |terms: &[Term]| Level {
        terms: terms.iter().map(|term| (*term, 1)).collect(),
    };
    let mut levels = vec![level(&[Term::Unserved])];
    levels.extend(match order {
        0 => vec![level(&[Term::Balance])],
        1 => vec![level(&[Term::Balance]), level(&[Term::TravelCost])],
        2 => vec![level(&[Term::TravelCost]), level(&[Term::Balance])],
        _ => vec![level(&[Term::Balance, Term::TravelCost])],
    });
    spec.objective = levels;
    Problem::new(spec).expect("the problem is valid")
}

/// Levels a plan made by insertion. Returns by how much the penalised cost falls; `None`: there is
/// no such plan.
fn fall(problem: &Problem, doublings: f64) -> Option<f64> {
    let instance = CoupledInstance::new(problem, || true);
    let mut state = initial::initial_state(&instance, &mut || true)?;
    let absences = vec![0; instance.units.len()];
    let mut rng = Rng::seed_from_u64(1);
    let mut pulse = Pulse::unbounded();
    let order = InsertionOrder::EarliestDeadline;
    assert!(recreate(
        &instance, &mut state, &absences, order, &mut rng, &mut pulse
    ));
    state.retime(&instance).ok()?;
    waiting::wait(&instance, &mut state);
    state.scale = instance.model.scale.softened(doublings);
    let before = state.scale.penalised_cost(&state.all_terms(&instance));
    let mut trial = State::new(&instance);
    level(&instance, &mut state, &mut trial, &pulse);
    let terms = state.all_terms(&instance);
    let checked = verify(problem, &state.plan(&instance));
    assert_eq!(checked, Ok(problem.cost(&terms)));
    Some(before - state.scale.penalised_cost(&terms))
}

proptest! {
    #[test]
    fn levelling_never_raises_the_cost(
        seed: u64, tasks in 1_usize..16, agents in 1_usize..5, order in 0_usize..4,
        doublings in 0.0..12.0,
    ) {
        for shape in [Shape::varied, Shape::coupled, Shape::deliveries] {
            let problem = problem(seed, &shape(tasks, agents), order);
            if let Some(fall) = fall(&problem, doublings) {
                prop_assert!(fall >= 0.0, "{fall}");
            }
        }
    }
}

#[test]
fn levelling_lowers_the_cost_of_most_plans_made_by_insertion() {
    let falls = (0..20).filter_map(|seed| fall(&problem(seed, &Shape::depot(15, 3), 0), 0.0));
    let count = falls.filter(|fall| *fall > 0.0).count();
    assert!(count > 10, "{count}");
}
