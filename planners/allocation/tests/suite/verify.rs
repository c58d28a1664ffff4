//! The check, on plans that can be worked out in the head and on valid plans with one thing
//! changed.

mod schedules;

use crate::line::{self, PLACES, S, agent, previous, task};
use crate::problem::shown;
use allocation::generate::{Shape, generate};
use allocation::problem::{Level, MICRO, Spec, Term, Window};
use allocation::travel::Travel;
use allocation::verify::{RouteTimes, is_partial, schedule, terms, timeline, verify};
use allocation::{Cost, Plan, Problem, Route, Stop, Terms};
use proptest::prelude::*;

fn stop(task: usize, start_s: i64) -> Stop {
    Stop {
        task,
        start_us: start_s * S,
    }
}

fn route(agent: usize, stops: &[Stop]) -> Route {
    Route::new(agent, stops.to_vec())
}

fn plan(routes: &[Route]) -> Plan {
    Plan {
        routes: routes.to_vec(),
    }
}

/// Agent 0 from 0 to 0 by 40 s at speed 2, agent 1 at 20 with a skill. Tasks at 4, 10, 18 and 20; 2
/// needs the skill and has two windows, the last soft; 3 is optional.
fn world() -> Spec {
    let mut spec = line::spec(
        vec![agent(0), agent(20)],
        vec![task(4), task(10), task(18), task(20)],
    );
    let [first, second] = &mut spec.agents[..] else {
        unreachable!("two agents");
    };
    (first.end, first.shift_end_us, first.speed_micro) = (Some(0), 40 * S, 2 * MICRO);
    (second.skills, second.capacities) = (0b101, vec![4, 6]);
    for (task, service_s) in spec.tasks.iter_mut().zip([3, 5, 1, 0]) {
        task.service_us = service_s * S;
        task.demands = vec![2];
    }
    let window = |open_s, close_s| Window::new(open_s * S, close_s * S);
    spec.tasks[2].windows = vec![window(0, 1), window(10, 20)];
    (spec.tasks[2].skills, spec.tasks[2].lateness_max_us) = (0b100, Some(5 * S));
    spec.tasks[3].drop_penalty_micro = Some(9 * MICRO);
    spec
}

/// Agent 0 does 0 and 1, agent 1 does 2.
fn good() -> Plan {
    plan(&[
        route(0, &[stop(0, 2), stop(1, 8)]),
        route(1, &[stop(2, 12)]),
    ])
}

/// The violations of a plan: code, field and text.
fn violations(spec: Spec, plan: &Plan) -> Vec<String> {
    let problem = Problem::new(spec).expect("the problem is valid");
    let faults = verify(&problem, plan).err().unwrap_or_default();
    assert_eq!(terms(&problem, plan).err().unwrap_or_default(), faults);
    faults
        .iter()
        .map(|one| format!("{} {one}", one.code))
        .collect()
}

/// What is wrong with the good plan after a change.
fn broken(change: impl FnOnce(&mut Plan)) -> Vec<String> {
    let mut plan = good();
    change(&mut plan);
    violations(world(), &plan)
}

#[test]
fn a_plan_costs_what_it_costs_on_paper() {
    let problem = Problem::new(world()).unwrap();
    let expected = Terms {
        unserved_micro: 0,
        drop_penalty_micro: 9 * MICRO,
        // There and back to 10, and from 20 to 18.
        travel_cost_micro: 22 * MICRO,
        // 8 s start, 5 s service, 5 s home; the other is done at 13 s.
        makespan_us: 18 * S,
        lateness_us: 0,
        agents_used_micro: 2 * MICRO,
        // Ten and two seconds of travel, two tasks and one of work.
        balance_us: (18 - 3) * S,
        ..Terms::default()
    };
    assert_eq!(terms(&problem, &good()), Ok(expected));
    assert_eq!(
        verify(&problem, &good()),
        Ok(Cost([0, 31 * MICRO, 0, 0, 0, 0]))
    );
    assert!(!is_partial(&problem, &good()));
    let times = |arrivals_s: &[i64], end_s: i64, cost: i64, busy_s: i64| RouteTimes {
        arrivals_us: arrivals_s.iter().map(|a| a * S).collect(),
        end_us: end_s * S,
        travel_cost_micro: cost * MICRO,
        busy_us: busy_s * S,
    };
    let expected = [times(&[2, 8], 18, 20, 18), times(&[2], 13, 2, 3)];
    assert_eq!(timeline(&problem, &good()), expected);
}

#[test]
fn lateness_is_what_is_beyond_the_last_window() {
    let problem = Problem::new(world()).unwrap();
    for (start_s, late_s) in [(10, 0), (20, 0), (21, 1), (25, 5)] {
        let late = plan(&[route(1, &[stop(2, start_s)])]);
        assert_eq!(terms(&problem, &late).unwrap().lateness_us, late_s * S);
    }
}

#[test]
fn the_empty_plan_is_valid_partial_and_dear() {
    let problem = Problem::new(world()).unwrap();
    let nothing = Plan::default();
    assert_eq!(
        verify(&problem, &nothing),
        Ok(Cost([3 * MICRO, 9 * MICRO, 0, 0, 0, 0]))
    );
    assert!(is_partial(&problem, &nothing));
    let mut spec = world();
    let level = |terms: &[(Term, i64)]| Level {
        terms: terms.to_vec(),
    };
    spec.objective = vec![level(&[(Term::Unserved, 7), (Term::AgentsUsed, 2)])];
    let problem = Problem::new(spec).unwrap();
    assert!(
        !is_partial(&problem, &nothing),
        "leaving out is a matter of price"
    );
    assert_eq!(
        verify(&problem, &nothing),
        Ok(Cost([21 * MICRO, 0, 0, 0, 0, 0]))
    );
    assert_eq!(
        verify(&problem, &good()),
        Ok(Cost([4 * MICRO, 0, 0, 0, 0, 0]))
    );
}

#[test]
fn who_has_a_route() {
    for agent in [2, usize::MAX] {
        let text = format!("is of agent {agent}, which does not exist");
        let wrong = broken(|p| p.routes[1].agent = agent);
        assert_eq!(wrong, [format!("AGENT_UNKNOWN routes[1] {text}")]);
    }
    let wrong = broken(|p| p.routes[0].stops.clear());
    assert_eq!(wrong, ["ROUTE_EMPTY routes[0] of agent 0 has no stops"]);
    let text = "is of agent 0, but comes after the route of agent 1";
    let wrong = broken(|p| p.routes.reverse());
    assert_eq!(wrong, [format!("ROUTE_ORDER routes[1] {text}")]);
    let second = route(0, &[stop(3, 10)]);
    let text = "is of agent 0, which has route 0 already";
    let wrong = broken(|p| p.routes.push(second));
    assert_eq!(wrong, [format!("AGENT_REPEATED routes[2] {text}")]);
}

#[test]
fn which_tasks_are_done() {
    for task in [4, usize::MAX] {
        let text = format!("is task {task}, which does not exist");
        let wrong = broken(|p| p.routes[0].stops[1].task = task);
        assert_eq!(wrong, [format!("TASK_UNKNOWN routes[0].stops[1] {text}")]);
    }
    let text = "is task 0, which is done at routes[0].stops[0] already";
    let wrong = broken(|p| p.routes[1].stops.push(stop(0, 60)));
    assert_eq!(wrong, [format!("TASK_REPEATED routes[1].stops[1] {text}")]);
}

#[test]
fn who_is_able() {
    let text = "is by agent 0, which lacks skill 2 of task 2";
    let other = plan(&[route(0, &[stop(2, 10)])]);
    assert_eq!(
        violations(world(), &other),
        [format!("SKILLS_MISSING routes[0].stops[0] {text}")]
    );
    let mut spec = world();
    spec.tasks[2].demands = vec![4, 7, 1];
    let over = |route: usize, dimension: usize, load: i64, capacity: i64| {
        let text = format!("has load {load} in dimension {dimension}, the capacity is {capacity}");
        format!("CAPACITY_EXCEEDED routes[{route}] {text}")
    };
    let wrong = violations(spec, &good());
    assert_eq!(wrong, [over(1, 1, 7, 6), over(1, 2, 1, 0)]);
    let mut spec = world();
    spec.tasks[0].demands = vec![8];
    assert_eq!(violations(spec.clone(), &good()), [""; 0], "10 of 10");
    spec.tasks[1].demands = vec![3];
    assert_eq!(violations(spec, &good()), [over(0, 0, 11, 10)]);
}

#[test]
fn when_work_starts() {
    let start = |route: usize, stop: usize, start_us: i64| {
        broken(move |p| p.routes[route].stops[stop].start_us = start_us)
    };
    let early = |stop: usize, start_us: i64, arrival_us: i64| {
        let [start, arrival] = [start_us, arrival_us].map(shown);
        let text = format!("starts at {start}, before the arrival at {arrival}");
        format!("START_BEFORE_ARRIVAL routes[0].stops[{stop}] {text}")
    };
    // 2 s there from 0; 3 s of work and 3 s to the next.
    assert_eq!(start(0, 0, 2 * S - 1), [early(0, 2 * S - 1, 2 * S)]);
    assert_eq!(start(0, 1, 8 * S - 1), [early(1, 8 * S - 1, 8 * S)]);
    assert_eq!(start(0, 0, i64::MIN), [early(0, i64::MIN, 2 * S)]);
    // 35 s of the shift is the latest start: 5 s of work, and 5 s home by 40 s is 30 s.
    assert_eq!(start(0, 1, 30 * S), [""; 0]);
    let shift = |end_us| {
        let text = format!(
            "ends at {}, after the shift, which ends at 40 s",
            shown(end_us)
        );
        format!("SHIFT_EXCEEDED routes[0] {text}")
    };
    assert_eq!(start(0, 1, 30 * S + 1), [shift(40 * S + 1)]);
    assert_eq!(start(0, 1, i64::MAX), [shift(i64::MAX)]);
    let gap = |start_us| {
        let text = "outside of the windows of task 2: the next opens at 10 s";
        let start = shown(start_us);
        format!("START_OUTSIDE_WINDOWS routes[1].stops[0] starts at {start}, {text}")
    };
    assert_eq!(start(1, 0, 10 * S - 1), [gap(10 * S - 1)]);
    assert_eq!(start(1, 0, 2 * S), [gap(2 * S)]);
    assert_eq!(start(1, 0, 25 * S), [""; 0]);
    let late = |start_us| {
        let text = format!(
            "starts at {}, but task 2 must start by 25 s",
            shown(start_us)
        );
        format!("START_TOO_LATE routes[1].stops[0] {text}")
    };
    assert_eq!(start(1, 0, 25 * S + 1), [late(25 * S + 1)]);
    assert_eq!(start(1, 0, i64::MAX)[0], late(i64::MAX));
}

#[test]
fn where_there_is_no_arc() {
    let without = |arcs: &[(usize, usize)]| {
        let mut spec = world();
        for (from, to) in arcs {
            spec.travel.durations_us[from * PLACES + to] = -1;
        }
        violations(spec, &good())
    };
    assert_eq!(without(&[(10, 4), (18, 20)]), [""; 0], "not used");
    let no_arc = |route: usize, stop: usize, from: usize, to: usize| {
        let text = format!("cannot be reached: no arc from location {from} to location {to}");
        format!("NO_WAY routes[{route}].stops[{stop}] {text}")
    };
    let wrong = without(&[(0, 4), (4, 10), (20, 18)]);
    let expected = [
        no_arc(0, 0, 0, 4),
        no_arc(0, 1, 4, 10),
        no_arc(1, 0, 20, 18),
    ];
    assert_eq!(wrong, expected);
    let text = "has no arc from location 10 to the end place, location 0";
    assert_eq!(
        without(&[(10, 0)]),
        [format!("NO_WAY_TO_END routes[0] {text}")]
    );
}

#[test]
fn a_shift_starts_when_it_starts() {
    let mut spec = world();
    spec.agents[1].shift_start_us = 10 * S + 1;
    let text = "starts at 12 s, before the arrival at 12.000001 s";
    assert_eq!(
        violations(spec, &good()),
        [format!("START_BEFORE_ARRIVAL routes[1].stops[0] {text}")]
    );
}

fn with_previous(changes_max: Option<usize>, routes: &[(usize, &[usize], usize)]) -> Spec {
    Spec {
        previous: previous(routes, changes_max),
        ..world()
    }
}

#[test]
fn tasks_under_way_stay() {
    let check =
        |routes: &[(usize, &[usize], usize)]| violations(with_previous(None, routes), &good());
    assert_eq!(check(&[(0, &[0, 1, 3], 2), (1, &[2], 1)]), [""; 0]);
    assert_eq!(check(&[(1, &[0, 1], 0)]), [""; 0], "none under way");
    let lost = |agent: usize, at: &str, stop: usize, task: usize| {
        let text =
            format!("must be task {task}, which is under way, as stop {stop} of agent {agent}");
        format!("STARTED_NOT_KEPT {at}{text}")
    };
    let swapped = [
        lost(0, "routes[0].stops[0] ", 0, 1),
        lost(0, "routes[0].stops[1] ", 1, 0),
    ];
    assert_eq!(check(&[(0, &[1, 0], 2)]), swapped);
    assert_eq!(
        check(&[(0, &[0, 1, 3], 3)]),
        [lost(0, "routes[0].stops[2] ", 2, 3)]
    );
    assert_eq!(
        check(&[(1, &[3], 1)]),
        [lost(1, "routes[1].stops[0] ", 0, 3)]
    );
    let spec = with_previous(None, &[(1, &[3], 1)]);
    let only = plan(&good().routes[..1]);
    assert_eq!(violations(spec, &only), [lost(1, "", 0, 3)]);
}

#[test]
fn changes_are_counted() {
    // 0 and 1 were with the other, 2 is where it was, 3 is not done.
    let check = |max| {
        let spec = with_previous(max, &[(0, &[3], 0), (1, &[0, 2, 1], 0)]);
        violations(spec, &good())
    };
    assert_eq!(check(None), [""; 0]);
    assert_eq!(check(Some(2)), [""; 0]);
    let many = |changes_max: usize| {
        format!("TOO_MANY_CHANGES moves 2 tasks to another agent, at most {changes_max} may")
    };
    assert_eq!(check(Some(1)), [many(1)]);
    assert_eq!(check(Some(0)), [many(0)]);
}

#[test]
fn violations_say_where_they_are_and_what_they_are() {
    let wrong = broken(|p| {
        p.routes[0].stops[1] = stop(2, 99);
        p.routes[1].agent = 7;
    });
    let expected = [
        "AGENT_UNKNOWN routes[1] is of agent 7, which does not exist",
        "TASK_REPEATED routes[1].stops[0] is task 2, which is done at routes[0].stops[1] already",
        "SKILLS_MISSING routes[0].stops[1] is by agent 0, which lacks skill 2 of task 2",
        "START_TOO_LATE routes[0].stops[1] starts at 1 min 39 s, but task 2 must start by 25 s",
        "SHIFT_EXCEEDED routes[0] ends at 1 min 49 s, after the shift, which ends at 40 s",
    ];
    assert_eq!(wrong, expected);
}
