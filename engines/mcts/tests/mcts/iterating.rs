//! Searches that plan one action at a time.

use crate::digits::Digits;
use crate::found;
use crate::tour::Tour;
use mcts::{NoBound, Plain, Search, Settings};

#[test]
fn commitments_find_what_one_small_tree_does_not() {
    // A tree of 200 nodes does not get deep here; one that moves down does.
    let digits = Digits::random(6, 30, 4);
    let settings = Settings {
        nodes_max: 200,
        exploration: 0.1,
        ..Settings::default()
    };
    let run = |budget: u64| {
        let mut search = Search::new(&digits, Plain, NoBound, settings);
        for _ in 0..6_000 / budget {
            crate::run(&mut search, budget);
            search.commit();
        }
        found(&search).unwrap()
    };
    assert!(run(200) < run(6_000));
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
fn committing_past_untried_actions_gives_up_the_proof() {
    let tour = Tour::random(1, 4);
    let mut search = Search::new(&tour, Plain, NoBound, Settings::default());
    // The root, and one child.
    crate::run(&mut search, 2);
    assert!(search.commit().is_some());
    assert!(crate::run(&mut search, 1000));
    assert!(search.is_finished() && !search.is_exhausted());
}
