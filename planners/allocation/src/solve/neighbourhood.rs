//! Granular neighbourhoods: the nearest tasks of each task.

use super::model::{Model, UNREACHABLE};

/// For each task its nearest tasks, in ascending order of proximity.
#[derive(Debug, Clone)]
pub(crate) struct Neighbourhood {
    near: Vec<u32>,
    count: usize,
}

/// Largest size of a neighbourhood.
const NEAR_MAX: usize = 60;

impl Neighbourhood {
    /// Computes the neighbourhoods. Proximity is travel cost in the cheaper direction, plus some of
    /// the waiting and of the lateness on the arc.
    ///
    /// Vidal, Crainic, Gendreau, Prins, "A hybrid genetic algorithm with adaptive diversity
    /// management for a large class of vehicle routing problems with time-windows", Computers &
    /// Operations Research 40 (2013), with the weights 0.2 of waiting and 1 of lateness. `go_on` is
    /// called for each task; once it returns false the remaining tasks have no neighbours.
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

    /// The neighbours of `task`, the nearest first.
    pub(crate) fn neighbours(&self, task: u32) -> &[u32] {
        let from = task as usize * self.count;
        self.near.get(from..from + self.count).unwrap_or_default()
    }
}

/// Proximity of an arc in millionths of travel cost. Times are converted at the average rate.
fn one_way(model: &Model<'_>, from: u32, to: u32) -> f64 {
    let (from, to) = (&model.jobs[from as usize], &model.jobs[to as usize]);
    let travel_us = model.travel_us(from.location, to.location);
    if travel_us == UNREACHABLE {
        return f64::INFINITY;
    }
    let wait_us = to.open_us - travel_us - from.service_us - from.latest_us;
    let late_us = from.open_us + from.service_us + travel_us - to.latest_us;
    let cost = model.cost_micro(from.location, to.location) as f64;
    cost + model.cost_per_us * (0.2 * wait_us.max(0) as f64 + late_us.max(0) as f64)
}
