//! Warm start: the first plan never costs more than the previous plan continued.

mod limits;

use crate::verify::stop;
use anytime::{Control, Limits, Offer, Sink};
use patrol::generate::{line, museum, ring, staying, walking};
use patrol::problem::{Gap, Objective, Pause, Spec};
use patrol::{Cost, Entry, Motion, Params, Plan, Problem, Route, Stop, Strategy, solve, verify};
use proptest::prelude::*;

/// All offers, and what found each.
#[derive(Default)]
pub(crate) struct Recorder(pub(crate) Vec<(Plan, Cost, String)>);

impl Sink<Plan, Cost> for Recorder {
    fn offer(&mut self, offer: Offer<'_, Plan, Cost>) {
        let by = offer.found_by.to_owned();
        self.0.push((offer.plan.clone(), offer.cost, by));
    }
}

pub(crate) fn search(problem: &Problem, params: &Params, iterations: u64) -> Recorder {
    let mut recorded = Recorder::default();
    let mut control = Control::new(Limits::iterations(iterations), 1, &mut recorded);
    solve(problem, params, &mut control).expect("it is supported");
    recorded
}

pub(crate) fn replan(problem: &Problem, previous: &Plan, iterations: u64) -> Recorder {
    let params = Params {
        warm: Some(previous.clone()),
        ..Params::default()
    };
    search(problem, &params, iterations)
}

fn round(vertices: &[usize]) -> Route {
    Route::cyclic(vertices.iter().copied().map(stop).collect())
}

/// The problem and the plan without a guard.
fn remove_guard(spec: &Spec, plan: &Plan, guard: usize) -> (Spec, Plan) {
    let (mut spec, mut plan) = (spec.clone(), plan.clone());
    spec.guards.remove(guard);
    plan.routes.remove(guard);
    (spec, plan)
}

/// The route of a guard that is at a vertex of its cycle.
fn turned(route: &Route, vertex: usize) -> Route {
    let at = route.cycle.iter().position(|stop| stop.vertex == vertex);
    let mut cycle = route.cycle.clone();
    cycle.rotate_left(at.expect("it is on the cycle"));
    Route::cyclic(cycle)
}

/// What is left of a route from the first visit to a vertex, on its prefix or else on its cycle.
fn rest(route: &Route, vertex: usize) -> Route {
    let at = route.prefix.iter().position(|stop| stop.vertex == vertex);
    at.map_or_else(
        || turned(route, vertex),
        |at| Route::new(route.prefix[at..].to_vec(), route.cycle.clone()),
    )
}

fn is_turned(one: &[Stop], other: &[Stop]) -> bool {
    let mut other = other.to_vec();
    (0..other.len()).any(|_| {
        other.rotate_left(1);
        one == other
    })
}

/// Small museums with all kinds of rules.
pub(crate) fn spec(guards: usize, kind: u64, seed: u64) -> Spec {
    let mut spec = museum(3, 3, guards, seed).spec().clone();
    spec.may_stay = !kind.is_multiple_of(4);
    spec.may_swap = !kind.is_multiple_of(3);
    let motion = [Motion::Still, Motion::Lazy, Motion::Moving][(kind / 12 % 3) as usize];
    spec.intruder.motion = motion;
    spec.intruder.instants = spec.intruder.instants.min(12);
    spec.intruder.entry =
        [Entry::Steady, Entry::Start, Entry::Mission(20)][(kind / 36 % 3) as usize];
    spec.gaps = match kind % 5 {
        0 => vec![Gap {
            vertex: 4,
            ticks: 2,
        }],
        _ => Vec::new(),
    };
    spec.pauses = match kind % 7 {
        0 | 1 if spec.may_stay => vec![Pause {
            vertex: 1,
            ticks: 2,
        }],
        _ => Vec::new(),
    };
    if kind.is_multiple_of(11) {
        spec.objective.mean_idleness = 1;
    }
    spec
}

pub(crate) const STRATEGIES: [Strategy; 4] = [
    Strategy::Auto,
    Strategy::Mcts,
    Strategy::MctsUc,
    Strategy::Iterative,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_first_plan_never_costs_more_than_the_previous_plan_continued(
        (guards, kind, seed) in (2..5_usize, any::<u64>(), any::<u64>()),
        (gone, places) in (any::<prop::sample::Index>(), any::<[prop::sample::Index; 4]>()),
        (strategy, iterations) in (0..4_usize, prop::sample::select(vec![0, 1, 40])),
    ) {
        let spec = spec(guards, kind, seed);
        let problem = Problem::new(spec.clone()).expect("the problem is valid");
        let found = search(&problem, &Params::default(), 200);
        let Some((plan, ..)) = found.0.last() else {
            return Ok(());
        };
        let (mut spec, previous) = remove_guard(&spec, plan, gone.index(guards));
        for ((guard, route), place) in spec.guards.iter_mut().zip(&previous.routes).zip(places) {
            guard.start = place.get(&route.cycle).vertex;
        }
        let continued = |from: fn(&Route, usize) -> Route| {
            let starts = spec.guards.iter().map(|guard| guard.start);
            let routes = previous.routes.iter().zip(starts);
            Plan { routes: routes.map(|(route, at)| from(route, at)).collect() }
        };
        // Guards are on their cycles, or on their prefixes where these pass the vertex.
        let continued = [continued(turned), continued(rest)];
        let problem = Problem::new(spec).expect("the problem is valid");
        let params = Params {
            strategy: STRATEGIES[strategy],
            warm: Some(previous),
            ..Params::default()
        };
        let recorded = search(&problem, &params, iterations);
        for (plan, cost, _) in &recorded.0 {
            prop_assert_eq!(verify(&problem, plan), Ok(*cost));
        }
        prop_assert!(recorded.0.is_sorted_by(|one, next| next.1.level() < one.1.level()));
        for plan in continued {
            if let Ok(cost) = verify(&problem, &plan) {
                let (_, first, by) = &recorded.0[0];
                prop_assert_eq!(by, "warm start");
                prop_assert!(*first <= cost, "{first:?} {cost:?} {plan:?}");
            }
        }
        let again = search(&problem, &params, iterations);
        prop_assert!(recorded.0 == again.0);
    }

    #[test]
    fn guards_elsewhere_go_back_to_their_cycles(
        (guards, kind, seed) in (2..5_usize, any::<u64>(), any::<u64>()),
        starts in any::<[prop::sample::Index; 4]>(),
    ) {
        let mut spec = spec(guards, kind, seed);
        let problem = Problem::new(spec.clone()).expect("the problem is valid");
        let found = search(&problem, &Params::default(), 200);
        let Some((previous, ..)) = found.0.last() else {
            return Ok(());
        };
        for (guard, start) in spec.guards.iter_mut().zip(starts) {
            guard.start = start.index(spec.vertices);
        }
        let concerns_several = !spec.may_swap || !spec.gaps.is_empty();
        let problem = Problem::new(spec).expect("the problem is valid");
        let recorded = replan(&problem, previous, 0);
        for (plan, cost, _) in &recorded.0 {
            prop_assert_eq!(verify(&problem, plan), Ok(*cost));
        }
        let first = recorded.0.first().filter(|(_, _, by)| by == "warm start");
        prop_assert!(first.is_some() || concerns_several);
        if let Some((plan, ..)) = first {
            for (route, before) in plan.routes.iter().zip(&previous.routes) {
                prop_assert!(is_turned(&route.cycle, &before.cycle));
            }
        }
    }

    #[test]
    fn a_search_that_is_resumed_begins_with_its_plan(
        (guards, kind, seed) in (1..4_usize, any::<u64>(), any::<u64>()),
    ) {
        let problem = Problem::new(spec(guards, kind, seed)).expect("the problem is valid");
        let found = search(&problem, &Params::default(), 200);
        if let Some((plan, cost, _)) = found.0.last() {
            let recorded = replan(&problem, plan, 0);
            prop_assert_eq!(&recorded.0[0].2, "warm start");
            prop_assert!(recorded.0[0].1 <= *cost);
        }
    }

    #[test]
    fn plans_of_other_problems_break_nothing(
        (guards, kind, seed) in (1..4_usize, any::<u64>(), any::<u64>()),
        routes in prop::collection::vec(
            (
                prop::collection::vec((0..20_usize, 0..5_u32), 0..4),
                prop::collection::vec((0..20_usize, 0..5_u32), 0..6),
            ),
            0..6,
        ),
    ) {
        let problem = Problem::new(spec(guards, kind, seed)).expect("the problem is valid");
        let stops = |stops: Vec<(usize, u32)>| -> Vec<Stop> {
            stops.into_iter().map(|(vertex, stay)| Stop::new(vertex, stay)).collect()
        };
        let route = |(prefix, cycle)| Route::new(stops(prefix), stops(cycle));
        let routes = routes.into_iter().map(route);
        let previous = Plan { routes: routes.collect() };
        for (plan, cost, _) in replan(&problem, &previous, 20).0 {
            prop_assert_eq!(verify(&problem, &plan), Ok(cost));
        }
    }
}

#[test]
fn each_visit_to_where_a_guard_is_may_be_the_one() {
    // The guard is in the middle, on its way to the end that is worth something. In the plan it
    // comes from there first.
    let mut spec = walking(line(5, 1), Motion::Still, 2);
    spec.guards[0].start = 2;
    spec.weights_micro = vec![0, 0, 0, 0, 1];
    let problem = Problem::new(spec).expect("the problem is valid");
    let previous = Plan::new(vec![round(&[2, 1, 0, 1, 2, 3, 4, 3])]);
    let recorded = replan(&problem, &previous, 0);
    assert_eq!(recorded.0[0].1, Cost(0));
    assert_eq!(recorded.0[0].0.routes, [round(&[2, 3, 4, 3, 2, 1, 0, 1])]);
}

#[test]
fn a_guard_in_the_middle_of_its_prefix_walks_the_rest_of_it() {
    let mut spec = staying(line(6, 1), 3);
    spec.guards[0].start = 1;
    let problem = Problem::new(spec).expect("the problem is valid");
    let rest = Route {
        prefix: vec![stop(1), stop(2)],
        ..round(&[3, 4])
    };
    let whole = Route {
        prefix: vec![stop(0), stop(1), stop(2)],
        ..rest.clone()
    };
    let recorded = replan(&problem, &Plan::new(vec![whole]), 0);
    assert_eq!(recorded.0[0].0.routes, [rest]);
}

#[test]
fn lost_vertices_and_edges_are_bridged() {
    // The ring lost its edge between 5 and 0, and the plan names a vertex that was never there.
    let mut spec = staying(ring(6, 1), 5);
    spec.edges.retain(|edge| edge.ends != [5, 0]);
    let problem = Problem::new(spec).expect("the problem is valid");
    let previous = Plan::new(vec![round(&[0, 1, 2, 9, 3, 4, 5])]);
    let recorded = replan(&problem, &previous, 0);
    let there_and_back = round(&[0, 1, 2, 3, 4, 5, 4, 3, 2, 1]);
    assert_eq!(recorded.0[0].2, "warm start");
    assert_eq!(recorded.0[0].0.routes, [there_and_back]);
}

#[test]
fn a_guard_without_a_route_stands_or_goes_back_and_forth() {
    for may_stay in [true, false] {
        let mut spec = staying(ring(6, 2), 2);
        spec.may_stay = may_stay;
        spec.guards[1].start = 3;
        let problem = Problem::new(spec).expect("the problem is valid");
        let previous = Plan::new(vec![round(&[0, 1, 2, 3, 4, 5]), Route::default()]);
        let recorded = replan(&problem, &previous, 0);
        let (first, _, by) = &recorded.0[0];
        assert_eq!(by, "warm start");
        assert_eq!(first.routes[0], previous.routes[0]);
        assert!(first.routes[1].cycle.len() <= 2);
    }
}

#[test]
fn a_plan_that_breaks_a_rule_is_not_used() {
    // Two guards that go round against each other pass each other, wherever they begin.
    let mut spec = staying(ring(5, 2), 2);
    spec.may_swap = false;
    spec.may_stay = false;
    let problem = Problem::new(spec).expect("the problem is valid");
    let previous = Plan::new(vec![round(&[0, 1, 2, 3, 4]), round(&[0, 4, 3, 2, 1])]);
    let recorded = replan(&problem, &previous, 200);
    assert!(recorded.0.iter().all(|(_, _, by)| by != "warm start"));
    assert!(!recorded.0.is_empty());
}

#[test]
fn guards_that_shared_a_round_spread_over_it_again() {
    // Three guards, four apart on a ring of twelve. One is gone: the others are best six apart.
    let mut spec = staying(ring(12, 2), 5);
    spec.guards[1].start = 4;
    spec.objective = Objective {
        escape: 0,
        worst_idleness: 1,
        mean_idleness: 0,
    };
    let problem = Problem::new(spec).expect("the problem is valid");
    let vertices: Vec<usize> = (0..12).collect();
    let shared = turned(&round(&vertices), 4);
    let previous = Plan::new(vec![round(&vertices), shared]);
    let recorded = replan(&problem, &previous, 40);
    let worst = |index: usize| {
        let terms = patrol::verify::terms(&problem, &recorded.0[index].0);
        terms.expect("the plan is valid").worst_idleness
    };
    assert_eq!(worst(0), 7);
    assert_eq!(worst(recorded.0.len() - 1), 5);
}

#[test]
fn the_first_plan_is_there_whatever_the_clock_says() {
    let problem = Problem::new(staying(ring(6, 1), 3)).expect("the problem is valid");
    let previous = Plan::new(vec![round(&[0, 1, 2, 3, 4, 5])]);
    let limits = Limits::iterations(0);
    limits.cancel.cancel();
    let mut recorded = Recorder::default();
    let mut control = Control::new(limits, 1, &mut recorded);
    let params = Params {
        warm: Some(previous.clone()),
        ..Params::default()
    };
    solve(&problem, &params, &mut control).expect("it is supported");
    assert_eq!(recorded.0[0].0, previous);
}
