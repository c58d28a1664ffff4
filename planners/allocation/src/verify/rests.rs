//! Rules about breaks.

use super::violation::CouplingViolation as C;
use super::{Violation, now};
use crate::plan::{Plan, Rest, Route};
use crate::problem::{Break, Micros, Problem};

/// The breaks of a route before one of its stops.
pub(super) struct Rested {
    /// How long they take together.
    pub(super) length_us: Micros,
    /// When the last of them ends; `None` without any.
    pub(super) awake_us: Option<Micros>,
}

/// Checks the breaks before a stop, which begin at `free_us` or after; `None`: the plan does not
/// determine that time.
pub(super) fn before(
    problem: &Problem,
    (route, given, stop): (usize, &Route, usize),
    free_us: Option<Micros>,
    broken: &mut Vec<Violation>,
) -> Rested {
    let mut rested = Rested {
        length_us: 0,
        awake_us: None,
    };
    for (rest, one) in given.rests.iter().enumerate() {
        let Some(known) = known(problem, one).filter(|_| one.stop == stop) else {
            continue;
        };
        let start_us = one.start_us;
        let awake_us = rested.awake_us.or(free_us);
        if let Some(free_us) = awake_us.filter(|free_us| start_us < *free_us) {
            broken.push(Violation::Coupling(C::BreakTooEarly {
                route,
                rest,
                start_us,
                free_us,
            }));
        }
        rested.length_us = rested.length_us.saturating_add(known.length_us);
        rested.awake_us = Some(start_us.saturating_add(known.length_us));
    }
    rested
}

fn known<'p>(problem: &'p Problem, rest: &Rest) -> Option<&'p Break> {
    problem.couplings().breaks.get(rest.index)
}

/// Whose breaks they are, how often, where and when; and those that are missing.
///
/// `ends_us` are the ends of the routes.
pub(super) fn check(
    problem: &Problem,
    (plan, ends_us): (&Plan, &[Micros]),
    broken: &mut Vec<Violation>,
) {
    let mut wrong = Vec::new();
    for (route, one) in plan.routes.iter().enumerate() {
        let mut taken = vec![false; problem.couplings().breaks.len()];
        for (rest, given) in one.rests.iter().enumerate() {
            let index = given.index;
            let Some(known) = known(problem, given).filter(|known| known.agent == one.agent) else {
                wrong.push(C::BreakUnknown { route, rest, index });
                continue;
            };
            if taken[index] {
                wrong.push(C::BreakRepeated { route, rest, index });
            }
            taken[index] = true;
            if given.stop > one.stops.len() {
                wrong.push(C::BreakMisplaced {
                    route,
                    rest,
                    stop: given.stop,
                });
            }
            let start_us = given.start_us;
            if !(known.earliest_us..=known.latest_us).contains(&start_us) {
                wrong.push(C::BreakOutsideWindow {
                    route,
                    rest,
                    start_us,
                });
            }
        }
        missing(problem, (route, one), (&taken, ends_us[route]), &mut wrong);
    }
    broken.extend(wrong.into_iter().map(Violation::Coupling));
}

/// An agent that is done when a break has to start need not take it, nor one that has nothing to do
/// then, before now.
fn missing(
    problem: &Problem,
    (route, given): (usize, &Route),
    (taken, end_us): (&[bool], Micros),
    wrong: &mut Vec<C>,
) {
    for (index, one) in problem.couplings().breaks.iter().enumerate() {
        let is_due = !taken[index] && end_us > one.latest_us;
        if one.agent == given.agent && is_due && !now::is_over(problem, given, one) {
            wrong.push(C::BreakMissing {
                route,
                index,
                end_us,
                latest_us: one.latest_us,
            });
        }
    }
}
