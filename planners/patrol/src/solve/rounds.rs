//! Where guards go against an intruder who enters at any time: teams on rounds.

mod formation;
mod set_cover;
mod tasks;
mod teams;

use super::lagrangian::LagrangianBound;
use super::shortest_paths::{Tables, tables};
use crate::context::Context;
use crate::plan::{Cost, Plan};
use crate::problem::{Entry, Motion, PROBABILITY_ONE, Problem};
use anytime::{Conclusion, Control, Stop as Why};
use formation::{Begin, Draft};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tasks::{Origin, Task, WIDTH, side_by_side};
use teams::{formations, teams_of};

/// Changes tried for a team in one go, at first.
const STEPS: u64 = 4_000;
/// The same, at most.
const STEPS_MAX: u64 = 60_000;
/// Formations that are kept.
const POOL: usize = 4;
/// How far above the bound a plan may be that is called optimal, of [`PROBABILITY_ONE`]: 2 * 10^-9. The
/// bound for walks with memory gives up half of that to cover the rounding of its doubles.
pub(crate) const TOLERANCE: u64 = PROBABILITY_ONE / 500_000_000;
/// Windows that fresh rounds last, and the range of random factors on what is seen on them.
const WINDOWS: std::ops::Range<f64> = 0.7..1.4;
const SPREAD: f64 = 1.0;

/// Formations that are being improved, the best first.
struct Pool<'s> {
    context: &'s Context<'s>,
    /// The same for each that is improved at a time.
    scenes: Vec<Context<'s>>,
    /// Ways of each guard.
    tables: Vec<Tables>,
    /// Ways to make teams.
    sizes: Vec<Vec<Vec<usize>>>,
    all: Vec<Draft>,
    rng: Xoshiro256PlusPlus,
}

/// The search for intruders who enter at any time, from a plan if there is one. Optimal only with
/// proof.
pub(super) fn rounds(
    context: &Context<'_>,
    warm: Option<&Plan>,
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    let mut pool = Pool::new(context, control);
    let intruder = context.problem.intruder();
    let is_long = intruder.motion == Motion::Still && intruder.entry == Entry::Steady;
    let mut go = pool.fill(warm, control);
    let mut prices = (go && is_long)
        .then(|| LagrangianBound::new(context))
        .flatten();
    let mut steps = STEPS;
    while go && !proved(context, control) {
        if let Some(prices) = &mut prices {
            let escape = u128::from(prices.improve(steps, control));
            let weight = u128::from(context.problem.objective().escape);
            control.prove(Cost(escape * weight), "walks with memory");
        }
        go = pool.improve(steps, control);
        steps = steps.saturating_add(steps / 3).min(STEPS_MAX);
    }
    if proved(context, control) {
        Conclusion::Optimal
    } else {
        Conclusion::Stopped(control.stop().unwrap_or(Why::Exhausted))
    }
}

impl<'s> Pool<'s> {
    fn new(context: &'s Context<'s>, control: &Control<'_, Plan, Cost>) -> Self {
        let mut all: Vec<Tables> = Vec::new();
        for guard in 0..context.guards() {
            let alike = (0..guard).find(|other| context.problem.are_alike(*other, guard));
            all.push(alike.map_or_else(|| tables(context), |other| all[other].clone()));
        }
        Self {
            context,
            scenes: (0..WIDTH)
                .map(|_| context.for_thread(control.fork()))
                .collect(),
            tables: all,
            sizes: formations(context),
            all: Vec::new(),
            rng: Xoshiro256PlusPlus::seed_from_u64(control.seed(0)),
        }
    }

    /// Each way to make teams, from what can be seen within a window, from all that counts and from
    /// where guards are, and the teams of a plan; false: stopped, or proved.
    fn fill(&mut self, warm: Option<&Plan>, control: &mut Control<'_, Plan, Cost>) -> bool {
        // Who walks is soon taken for what he is.
        let steps = if walks(self.context.problem) {
            STEPS / 8
        } else {
            STEPS
        };
        let is_idle = is_idle(self.context.problem);
        let mut origins = Vec::new();
        for windows in [Some(1.0), Some(f64::INFINITY), None] {
            // Idleness knows no window.
            if is_idle && windows == Some(1.0) {
                continue;
            }
            for sizes in &self.sizes {
                let begin = match windows {
                    Some(windows) => Begin::Cover {
                        windows,
                        spread: 0.0,
                    },
                    None => Begin::Past(vec![Vec::new(); sizes.len()]),
                };
                origins.push((sizes.clone(), begin));
            }
        }
        if is_idle && self.sizes[0].len() > 1 {
            origins.push((self.sizes[0].clone(), self.territories()));
        }
        // Second: the first one is a plan immediately.
        let teams = warm.map(|plan| teams_of(self.context, plan));
        origins.splice(1..1, teams.unwrap_or_default());
        let tasks = origins.into_iter().map(|(sizes, begin)| Task {
            origin: Origin::Fresh(sizes, begin, self.rng.random()),
            steps,
            times: 1,
        });
        let mut tasks: Vec<Task> = tasks.collect();
        // A plan immediately, which is improved with the others.
        let first = Task {
            times: 0,
            ..tasks.remove(0)
        };
        if !self.work(vec![first], control) {
            return false;
        }
        let first = self.all.pop().map(|draft| known(draft, steps));
        tasks.splice(..0, first);
        while !tasks.is_empty() {
            let next = tasks.drain(..WIDTH.min(tasks.len())).collect();
            if !self.work(next, control) {
                return false;
            }
        }
        true
    }

    /// Does tasks; false: stopped, or proved.
    fn work(&mut self, tasks: Vec<Task>, control: &mut Control<'_, Plan, Cost>) -> bool {
        let found = side_by_side(&mut self.scenes, &self.tables, tasks, control);
        self.all.extend(found);
        let go = control.go_on() && (control.remaining() > 0 || control.tick());
        go && !proved(self.context, control)
    }

    /// Territories around the starts, for guards that differ. The cost of whole plans hardly leads
    /// there when each team goes everywhere, since only the worst vertex counts.
    fn territories(&self) -> Begin {
        let context = self.context;
        let sizes = &self.sizes[0];
        let start = |team: &Vec<usize>| context.problem.guards()[team[0]].start;
        let far = |team: &Vec<usize>| context.distances(team[0], start(team));
        let tables: Vec<Vec<u32>> = sizes.iter().map(far).collect();
        let nearest = |vertex: usize| (0..tables.len()).min_by_key(|team| tables[*team][vertex]);
        let counts = |vertex: &usize| context.problem.shares()[*vertex] > 0;
        let of = |team: usize| {
            let all = (0..context.problem.vertices()).filter(counts);
            all.filter(|vertex| nearest(*vertex) == Some(team))
                .collect()
        };
        Begin::Past((0..tables.len()).map(of).collect())
    }

    /// The best, another one, and new ones; false: stopped, or proved.
    fn improve(&mut self, steps: u64, control: &mut Control<'_, Plan, Cost>) -> bool {
        self.all
            .sort_by(|one, other| one.best.total_cmp(&other.best));
        self.all.truncate(POOL);
        let mut tasks: Vec<Task> = (2..WIDTH).map(|_| self.fresh(steps)).collect();
        if self.all.len() > 1 {
            let other = self.rng.random_range(1..self.all.len());
            tasks.push(known(self.all.swap_remove(other), steps));
        }
        tasks.push(known(self.all.swap_remove(0), steps));
        self.work(tasks, control)
    }

    /// Rounds past much that is worth something, or past some vertices, at random.
    fn fresh(&mut self, steps: u64) -> Task {
        let problem = self.context.problem;
        let vertices = problem.vertices();
        let like = self.all[0].teams.iter().map(|team| team.guards.clone());
        let sizes: Vec<Vec<usize>> = if self.rng.random() {
            like.collect()
        } else {
            self.sizes[self.rng.random_range(0..self.sizes.len())].clone()
        };
        let rng = &mut self.rng;
        let begin = if rng.random() {
            Begin::Cover {
                windows: rng.random_range(WINDOWS),
                spread: SPREAD,
            }
        } else if !problem.spec().may_swap && sizes.len() > 1 {
            let firsts = sizes.iter().map(|_| rng.random_range(0..vertices));
            Begin::From(firsts.collect())
        } else {
            let mut goals = || {
                let count = rng.random_range(1..=vertices.min(12));
                (0..count).map(|_| rng.random_range(0..vertices)).collect()
            };
            Begin::Past(sizes.iter().map(|_| goals()).collect())
        };
        Task {
            origin: Origin::Fresh(sizes, begin, rng.random()),
            steps: steps / 2,
            times: 3,
        }
    }
}

/// A formation is improved once.
fn known(draft: Draft, steps: u64) -> Task {
    Task {
        origin: Origin::Known(draft),
        steps,
        times: 1,
    }
}

/// Whether idleness counts: then whole plans are judged, and guards who are alike are one team.
fn is_idle(problem: &Problem) -> bool {
    let objective = problem.objective();
    objective.worst_idleness > 0 || objective.mean_idleness > 0
}

/// Whether the intruder walks: rounds are then judged one by one at first, and as a whole from then
/// on.
fn walks(problem: &Problem) -> bool {
    problem.intruder().motion != Motion::Still
}

/// Whether the best plan is at the bound, but for what the bound gives away to rounding.
fn proved(context: &Context<'_>, control: &Control<'_, Plan, Cost>) -> bool {
    let weight = u128::from(context.problem.objective().escape);
    let most = |bound: Cost| Cost(bound.0 + weight * u128::from(TOLERANCE));
    let bound = control.bound().map(most);
    control.best().is_some_and(|best| Some(best) <= bound)
}
