//! The driver that grows several trees at once.

use crate::bounding::Oracle;
use crate::digits::{CheapestNext, Chosen, Digits};
use crate::tour::{Hints, ShortestWays, Tour};
use crate::{Offers, least_cost, listen, plant};
use anytime::{CancelToken, Conclusion, Control, Limits, Stop};
use mcts::{
    Domain, NoBound, ParallelSettings, Plain, Settings, exploration_constants, forest, parallel,
};

fn digits_in_parallel(
    digits: &Digits,
    trees: usize,
    limits: Limits,
) -> (Conclusion, Offers<Chosen>) {
    listen(limits, |control| {
        let trees = plant(control, digits, &Plain, NoBound, trees);
        parallel(control, trees, Chosen::clone, ParallelSettings::default())
    })
}

#[test]
fn constants_are_those_of_the_thesis() {
    let close = |own: Vec<f64>, by_hand: &[f64]| {
        own.len() == by_hand.len() && own.iter().zip(by_hand).all(|(a, b)| (a - b).abs() < 1e-12)
    };
    // Section 4.6 with k = 8: {2C/8, 4C/8, 6C/8, C, 2C, 3C, 4C, 5C}.
    assert!(close(
        exploration_constants(8, 2.0),
        &[0.5, 1.0, 1.5, 2.0, 4.0, 6.0, 8.0, 10.0]
    ));
    assert!(close(
        exploration_constants(7, 2.0),
        &[0.5, 1.0, 1.5, 2.0, 4.0, 6.0, 8.0]
    ));
    assert!(close(exploration_constants(2, 2.0), &[2.0, 4.0]));
    assert!(close(exploration_constants(1, 2.0), &[2.0]));
    assert!(exploration_constants(0, 2.0).is_empty());
}

#[test]
fn threads_do_not_change_the_answer() {
    let digits = Digits::random(7, 12, 10);
    for trees in [1, 2, 3, 5, 8] {
        let with = |threads| {
            let limits = Limits::iterations(3001).with_threads(threads);
            digits_in_parallel(&digits, trees, limits)
        };
        let one = with(1);
        assert_eq!(one.0, Conclusion::Stopped(Stop::Iterations));
        assert!(one.1.is_sorted_by(|a, b| a.1 > b.1));
        for threads in [2, 4] {
            assert_eq!(one, with(threads), "{trees} trees, {threads} threads");
        }
    }
}

#[test]
fn the_number_of_trees_is_a_parameter_and_the_limit_is_used_to_the_last_iteration() {
    let digits = Digits::random(7, 12, 10);
    for (trees, limit) in [(1, 1000), (3, 1000), (7, 5), (2, 0)] {
        let mut ignore = |_: &Chosen, _| {};
        let mut control = Control::new(Limits::iterations(limit), 11, &mut ignore);
        let trees = plant(&control, &digits, &Plain, NoBound, trees);
        parallel(
            &mut control,
            trees,
            Chosen::clone,
            ParallelSettings::default(),
        );
        assert_eq!((control.iterations(), control.remaining()), (limit, 0));
    }
}

#[test]
fn any_number_of_trees_proves_the_same_optimum() {
    let tour = Tour::random(2, 7);
    let hint = Hints {
        nearest: true,
        history: true,
        two_opt: true,
        ..Hints::default()
    };
    let none = Hints::default();
    for (trees, threads, hints) in [(1, 1, &hint), (2, 2, &none), (3, 4, &hint), (6, 2, &none)] {
        let limits = Limits::iterations(1_000_000).with_threads(threads);
        let (conclusion, offers) = listen(limits, |control| {
            let trees = plant(control, &tour, hints, ShortestWays, trees);
            // Rounds of one iteration, so that one tree is exhausted before the others.
            let settings = ParallelSettings {
                round_max: 1,
                ..ParallelSettings::default()
            };
            let conclusion = parallel(control, trees, Clone::clone, settings);
            assert_eq!(control.bound(), control.best());
            conclusion
        });
        assert_eq!(conclusion, Conclusion::Optimal);
        assert_eq!(offers.last().unwrap().1, least_cost(&tour));
    }
}

#[test]
fn trees_start_from_the_incumbent_of_the_control() {
    let digits = Digits::random(7, 5, 3);
    let least = least_cost(&digits);
    let (conclusion, offers) = listen(Limits::iterations(2), |control| {
        // Whatever it looks like: somebody else has a plan of this cost.
        control.offer(&digits.root(), least, "elsewhere");
        let trees = plant(control, &digits, &Plain, Oracle(least), 2);
        parallel(control, trees, Chosen::clone, ParallelSettings::default())
    });
    assert_eq!((conclusion, offers.len()), (Conclusion::Optimal, 1));
}

#[test]
fn trees_of_a_forest_share_memory_and_differ_in_luck() {
    let mut ignore = |_: &Chosen, _: u32| {};
    let control = Control::new(Limits::iterations(1).with_nodes(1000), 11, &mut ignore);
    let settings = forest(&control, &Settings::default(), 4);
    assert!(settings.iter().all(|tree| tree.nodes_max == 250));
    assert_eq!(settings[2].exploration, 2.0 * std::f64::consts::SQRT_2);
    let mut seeds: Vec<u64> = settings.iter().map(|tree| tree.seed).collect();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 4);
}

#[test]
fn bounds_are_proved_on_the_way_and_sound() {
    let digits = Digits::random(2, 7, 6);
    let mut ignore = |_: &Chosen, _| {};
    let mut control = Control::new(Limits::iterations(300), 11, &mut ignore);
    let trees = plant(&control, &digits, &Plain, CheapestNext, 2);
    let conclusion = parallel(
        &mut control,
        trees,
        Chosen::clone,
        ParallelSettings::default(),
    );
    assert_eq!(conclusion, Conclusion::Stopped(Stop::Iterations));
    assert!(
        control
            .bound()
            .is_some_and(|bound| 0 < bound && bound <= least_cost(&digits))
    );
}

#[test]
fn a_target_stops_the_search_at_the_barrier() {
    let digits = Digits::random(7, 12, 10);
    let (_, offers) = digits_in_parallel(&digits, 2, Limits::iterations(3000));
    let target = offers[1].1;
    let mut ignore = |_: &Chosen, _| {};
    let control = Control::new(Limits::iterations(3000), 11, &mut ignore);
    let mut control = control.with_target(target);
    let trees = plant(&control, &digits, &Plain, NoBound, 2);
    let conclusion = parallel(
        &mut control,
        trees,
        Chosen::clone,
        ParallelSettings::default(),
    );
    assert_eq!(conclusion, Conclusion::Stopped(Stop::Target));
    assert!(control.best() <= Some(target) && control.iterations() < 3000);
}

#[test]
fn a_cancelled_search_does_nothing_more() {
    let digits = Digits::random(7, 12, 10);
    let cancel = CancelToken::new();
    cancel.cancel();
    let limits = Limits::iterations(3000).with_cancel(cancel);
    let (conclusion, offers) = digits_in_parallel(&digits, 2, limits);
    assert_eq!(
        (conclusion, offers),
        (Conclusion::Stopped(Stop::Cancelled), vec![])
    );
}
