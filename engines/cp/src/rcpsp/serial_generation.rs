//! Serial schedule generation scheme (serial SGS) by priority rules, with forward-backward
//! improvement (justification).
//!
//! One activity after the other starts as early as precedences and resources allow.
//! Kolisch, "Serial and parallel resource-constrained project scheduling methods revisited",
//! European Journal of Operational Research 90 (1996); forward and backward passes after Tormos,
//! Lova (2001). Maximal lags are ignored: the caller checks the schedule.

use super::modes::{by_rules, fixed};
use super::{Demand, Lag, Point, Project, Schedule};

/// What is held of a resource from a moment until the next.
type Profile = Vec<(i64, i64)>;

/// Most activities that are placed between two looks at the stop signal.
const PLACED_MAX: usize = 16;

/// A project with durations as short as can be, and lags from start to start.
pub(super) struct PrecedenceGraph<'t> {
    project: &'t Project,
    /// Lags `start(to) >= start(from) + least` that order activities.
    after: Vec<Vec<(usize, i64)>>,
    before: Vec<Vec<(usize, i64)>>,
}

/// A direction of time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Time {
    Forward,
    Backward,
}

impl<'t> PrecedenceGraph<'t> {
    pub(super) fn new(project: &'t Project) -> Self {
        let count = project.activities.len();
        let (mut after, mut before) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        let offset = |point| match point {
            Point::Start(activity) => (activity, 0),
            Point::End(activity) => (activity, project.activities[activity].shortest),
        };
        for Lag { from, to, least } in &project.lags {
            let ((from, late), (to, early)) = (offset(*from), offset(*to));
            let least = least + late - early;
            if from != to && least >= 0 {
                after[from].push((to, least));
                before[to].push((from, least));
            }
        }
        Self {
            project,
            after,
            before,
        }
    }

    fn duration(&self, activity: usize) -> i64 {
        self.project.activities[activity].shortest
    }

    /// A topological order of the activities; none when their lags form a cycle.
    pub(super) fn topological(&self) -> Option<Vec<usize>> {
        let mut open: Vec<usize> = self.before.iter().map(Vec::len).collect();
        let mut order: Vec<usize> = (0..open.len())
            .filter(|activity| open[*activity] == 0)
            .collect();
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

    /// Schedules all activities, always the one of smallest key that lags allow; returns starts, in
    /// backward time those of the mirror image.
    pub(super) fn serial(
        &self,
        keys: &[i64],
        time: Time,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Vec<i64>> {
        let (before, after) = match time {
            Time::Forward => (&self.before, &self.after),
            Time::Backward => (&self.after, &self.before),
        };
        let mut open: Vec<usize> = before.iter().map(Vec::len).collect();
        let mut ready: Vec<usize> = (0..open.len())
            .filter(|activity| open[*activity] == 0)
            .collect();
        let mut starts = vec![0_i64; open.len()];
        let mut held: Vec<Profile> = vec![vec![(0, 0)]; self.project.capacities.len()];
        let mut placed = 0_usize;
        while let Some(place) = (0..ready.len()).min_by_key(|at| (keys[ready[*at]], ready[*at])) {
            placed += 1;
            if placed.is_multiple_of(PLACED_MAX) && !go_on() {
                return None;
            }
            let activity = ready.swap_remove(place);
            let mut start = 0;
            if time == Time::Forward {
                start = self.project.activities[activity].release;
            }
            for (other, least) in &before[activity] {
                // Mirrored, start(i) + least <= start(j) is about ends.
                let turned = match time {
                    Time::Forward => 0,
                    Time::Backward => self.duration(*other) - self.duration(activity),
                };
                start = start.max(starts[*other].saturating_add(least + turned));
            }
            starts[activity] = self.place(&mut held, activity, start);
            for (next, _) in &after[activity] {
                open[*next] -= 1;
                if open[*next] == 0 {
                    ready.push(*next);
                }
            }
        }
        Some(starts)
    }

    /// Puts an activity at the first moment from `start` on at which there is room.
    fn place(&self, held: &mut [Profile], activity: usize, mut start: i64) -> i64 {
        let duration = self.duration(activity);
        let until = |start: i64, demand: &Demand| {
            if demand.consumed {
                i64::MAX
            } else {
                start + duration
            }
        };
        let demands = &self.project.activities[activity].demands;
        loop {
            let moved = demands.iter().fold(start, |start, demand| {
                let room = self.project.capacities[demand.resource] - demand.amount;
                earliest_fit(&held[demand.resource], start, until(start, demand), room)
            });
            if moved == start {
                break;
            }
            start = moved;
        }
        for demand in demands {
            reserve(
                &mut held[demand.resource],
                start,
                until(start, demand),
                demand.amount,
            );
        }
        start
    }
}

/// The first moment from `from` on, at which no more than `room` is held for as long; `from` if no
/// moment fits.
fn earliest_fit(steps: &Profile, from: i64, to: i64, room: i64) -> i64 {
    let mut start = from;
    let lasts = to - from;
    let first = steps.partition_point(|step| step.0 <= start).max(1) - 1;
    for (at, (begin, held)) in steps.iter().enumerate().skip(first) {
        let end = steps.get(at + 1).map_or(i64::MAX, |next| next.0);
        if end <= start || *held <= room {
            continue;
        }
        if *begin >= start.saturating_add(lasts) {
            break;
        }
        if end == i64::MAX {
            // Until the end of time: the schedule breaks a rule, which the caller's check reports.
            return from;
        }
        start = end;
    }
    start
}

/// Holds `amount` more for a time.
fn reserve(steps: &mut Profile, from: i64, to: i64, amount: i64) {
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
pub(super) fn best(project: &Project, go_on: &mut dyn FnMut() -> bool) -> Option<Schedule> {
    let with_modes = |modes: Vec<usize>| {
        let schedule = single_mode(&fixed(project, &modes), go_on)?;
        Some(Schedule { modes, ..schedule })
    };
    let all = by_rules(project).into_iter().filter_map(with_modes);
    all.min_by_key(|schedule| schedule.makespan)
}

fn single_mode(project: &Project, go_on: &mut dyn FnMut() -> bool) -> Option<Schedule> {
    let graph = PrecedenceGraph::new(project);
    let order = graph.topological()?;
    let mut best: Option<Schedule> = None;
    for rule in rules(&graph, &order) {
        if !go_on() {
            break;
        }
        let Some(starts) = graph.serial(&rule, Time::Forward, go_on) else {
            break;
        };
        justify(&graph, starts, &mut best, go_on);
    }
    best
}

/// A schedule of smaller makespan by passes backward and forward, if they find one.
pub(super) fn better(
    project: &Project,
    schedule: &Schedule,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Schedule> {
    let project = fixed(project, &schedule.modes);
    let graph = PrecedenceGraph::new(&project);
    graph.topological()?;
    let mut best = Some(schedule.clone());
    justify(&graph, schedule.starts.clone(), &mut best, go_on);
    let better = best.filter(|best| best.makespan < schedule.makespan)?;
    let modes = schedule.modes.clone();
    Some(Schedule { modes, ..better })
}

/// Keys for a pass in the other direction of time: the latest end first.
pub(super) fn mirrored(graph: &PrecedenceGraph, starts: &[i64]) -> Vec<i64> {
    let starts = starts.iter().enumerate();
    starts
        .map(|(at, start)| -(start + graph.duration(at)))
        .collect()
}

/// Backward by the latest end first, then forward by what was earliest then, while `go_on` returns
/// true, four times at most.
fn justify(
    graph: &PrecedenceGraph,
    mut starts: Vec<i64>,
    best: &mut Option<Schedule>,
    go_on: &mut dyn FnMut() -> bool,
) {
    for _ in 0..4 {
        let schedule = schedule(graph, starts.clone());
        if best
            .as_ref()
            .is_none_or(|best| schedule.makespan < best.makespan)
            && super::broken(graph.project, &schedule).is_none()
        {
            *best = Some(schedule);
        }
        if !go_on() {
            break;
        }
        let backward = graph.serial(&mirrored(graph, &starts), Time::Backward, go_on);
        let Some(backward) = backward.filter(|_| go_on()) else {
            break;
        };
        let Some(forward) = graph.serial(&mirrored(graph, &backward), Time::Forward, go_on) else {
            break;
        };
        starts = forward;
    }
}

fn schedule(graph: &PrecedenceGraph, starts: Vec<i64>) -> Schedule {
    let ends = starts.iter().enumerate();
    let ends: Vec<i64> = ends.map(|(at, start)| start + graph.duration(at)).collect();
    let makespan = ends.iter().copied().max().unwrap_or(0);
    Schedule {
        starts,
        ends,
        modes: vec![0; graph.project.activities.len()],
        makespan,
    }
}

/// Keys of priority rules: latest start, most successors, greatest rank, longest duration.
pub(super) fn rules(graph: &PrecedenceGraph, order: &[usize]) -> Vec<Vec<i64>> {
    let count = order.len();
    let mut tails = vec![0_i64; count];
    let mut followers = vec![vec![false; count]; count];
    for activity in order.iter().rev() {
        tails[*activity] = graph.duration(*activity);
        for (next, least) in &graph.after[*activity] {
            tails[*activity] = tails[*activity].max(tails[*next].saturating_add(*least));
            let row = followers[*next].clone();
            for (mine, theirs) in followers[*activity].iter_mut().zip(row) {
                *mine |= theirs;
            }
            followers[*activity][*next] = true;
        }
    }
    let latest_start = tails.iter().map(|tail| -tail).collect();
    let latest_end = (0..count)
        .map(|activity| graph.duration(activity) - tails[activity])
        .collect();
    let mut successors = Vec::new();
    let mut ranks = Vec::new();
    for (activity, row) in followers.iter().enumerate() {
        let follow = (0..count).filter(|next| row[*next]);
        let rank = follow.clone().fold(graph.duration(activity), |sum, next| {
            sum.saturating_add(graph.duration(next))
        });
        ranks.push(-rank);
        successors.push(-i64::try_from(follow.count()).unwrap_or(0));
    }
    vec![latest_start, latest_end, successors, ranks]
}
