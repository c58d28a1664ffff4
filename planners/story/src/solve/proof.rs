//! From a quick story to a proof.

use super::optimal::{Aim, Climb, Ended};
use crate::machine::Machine;
use crate::plan::{Cost, Plan};
use crate::problem::Problem;
use crate::relax::Relaxed;
use anytime::{Conclusion, Control, Stop};

/// How far the score that is looked for falls from one round to the next.
const FALL: f64 = 0.8;
/// Scores below this are not looked for one by one.
const LEAST: f64 = 1e-3;
/// How many times more than what is done what is still to be done counts, in greedy rounds.
const GREED: i64 = 3;

/// Looks for stories above a score that falls from round to round, each to the end.
///
/// A round leaves out all actions that are no more believable than the score looked for, as no story with one of them is better. So the
/// first rounds are quick, and each that finds nothing proves a bound.
pub(super) fn search(
    problem: &Problem,
    machine: &Machine,
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    rounds(problem, machine, Aim::PROOF, control)
        .unwrap_or_else(|| Conclusion::Stopped(control.stop().unwrap_or(Stop::Exhausted)))
}

/// The same greedily, giving up each round after so many nodes. The conclusion, if there is one.
pub(super) fn greedy(
    problem: &Problem,
    machine: &Machine,
    opened_max: u64,
    control: &mut Control<'_, Plan, Cost>,
) -> Option<Conclusion> {
    let aim = Aim {
        weight: GREED,
        opened_max,
    };
    rounds(problem, machine, aim, control)
}

fn rounds(
    problem: &Problem,
    machine: &Machine,
    aim: Aim,
    control: &mut Control<'_, Plan, Cost>,
) -> Option<Conclusion> {
    let mut floor = 1.0_f64;
    loop {
        let before = score(control);
        floor *= FALL;
        // Nothing that is proved already is looked for again.
        while control
            .bound()
            .is_some_and(|bound| bound.score() < floor * FALL)
        {
            floor *= FALL;
        }
        floor = if floor < LEAST {
            before
        } else {
            floor.max(before)
        };
        match round(problem, machine, (floor, aim), control) {
            Ended::Proved if score(control) >= floor => return Some(proved(control)),
            Ended::Proved => {
                let loss_pico = Cost::of_score(floor).loss_pico.saturating_sub(1);
                control.prove(Cost { loss_pico }, "landmark cuts");
            }
            Ended::Full if aim.opened_max < u64::MAX => {}
            Ended::Full => return None,
            Ended::Stopped => {
                let stop = control.stop().unwrap_or(Stop::Exhausted);
                return Some(Conclusion::Stopped(stop));
            }
        }
        if floor <= before && score(control) <= before {
            return None;
        }
    }
}

fn score(control: &Control<'_, Plan, Cost>) -> f64 {
    control.best().map_or(0.0, Cost::score)
}

/// What it means that nothing is better than the best story offered.
fn proved(control: &mut Control<'_, Plan, Cost>) -> Conclusion {
    match control.best() {
        Some(best) => {
            control.prove(best, "landmark cuts");
            Conclusion::Optimal
        }
        None => Conclusion::Infeasible,
    }
}

/// One search for stories that score more than `floor`.
fn round(
    problem: &Problem,
    machine: &Machine,
    (floor, aim): (f64, Aim),
    control: &mut Control<'_, Plan, Cost>,
) -> Ended {
    let relaxed = Relaxed::new(problem, machine, floor, &mut || control.go_on());
    match relaxed {
        Some(relaxed) => Climb::new(machine, &relaxed, floor).run(aim, control),
        None if control.stop().is_some() => Ended::Stopped,
        None => Ended::Full,
    }
}
