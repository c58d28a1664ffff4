//! Rules about tasks that are coupled.

use super::Violation;
use super::violation::CouplingViolation as C;
use crate::plan::Plan;
use crate::problem::{Micros, Problem};

/// Where and when a task is done.
#[derive(Clone, Copy)]
struct Place {
    route: usize,
    stop: usize,
    agent: usize,
    start_us: Micros,
    end_us: Micros,
}

/// All broken rules about orders, pairs and groups, in this order.
pub(super) fn check(problem: &Problem, plan: &Plan, broken: &mut Vec<Violation>) {
    let couplings = problem.couplings();
    if couplings.is_empty() {
        return;
    }
    let places = places(problem, plan);
    let mut wrong = Vec::new();
    orders(problem, &places, &mut wrong);
    pairs(problem, &places, &mut wrong);
    groups(problem, &places, &mut wrong);
    broken.extend(wrong.into_iter().map(Violation::Coupling));
}

/// Where each task is done first; a repetition is another violation.
fn places(problem: &Problem, plan: &Plan) -> Vec<Option<Place>> {
    let mut places = vec![None; problem.tasks().len()];
    for (route, one) in plan.routes.iter().enumerate() {
        for (stop, given) in one.stops.iter().enumerate() {
            let Some(task) = problem.tasks().get(given.task) else {
                continue;
            };
            let place = &mut places[given.task];
            *place = place.or(Some(Place {
                route,
                stop,
                agent: one.agent,
                start_us: given.start_us,
                end_us: given.start_us.saturating_add(task.service_us),
            }));
        }
    }
    places
}

fn orders(problem: &Problem, places: &[Option<Place>], wrong: &mut Vec<C>) {
    for (order, one) in problem.couplings().orders.iter().enumerate() {
        let Some(second) = places[one.second] else {
            continue;
        };
        let at = (second.route, second.stop);
        let Some(first) = places[one.first] else {
            wrong.push(C::OrderWithoutFirst { order, at });
            continue;
        };
        let start_us = second.start_us;
        let earliest_us = first.end_us.saturating_add(one.gap_min_us);
        if start_us < earliest_us {
            wrong.push(C::OrderTooEarly {
                order,
                at,
                start_us,
                earliest_us,
            });
        }
        let latest_us = one.gap_max_us.map(|gap| first.end_us.saturating_add(gap));
        if let Some(latest_us) = latest_us.filter(|latest_us| start_us > *latest_us) {
            wrong.push(C::OrderTooLate {
                order,
                at,
                start_us,
                latest_us,
            });
        }
        if one.same_agent && first.agent != second.agent {
            wrong.push(C::OrderAgents { order, at });
        }
    }
}

fn pairs(problem: &Problem, places: &[Option<Place>], wrong: &mut Vec<C>) {
    for (pair, one) in problem.couplings().pairs.iter().enumerate() {
        match (places[one.pickup], places[one.delivery]) {
            (None, None) => {}
            (Some(alone), None) | (None, Some(alone)) => wrong.push(C::PairHalf {
                pair,
                at: (alone.route, alone.stop),
            }),
            (Some(pickup), Some(delivery)) => {
                let at = (delivery.route, delivery.stop);
                if pickup.agent != delivery.agent {
                    wrong.push(C::PairAgents { pair, at });
                } else if pickup.route == delivery.route && pickup.stop > delivery.stop {
                    wrong.push(C::PairReversed { pair, at });
                }
            }
        }
    }
}

fn groups(problem: &Problem, places: &[Option<Place>], wrong: &mut Vec<C>) {
    for (group, one) in problem.couplings().groups.iter().enumerate() {
        let done: Vec<Place> = one.tasks.iter().filter_map(|task| places[*task]).collect();
        let Some(first) = done.first() else {
            continue;
        };
        if done.len() < one.tasks.len() {
            wrong.push(C::GroupPartial {
                group,
                at: (first.route, first.stop),
                done: done.len(),
                tasks: one.tasks.len(),
            });
        }
        for (member, place) in done.iter().enumerate().skip(1) {
            let at = (place.route, place.stop);
            if place.start_us != first.start_us {
                wrong.push(C::GroupStarts {
                    group,
                    at,
                    start_us: place.start_us,
                    first_us: first.start_us,
                });
            }
            let is_same = |other: &Place| other.agent == place.agent;
            if done[..member].iter().any(is_same) {
                wrong.push(C::GroupAgents { group, at });
            }
        }
    }
}
