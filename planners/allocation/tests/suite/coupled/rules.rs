//! Rules, mistakes and reasons, on a line on which everything can be worked out in the head.

use crate::line::{agent, problem, spec, task};
use crate::searched::searched;
use allocation::certificate::CouplingId;
use allocation::explain::{Obstacle, explain};
use allocation::insert::{insert, insertions};
use allocation::problem::{
    Break, Group, Level, MICRO, Order, Pair, Preference, Problem, Spec, Term, Window,
};
use allocation::{Cost, Params, Plan, Rest, Route, Stop, Strategy, is_infeasible, solve, verify};
use anytime::{Control, Limits, Pulse, SolveError, record};

const S: i64 = 1_000_000;

fn order(first: usize, second: usize) -> Order {
    Order {
        first,
        second,
        gap_min_us: 2 * S,
        gap_max_us: Some(5 * S),
        same_agent: true,
    }
}

/// Agents at 0 and 20, tasks at 4, 10 and 18, of 1 s each.
fn base() -> Spec {
    let mut spec = spec(vec![agent(0), agent(20)], vec![task(4), task(10), task(18)]);
    spec.tasks.iter_mut().for_each(|task| task.service_us = S);
    spec
}

/// Agent, stops of task and start in s, rests of break, stop and start in s.
type Given<'g> = (usize, &'g [(usize, i64)], &'g [(usize, usize, i64)]);

fn plan(routes: &[Given<'_>]) -> Plan {
    let route = |&(agent, stops, rests): &Given<'_>| Route {
        agent,
        stops: stops
            .iter()
            .map(|&(task, start_s)| Stop {
                task,
                start_us: start_s * S,
            })
            .collect(),
        rests: rests
            .iter()
            .map(|&(index, stop, start_s)| Rest {
                index,
                stop,
                start_us: start_s * S,
            })
            .collect(),
    };
    Plan {
        routes: routes.iter().map(route).collect(),
    }
}

fn codes(problem: &Problem, plan: &Plan) -> Vec<&'static str> {
    let broken = verify(problem, plan).err().unwrap_or_default();
    broken.iter().map(|one| one.code).collect()
}

#[test]
fn orders_bound_the_time_between_tasks() {
    let mut spec = base();
    spec.couplings.orders.push(order(0, 1));
    let problem = problem(spec);
    let codes = |routes: &[Given<'_>]| codes(&problem, &plan(routes));
    // 4 to 10 takes 6 s, the first task ends 1 s after its start: one second too long a gap.
    assert_eq!(codes(&[(0, &[(0, 4), (1, 11)], &[])]), ["ORDER_TOO_LATE"]);
    assert_eq!(codes(&[(0, &[(1, 10)], &[])]), ["ORDER_WITHOUT_FIRST"]);
    assert_eq!(codes(&[(0, &[(0, 4)], &[])]), [""; 0]);
    let apart: [Given<'_>; 2] = [(0, &[(0, 7)], &[]), (1, &[(1, 10)], &[])];
    assert_eq!(codes(&apart), ["ORDER_AGENTS"]);
    let early: [Given<'_>; 2] = [(0, &[(0, 8)], &[]), (1, &[(1, 10)], &[])];
    assert_eq!(codes(&early), ["ORDER_TOO_EARLY", "ORDER_AGENTS"]);
}

#[test]
fn pairs_are_carried_from_pickup_to_delivery() {
    let mut spec = base();
    spec.couplings.pairs.push(Pair {
        pickup: 0,
        delivery: 1,
    });
    (spec.tasks[0].demands, spec.tasks[2].demands) = (vec![6], vec![5]);
    let problem = problem(spec);
    let codes = |routes: &[Given<'_>]| codes(&problem, &plan(routes));
    assert_eq!(codes(&[(0, &[(0, 4), (1, 11)], &[])]), [""; 0]);
    assert_eq!(codes(&[(0, &[(0, 4)], &[])]), ["PAIR_HALF"]);
    assert_eq!(codes(&[(0, &[(1, 10), (0, 17)], &[])]), ["PAIR_REVERSED"]);
    let apart: [Given<'_>; 2] = [(0, &[(0, 4)], &[]), (1, &[(1, 10)], &[])];
    assert_eq!(codes(&apart), ["PAIR_AGENTS"]);
    // What is never delivered is aboard all the way: 11 of 10.
    let full = [(0, 4), (1, 11), (2, 20)];
    assert_eq!(codes(&[(0, &full, &[])]), ["CAPACITY_EXCEEDED"]);
}

#[test]
fn groups_start_together_by_different_agents() {
    let mut spec = base();
    spec.couplings.groups.push(Group { tasks: vec![1, 2] });
    let problem = problem(spec);
    let codes = |routes: &[Given<'_>]| codes(&problem, &plan(routes));
    let together: [Given<'_>; 2] = [(0, &[(1, 10)], &[]), (1, &[(2, 10)], &[])];
    assert_eq!(codes(&together), [""; 0]);
    let apart: [Given<'_>; 2] = [(0, &[(1, 10)], &[]), (1, &[(2, 9)], &[])];
    assert_eq!(codes(&apart), ["GROUP_STARTS"]);
    assert_eq!(codes(&[(0, &[(1, 10)], &[])]), ["GROUP_PARTIAL"]);
    let alone = [(1, 10), (2, 19)];
    assert_eq!(codes(&[(0, &alone, &[])]), ["GROUP_STARTS", "GROUP_AGENTS"]);
}

#[test]
fn breaks_interrupt_ways_but_not_work() {
    let mut spec = base();
    spec.couplings.breaks.push(Break {
        agent: 0,
        length_us: 3 * S,
        earliest_us: 2 * S,
        latest_us: 10 * S,
    });
    let problem = problem(spec);
    let codes = |routes: &[Given<'_>]| codes(&problem, &plan(routes));
    // Done at 5 s: it rests afterwards.
    assert_eq!(codes(&[(0, &[(0, 4)], &[])]), [""; 0]);
    let both = [(0, 4), (1, 11)];
    assert_eq!(codes(&[(0, &both, &[])]), ["BREAK_MISSING"]);
    assert_eq!(codes(&[(0, &both, &[(0, 1, 5)])]), ["START_BEFORE_ARRIVAL"]);
    let rested = [(0, 4), (1, 14)];
    assert_eq!(codes(&[(0, &rested, &[(0, 1, 7)])]), [""; 0]);
    assert_eq!(codes(&[(0, &rested, &[(0, 1, 4)])]), ["BREAK_TOO_EARLY"]);
    let wrong = codes(&[(0, &[(0, 4), (1, 17)], &[(0, 1, 11)])]);
    assert_eq!(wrong, ["BREAK_OUTSIDE_WINDOW"]);
    let wrong = codes(&[(0, &rested, &[(0, 1, 7), (1, 0, 2)])]);
    assert_eq!(wrong, ["BREAK_UNKNOWN"]);
    let wrong = codes(&[(0, &rested, &[(0, 3, 7)])]);
    assert_eq!(wrong, ["BREAK_MISPLACED"]);
}

#[test]
fn preferences_cost_by_the_second() {
    let mut spec = base();
    spec.couplings.preferences.push(Preference {
        task: 0,
        from_us: 8 * S,
        until_us: 9 * S,
        early_micro: 2 * MICRO,
        late_micro: 3 * MICRO,
    });
    let problem = problem(spec);
    let cost = |start_s| {
        let plan = plan(&[(0, &[(0, start_s)], &[])]);
        allocation::verify::terms(&problem, &plan).map(|terms| terms.preferences_micro / MICRO)
    };
    assert_eq!([4, 7, 8, 9, 11].map(cost), [8, 2, 0, 0, 6].map(Ok));
}

#[test]
fn all_mistakes_are_reported_together() {
    let mut wrong = base();
    wrong.tasks[1].demands = vec![1];
    let all = &mut wrong.couplings;
    all.orders = vec![
        Order {
            gap_max_us: Some(S),
            ..order(0, 9)
        },
        order(1, 1),
    ];
    all.pairs.push(Pair {
        pickup: 0,
        delivery: 1,
    });
    all.groups.push(Group { tasks: vec![2] });
    let faults = Problem::new(wrong).unwrap_err();
    let faults: Vec<_> = faults
        .iter()
        .map(|one| format!("{} {one}", one.code))
        .collect();
    let expected = [
        "UNKNOWN couplings.orders[0].second_task_id is task 9, which does not exist",
        "REVERSED couplings.orders[0].max_gap_duration must be at least 2 s, got 1 s",
        "DUPLICATE couplings.orders[1].second_task_id is task 1 again",
        "CONTRADICTION tasks[1].demands must be 0, as task 1 delivers what couplings.pairs[0] \
         picks up",
        "REQUIRED couplings.groups[0].task_ids must have at least 2 tasks, got 1",
    ];
    assert_eq!(faults, expected);
}

#[test]
fn cycles_are_reported() {
    let mut wrong = base();
    wrong.couplings.orders = vec![order(0, 1), order(1, 2)];
    wrong.couplings.groups.push(Group { tasks: vec![0, 2] });
    let faults = Problem::new(wrong).unwrap_err();
    let [cycle] = &faults[..] else {
        panic!("{faults:?}");
    };
    assert_eq!(
        (cycle.code, cycle.field()),
        ("CONTRADICTION", "couplings".into())
    );
    // Tasks 0 and 2 start together, and count as one.
    let text = "have a cycle of tasks that wait for each other: task 0, task 1";
    assert_eq!(cycle.to_string(), format!("couplings {text}"));
}

#[test]
fn trees_refuse_by_name() {
    let mut spec = base();
    spec.couplings.orders.push(order(0, 1));
    let problem = problem(spec);
    for strategy in [Strategy::Mcts, Strategy::MctsUniform] {
        let params = Params {
            strategy,
            ..Params::default()
        };
        let expected = SolveError::Unsupported {
            strategy: strategy.name(),
            feature: "orders between tasks".into(),
        };
        let search = |control: &mut Control<'_, Plan, Cost>| solve(&problem, &params, control);
        assert_eq!(record(Limits::iterations(1), 1, search), Err(expected));
    }
}

#[test]
fn what_couplings_make_impossible_is_proved() {
    let mut spec = base();
    spec.couplings.orders.push(order(2, 0));
    let window = |open_s, close_s| Window::new(open_s * S, close_s * S);
    (spec.tasks[2].windows, spec.tasks[0].windows) = (vec![window(10, 20)], vec![window(0, 12)]);
    let problem = problem(spec);
    assert!(is_infeasible(&problem));
    let reasons = explain(&problem, &Plan::default(), &Pulse::unbounded());
    let first = reasons.iter().find(|reason| reason.task == 0).unwrap();
    let expected = Obstacle::CouplingTime {
        by: CouplingId::Order(0),
        earliest_us: 13 * S,
        latest_us: 12 * S,
    };
    assert_eq!((first.obstacle, first.proved), (expected, true));
}

#[test]
fn too_few_agents_for_a_group_are_a_proof() {
    let mut spec = base();
    spec.tasks[0].skills = 1;
    spec.tasks[1].skills = 1;
    spec.agents[0].skills = 1;
    spec.couplings.groups.push(Group { tasks: vec![0, 1] });
    let problem = problem(spec);
    assert!(is_infeasible(&problem));
    let reasons = explain(&problem, &plan(&[(1, &[(2, 2)], &[])]), &Pulse::unbounded());
    let found: Vec<_> = reasons.iter().map(|r| (r.task, r.obstacle)).collect();
    let lacks = Obstacle::GroupAgents { group: 0 };
    assert_eq!(found, [(0, lacks), (1, lacks)]);
}

#[test]
fn a_task_that_waits_for_another_says_so() {
    let mut spec = base();
    spec.couplings.orders.push(order(0, 1));
    spec.objective = vec![Level {
        terms: vec![(Term::Unserved, 1)],
    }];
    let problem = problem(spec);
    let kept = plan(&[(1, &[(2, 2)], &[])]);
    let reasons = explain(&problem, &kept, &Pulse::unbounded());
    let found = reasons.iter().map(|r| (r.task, r.agent, r.obstacle));
    let needs = Obstacle::Needs { task: 0 };
    let [one, other] = [0, 1].map(|agent| (0, Some(agent), Obstacle::Fits));
    assert_eq!(found.collect::<Vec<_>>(), [one, other, (1, None, needs)]);
    let refused = insertions(&problem, &kept, 1, 10).expect_err("it waits for the other");
    let text = "task_id is not done without task 0: solve again, starting from the plan";
    assert_eq!(refused[0].to_string(), text);
    // Agent 0 at 4 s; agent 1 before or after the task at 18.
    let found = insertions(&problem, &kept, 0, 10).unwrap();
    assert_eq!(found.len(), 3);
    for place in &found {
        assert_eq!(
            verify(&problem, &insert(&problem, &kept, 0, place)),
            Ok(place.cost)
        );
    }
}

#[test]
fn starts_that_are_too_early_wait() {
    let mut spec = base();
    spec.couplings.preferences.push(Preference {
        task: 0,
        from_us: 30 * S,
        until_us: 40 * S,
        early_micro: MICRO,
        late_micro: MICRO,
    });
    let problem = problem(spec);
    let mut found = searched(&problem, &Params::default(), Limits::iterations(500));
    let (plan, cost) = found.offers.pop().expect("a plan was offered");
    // All three for the 12 that they cost without the wish.
    assert_eq!((cost.0[0], cost.0[1]), (0, 12 * MICRO));
    let stops = plan.routes.iter().flat_map(|route| &route.stops);
    let start_us = stops
        .filter(|stop| stop.task == 0)
        .map(|stop| stop.start_us)
        .next();
    assert!(start_us.is_some_and(|start_us| (30 * S..=40 * S).contains(&start_us)));
}
