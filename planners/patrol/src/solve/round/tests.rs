//! The value of a round is the escape of its plan.

use super::{Round, RoundEvaluator};
use crate::context::{Context, share};
use crate::evaluate::exact_cost;
use crate::generate::museum;
use crate::plan::Stop;
use crate::problem::{Gap, PROBABILITY_ONE, Pause, Problem};
use crate::solve::shortest_paths::ShortestPaths;
use crate::solve::stagger::{Start, Team, stagger};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_value_of_a_round_is_the_escape_of_its_plan(
        seed: u64,
        guards in 1..5_usize,
        instants in 1..25_u32,
        goals in prop::collection::vec((0..16_usize, 0..4_u32), 1..9),
        sees in prop::collection::vec((0..16_usize, 0..16_usize), 0..30),
        pause in 0..3_u32,
        gap in 0..20_u32,
        may_stay: bool,
    ) {
        let mut spec = museum(4, 4, guards, seed).spec().clone();
        let seen = |from: usize| sees.iter().filter(move |pair| pair.0 == from).map(|pair| pair.1);
        spec.sights = vec![(0..16).map(|from| seen(from).collect()).collect()];
        spec.guards.iter_mut().for_each(|guard| guard.sight = Some(0));
        spec.intruder.instants = instants;
        spec.may_stay = may_stay;
        if pause > 0 && may_stay {
            spec.pauses.push(Pause { vertex: 5, ticks: pause });
        }
        if gap > 0 {
            spec.gaps.push(Gap { vertex: 7, ticks: gap });
        }
        let problem = Problem::new(spec).expect("the spec is refused");
        let context = Context::new(&problem);
        let stops = goals.iter();
        let stops = stops.map(|(vertex, stay)| Stop::new(*vertex, *stay * u32::from(may_stay)));
        let round = Round { goals: stops.collect() };
        // Without stays, guards are at equal distances only if their number divides the round.
        let guards = if may_stay { guards } else { 1 };
        let mut evaluators = [RoundEvaluator::new(ShortestPaths::new(&context, 0), guards)];
        let shares: Vec<f64> = problem.shares().iter().map(|mass| share(*mass)).collect();
        let value = evaluators[0].value(&round, &shares, 1.0);
        let mut missed = Vec::new();
        evaluators[0].missed(&round, &mut missed);
        let by_vertex: f64 = missed.iter().zip(&shares).map(|(missed, share)| missed * share).sum();
        if problem.guards().len() > guards {
            return Ok(());
        }
        let teams = [Team { guards: (0..guards).collect(), round }];
        let plan = stagger(&mut evaluators, &teams, &Start::default());
        match exact_cost(&context, &plan) {
            Some((escape, _)) => {
                let escape = escape as f64 / PROBABILITY_ONE as f64;
                prop_assert!((value - escape).abs() < 1e-9, "{} {}", value, escape);
                prop_assert!((by_vertex - escape).abs() < 1e-9, "{} {}", by_vertex, escape);
            }
            // A gap that is too short is worse than certain escape.
            None => prop_assert!(value >= 1.0, "{value}"),
        }
    }
}
