//! The search for a shortest plan: for a while exactly, then a look ahead for a shorter plan, then
//! exactly to the end. Meanwhile local search improves the order of stops, turn by turn.

use super::chart::Chart;
use super::improve::{Improver, Tried};
use super::search::{Aim, Before, Ended, Search};
use super::tour::Tours;
use crate::rules::Action;

/// Who listens to a hunt.
pub(super) trait Hunter {
    /// Whether to open one more place.
    fn go(&mut self) -> bool;

    /// Whether to go on between two places.
    fn goes_on(&mut self) -> bool;

    /// Hears of a shorter plan; says whether to go on.
    fn found(&mut self, actions: Vec<Action>) -> bool;
}

/// Places opened before a look ahead, and in it.
const LOOK_MAX: u32 = 500;
/// What the bound counts in a look ahead.
const LOOK_WEIGHT_PERCENT: u32 = 200;

/// Orders tried, and places opened after them, in a turn.
const ORDERS_A_TURN: u32 = 2_000;
const PLACES_A_TURN: u32 = 2_000;

/// Hunts for plans shorter than `aim.most`. Returns how it ended, and how many actions every plan
/// has at least.
pub(super) fn hunt(
    chart: &Chart<'_>,
    (aim, improver): (Aim, Option<Improver<'_>>),
    hunter: &mut dyn Hunter,
) -> (Ended, u32) {
    let mut tours = Tours::new(chart);
    let mut exact = Search::new(chart, &mut tours, aim);
    match run(&mut exact, LOOK_MAX, hunter) {
        Ended::Paused => {}
        ended => return (ended, exact.proved()),
    }
    let mut tours = Tours::new(chart);
    let ahead = Aim {
        most: exact.most(),
        weight_percent: LOOK_WEIGHT_PERCENT,
        ..aim
    };
    let mut ahead = Search::new(chart, &mut tours, ahead);
    let ended = run(&mut ahead, LOOK_MAX, hunter);
    exact.lower(ahead.most());
    drop(ahead);
    let ended = match (ended, improver) {
        (Ended::Stopped, _) => ended,
        (_, Some(improver)) => by_turns(&mut exact, improver, hunter),
        (_, None) => run(&mut exact, u32::MAX, hunter),
    };
    (ended, exact.proved())
}

/// Local search and the exact search by turns, until either has come to its end; then the exact one
/// alone.
fn by_turns(exact: &mut Search<'_>, improver: Improver<'_>, hunter: &mut dyn Hunter) -> Ended {
    let mut improver = improver;
    loop {
        improver.lower(exact.most());
        for _ in 0..ORDERS_A_TURN {
            if !hunter.go() {
                return Ended::Stopped;
            }
            match improver.step() {
                Tried::Nothing => {}
                Tried::Found(actions) => {
                    exact.lower(actions.len() as u32);
                    if !hunter.found(actions) {
                        return Ended::Stopped;
                    }
                }
                Tried::Ended => return run(exact, u32::MAX, hunter),
            }
        }
        match run(exact, PLACES_A_TURN, hunter) {
            Ended::Paused => {}
            // What the exact search has no room for may be found all the same.
            Ended::Full => return improve(improver, hunter),
            ended => return ended,
        }
    }
}

/// Local search to its end.
fn improve(improver: Improver<'_>, hunter: &mut dyn Hunter) -> Ended {
    let mut improver = improver;
    loop {
        let found = match improver.step() {
            Tried::Ended => return Ended::Full,
            Tried::Nothing => true,
            Tried::Found(actions) => hunter.found(actions),
        };
        if !found || !hunter.go() {
            return Ended::Stopped;
        }
    }
}

/// Runs a search until it ends, or has opened so many places.
fn run(search: &mut Search<'_>, places: u32, hunter: &mut dyn Hunter) -> Ended {
    let mut left = places;
    loop {
        let found = search.run(&mut |before| {
            let goes_on = match before {
                Before::More => hunter.goes_on(),
                Before::Node if left == 0 => return Err(Ended::Paused),
                Before::Node => {
                    left -= u32::from(left < u32::MAX);
                    hunter.go()
                }
            };
            goes_on.then_some(()).ok_or(Ended::Stopped)
        });
        match found {
            Ok(actions) => {
                if !hunter.found(actions) {
                    return Ended::Stopped;
                }
            }
            Err(ended) => return ended,
        }
    }
}
