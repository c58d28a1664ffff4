//! Rules about tasks that are coupled.

use crate::plan::Plan;
use crate::problem::{Micros, Problem};
use anytime::{Fault, Path, fault, time};

/// Place and time of a task in the plan.
#[derive(Clone, Copy)]
struct Place {
    route: usize,
    stop: usize,
    agent: usize,
    start_us: Micros,
    end_us: Micros,
}

/// Faults of stops.
struct Faults<'f> {
    list: &'f mut Vec<Fault>,
}

impl Faults<'_> {
    /// Adds a fault of the stop at a place.
    fn add(&mut self, place: &Place, fault: impl FnOnce(&Path<'_>) -> Fault) {
        let routes_at = Path::root("routes");
        let route_at = routes_at.index(place.route);
        let stops_at = route_at.field("stops");
        self.list.push(fault(&stops_at.index(place.stop)));
    }
}

/// Checks orders, pairs and groups, in this order.
pub(super) fn check(problem: &Problem, plan: &Plan, faults: &mut Vec<Fault>) {
    if problem.couplings().is_empty() {
        return;
    }
    let places = places(problem, plan);
    let mut faults = Faults { list: faults };
    orders(problem, &places, &mut faults);
    pairs(problem, &places, &mut faults);
    groups(problem, &places, &mut faults);
}

/// The first place of each task; a repetition is another fault.
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

fn orders(problem: &Problem, places: &[Option<Place>], faults: &mut Faults<'_>) {
    for (order, one) in problem.couplings().orders.iter().enumerate() {
        let Some(second) = places[one.second] else {
            continue;
        };
        let Some(first) = places[one.first] else {
            faults.add(&second, |at| {
                fault!(
                    "ORDER_WITHOUT_FIRST",
                    at,
                    "is second in couplings.orders[{}], whose first task is not done",
                    order
                )
            });
            continue;
        };
        let start_us = second.start_us;
        let earliest_us = first.end_us.saturating_add(one.gap_min_us);
        if start_us < earliest_us {
            faults.add(&second, |at| {
                fault!(
                    "ORDER_TOO_EARLY",
                    at,
                    "starts at {}, but by couplings.orders[{}] at {} at the earliest",
                    time(start_us),
                    order,
                    time(earliest_us)
                )
            });
        }
        let latest_us = one.gap_max_us.map(|gap| first.end_us.saturating_add(gap));
        if let Some(latest_us) = latest_us.filter(|latest_us| start_us > *latest_us) {
            faults.add(&second, |at| {
                fault!(
                    "ORDER_TOO_LATE",
                    at,
                    "starts at {}, but by couplings.orders[{}] at {} at the latest",
                    time(start_us),
                    order,
                    time(latest_us)
                )
            });
        }
        if one.same_agent && first.agent != second.agent {
            faults.add(&second, |at| {
                fault!(
                    "ORDER_AGENTS",
                    at,
                    "has another agent than the first task of couplings.orders[{}]",
                    order
                )
            });
        }
    }
}

fn pairs(problem: &Problem, places: &[Option<Place>], faults: &mut Faults<'_>) {
    for (pair, one) in problem.couplings().pairs.iter().enumerate() {
        match (places[one.pickup], places[one.delivery]) {
            (None, None) => {}
            (Some(place), None) | (None, Some(place)) => faults.add(&place, |at| {
                fault!(
                    "PAIR_HALF",
                    at,
                    "is done without the other task of couplings.pairs[{}]",
                    pair
                )
            }),
            (Some(pickup), Some(delivery)) if pickup.agent != delivery.agent => {
                faults.add(&delivery, |at| {
                    fault!(
                        "PAIR_AGENTS",
                        at,
                        "has another agent than the pickup of couplings.pairs[{}]",
                        pair
                    )
                });
            }
            (Some(pickup), Some(delivery)) => {
                if pickup.route == delivery.route && pickup.stop > delivery.stop {
                    faults.add(&delivery, |at| {
                        fault!(
                            "PAIR_REVERSED",
                            at,
                            "comes before the pickup of couplings.pairs[{}]",
                            pair
                        )
                    });
                }
            }
        }
    }
}

fn groups(problem: &Problem, places: &[Option<Place>], faults: &mut Faults<'_>) {
    for (group, one) in problem.couplings().groups.iter().enumerate() {
        let done: Vec<Place> = one.tasks.iter().filter_map(|task| places[*task]).collect();
        let Some(first) = done.first() else {
            continue;
        };
        if done.len() < one.tasks.len() {
            faults.add(first, |at| {
                fault!(
                    "GROUP_PARTIAL",
                    at,
                    "is of couplings.groups[{}], of which {} of {} tasks are done",
                    group,
                    done.len(),
                    one.tasks.len()
                )
            });
        }
        for (member, place) in done.iter().enumerate().skip(1) {
            if place.start_us != first.start_us {
                faults.add(place, |at| {
                    fault!(
                        "GROUP_STARTS",
                        at,
                        "starts at {}, but couplings.groups[{}] at {}",
                        time(place.start_us),
                        group,
                        time(first.start_us)
                    )
                });
            }
            if done[..member]
                .iter()
                .any(|other| other.agent == place.agent)
            {
                faults.add(place, |at| {
                    fault!(
                        "GROUP_AGENTS",
                        at,
                        "has an agent that does another task of couplings.groups[{}]",
                        group
                    )
                });
            }
        }
    }
}
