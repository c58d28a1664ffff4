//! Where guards go against an intruder who enters at any time: teams on rounds.

mod teams;
mod tour;

use super::anneal::{Anneal, Whole};
use super::launch::{Start, Team, launch};
use super::offer;
use super::price::Prices;
use super::round::Judge;
use crate::evaluate::worth;
use crate::plan::{Cost, Plan};
use crate::problem::{CERTAIN, Entry, Motion, Problem};
use crate::scene::{Scene, share};
use anytime::{Conclusion, Control, Stop as Why};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use teams::{covers, formations, part, roles};
use tour::tour;

/// Changes tried for a team in one go, at first.
const STEPS: u64 = 4_000;

/// How hot it is at first, round by round.
const HEATS: [f64; 4] = [4.0, 1.0, 2.0, 0.5];
/// The same, at most.
const STEPS_MAX: u64 = 60_000;
/// Formations that are kept.
const POOL: usize = 4;
/// Ways to begin that are tried.
const VARIANTS: usize = 16;
/// How far above the bound a plan may be that is called optimal, of [`CERTAIN`]: 2 * 10^-9. The bound for walks with memory
/// gives away half of that, so that no rounding of its doubles can make it claim too much.
pub(crate) const TOLERANCE: u64 = CERTAIN / 500_000_000;
/// Lists of prices tried in one go.
const TRIES: usize = 30;

/// Teams on rounds, and what they miss.
struct Formation<'s> {
    judges: Vec<Judge<'s>>,
    teams: Vec<Team>,
    /// For each team, the share of moments at which each vertex is missed.
    missed: Vec<Vec<f64>>,
    rng: Xoshiro256PlusPlus,
    best: f64,
    /// For each vertex, the team that it is left to, where teams had better not meet.
    owners: Option<Vec<usize>>,
    /// How often it was improved.
    rounds: usize,
    /// How teams begin.
    start: Start,
}

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
    /// Each way to make teams, from parts of a round from which all is seen that counts and from where guards are; false: told to stop, or
    /// proved.
    fn fill(&mut self, control: &mut Control<'_, Plan, Cost>) -> bool {
        let scene = self.scene;
        let covers = covers(scene);
        // Who walks is soon taken for what he is.
        let steps = match walks(self.scene.problem) {
            true => STEPS / 8,
            false => STEPS,
        };
        for is_cover in [true, false] {
            for sizes in &self.sizes {
                let seed = self.rng.random();
                let of = |team: usize| match is_cover {
                    true => part(scene, (sizes, team), &covers),
                    false => Vec::new(),
                };
                let mut one = Formation::new(scene, (sizes, of), seed);
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

    /// Rounds past some vertices that luck chooses.
    fn fresh(&mut self) -> Formation<'s> {
        let vertices = self.scene.problem.vertices();
        let like = self.all[0].teams.iter().map(|team| team.guards.clone());
        let sizes: Vec<Vec<usize>> = match self.rng.random() {
            true => like.collect(),
            false => self.sizes[self.rng.random_range(0..self.sizes.len())].clone(),
        };
        let seed = self.rng.random();
        let rng = &mut self.rng;
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

impl<'s> Formation<'s> {
    /// Teams of these guards, on rounds past the vertices that `goals` says for each; none: where the first guard is.
    fn new(
        scene: &'s Scene<'s>,
        (sizes, mut goals): (&[Vec<usize>], impl FnMut(usize) -> Vec<usize>),
        seed: u64,
    ) -> Self {
        let vertices = scene.problem.vertices();
        let judge = |guards: &Vec<usize>| Judge::new(scene, (guards[0], guards.len()));
        let mut judges: Vec<_> = sizes.iter().map(judge).collect();
        let each = judges.iter_mut().zip(sizes).enumerate();
        let team = |(index, (judge, guards)): (usize, (&mut Judge<'s>, &Vec<usize>))| Team {
            round: tour(judge, &goals(index)),
            guards: guards.clone(),
        };
        let teams: Vec<_> = each.map(team).collect();
        Self {
            missed: vec![vec![1.0; vertices]; teams.len()],
            judges,
            teams,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            best: f64::INFINITY,
            owners: None,
            rounds: 0,
            start: Start::default(),
        }
    }

    /// Each team has what is nearest to its first goal, and begins there.
    fn settle(&mut self, firsts: &[usize]) {
        let scene = self.judges[0].scene;
        let far = |first: &usize| scene.distances(0, *first);
        let tables: Vec<Vec<u32>> = firsts.iter().map(far).collect();
        let nearest = |vertex: usize| (0..firsts.len()).min_by_key(|team| tables[*team][vertex]);
        let owners = (0..scene.problem.vertices()).map(|v| nearest(v).expect("there is a team"));
        self.owners = Some(owners.collect());
        for (team, first) in self.teams.iter_mut().zip(firsts) {
            team.round.goals.truncate(1);
            team.round.goals[0].vertex = *first;
        }
    }

    /// What each vertex is worth to a team: what the others miss.
    fn worth(&self, team: usize) -> Vec<f64> {
        let shares = self.judges[0].scene.problem.shares();
        let mut worth: Vec<f64> = shares.iter().map(|mass| share(*mass)).collect();
        for (_, missed) in self
            .missed
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != team)
        {
            worth
                .iter_mut()
                .zip(missed)
                .for_each(|(worth, missed)| *worth *= missed);
        }
        if let Some(owners) = &self.owners {
            let mean = 1.0 / owners.len() as f64;
            let others = worth
                .iter_mut()
                .zip(owners)
                .filter(|(_, owner)| **owner != team);
            others.for_each(|(worth, _)| *worth = -mean);
        }
        worth
    }

    /// Each team in turn; false: told to stop.
    fn improve(&mut self, steps: u64, control: &mut Control<'_, Plan, Cost>) -> bool {
        // Who walks is at first taken for one who stays: that is quickly judged.
        let (steps, is_whole) = match walks(self.judges[0].scene.problem) {
            true => (steps, self.rounds > 0),
            false => (steps, is_idle(self.judges[0].scene.problem)),
        };
        let each = steps / self.teams.len() as u64 + 1;
        let before = (self.teams.clone(), self.start.clone(), self.best);
        let mut go = true;
        for team in 0..self.teams.len() {
            go = self.improve_team((team, is_whole), each, control);
            let round = self.teams[team].round.clone();
            self.judges[team].missed(&round, &mut self.missed[team]);
            if !go {
                break;
            }
        }
        self.rounds += 1;
        let value = self.offer(control);
        if is_whole && value > before.2 {
            // By all entries it is not better.
            (self.teams, self.start, self.best) = before;
        }
        go
    }

    /// One team, by what whole plans cost or by what its round misses; false: told to stop.
    fn improve_team(
        &mut self,
        (team, is_whole): (usize, bool),
        steps: u64,
        control: &mut Control<'_, Plan, Cost>,
    ) -> bool {
        let scene = self.judges[0].scene;
        let worth = self.worth(team);
        let plan = is_whole.then(|| launch(&mut self.judges, &self.teams, &self.start));
        let Team { guards, round } = self.teams[team].clone();
        let whole = plan.map(|plan| Whole {
            team: (team, &guards),
            start: &self.start,
            routes: plan.routes,
        });
        let mut anneal = Anneal::new(&mut self.judges[team], &worth, (round, whole));
        let hot = anneal.hot() * HEATS[self.rounds % HEATS.len()];
        let mut go = true;
        let before = control.iterations();
        for step in 0.. {
            // Long judgements count for more.
            let done = (control.iterations() - before).max(step);
            if anneal.best.1 <= 1e-12 || done >= steps {
                break;
            }
            if !control.tick() {
                go = false;
                break;
            }
            let cool = 1.0 - done as f64 / steps as f64;
            anneal.step(hot * cool * cool + 1e-9, &mut self.rng);
            scene.steps.count(control);
        }
        self.teams[team].round = anneal.best.0.clone();
        go
    }

    /// Offers the plan, and says what it is worth.
    fn offer(&mut self, control: &mut Control<'_, Plan, Cost>) -> f64 {
        let scene = self.judges[0].scene;
        let problem = scene.problem;
        let mut value: f64 = (0..problem.vertices())
            .map(|v| share(problem.shares()[v]) * self.missed.iter().map(|m| m[v]).product::<f64>())
            .sum();
        let by = match self.teams.len() {
            1 => "one round".to_owned(),
            teams => format!("{teams} rounds"),
        };
        // Early intruders ask for more than one try; so do wishes, until one is granted.
        let is_early = matches!(problem.intruder().entry, Entry::Mission(_))
            || (walks(problem) && self.teams.len() > 1);
        let (mut is_allowed, mut least) = (false, None);
        for variant in 0..VARIANTS {
            let mut start = self.start.clone();
            if variant > 0 {
                let teams = 0..self.teams.len();
                start.ahead = teams.map(|_| self.rng.random()).collect();
                start.roles = roles(scene, &mut self.rng);
                start.is_reversed = self.rng.random();
            }
            let plan = launch(&mut self.judges, &self.teams, &start);
            if let Some((_, cost)) = worth(scene, &plan) {
                is_allowed = true;
                if least.is_none_or(|least| cost < least) {
                    least = Some(cost);
                    self.start = start;
                }
                if is_idle(problem) || walks(problem) {
                    let cost = least.unwrap_or(cost);
                    value = cost.0 as f64 / CERTAIN as f64;
                }
                offer(control, &plan, (cost, &by));
            }
            if is_allowed && !is_early || !control.go_on() {
                break;
            }
        }
        if !is_allowed {
            value += 1.0;
        }
        self.best = self.best.min(value);
        value
    }
}
