//! Balance and makespan of problems above the size that is searched exhaustively, against every
//! order of every set of tasks.

use crate::searched::seeded;
use allocation::generate::{Shape, spec};
use allocation::problem::{Level, MICRO, Problem, Term};
use allocation::{Cost, Params, verify};
use anytime::Limits;

const ITERATIONS: u64 = 2_000;

/// Without windows and limits: any agent can do any tasks in any order.
fn free(seed: u64, tasks: usize, agents: usize, term: Term, speeds: bool) -> Problem {
    let mut spec = spec(seed, &Shape::depot(tasks, agents));
    for task in &mut spec.tasks {
        task.windows.clear();
        task.demands.clear();
    }
    for (index, agent) in (0_i64..).zip(&mut spec.agents) {
        agent.capacities.clear();
        if speeds {
            agent.speed_micro = MICRO * (2 + index) / 2;
        }
    }
    spec.objective = vec![Level {
        terms: vec![(term, 1)],
    }];
    Problem::new(spec).expect("the problem is valid")
}

/// For each set of tasks the busy times of an agent that does them, in any order, by rising length.
fn lengths(problem: &Problem, agent: usize) -> Vec<Vec<i64>> {
    let one = &problem.agents()[agent];
    let home = one.start;
    assert_eq!(one.end, Some(home));
    let way = |from: usize, to: usize| {
        let travel_us = problem
            .travel()
            .duration_us(from, to)
            .expect("all ways are there");
        (travel_us * MICRO + one.speed_micro - 1) / one.speed_micro
    };
    let tasks = problem.tasks();
    let place = |task: usize| tasks[task].location;
    let unique = |mut list: Vec<i64>| {
        list.sort_unstable();
        list.dedup();
        list
    };
    // By set and last task, when that is done.
    let mut ends = vec![vec![Vec::new(); tasks.len()]; 1 << tasks.len()];
    let mut all = vec![vec![0]];
    for set in 1..1_usize << tasks.len() {
        let within = (0..tasks.len()).filter(|task| set >> task & 1 == 1);
        for last in within.clone() {
            let rest = set & !(1 << last);
            let before = within.clone().filter(|task| *task != last);
            let mut found: Vec<i64> = before
                .flat_map(|task| {
                    let travel_us = way(place(task), place(last));
                    ends[rest][task]
                        .iter()
                        .map(move |end_us| end_us + travel_us)
                })
                .collect();
            if rest == 0 {
                found.push(way(home, place(last)));
            }
            let service_us = tasks[last].service_us;
            found.iter_mut().for_each(|end_us| *end_us += service_us);
            ends[set][last] = unique(found);
        }
        let back = within.flat_map(|last| {
            let travel_us = way(place(last), home);
            ends[set][last].iter().map(move |end_us| end_us + travel_us)
        });
        all.push(unique(back.collect()));
    }
    all
}

/// The least difference between the largest and the smallest of one number of each list.
fn least_range(lists: &[&[i64]]) -> i64 {
    let mut at = vec![0; lists.len()];
    let mut best = i64::MAX;
    loop {
        let values = || lists.iter().zip(&at).map(|(list, at)| list[*at]);
        let (least, most) = (values().min(), values().max());
        let (Some(least), Some(most)) = (least, most) else {
            return best;
        };
        best = best.min(most - least);
        let smallest = values().position(|value| value == least);
        let smallest = smallest.expect("it is one of them");
        at[smallest] += 1;
        if at[smallest] == lists[smallest].len() {
            return best;
        }
    }
}

/// The best over all ways to give all tasks to the agents.
fn best(problem: &Problem, judge: &dyn Fn(&[&[i64]]) -> i64) -> i64 {
    let agents = problem.agents().len();
    let lengths: Vec<_> = (0..agents).map(|agent| lengths(problem, agent)).collect();
    let tasks = problem.tasks().len();
    let shares = agents.pow(tasks as u32);
    let sets = |share: usize| {
        let mut sets = vec![0_usize; agents];
        let mut left = share;
        for task in 0..tasks {
            sets[left % agents] |= 1 << task;
            left /= agents;
        }
        sets
    };
    let costs = (0..shares).map(|share| {
        let sets = sets(share);
        let lists: Vec<&[i64]> = (0..agents).map(|a| &lengths[a][sets[a]][..]).collect();
        judge(&lists)
    });
    costs.min().expect("there are plans")
}

fn found(problem: &Problem, seed: u64) -> Cost {
    let limits = Limits::iterations(ITERATIONS);
    let found = seeded(problem, &Params::default(), limits, seed);
    let (plan, cost) = found.offers.last().expect("there are plans");
    assert_eq!(verify(problem, plan), Ok(*cost));
    *cost
}

/// Tasks, agents and whether their speeds differ.
const SHAPES: [(usize, usize, bool); 5] = [
    (9, 2, false),
    (9, 3, false),
    (10, 2, false),
    (9, 3, true),
    (11, 2, false),
];

fn is_found(term: Term, judge: &dyn Fn(&[&[i64]]) -> i64) {
    for (number, (tasks, agents, speeds)) in (1..).zip(SHAPES) {
        let problem = free(number, tasks, agents, term, speeds);
        let least = best(&problem, judge);
        for seed in 1..=3 {
            let cost = found(&problem, seed);
            assert_eq!(
                cost.0[..2],
                [0, least],
                "{tasks} tasks, {agents} agents, {seed}"
            );
        }
    }
}

#[test]
fn the_best_balance_of_nine_to_eleven_tasks_is_found() {
    is_found(Term::Balance, &least_range);
}

#[test]
fn the_least_makespan_of_nine_to_eleven_tasks_is_found() {
    is_found(Term::Makespan, &|lists| {
        let ends = lists.iter().map(|list| list[0]);
        ends.max().expect("there are agents")
    });
}
