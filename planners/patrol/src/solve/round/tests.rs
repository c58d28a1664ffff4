//! What a round misses, against what the plan that it becomes does.

use super::{Judge, Round};
use crate::evaluate::worth;
use crate::generate::museum;
use crate::plan::Stop;
use crate::problem::{Pause, Problem};
use crate::scene::{Scene, share};
use crate::solve::launch::{Start, Team, launch};
use crate::solve::ways::Ways;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn rounds_miss_what_their_plans_miss(
        seed: u64,
        guards in 1..5_usize,
        instants in 1..12_u32,
        goals in prop::collection::vec((0..12_usize, 0..9_u32), 1..8),
        sights in prop::collection::vec((0..12_usize, 0..12_usize), 0..30),
        pauses in prop::collection::vec(1..5_u32, 0..3),
    ) {
        let mut spec = museum((4, 3), guards, seed).spec().clone();
        spec.intruder.instants = instants;
        let mut sight = vec![Vec::new(); 12];
        for (from, seen) in sights {
            sight[from].push(seen);
        }
        spec.sights = vec![sight];
        spec.guards.iter_mut().for_each(|guard| guard.sight = Some(0));
        let pause = |(index, ticks)| Pause { vertex: 5 * index, ticks };
        spec.pauses = pauses.into_iter().enumerate().map(pause).collect();
        let problem = Problem::new(spec).expect("it makes sense");
        let scene = Scene::new(&problem);
        let mut judges = vec![Judge::new(Ways::new(&scene, 0), guards)];
        let goals = goals.into_iter().map(|(vertex, stay)| Stop { vertex, stay });
        let round = Round { goals: goals.collect() };
        let mut missed = Vec::new();
        // Twice, since nothing may be left of the first time.
        judges[0].missed(&round, &mut missed);
        judges[0].missed(&round, &mut missed);
        let shares = problem.shares().iter().map(|mass| share(*mass));
        let escape: f64 = shares.zip(&missed).map(|(share, missed)| share * missed).sum();
        let teams = [Team { guards: (0..guards).collect(), round }];
        let plan = launch(&mut judges, &teams, &Start::default());
        let (given, _) = worth(&scene, &plan).expect("it breaks no rule");
        prop_assert!((share(given) - escape).abs() < 1e-9, "{escape} {plan:?}");
    }
}
