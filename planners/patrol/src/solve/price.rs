//! What guards see at most in the long run, however they go round.
//!
//! A visit to a vertex after a gap of g ticks is in the windows of min(g, W) moments of entry, W instants each. A vertex cannot
//! be in more windows than there are; of what lies above, a price is taken back, which makes this the Lagrangian dual: for any
//! prices p between 0 and 1, share by share, capture <= sum of p + sum over guards of the best average of (1 - p) * min(g, W).
//!
//! The best average of one guard is that of a walk on states: a vertex, and for those it saw of late how long ago. For any
//! potentials of states, no walk gains more for each tick than the best move does, potentials at both ends accounted for (Puterman,
//! "Markov decision processes", 1994, section 8.5); what a guard does not remember, or remembers as longer ago, only makes it gain
//! more.

mod states;

use crate::problem::CERTAIN;
use crate::scene::{Scene, share};
use anytime::Control;
use states::{Kind, Move};

/// Most prices tried.
const PRICES_MAX: usize = 240;
/// Rounds of value iteration for one list of prices.
const SWEEPS: usize = 12;
/// Ticks of a walk that shows what is seen too often.
const WALK: u64 = 3_000;
/// Doubles are off by less than this.
const DUST: f64 = 1e-9;

/// A search for prices that prove most.
pub(super) struct Prices {
    shares: Vec<f64>,
    kinds: Vec<Kind>,
    prices: Vec<f64>,
    best: f64,
    tried: usize,
}

impl Prices {
    /// For who enters at any time and stays; `None`: too many states.
    pub(super) fn new(scene: &Scene<'_>) -> Option<Self> {
        let problem = scene.problem;
        let mut kinds: Vec<(usize, Kind)> = Vec::new();
        for guard in 0..scene.guards() {
            let same = |kind: &&mut (usize, Kind)| problem.are_alike(kind.0, guard);
            match kinds.iter_mut().find(same) {
                Some((_, kind)) => kind.guards += 1.0,
                None => kinds.push((guard, Kind::new(scene, guard)?)),
            }
        }
        let shares: Vec<f64> = problem.shares().iter().map(|mass| share(*mass)).collect();
        Some(Self {
            prices: vec![0.0; shares.len()],
            shares,
            kinds: kinds.into_iter().map(|(_, kind)| kind).collect(),
            best: 1.0,
            tried: 0,
        })
    }

    /// Tries some more prices; returns an escape that no plan undercuts, of [`CERTAIN`].
    pub(super) fn improve<P, C: Ord + Copy>(
        &mut self,
        tries: usize,
        control: &mut Control<'_, P, C>,
    ) -> u64 {
        for _ in 0..tries.min(PRICES_MAX - self.tried) {
            if !control.tick() {
                break;
            }
            self.step();
            self.tried += 1;
        }
        let escape = (1.0 - self.best - DUST).max(0.0);
        ((escape * CERTAIN as f64) as u64).min(CERTAIN)
    }

    /// What these prices prove, and other prices.
    fn step(&mut self) {
        let each = self.shares.iter().zip(&self.prices);
        let worth: Vec<f64> = each.map(|(share, price)| share * (1.0 - price)).collect();
        let each = self.shares.iter().zip(&self.prices);
        let mut most: f64 = each.map(|(share, price)| share * price).sum();
        let mut seen = vec![0.0; self.shares.len()];
        for kind in &mut self.kinds {
            let rewards = kind.rewards(&worth);
            most += kind.guards * kind.most(&rewards);
            kind.walk(&rewards, &mut seen);
        }
        self.best = self.best.min(most);
        let long = 0.4 / (1.0 + self.tried as f64 / 12.0);
        for (price, seen) in self.prices.iter_mut().zip(seen) {
            *price = (*price + long * (seen - 1.0).clamp(-1.0, 1.0)).clamp(0.0, 1.0);
        }
    }
}

impl Kind {
    fn moves(&self, state: usize) -> std::ops::Range<usize> {
        self.first[state] as usize..self.first[state + 1] as usize
    }

    /// What each move is worth.
    fn rewards(&self, worth: &[f64]) -> Vec<f64> {
        let reward = |one: &Move| {
            let gains = self.gains[one.gains[0] as usize..one.gains[1] as usize].iter();
            gains
                .map(|(vertex, windows)| worth[*vertex as usize] * f64::from(*windows))
                .sum()
        };
        self.moves.iter().map(reward).collect()
    }

    /// The most that a move gains for each tick; potentials become better.
    fn most(&mut self, rewards: &[f64]) -> f64 {
        let mut least = f64::INFINITY;
        let mut gains = vec![0.0; self.potentials.len()];
        for _ in 0..SWEEPS {
            let mut most = f64::NEG_INFINITY;
            for (state, gain) in gains.iter_mut().enumerate() {
                *gain = self.best(state, rewards).1;
                most = f64::max(most, *gain);
            }
            least = least.min(most);
            // Not all the way, or potentials would swing where all ways home are even.
            for (potential, gain) in self.potentials.iter_mut().zip(&gains) {
                *potential += 0.8 * (gain - most);
            }
        }
        least
    }

    /// The best move of a state, and what it gains for each tick.
    fn best(&self, state: usize, rewards: &[f64]) -> (usize, f64) {
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

    /// Adds how often each vertex is in a window on a walk that looks best.
    fn walk(&self, rewards: &[f64], seen: &mut [f64]) {
        let potentials = self.potentials.iter().enumerate();
        let top = potentials.max_by(|one, other| one.1.total_cmp(other.1));
        let mut state = top.map_or(0, |(state, _)| state);
        let mut ticks = 0;
        let mut sums = vec![0_u64; seen.len()];
        while ticks < WALK {
            let (index, _) = self.best(state, rewards);
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
