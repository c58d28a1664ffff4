//! Granular neighbourhoods: the nearest tasks of each task.

use super::model::{Model, UNREACHABLE};
use crate::travel::Strip;

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
        let strip = model
            .problem
            .is_large()
            .then(|| Strip::of_tasks(model.problem));
        for task in 0..tasks as u32 {
            if count == 0 || !go_on() {
                break;
            }
            ranked.clear();
            match &strip {
                Some(strip) => rank_near(model, strip, task, count, &mut ranked),
                None => {
                    let others = (0..tasks as u32).filter(|other| *other != task);
                    ranked.extend(others.map(|other| (proximity(model, task, other), other)));
                }
            }
            keep_nearest(&mut ranked, count);
            ranked.sort_unstable_by(by_proximity);
            near.extend(ranked.iter().map(|(_, other)| *other));
        }
        Self { near, count }
    }

    /// The neighbours of `task`, the nearest first.
    pub(crate) fn neighbours(&self, task: u32) -> &[u32] {
        let from = task as usize * self.count;
        self.near.get(from..from + self.count).unwrap_or_default()
    }
}

/// Adds the `count` tasks nearest to one to `ranked`, and some more.
fn rank_near(
    model: &Model<'_>,
    strip: &Strip,
    task: u32,
    count: usize,
    ranked: &mut Vec<(f64, u32)>,
) {
    let mut limit = f64::INFINITY;
    strip.scan(task, |other| {
        ranked.push((proximity(model, task, other), other));
        if ranked.len() >= 4 * count {
            keep_nearest(ranked, count);
            // Proximity is at least the distance.
            limit = ranked[count - 1].0;
        }
        limit
    });
}

/// Keeps the `count` nearest; the farthest of them is the last.
fn keep_nearest(ranked: &mut Vec<(f64, u32)>, count: usize) {
    if count < ranked.len() {
        ranked.select_nth_unstable_by(count - 1, by_proximity);
        ranked.truncate(count);
    }
}

fn by_proximity(a: &(f64, u32), b: &(f64, u32)) -> std::cmp::Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

/// Proximity of two tasks in the cheaper direction.
fn proximity(model: &Model<'_>, task: u32, other: u32) -> f64 {
    one_way(model, task, other).min(one_way(model, other, task))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Shape, generate};
    use proptest::prelude::*;

    proptest! {
        /// The tasks found in a strip are the nearest of all.
        #[test]
        fn a_strip_has_the_nearest(seed: u64, tasks in 2_usize..120, count in 1_usize..9) {
            let problem = generate(seed, &Shape::depot(tasks, 2));
            let model = Model::new(&problem);
            let strip = Strip::of_tasks(&problem);
            let count = count.min(tasks - 1);
            for task in 0..tasks as u32 {
                let others = (0..tasks as u32).filter(|other| *other != task);
                let mut all: Vec<_> =
                    others.map(|other| (proximity(&model, task, other), other)).collect();
                let mut found = Vec::new();
                rank_near(&model, &strip, task, count, &mut found);
                for ranked in [&mut all, &mut found] {
                    keep_nearest(ranked, count);
                    ranked.sort_unstable_by(by_proximity);
                }
                prop_assert_eq!(&found, &all);
            }
        }
    }
}
