//! Plans by strands: groups with more storylines together than are planned one by one.

mod expand;
mod groups;
mod play;
mod random;
mod violations;

use super::answer;
use anytime::Conclusion;
use narrative::generate::Evening;
use narrative::plan::{Plan, UndecidedReason};
use narrative::problem::{Chooser, Micros};
use narrative::{Answer, Narrative};

const MINUTE_US: Micros = 60_000_000;

/// Seven groups, which have 2,187 storylines.
fn evening(seed: u64) -> Narrative {
    let minutes = |choices: [i64; 4], at: u64| choices[(seed >> at) as usize % 4] * MINUTE_US;
    let shortest = minutes([4, 5, 6, 8], 0);
    let mut actors = [1; 4];
    if seed.is_multiple_of(3) {
        actors[(seed / 3) as usize % 4] = 2;
    }
    Evening {
        groups: 7,
        offset_us: minutes([30, 40, 50, 60], 2),
        search_us: (shortest, shortest + minutes([5, 8, 12, 20], 1)),
        curtain_us: (40 * MINUTE_US, minutes([70, 75, 80, 90], 3)),
        candles: 7,
        actors,
        chooser: match seed % 2 {
            0 => Chooser::Player,
            _ => Chooser::System,
        },
    }
    .narrative()
}

/// Evenings with choices of the players that have a plan, and such with choices of ours.
const PLAYERS: [u64; 3] = [8, 10, 12];
const OURS: [u64; 5] = [1, 3, 5, 9, 15];

/// An evening and its plan.
fn planned(seed: u64) -> (Narrative, Plan) {
    let narrative = evening(seed);
    assert!(narrative.storylines().is_empty());
    match answer(&narrative, 3_000) {
        (Some(Answer::Plan(plan)), _) => (narrative, plan),
        (other, conclusion) => panic!("{seed}: {conclusion:?} {other:?}"),
    }
}

#[test]
fn what_one_group_cannot_keep_is_a_proof_for_all() {
    let too_short = Evening {
        groups: 7,
        offset_us: 60 * MINUTE_US,
        chooser: Chooser::Player,
        curtain_us: (50 * MINUTE_US, 60 * MINUTE_US),
        search_us: (4 * MINUTE_US, 9 * MINUTE_US),
        ..Evening::default()
    };
    match answer(&too_short.narrative(), 3_000) {
        (Some(Answer::Infeasible { conflict, .. }), Conclusion::Infeasible) => {
            assert!(conflict.minimal, "{conflict:?}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_two_groups_cannot_keep_is_a_proof_for_all() {
    let at_once = Evening {
        groups: 7,
        offset_us: 0,
        chooser: Chooser::Player,
        curtain_us: (40 * MINUTE_US, 75 * MINUTE_US),
        search_us: (5 * MINUTE_US, 8 * MINUTE_US),
        ..Evening::default()
    };
    match answer(&at_once.narrative(), 3_000) {
        (Some(Answer::Infeasible { .. }), Conclusion::Infeasible) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn where_nobody_knows_it_says_so() {
    match answer(&evening(7), 100_000) {
        (Some(Answer::Undecided(open)), Conclusion::Stopped(_)) => {
            assert_eq!(open.reason, UndecidedReason::Strands);
        }
        other => panic!("{other:?}"),
    }
}
