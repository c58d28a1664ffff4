//! Instances after Solomon's.

use super::{Random, Shape};
use crate::problem::{Agent, MICRO, Spec, Task, Window};
use crate::travel::{Rounding, Travel};

/// Side of the square that up to [`DENSE_MAX`] tasks lie in, in units of distance.
const SIDE: f64 = 100.0;
/// End of every shift there, in seconds.
const HORIZON_S: f64 = 1_000.0;
/// Of more tasks the square and the shifts grow, so that as many tasks lie around each.
const DENSE_MAX: f64 = 1_000.0;
/// How long each task takes, in seconds.
const SERVICE_S: i64 = 10;
/// Capacity of each agent.
const CAPACITY: i64 = 200;

/// Solomon 1987, section 4: places and demands as drawn; the middle of a window uniform over the
/// starts from which the agent could serve the task alone, its width around a fixed mean.
pub(super) fn spec(shape: &Shape, random: &mut Random) -> Spec {
    let scale = (shape.tasks as f64 / DENSE_MAX).max(1.0).sqrt();
    let (side, horizon_s) = ((SIDE * scale) as i64, (HORIZON_S * scale) as i64);
    let mut points = vec![(side as f64 / 2.0, side as f64 / 2.0)];
    for _ in 0..shape.tasks {
        points.push((random.pick(0, side) as f64, random.pick(0, side) as f64));
    }
    let travel = Travel::euclidean(&points, Rounding::OneDecimalDown);
    let tasks = (1..=shape.tasks).map(|location| task(location, &travel, horizon_s, random));
    Spec {
        tasks: tasks.collect(),
        agents: vec![agent(horizon_s); shape.agents],
        travel,
        objective: Vec::new(),
        previous: None,
        couplings: crate::problem::Couplings::default(),
        now_us: 0,
    }
}

fn agent(horizon_s: i64) -> Agent {
    Agent {
        start: 0,
        end: Some(0),
        shift_start_us: 0,
        shift_end_us: horizon_s * MICRO,
        capacities: vec![CAPACITY],
        skills: 0,
        speed_micro: MICRO,
    }
}

fn task(location: usize, travel: &Travel, horizon_s: i64, random: &mut Random) -> Task {
    let way_s = travel.cost_micro(0, location) / MICRO + 1;
    let (first_s, last_s) = (way_s, horizon_s - way_s - SERVICE_S);
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
