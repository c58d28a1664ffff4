//! The paper's benchmark.

use super::distances::Distances;
use super::{Luck, SECOND_US, Shape};
use crate::problem::{Link, Micros, Node, Owner, Spec};

/// Of 100 links, so many leave open which event comes first.
const UNORDERED_PERCENT: u32 = 25;
/// Bounds between tasks of one agent, in seconds either way.
const LOCAL_MAX_S: i64 = 60;
/// Bounds between tasks of different agents.
const GLOBAL_MAX_S: i64 = 120;
/// Durations, and how far their ends are apart, in seconds.
const TASK_MAX_S: i64 = 30;

/// Whose a task is: the side, and which agent there.
type Agent = (Owner, usize);

pub(super) fn spec(shape: &Shape, luck: &mut Luck) -> Spec {
    assert!(shape.tasks >= 2, "each side needs a task");
    assert!(shape.horizon_percent >= 100, "no time for all tasks");
    let agents = agents(shape, luck);
    let mut made = Distances::new(2 * shape.tasks);
    let mut links = Vec::new();
    for task in 0..shape.tasks {
        let lower = luck.pick(1, TASK_MAX_S);
        let upper = lower + luck.pick(1, TASK_MAX_S);
        add(
            (2 * task, 2 * task + 1),
            (lower, upper),
            &mut made,
            &mut links,
        );
    }
    let mut group: Vec<_> = (0..shape.tasks).collect();
    let mut groups = shape.tasks;
    while groups > 1 {
        let (one, other) = (luck.index(shape.tasks), luck.index(shape.tasks));
        if one == other {
            continue;
        }
        let ends = (2 * one + luck.index(2), 2 * other + luck.index(2));
        let range = range(agents[one] == agents[other], luck);
        if !made.allow(ends, range.0 * SECOND_US, range.1 * SECOND_US) {
            continue;
        }
        add(ends, range, &mut made, &mut links);
        groups -= usize::from(join(&mut group, one, other));
    }
    let makespan = made.makespan() / SECOND_US;
    let horizon = (makespan * i64::from(shape.horizon_percent) + 99) / 100;
    Spec {
        owners: agents.iter().flat_map(|(side, _)| [*side; 2]).collect(),
        links,
        contingent: Vec::new(),
        horizon_us: Some(horizon * SECOND_US),
    }
}

fn agents(shape: &Shape, luck: &mut Luck) -> Vec<Agent> {
    let percent = shape.teammates_percent;
    let percent = percent.unwrap_or_else(|| 30 + luck.pick(0, 40).unsigned_abs() as u32);
    let mut agents: Vec<_> = (0..shape.tasks)
        .map(|_| {
            let theirs = luck.chance(percent);
            let side = if theirs {
                Owner::Uncontrollable
            } else {
                Owner::Controllable
            };
            (side, luck.index(shape.agents))
        })
        .collect();
    for side in [Owner::Controllable, Owner::Uncontrollable] {
        if agents.iter().all(|(one, _)| *one != side) {
            let task = luck.index(shape.tasks);
            agents[task].0 = side;
        }
    }
    agents
}

/// Bounds in seconds.
fn range(local: bool, luck: &mut Luck) -> (i64, i64) {
    let max = if local { LOCAL_MAX_S } else { GLOBAL_MAX_S };
    if luck.chance(UNORDERED_PERCENT) {
        return (luck.pick(-max, -1), luck.pick(1, max));
    }
    let (one, other) = (luck.pick(0, max), luck.pick(0, max));
    (one.min(other), one.max(other))
}

fn add(
    (from, to): (usize, usize),
    (lower, upper): (i64, i64),
    made: &mut Distances,
    links: &mut Vec<Link>,
) {
    let (lower, upper): (Micros, Micros) = (lower * SECOND_US, upper * SECOND_US);
    made.add((from, to), lower, upper);
    let node = |event| -> Node { event + 1 };
    links.push(Link {
        from: node(from),
        to: node(to),
        lower_us: Some(lower),
        upper_us: Some(upper),
    });
}

/// Makes one group of two; false when they are one already.
fn join(group: &mut [usize], one: usize, other: usize) -> bool {
    let (old, new) = (group[one], group[other]);
    for of in group.iter_mut().filter(|of| **of == old) {
        *of = new;
    }
    old != new
}
