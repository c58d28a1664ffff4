//! Orders of activities, and what they hand to each other, as rows.
//!
//! x(i, j): activity i has ended when j starts, for all pairs in both directions (the paper has i <
//! j only, and makes j wait for the longest duration of i, see its equation 8). f(i, j): how much i
//! hands to j. A user retains the rest, so that the sink of equations 9 and 10 is the room of a
//! row. What is used up is never handed on.
//!
//! Activities that take no time and are at one moment are all before each other. They hand on in
//! the order of their indices: in a cycle they would hand on what none of them was given.

use super::controllability::ControllabilityRows;
use super::program::{Id, Program, Sum, When};
use crate::solve::precedences::{Precedence, ResourceUsers};
use milp::Solution;
use std::collections::BTreeMap;

/// Maximum number of users of a resource whose orders are also related to each other, three by
/// three, to guide the solver.
const RELATED_MAX: usize = 24;

/// Orders and flows of the shares of one network.
#[derive(Default)]
pub(super) struct Flow {
    /// Whether the first ends before the second starts.
    orders: BTreeMap<Precedence, Id>,
    /// What is handed on by an order, unless that is sure in any case.
    handed: Vec<(Precedence, Id)>,
}

impl Flow {
    /// Writes the rows.
    pub(super) fn write(
        program: &mut Program,
        block: &ControllabilityRows,
        shares: &[ResourceUsers],
        when: &[When],
    ) -> Flow {
        let mut flow = Flow::default();
        for share in shares.iter().filter(|share| !share.fits()) {
            flow.orders(program, block, share, when);
            if share.users.len() > RELATED_MAX {
                flow.rank(program, block, share);
            }
            flow.hand(program, block, share, when);
        }
        flow
    }

    fn orders(
        &mut self,
        program: &mut Program,
        block: &ControllabilityRows,
        share: &ResourceUsers,
        when: &[When],
    ) {
        for order in all_precedences(share) {
            self.orders.entry(order).or_insert_with(|| {
                let name = program.binary();
                let when: Vec<When> = when.iter().copied().chain([When::Is(name)]).collect();
                let (start, end) = (order.start as usize, order.end as usize);
                program.require(&when, block.upper(start, end));
                name
            });
        }
        let users = share.users.len();
        for one in 0..users {
            for two in (0..users).filter(|two| *two != one) {
                let Some(first) = self.order(share, one, two) else {
                    continue;
                };
                let back = self.order(share, two, one);
                if let Some(back) = back.filter(|_| one < two && !can_tie(block, share, [one, two]))
                {
                    program.require(&[], Sum::from(first) + back - 1);
                }
                let third = 0..if users > RELATED_MAX { 0 } else { users };
                for three in third.filter(|three| *three != one && *three != two) {
                    let second = self.order(share, two, three);
                    if let Some((second, both)) = second.zip(self.order(share, one, three)) {
                        program.require(&[], Sum::from(first) + second - 1 - both);
                    }
                }
            }
        }
    }

    /// Ranks activities that may take no time, so that no cycle of them hands on: an activity that
    /// is ordered after another ranks no lower, and higher if it has the lower index and is not
    /// ordered before the other. Where orders are related three by three that is not needed.
    fn rank(&self, program: &mut Program, block: &ControllabilityRows, share: &ResourceUsers) {
        let users = share.users.len();
        let highest = users as i64 - 1;
        let ranks: Vec<Id> = (0..users).map(|_| program.add((0, highest))).collect();
        for two in 0..users {
            for one in (0..two).filter(|one| can_tie(block, share, [*one, two])) {
                let orders = self.order(share, one, two).zip(self.order(share, two, one));
                let Some((first, back)) = orders else {
                    continue;
                };
                let below = Sum::from(ranks[one]) - ranks[two];
                program.require(&[When::Is(first)], below.clone());
                program.require(&[When::Is(back)], -below.clone());
                if first != back {
                    program.require(&[When::Is(back), When::Not(first)], -below + 1);
                }
            }
        }
    }

    fn order(&self, share: &ResourceUsers, first: usize, second: usize) -> Option<Id> {
        let order = share.order(first, second)?;
        self.orders.get(&order).copied()
    }

    fn hand(
        &mut self,
        program: &mut Program,
        block: &ControllabilityRows,
        share: &ResourceUsers,
        when: &[When],
    ) {
        let users = &share.users;
        let mut got: Vec<Sum> = Vec::new();
        let mut given: Vec<Sum> = users.iter().map(|_| Sum::default()).collect();
        let mut stock = Sum::default();
        for (to, user) in users.iter().enumerate() {
            let from_stock = program.add((0, i64::from(user.amount)));
            stock = stock + from_stock;
            let mut sum = Sum::from(from_stock);
            for (from, other) in users.iter().enumerate().filter(|(from, _)| *from != to) {
                let Some(order) = self.order(share, from, to) else {
                    continue;
                };
                let most = i64::from(user.amount.min(other.amount));
                let amount = program.add((0, most));
                program.require(&[], Sum::from(amount) - Sum::from(order).times(most));
                if to < from && can_tie(block, share, [to, from]) {
                    let other = self.order(share, to, from).expect("both give back");
                    program.require(&[When::Is(other)], amount);
                }
                sum = sum + amount;
                given[from] = given[from].clone() + amount;
                let order = share.order(from, to).expect("it has a name");
                if block.least_sure(order.end, order.start) < 0 {
                    self.handed.push((order, amount));
                }
            }
            got.push(sum);
        }
        program.require(when, stock - i64::from(share.capacity));
        for (user, (got, given)) in users.iter().zip(got.into_iter().zip(given)) {
            let amount = i64::from(user.amount);
            program.require(when, Sum::from(amount) - got);
            program.require(when, given - amount);
        }
    }

    /// The orders by which something is handed on in a solution: enough to keep every capacity.
    pub(super) fn found(&self, program: &Program, solution: &Solution) -> Vec<Precedence> {
        let handed = self.handed.iter();
        let handed = handed.filter(|(_, amount)| program.value(solution, *amount) > 1e-3);
        let orders = handed.map(|(order, _)| *order);
        let mut orders: Vec<Precedence> = orders.collect();
        orders.sort_unstable();
        orders.dedup();
        orders
    }
}

/// Whether two users could each be before the other: both give back what they had, and may take no
/// time.
fn can_tie(block: &ControllabilityRows, share: &ResourceUsers, pair: [usize; 2]) -> bool {
    let mut users = pair.iter().map(|user| &share.users[*user]);
    users.all(|user| !user.consumed && block.least_sure(user.start, user.end) <= 0)
}

/// All orders between users of a resource.
fn all_precedences(share: &ResourceUsers) -> Vec<Precedence> {
    let users = 0..share.users.len();
    let pairs = users
        .clone()
        .flat_map(|one| users.clone().map(move |two| (one, two)));
    let pairs = pairs.filter(|(one, two)| one != two);
    pairs
        .filter_map(|(one, two)| share.order(one, two))
        .collect()
}
