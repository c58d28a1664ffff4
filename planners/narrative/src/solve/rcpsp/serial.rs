//! First schedules: one task after the other, each as early as it can, in the order of a rule.
//!
//! Kolisch, "Serial and parallel resource-constrained project scheduling methods revisited",
//! European Journal of Operational Research 90 (1996); forward and backward passes after Tormos,
//! Lova (2001). Maximal lags are ignored: the caller checks the schedule.

use super::{Demand, Lag, Point, Schedule, Tasks};

/// What is held of a resource from a moment until the next.
type Steps = Vec<(i64, i64)>;

/// Tasks with durations as short as can be, and lags from start to start.
struct Project<'t> {
    tasks: &'t Tasks,
    /// Lags `start(to) >= start(from) + least` that order tasks.
    after: Vec<Vec<(usize, i64)>>,
    before: Vec<Vec<(usize, i64)>>,
}

/// A direction of time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Time {
    Forward,
    Backward,
}

impl<'t> Project<'t> {
    fn new(tasks: &'t Tasks) -> Self {
        let count = tasks.tasks.len();
        let (mut after, mut before) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        let offset = |point| match point {
            Point::Start(task) => (task, 0),
            Point::End(task) => (task, tasks.tasks[task].shortest),
        };
        for Lag { from, to, least } in &tasks.lags {
            let ((from, late), (to, early)) = (offset(*from), offset(*to));
            let least = least + late - early;
            if from != to && least >= 0 {
                after[from].push((to, least));
                before[to].push((from, least));
            }
        }
        Self {
            tasks,
            after,
            before,
        }
    }

    fn duration(&self, task: usize) -> i64 {
        self.tasks.tasks[task].shortest
    }

    /// Tasks in an order that lags allow; none when they go round in a circle.
    fn topological(&self) -> Option<Vec<usize>> {
        let mut open: Vec<usize> = self.before.iter().map(Vec::len).collect();
        let mut order: Vec<usize> = (0..open.len()).filter(|task| open[*task] == 0).collect();
        let mut done = 0;
        while done < order.len() {
            for (next, _) in &self.after[order[done]] {
                open[*next] -= 1;
                if open[*next] == 0 {
                    order.push(*next);
                }
            }
            done += 1;
        }
        (order.len() == open.len()).then_some(order)
    }

    /// Schedules all tasks, always the one of smallest key that lags allow; returns starts, in
    /// backward time those of the mirror image.
    fn serial(&self, keys: &[i64], time: Time) -> Vec<i64> {
        let (before, after) = match time {
            Time::Forward => (&self.before, &self.after),
            Time::Backward => (&self.after, &self.before),
        };
        let mut open: Vec<usize> = before.iter().map(Vec::len).collect();
        let mut ready: Vec<usize> = (0..open.len()).filter(|task| open[*task] == 0).collect();
        let mut starts = vec![0_i64; open.len()];
        let mut held: Vec<Steps> = vec![vec![(0, 0)]; self.tasks.capacities.len()];
        while let Some(place) = (0..ready.len()).min_by_key(|at| (keys[ready[*at]], ready[*at])) {
            let task = ready.swap_remove(place);
            let mut start = 0;
            if time == Time::Forward {
                start = self.tasks.tasks[task].release;
            }
            for (other, least) in &before[task] {
                // Mirrored, start(i) + least <= start(j) is about ends.
                let turned = match time {
                    Time::Forward => 0,
                    Time::Backward => self.duration(*other) - self.duration(task),
                };
                start = start.max(starts[*other].saturating_add(least + turned));
            }
            starts[task] = self.place(&mut held, task, start);
            for (next, _) in &after[task] {
                open[*next] -= 1;
                if open[*next] == 0 {
                    ready.push(*next);
                }
            }
        }
        starts
    }

    /// Puts a task at the first moment from `start` on at which there is room.
    fn place(&self, held: &mut [Steps], task: usize, mut start: i64) -> i64 {
        let duration = self.duration(task);
        let until = |start: i64, demand: &Demand| {
            if demand.consumed {
                i64::MAX
            } else {
                start + duration
            }
        };
        let demands = &self.tasks.tasks[task].demands;
        loop {
            let moved = demands.iter().fold(start, |start, demand| {
                let room = self.tasks.capacities[demand.resource] - demand.amount;
                fit(&held[demand.resource], (start, until(start, demand)), room)
            });
            if moved == start {
                break;
            }
            start = moved;
        }
        for demand in demands {
            hold(
                &mut held[demand.resource],
                (start, until(start, demand)),
                demand.amount,
            );
        }
        start
    }
}

/// The first moment from `from` on, at which no more than `room` is held for as long; `from` if no
/// moment fits.
fn fit(steps: &Steps, (from, to): (i64, i64), room: i64) -> i64 {
    let mut start = from;
    let lasts = to - from;
    for (at, (begin, held)) in steps.iter().enumerate() {
        let end = steps.get(at + 1).map_or(i64::MAX, |next| next.0);
        if end <= start || *held <= room {
            continue;
        }
        if *begin >= start.saturating_add(lasts) {
            break;
        }
        if end == i64::MAX {
            // For ever: the schedule breaks a rule, which whoever asked for it will see.
            return from;
        }
        start = end;
    }
    start
}

/// Holds `amount` more for a time.
fn hold(steps: &mut Steps, (from, to): (i64, i64), amount: i64) {
    if from >= to {
        return;
    }
    for moment in [from, to] {
        let at = steps.partition_point(|step| step.0 <= moment);
        if steps[at - 1].0 < moment && moment < i64::MAX {
            let held = steps[at - 1].1;
            steps.insert(at, (moment, held));
        }
    }
    for step in steps
        .iter_mut()
        .filter(|step| from <= step.0 && step.0 < to)
    {
        step.1 += amount;
    }
}

/// The best schedule of a few rules that satisfies the problem; `go_on` is called before each pass
/// and returns whether to go on.
pub(super) fn best(tasks: &Tasks, go_on: &mut dyn FnMut() -> bool) -> Option<Schedule> {
    let project = Project::new(tasks);
    let order = project.topological()?;
    let mut best: Option<Schedule> = None;
    for rule in rules(&project, &order) {
        if !go_on() {
            break;
        }
        let starts = project.serial(&rule, Time::Forward);
        passes(&project, starts, (&mut best, go_on));
    }
    best
}

/// A schedule of smaller makespan by passes backward and forward, if they find one.
pub(super) fn better(
    tasks: &Tasks,
    schedule: &Schedule,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Schedule> {
    let project = Project::new(tasks);
    project.topological()?;
    let mut best = Some(schedule.clone());
    passes(&project, schedule.starts.clone(), (&mut best, go_on));
    best.filter(|best| best.makespan < schedule.makespan)
}

/// Backward by the latest end first, then forward by what was earliest then, while `go_on` returns
/// true, four times at most.
fn passes(
    project: &Project,
    mut starts: Vec<i64>,
    (best, go_on): (&mut Option<Schedule>, &mut dyn FnMut() -> bool),
) {
    let turned = |starts: &[i64]| -> Vec<i64> {
        let ends = starts.iter().enumerate();
        ends.map(|(at, start)| -(start + project.duration(at)))
            .collect()
    };
    for _ in 0..4 {
        let schedule = schedule(project, starts.clone());
        if best
            .as_ref()
            .is_none_or(|best| schedule.makespan < best.makespan)
            && super::broken(project.tasks, &schedule).is_none()
        {
            *best = Some(schedule);
        }
        if !go_on() {
            break;
        }
        let mirrored = project.serial(&turned(&starts), Time::Backward);
        if !go_on() {
            break;
        }
        starts = project.serial(&turned(&mirrored), Time::Forward);
    }
}

fn schedule(project: &Project, starts: Vec<i64>) -> Schedule {
    let ends = starts.iter().enumerate();
    let ends: Vec<i64> = ends
        .map(|(at, start)| start + project.duration(at))
        .collect();
    let makespan = ends.iter().copied().max().unwrap_or(0);
    Schedule {
        starts,
        ends,
        makespan,
    }
}

/// Keys of priority rules: latest start, most successors, greatest rank, longest duration.
fn rules(project: &Project, order: &[usize]) -> Vec<Vec<i64>> {
    let count = order.len();
    let mut tails = vec![0_i64; count];
    let mut followers = vec![vec![false; count]; count];
    for task in order.iter().rev() {
        tails[*task] = project.duration(*task);
        for (next, least) in &project.after[*task] {
            tails[*task] = tails[*task].max(tails[*next].saturating_add(*least));
            let row = followers[*next].clone();
            for (mine, theirs) in followers[*task].iter_mut().zip(row) {
                *mine |= theirs;
            }
            followers[*task][*next] = true;
        }
    }
    let latest_start = tails.iter().map(|tail| -tail).collect();
    let latest_end = (0..count)
        .map(|task| project.duration(task) - tails[task])
        .collect();
    let mut successors = Vec::new();
    let mut ranks = Vec::new();
    for (task, row) in followers.iter().enumerate() {
        let follow = (0..count).filter(|next| row[*next]);
        let rank = follow.clone().fold(project.duration(task), |sum, next| {
            sum.saturating_add(project.duration(next))
        });
        ranks.push(-rank);
        successors.push(-i64::try_from(follow.count()).unwrap_or(0));
    }
    vec![latest_start, latest_end, successors, ranks]
}
