//! What bounds close, and what they prove.

use crate::digits::{CheapestNext, Chosen, Digits};
use crate::{found, least_cost, run};
use mcts::{Bound, Domain, Guide, NoBound, Outcome, Plain, Rng, Search, Settings, Step};

/// Knows everything at the root and nothing below.
#[derive(Clone, Copy)]
pub(crate) struct Oracle(pub(crate) u32);

impl Bound<Digits> for Oracle {
    fn lower(&self, _: &Digits, state: &Chosen) -> Option<u32> {
        (state.count == 0).then_some(self.0)
    }
}

#[test]
fn what_can_only_be_as_good_as_the_incumbent_is_closed() {
    let digits = Digits::random(4, 6, 4);
    let least = least_cost(&digits);
    let mut search = Search::new(&digits, Plain, Oracle(least), Settings::default());
    assert_ne!(search.step(Some(least + 1)), Step::Closed);
    assert_eq!(search.step(Some(least)), Step::Closed);
    assert_eq!(search.step(Some(least)), Step::Finished);
    assert!(search.is_exhausted());
    assert_eq!(search.proved_bound(Some(least)), Some(least));
}

/// An incumbent from elsewhere closes what cannot beat it: with the optimum, everything.
#[test]
fn an_optimal_incumbent_is_proved_without_being_found() {
    let digits = Digits::random(4, 6, 4);
    let least = least_cost(&digits);
    let mut search = Search::new(&digits, Plain, CheapestNext, Settings::default());
    while search.step(Some(least)) != Step::Finished {}
    assert!(search.is_exhausted());
    assert!(found(&search).is_none_or(|cost| cost >= least));
}

#[test]
fn what_is_proved_of_a_node_is_proved_of_all_below() {
    let digits = Digits::random(4, 6, 4);
    let least = least_cost(&digits);
    let mut search = Search::new(&digits, Plain, Oracle(least - 1), Settings::default());
    run(&mut search, 100);
    assert!(!search.is_finished());
    assert_eq!(search.proved_bound(None), Some(least - 1));
}

#[test]
fn without_a_bound_nothing_is_proved_until_the_end() {
    let digits = Digits::random(4, 3, 3);
    let mut search = Search::new(&digits, Plain, NoBound, Settings::default());
    while search.step(None) != Step::Finished {
        assert_eq!(search.proved_bound(None).is_some(), search.is_finished());
    }
    assert_eq!(search.proved_bound(None), Some(least_cost(&digits)));
}

/// Two choices of two: the first costs 1 or 5, the second 10 or 11.
struct Pairs;

impl Domain for Pairs {
    type State = Vec<u32>;
    type Action = u32;
    type Cost = u32;
    fn root(&self) -> Vec<u32> {
        Vec::new()
    }
    fn actions(&self, state: &Vec<u32>, out: &mut Vec<u32>) {
        out.extend([[1, 5], [10, 11]].get(state.len()).into_iter().flatten());
    }
    fn apply(&self, state: &mut Vec<u32>, price: u32) {
        state.push(price);
    }
    fn outcome(&self, terminal: &Vec<u32>) -> Outcome<u32> {
        let cost = terminal.iter().sum();
        Outcome {
            cost,
            reward: 1.0 / f64::from(cost),
        }
    }
}

/// Tries the cheaper first, and knows of the first choice only.
struct FirstChoice;

impl Guide<Pairs> for FirstChoice {
    fn order(&mut self, _: &Pairs, _: &Vec<u32>, actions: &mut [u32], _: &mut Rng) {
        actions.sort_unstable();
    }
}

impl Bound<Pairs> for FirstChoice {
    fn lower(&self, _: &Pairs, state: &Vec<u32>) -> Option<u32> {
        Some(state.first().copied().unwrap_or(0))
    }
}

/// The bound of a finished part no longer counts, however low it is.
#[test]
fn the_proved_bound_is_that_of_what_is_open() {
    let settings = Settings {
        exploration: 0.0,
        ..Settings::default()
    };
    let mut search = Search::new(&Pairs, FirstChoice, FirstChoice, settings);
    // The root, its two children, and the two ends below the better one.
    let proved = [0, 0, 1, 1, 5].map(|expected| {
        search.step(None);
        (search.proved_bound(None), Some(expected))
    });
    assert!(
        proved.iter().all(|(own, expected)| own == expected),
        "{proved:?}"
    );
    assert_eq!(found(&search), Some(11));
}
