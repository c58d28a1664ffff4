//! Lagrangian bound on the capture of a stationary intruder that enters at any time.
//!
//! A visit to a vertex after a gap of g ticks lies in the windows of min(g, W) ticks of entry, W
//! instants each. Relaxed constraint: no vertex v is in more windows than there are. With a
//! multiplier p(v) between 0 and 1 and the probability of entry s(v),
//!
//! capture <= sum over v of s(v) p(v) + sum over guards of R,
//!
//! where R is the maximum average reward of one guard that gains s(v) (1 - p(v)) min(g, W) at each
//! visit. The multipliers are improved by the subgradient method.
//!
//! R is that of a semi-Markov decision process. States: a vertex, and the ages of recent sightings.
//! For any potentials of states, R is at most the best gain of a move for each tick, potentials at
//! both ends accounted for (Puterman, "Markov decision processes", 1994, section 8.5). A guard that
//! forgets sightings, or remembers them as older, only gains more: the bound holds with any memory.
//! The search begins with few states, and continues with more.

mod states;

use crate::context::{Context, share};
use crate::problem::PROBABILITY_ONE;
use anytime::Control;
use states::{GuardClass, Move};

/// Maximum number of subgradient steps with one memory, and with the last.
const STEPS_MAX: usize = 240;
const LAST_STEPS_MAX: usize = 2_000;
/// Number of steps that count as done after a change of memory: it shortens the next steps.
const STEPS_KEPT: usize = 120;
/// Maximum number of states of a guard, at first and later.
const STATES_MAX: [usize; 2] = [20_000, 200_000];
/// Moves in each sweep of a call for each step of the search for plans: about a third of the time.
const MOVES_PER_SEARCH_STEP: usize = 200;
/// The same at least: the first subgradient steps improve the bound most.
const MOVES_MIN: usize = 2_000_000;
/// Steps of the search for plans for each subgradient step at least.
const SEARCH_STEPS_PER_STEP: usize = 133;
/// Sweeps of value iteration in each subgradient step.
const SWEEPS: usize = 12;
/// Ticks of the walk that estimates the subgradient.
const WALK_TICKS: u64 = 3_000;
/// Bound on the rounding errors of doubles.
const ROUNDING: f64 = 1e-9;

/// Subgradient search for multipliers.
pub(super) struct LagrangianBound<'s> {
    context: &'s Context<'s>,
    shares: Vec<f64>,
    classes: Vec<GuardClass>,
    /// Limits on the states of a guard that are still to come, the next last.
    state_limits: Vec<usize>,
    multipliers: Vec<f64>,
    /// Lowest upper bound on the capture.
    best: f64,
    /// Multipliers of `best`.
    best_multipliers: Vec<f64>,
    /// Subgradient steps with the present memory.
    steps: usize,
}

impl<'s> LagrangianBound<'s> {
    /// `None`: too many states, or stopped.
    pub(super) fn new(context: &'s Context<'s>) -> Option<Self> {
        Self::with_state_limits(context, &STATES_MAX)
    }

    /// The same with limits on the states of a guard, at first and later.
    fn with_state_limits(context: &'s Context<'s>, limits: &[usize]) -> Option<Self> {
        let problem = context.problem;
        let mut state_limits: Vec<usize> = limits.iter().rev().copied().collect();
        let limit = state_limits.pop()?;
        let mut classes: Vec<GuardClass> = Vec::new();
        for guard in 0..context.guards() {
            let same = |class: &&mut GuardClass| problem.are_interchangeable(class.guard, guard);
            match classes.iter_mut().find(same) {
                Some(class) => class.guards += 1.0,
                None => classes.push(GuardClass::new(context, guard, limit)?),
            }
        }
        let shares: Vec<f64> = problem.shares().iter().map(|mass| share(*mass)).collect();
        Some(Self {
            context,
            multipliers: vec![0.0; shares.len()],
            best_multipliers: vec![0.0; shares.len()],
            shares,
            classes,
            state_limits,
            best: 1.0,
            steps: 0,
        })
    }

    /// Takes subgradient steps, in proportion to `search_steps` steps of the search for plans;
    /// returns a lower bound on the probability of escape, in units of 2^-60.
    pub(super) fn improve<P, C: Ord + Copy>(
        &mut self,
        search_steps: u64,
        control: &mut Control<'_, P, C>,
    ) -> u64 {
        let search_steps = usize::try_from(search_steps).unwrap_or(usize::MAX);
        if self.steps >= STEPS_MAX {
            self.extend_memory();
        }
        let moves: usize = self.classes.iter().map(|class| class.moves.len()).sum();
        let work = search_steps
            .saturating_mul(MOVES_PER_SEARCH_STEP)
            .max(MOVES_MIN);
        let steps = work / moves.max(1);
        let steps = steps.min(search_steps / SEARCH_STEPS_PER_STEP).max(1);
        let steps_max = if self.state_limits.is_empty() {
            LAST_STEPS_MAX
        } else {
            STEPS_MAX
        };
        for _ in 0..steps.min(steps_max - self.steps) {
            if !control.tick() {
                break;
            }
            self.step(&mut || control.go_on());
            self.steps += 1;
        }
        let escape = (1.0 - self.best - ROUNDING).max(0.0);
        ((escape * PROBABILITY_ONE as f64) as u64).min(PROBABILITY_ONE)
    }

    /// Extends the memory of guards within the next limit on states, and continues from the best
    /// multipliers. Bounds proved before remain.
    fn extend_memory(&mut self) {
        let Some(limit) = self.state_limits.pop() else {
            return;
        };
        self.multipliers.clone_from(&self.best_multipliers);
        for class in &mut self.classes {
            let more = GuardClass::new(self.context, class.guard, limit);
            if let Some(mut more) = more.filter(|more| more.memory != class.memory) {
                more.initialise_potentials(self.context, class);
                more.guards = class.guards;
                *class = more;
                self.steps = STEPS_KEPT;
            }
        }
    }

    /// One subgradient step: the bound of the present multipliers, and new ones.
    fn step(&mut self, go_on: &mut dyn FnMut() -> bool) {
        let each = self.shares.iter().zip(&self.multipliers);
        let worth: Vec<f64> = each
            .map(|(share, multiplier)| share * (1.0 - multiplier))
            .collect();
        let each = self.shares.iter().zip(&self.multipliers);
        let mut capture: f64 = each.map(|(share, multiplier)| share * multiplier).sum();
        let mut seen = vec![0.0; self.shares.len()];
        for class in &mut self.classes {
            let rewards = class.rewards(&worth);
            capture += class.guards * class.average_reward_bound(&rewards, go_on);
            class.add_subgradient(&rewards, &mut seen);
        }
        if capture < self.best {
            self.best = capture;
            self.best_multipliers.clone_from(&self.multipliers);
        }
        let length = 0.4 / (1.0 + self.steps as f64 / 12.0);
        for (multiplier, seen) in self.multipliers.iter_mut().zip(seen) {
            *multiplier = (*multiplier + length * (seen - 1.0).clamp(-1.0, 1.0)).clamp(0.0, 1.0);
        }
    }
}

impl GuardClass {
    fn moves(&self, state: usize) -> std::ops::Range<usize> {
        self.first[state] as usize..self.first[state + 1] as usize
    }

    /// Reward of each move.
    fn rewards(&self, worth: &[f64]) -> Vec<f64> {
        let reward = |one: &Move| {
            let gains = self.gains[one.gains[0] as usize..one.gains[1] as usize].iter();
            gains
                .map(|(vertex, windows)| worth[*vertex as usize] * f64::from(*windows))
                .sum()
        };
        self.moves.iter().map(reward).collect()
    }

    /// Upper bound on the average reward for each tick, by value iteration on the potentials.
    /// Infinite when `go_on` returns false before the first sweep.
    fn average_reward_bound(&mut self, rewards: &[f64], go_on: &mut dyn FnMut() -> bool) -> f64 {
        let mut bound = f64::INFINITY;
        let mut gains = vec![0.0; self.potentials.len()];
        for _ in 0..SWEEPS {
            if !go_on() {
                break;
            }
            let mut most = f64::NEG_INFINITY;
            for (state, gain) in gains.iter_mut().enumerate() {
                *gain = self.best_move(state, rewards).1;
                most = f64::max(most, *gain);
            }
            bound = bound.min(most);
            // Damped: potentials would oscillate where all cycles have even length.
            for (potential, gain) in self.potentials.iter_mut().zip(&gains) {
                *potential += 0.8 * (gain - most);
            }
        }
        bound
    }

    /// Best move of a state, and its gain for each tick.
    fn best_move(&self, state: usize, rewards: &[f64]) -> (usize, f64) {
        let here = self.potentials[state];
        let mut best = (0, f64::NEG_INFINITY);
        for index in self.moves(state) {
            let one = &self.moves[index];
            let gain =
                (rewards[index] + self.potentials[one.to as usize] - here) / f64::from(one.ticks);
            if gain > best.1 {
                best = (index, gain);
            }
        }
        best
    }

    /// Adds the average number of windows of each vertex on the greedy walk: the subgradient.
    fn add_subgradient(&self, rewards: &[f64], seen: &mut [f64]) {
        let potentials = self.potentials.iter().enumerate();
        let top = potentials.max_by(|one, other| one.1.total_cmp(other.1));
        let mut state = top.map_or(0, |(state, _)| state);
        let mut ticks = 0;
        let mut sums = vec![0_u64; seen.len()];
        while ticks < WALK_TICKS {
            let (index, _) = self.best_move(state, rewards);
            let one = &self.moves[index];
            for (vertex, windows) in &self.gains[one.gains[0] as usize..one.gains[1] as usize] {
                sums[*vertex as usize] += u64::from(*windows);
            }
            ticks += u64::from(one.ticks);
            state = one.to as usize;
        }
        for (seen, sum) in seen.iter_mut().zip(sums) {
            *seen += self.guards * sum as f64 / ticks as f64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LagrangianBound;
    use crate::context::Context;
    use crate::generate::museum;
    use crate::plan::{Cost, Plan};
    use crate::problem::PROBABILITY_ONE;
    use crate::solve::{Params, solve};
    use anytime::{Control, Limits};
    use proptest::prelude::*;

    #[test]
    fn more_memory_proves_more() {
        let problem = museum(4, 3, 2, 5);
        let context = Context::new(&problem);
        let mut sink = |_: &Plan, _: Cost| {};
        let mut control = Control::new(Limits::iterations(2_000), 1, &mut sink);
        let mut bound =
            LagrangianBound::with_state_limits(&context, &[80, 2_000]).expect("there is room");
        let first_memory = bound.classes[0].memory;
        let mut escapes: Vec<u64> = (0..16)
            .map(|_| bound.improve(4_000, &mut control))
            .collect();
        assert!(escapes.is_sorted());
        let before = escapes[7];
        assert_ne!(bound.classes[0].memory, first_memory);
        let after = escapes.pop().expect("there are some");
        assert!(after > before + PROBABILITY_ONE / 100, "{before} {after}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// The bound holds with any memory of guards.
        #[test]
        fn no_plan_undercuts_what_is_proved_with_any_memory(
            seed: u64,
            guards in 1..4_usize,
            room in 20..200_usize,
        ) {
            let problem = museum(3, 3, guards, seed);
            let mut least = Cost(0);
            let mut sink = |_: &Plan, cost: Cost| least = cost;
            let mut control = Control::new(Limits::iterations(3_000), seed, &mut sink);
            solve(&problem, &Params::default(), &mut control).expect("it is supported");
            let context = Context::new(&problem);
            let bound = LagrangianBound::with_state_limits(&context, &[room, 10 * room]);
            prop_assume!(bound.is_some());
            let mut bound = bound.expect("a memory fits");
            let mut sink = |_: &Plan, _: Cost| {};
            let mut control = Control::new(Limits::iterations(1_000), 1, &mut sink);
            for _ in 0..12 {
                let escape = bound.improve(4_000, &mut control);
                prop_assert!(u128::from(escape) <= least.0, "{} {:?}", escape, least);
            }
        }
    }
}
