//! Instances after Solomon's.

use super::{Random, Shape};
use crate::problem::{Agent, MICRO, Spec, Task, Window};
use crate::travel::{Rounding, Travel};

/// Side of the square that tasks lie in, in units of distance.
const SIDE: i64 = 100;
/// End of every shift, in seconds.
const HORIZON_S: i64 = 1_000;
/// How long each task takes, in seconds.
const SERVICE_S: i64 = 10;
/// Capacity of each agent.
const CAPACITY: i64 = 200;

/// Solomon 1987, section 4: places and demands as drawn; the middle of a window uniform over the
/// starts from which the agent could serve the task alone, its width around a fixed mean.
pub(super) fn spec(shape: &Shape, random: &mut Random) -> Spec {
    let depot = (SIDE as f64 / 2.0, SIDE as f64 / 2.0);
    let mut points = vec![depot];
    for _ in 0..shape.tasks {
        points.push((random.pick(0, SIDE) as f64, random.pick(0, SIDE) as f64));
    }
    let travel = Travel::euclidean(&points, Rounding::OneDecimalDown);
    let tasks = (1..=shape.tasks).map(|location| task(location, &travel, random));
    Spec {
        tasks: tasks.collect(),
        agents: vec![agent(); shape.agents],
        travel,
        objective: Vec::new(),
        previous: None,
        couplings: crate::problem::Couplings::default(),
        now_us: 0,
    }
}

fn agent() -> Agent {
    Agent {
        start: 0,
        end: Some(0),
        shift_start_us: 0,
        shift_end_us: HORIZON_S * MICRO,
        capacities: vec![CAPACITY],
        skills: 0,
        speed_micro: MICRO,
    }
}

fn task(location: usize, travel: &Travel, random: &mut Random) -> Task {
    let way_s = travel.cost_micro(0, location) / MICRO + 1;
    let (first_s, last_s) = (way_s, HORIZON_S - way_s - SERVICE_S);
    let middle_s = random.pick(first_s, last_s);
    let half_s = random.pick(20, 60);
    let window = Window {
        open_us: (middle_s - half_s).max(0) * MICRO,
        close_us: (middle_s + half_s).clamp(first_s, last_s) * MICRO,
    };
    Task {
        location,
        service_us: SERVICE_S * MICRO,
        windows: random.chance(75).then_some(window).into_iter().collect(),
        demands: vec![random.pick(1, 40)],
        skills: 0,
        drop_penalty_micro: None,
        lateness_max_us: None,
    }
}
