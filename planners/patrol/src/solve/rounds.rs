//! Where guards go against an intruder who enters at any time: teams on rounds.

mod cover;
mod formation;
mod teams;

use super::price::Prices;
use crate::plan::{Cost, Plan};
use crate::problem::{CERTAIN, Entry, Motion, Problem};
use crate::scene::Scene;
use anytime::{Conclusion, Control, Stop as Why};
use formation::Formation;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use teams::formations;

/// Changes tried for a team in one go, at first.
const STEPS: u64 = 4_000;
/// The same, at most.
const STEPS_MAX: u64 = 60_000;
/// Formations that are kept.
const POOL: usize = 4;
/// How far above the bound a plan may be that is called optimal, of [`CERTAIN`]: 2 * 10^-9. The bound for walks with memory
/// gives away half of that, so that no rounding of its doubles can make it claim too much.
const TOLERANCE: u64 = CERTAIN / 500_000_000;
/// For how many windows fresh rounds are, and by how much luck changes what is seen on them.
const WINDOWS: std::ops::Range<f64> = 0.7..1.4;
const SPREAD: f64 = 1.0;
/// Lists of prices tried in one go.
const TRIES: usize = 30;

/// Formations that are being improved, the best first.
struct Pool<'s> {
    scene: &'s Scene<'s>,
    /// Ways to make teams.
    sizes: Vec<Vec<Vec<usize>>>,
    all: Vec<Formation<'s>>,
    rng: Xoshiro256PlusPlus,
}

/// The search for intruders who enter at any time. Optimal only with proof.
pub(super) fn rounds(scene: &Scene<'_>, control: &mut Control<'_, Plan, Cost>) -> Conclusion {
    let mut pool = Pool {
        scene,
        sizes: formations(scene),
        all: Vec::new(),
        rng: Xoshiro256PlusPlus::seed_from_u64(control.seed(0)),
    };
    let intruder = scene.problem.intruder();
    let is_long = intruder.motion == Motion::Still && intruder.entry == Entry::Steady;
    let mut go = pool.fill(control);
    let mut prices = (go && is_long).then(|| Prices::new(scene)).flatten();
    let mut steps = STEPS;
    while go && !proved(scene, control) {
        if let Some(prices) = &mut prices {
            let escape = u128::from(prices.improve(TRIES, control));
            let weight = u128::from(scene.problem.objective().escape);
            control.prove(Cost(escape * weight), "walks with memory");
        }
        go = pool.improve(steps, control);
        steps = steps.saturating_add(steps / 3).min(STEPS_MAX);
    }
    match proved(scene, control) {
        true => Conclusion::Optimal,
        false => Conclusion::Stopped(control.stop().unwrap_or(Why::Exhausted)),
    }
}

impl<'s> Pool<'s> {
    /// Each way to make teams, from what can be seen within a window, from all that counts and from where guards are; false: told to
    /// stop, or proved.
    fn fill(&mut self, control: &mut Control<'_, Plan, Cost>) -> bool {
        // Who walks is soon taken for what he is.
        let steps = match walks(self.scene.problem) {
            true => STEPS / 8,
            false => STEPS,
        };
        for windows in [Some(1.0), Some(f64::INFINITY), None] {
            // Idleness knows no window.
            if is_idle(self.scene.problem) && windows == Some(1.0) {
                continue;
            }
            for sizes in &self.sizes {
                let seed = self.rng.random();
                let mut one = Formation::new(self.scene, (sizes, |_| Vec::new()), seed);
                if let Some(windows) = windows {
                    one.cover(windows, 0.0);
                }
                one.offer(control);
                let go = !proved(self.scene, control) && one.improve(steps, control);
                self.all.push(one);
                if !go || proved(self.scene, control) {
                    return false;
                }
            }
        }
        if is_idle(self.scene.problem) && self.sizes[0].len() > 1 {
            return self.territories(steps, control);
        }
        true
    }

    /// Guards who differ each where they are first: whole plans hardly tell a way there where each team goes everywhere, since it is
    /// the worst place that counts. False: told to stop, or proved.
    fn territories(&mut self, steps: u64, control: &mut Control<'_, Plan, Cost>) -> bool {
        let scene = self.scene;
        let sizes = &self.sizes[0];
        let start = |team: &Vec<usize>| scene.problem.guards()[team[0]].start;
        let far = |team: &Vec<usize>| scene.distances(team[0], start(team));
        let tables: Vec<Vec<u32>> = sizes.iter().map(far).collect();
        let nearest = |vertex: usize| (0..tables.len()).min_by_key(|team| tables[*team][vertex]);
        let counts = |vertex: &usize| scene.problem.shares()[*vertex] > 0;
        let of = |team: usize| {
            let all = (0..scene.problem.vertices()).filter(counts);
            all.filter(|vertex| nearest(*vertex) == Some(team))
                .collect()
        };
        let mut one = Formation::new(scene, (sizes, of), self.rng.random());
        one.offer(control);
        let go = !proved(scene, control) && one.improve(steps, control);
        self.all.push(one);
        go && !proved(scene, control)
    }

    /// The best, another one, and a new one; false: told to stop, or proved.
    fn improve(&mut self, steps: u64, control: &mut Control<'_, Plan, Cost>) -> bool {
        self.all
            .sort_by(|one, other| one.best.total_cmp(&other.best));
        self.all.truncate(POOL);
        let other = self.rng.random_range(0..self.all.len());
        for index in [0, other] {
            if !self.all[index].improve(steps, control) || proved(self.scene, control) {
                return false;
            }
        }
        let mut fresh = self.fresh();
        for _ in 0..3 {
            if !fresh.improve(steps / 2, control) || proved(self.scene, control) {
                return false;
            }
        }
        self.all.push(fresh);
        true
    }

    /// Rounds past much that is worth something, or past some vertices, as luck has it.
    fn fresh(&mut self) -> Formation<'s> {
        let vertices = self.scene.problem.vertices();
        let like = self.all[0].teams.iter().map(|team| team.guards.clone());
        let sizes: Vec<Vec<usize>> = match self.rng.random() {
            true => like.collect(),
            false => self.sizes[self.rng.random_range(0..self.sizes.len())].clone(),
        };
        let seed = self.rng.random();
        let rng = &mut self.rng;
        if rng.random() {
            let windows = rng.random_range(WINDOWS);
            let mut fresh = Formation::new(self.scene, (&sizes, |_| Vec::new()), seed);
            fresh.cover(windows, SPREAD);
            return fresh;
        }
        let mut firsts = Vec::new();
        let goals = |_| {
            let count = rng.random_range(1..=vertices.min(12));
            let goals: Vec<usize> = (0..count).map(|_| rng.random_range(0..vertices)).collect();
            firsts.push(goals[0]);
            goals
        };
        let mut fresh = Formation::new(self.scene, (&sizes, goals), seed);
        if !self.scene.problem.spec().may_swap && sizes.len() > 1 {
            fresh.settle(&firsts);
        }
        fresh
    }
}

/// Whether idleness counts: then whole plans are judged, and guards who are alike are one team.
fn is_idle(problem: &Problem) -> bool {
    let objective = problem.objective();
    objective.worst_idleness > 0 || objective.mean_idleness > 0
}

/// Whether the intruder walks: rounds are then judged one by one at first, and as a whole from then on.
fn walks(problem: &Problem) -> bool {
    problem.intruder().motion != Motion::Still
}

/// Whether the best plan is at the bound, but for what the bound gives away to rounding.
fn proved(scene: &Scene<'_>, control: &Control<'_, Plan, Cost>) -> bool {
    let weight = u128::from(scene.problem.objective().escape);
    let most = |bound: Cost| Cost(bound.0 + weight * u128::from(TOLERANCE));
    let bound = control.bound().map(most);
    control.best().is_some_and(|best| Some(best) <= bound)
}
