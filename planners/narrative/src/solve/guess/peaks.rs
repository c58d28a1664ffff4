//! A schedule in which no resource is overloaded, for durations that are all longest.
//!
//! Everything happens as early as it can. Where more is needed at a moment than there is, one of those who
//! need it is put before another, until that is so no more: the order that leaves most room. After Cesta, Oddi, Smith, "A
//! constraint-based method for project scheduling with time windows", Journal of Heuristics 8 (2002), the *earliest start
//! time* approach. Far fewer orders are needed than for all schedules at once. Nothing is taken back: where no order is
//! possible it begins again, and looks at those activities first.

use super::super::orders::{Clocks, Order, Share};
use crate::plan::{Answer, Cost};
use crate::problem::{Micros, ORIGIN};
use anytime::Control;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use stn::Edge;

/// How often it begins.
const TURNS: usize = 3;

/// Levels peaks.
pub(super) struct Peaks<'p> {
    clocks: &'p mut Clocks,
    shares: &'p [Share],
    /// How often each order was no way out.
    blame: BTreeMap<Order, u32>,
}

/// What to do about the peaks of a schedule.
enum Step {
    /// There are none.
    Level,
    Put(Order),
    /// None of these orders is possible, one of which is needed.
    Stuck(Vec<Order>),
}

impl<'p> Peaks<'p> {
    pub(super) fn new(clocks: &'p mut Clocks, shares: &'p [Share]) -> Self {
        Self {
            clocks,
            shares,
            blame: BTreeMap::new(),
        }
    }

    /// When each node happens; the clocks are as they were. `None`: none was found, or told to stop.
    pub(super) fn level(&mut self, control: &mut Control<'_, Answer, Cost>) -> Option<Vec<Micros>> {
        for _ in 0..TURNS {
            let found = self.turn(control);
            self.clocks.backtrack(0);
            let stuck = match found? {
                Ok(times) => return Some(times),
                Err(stuck) => stuck,
            };
            let before = self.blame.len();
            for order in stuck {
                *self.blame.entry(order).or_default() += 1;
            }
            // In the same place once more, it would be there again.
            if self.blame.len() == before || !control.tick() {
                return None;
            }
        }
        None
    }

    /// Times, or the orders of which one is needed and none is possible; `None`: told to stop.
    fn turn(
        &mut self,
        control: &mut Control<'_, Answer, Cost>,
    ) -> Option<Result<Vec<Micros>, Vec<Order>>> {
        for name in 0_u32.. {
            if !control.go_on() {
                return None;
            }
            let times = self.earliest();
            match self.step(&times) {
                Step::Level => return Some(Ok(times)),
                Step::Stuck(orders) => return Some(Err(orders)),
                Step::Put(order) => {
                    let edge = Edge::new(order.start, order.end, 0, name);
                    let added = self.clocks.add(edge, name as usize);
                    added.expect("there is room in all clocks");
                }
            }
        }
        None
    }

    /// The earliest times when durations are longest.
    fn earliest(&self) -> Vec<Micros> {
        let last = self.clocks.count() - 1;
        let nodes = 0..self.clocks.nodes() as u32;
        let time = |node| -self.clocks.most(last, node, ORIGIN as u32);
        nodes.map(time).collect()
    }

    /// Looks at the first peak of each resource.
    fn step(&self, times: &[Micros]) -> Step {
        let mut best = None;
        for share in self.shares {
            let Some(members) = peak(share, times) else {
                continue;
            };
            let all = all(share, &members);
            let ways = all.iter().map(|order| (self.clocks.room(*order), *order));
            let ways = ways.filter(|(room, _)| *room >= 0);
            let roomiest = ways.max_by_key(|(room, order)| (*room, Reverse(*order)));
            let Some((room, order)) = roomiest else {
                return Step::Stuck(all);
            };
            let blame: u32 = all.iter().filter_map(|order| self.blame.get(order)).sum();
            best = best.max(Some(((blame, room), Reverse(order))));
        }
        best.map_or(Step::Level, |(_, Reverse(order))| Step::Put(order))
    }
}

/// All ways to put one of these before another.
fn all(share: &Share, members: &[usize]) -> Vec<Order> {
    let pairs = members
        .iter()
        .flat_map(|one| members.iter().map(move |other| (*one, *other)));
    let pairs = pairs.filter(|(one, other)| one != other);
    pairs
        .filter_map(|(one, other)| share.order(one, other))
        .collect()
}

/// The first users that are at once and need too much.
fn peak(share: &Share, times: &[Micros]) -> Option<Vec<usize>> {
    let users = &share.users;
    let when = |node: u32| times[node as usize];
    let mut turns: Vec<usize> = (0..users.len()).collect();
    turns.sort_by_key(|user| (when(users[*user].start), *user));
    let mut active: Vec<usize> = Vec::new();
    for user in turns {
        let now = when(users[user].start);
        active.retain(|other| users[*other].consumed || when(users[*other].end) > now);
        active.push(user);
        let held = active.iter().map(|user| u64::from(users[*user].amount));
        if held.sum::<u64>() > u64::from(share.capacity) {
            return Some(active);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::super::orders::User;
    use super::*;

    #[test]
    fn the_first_peak_is_of_those_that_are_at_once() {
        let user = |activity: usize, consumed| User {
            activity,
            start: 2 * activity as u32,
            end: 2 * activity as u32 + 1,
            amount: 1,
            consumed,
        };
        let share = |consumed| Share {
            resource: 0,
            capacity: 1,
            users: (0..3).map(|at| user(at, consumed)).collect(),
        };
        // The first is done when the second starts, the third starts before that is over.
        let times = [0, 5, 5, 9, 7, 8];
        assert_eq!(peak(&share(false), &times), Some(vec![1, 2]));
        assert_eq!(peak(&share(true), &times), Some(vec![0, 1]));
        assert_eq!(peak(&share(false), &[0, 5, 5, 9, 9, 9]), None);
    }
}
