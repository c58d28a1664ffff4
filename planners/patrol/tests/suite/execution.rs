//! Guards that have begun a visit or an edge: plans go on from there, as the whole plan does.

use crate::verify::stop;
use crate::warm::{replan, search, spec};
use anytime::{Fault, Step};
use patrol::execution::{continued, present, switched};
use patrol::generate::{line, staying, walking};
use patrol::problem::{Pause, Spec};
use patrol::verify::terms;
use patrol::{Entry, Motion, Params, Plan, Problem, Route, verify};
use proptest::prelude::*;

/// Small museums with slow guards, so that most are on edges.
fn slow(guards: usize, kind: u64, seed: u64) -> Spec {
    let mut spec = spec(guards, kind, seed);
    for (index, guard) in spec.guards.iter_mut().enumerate() {
        guard.speed_milli = [400, 1_000, 700, 2_500][(index + seed as usize) % 4];
    }
    spec
}

/// The problem that begins at a tick of a plan, and the plan from there.
fn from(problem: &Problem, plan: &Plan, tick: u64) -> (Problem, Plan) {
    let present = present(problem, plan, tick);
    let mut spec = problem.spec().clone();
    spec.guards = present.guards;
    let problem = Problem::new(spec).expect("guards are where they can be");
    (problem, present.plan)
}

/// Where each guard is at each tick, straight from the definition: the vertex where it is or which
/// it left, where it goes, and for how long.
fn track(problem: &Problem, guard: usize, route: &Route, ticks: usize) -> Vec<(usize, usize, u32)> {
    let first = problem.guards()[guard];
    let mut track = Vec::new();
    let cycles = std::iter::repeat_n(&route.cycle, ticks + 1).flatten();
    let stops: Vec<_> = route.prefix.iter().chain(cycles).take(ticks + 2).collect();
    for (index, pair) in stops.windows(2).enumerate() {
        let [here, next] = [pair[0], pair[1]];
        let is_first = index == 0 && first.next.is_none();
        let waited = if is_first { first.elapsed } else { 0 };
        track.extend((0..here.stay).map(|tick| (here.vertex, here.vertex, waited + tick)));
        if here.vertex != next.vertex {
            let edge = problem.out_edge(here.vertex, next.vertex);
            let ticks = problem.ticks(guard, edge.expect("it is an edge"));
            let begun = first
                .next
                .filter(|_| index == 0)
                .map_or(0, |_| first.elapsed);
            track.extend((begun..ticks).map(|tick| (here.vertex, next.vertex, tick)));
        }
        if track.len() > ticks {
            break;
        }
    }
    track.truncate(ticks);
    track
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn a_plan_goes_on_from_each_of_its_ticks(
        (guards, kind, seed) in (1..4_usize, any::<u64>(), any::<u64>()),
        ticks in [0..60_u64, 0..60_u64],
    ) {
        let problem = Problem::new(slow(guards, kind, seed)).expect("the problem is valid");
        let found = search(&problem, &Params::default(), 200);
        let Some((plan, cost, _)) = found.0.last() else {
            return Ok(());
        };
        let (mut problem, mut plan, mut cost) = (problem, plan.clone(), *cost);
        // Twice: the second time the guards are on their way at the start, too.
        for tick in ticks {
            let (next, previous) = from(&problem, &plan, tick);
            let (rest, rest_cost) = continued(&next, &previous).expect("it breaks no rule");
            let is_steady = problem.intruder().entry == Entry::Steady;
            prop_assert!(!is_steady || rest_cost <= cost, "{rest_cost:?} {cost:?}");
            // If it goes on as before, the guards are where they were.
            for guard in 0..guards {
                let whole = track(&problem, guard, &plan.routes[guard], tick as usize + 40);
                let after = track(&next, guard, &rest.routes[guard], 1);
                let (here, to, since) = whole[tick as usize];
                let [(vertex, goal, gone)] = after[..] else { panic!("it is somewhere") };
                prop_assert_eq!(here, vertex);
                // One that leaves at the tick may have stood there before.
                prop_assert!((to, since) == (goal, gone) || since == 0 || here == to);
            }
            let joined = switched(&problem, &plan, tick, &rest);
            let joined = joined.expect("it is as long as before");
            for guard in 0..guards {
                let all = track(&problem, guard, &joined.routes[guard], tick as usize + 40);
                let before = track(&problem, guard, &plan.routes[guard], tick as usize);
                let after = track(&next, guard, &rest.routes[guard], 40);
                prop_assert_eq!(&all[..tick as usize], &before[..]);
                let places = |track: &[(usize, usize, u32)]| -> Vec<_> {
                    track.iter().map(|(here, to, _)| (*here, *to)).collect()
                };
                prop_assert_eq!(places(&all[tick as usize..]), places(&after));
            }
            if is_steady {
                prop_assert_eq!(terms(&problem, &joined), terms(&next, &rest));
            }
            (problem, plan, cost) = (next, rest, rest_cost);
        }
    }

    #[test]
    fn a_search_from_the_middle_of_a_plan_is_never_worse_than_going_on(
        (guards, kind, seed) in (1..4_usize, any::<u64>(), any::<u64>()),
        (tick, strategy) in (0..60_u64, 0..4_usize),
    ) {
        let problem = Problem::new(slow(guards, kind, seed)).expect("the problem is valid");
        let found = search(&problem, &Params::default(), 200);
        let Some((plan, before, _)) = found.0.last() else {
            return Ok(());
        };
        let (next, previous) = from(&problem, plan, tick);
        let (_, cost) = continued(&next, &previous).expect("it breaks no rule");
        let params = Params {
            strategy: crate::warm::STRATEGIES[strategy],
            warm: Some(previous),
            ..Params::default()
        };
        let found = search(&next, &params, 40);
        prop_assert_eq!(found.0[0].1, cost);
        prop_assert!(problem.intruder().entry != Entry::Steady || cost <= *before);
        for (better, cost, _) in &found.0 {
            prop_assert_eq!(verify(&next, better), Ok(*cost));
            let joined = switched(&problem, plan, tick, better);
            prop_assert!(joined.is_some());
        }
        // Without a previous plan, too.
        let found = search(&next, &Params { warm: None, ..params }, 40);
        for (plan, cost, _) in &found.0 {
            prop_assert_eq!(verify(&next, plan), Ok(*cost));
        }
    }
}

/// A guard between vertices 1 and 2 of a line with long edges, two ticks from its goal.
fn on_its_way() -> Spec {
    let mut spec = staying(line(4, 1), 3);
    spec.edges.iter_mut().for_each(|edge| edge.length = 5);
    (
        spec.guards[0].start,
        spec.guards[0].next,
        spec.guards[0].elapsed,
    ) = (1, Some(2), 3);
    spec
}

fn faults(spec: &Spec, route: Route) -> Vec<&'static str> {
    let problem = Problem::new(spec.clone()).expect("the problem is valid");
    let faults = verify(&problem, &Plan::new(vec![route]))
        .err()
        .unwrap_or_default();
    faults.iter().map(|fault| fault.code).collect()
}

#[test]
fn a_route_goes_on_along_its_edge() {
    let spec = on_its_way();
    let there = |prefix: &[usize], cycle: &[usize]| {
        let stops = |all: &[usize]| all.iter().copied().map(stop).collect();
        Route::new(stops(prefix), stops(cycle))
    };
    assert_eq!(faults(&spec, there(&[1], &[2, 3])), [""; 0]);
    for wrong in [
        there(&[], &[1, 2]),
        there(&[2], &[3, 2]),
        there(&[1], &[0, 1]),
        there(&[1, 0], &[1, 0]),
    ] {
        assert_eq!(faults(&spec, wrong), ["START_WRONG"]);
    }
    let mut late = there(&[1], &[2, 3]);
    late.prefix[0].stay = 1;
    assert_eq!(faults(&spec, late), ["START_WRONG"]);
}

#[test]
fn two_of_five_ticks_are_left() {
    // It enters at the start and is caught at vertex 2 after two ticks, not before.
    for (instants, caught) in [(2, false), (3, true)] {
        let mut spec = walking(on_its_way(), Motion::Still, instants - 1);
        spec.weights_micro = vec![0, 0, 1, 0];
        let problem = Problem::new(spec).expect("the problem is valid");
        let plan = Plan::new(vec![Route::new(vec![stop(1)], vec![stop(2), stop(3)])]);
        let cost = verify(&problem, &plan).expect("it breaks no rule");
        assert_eq!(cost.level() < 0.5, caught);
        let found = replan(&problem, &plan, 10);
        assert_eq!(found.0[0].1, cost);
    }
}

#[test]
fn what_was_waited_counts_for_the_pause() {
    let mut spec = staying(line(3, 1), 3);
    spec.pauses = vec![Pause {
        vertex: 0,
        ticks: 4,
    }];
    spec.guards[0].elapsed = 3;
    let short = |prefix: u32, cycle: u32| {
        let stops = vec![stop(1), patrol::Stop::new(0, cycle)];
        Route::new(vec![patrol::Stop::new(0, prefix)], stops)
    };
    assert_eq!(faults(&spec, short(1, 4)), [""; 0]);
    assert_eq!(faults(&spec, short(0, 4)), ["PAUSE_SHORT"]);
    assert_eq!(faults(&spec, short(1, 3)), ["PAUSE_SHORT"]);
    let whole = Route::cyclic(vec![patrol::Stop::new(0, 1), stop(1)]);
    assert_eq!(faults(&spec, whole), ["PAUSE_SHORT"]);
}

#[test]
fn guards_are_on_edges_that_exist_and_not_at_their_ends() {
    let wrong = |change: fn(&mut Spec)| {
        let mut spec = on_its_way();
        change(&mut spec);
        let faults = Problem::new(spec).expect_err("the problem is wrong");
        let name = |fault: &Fault| match fault.at.last() {
            Some(Step::Field(field)) => (fault.code, *field),
            _ => (fault.code, ""),
        };
        faults.iter().map(name).collect::<Vec<_>>()
    };
    let elapsed = ("OUT_OF_RANGE", "elapsed_duration");
    assert_eq!(wrong(|spec| spec.guards[0].elapsed = 0), [elapsed]);
    assert_eq!(wrong(|spec| spec.guards[0].elapsed = 5), [elapsed]);
    assert_eq!(wrong(|spec| spec.guards[0].speed_milli = 2_000), [elapsed]);
    let unknown = ("UNKNOWN", "next_vertex_id");
    assert_eq!(wrong(|spec| spec.guards[0].next = Some(3)), [unknown]);
    assert_eq!(wrong(|spec| spec.guards[0].next = Some(9)), [unknown]);
    let waited = |spec: &mut Spec| {
        (spec.guards[0].next, spec.guards[0].elapsed) = (None, 10_001);
    };
    assert_eq!(wrong(waited), [elapsed]);
}
