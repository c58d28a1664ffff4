//! Reasons why tasks are left out: the right ones.

use crate::line::{self, PLACES, S, agent, previous, task, window};
use allocation::explain::{Obstacle, REASONS_MAX, Reason, explain};
use allocation::generate::{Shape, generate};
use allocation::problem::{Level, MICRO, Spec, Term};
use allocation::verify::{schedule, verify};
use allocation::{Plan, Problem};
use anytime::Pulse;

/// Why tasks are left out of a plan of these orders.
fn reasons(spec: Spec, orders: &[(usize, Vec<usize>)]) -> Vec<Reason> {
    let problem = Problem::new(spec).expect("the problem is valid");
    let plan = schedule(&problem, orders);
    verify(&problem, &plan).expect("the plan is valid");
    explain(&problem, &plan, &Pulse::unbounded())
}

/// Agents at 0 and 20, home there at 40 s; tasks at 4, 10 and 16. Agent 1 does the task at 10.
fn world() -> Spec {
    let mut spec = line::spec(vec![agent(0), agent(20)], vec![task(4), task(10), task(16)]);
    for agent in &mut spec.agents {
        agent.end = Some(agent.start);
        agent.shift_end_us = 40 * S;
    }
    spec
}

fn orders() -> [(usize, Vec<usize>); 1] {
    [(1, vec![1])]
}

fn about(task: usize, agent: Option<usize>, obstacle: Obstacle, proved: bool) -> Reason {
    Reason {
        task,
        agent,
        obstacle,
        proved,
    }
}

/// The reasons for the task at 4 after a change of the world.
fn why(change: impl FnOnce(&mut Spec)) -> Vec<(Option<usize>, Obstacle, bool)> {
    let mut spec = world();
    change(&mut spec);
    let reasons = reasons(spec, &orders());
    let of_task = reasons.iter().filter(|r| r.task == 0);
    of_task.map(|r| (r.agent, r.obstacle, r.proved)).collect()
}

#[test]
fn a_complete_plan_needs_no_reasons() {
    assert_eq!(reasons(world(), &[(0, vec![0]), (1, vec![2, 1])]), []);
}

#[test]
fn what_would_fit_is_said_to_fit() {
    let fits = |task, agent| about(task, Some(agent), Obstacle::Fits, false);
    let expected = [fits(0, 0), fits(0, 1), fits(2, 0), fits(2, 1)];
    assert_eq!(reasons(world(), &orders()), expected);
}

#[test]
fn what_costs_no_less_is_a_matter_of_price() {
    // 8 steps there and back for the one. The other goes on from 10 to 4 and back: 12.
    let price = |penalty: i64| {
        why(|s| s.tasks[0].drop_penalty_micro = Some(penalty * MICRO))
            .iter()
            .map(|r| r.1)
            .collect::<Vec<_>>()
    };
    assert_eq!(price(8), [Obstacle::Price, Obstacle::Price]);
    assert_eq!(price(9), [Obstacle::Fits, Obstacle::Price]);
    assert_eq!(price(13), [Obstacle::Fits, Obstacle::Fits]);
}

#[test]
fn all_terms_count_in_the_price() {
    let by = |term| {
        let reasons = why(|s| {
            s.tasks[0].drop_penalty_micro = Some(3 * MICRO);
            (s.tasks[0].windows, s.tasks[0].lateness_max_us) = (window(0, 5), Some(30 * S));
            s.objective = vec![Level {
                terms: vec![(Term::DropPenalty, 1), (term, 1)],
            }];
        });
        reasons.iter().map(|r| r.1).collect::<Vec<_>>()
    };
    // Agent 0 is done at 8 s, before the other's 20 s; agent 1 would be at 4 at 16 s, and done 12 s
    // later.
    assert_eq!(by(Term::Makespan), [Obstacle::Fits, Obstacle::Price]);
    assert_eq!(by(Term::Lateness), [Obstacle::Fits, Obstacle::Price]);
    assert_eq!(by(Term::AgentsUsed), [Obstacle::Fits, Obstacle::Fits]);
}

#[test]
fn a_missing_skill_is_proved_and_the_mildest_speaks_for_all() {
    let missing = |missing| Obstacle::MissingSkill { missing };
    let one = why(|s| (s.tasks[0].skills, s.agents[0].skills) = (0b110, 0b10));
    assert_eq!(one, [(None, missing(0b100), true)]);
    let mixed = why(|s| (s.tasks[0].skills, s.agents[0].skills) = (0b110, 0b110));
    let expected = [
        (Some(0), Obstacle::Fits, false),
        (Some(1), missing(0b110), true),
    ];
    assert_eq!(mixed, expected);
}

#[test]
fn too_large_for_all_is_proved_and_too_large_beside_others_is_not() {
    let capacity = |dimension, shortfall| Obstacle::Capacity {
        dimension,
        shortfall,
    };
    let all = why(|s| s.tasks[0].demands = vec![12, 5]);
    assert_eq!(all, [(None, capacity(1, 5), true)]);
    let beside = why(|s| (s.tasks[0].demands, s.tasks[1].demands) = (vec![7], vec![5]));
    let expected = [
        (Some(0), Obstacle::Fits, false),
        (Some(1), capacity(0, 2), false),
    ];
    assert_eq!(beside, expected);
    // With the task at 10 under way it holds in every plan.
    let under_way = why(|s| {
        (s.tasks[0].demands, s.tasks[1].demands) = (vec![7], vec![5]);
        s.previous = previous(&[(1, &[1], 1)], None);
    });
    let expected = [
        (Some(0), Obstacle::Fits, false),
        (Some(1), capacity(0, 2), true),
    ];
    assert_eq!(under_way, expected);
}

#[test]
fn more_than_all_can_carry_is_proved_for_whoever_adds_to_it() {
    // Both carry 10.
    let load = Obstacle::TotalLoad {
        dimension: 0,
        shortfall: 3,
    };
    let (fits, full) = (
        (Some(0), Obstacle::Fits, false),
        (
            Some(1),
            Obstacle::Capacity {
                dimension: 0,
                shortfall: 6,
            },
            false,
        ),
    );
    let demands = |s: &mut Spec, own: i64| {
        for (task, demand) in s.tasks.iter_mut().zip([own, 9, 14 - own]) {
            task.demands = vec![demand];
        }
        s.agents
            .iter_mut()
            .for_each(|agent| agent.capacities = vec![10]);
    };
    assert_eq!(why(|s| demands(s, 7)), [(None, load, true), fits, full]);
    assert_eq!(
        why(|s| demands(s, 0)).len(),
        2,
        "a task without demand adds nothing"
    );
    let optional = why(|s| {
        demands(s, 7);
        s.tasks[0].drop_penalty_micro = Some(MICRO);
    });
    assert!(
        optional.iter().all(|(agent, ..)| agent.is_some()),
        "{optional:?}"
    );
}

#[test]
fn a_window_that_closes_before_the_earliest_arrival_is_proved() {
    let late = |arrival_s: i64, latest_s: i64| Obstacle::Window {
        arrival_us: arrival_s * S,
        latest_us: latest_s * S,
    };
    let all = why(|s| s.tasks[0].windows = window(0, 3));
    assert_eq!(all, [(None, late(4, 3), true)]);
    let soft = why(|s| (s.tasks[0].windows, s.tasks[0].lateness_max_us) = (window(0, 1), Some(S)));
    assert_eq!(soft, [(None, late(4, 2), true)]);
    let one = why(|s| s.tasks[0].windows = window(0, 5));
    let expected = [
        (Some(0), Obstacle::Fits, false),
        (Some(1), late(16, 5), true),
    ];
    assert_eq!(one, expected);
}

#[test]
fn a_shift_that_is_too_short_is_proved() {
    let shift = |shortfall_s: i64| Obstacle::Shift {
        shortfall_us: shortfall_s * S,
    };
    // At 4 at 38 s, 4 s home; the other needs 16 s.
    let all = why(|s| s.tasks[0].windows = window(38, 99));
    assert_eq!(all, [(None, shift(2), true)]);
    let one = why(|s| s.tasks[0].service_us = 20 * S);
    let expected = [(Some(0), Obstacle::Fits, false), (Some(1), shift(12), true)];
    assert_eq!(one, expected);
}

#[test]
fn no_way_is_proved_only_when_there_is_none_over_other_tasks() {
    let cut = |ways: &[(usize, usize)]| {
        let ways = ways.to_vec();
        why(move |s| {
            for (from, to) in ways {
                s.travel.durations_us[from * PLACES + to] = -1;
            }
        })
    };
    let all = [(None, Obstacle::Unreachable, true)];
    assert_eq!(cut(&[(0, 4), (20, 4), (10, 4), (16, 4)]), all);
    assert_eq!(cut(&[(4, 0), (4, 20), (4, 10), (4, 16)]), all);
    // Over 16 there is one, but agent 0 does not go there in this plan.
    let found = cut(&[(0, 4)]);
    let expected = [
        (Some(0), Obstacle::Unreachable, false),
        (Some(1), Obstacle::Fits, false),
    ];
    assert_eq!(found, expected);
}

#[test]
fn no_room_on_a_route_says_how_much_is_missing() {
    // Agent 1 is at 10 at 10 s, where it has to start by 12 s: first 4 and back would be 22 s.
    // Going on to 4 it is there at 16 s, 3 s too late.
    let why = why(|s| {
        (s.tasks[1].windows, s.tasks[0].windows) = (window(0, 12), window(0, 13));
        // Straight to 4 it could be in time.
        s.travel.durations_us[20 * PLACES + 4] = 12 * S;
    });
    let no_room = Obstacle::NoRoom {
        shortfall_us: 3 * S,
    };
    let expected = [(Some(0), Obstacle::Fits, false), (Some(1), no_room, false)];
    assert_eq!(why, expected);
}

#[test]
fn used_up_changes_are_named_before_the_price() {
    let why = |max| why(|s| s.previous = previous(&[(1, &[0], 0)], Some(max)));
    let [free, full] = [why(1), why(0)].map(|r| r.iter().map(|r| r.1).collect::<Vec<_>>());
    assert_eq!(free, [Obstacle::Fits, Obstacle::Fits]);
    assert_eq!(full, [Obstacle::Changes, Obstacle::Fits]);
}

#[test]
fn what_is_under_way_but_cannot_be_done_is_all_there_is_to_say() {
    let why = |change: fn(&mut Spec)| {
        let mut spec = world();
        spec.previous = previous(&[(1, &[1, 2], 2)], None);
        change(&mut spec);
        let problem = Problem::new(spec).expect("the problem is valid");
        assert!(!allocation::infeasible_commitments(&problem).is_empty());
        explain(&problem, &Plan::default(), &Pulse::unbounded())
    };
    let infeasible_commitments = |task, obstacle| [about(task, Some(1), obstacle, true)];
    let missing = Obstacle::MissingSkill { missing: 2 };
    assert_eq!(
        why(|s| s.tasks[2].skills = 2),
        infeasible_commitments(2, missing)
    );
    let capacity = Obstacle::Capacity {
        dimension: 0,
        shortfall: 1,
    };
    let loads = why(|s| (s.tasks[1].demands, s.tasks[2].demands) = (vec![6], vec![5]));
    assert_eq!(loads, infeasible_commitments(2, capacity));
    // From 20 to 10 and back to 16.
    let late = Obstacle::Window {
        arrival_us: 16 * S,
        latest_us: 15 * S,
    };
    assert_eq!(
        why(|s| s.tasks[2].windows = window(0, 15)),
        infeasible_commitments(2, late)
    );
    let no_way = why(|s| s.travel.durations_us[20 * PLACES + 10] = -1);
    assert_eq!(no_way, infeasible_commitments(1, Obstacle::Unreachable));
    // There at 16 s, home at 20 s; without a shift end home is not reached at all.
    let shift = Obstacle::Shift { shortfall_us: S };
    assert_eq!(
        why(|s| s.agents[1].shift_end_us = 19 * S),
        infeasible_commitments(2, shift)
    );
    assert_eq!(
        why(|s| s.agents[1].shift_end_us = 15 * S),
        infeasible_commitments(2, shift)
    );
    let no_home = why(|s| {
        s.travel.durations_us[16 * PLACES + 20] = -1;
        s.travel.durations_us[4 * PLACES + 20] = -1;
    });
    assert_eq!(no_home, infeasible_commitments(2, Obstacle::Unreachable));
}

#[test]
fn reasons_are_limited_but_every_task_has_one() {
    let problem = generate(1, &Shape::depot(600, 150));
    let reasons = explain(&problem, &Plan::default(), &Pulse::unbounded());
    let tasks: Vec<_> = reasons.iter().map(|r| r.task).collect();
    assert_eq!(
        tasks,
        (0..600).collect::<Vec<_>>(),
        "one each, since two each are too many"
    );
    let problem = generate(1, &Shape::depot(20, 150));
    let reasons = explain(&problem, &Plan::default(), &Pulse::unbounded());
    assert_eq!(reasons.len(), REASONS_MAX, "20 times 50 of 150");
}
