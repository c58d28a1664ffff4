//! The paper's benchmark.

use super::{Random, SECOND_US, Shape};
use crate::problem::{Link, Micros, Owner, Spec};
use stn::{Closure, Edge};

/// Percentage of links that leave open which event comes first.
const UNORDERED_PERCENT: u32 = 25;
/// Bounds between tasks of one agent, in seconds either way.
const LOCAL_MAX_S: i64 = 60;
/// Bounds between tasks of different agents.
const GLOBAL_MAX_S: i64 = 120;
/// Durations, and how far their ends are apart, in seconds.
const TASK_MAX_S: i64 = 30;

/// The agent of a task: its side, and its index there.
type Agent = (Owner, usize);

pub(super) fn spec(shape: &Shape, random: &mut Random) -> Spec {
    assert!(shape.tasks >= 2, "each side needs a task");
    assert!(shape.horizon_percent >= 100, "no time for all tasks");
    let agents = agents(shape, random);
    let mut closure = Closure::new(2 * shape.tasks, &[]).expect("shapes are within the limits");
    let mut links = Vec::new();
    for task in 0..shape.tasks {
        let lower = SECOND_US * random.pick(1, TASK_MAX_S);
        let upper = lower + SECOND_US * random.pick(1, TASK_MAX_S);
        let (start, end) = (2 * task, 2 * task + 1);
        links.push(add(&mut closure, start, end, lower, upper));
    }
    let mut group: Vec<_> = (0..shape.tasks).collect();
    let mut groups = shape.tasks;
    while groups > 1 {
        let (one, other) = (random.index(shape.tasks), random.index(shape.tasks));
        if one == other {
            continue;
        }
        let (from, to) = (2 * one + random.index(2), 2 * other + random.index(2));
        let (lower, upper) = range(agents[one] == agents[other], random);
        if !allows(&closure, from, to, lower, upper) {
            continue;
        }
        links.push(add(&mut closure, from, to, lower, upper));
        groups -= usize::from(join(&mut group, one, other));
    }
    let makespan = makespan(&closure) / SECOND_US;
    let horizon = (makespan * i64::from(shape.horizon_percent) + 99) / 100;
    Spec {
        owners: agents.iter().flat_map(|(side, _)| [*side; 2]).collect(),
        links,
        contingent: Vec::new(),
        horizon_us: Some(horizon * SECOND_US),
        progress: None,
    }
}

fn agents(shape: &Shape, random: &mut Random) -> Vec<Agent> {
    let percent = shape.teammates_percent;
    let percent = percent.unwrap_or_else(|| 30 + random.pick(0, 40).unsigned_abs() as u32);
    let mut agents: Vec<_> = (0..shape.tasks)
        .map(|_| {
            let theirs = random.chance(percent);
            let side = if theirs {
                Owner::Uncontrollable
            } else {
                Owner::Controllable
            };
            (side, random.index(shape.agents))
        })
        .collect();
    for side in [Owner::Controllable, Owner::Uncontrollable] {
        if agents.iter().all(|(one, _)| *one != side) {
            let task = random.index(shape.tasks);
            agents[task].0 = side;
        }
    }
    agents
}

/// Lower and upper bound of a link between tasks.
fn range(local: bool, random: &mut Random) -> (Micros, Micros) {
    let max = if local { LOCAL_MAX_S } else { GLOBAL_MAX_S };
    let (lower, upper) = if random.chance(UNORDERED_PERCENT) {
        (random.pick(-max, -1), random.pick(1, max))
    } else {
        let (one, other) = (random.pick(0, max), random.pick(0, max));
        (one.min(other), one.max(other))
    };
    (lower * SECOND_US, upper * SECOND_US)
}

/// Whether a link contradicts nothing. Together its two bounds contradict something only if one
/// alone does, as `lower <= upper`.
fn allows(closure: &Closure, from: usize, to: usize, lower: Micros, upper: Micros) -> bool {
    let back = |from, to, weight| closure.get(from, to).is_none_or(|back| back + weight >= 0);
    back(to, from, upper) && back(from, to, -lower)
}

/// Adds a link that contradicts nothing.
fn add(closure: &mut Closure, from: usize, to: usize, lower: Micros, upper: Micros) -> Link {
    let index = |event: usize| u32::try_from(event).expect("events are limited");
    for (from, to, weight) in [(from, to, upper), (to, from, -lower)] {
        let inserted = closure.insert(Edge::new(index(from), index(to), weight, 0));
        inserted.expect("the link contradicts nothing");
    }
    Link::new(from + 1, to + 1, lower, upper)
}

/// The earliest time at which all events can be over, when none happens before 0.
fn makespan(closure: &Closure) -> Micros {
    let bounds = (0..closure.nodes()).flat_map(|from| closure.row(from));
    bounds.map(|bound| -bound).max().unwrap_or(0)
}

/// Makes one group of two; false when they are one already.
fn join(group: &mut [usize], one: usize, other: usize) -> bool {
    let (old, new) = (group[one], group[other]);
    for group in group.iter_mut().filter(|group| **group == old) {
        *group = new;
    }
    old != new
}
