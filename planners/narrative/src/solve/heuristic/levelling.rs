//! Resource levelling: a schedule without overload, for durations that are all longest.
//!
//! Everything happens as early as it can. While a resource is overloaded at a moment, one of its
//! users is put before another: the order that leaves most room. After Cesta, Oddi, Smith, "A
//! constraint-based method for project scheduling with time windows", Journal of Heuristics 8
//! (2002), the *earliest start time* approach. Far fewer orders are needed than for all schedules.
//! Nothing is taken back: where no order is possible the method starts again, and looks at those
//! activities first.

use super::super::precedences::{Precedence, ResourceUsers, TemporalClosures};
use crate::plan::{Answer, Cost};
use crate::problem::{Micros, ORIGIN};
use anytime::Control;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use stn::Edge;

/// How often it begins.
const TURNS: usize = 3;
/// Most orders of one turn: with more of them a guess costs more than the search that it saves.
const ORDERS_MAX: u32 = 1_000;

/// Levels peaks.
pub(super) struct Levelling<'p> {
    clocks: &'p mut TemporalClosures,
    shares: &'p [ResourceUsers],
    /// How often each order was no way out.
    blame: BTreeMap<Precedence, u32>,
}

/// What to do about the peaks of a schedule.
enum Step {
    /// There are none.
    Level,
    Put(Precedence),
    /// None of these orders, one of which is needed, can be added.
    Stuck(Vec<Precedence>),
}

impl<'p> Levelling<'p> {
    pub(super) fn new(clocks: &'p mut TemporalClosures, shares: &'p [ResourceUsers]) -> Self {
        Self {
            clocks,
            shares,
            blame: BTreeMap::new(),
        }
    }

    /// When each node happens; the clocks are as they were. `None`: none was found, or stopped.
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
            // The same start would end in the same place.
            if self.blame.len() == before || !control.tick() {
                return None;
            }
        }
        None
    }

    /// Times, or the orders of which one is needed and none can be added, if any is; `None`:
    /// stopped.
    fn turn(
        &mut self,
        control: &mut Control<'_, Answer, Cost>,
    ) -> Option<Result<Vec<Micros>, Vec<Precedence>>> {
        for name in 0..ORDERS_MAX {
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
        Some(Err(Vec::new()))
    }

    /// The earliest times when durations are longest.
    fn earliest(&self) -> Vec<Micros> {
        let last = self.clocks.count() - 1;
        let nodes = 0..self.clocks.nodes() as u32;
        let time = |node| -self.clocks.distance(last, node, ORIGIN as u32);
        nodes.map(time).collect()
    }

    /// Whether an order is kept when durations are longest.
    fn holds(&self, order: Precedence) -> bool {
        self.clocks
            .distance(self.clocks.count() - 1, order.start, order.end)
            <= 0
    }

    /// Looks at the first peak of each resource.
    fn step(&self, times: &[Micros]) -> Step {
        let mut best = None;
        for share in self.shares {
            let Some(members) = peak(share, times) else {
                continue;
            };
            let all = all_precedences(share, &members);
            let ways = all.iter().map(|order| (self.clocks.room(*order), *order));
            // An order that holds already would change nothing, again and again.
            let ways = ways.filter(|(room, order)| *room >= 0 && !self.holds(*order));
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
fn all_precedences(share: &ResourceUsers, members: &[usize]) -> Vec<Precedence> {
    let pairs = members
        .iter()
        .flat_map(|one| members.iter().map(move |other| (*one, *other)));
    let pairs = pairs.filter(|(one, other)| one != other);
    pairs
        .filter_map(|(one, other)| share.order(one, other))
        .collect()
}

/// The first users that are at once and need too much.
fn peak(share: &ResourceUsers, times: &[Micros]) -> Option<Vec<usize>> {
    let users = &share.users;
    let when = |node: u32| times[node as usize];
    let turns = share.turns(when);
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
    use super::super::super::precedences::User;
    use super::*;
    use anytime::Limits;

    /// Activities on one resource of which one fits at once.
    fn share(consumed: &[bool]) -> ResourceUsers {
        let users = consumed.iter().enumerate();
        let users = users.map(|(activity, &consumed)| User {
            activity,
            start: 2 * activity as u32 + 1,
            end: 2 * activity as u32 + 2,
            amount: 1,
            consumed,
        });
        ResourceUsers {
            resource: 0,
            capacity: 1,
            users: users.collect(),
        }
    }

    #[test]
    fn the_first_peak_is_of_those_that_are_at_once() {
        let free = share(&[false; 3]);
        // The first is done when the second starts, the third starts before that is over.
        let times = [0, 0, 5, 5, 9, 7, 8];
        assert_eq!(peak(&free, &times), Some(vec![1, 2]));
        assert_eq!(peak(&share(&[true; 3]), &times), Some(vec![0, 1]));
        assert_eq!(peak(&free, &[0, 0, 5, 5, 9, 9, 9]), None);
    }

    #[test]
    fn what_takes_no_time_is_done_before_what_starts_with_it() {
        // The second takes no time; the first lasts, or keeps what it takes.
        let times = [0, 5, 9, 5, 5];
        assert_eq!(peak(&share(&[false, false]), &times), None);
        assert_eq!(peak(&share(&[true, false]), &times), None);
        assert_eq!(peak(&share(&[false, true]), &times), Some(vec![0, 1]));
    }

    fn levelled(share: ResourceUsers, edges: Vec<Edge>) -> Option<Vec<Micros>> {
        let clocks = TemporalClosures::new(7, &[edges], &[], &mut || true);
        let mut clocks = clocks.unwrap().unwrap();
        let mut sink = |_: &Answer, _: Cost| {};
        let mut control = Control::new(Limits::iterations(9), 1, &mut sink);
        Levelling::new(&mut clocks, &[share]).level(&mut control)
    }

    /// Nobody is before the origin; each activity starts and lasts between two bounds.
    fn edges(times: &[[(Micros, Micros); 2]]) -> Vec<Edge> {
        let mut edges: Vec<Edge> = (1..7).map(|node| Edge::new(node, 0, 0, 0)).collect();
        for (start, [starts, lasts]) in (1_u32..).step_by(2).zip(times) {
            for (from, to, (least, most)) in [(0, start, starts), (start, start + 1, lasts)] {
                edges.push(Edge::new(from, to, *most, 0));
                edges.push(Edge::new(to, from, -least, 0));
            }
        }
        edges
    }

    #[test]
    fn levelling_ends_with_activities_that_take_no_time() {
        // All begin at 5; the order that leaves most room is one that holds already.
        let none = (0, 0);
        let times = [[(5, 90), (4, 4)], [(5, 20), none], [(5, 20), none]];
        let found = levelled(share(&[false; 3]), edges(&times));
        assert_eq!(found, Some(vec![0, 5, 9, 5, 5, 5, 5]));
    }

    #[test]
    fn levelling_ends_where_two_keep_what_only_one_can() {
        let times = [[(5, 90), (4, 4)], [(5, 20), (0, 0)]];
        assert_eq!(levelled(share(&[true, true]), edges(&times)), None);
    }

    #[test]
    fn who_keeps_what_it_takes_comes_last() {
        let times = [[(0, 90), (0, 0)], [(0, 20), (3, 3)]];
        let found = levelled(share(&[true, false]), edges(&times));
        assert_eq!(found, Some(vec![0, 3, 3, 0, 3, 0, 0]));
    }
}
