//! Which tasks are near each other.

use super::model::{FAR, Model};

/// For each task the others that are near, the nearest first.
#[derive(Debug, Clone)]
pub(crate) struct Nearest {
    near: Vec<u32>,
    count: usize,
}

/// Most tasks that are kept as near to one.
const NEAR_MAX: usize = 60;

impl Nearest {
    /// Near is what costs little to go to from one or the other, with some of the waiting and of
    /// the lateness that it would mean.
    ///
    /// Proximity of Vidal, Crainic, Gendreau, Prins, "A hybrid genetic algorithm with adaptive
    /// diversity management for a large class of vehicle routing problems with time-windows",
    /// Computers & Operations Research 40 (2013), with the weights 0.2 of waiting and 1 of
    /// lateness. `go_on` is asked for each task; where it says no the rest have no neighbours.
    pub(crate) fn new(model: &Model<'_>, mut go_on: impl FnMut() -> bool) -> Self {
        let tasks = model.jobs.len();
        let count = NEAR_MAX.min(tasks.saturating_sub(1));
        let mut near = Vec::with_capacity(tasks * count);
        let mut ranked: Vec<(f64, u32)> = Vec::with_capacity(tasks);
        for task in 0..tasks as u32 {
            if count == 0 || !go_on() {
                break;
            }
            ranked.clear();
            let others = (0..tasks as u32).filter(|other| *other != task);
            let proximity = |other| one_way(model, task, other).min(one_way(model, other, task));
            ranked.extend(others.map(|other| (proximity(other), other)));
            let order = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
            if count < ranked.len() {
                ranked.select_nth_unstable_by(count - 1, order);
            }
            ranked[..count].sort_unstable_by(order);
            near.extend(ranked[..count].iter().map(|(_, other)| *other));
        }
        Self { near, count }
    }

    /// The tasks near `task`, the nearest first.
    pub(crate) fn of(&self, task: u32) -> &[u32] {
        let from = task as usize * self.count;
        self.near.get(from..from + self.count).unwrap_or_default()
    }
}

/// What it costs to go from a task to another, in millionths of travel cost. Times are taken at the
/// rate of the way itself.
fn one_way(model: &Model<'_>, from: u32, to: u32) -> f64 {
    let (from, to) = (&model.jobs[from as usize], &model.jobs[to as usize]);
    let way_us = model.way_us(from.location, to.location);
    if way_us == FAR {
        return f64::INFINITY;
    }
    let wait_us = to.open_us - way_us - from.service_us - from.latest_us;
    let late_us = from.open_us + from.service_us + way_us - to.latest_us;
    let cost = model.cost_micro(from.location, to.location) as f64;
    cost + model.rate * (0.2 * wait_us.max(0) as f64 + late_us.max(0) as f64)
}
