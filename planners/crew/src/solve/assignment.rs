//! Cheapest matchings of players and tools, of one size, one after the other.

use super::routes::Routes;
use crate::problem::{PLAYERS_MAX, TOOLS_MAX};
use search::assignment::{Assignment, Cost};

/// More than players, and than tools.
const SIZE: usize = PLAYERS_MAX + 8;
const _: () = assert!(TOOLS_MAX < SIZE);

/// Cheapest matchings, by numbers that are wide enough.
pub(super) enum Assignments {
    Narrow(Box<Solver<i32>>),
    Wide(Box<Solver<i64>>),
}

impl Assignments {
    /// Of this number of players and tools whose times are those of routes.
    pub(super) fn new(players: usize, tools: usize, routes: &Routes<'_>) -> Self {
        let times = || (0..players * tools).flat_map(|pair| routes.of_pair(pair));
        let bits = times().fold(0, |bits, route| bits | route.time);
        // Last bits that no time has.
        let shift = bits.trailing_zeros().min(u64::BITS - 1);
        let most = times().map(|route| route.time).max().unwrap_or(0) >> shift;
        if Assignment::<i32, SIZE>::fits(players, tools, most) {
            let matching = Assignment::new(players, tools, most);
            Self::Narrow(Box::new(Solver { matching, shift }))
        } else {
            let matching = Assignment::new(players, tools, most);
            Self::Wide(Box::new(Solver { matching, shift }))
        }
    }

    /// Goes on with this number of pairs.
    pub(super) fn begin(&mut self, size: usize) {
        match self {
            Self::Narrow(all) => all.matching.begin(size),
            Self::Wide(all) => all.matching.begin(size),
        }
    }

    /// The pairs of a cheapest matching; `None` where no matching of this size exists. Prices are
    /// of the first player with each tool, then of the next; only those up to `most` count.
    pub(super) fn next(&mut self, prices: &[u64], most: u64) -> Option<Vec<(usize, usize)>> {
        match self {
            Self::Narrow(all) => all.next(prices, most),
            Self::Wide(all) => all.next(prices, most),
        }
    }
}

/// A matching of players with tools.
pub(super) struct Solver<C> {
    matching: Assignment<C, SIZE>,
    /// Bits that prices lose.
    shift: u32,
}

impl<C: Cost> Solver<C> {
    fn next(&mut self, prices: &[u64], most: u64) -> Option<Vec<(usize, usize)>> {
        let players = 0..self.matching.rows();
        let tools = prices.len() / players.len();
        for (player, prices) in players.clone().zip(prices.chunks_exact(tools)) {
            for (cost, price) in self.matching.costs_mut(player).iter_mut().zip(prices) {
                *cost = if *price <= most {
                    C::from_number(price >> self.shift)
                } else {
                    C::NEVER
                };
            }
        }
        if !self.matching.solve() {
            return None;
        }
        let mut pairs = Vec::with_capacity(players.len());
        let pair = |player| Some((player, self.matching.column_of(player)?));
        pairs.extend(players.filter_map(pair));
        Some(pairs)
    }
}
