//! Formations: teams on rounds, and their improvement team by team.

use super::set_cover::cover;
use super::teams::{roles, tour};
use crate::context::{Context, share};
use crate::evaluate::exact_cost;
use crate::plan::{Cost, Plan, Stop};
use crate::problem::{Entry, PROBABILITY_ONE, Problem};
use crate::solve::anneal::{Annealing, WholePlan};
use crate::solve::offer;
use crate::solve::round::{Round, RoundEvaluator};
use crate::solve::shortest_paths::{ShortestPaths, Tables};
use crate::solve::stagger::{Start, Team, stagger};
use anytime::Control;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Factors on the initial temperature, improvement by improvement.
const HEATS: [f64; 4] = [4.0, 1.0, 2.0, 0.5];
/// Maximum number of variants of phases and roles that are tried.
const VARIANTS: usize = 16;

/// Formation: teams on rounds.
pub(super) struct Formation {
    pub teams: Vec<Team>,
    /// Probability of escape by team and vertex.
    missed: Vec<Vec<f64>>,
    rng: Xoshiro256PlusPlus,
    /// Lowest value so far.
    pub best: f64,
    /// Team of each vertex, where teams have territories.
    owners: Option<Vec<usize>>,
    /// Number of improvements so far.
    improvements: usize,
    /// Phases and roles of teams.
    start: Start,
}

impl Formation {
    /// Formation of these teams, without rounds.
    pub(super) fn new(problem: &Problem, teams: &[Vec<usize>], seed: u64) -> Self {
        let team = |guards: &Vec<usize>| Team {
            guards: guards.clone(),
            round: Round { goals: Vec::new() },
        };
        Self {
            teams: teams.iter().map(team).collect(),
            missed: vec![vec![1.0; problem.vertices()]; teams.len()],
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            best: f64::INFINITY,
            owners: None,
            improvements: 0,
            start: Start::default(),
        }
    }
}

/// Initial rounds of teams.
pub(super) enum InitialRounds {
    /// Past these vertices; none: a team stands at the start of its first guard.
    Past(Vec<Vec<usize>>),
    /// These rounds, with phases and roles.
    Round(Vec<Round>, Start),
    /// At these vertices; each team has the territory that is nearest to its own.
    Territories(Vec<usize>),
    /// By greedy set cover ([`cover()`]).
    Cover {
        /// Maximum duration of a round in windows.
        windows: f64,
        /// Range of random factors on the worth of vertices.
        spread: f64,
    },
}

/// Search that improves a formation.
pub(super) struct FormationSearch<'s> {
    evaluators: Vec<RoundEvaluator<'s>>,
    pub formation: Formation,
}

impl<'s> FormationSearch<'s> {
    /// Search from a formation; `tables` are the shortest paths by guard.
    pub(super) fn new(context: &'s Context<'s>, tables: &[Tables], formation: Formation) -> Self {
        let evaluators = formation.teams.iter().map(|team| {
            let guard = team.guards[0];
            let paths = ShortestPaths::with_tables(context, guard, &tables[guard]);
            RoundEvaluator::new(paths, team.guards.len())
        });
        Self {
            evaluators: evaluators.collect(),
            formation,
        }
    }

    /// Sets the initial rounds.
    pub(super) fn initialise(&mut self, rounds: &InitialRounds) {
        match rounds {
            InitialRounds::Past(goals) => self.tour_past(goals),
            InitialRounds::Round(rounds, start) => self.set_rounds(rounds, start),
            InitialRounds::Territories(firsts) => self.set_territories(firsts),
            InitialRounds::Cover { windows, spread } => self.cover(*windows, *spread),
        }
    }

    /// Rounds past some vertices.
    fn tour_past(&mut self, goals: &[Vec<usize>]) {
        let each = self.evaluators.iter_mut().zip(&mut self.formation.teams);
        for ((evaluator, team), goals) in each.zip(goals) {
            team.round = tour(evaluator, goals);
        }
    }

    /// Given rounds.
    fn set_rounds(&mut self, rounds: &[Round], start: &Start) {
        for (team, round) in rounds.iter().enumerate() {
            self.evaluators[team].missed(round, &mut self.formation.missed[team]);
            self.formation.teams[team].round = round.clone();
        }
        self.formation.start = start.clone();
    }

    /// Set cover team by team: each covers what the previous ones miss, in a round of `windows`
    /// windows. `spread`: see [`cover`].
    fn cover(&mut self, windows: f64, spread: f64) {
        let instants = self.evaluators[0].context.problem.intruder().instants;
        for team in 0..self.formation.teams.len() {
            let worth = self.worth(team);
            let guards = self.formation.teams[team].guards.len();
            // The cast saturates.
            let ticks_max = (f64::from(instants) * guards as f64 * windows) as u32;
            let evaluator = &mut self.evaluators[team];
            let round = cover(
                evaluator,
                &worth,
                ticks_max,
                spread,
                &mut self.formation.rng,
            );
            evaluator.missed(&round, &mut self.formation.missed[team]);
            self.formation.teams[team].round = round;
        }
    }

    /// Territories: the vertices that are nearest to the first goal of a team.
    fn set_territories(&mut self, firsts: &[usize]) {
        let context = self.evaluators[0].context;
        let far = |first: &usize| context.distances(0, *first);
        let tables: Vec<Vec<u32>> = firsts.iter().map(far).collect();
        let nearest = |vertex: usize| (0..firsts.len()).min_by_key(|team| tables[*team][vertex]);
        let owners = (0..context.problem.vertices()).map(|v| nearest(v).expect("there is a team"));
        self.formation.owners = Some(owners.collect());
        for (team, first) in self.formation.teams.iter_mut().zip(firsts) {
            let vertex = *first;
            team.round.goals = vec![Stop::new(vertex, 0)];
        }
    }

    /// Worth of each vertex to a team: its probability times that of escape from the other teams.
    fn worth(&self, team: usize) -> Vec<f64> {
        let shares = self.evaluators[0].context.problem.shares();
        let mut worth: Vec<f64> = shares.iter().map(|mass| share(*mass)).collect();
        let others = self.formation.missed.iter().enumerate();
        for (_, missed) in others.filter(|(other, _)| *other != team) {
            worth
                .iter_mut()
                .zip(missed)
                .for_each(|(worth, missed)| *worth *= missed);
        }
        if let Some(owners) = &self.formation.owners {
            let mean = 1.0 / owners.len() as f64;
            let others = worth
                .iter_mut()
                .zip(owners)
                .filter(|(_, owner)| **owner != team);
            others.for_each(|(worth, _)| *worth = -mean);
        }
        worth
    }

    /// Improves team by team; false: stopped.
    pub(super) fn improve(&mut self, steps: u64, control: &mut Control<'_, Plan, Cost>) -> bool {
        // A dynamic intruder counts as stationary at first: that is fast to evaluate.
        let problem = self.evaluators[0].context.problem;
        let is_whole = if problem.intruder().motion.is_dynamic() {
            self.formation.improvements > 0
        } else {
            problem.objective().has_idleness()
        };
        let steps_each = steps / self.formation.teams.len() as u64 + 1;
        let before = (
            self.formation.teams.clone(),
            self.formation.start.clone(),
            self.formation.best,
        );
        let mut go = true;
        for team in 0..self.formation.teams.len() {
            go = self.improve_team(team, is_whole, steps_each, control);
            let round = self.formation.teams[team].round.clone();
            self.evaluators[team].missed(&round, &mut self.formation.missed[team]);
            if !go {
                break;
            }
        }
        self.formation.improvements += 1;
        let value = self.offer(control);
        if is_whole && value > before.2 {
            // The exact cost is no better.
            (
                self.formation.teams,
                self.formation.start,
                self.formation.best,
            ) = before;
        }
        go
    }

    /// Anneals the round of one team, by the cost of whole plans or the value of the round; false:
    /// stopped.
    fn improve_team(
        &mut self,
        team: usize,
        is_whole: bool,
        steps: u64,
        control: &mut Control<'_, Plan, Cost>,
    ) -> bool {
        let context = self.evaluators[0].context;
        let worth = self.worth(team);
        let plan = is_whole.then(|| {
            stagger(
                &mut self.evaluators,
                &self.formation.teams,
                &self.formation.start,
            )
        });
        let Team { guards, round } = self.formation.teams[team].clone();
        let whole = plan.map(|plan| WholePlan {
            team,
            guards: &guards,
            start: &self.formation.start,
            routes: plan.routes,
        });
        let mut annealing = Annealing::new(&mut self.evaluators[team], &worth, round, whole);
        let heat =
            annealing.initial_temperature() * HEATS[self.formation.improvements % HEATS.len()];
        let mut go = true;
        let before = control.iterations();
        for step in 0.. {
            // Long evaluations count for more.
            let done = (control.iterations() - before).max(step);
            if annealing.best.1 <= 1e-12 || done >= steps {
                break;
            }
            if !control.tick() {
                go = false;
                break;
            }
            let cooling = 1.0 - done as f64 / steps as f64;
            annealing.step(heat * cooling * cooling + 1e-9, &mut self.formation.rng);
            context.work.report_iterations(control);
        }
        self.formation.teams[team].round = annealing.best.0.clone();
        go
    }

    /// Offers the plan of the formation; returns its value.
    pub(super) fn offer(&mut self, control: &mut Control<'_, Plan, Cost>) -> f64 {
        let context = self.evaluators[0].context;
        let problem = context.problem;
        let mut value: f64 = (0..problem.vertices())
            .map(|v| {
                share(problem.shares()[v])
                    * self.formation.missed.iter().map(|m| m[v]).product::<f64>()
            })
            .sum();
        let found_by = match self.formation.teams.len() {
            1 => "one round".to_owned(),
            teams => format!("{teams} rounds"),
        };
        // Phases and roles matter for entry before the joint period. Otherwise variants are tried
        // only until one satisfies the side constraints.
        let needs_variants = matches!(problem.intruder().entry, Entry::Mission(_))
            || (problem.intruder().motion.is_dynamic() && self.formation.teams.len() > 1);
        let (mut is_allowed, mut lowest) = (false, None);
        for variant in 0..VARIANTS {
            let mut start = self.formation.start.clone();
            if variant > 0 {
                let teams = 0..self.formation.teams.len();
                start.phases = teams.map(|_| self.formation.rng.random()).collect();
                start.roles = roles(context, &mut self.formation.rng);
                start.is_reversed = self.formation.rng.random();
            }
            let plan = stagger(&mut self.evaluators, &self.formation.teams, &start);
            if let Some((_, cost)) = exact_cost(context, &plan) {
                is_allowed = true;
                if lowest.is_none_or(|lowest| cost < lowest) {
                    lowest = Some(cost);
                    self.formation.start = start;
                }
                if problem.objective().has_idleness() || problem.intruder().motion.is_dynamic() {
                    let cost = lowest.unwrap_or(cost);
                    value = cost.0 as f64 / PROBABILITY_ONE as f64;
                }
                offer(control, &plan, cost, &found_by);
            }
            if is_allowed && !needs_variants || !control.go_on() {
                break;
            }
        }
        if !is_allowed {
            value += 1.0;
        }
        self.formation.best = self.formation.best.min(value);
        value
    }
}
