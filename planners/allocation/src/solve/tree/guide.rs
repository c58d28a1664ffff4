//! Guide of the tree search: order of actions, rollouts, and improvement of their plans.

use super::domain::AllocationDomain;
use super::pheromones::Pheromones;
use super::polish::Polish;
use super::state::{Action, State};
use crate::Cost;
use crate::solve::model::NONE;
use anytime::Pulse;
use mcts::{Guide, Outcome, Rng};
use rand::RngExt;
use rand::seq::SliceRandom;

/// Probability that a rollout takes the action with the best score.
const GREEDY_SHARE: f64 = 0.5;
/// Score of leaving an agent idle, compared with the nearest tasks.
const IDLE: f64 = 1e-3;

/// Guide of the tree search: uniform rollouts without `polish`, else guided ones.
pub(crate) struct RolloutGuide {
    polish: Option<Polish>,
    pulse: Pulse,
    pheromones: Pheromones,
    /// Average cost of the arc to a neighbour.
    neighbour_cost: f64,
    /// Random weights of waiting and urgency in this iteration, relative to `neighbour_cost`.
    weights: Option<(f64, f64)>,
    scores: Vec<f64>,
    mean: f64,
    deviation: f64,
    count: f64,
}

impl RolloutGuide {
    pub(crate) fn new(domain: &AllocationDomain<'_>, polish: Option<Polish>, pulse: Pulse) -> Self {
        let tasks = domain.context.model.jobs.len();
        let learning_tasks = if polish.is_some() { tasks } else { 0 };
        Self {
            polish,
            pulse,
            pheromones: Pheromones::new(learning_tasks),
            neighbour_cost: neighbour_cost(domain),
            weights: None,
            scores: Vec::with_capacity(tasks + 1),
            mean: 0.0,
            deviation: 0.0,
            count: 0.0,
        }
    }

    /// Whether rollouts follow scores and are improved; otherwise they are uniform.
    fn is_guided(&self) -> bool {
        self.polish.is_some()
    }

    /// Draws the weights of this iteration, unless that is done.
    fn draw_weights(&mut self, rng: &mut Rng) {
        if self.weights.is_none() {
            self.weights = Some((rng.random::<f64>(), 0.5 * rng.random::<f64>()));
        }
    }

    /// Scores all actions; higher is better.
    fn score(&mut self, domain: &AllocationDomain<'_>, state: &State, actions: &[Action]) {
        let (waiting, urgency) = self.weights.unwrap_or_default();
        let model = &domain.context.model;
        self.scores.clear();
        let Some(agent) = domain.agent(state) else {
            return;
        };
        let worker = &model.workers[agent];
        let last = (state.last != NONE).then_some(state.last);
        for action in actions {
            let pheromone = self.pheromones.value(last, action.task());
            let Some(task) = action.task() else {
                self.scores.push(if last.is_some() {
                    pheromone * pheromone
                } else {
                    IDLE
                });
                continue;
            };
            let job = &model.jobs[task as usize];
            let travel_us = model.time_us(worker, state.here, job.location);
            let arrival_us = state.free_us + travel_us;
            let start_us = job.start_us(arrival_us);
            let slack_us = job.latest_us - start_us;
            let time = |us: i64| us as f64 * model.cost_per_us / self.neighbour_cost;
            let far = model.cost_micro(state.here, job.location) as f64 / self.neighbour_cost
                + waiting * time(start_us - arrival_us)
                + urgency * time(slack_us.min(TIME_CAP_US));
            self.scores.push(pheromone / ((0.1 + far) * (0.1 + far)));
        }
    }
}

/// Slack beyond this does not matter: one day.
const TIME_CAP_US: i64 = 86_400_000_000;

/// Average cost of the arc to a neighbour; never 0.
fn neighbour_cost(domain: &AllocationDomain<'_>) -> f64 {
    let model = &domain.context.model;
    let (mut sum, mut count) = (0.0, 0.0);
    for (task, job) in (0..).zip(&model.jobs) {
        for &other in domain.context.neighbourhood.neighbours(task).iter().take(5) {
            sum += model.cost_micro(job.location, model.jobs[other as usize].location) as f64;
            count += 1.0;
        }
    }
    if sum > 0.0 { sum / count } else { 1.0 }
}

impl Guide<AllocationDomain<'_>> for RolloutGuide {
    fn order(
        &mut self,
        domain: &AllocationDomain<'_>,
        state: &State,
        actions: &mut [Action],
        rng: &mut Rng,
    ) {
        actions.shuffle(rng);
        if self.is_guided() {
            self.draw_weights(rng);
            self.score(domain, state, actions);
            let mut ranked: Vec<(f64, Action)> = self
                .scores
                .iter()
                .copied()
                .zip(actions.iter().copied())
                .collect();
            ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
            actions
                .iter_mut()
                .zip(ranked)
                .for_each(|(to, (_, action))| *to = action);
        }
    }

    fn rollout(
        &mut self,
        domain: &AllocationDomain<'_>,
        state: &State,
        actions: &[Action],
        rng: &mut Rng,
    ) -> usize {
        if !self.pulse.beats() {
            // The end of the route comes last. The result is not used.
            return actions.len() - 1;
        }
        if !self.is_guided() || actions.len() == 1 {
            return rng.random_range(0..actions.len());
        }
        self.draw_weights(rng);
        self.score(domain, state, actions);
        if rng.random::<f64>() < GREEDY_SHARE {
            let best = self
                .scores
                .iter()
                .enumerate()
                .max_by(|a, b| a.1.total_cmp(b.1));
            return best.map_or(0, |(index, _)| index);
        }
        let mut lot = rng.random::<f64>() * self.scores.iter().sum::<f64>();
        for (index, score) in self.scores.iter().enumerate() {
            lot -= score;
            if lot < 0.0 {
                return index;
            }
        }
        actions.len() - 1
    }

    fn value(&self, _action: Action, mean: f64, _visits: u32) -> f64 {
        if !self.is_guided() || self.deviation <= 0.0 {
            return mean;
        }
        // Rewards of good plans differ by little: they are spread over [0, 1].
        (0.5 + (mean - self.mean) / (6.0 * self.deviation)).clamp(0.0, 1.0)
    }

    fn polish(&mut self, domain: &AllocationDomain<'_>, terminal: &mut State, rng: &mut Rng) {
        if let Some(polish) = &mut self.polish
            && polish.improve(domain, terminal, rng)
        {
            self.pheromones.reinforce(polish.best());
        }
    }

    fn learn(
        &mut self,
        _domain: &AllocationDomain<'_>,
        _actions: &[Action],
        outcome: &Outcome<Cost>,
    ) {
        self.weights = None;
        // Running means that forget slowly.
        self.count = (self.count + 1.0).min(1_000.0);
        self.mean += (outcome.reward - self.mean) / self.count;
        let deviation = (outcome.reward - self.mean).abs();
        self.deviation += (deviation - self.deviation) / self.count;
    }
}
