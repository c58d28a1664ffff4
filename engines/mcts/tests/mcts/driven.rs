//! The drivers: iterative commitment, and trees in parallel.

use crate::digits::{CheapestNext, Chosen, Digits};
use crate::least_cost;
use crate::tour::{Hints, ShortestWays, Tour};
use anytime::{CancelToken, Conclusion, Control, Limits, Stop};
use mcts::{
    Bound, Domain, Guide, IterativeSettings, NoBound, Outcome, ParallelSettings, Plain, Search,
    Settings, exploration_constants, forest, iterative, parallel,
};

const BUDGET: IterativeSettings = IterativeSettings {
    budget: 200,
    found_by: "mcts",
};

type Offers<P> = Vec<(P, u32)>;

/// What `solve` concludes and offers under `limits`.
fn listen<P: Clone>(
    limits: Limits,
    solve: impl FnOnce(&mut Control<'_, P, u32>) -> Conclusion,
) -> (Conclusion, Offers<P>) {
    let mut offers = Vec::new();
    let mut sink = |plan: &P, cost: u32| offers.push((plan.clone(), cost));
    let conclusion = solve(&mut Control::new(limits, 11, &mut sink));
    (conclusion, offers)
}

/// Trees on `domain` that share the limits of `control`.
fn plant<'d, D: Domain<Cost = u32>, G: Guide<D> + Clone, B: Bound<D> + Copy, P>(
    control: &Control<'_, P, u32>,
    (domain, guide, bound): (&'d D, &G, B),
    trees: usize,
) -> Vec<Search<'d, D, G, B>> {
    forest(control, &Settings::default(), trees)
        .into_iter()
        .map(|settings| Search::new(domain, guide.clone(), bound, settings))
        .collect()
}

fn digits_in_parallel(
    digits: &Digits,
    trees: usize,
    limits: Limits,
) -> (Conclusion, Offers<Chosen>) {
    listen(limits, |control| {
        let trees = plant(control, (digits, &Plain, NoBound), trees);
        parallel(control, trees, Chosen::clone, ParallelSettings::default())
    })
}

#[test]
fn iterative_commitment_finds_what_one_small_tree_does_not() {
    // A tree of 200 nodes does not get deep here; one that moves down does.
    let digits = Digits::random(6, 30, 4);
    let settings = Settings {
        nodes_max: 200,
        exploration: 0.1,
        ..Settings::default()
    };
    let limits = || Limits::iterations(6000);
    let run = |budget| {
        let (conclusion, offers) = listen(limits(), |control| {
            let search = Search::new(&digits, Plain, NoBound, settings);
            iterative(
                control,
                search,
                Chosen::clone,
                IterativeSettings { budget, ..BUDGET },
            )
        });
        assert!(matches!(
            conclusion,
            Conclusion::Stopped(Stop::Iterations | Stop::Exhausted)
        ));
        assert!(offers.is_sorted_by(|a, b| a.1 > b.1));
        offers.last().unwrap().1
    };
    assert!(run(200) < run(u64::MAX));
}

#[test]
fn iterative_commitment_ends_exhausted_without_a_claim() {
    let digits = Digits::random(6, 8, 6);
    let (conclusion, offers) = listen(Limits::iterations(1_000_000), |control| {
        let search = Search::new(&digits, Plain, NoBound, Settings::default());
        iterative(control, search, Chosen::clone, BUDGET)
    });
    assert_eq!(conclusion, Conclusion::Stopped(Stop::Exhausted));
    assert!(offers.last().unwrap().1 >= least_cost(&digits));
}

#[test]
fn iterative_commitment_proves_what_it_exhausts_before_committing() {
    let tour = Tour::random(1, 6);
    let (conclusion, offers) = listen(Limits::iterations(100_000), |control| {
        let search = Search::new(&tour, Plain, ShortestWays, Settings::default());
        let settings = IterativeSettings {
            budget: 100_000,
            ..BUDGET
        };
        iterative(control, search, Clone::clone, settings)
    });
    assert_eq!(conclusion, Conclusion::Optimal);
    assert_eq!(offers.last().unwrap().1, least_cost(&tour));
}

#[test]
fn a_committed_search_keeps_its_prefix() {
    let tour = Tour::random(1, 9);
    let mut search = Search::new(&tour, Plain, NoBound, Settings::default());
    assert_eq!(search.commit(), None, "nothing is known yet");
    let mut committed = Vec::new();
    for _ in 0..3 {
        crate::run(&mut search, 300);
        committed.extend(search.commit());
    }
    crate::run(&mut search, 300);
    assert_eq!(committed.len(), 3);
    assert_eq!(search.policy()[..3], committed);
    assert!(!search.is_exhausted());
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
        let trees = plant(&control, (&digits, &Plain, NoBound), trees);
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
    let hints = Hints {
        nearest: true,
        history: true,
        two_opt: true,
        ..Hints::default()
    };
    for (trees, threads) in [(1, 1), (2, 2), (3, 4), (6, 2)] {
        let limits = Limits::iterations(1_000_000).with_threads(threads);
        let (conclusion, offers) = listen(limits, |control| {
            let trees = plant(control, (&tour, &hints, ShortestWays), trees);
            let conclusion = parallel(control, trees, Clone::clone, ParallelSettings::default());
            assert_eq!(control.bound(), control.best());
            conclusion
        });
        assert_eq!(conclusion, Conclusion::Optimal);
        assert_eq!(offers.last().unwrap().1, least_cost(&tour));
    }
}

#[test]
fn bounds_are_proved_on_the_way_and_sound() {
    let digits = Digits::random(2, 7, 6);
    let mut ignore = |_: &Chosen, _| {};
    let mut control = Control::new(Limits::iterations(300), 11, &mut ignore);
    let trees = plant(&control, (&digits, &Plain, CheapestNext), 2);
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
    let trees = plant(&control, (&digits, &Plain, NoBound), 2);
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
    let (conclusion, offers) = digits_in_parallel(&digits, 2, limits.clone());
    assert_eq!(
        (conclusion, offers),
        (Conclusion::Stopped(Stop::Cancelled), vec![])
    );
    let (conclusion, _) = listen(limits, |control| {
        let search = Search::new(&digits, Plain, NoBound, Settings::default());
        iterative(control, search, Chosen::clone, BUDGET)
    });
    assert_eq!(conclusion, Conclusion::Stopped(Stop::Cancelled));
}

/// Digits whose rules do something unexpected when a certain number of ends have been reached.
struct Trap<'t> {
    digits: Digits,
    reached: std::sync::atomic::AtomicUsize,
    at: usize,
    spring: &'t (dyn Fn() + Sync),
}

impl Domain for Trap<'_> {
    type State = Chosen;
    type Action = u8;
    type Cost = u32;
    fn root(&self) -> Chosen {
        self.digits.root()
    }
    fn actions(&self, state: &Chosen, out: &mut Vec<u8>) {
        self.digits.actions(state, out);
    }
    fn apply(&self, state: &mut Chosen, digit: u8) {
        self.digits.apply(state, digit);
    }
    fn outcome(&self, terminal: &Chosen) -> Outcome<u32> {
        let reached = self
            .reached
            .fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if reached == self.at {
            (self.spring)();
        }
        self.digits.outcome(terminal)
    }
}

fn trapped(spring: &(dyn Fn() + Sync), limits: Limits) -> (Conclusion, Offers<Chosen>) {
    let trap = Trap {
        digits: Digits::random(7, 12, 10),
        reached: 0.into(),
        at: 700,
        spring,
    };
    listen(limits, |control| {
        let trees = plant(control, (&trap, &Plain, NoBound), 4);
        parallel(control, trees, Chosen::clone, ParallelSettings::default())
    })
}

#[test]
fn a_cancelled_round_stops_at_once_and_offers_what_it_has() {
    let cancel = CancelToken::new();
    let limits = Limits::iterations(100_000)
        .with_threads(2)
        .with_cancel(cancel.clone());
    let (conclusion, offers) = trapped(&|| cancel.cancel(), limits);
    assert_eq!(conclusion, Conclusion::Stopped(Stop::Cancelled));
    assert!(!offers.is_empty());
}

#[test]
fn a_panic_in_any_thread_is_the_callers_panic() {
    for threads in [1, 2, 4] {
        let limits = Limits::iterations(100_000).with_threads(threads);
        let result = std::panic::catch_unwind(|| trapped(&|| panic!("sprung"), limits));
        let payload = result.expect_err("the panic is not swallowed");
        assert_eq!(payload.downcast_ref(), Some(&"sprung"));
    }
}
