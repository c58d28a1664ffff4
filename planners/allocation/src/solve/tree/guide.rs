//! Hints to the tree search: which task next, and what to make of a finished plan.

use super::polish::Polish;
use super::rules::World;
use super::state::{Action, State};
use super::trails::Trails;
use crate::Cost;
use crate::solve::model::NONE;
use crate::solve::params::Rollout;
use anytime::Pulse;
use mcts::{Guide, Outcome, Rng};
use rand::RngExt;
use rand::seq::SliceRandom;

/// How often a rollout takes the most attractive task without drawing lots.
const GREEDY_SHARE: f64 = 0.5;
/// How attractive it is to leave an agent idle, compared with the nearest tasks.
const IDLE: f64 = 1e-3;

/// Hints to the tree search.
pub(crate) struct Hints {
    rollout: Rollout,
    polish: Option<Polish>,
    pulse: Pulse,
    trails: Trails,
    /// Cost of the way to a near task, on average.
    near: f64,
    /// What waiting and urgency count for in this iteration, in ways to a near task.
    tastes: Option<(f64, f64)>,
    scores: Vec<f64>,
    mean: f64,
    deviation: f64,
    count: f64,
}

impl Hints {
    pub(crate) fn new(
        world: &World<'_>,
        (rollout, polish): (Rollout, Option<Polish>),
        pulse: Pulse,
    ) -> Self {
        let tasks = world.scene.model.jobs.len();
        let trails = match rollout {
            Rollout::Uniform => 0,
            Rollout::Guided => tasks,
        };
        Self {
            rollout,
            polish,
            pulse,
            trails: Trails::new(trails),
            near: near(world),
            tastes: None,
            scores: Vec::with_capacity(tasks + 1),
            mean: 0.0,
            deviation: 0.0,
            count: 0.0,
        }
    }

    /// Draws the tastes of this iteration, if that is not done.
    fn taste(&mut self, rng: &mut Rng) {
        if self.tastes.is_none() {
            self.tastes = Some((rng.random::<f64>(), 0.5 * rng.random::<f64>()));
        }
    }

    /// Scores all actions, higher is better.
    fn score(&mut self, world: &World<'_>, state: &State, actions: &[Action]) {
        let (waiting, urgency) = self.tastes.unwrap_or_default();
        let model = &world.scene.model;
        self.scores.clear();
        let Some(agent) = world.agent(state) else {
            return;
        };
        let worker = &model.workers[agent];
        let last = (state.last != NONE).then_some(state.last);
        for action in actions {
            let trail = self.trails.strength(last, action.task());
            let Some(task) = action.task() else {
                self.scores
                    .push(if last.is_some() { trail * trail } else { IDLE });
                continue;
            };
            let job = &model.jobs[task as usize];
            let way_us = model.time_us(worker, state.here, job.location);
            let arrival_us = state.free_us + way_us;
            let start_us = job.start_us(arrival_us);
            let slack_us = job.latest_us - start_us;
            let time = |us: i64| us as f64 * model.rate / self.near;
            let far = model.cost_micro(state.here, job.location) as f64 / self.near
                + waiting * time(start_us - arrival_us)
                + urgency * time(slack_us.min(TIME_CAP_US));
            self.scores.push(trail / ((0.1 + far) * (0.1 + far)));
        }
    }
}

/// Slack beyond this is as good as none at all being needed: one day.
const TIME_CAP_US: i64 = 86_400_000_000;

/// Cost of the way to a near task, on average; never 0.
fn near(world: &World<'_>) -> f64 {
    let model = &world.scene.model;
    let (mut sum, mut count) = (0.0, 0.0);
    for (task, job) in (0..).zip(&model.jobs) {
        for &other in world.scene.nearest.of(task).iter().take(5) {
            sum += model.cost_micro(job.location, model.jobs[other as usize].location) as f64;
            count += 1.0;
        }
    }
    if sum > 0.0 { sum / count } else { 1.0 }
}

impl Guide<World<'_>> for Hints {
    fn order(&mut self, world: &World<'_>, state: &State, actions: &mut [Action], rng: &mut Rng) {
        actions.shuffle(rng);
        if self.rollout == Rollout::Guided {
            self.taste(rng);
            self.score(world, state, actions);
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
        world: &World<'_>,
        state: &State,
        actions: &[Action],
        rng: &mut Rng,
    ) -> usize {
        if !self.pulse.beats() {
            // Home comes last. Nobody will wait for what comes of this.
            return actions.len() - 1;
        }
        if self.rollout == Rollout::Uniform || actions.len() == 1 {
            return rng.random_range(0..actions.len());
        }
        self.taste(rng);
        self.score(world, state, actions);
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
        if self.rollout == Rollout::Uniform || self.deviation <= 0.0 {
            return mean;
        }
        // Rewards of good plans differ by little: they are spread over [0, 1].
        (0.5 + (mean - self.mean) / (6.0 * self.deviation)).clamp(0.0, 1.0)
    }

    fn polish(&mut self, world: &World<'_>, terminal: &mut State, rng: &mut Rng) {
        if let Some(polish) = &mut self.polish
            && polish.improve(world, terminal, rng)
        {
            self.trails.lay(polish.best());
        }
    }

    fn learn(&mut self, _world: &World<'_>, _actions: &[Action], outcome: &Outcome<Cost>) {
        self.tastes = None;
        // Running means, slow to forget.
        self.count = (self.count + 1.0).min(1_000.0);
        self.mean += (outcome.reward - self.mean) / self.count;
        let deviation = (outcome.reward - self.mean).abs();
        self.deviation += (deviation - self.deviation) / self.count;
    }
}
