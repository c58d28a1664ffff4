//! Selection, memory, closing, policy: one tree, step by step.

use crate::digits::Digits;
use crate::tour::{ShortestWays, Tour};
use crate::{found, least_cost, run};
use mcts::{Domain, LINKS_PER_NODE, NoBound, Outcome, Plain, Search, Settings, Step, node_bytes};
use std::cell::Cell;

const SMALL: Settings = Settings {
    exploration: std::f64::consts::SQRT_2,
    nodes_max: 50,
    depth_max: 100,
    seed: 1,
};

#[test]
fn a_node_with_its_bound_is_at_most_64_bytes() {
    assert_eq!(node_bytes::<u64>(false), 32);
    assert!(node_bytes::<(u64, u64, u32)>(true) <= 64);
}

#[test]
fn a_full_tree_stops_growing_and_goes_on_sampling() {
    let digits = Digits::random(1, 12, 10);
    let mut search = Search::new(&digits, Plain, NoBound, SMALL);
    run(&mut search, 1000);
    let early = found(&search).unwrap();
    assert_eq!(search.nodes(), SMALL.nodes_max);
    run(&mut search, 20_000);
    assert_eq!(search.nodes(), SMALL.nodes_max);
    assert!(search.links() <= SMALL.nodes_max * LINKS_PER_NODE);
    assert!(found(&search).unwrap() < early);
    assert_eq!(search.iterations(), 21_000);
}

/// Closed parts give their room back, so a tree much larger than the limit is searched to the end.
#[test]
fn a_tree_of_50_nodes_exhausts_a_world_of_thousands() {
    let tour = Tour::random(5, 7);
    let mut search = Search::new(&tour, Plain, ShortestWays, SMALL);
    assert!(run(&mut search, 1_000_000), "not finished");
    assert!(search.is_exhausted());
    assert_eq!(found(&search), Some(least_cost(&tour)));
}

#[test]
fn even_one_node_finds_the_best_of_few() {
    let digits = Digits::random(2, 1, 10);
    let settings = Settings {
        nodes_max: 0,
        ..SMALL
    };
    let mut search = Search::new(&digits, Plain, NoBound, settings);
    assert!(run(&mut search, 100));
    assert_eq!(
        (search.nodes(), found(&search)),
        (1, Some(least_cost(&digits)))
    );
}

#[test]
fn a_world_that_ends_where_it_starts_is_finished_at_once() {
    let digits = Digits::random(1, 0, 10);
    let mut search = Search::new(&digits, Plain, NoBound, SMALL);
    assert_eq!(search.step(None), Step::Improved);
    assert_eq!(search.step(None), Step::Finished);
    assert!(search.is_exhausted());
    assert_eq!(found(&search), Some(0));
}

#[test]
fn steps_improve_only_on_what_everybody_has() {
    /// How much better than this search somebody else always is.
    const AHEAD: u32 = 10;
    let digits = Digits::random(4, 6, 4);
    let mut search = Search::new(&digits, Plain, NoBound, SMALL);
    let mut best = None;
    while found(&search) != Some(least_cost(&digits)) {
        let step = search.step(best.map(|cost: u32| cost - AHEAD));
        let now = found(&search);
        let beaten = now != best && best.is_none_or(|best| now < Some(best - AHEAD));
        assert_eq!(step == Step::Improved, beaten);
        best = now;
    }
}

/// Where the best is at the end of the best-looking branch, most visits lead there.
#[test]
fn policy_follows_the_visits() {
    // The digit itself is its price, so that every 0 is better than every other digit.
    struct Zeros;
    impl Domain for Zeros {
        type State = (u8, u8);
        type Action = u8;
        type Cost = u8;
        fn root(&self) -> (u8, u8) {
            (0, 0)
        }
        fn actions(&self, state: &(u8, u8), out: &mut Vec<u8>) {
            out.extend((0..4).filter(|_| state.0 < 20));
        }
        fn apply(&self, state: &mut (u8, u8), digit: u8) {
            *state = (state.0 + 1, state.1 + digit);
        }
        fn outcome(&self, state: &(u8, u8)) -> Outcome<u8> {
            Outcome {
                cost: state.1,
                reward: 1.0 - f64::from(state.1) / 60.0,
            }
        }
    }
    let settings = Settings {
        exploration: 0.1,
        ..Settings::default()
    };
    let mut search = Search::new(&Zeros, Plain, NoBound, settings);
    assert!(search.policy().is_empty());
    run(&mut search, 20_000);
    assert_eq!(search.policy()[..5], [0; 5]);
}

/// A walk that need not end: step left or right, home is 3 to the right.
struct Unbounded;

impl Domain for Unbounded {
    type State = (i32, u32);
    type Action = bool;
    type Cost = u32;
    fn root(&self) -> (i32, u32) {
        (-3, 0)
    }
    fn actions(&self, state: &(i32, u32), out: &mut Vec<bool>) {
        out.extend([false, true].into_iter().filter(|_| state.0 != 0));
    }
    fn apply(&self, state: &mut (i32, u32), right: bool) {
        *state = (state.0 + if right { 1 } else { -1 }, state.1 + 1);
    }
    fn outcome(&self, home: &(i32, u32)) -> Outcome<u32> {
        assert_eq!(home.0, 0);
        Outcome {
            cost: home.1,
            reward: 1.0 / f64::from(home.1),
        }
    }
}

#[test]
fn beyond_the_depth_limit_nothing_is_claimed() {
    let settings = Settings {
        depth_max: 7,
        ..SMALL
    };
    let mut search = Search::new(&Unbounded, Plain, NoBound, settings);
    assert!(run(&mut search, 100_000), "not finished");
    assert_eq!(found(&search), Some(3));
    assert!(search.is_finished() && !search.is_exhausted());
    assert_eq!(search.proved_bound(None), None);
}

#[test]
fn a_plan_as_long_as_the_depth_limit_is_found() {
    for (depth_max, expected) in [(2, None), (3, Some(3))] {
        let settings = Settings { depth_max, ..SMALL };
        let mut search = Search::new(&Unbounded, Plain, NoBound, settings);
        run(&mut search, 1000);
        assert_eq!(found(&search), expected, "depth_max {depth_max}");
    }
}

/// Counts how often a state is cloned by allocation.
struct Counting(Cell<u32>);

struct Counted<'c>(u32, &'c Cell<u32>);

impl Clone for Counted<'_> {
    fn clone(&self) -> Self {
        self.1.set(self.1.get() + 1);
        Self(self.0, self.1)
    }

    fn clone_from(&mut self, source: &Self) {
        self.0 = source.0;
    }
}

#[test]
fn no_state_is_cloned_anew_once_there_is_a_best() {
    struct World<'c>(&'c Counting);
    impl<'c> Domain for World<'c> {
        type State = Counted<'c>;
        type Action = u8;
        type Cost = u32;
        fn root(&self) -> Counted<'c> {
            Counted(1, &self.0.0)
        }
        fn actions(&self, state: &Counted<'c>, out: &mut Vec<u8>) {
            out.extend((0..5).filter(|_| state.0 < 1_000_000));
        }
        fn apply(&self, state: &mut Counted<'c>, action: u8) {
            state.0 = 5 * state.0 + u32::from(action);
        }
        fn outcome(&self, terminal: &Counted<'c>) -> Outcome<u32> {
            Outcome {
                cost: terminal.0 % 9973,
                reward: 1.0 - f64::from(terminal.0 % 9973) / 9973.0,
            }
        }
    }
    let counting = Counting(Cell::new(0));
    let world = World(&counting);
    let mut search = Search::new(&world, Plain, NoBound, SMALL);
    run(&mut search, 1);
    let (before, first) = (counting.0.get(), found(&search));
    run(&mut search, 5000);
    assert_ne!(found(&search), first, "nothing better was kept");
    assert_eq!(counting.0.get(), before);
}

#[test]
fn the_same_seed_gives_the_same_search_and_another_another() {
    let digits = Digits::random(9, 12, 10);
    let trace = |seed| {
        let settings = Settings { seed, ..SMALL };
        let mut search = Search::new(&digits, Plain, NoBound, settings);
        run(&mut search, 500);
        (search.policy(), search.visits(), found(&search))
    };
    assert_eq!(trace(1), trace(1));
    assert_ne!(trace(1), trace(2));
}
