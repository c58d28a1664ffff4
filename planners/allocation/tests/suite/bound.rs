//! Bounds are below every plan, and proofs hold in every plan.

use crate::line::{PLACES, S, agent, previous, task, three_tasks, window};
use crate::world;
use allocation::generate::{Shape, generate};
use allocation::problem::{Level, MICRO, Spec, Term};
use allocation::{Problem, impossible, infeasible_commitments, is_infeasible, lower_bound};
use proptest::prelude::*;

/// The first two levels of the bound, in units, after a change of the line.
fn bound(change: impl FnOnce(&mut Spec)) -> [i64; 2] {
    let mut spec = three_tasks();
    change(&mut spec);
    let problem = Problem::new(spec).expect("the problem is valid");
    let (bound, (best, plan)) = (
        lower_bound(&problem),
        world::best(&problem).expect("a plan"),
    );
    assert!(bound <= best, "{bound:?} > {best:?} of {plan:?}");
    [bound.0[0] / MICRO, bound.0[1] / MICRO]
}

fn single_term(term: Term) -> Vec<Level> {
    let terms = vec![(term, 1)];
    vec![Level { terms }]
}

#[test]
fn each_task_takes_at_least_its_cheapest_way_in() {
    assert_eq!(bound(|_| {}), [0, 4 + 6 + 2]);
    // Nobody able to do both can come from 4 to 10: it is 8 from 18.
    let strangers = |s: &mut Spec| {
        (s.tasks[0].skills, s.tasks[1].skills) = (1, 2);
        (s.agents[0].skills, s.agents[1].skills) = (1, 2);
    };
    assert_eq!(bound(strangers), [0, 4 + 8 + 2]);
    // From 4 it is too late for 10 by 9 s. From 0 it is not, nor from 18.
    let late = |s: &mut Spec| {
        s.tasks[0].windows = window(4, 4);
        s.tasks[1].windows = window(0, 9);
        s.tasks[2].windows = window(3, 4);
        s.agents[0].shift_start_us = 0;
        s.agents[1].speed_micro = 2 * MICRO;
    };
    assert_eq!(bound(late), [0, 4 + 8 + 2]);
}

#[test]
fn leaving_out_counts_where_it_is_cheaper() {
    let penalty = |micro| bound(move |s| s.tasks[2].drop_penalty_micro = Some(micro));
    assert_eq!(penalty(MICRO), [0, 4 + 6 + 1]);
    assert_eq!(penalty(3 * MICRO), [0, 4 + 6 + 2]);
    // Weighed against travel, mandatory tasks are a matter of price too.
    let weighed = |s: &mut Spec| {
        let terms = vec![(Term::Unserved, 5), (Term::TravelCost, 1)];
        s.objective = vec![Level { terms }];
    };
    assert_eq!(bound(weighed), [4 + 5 + 2, 0]);
}

#[test]
fn as_many_agents_as_the_load_takes_go_home() {
    let load = |demand| {
        move |s: &mut Spec| {
            s.agents.push(agent(0));
            for (agent, end) in s.agents.iter_mut().zip([4, 20, 10]) {
                agent.end = Some(end);
            }
            for task in &mut s.tasks {
                task.demands = vec![demand];
            }
        }
    };
    // Home from the nearest task: 0 to 4, 2 to 20, 0 to 10.
    assert_eq!(bound(load(1)), [0, 12]);
    // No two fit together: no way in from another task. By load alone two agents are enough.
    assert_eq!(bound(load(6)), [0, 4 + 10 + 2]);
    let used = |demand| {
        bound(move |s| {
            load(demand)(s);
            s.objective = single_term(Term::AgentsUsed);
        })
    };
    assert_eq!(
        [used(0), used(3), used(4), used(6)],
        [[0, 1], [0, 1], [0, 2], [0, 2]]
    );
    assert_eq!(used(10), [0, 3]);
    // Of four too large for two agents at least two are left out.
    let over = |s: &mut Spec| {
        s.tasks.push(task(0));
        for task in &mut s.tasks {
            task.demands = vec![9];
        }
    };
    assert_eq!(bound(over), [2, 0]);
}

#[test]
fn the_makespan_is_that_of_the_last_task_and_of_the_work_shared() {
    let makespan = |change: fn(&mut Spec)| {
        bound(move |s| {
            s.objective = single_term(Term::Makespan);
            change(s);
        })
    };
    assert_eq!(makespan(|_| {}), [0, 10], "somebody has to get to 10");
    let last = |s: &mut Spec| {
        (s.tasks[0].windows, s.tasks[0].service_us) = (window(30, 50), 5 * S);
        (s.agents[0].end, s.agents[1].end) = (Some(0), Some(20));
    };
    // The way home may be from elsewhere: 2 from 18.
    assert_eq!(makespan(last), [0, 30 + 5 + 2]);
    let work = |s: &mut Spec| {
        for task in &mut s.tasks {
            task.service_us = 100 * S;
        }
    };
    assert_eq!(makespan(work), [0, (300 + 12) / 2]);
}

#[test]
fn lateness_is_that_of_the_earliest_arrival() {
    let late = bound(|s| {
        (s.tasks[1].windows, s.tasks[1].lateness_max_us) = (window(0, 3), Some(60 * S));
        s.objective = single_term(Term::Lateness);
    });
    assert_eq!(late, [0, 7]);
}

#[test]
fn a_detour_that_is_quicker_proves_nothing_impossible() {
    let impossible = |direct_us: i64, close_s: i64| {
        let mut spec = three_tasks();
        for from in [0, 20] {
            spec.travel.durations_us[from * PLACES + 10] = direct_us;
        }
        spec.tasks[1].windows = window(0, close_s);
        impossible(&Problem::new(spec).expect("the problem is valid"))
    };
    assert_eq!(impossible(10 * S, 9), [1]);
    assert_eq!(impossible(30 * S, 10), [], "over 4 or 18 it takes 10 s");
    assert_eq!(impossible(30 * S, 9), [1]);
    assert_eq!(impossible(-1, 10), []);
}

#[test]
fn infeasible_is_what_has_no_way_out() {
    let infeasible = |change: fn(&mut Spec)| {
        let mut spec = three_tasks();
        change(&mut spec);
        is_infeasible(&Problem::new(spec).expect("the problem is valid"))
    };
    assert!(!infeasible(|_| {}));
    let unable: fn(&mut Spec) = |s| s.tasks[0].skills = 1;
    assert!(infeasible(unable));
    assert!(!infeasible(|s| {
        s.tasks[0].skills = 1;
        s.tasks[0].drop_penalty_micro = Some(0);
    }));
    assert!(!infeasible(|s| {
        s.tasks[0].skills = 1;
        s.objective = vec![Level {
            terms: vec![(Term::Unserved, 1), (Term::Makespan, 1)],
        }];
    }));
    assert!(infeasible(|s| {
        for task in &mut s.tasks {
            task.demands = vec![7];
        }
    }));
    assert!(infeasible(|s| {
        s.previous = previous(&[(0, &[0], 1)], None);
        s.objective = vec![Level {
            terms: vec![(Term::Unserved, 1), (Term::Makespan, 1)],
        }];
        s.tasks[0].windows = window(0, 3);
    }));
}

proptest! {
    /// No plan is cheaper than the bound.
    #[test]
    fn the_bound_is_below_the_best_plan(seed: u64, tasks in 0_usize..5, agents in 1_usize..4) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        if let Some((best, plan)) = world::best(&problem) {
            let bound = lower_bound(&problem);
            prop_assert!(bound <= best, "{bound:?} > {best:?} of {plan:?}");
        }
    }

    /// What is called impossible is in no plan, and what is called infeasible has none.
    #[test]
    fn proofs_hold_in_every_plan(seed: u64, tasks in 0_usize..5, agents in 1_usize..4) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        let impossible = impossible(&problem);
        let (mut plans, mut complete) = (0, 0);
        world::each_plan(&problem, &mut |plan, terms| {
            plans += 1;
            complete += usize::from(terms.unserved_micro == 0);
            let mut stops = plan.routes.iter().flat_map(|r| &r.stops);
            assert!(!stops.any(|s| impossible.contains(&s.task)), "{plan:?}");
        });
        if !infeasible_commitments(&problem).is_empty() {
            prop_assert_eq!(plans, 0);
        }
        if is_infeasible(&problem) {
            prop_assert!(plans == 0 || problem.is_strict());
            prop_assert_eq!(complete, 0);
        }
    }
}
