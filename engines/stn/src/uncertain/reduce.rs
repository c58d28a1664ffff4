//! The same strategy with fewer bounds to watch.

use super::pace::Pace;
use super::strategy::{Strategy, Wait, Watch};
use crate::Time;

const NONE: Time = Time::MAX;

impl Strategy {
    /// The same strategy without bounds and waits that others imply while it runs; none when
    /// `go_on` returned false.
    ///
    /// An executive that keeps what is left keeps the rest, but learns some deadlines later, when
    /// the event between has happened. Smaller to send and to read: often a third, or less. Which
    /// bounds go depends on their order, longest first; a smallest set is not looked for.
    ///
    /// Source: Muscettola, Morris and Tsamardinos, "Reformulating temporal plans for efficient
    /// execution", KR 1998, dominated edges; one at a time, so that two that imply each other do
    /// not both go. O(watches * events) time, O(events^2) memory.
    pub fn reduced(&self, go_on: &mut dyn FnMut() -> bool) -> Option<Strategy> {
        let pace = &mut Pace::new(go_on);
        let mut table = Table::new(self);
        let mut order: Vec<&Watch> = self.watches().iter().collect();
        order.sort_by_key(|watch| (-watch.weight.abs(), watch.from, watch.to));
        for watch in order {
            if !pace.goes_on(table.events) {
                return None;
            }
            if table.implies(watch) {
                table.set(watch, NONE);
            }
        }
        let watches = self.watches().iter().filter(|watch| table.has(watch));
        let watches = watches.filter(|watch| self.is_for_us(watch));
        let watches = watches.copied().collect();
        let mut waits = Vec::new();
        for wait in self.waits() {
            if !pace.goes_on(table.events) {
                return None;
            }
            if !self.implies_wait(&table, wait) {
                waits.push(*wait);
            }
        }
        Some(self.with(watches, waits))
    }

    /// Whether a bound limits an event of ours. Nature's events satisfy theirs by themselves: they
    /// follow from Nature's bounds and ours, or else the network were not controllable.
    fn is_for_us(&self, watch: &Watch) -> bool {
        let limited = if watch.weight < 0 {
            watch.from
        } else {
            watch.to
        };
        self.ending_at[limited as usize].is_none()
    }

    /// Whether events before the waiting one make it late enough. Waits that imply one another
    /// would be of events that each have to precede the other, so none is lost twice.
    fn implies_wait(&self, table: &Table, wait: &Wait) -> bool {
        let link = &self.contingents[wait.link as usize];
        let event = wait.event as usize;
        let after = |other: u32| Some(table.at(event, other as usize)).filter(|weight| *weight < 0);
        if after(link.to).is_some() || after(link.from).is_some_and(|w| w <= -wait.least) {
            return true;
        }
        table.awaited[event].iter().any(|other| {
            let weight = table.at(event, *other as usize);
            let least = || self.wait_of(*other as usize, wait.link);
            weight < 0 && least().is_some_and(|least| least - weight >= wait.least)
        })
    }

    fn wait_of(&self, event: usize, link: u32) -> Option<Time> {
        let key = |wait: &Wait| (wait.event as usize, wait.link);
        let found = self
            .waits()
            .binary_search_by_key(&(event, link), key)
            .ok()?;
        Some(self.waits()[found].least)
    }
}

/// Bounds by both their events.
struct Table {
    events: usize,
    weight: Vec<Time>,
    /// By event, the events that it has to wait for, and the events that set it a deadline; of
    /// all bounds, those that are gone too.
    awaited: Vec<Vec<u32>>,
    urged_by: Vec<Vec<u32>>,
}

impl Table {
    fn new(strategy: &Strategy) -> Table {
        let events = strategy.events();
        let mut table = Table {
            events,
            weight: vec![NONE; events * events],
            awaited: vec![Vec::new(); events],
            urged_by: vec![Vec::new(); events],
        };
        for watch in strategy.watches() {
            table.set(watch, watch.weight);
            if watch.weight < 0 {
                table.awaited[watch.from as usize].push(watch.to);
            } else {
                table.urged_by[watch.to as usize].push(watch.from);
            }
        }
        table
    }

    fn at(&self, from: usize, to: usize) -> Time {
        self.weight[from * self.events + to]
    }

    fn has(&self, watch: &Watch) -> bool {
        self.at(watch.from as usize, watch.to as usize) != NONE
    }

    fn set(&mut self, watch: &Watch, weight: Time) {
        self.weight[watch.from as usize * self.events + watch.to as usize] = weight;
    }

    /// Whether two other bounds, over an event between, imply `watch` while a strategy runs. If it
    /// is negative, the first must be, so that `watch.from` waits for the event between; if not,
    /// the second must not be, so that the event between sets a deadline for `watch.to`.
    fn implies(&self, watch: &Watch) -> bool {
        let (from, to) = (watch.from as usize, watch.to as usize);
        let between = if watch.weight < 0 {
            &self.awaited[from]
        } else {
            &self.urged_by[to]
        };
        between.iter().any(|between| {
            let (first, second) = (
                self.at(from, *between as usize),
                self.at(*between as usize, to),
            );
            // Where one is missing, the sum is far too large.
            first.saturating_add(second) <= watch.weight
        })
    }
}
