//! Random domains whose goals are far, and the best of all their stories.

pub(crate) mod best;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Rng;
use std::collections::BTreeMap;
use story::generate;
use story::play::Rules;
use story::spec::{Comparison, Expr, GoalSpec, Spec};
use story::tree::Value as Content;
use story::{Plan, Play, Problem, account};

/// States of a level above which trying everything takes too long for a test.
const STATES_MAX: usize = 5_000;

/// The best score of all stories. None: too many states.
pub(crate) fn best_of_all(problem: &Problem) -> Option<f64> {
    best::best_within(problem, STATES_MAX)
}

/// A random domain whose goals are what some story of up to `actions_max` actions leaves behind:
/// they are in reach, but not near.
pub(crate) fn far(seed: u64, actions_max: usize) -> Option<Spec> {
    let mut spec = generate::domain(seed);
    spec.actions_max = actions_max;
    let problem = Problem::new(&spec).expect("good");
    let mut rng = Rng::seed_from_u64(seed);
    let rules = Rules::new(&problem);
    let mut play = Play::new(&rules);
    let mut plan = Plan::default();
    for _ in 0..actions_max {
        let choices = play.choices();
        if choices == 0 {
            break;
        }
        let chosen = rng.random_range(0..choices);
        plan.actions.push(play.choice(chosen));
        play.act(chosen);
    }
    let account = account(&problem, &plan).ok()?;
    let changes = account.steps.iter().flat_map(|step| &step.changes);
    let after = changes.map(|(attribute, entity, value)| ((*attribute, *entity), *value));
    let after: BTreeMap<(usize, usize), Content> = after.collect();
    let mut parts = after.into_iter().map(|((attribute, entity), value)| {
        let name = |entity: usize| Expr::Name(problem.entities()[entity].name.clone());
        let get = Expr::Get(
            Box::new(name(entity)),
            problem.attributes()[attribute].name.clone(),
        );
        let value = match value {
            Content::Null => Expr::Null,
            Content::Bool(value) => Expr::Bool(value),
            Content::Number(value) => Expr::Number(value),
            Content::Entity(entity) => name(entity),
            Content::Symbol(word) => Expr::Name(problem.words()[word].clone()),
        };
        Expr::Compare(Comparison::Equal, Box::new(get), Box::new(value))
    });
    spec.goals.clear();
    while let Some(first) = parts.next() {
        let more = rng.random_range(0..3);
        let mut all = vec![first];
        all.extend(parts.by_ref().take(more));
        let expr = match rng.random_range(0..4) {
            0 => Expr::Or(all),
            _ => Expr::And(all),
        };
        spec.goals.push(GoalSpec {
            name: format!("goal {}", spec.goals.len()),
            expr,
            weight: [0.5, 1.0, 3.0][rng.random_range(0..3)],
        });
    }
    Problem::new(&spec).is_ok().then_some(spec)
}
