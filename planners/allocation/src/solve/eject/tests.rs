use super::{Eject, Ejected, slot};
use crate::generate::{Family, Shape, generate};
use crate::problem::Problem;
use crate::solve::draft::Draft;
use crate::solve::model::Model;
use crate::solve::nearest::Nearest;
use crate::solve::{Scene, under_way};
use mcts::Rng;
use proptest::prelude::*;
use rand::SeedableRng;

fn scene(problem: &Problem) -> Scene<'_> {
    let model = Model::new(problem);
    let nearest = Nearest::new(&model, || true);
    Scene { model, nearest }
}

/// Every task at its best place, in turn.
fn greedy(model: &Model<'_>, draft: &mut Draft) {
    for task in 0..model.jobs.len() as u32 {
        let slot = slot(model, draft, task);
        if !draft.is_done(task) && slot.exists() {
            draft.insert(model, task, (slot.agent as usize, slot.position as usize));
        }
    }
}

proptest! {
    /// After every ejection the plan satisfies all rules, tasks under way stay, and the best plan
    /// is no worse.
    #[test]
    fn every_step_keeps_the_rules(seed: u64, tasks in 2_usize..30, agents in 1_usize..6) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        let scene = scene(&problem);
        let draft = under_way::base(&scene.model, &mut || true);
        prop_assume!(draft.is_some());
        let mut draft = draft.unwrap();
        greedy(&scene.model, &mut draft);
        let mut eject = Eject::new(&scene.model, &draft);
        let mut rng = Rng::seed_from_u64(seed);
        for _ in 0..60 {
            let ejected = eject.step(&scene, &mut rng);
            prop_assert_eq!(
                crate::verify(&problem, &eject.draft.plan()),
                Ok(eject.draft.cost(&scene.model))
            );
            let mandatory = eject.draft.absent.iter().filter(|task| scene.model.is_mandatory(**task));
            prop_assert_eq!(mandatory.count(), eject.waiting.len());
            if ejected != Ejected::Some {
                prop_assert!(ejected == Ejected::Enough || !problem.is_strict() || eject.best().unserved() == 0);
                break;
            }
        }
        prop_assert!(eject.best().cost(&scene.model) <= draft.cost(&scene.model));
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
        let scene = scene(&problem);
        let mut draft = Draft::new(&scene.model);
        greedy(&scene.model, &mut draft);
        if draft.unserved() == 0 {
            continue;
        }
        let mut eject = Eject::new(&scene.model, &draft);
        let mut rng = Rng::seed_from_u64(seed);
        while eject.step(&scene, &mut rng) == Ejected::Some {}
        completed += usize::from(eject.best().unserved() == 0);
    }
    assert!(completed > 0);
}
