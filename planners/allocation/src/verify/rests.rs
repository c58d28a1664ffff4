//! Rules about breaks.

use super::violation::CouplingViolation as C;
use super::{Violation, now};
use crate::plan::{Plan, Rest};
use crate::problem::{Break, Micros, Problem};

/// Breaks of a route before one of its stops.
pub(super) struct Rested {
    /// Sum of their lengths.
    pub(super) length_us: Micros,
    /// End of the last of them; `None` without breaks.
    pub(super) awake_us: Option<Micros>,
}

/// Checks the breaks before a stop. They start at `free_us` or later; `None`: the plan does not
/// determine that time.
pub(super) fn before(
    problem: &Problem,
    plan: &Plan,
    route: usize,
    stop: usize,
    free_us: Option<Micros>,
    broken: &mut Vec<Violation>,
) -> Rested {
    let given = &plan.routes[route];
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

/// Checks that each route takes the breaks of its agent once, within their windows. `ends_us` are
/// the ends of the routes.
pub(super) fn check(
    problem: &Problem,
    plan: &Plan,
    ends_us: &[Micros],
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
        missing(problem, plan, route, &taken, ends_us[route], &mut wrong);
    }
    broken.extend(wrong.into_iter().map(Violation::Coupling));
}

/// Breaks that are not taken. A route that ends before the latest start of a break need not take
/// it, nor one whose agent was idle then, before now.
fn missing(
    problem: &Problem,
    plan: &Plan,
    route: usize,
    taken: &[bool],
    end_us: Micros,
    wrong: &mut Vec<C>,
) {
    let given = &plan.routes[route];
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
