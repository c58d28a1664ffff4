//! A world of digits: choose one after the other; each has a price that depends on the one before.

use mcts::{Bound, Domain, Outcome, Rng};
use rand::{RngExt, SeedableRng};

/// Highest price of a digit.
const PRICE_MAX: u32 = 100;

/// Choose `length` digits below `base`.
pub(crate) struct Digits {
    pub(crate) length: usize,
    pub(crate) base: usize,
    /// By position, digit before (0 at the start), digit.
    prices: Vec<u32>,
}

/// Digits chosen so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub(crate) count: usize,
    pub(crate) last: usize,
    pub(crate) spent: u32,
}

impl Digits {
    /// A world with random prices.
    pub(crate) fn random(seed: u64, length: usize, base: usize) -> Self {
        let mut rng = Rng::seed_from_u64(seed);
        let prices = (0..length * base * base)
            .map(|_| rng.random_range(1..=PRICE_MAX))
            .collect();
        Self {
            length,
            base,
            prices,
        }
    }

    fn row(&self, state: &Chosen) -> &[u32] {
        let start = (state.count * self.base + state.last) * self.base;
        &self.prices[start..start + self.base]
    }
}

impl Domain for Digits {
    type State = Chosen;
    type Action = u8;
    type Cost = u32;

    fn root(&self) -> Chosen {
        Chosen {
            count: 0,
            last: 0,
            spent: 0,
        }
    }

    fn actions(&self, state: &Chosen, out: &mut Vec<u8>) {
        if state.count < self.length {
            out.extend(0..self.base as u8);
        }
    }

    fn apply(&self, state: &mut Chosen, digit: u8) {
        state.spent += self.row(state)[usize::from(digit)];
        state.count += 1;
        state.last = usize::from(digit);
    }

    fn outcome(&self, terminal: &Chosen) -> Outcome<u32> {
        let most = PRICE_MAX * self.length.max(1) as u32;
        Outcome {
            cost: terminal.spent,
            reward: 1.0 - f64::from(terminal.spent) / f64::from(most),
        }
    }
}

/// What is spent, and the cheapest next digit.
#[derive(Clone, Copy)]
pub(crate) struct CheapestNext;

impl Bound<Digits> for CheapestNext {
    fn lower(&self, domain: &Digits, state: &Chosen) -> Option<u32> {
        let next = (state.count < domain.length).then(|| domain.row(state).iter().min().copied());
        Some(state.spent + next.flatten().unwrap_or(0))
    }
}
