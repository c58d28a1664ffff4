//! The driver that plans one action at a time.

use crate::bounding::Oracle;
use crate::digits::{Chosen, Digits};
use crate::tour::{ShortestWays, Tour};
use crate::{least_cost, listen};
use anytime::{CancelToken, Conclusion, Limits, Stop};
use mcts::{Domain, IterativeSettings, NoBound, Plain, Search, Settings, iterative};

const BUDGET: IterativeSettings = IterativeSettings {
    budget: 200,
    found_by: "mcts",
};

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
fn committing_past_untried_actions_gives_up_the_proof() {
    let tour = Tour::random(1, 4);
    let mut search = Search::new(&tour, Plain, NoBound, Settings::default());
    // The root, and one child.
    crate::run(&mut search, 2);
    assert!(search.commit().is_some());
    assert!(crate::run(&mut search, 1000));
    assert!(search.is_finished() && !search.is_exhausted());
}

#[test]
fn iterative_commitment_starts_from_the_incumbent_of_the_control() {
    let digits = Digits::random(7, 5, 3);
    let least = least_cost(&digits);
    let (conclusion, offers) = listen(Limits::iterations(2), |control| {
        // Whatever it looks like: somebody else has a plan of this cost.
        control.offer(&digits.root(), least, "elsewhere");
        let search = Search::new(&digits, Plain, Oracle(least), Settings::default());
        iterative(control, search, Chosen::clone, BUDGET)
    });
    assert_eq!((conclusion, offers.len()), (Conclusion::Optimal, 1));
}

#[test]
fn a_cancelled_commitment_does_nothing_more() {
    let digits = Digits::random(7, 12, 10);
    let cancel = CancelToken::new();
    cancel.cancel();
    let (conclusion, offers) = listen(Limits::iterations(3000).with_cancel(cancel), |control| {
        let search = Search::new(&digits, Plain, NoBound, Settings::default());
        iterative(control, search, Chosen::clone, BUDGET)
    });
    assert_eq!(
        (conclusion, offers),
        (Conclusion::Stopped(Stop::Cancelled), vec![])
    );
}
