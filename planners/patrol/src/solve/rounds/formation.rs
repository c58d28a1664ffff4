//! Teams on rounds.

use super::set_cover::cover;
use super::teams::{roles, tour};
use super::{is_idle, walks};
use crate::context::{Context, share};
use crate::evaluate::worth;
use crate::plan::{Cost, Plan, Stop};
use crate::problem::{Entry, PROBABILITY_ONE};
use crate::solve::anneal::{Anneal, Whole};
use crate::solve::offer;
use crate::solve::round::{Round, RoundEvaluator};
use crate::solve::shortest_paths::{ShortestPaths, Tables};
use crate::solve::stagger::{Start, Team, stagger};
use anytime::Control;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// How hot it is at first, round by round.
const HEATS: [f64; 4] = [4.0, 1.0, 2.0, 0.5];
/// Ways to begin that are tried.
const VARIANTS: usize = 16;

/// Teams on rounds, and what they miss.
pub(super) struct Draft {
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

/// What teams walk at first.
pub(super) enum Begin {
    /// Rounds past these vertices; none: they stand where the first guard is.
    Past(Vec<Vec<usize>>),
    /// These rounds, begun in this manner.
    Round(Vec<Round>, Start),
    /// From these vertices, each in what is nearest to its own.
    From(Vec<usize>),
    /// Past what is worth something, as [`cover()`] says, in rounds for so many windows.
    Cover {
        /// Windows that a round takes at most.
        windows: f64,
        /// By how much chance changes it.
        spread: f64,
    },
}

/// Teams on rounds, and what judges them.
pub(super) struct Formation<'s> {
    evaluators: Vec<RoundEvaluator<'s>>,
    pub draft: Draft,
}

impl<'s> Formation<'s> {
    /// What is known of teams, to be improved; `tables`: for each guard.
    pub(super) fn of(context: &'s Context<'s>, tables: &[Tables], draft: Draft) -> Self {
        let evaluators = draft.teams.iter().map(|team| {
            let guard = team.guards[0];
            RoundEvaluator::new(
                ShortestPaths::shared((context, guard), &tables[guard]),
                team.guards.len(),
            )
        });
        Self {
            evaluators: evaluators.collect(),
            draft,
        }
    }

    /// Teams of these guards.
    pub(super) fn new(
        context: &'s Context<'s>,
        tables: &[Tables],
        (sizes, begin, seed): (&[Vec<usize>], &Begin, u64),
    ) -> Self {
        let team = |guards: &Vec<usize>| Team {
            guards: guards.clone(),
            round: Round { goals: Vec::new() },
        };
        let draft = Draft {
            teams: sizes.iter().map(team).collect(),
            missed: vec![vec![1.0; context.problem.vertices()]; sizes.len()],
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            best: f64::INFINITY,
            owners: None,
            rounds: 0,
            start: Start::default(),
        };
        let mut one = Self::of(context, tables, draft);
        match begin {
            Begin::Past(goals) => one.pass(goals),
            Begin::Round(rounds, start) => one.walk(rounds, start),
            Begin::From(firsts) => one.settle(firsts),
            Begin::Cover { windows, spread } => one.cover(*windows, *spread),
        }
        one
    }

    /// Each team goes past some vertices.
    fn pass(&mut self, goals: &[Vec<usize>]) {
        let each = self.evaluators.iter_mut().zip(&mut self.draft.teams);
        for ((evaluator, team), goals) in each.zip(goals) {
            team.round = tour(evaluator, goals);
        }
    }

    /// Each team walks a round that is known.
    fn walk(&mut self, rounds: &[Round], start: &Start) {
        for (team, round) in rounds.iter().enumerate() {
            self.evaluators[team].missed(round, &mut self.draft.missed[team]);
            self.draft.teams[team].round = round.clone();
        }
        self.draft.start = start.clone();
    }

    /// Each team in turn covers what the ones before it miss, in a round of `windows` windows.
    /// `spread`: see [`cover`].
    fn cover(&mut self, windows: f64, spread: f64) {
        let instants = self.evaluators[0].context.problem.intruder().instants;
        for team in 0..self.draft.teams.len() {
            let worth = self.worth(team);
            let guards = self.draft.teams[team].guards.len();
            // No more than the largest number.
            let ticks_max = (f64::from(instants) * guards as f64 * windows) as u32;
            let evaluator = &mut self.evaluators[team];
            let round = cover(evaluator, &worth, (ticks_max, spread), &mut self.draft.rng);
            evaluator.missed(&round, &mut self.draft.missed[team]);
            self.draft.teams[team].round = round;
        }
    }

    /// Each team has what is nearest to its first goal, and begins there.
    fn settle(&mut self, firsts: &[usize]) {
        let context = self.evaluators[0].context;
        let far = |first: &usize| context.distances(0, *first);
        let tables: Vec<Vec<u32>> = firsts.iter().map(far).collect();
        let nearest = |vertex: usize| (0..firsts.len()).min_by_key(|team| tables[*team][vertex]);
        let owners = (0..context.problem.vertices()).map(|v| nearest(v).expect("there is a team"));
        self.draft.owners = Some(owners.collect());
        for (team, first) in self.draft.teams.iter_mut().zip(firsts) {
            let vertex = *first;
            team.round.goals = vec![Stop { vertex, stay: 0 }];
        }
    }

    /// What each vertex is worth to a team: what the others miss.
    fn worth(&self, team: usize) -> Vec<f64> {
        let shares = self.evaluators[0].context.problem.shares();
        let mut worth: Vec<f64> = shares.iter().map(|mass| share(*mass)).collect();
        for (_, missed) in self
            .draft
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
        if let Some(owners) = &self.draft.owners {
            let mean = 1.0 / owners.len() as f64;
            let others = worth
                .iter_mut()
                .zip(owners)
                .filter(|(_, owner)| **owner != team);
            others.for_each(|(worth, _)| *worth = -mean);
        }
        worth
    }

    /// Each team in turn; false: stopped.
    pub(super) fn improve(&mut self, steps: u64, control: &mut Control<'_, Plan, Cost>) -> bool {
        // Who walks is at first taken for one who stays: that is quickly judged.
        let (steps, is_whole) = if walks(self.evaluators[0].context.problem) {
            (steps, self.draft.rounds > 0)
        } else {
            (steps, is_idle(self.evaluators[0].context.problem))
        };
        let each = steps / self.draft.teams.len() as u64 + 1;
        let before = (
            self.draft.teams.clone(),
            self.draft.start.clone(),
            self.draft.best,
        );
        let mut go = true;
        for team in 0..self.draft.teams.len() {
            go = self.improve_team((team, is_whole), each, control);
            let round = self.draft.teams[team].round.clone();
            self.evaluators[team].missed(&round, &mut self.draft.missed[team]);
            if !go {
                break;
            }
        }
        self.draft.rounds += 1;
        let value = self.offer(control);
        if is_whole && value > before.2 {
            // By all entries it is not better.
            (self.draft.teams, self.draft.start, self.draft.best) = before;
        }
        go
    }

    /// One team, by what whole plans cost or by what its round misses; false: stopped.
    fn improve_team(
        &mut self,
        (team, is_whole): (usize, bool),
        steps: u64,
        control: &mut Control<'_, Plan, Cost>,
    ) -> bool {
        let context = self.evaluators[0].context;
        let worth = self.worth(team);
        let plan =
            is_whole.then(|| stagger(&mut self.evaluators, &self.draft.teams, &self.draft.start));
        let Team { guards, round } = self.draft.teams[team].clone();
        let whole = plan.map(|plan| Whole {
            team: (team, &guards),
            start: &self.draft.start,
            routes: plan.routes,
        });
        let mut anneal = Anneal::new(&mut self.evaluators[team], &worth, (round, whole));
        let hot = anneal.hot() * HEATS[self.draft.rounds % HEATS.len()];
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
            anneal.step(hot * cool * cool + 1e-9, &mut self.draft.rng);
            context.work.report_iterations(control);
        }
        self.draft.teams[team].round = anneal.best.0.clone();
        go
    }

    /// Offers the plan, and says what it is worth.
    pub(super) fn offer(&mut self, control: &mut Control<'_, Plan, Cost>) -> f64 {
        let context = self.evaluators[0].context;
        let problem = context.problem;
        let mut value: f64 = (0..problem.vertices())
            .map(|v| {
                share(problem.shares()[v]) * self.draft.missed.iter().map(|m| m[v]).product::<f64>()
            })
            .sum();
        let by = match self.draft.teams.len() {
            1 => "one round".to_owned(),
            teams => format!("{teams} rounds"),
        };
        // Early intruders ask for more than one try; so do wishes, until one is granted.
        let is_early = matches!(problem.intruder().entry, Entry::Mission(_))
            || (walks(problem) && self.draft.teams.len() > 1);
        let (mut is_allowed, mut least) = (false, None);
        for variant in 0..VARIANTS {
            let mut start = self.draft.start.clone();
            if variant > 0 {
                let teams = 0..self.draft.teams.len();
                start.ahead = teams.map(|_| self.draft.rng.random()).collect();
                start.roles = roles(context, &mut self.draft.rng);
                start.is_reversed = self.draft.rng.random();
            }
            let plan = stagger(&mut self.evaluators, &self.draft.teams, &start);
            if let Some((_, cost)) = worth(context, &plan) {
                is_allowed = true;
                if least.is_none_or(|least| cost < least) {
                    least = Some(cost);
                    self.draft.start = start;
                }
                if is_idle(problem) || walks(problem) {
                    let cost = least.unwrap_or(cost);
                    value = cost.0 as f64 / PROBABILITY_ONE as f64;
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
        self.draft.best = self.draft.best.min(value);
        value
    }
}
