//! Granular neighbourhoods: the nearest tasks of each task.

use super::model::{Job, Model, UNREACHABLE};
use crate::problem::Micros;
use crate::travel::Strip;

/// For each of some tasks its nearest ones, in ascending order of proximity.
#[derive(Debug, Clone)]
pub(crate) struct Neighbourhood {
    near: Vec<u32>,
    count: usize,
}

/// Largest size of a neighbourhood.
const NEAR_MAX: usize = 60;

impl Neighbourhood {
    /// The neighbourhoods of all tasks. See [`Ranking::finish`].
    pub(crate) fn new(model: &Model<'_>, go_on: impl FnMut() -> bool) -> Self {
        Ranking::of_all(model).finish(go_on)
    }

    /// The neighbours of `task`, the nearest first.
    pub(crate) fn neighbours(&self, task: u32) -> &[u32] {
        let from = task as usize * self.count;
        self.near.get(from..from + self.count).unwrap_or_default()
    }
}

/// Computes the neighbourhoods of some tasks, each when it is needed first. Tasks are indices of
/// the list of these tasks.
///
/// Proximity is travel cost in the cheaper direction, plus some of the waiting and of the lateness
/// on the arc: Vidal, Crainic, Gendreau, Prins, "A hybrid genetic algorithm with adaptive diversity
/// management for a large class of vehicle routing problems with time-windows", Computers &
/// Operations Research 40 (2013), with the weights 0.2 of waiting and 1 of lateness.
pub(crate) struct Ranking<'a> {
    model: &'a Model<'a>,
    tasks: Vec<u32>,
    strip: Option<Strip>,
    /// Size of a neighbourhood.
    count: usize,
    /// The neighbourhoods so far, one after the other, and by task which of them it is.
    near: Vec<u32>,
    known: Vec<Option<u32>>,
    ranked: Vec<(f64, u32)>,
}

impl<'a> Ranking<'a> {
    pub(crate) fn new(model: &'a Model<'a>, tasks: Vec<u32>) -> Self {
        let is_large = model.problem.is_large();
        Self {
            model,
            strip: is_large.then(|| Strip::of_tasks(model.problem, &tasks)),
            count: NEAR_MAX.min(tasks.len().saturating_sub(1)),
            near: Vec::new(),
            known: vec![None; tasks.len()],
            ranked: Vec::new(),
            tasks,
        }
    }

    /// Of all tasks of a problem.
    pub(crate) fn of_all(model: &'a Model<'a>) -> Self {
        Self::new(model, (0..model.jobs.len() as u32).collect())
    }

    /// The neighbours of `task`, the nearest first.
    pub(crate) fn neighbours(&mut self, task: u32) -> &[u32] {
        let number = self.known[task as usize].unwrap_or_else(|| self.compute(task));
        let from = number as usize * self.count;
        &self.near[from..from + self.count]
    }

    fn compute(&mut self, task: u32) -> u32 {
        let (model, tasks, ranked) = (self.model, &self.tasks, &mut self.ranked);
        let own = tasks[task as usize];
        let rank = |other: u32| (proximity(model, own, tasks[other as usize]), other);
        ranked.clear();
        match &self.strip {
            Some(strip) => rank_near(strip, task, self.count, ranked, rank),
            None => {
                let others = (0..tasks.len() as u32).filter(|other| *other != task);
                ranked.extend(others.map(rank));
            }
        }
        keep_nearest(ranked, self.count);
        ranked.sort_unstable_by(by_proximity);
        let number = (self.near.len() / self.count.max(1)) as u32;
        self.near.extend(ranked.iter().map(|(_, other)| *other));
        self.known[task as usize] = Some(number);
        number
    }

    /// The neighbourhoods of all of its tasks. `go_on` is called for each task; once it returns
    /// false the remaining tasks have no neighbours.
    pub(crate) fn finish(mut self, mut go_on: impl FnMut() -> bool) -> Neighbourhood {
        let count = self.count;
        let mut near = Vec::with_capacity(self.tasks.len() * count);
        for task in 0..self.tasks.len() as u32 {
            if count == 0 || !go_on() {
                break;
            }
            near.extend_from_slice(self.neighbours(task));
        }
        Neighbourhood { near, count }
    }
}

/// Adds the `count` tasks nearest to one to `ranked`, and some more.
fn rank_near(
    strip: &Strip,
    task: u32,
    count: usize,
    ranked: &mut Vec<(f64, u32)>,
    rank: impl Fn(u32) -> (f64, u32),
) {
    let mut limit = f64::INFINITY;
    strip.scan(task, |other| {
        ranked.push(rank(other));
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
    let (here, there) = (&model.jobs[task as usize], &model.jobs[other as usize]);
    let arc = model.arc_at_unit_speed(here.location, there.location);
    let back = if model.is_symmetric {
        arc
    } else {
        model.arc_at_unit_speed(there.location, here.location)
    };
    one_way(model, here, there, arc).min(one_way(model, there, here, back))
}

/// Proximity of an arc, of which time and cost are given, in millionths of travel cost. Times are
/// converted at the average rate.
fn one_way(model: &Model<'_>, from: &Job, to: &Job, arc: (Micros, i64)) -> f64 {
    let (travel_us, cost_micro) = arc;
    if travel_us == UNREACHABLE {
        return f64::INFINITY;
    }
    let wait_us = to.open_us - travel_us - from.service_us - from.latest_us;
    let late_us = from.open_us + from.service_us + travel_us - to.latest_us;
    cost_micro as f64 + model.cost_per_us * (0.2 * wait_us.max(0) as f64 + late_us.max(0) as f64)
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
            let all_tasks: Vec<u32> = (0..tasks as u32).collect();
            let strip = Strip::of_tasks(&problem, &all_tasks);
            let count = count.min(tasks - 1);
            for &task in &all_tasks {
                let others = (0..tasks as u32).filter(|other| *other != task);
                let rank = |other| (proximity(&model, task, other), other);
                let mut all: Vec<_> = others.map(rank).collect();
                let mut found = Vec::new();
                rank_near(&strip, task, count, &mut found, rank);
                for ranked in [&mut all, &mut found] {
                    keep_nearest(ranked, count);
                    ranked.sort_unstable_by(by_proximity);
                }
                prop_assert_eq!(&found, &all);
            }
        }
    }
}
