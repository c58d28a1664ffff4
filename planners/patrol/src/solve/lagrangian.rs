//! What guards see at most in the long run, however they go round.
//!
//! A visit to a vertex after a gap of g ticks is in the windows of min(g, W) moments of entry, W
//! instants each. A vertex cannot be in more windows than there are; of what lies above, a price is
//! taken back, which makes this the Lagrangian dual: for any prices p between 0 and 1, share by
//! share, capture <= sum of p + sum over guards of the best average of (1 - p) * min(g, W).
//!
//! The best average of one guard is that of a walk on states: a vertex, and the ages of recent
//! sightings. For any potentials of states, no walk gains more for each tick than the best move
//! does, potentials at both ends accounted for (Puterman, "Markov decision processes", 1994,
//! section 8.5); what a guard does not remember, or remembers as longer ago, only makes it gain
//! more. So the search for prices begins with few states, and continues with more memory when there
//! has been time for the first.

mod states;

use crate::context::{Context, share};
use crate::problem::PROBABILITY_ONE;
use anytime::Control;
use states::{Kind, Move};

/// Most lists of prices tried with one memory, and with the last.
const PRICES_MAX: usize = 240;
const LAST_MAX: usize = 2_000;
/// Where the length of a step begins when there is more memory: the best prices are nearly right.
const TRIED: usize = 120;
/// Most states of a guard, at first and later.
const STATES_MAX: [usize; 2] = [20_000, 200_000];
/// Moves looked at in each sweep of one go, for each step that the search for plans makes
/// meanwhile: some third of the time.
const MOVES_EACH_STEP: usize = 200;
/// The same at least: the first prices prove most.
const MOVES_LEAST: usize = 2_000_000;
/// Fewest steps for one list of prices more.
const STEPS_EACH: usize = 133;
/// Rounds of value iteration for one list of prices.
const SWEEPS: usize = 12;
/// Ticks of a walk that shows what is seen too often.
const WALK: u64 = 3_000;
/// Doubles are off by less than this.
const DUST: f64 = 1e-9;

/// A search for prices that prove most, first with little memory and then with more.
pub(super) struct LagrangianBound<'s> {
    context: &'s Context<'s>,
    shares: Vec<f64>,
    kinds: Vec<Kind>,
    /// Most states of a guard, the next last.
    rooms: Vec<usize>,
    prices: Vec<f64>,
    best: f64,
    /// Those that proved most.
    best_prices: Vec<f64>,
    tried: usize,
}

impl<'s> LagrangianBound<'s> {
    /// For an intruder who enters at any time and stays; `None`: too many states, or stopped.
    pub(super) fn new(context: &'s Context<'s>) -> Option<Self> {
        Self::with(context, &STATES_MAX)
    }

    /// With the most states of a guard, at first and later.
    fn with(context: &'s Context<'s>, rooms: &[usize]) -> Option<Self> {
        let problem = context.problem;
        let mut rooms: Vec<usize> = rooms.iter().rev().copied().collect();
        let room = rooms.pop()?;
        let mut kinds: Vec<Kind> = Vec::new();
        for guard in 0..context.guards() {
            let same = |kind: &&mut Kind| problem.are_alike(kind.guard, guard);
            match kinds.iter_mut().find(same) {
                Some(kind) => kind.guards += 1.0,
                None => kinds.push(Kind::new(context, guard, room)?),
            }
        }
        let shares: Vec<f64> = problem.shares().iter().map(|mass| share(*mass)).collect();
        Some(Self {
            context,
            prices: vec![0.0; shares.len()],
            best_prices: vec![0.0; shares.len()],
            shares,
            kinds,
            rooms,
            best: 1.0,
            tried: 0,
        })
    }

    /// Tries more prices, in step with `steps` steps of the search for plans; returns an escape
    /// that no plan undercuts, of [`PROBABILITY_ONE`].
    pub(super) fn improve<P, C: Ord + Copy>(
        &mut self,
        steps: u64,
        control: &mut Control<'_, P, C>,
    ) -> u64 {
        let steps = usize::try_from(steps).unwrap_or(usize::MAX);
        if self.tried >= PRICES_MAX {
            self.grow();
        }
        let moves: usize = self.kinds.iter().map(|kind| kind.moves.len()).sum();
        let work = steps.saturating_mul(MOVES_EACH_STEP).max(MOVES_LEAST);
        let tries = work / moves.max(1);
        let tries = tries.min(steps / STEPS_EACH).max(1);
        let tries_max = if self.rooms.is_empty() {
            LAST_MAX
        } else {
            PRICES_MAX
        };
        for _ in 0..tries.min(tries_max - self.tried) {
            if !control.tick() {
                break;
            }
            self.step(&mut || control.go_on());
            self.tried += 1;
        }
        let escape = (1.0 - self.best - DUST).max(0.0);
        ((escape * PROBABILITY_ONE as f64) as u64).min(PROBABILITY_ONE)
    }

    /// Remembers more, where there is room for it, and goes on from the best prices. What was
    /// proved with less stays so.
    fn grow(&mut self) {
        let Some(room) = self.rooms.pop() else {
            return;
        };
        self.prices.clone_from(&self.best_prices);
        for kind in &mut self.kinds {
            let more = Kind::new(self.context, kind.guard, room);
            if let Some(mut more) = more.filter(|more| more.memory != kind.memory) {
                more.take_over(self.context, kind);
                more.guards = kind.guards;
                *kind = more;
                self.tried = TRIED;
            }
        }
    }

    /// What these prices prove, and other prices.
    fn step(&mut self, go_on: &mut dyn FnMut() -> bool) {
        let each = self.shares.iter().zip(&self.prices);
        let worth: Vec<f64> = each.map(|(share, price)| share * (1.0 - price)).collect();
        let each = self.shares.iter().zip(&self.prices);
        let mut most: f64 = each.map(|(share, price)| share * price).sum();
        let mut seen = vec![0.0; self.shares.len()];
        for kind in &mut self.kinds {
            let rewards = kind.rewards(&worth);
            most += kind.guards * kind.most(&rewards, go_on);
            kind.walk(&rewards, &mut seen);
        }
        if most < self.best {
            self.best = most;
            self.best_prices.clone_from(&self.prices);
        }
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

    /// The most that a move gains for each tick; improves potentials. Infinite when `go_on` returns
    /// false before the first sweep.
    fn most(&mut self, rewards: &[f64], go_on: &mut dyn FnMut() -> bool) -> f64 {
        let mut least = f64::INFINITY;
        let mut gains = vec![0.0; self.potentials.len()];
        for _ in 0..SWEEPS {
            if !go_on() {
                break;
            }
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
        let problem = museum((4, 3), 2, 5);
        let context = Context::new(&problem);
        let mut sink = |_: &Plan, _: Cost| {};
        let mut control = Control::new(Limits::iterations(2_000), 1, &mut sink);
        let mut prices = LagrangianBound::with(&context, &[80, 2_000]).expect("there is room");
        let little = prices.kinds[0].memory;
        let mut escapes: Vec<u64> = (0..16)
            .map(|_| prices.improve(4_000, &mut control))
            .collect();
        assert!(escapes.is_sorted());
        let before = escapes[7];
        assert_ne!(prices.kinds[0].memory, little);
        let after = escapes.pop().expect("there are some");
        assert!(after > before + PROBABILITY_ONE / 100, "{before} {after}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// However little a guard remembers, no plan catches more than is proved.
        #[test]
        fn no_plan_undercuts_what_is_proved_with_any_memory(
            seed: u64,
            guards in 1..4_usize,
            room in 20..200_usize,
        ) {
            let problem = museum((3, 3), guards, seed);
            let mut least = Cost(0);
            let mut sink = |_: &Plan, cost: Cost| least = cost;
            let mut control = Control::new(Limits::iterations(3_000), seed, &mut sink);
            solve(&problem, &Params::default(), &mut control).expect("it is supported");
            let context = Context::new(&problem);
            let prices = LagrangianBound::with(&context, &[room, 10 * room]);
            prop_assume!(prices.is_some());
            let mut prices = prices.expect("it is assumed");
            let mut sink = |_: &Plan, _: Cost| {};
            let mut control = Control::new(Limits::iterations(1_000), 1, &mut sink);
            for _ in 0..12 {
                let escape = prices.improve(4_000, &mut control);
                prop_assert!(u128::from(escape) <= least.0, "{} {:?}", escape, least);
            }
        }
    }
}
