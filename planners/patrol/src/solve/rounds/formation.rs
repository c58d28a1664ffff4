//! Teams on rounds.

use super::cover::cover;
use super::teams::{roles, tour};
use super::{is_idle, walks};
use crate::evaluate::worth;
use crate::plan::Cost;
use crate::plan::Plan;
use crate::problem::{CERTAIN, Entry};
use crate::scene::{Scene, share};
use crate::solve::anneal::{Anneal, Whole};
use crate::solve::launch::{Start, Team, launch};
use crate::solve::round::Judge;
use anytime::Control;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// How hot it is at first, round by round.
const HEATS: [f64; 4] = [4.0, 1.0, 2.0, 0.5];
/// Ways to begin that are tried.
const VARIANTS: usize = 16;

/// Teams on rounds, and what they miss.
pub(super) struct Formation<'s> {
    judges: Vec<Judge<'s>>,
    pub teams: Vec<Team>,
    /// For each team, the share of moments at which each vertex is missed.
    missed: Vec<Vec<f64>>,
    rng: Xoshiro256PlusPlus,
    pub best: f64,
    /// For each vertex, the team that it is left to, where teams had better not meet.
    owners: Option<Vec<usize>>,
    /// How often it was improved.
    rounds: usize,
    /// How teams begin.
    start: Start,
}

impl<'s> Formation<'s> {
    /// Teams of these guards, on rounds past the vertices that `goals` says for each; none: where the first guard is.
    pub(super) fn new(
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

    /// Each team in turn covers what the ones before it miss, in a round for so many windows. `spread`: as [`cover`] says.
    pub(super) fn cover(&mut self, windows: f64, spread: f64) {
        let instants = self.judges[0].scene.problem.intruder().instants;
        for team in 0..self.teams.len() {
            let worth = self.worth(team);
            let guards = self.teams[team].guards.len();
            // No more than the largest number.
            let ticks_max = (f64::from(instants) * guards as f64 * windows) as u32;
            let judge = &mut self.judges[team];
            let round = cover(judge, &worth, (ticks_max, spread), &mut self.rng);
            judge.missed(&round, &mut self.missed[team]);
            self.teams[team].round = round;
        }
    }

    /// Each team has what is nearest to its first goal, and begins there.
    pub(super) fn settle(&mut self, firsts: &[usize]) {
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
    pub(super) fn improve(&mut self, steps: u64, control: &mut Control<'_, Plan, Cost>) -> bool {
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
    pub(super) fn offer(&mut self, control: &mut Control<'_, Plan, Cost>) -> f64 {
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
                control.offer(&plan, cost, &by);
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
