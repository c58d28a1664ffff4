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
