//! Chaining: precedences along the resource flow of a schedule.
//!
//! A schedule has many more orders than its resources need. Here each activity takes what it needs
//! from a few of those that are done by then, preferring those that always are before it, and only
//! givers and takers are ordered: *chaining*, after Policella, Cesta, Oddi, Smith, "From precedence
//! constraint posting to partial order schedules", AI Communications 20 (2007). The fewer orders
//! there are, the more often they can be satisfied for all durations. Ours: orders that could not
//! be satisfied dynamically are taken last from then on.

use super::super::precedences::{Precedence, ResourceUsers, TemporalClosures};
use crate::problem::Micros;
use std::collections::{BTreeMap, BTreeSet};
use stn::Edge;

/// Who hands on to whom in a schedule.
pub(super) struct Chaining<'c> {
    /// Who competes for what.
    shares: &'c [ResourceUsers],
    /// When each node happens.
    times: Vec<Micros>,
    /// What is known whatever durations are.
    sure: &'c TemporalClosures,
    /// How often each order was part of what cannot be kept.
    blame: BTreeMap<Precedence, u32>,
}

impl<'c> Chaining<'c> {
    pub(super) fn new(
        shares: &'c [ResourceUsers],
        times: Vec<Micros>,
        sure: &'c TemporalClosures,
    ) -> Self {
        Self {
            shares,
            times,
            sure,
            blame: BTreeMap::new(),
        }
    }

    /// These orders cannot all be kept.
    pub(super) fn blame(&mut self, orders: impl IntoIterator<Item = Precedence>) {
        for order in orders {
            *self.blame.entry(order).or_default() += 1;
        }
    }

    /// Orders that leave no resource overloaded, by the time of the taker, named by their index;
    /// `None`: the schedule overloads one.
    pub(super) fn orders(&self) -> Option<Vec<Edge>> {
        let mut all = BTreeSet::new();
        for share in self.shares {
            self.chain(share, &mut all)?;
        }
        let mut all: Vec<Precedence> = all.into_iter().collect();
        all.sort_by_key(|order| (self.when(order.start), *order));
        let named = (0_u32..).zip(all);
        Some(
            named
                .map(|(name, order)| Edge::new(order.start, order.end, 0, name))
                .collect(),
        )
    }

    fn when(&self, node: u32) -> Micros {
        self.times[node as usize]
    }

    fn chain(&self, share: &ResourceUsers, all: &mut BTreeSet<Precedence>) -> Option<()> {
        let users = &share.users;
        let turns = share.turns(|node| self.when(node));
        let mut stock = share.capacity;
        // By activity: what is left to be handed on.
        let mut left = vec![0; users.len()];
        for (turn, &taker) in turns.iter().enumerate() {
            let mut needed = users[taker].amount;
            let done = turns[..turn].iter().filter(|giver| left[**giver] > 0);
            let ranked =
                done.filter_map(|giver| Some((self.rank(share, (*giver, taker), all)?, *giver)));
            let mut givers: Vec<(Rank, usize)> = ranked.collect();
            givers.sort_unstable();
            for ((rank, ..), giver) in givers {
                if rank > 0 {
                    take(&mut stock, &mut needed);
                }
                if take(&mut left[giver], &mut needed) && rank > 0 {
                    all.extend(share.order(giver, taker));
                }
            }
            take(&mut stock, &mut needed);
            if needed > 0 {
                return None;
            }
            left[taker] = if users[taker].consumed {
                0
            } else {
                users[taker].amount
            };
        }
        Some(())
    }

    /// How late a giver is tried: those that are before anyway, those that cannot be blamed, those
    /// done for long. `None`: not done.
    fn rank(
        &self,
        share: &ResourceUsers,
        pair: (usize, usize),
        all: &BTreeSet<Precedence>,
    ) -> Option<Rank> {
        let order = share.order(pair.0, pair.1)?;
        let since = self.when(order.start) - self.when(order.end);
        if since < 0 {
            return None;
        }
        let is_sure = self.sure.distance(0, order.start, order.end) <= 0;
        if is_sure || all.contains(&order) {
            return Some((0, 0, since));
        }
        let blame = self.blame.get(&order).copied().unwrap_or(0);
        Some((1, blame, -since))
    }
}

/// Whether it needs an order, how often that was blamed, and what else counts.
type Rank = (u8, u32, Micros);

/// Takes what is needed and there; whether that is anything.
fn take(left: &mut u32, needed: &mut u32) -> bool {
    let taken = (*left).min(*needed);
    *left -= taken;
    *needed -= taken;
    taken > 0
}

#[cfg(test)]
mod tests {
    use super::super::super::precedences::User;
    use super::*;

    /// Activities 0 to 3 of the schedule 0 to 5, 0 to 6, 6 to 9 and 7 to 9, of which two fit
    /// simultaneously.
    fn share() -> ResourceUsers {
        let user = |activity: usize| User {
            activity,
            start: 2 * activity as u32,
            end: 2 * activity as u32 + 1,
            amount: 1,
            consumed: false,
        };
        ResourceUsers {
            resource: 0,
            capacity: 2,
            users: (0..4).map(user).collect(),
        }
    }

    fn pairs(orders: &[Edge]) -> Vec<(u32, u32)> {
        let pair = |edge: &Edge| (edge.to / 2, edge.from / 2);
        orders.iter().map(pair).collect()
    }

    fn clocks(edges: Vec<Edge>) -> TemporalClosures {
        let clocks = TemporalClosures::new(8, &[edges], &[], &mut || true);
        clocks.unwrap().unwrap()
    }

    const TIMES: [Micros; 8] = [0, 5, 0, 6, 6, 9, 7, 9];

    #[test]
    fn each_takes_from_one_who_is_done_for_long_and_others_are_not_ordered() {
        let (shares, clocks) = ([share()], clocks(Vec::new()));
        let chains = Chaining::new(&shares, TIMES.to_vec(), &clocks);
        assert_eq!(pairs(&chains.orders().unwrap()), [(0, 2), (1, 3)]);
    }

    #[test]
    fn who_is_blamed_is_asked_last() {
        let (shares, clocks) = ([share()], clocks(Vec::new()));
        let mut chains = Chaining::new(&shares, TIMES.to_vec(), &clocks);
        chains.blame([Precedence { end: 1, start: 4 }]);
        assert_eq!(pairs(&chains.orders().unwrap()), [(1, 2), (0, 3)]);
    }

    #[test]
    fn what_is_sure_needs_no_order() {
        // Activity 2 starts once 1 has ended, whatever happens.
        let (shares, clocks) = ([share()], clocks(vec![Edge::new(4, 3, 0, 0)]));
        let chains = Chaining::new(&shares, TIMES.to_vec(), &clocks);
        assert_eq!(pairs(&chains.orders().unwrap()), [(0, 3)]);
    }

    #[test]
    fn an_overloaded_schedule_has_no_chains() {
        let (shares, clocks) = ([share()], clocks(Vec::new()));
        let times = vec![0, 9, 0, 9, 6, 9, 7, 9];
        assert_eq!(Chaining::new(&shares, times, &clocks).orders(), None);
    }
}
