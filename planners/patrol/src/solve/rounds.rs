//! Where guards go against an intruder who enters at any time: teams on rounds.

use super::anneal::Anneal;
use super::launch::{Team, launch};
use super::price::Prices;
use super::round::{Judge, Round};
use crate::evaluate::worth;
use crate::plan::{Cost, Plan, Stop};
use crate::problem::{Entry, Motion};
use crate::scene::{Scene, share};
use anytime::{Conclusion, Control, Stop as Why};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Changes tried for a team in one go, at first.
const STEPS: u64 = 4_000;

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
}

/// The search for intruders who enter at any time. Optimal only with proof.
pub(super) fn rounds(scene: &Scene<'_>, control: &mut Control<'_, Plan, Cost>) -> Conclusion {
    let mut all: Vec<Formation<'_>> = Vec::new();
    for (index, sizes) in formations(scene).into_iter().enumerate() {
        let seed = control.seed(index as u64);
        for wide in [false, true] {
            let mut formation = Formation::new(scene, (sizes.clone(), wide), seed);
            formation.offer(control);
            all.push(formation);
            if !control.go_on() {
                return Conclusion::Stopped(control.stop().unwrap_or(Why::Exhausted));
            }
        }
    }
    let mut steps = STEPS;
    let intruder = scene.problem.intruder();
    let is_long = intruder.motion == Motion::Still && intruder.entry == Entry::Steady;
    let (mut prices, mut is_first) = (None, is_long);
    loop {
        // Those that did worse are given up, one by one.
        for formation in &mut all {
            if !formation.improve(steps, control) {
                return Conclusion::Stopped(control.stop().unwrap_or(Why::Exhausted));
            }
            if proved(control) {
                return Conclusion::Optimal;
            }
        }
        if std::mem::take(&mut is_first) {
            prices = Prices::new(scene);
        }
        if let Some(prices) = &mut prices {
            let escape = u128::from(prices.improve(TRIES, control));
            let weight = u128::from(scene.problem.objective().escape);
            control.prove(Cost(escape * weight), "walks with memory");
        }
        if all.len() > 2 {
            all.sort_by(|one, other| one.best.total_cmp(&other.best));
            all.pop();
        }
        steps = steps.saturating_add(steps / 2).min(200_000);
    }
}

fn proved(control: &Control<'_, Plan, Cost>) -> bool {
    control
        .best()
        .is_some_and(|best| control.bound().is_some_and(|bound| best <= bound))
}

/// Ways to make teams of guards who are alike: all together, each alone, and some in between.
fn formations(scene: &Scene<'_>) -> Vec<Vec<Vec<usize>>> {
    let problem = scene.problem;
    let mut kinds: Vec<Vec<usize>> = Vec::new();
    for guard in 0..scene.guards() {
        match kinds
            .iter_mut()
            .find(|kind| problem.are_alike(kind[0], guard))
        {
            Some(kind) => kind.push(guard),
            None => kinds.push(vec![guard]),
        }
    }
    let mut all: Vec<Vec<Vec<usize>>> = Vec::new();
    for size in 1..=scene.guards() {
        let teams = kinds.iter().flat_map(|kind| kind.chunks(size));
        let teams: Vec<Vec<usize>> = teams.map(<[usize]>::to_vec).collect();
        if !all.contains(&teams) {
            all.push(teams);
        }
    }
    // All together first: a plan for everybody at once.
    all.reverse();
    all
}

impl<'s> Formation<'s> {
    fn new(scene: &'s Scene<'s>, (sizes, wide): (Vec<Vec<usize>>, bool), seed: u64) -> Self {
        let vertices = scene.problem.vertices();
        let judge = |guards: &Vec<usize>| Judge::new(scene, (guards[0], guards.len()));
        let mut judges: Vec<_> = sizes.iter().map(judge).collect();
        let tour = wide.then(|| tour(&mut judges[0]));
        let team = |guards: Vec<usize>| Team {
            round: tour.clone().unwrap_or_else(|| Round {
                goals: vec![Stop {
                    vertex: scene.problem.guards()[guards[0]].start,
                    stay: 0,
                }],
            }),
            guards,
        };
        let teams: Vec<_> = sizes.into_iter().map(team).collect();
        Self {
            missed: vec![vec![1.0; vertices]; teams.len()],
            judges,
            teams,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            best: f64::INFINITY,
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
        worth
    }

    /// Each team in turn; false: told to stop.
    fn improve(&mut self, steps: u64, control: &mut Control<'_, Plan, Cost>) -> bool {
        let each = steps / self.teams.len() as u64 + 1;
        for team in 0..self.teams.len() {
            let worth = self.worth(team);
            let round = self.teams[team].round.clone();
            let mut anneal = Anneal::new(&mut self.judges[team], &worth, round);
            let hot = anneal.hot();
            for step in 0..each {
                if !control.tick() {
                    return false;
                }
                let cool = 1.0 - step as f64 / each as f64;
                anneal.step(hot * cool * cool + 1e-9, &mut self.rng);
            }
            self.teams[team].round = anneal.best.0.clone();
            let round = self.teams[team].round.clone();
            self.judges[team].missed(&round, &mut self.missed[team]);
        }
        self.offer(control);
        true
    }

    fn offer(&mut self, control: &mut Control<'_, Plan, Cost>) {
        let problem = self.judges[0].scene.problem;
        let plan = launch(&mut self.judges, &self.teams);
        let value: f64 = (0..problem.vertices())
            .map(|v| share(problem.shares()[v]) * self.missed.iter().map(|m| m[v]).product::<f64>())
            .sum();
        self.best = self.best.min(value);
        if let Some((_, cost)) = worth(self.judges[0].scene, &plan) {
            let by = match self.teams.len() {
                1 => "one round".to_owned(),
                teams => format!("{teams} rounds"),
            };
            control.offer(&plan, cost, &by);
        }
    }
}

/// A round past every vertex that counts: each is put where it costs least time.
fn tour(judge: &mut Judge<'_>) -> Round {
    let problem = judge.scene.problem;
    let start = problem.guards()[judge.guard].start;
    let mut goals = vec![Stop {
        vertex: start,
        stay: 0,
    }];
    for vertex in (0..problem.vertices()).filter(|v| *v != start && problem.shares()[*v] > 0) {
        let count = goals.len();
        let detour = |at: &usize, judge: &mut Judge<'_>| {
            let [here, next] = [goals[*at].vertex, goals[(at + 1) % count].vertex];
            let ways = &mut judge.ways;
            ways.far(here, vertex) + ways.far(vertex, next) - ways.far(here, next)
        };
        let at = (0..count).min_by_key(|at| detour(at, judge));
        let at = at.expect("there is a goal") + 1;
        goals.insert(at, Stop { vertex, stay: 0 });
    }
    Round { goals }
}
