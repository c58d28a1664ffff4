use super::{EjectionPool, EjectionStep, cheapest_insertion};
use crate::generate::{Family, Shape, generate};
use crate::problem::Problem;
use crate::solve::draft::Draft;
use crate::solve::model::Model;
use crate::solve::neighbourhood::Neighbourhood;
use crate::solve::{SearchContext, committed};
use anytime::Pulse;
use mcts::Rng;
use proptest::prelude::*;
use rand::SeedableRng;

fn context(problem: &Problem) -> SearchContext<'_> {
    let model = Model::new(problem);
    let neighbourhood = Neighbourhood::new(&model, || true);
    SearchContext {
        model,
        neighbourhood,
    }
}

/// Every task at its best place, in turn.
fn greedy(model: &Model<'_>, draft: &mut Draft) {
    for task in 0..model.jobs.len() as u32 {
        let insertion = cheapest_insertion(model, draft, task);
        if !draft.is_assigned(task) && insertion.exists() {
            draft.insert(
                model,
                task,
                insertion.agent as usize,
                insertion.position as usize,
            );
        }
    }
}

proptest! {
    /// After every ejection the plan satisfies all rules, committed tasks stay, and the best plan
    /// is no worse.
    #[test]
    fn every_step_keeps_the_rules(seed: u64, tasks in 2_usize..30, agents in 1_usize..6) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        let context = context(&problem);
        let draft = committed::initial_draft(&context.model, &Pulse::unbounded());
        prop_assume!(draft.is_some());
        let mut draft = draft.unwrap();
        greedy(&context.model, &mut draft);
        let mut ejection_pool = EjectionPool::new(&context.model, &draft);
        let mut rng = Rng::seed_from_u64(seed);
        for _ in 0..60 {
            let ejected = ejection_pool.step(&context, &mut rng);
            prop_assert_eq!(
                crate::verify(&problem, &ejection_pool.draft.plan()),
                Ok(ejection_pool.draft.cost(&context.model))
            );
            let unassigned = ejection_pool.draft.unassigned.iter();
            let mandatory = unassigned.filter(|task| context.model.is_mandatory(**task));
            prop_assert_eq!(mandatory.count(), ejection_pool.pool.len());
            if ejected != EjectionStep::Continue {
                let is_complete = ejection_pool.best().unserved() == 0;
                let gave_up = ejected == EjectionStep::GaveUp;
                prop_assert!(gave_up || !problem.is_strict() || is_complete);
                break;
            }
        }
        prop_assert!(ejection_pool.best().cost(&context.model) <= draft.cost(&context.model));
    }
}

proptest! {
    /// The least sum of counters is that of all ejections of up to three tasks and all positions.
    #[test]
    fn the_best_ejection_is_that_of_brute_force(
        seed: u64, tasks in 4_usize..14, agents in 1_usize..4, is_depot: bool,
    ) {
        let family = if is_depot { Family::Depot } else { Family::Varied };
        let problem = generate(seed, &Shape { tasks, agents, family });
        // A limit of changes is checked when the ejection is applied.
        prop_assume!(problem.previous().is_none());
        let context = context(&problem);
        let draft = committed::initial_draft(&context.model, &Pulse::unbounded());
        prop_assume!(draft.is_some());
        let mut draft = draft.unwrap();
        greedy(&context.model, &mut draft);
        let mut rng = Rng::seed_from_u64(seed);
        let mut ejection_pool = EjectionPool::new(&context.model, &draft);
        for counter in &mut ejection_pool.failures {
            *counter = rng.random_range(1..9);
        }
        for task in draft.unassigned.clone() {
            // Where travel takes longer directly, tasks that were inserted later can make room.
            if cheapest_insertion(&context.model, &draft, task).exists() {
                continue;
            }
            let found = ejection_pool.best_ejection(&context, task);
            let expected = least_failures(&context.model, &ejection_pool, task);
            prop_assert_eq!(found.map(|ejection| ejection.failures), expected);
        }
    }
}

/// The least sum of counters of up to three tasks in whose place a task fits on a path.
fn least_failures(model: &Model<'_>, pool: &EjectionPool, task: u32) -> Option<u64> {
    let mut least = None;
    for (agent, path) in pool.draft.paths.iter().enumerate() {
        let tasks: Vec<u32> = path.visits.iter().map(|visit| visit.task).collect();
        let committed = model.workers[agent].committed.len();
        let is_ejected = |set: u32, at: usize| set & (1 << at) != 0;
        let sets = 1_u32..1 << tasks.len();
        let sets =
            sets.filter(|set| set.count_ones() <= 3 && set.trailing_zeros() >= committed as u32);
        for set in sets {
            let ejected = (0..tasks.len()).filter(|at| is_ejected(set, *at));
            let failures = ejected.map(|at| u64::from(pool.failures[tasks[at] as usize]));
            let failures: u64 = failures.sum();
            let kept = (0..tasks.len()).filter(|at| !is_ejected(set, *at));
            let kept: Vec<u32> = kept.map(|at| tasks[at]).collect();
            let fits = (committed..=kept.len()).any(|position| {
                let mut changed = kept.clone();
                changed.insert(position, task);
                pool.draft.clone().set(model, agent, &changed)
            });
            if fits && least.is_none_or(|least| failures < least) {
                least = Some(failures);
            }
        }
    }
    least
}

/// With as few agents as local search could make do with, insertion leaves tasks out that ejection
/// finds room for.
#[test]
fn room_is_made_where_there_was_none() {
    let mut completed = 0;
    for seed in 0..20 {
        let shape = Shape {
            tasks: 50,
            agents: 5,
            family: Family::Depot,
        };
        let problem = generate(seed, &shape);
        let context = context(&problem);
        let mut draft = Draft::new(&context.model);
        greedy(&context.model, &mut draft);
        if draft.unserved() == 0 {
            continue;
        }
        let mut ejection_pool = EjectionPool::new(&context.model, &draft);
        let mut rng = Rng::seed_from_u64(seed);
        while ejection_pool.step(&context, &mut rng) == EjectionStep::Continue {}
        completed += usize::from(ejection_pool.best().unserved() == 0);
    }
    assert!(completed > 0);
}
