//! What every plan below a state costs at least: branch and bound.

mod assignment;

use super::edges::Edge;
use super::rules::World;
use super::state::State;
use crate::plan::{Cost, Terms};
use crate::problem::{LEVELS_MAX, MICRO};
use crate::solve::model::{FAR, Model, NONE, Worker};
use crate::solve::params::BoundKind;
use mcts::Bound;

/// Most tasks left for which ways onward are looked at too: that takes the square of their number.
const LEFT_MAX: usize = 24;
/// Most tasks of problems in which ways onward are looked at at all: all pairs are kept.
const ONWARD_MAX: usize = 128;
/// Most tasks that are kept as those from which the way to a task is cheapest.
const FROM_MAX: usize = 200;

/// A bound for every state, of one of four kinds.
///
/// A cost is a vector of levels, and lexicographic order is compatible with addition: a sum of
/// parts is at least the sum of what each part is at least. Everything counted is at least 0.
pub(crate) struct Cut {
    kind: BoundKind,
    is_sound: bool,
    /// What every plan costs at least.
    least: Cost,
    /// By task: the cheapest ways from other tasks, cheapest first, at most [`FROM_MAX`].
    from: Vec<Vec<(i64, u32)>>,
    /// By number of turns passed, then task: the cheapest way from the start of an agent whose turn
    /// comes later, or [`FAR`].
    starts: Vec<Vec<i64>>,
    /// By number of turns passed, then task: the cheapest way home of an agent whose turn it is or
    /// comes later; 0 if one of them may end anywhere.
    ends: Vec<Vec<i64>>,
    /// By task: cost of the feasible ways to each other task, [`FAR`] for the rest. For few tasks
    /// only.
    onward: Vec<Vec<i64>>,
    /// By number of turns passed, then task and start place: whether such an agent starts there, or
    /// goes on from there after what it has under way.
    waiting: Vec<Vec<bool>>,
    /// By task: what leaving it out costs.
    losses: Vec<Cost>,
    /// What a millionth of travel costs.
    travel: Cost,
}

impl Cut {
    /// `least` is a lower bound of the cost of every plan. `go_on` is called for each task; if it
    /// returns false nothing is bounded.
    pub(crate) fn new(
        world: &World<'_>,
        kind: BoundKind,
        least: Cost,
        mut go_on: impl FnMut() -> bool,
    ) -> Self {
        let model = &world.scene.model;
        let cost = |terms: Terms| model.problem.cost(&terms);
        let loss = |penalty_micro: Option<i64>| match penalty_micro {
            None => cost(Terms {
                unserved_micro: MICRO,
                ..Terms::default()
            }),
            Some(drop_penalty_micro) => cost(Terms {
                drop_penalty_micro,
                ..Terms::default()
            }),
        };
        let mut cut = Self {
            kind,
            is_sound: kind != BoundKind::Thesis && world.is_complete,
            least,
            from: Vec::new(),
            starts: Vec::new(),
            ends: Vec::new(),
            onward: Vec::new(),
            waiting: Vec::new(),
            losses: model
                .jobs
                .iter()
                .map(|job| loss(job.penalty_micro))
                .collect(),
            travel: cost(Terms {
                travel_cost_micro: 1,
                ..Terms::default()
            }),
        };
        if kind == BoundKind::Arrival {
            for task in 0..model.jobs.len() as u32 {
                if !go_on() {
                    cut.kind = BoundKind::None;
                    break;
                }
                cut.from.push(cheapest_from(model, task));
            }
            if model.jobs.len() <= ONWARD_MAX {
                cut.onward = onward(model, &cut.from);
            }
        }
        cut.look_ahead(world);
        cut
    }

    /// Whether it can close anything.
    pub(crate) fn prunes(&self) -> bool {
        self.kind != BoundKind::None
    }

    /// What agents whose turn comes later can start and end with.
    fn look_ahead(&mut self, world: &World<'_>) {
        let model = &world.scene.model;
        let mut starts = vec![FAR; model.jobs.len()];
        let mut ends = vec![FAR; model.jobs.len()];
        let mut waiting = vec![false; model.jobs.len() + world.edges.starts.len()];
        let mut class = NONE;
        let mut note = |starts: &[i64], ends: &[i64], waiting: &[bool]| {
            self.starts.push(starts.to_vec());
            self.ends.push(ends.to_vec());
            self.waiting.push(waiting.to_vec());
        };
        note(&starts, &ends, &waiting);
        for &agent in world.order.iter().rev() {
            let worker = &model.workers[agent as usize];
            // After what it has under way, if anything.
            let last = worker.started.last();
            let here = last.map_or(worker.start, |last| model.jobs[*last as usize].location);
            if worker.class != class {
                class = worker.class;
                for (task, job) in (0_u32..).zip(&model.jobs) {
                    let (start, end) = (&mut starts[task as usize], &mut ends[task as usize]);
                    if world.may_do(worker, task) {
                        *end = model.cost_micro(job.location, worker.end).min(*end);
                        if world.may_start_with(worker, task) {
                            *start = model.cost_micro(here, job.location).min(*start);
                        }
                    }
                }
            }
            match (last, world.edges.starts.binary_search(&worker.start)) {
                (Some(&last), _) => waiting[last as usize] = true,
                (None, Ok(number)) => waiting[model.jobs.len() + number] = true,
                (None, Err(_)) => {}
            }
            note(&starts, &ends, &waiting);
        }
        self.starts.reverse();
        self.ends.reverse();
        self.waiting.reverse();
    }

    /// For each task left, the lesser of what leaving it out costs and of the cheapest way to it
    /// that is left: from a task that is left, from where the agent is if that is legal, from the
    /// start of an agent whose turn comes later. And the cheapest way home for an agent on its way.
    ///
    /// A task that is done has one way to it, and no two tasks share one.
    fn arrival(&self, world: &World<'_>, state: &State, worker: (usize, &Worker)) -> Cost {
        let model = &world.scene.model;
        let mut sum = fixed(model, state);
        let mut home_micro = model.cost_micro(state.here, worker.1.end);
        let is_short = state.left.len() <= LEFT_MAX && !self.onward.is_empty();
        let mut ways = [FAR; LEFT_MAX];
        for (at, &task) in state.left.iter().enumerate() {
            let location = model.jobs[task as usize].location;
            home_micro = home_micro.min(model.cost_micro(location, worker.1.end));
            let way_micro = self.way_micro(world, state, (worker, task));
            if is_short {
                ways[at] = way_micro;
            }
            add(&mut sum, &self.part(task, way_micro));
        }
        if state.last != NONE && home_micro < FAR {
            add(&mut sum, &times(&self.travel, home_micro));
        }
        if is_short {
            sum.max(self.assignment(world, state, (worker, &ways)))
        } else {
            sum
        }
    }

    /// The least that a task costs, if done at `way_micro` or left out.
    fn part(&self, task: u32, way_micro: i64) -> Cost {
        let loss = self.losses[task as usize];
        if way_micro >= FAR {
            loss
        } else {
            times(&self.travel, way_micro).min(loss)
        }
    }

    /// The cheapest way to a task that is left, or [`FAR`].
    fn way_micro(
        &self,
        world: &World<'_>,
        state: &State,
        (worker, task): ((usize, &Worker), u32),
    ) -> i64 {
        let model = &world.scene.model;
        let mut way_micro = self.starts[state.turn as usize + 1][task as usize];
        if world.start_us(state, worker, task).is_some() {
            let location = model.jobs[task as usize].location;
            way_micro = way_micro.min(model.cost_micro(state.here, location));
        }
        let from = &self.from[task as usize];
        let known = from.iter().find(|(_, other)| state.is_left(*other));
        // Beyond the ways that are kept all are at least as dear as the last.
        let beyond = from.last().filter(|_| from.len() == FROM_MAX);
        way_micro.min(known.or(beyond).map_or(FAR, |(way_micro, _)| *way_micro))
    }

    /// The `q` cheapest ways that are left: Kartal 2016, section 4.5.
    fn cheapest(&self, world: &World<'_>, state: &State, q: usize) -> Cost {
        let model = &world.scene.model;
        let mut sum = fixed(model, state);
        // Where leaving tasks out can be worth it nothing more is sure.
        if model.problem.is_strict() {
            let tasks = model.jobs.len() as u32;
            let turn = state.turn as usize + usize::from(state.last != NONE);
            let waiting = &self.waiting[turn];
            let fits = |edge: &Edge| {
                let is_here = edge.from == state.last;
                let leaves = is_here
                    || waiting[edge.from as usize]
                    || (edge.from < tasks && state.is_left(edge.from));
                leaves && (edge.to >= tasks || state.is_left(edge.to))
            };
            let ways_micro = world.edges.sum_of_shortest(q, fits);
            add(&mut sum, &times(&self.travel, ways_micro as i64));
        }
        sum
    }

    /// Ways that are needed in any case: one to each mandatory task left, and one home unless
    /// routes may end anywhere.
    fn q(&self, world: &World<'_>, state: &State) -> usize {
        let model = &world.scene.model;
        let tasks = state
            .left
            .iter()
            .filter(|task| model.is_mandatory(**task))
            .count();
        let rest = &world.order[state.turn as usize..];
        let ends = |agent: &u32| model.workers[*agent as usize].end != NONE;
        let homeward = match rest.split_first() {
            Some((own, _)) if state.last != NONE => ends(own),
            _ => tasks > 0 && rest.iter().all(ends),
        };
        tasks + usize::from(homeward)
    }

    /// q of Kartal 2016: m + n - |pi| where there are fewer agents than tasks, else the tasks left.
    fn thesis_q(world: &World<'_>, state: &State) -> usize {
        let agents = world.order.len();
        if agents < world.scene.model.jobs.len() {
            state.left.len() + agents - state.turn as usize
        } else {
            state.left.len()
        }
    }
}

impl Bound<World<'_>> for Cut {
    fn lower(&self, world: &World<'_>, state: &State) -> Option<Cost> {
        let model = &world.scene.model;
        let Some(agent) = world.agent(state) else {
            return Some(model.problem.cost(&state.terms));
        };
        let lower = match self.kind {
            BoundKind::None => return None,
            BoundKind::Thesis => self.cheapest(world, state, Cut::thesis_q(world, state)),
            BoundKind::Edges => self.cheapest(world, state, self.q(world, state)),
            BoundKind::Arrival => self.arrival(world, state, (agent, &model.workers[agent])),
        };
        Some(lower.max(self.least))
    }

    fn is_sound(&self) -> bool {
        self.is_sound
    }
}

/// What is paid already.
fn fixed(model: &Model<'_>, state: &State) -> Cost {
    model.problem.cost(&Terms {
        unserved_micro: 0,
        drop_penalty_micro: 0,
        ..state.terms
    })
}

fn cheapest_from(model: &Model<'_>, task: u32) -> Vec<(i64, u32)> {
    let job = &model.jobs[task as usize];
    let fastest = model.fastest();
    let way = |(from, other): (u32, &crate::solve::model::Job)| {
        let way_us = model.time_us(fastest, other.location, job.location);
        let in_time = other.open_us + other.service_us + way_us <= job.latest_us;
        let cost_micro = model.cost_micro(other.location, job.location);
        (from != task && in_time).then_some((cost_micro, from))
    };
    let mut from: Vec<(i64, u32)> = (0..).zip(&model.jobs).filter_map(way).collect();
    if from.len() > FROM_MAX {
        from.select_nth_unstable(FROM_MAX - 1);
        from.truncate(FROM_MAX);
    }
    from.sort_unstable();
    from
}

/// The ways of `from` by where they start.
fn onward(model: &Model<'_>, from: &[Vec<(i64, u32)>]) -> Vec<Vec<i64>> {
    let tasks = model.jobs.len();
    let mut onward = vec![vec![FAR; tasks]; tasks];
    for (to, ways) in from.iter().enumerate() {
        for &(cost_micro, task) in ways {
            onward[task as usize][to] = cost_micro;
        }
    }
    onward
}

fn add(sum: &mut Cost, part: &Cost) {
    for level in 0..LEVELS_MAX {
        sum.0[level] = sum.0[level].saturating_add(part.0[level]);
    }
}

fn times(cost: &Cost, factor: i64) -> Cost {
    Cost(cost.0.map(|level| level.saturating_mul(factor)))
}
