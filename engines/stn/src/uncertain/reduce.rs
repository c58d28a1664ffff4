//! A minimal dispatchable network: the same strategy with fewer bounds to observe.

use super::strategy::{DispatchBound, Strategy, Wait};
use super::ticker::Ticker;
use crate::Time;

const NONE: Time = Time::MAX;

impl Strategy {
    /// The same strategy without bounds and waits that others imply while it runs; none when
    /// `go_on` returned false.
    ///
    /// An executive that satisfies what is left satisfies the rest, but learns some deadlines
    /// later, when the event between has happened. Smaller to send and to read: often a third, or
    /// less. Which bounds go depends on their order, longest first; a smallest set is not looked
    /// for.
    ///
    /// Source: Muscettola, Morris and Tsamardinos, "Reformulating temporal plans for efficient
    /// execution", KR 1998, dominated edges; one at a time, so that two that imply each other do
    /// not both go. O(bounds * events) time, O(events^2) memory.
    pub fn reduced(&self, go_on: &mut dyn FnMut() -> bool) -> Option<Strategy> {
        let ticker = &mut Ticker::new(go_on);
        let mut table = BoundMatrix::new(self);
        let mut order: Vec<&DispatchBound> = self.bounds().iter().collect();
        order.sort_by_key(|bound| (-bound.weight.abs(), bound.from, bound.to));
        for bound in order {
            if !ticker.tick(table.events) {
                return None;
            }
            if table.implies(bound) {
                table.set(bound, NONE);
            }
        }
        let bounds = self.bounds().iter().filter(|bound| table.contains(bound));
        let bounds = bounds.filter(|bound| self.is_for_us(bound));
        let bounds = bounds.copied().collect();
        let mut waits = Vec::new();
        for wait in self.waits() {
            if !ticker.tick(table.events) {
                return None;
            }
            if !self.implies_wait(&table, wait) {
                waits.push(*wait);
            }
        }
        Some(self.with_bounds(bounds, waits))
    }

    /// Whether a bound limits an event of ours. Nature's events satisfy theirs by themselves: they
    /// follow from Nature's bounds and ours, or else the network were not controllable. A bound of
    /// 0 limits both events: one of ours waits until one of Nature's is observed, even if its wait
    /// is over.
    fn is_for_us(&self, bound: &DispatchBound) -> bool {
        let is_ours = |event: u32| self.ending_at[event as usize].is_none();
        bound.weight <= 0 && is_ours(bound.from) || bound.weight >= 0 && is_ours(bound.to)
    }

    /// Whether events before the waiting one make it late enough. Waits that imply one another
    /// would be of events that each have to precede the other, so none is lost twice.
    fn implies_wait(&self, table: &BoundMatrix, wait: &Wait) -> bool {
        let link = &self.contingents[wait.link as usize];
        let event = wait.event as usize;
        let after =
            |other: u32| Some(table.weight(event, other as usize)).filter(|weight| *weight < 0);
        if after(link.to).is_some() || after(link.from).is_some_and(|w| w <= -wait.least) {
            return true;
        }
        table.awaited[event].iter().any(|other| {
            let weight = table.weight(event, *other as usize);
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
struct BoundMatrix {
    events: usize,
    weight: Vec<Time>,
    /// By event, the events that it has to wait for, and the events that set it a deadline; of
    /// all bounds, those that are gone too.
    awaited: Vec<Vec<u32>>,
    urged_by: Vec<Vec<u32>>,
}

impl BoundMatrix {
    fn new(strategy: &Strategy) -> BoundMatrix {
        let events = strategy.events();
        let mut table = BoundMatrix {
            events,
            weight: vec![NONE; events * events],
            awaited: vec![Vec::new(); events],
            urged_by: vec![Vec::new(); events],
        };
        for bound in strategy.bounds() {
            table.set(bound, bound.weight);
            if bound.weight < 0 {
                table.awaited[bound.from as usize].push(bound.to);
            } else {
                table.urged_by[bound.to as usize].push(bound.from);
            }
        }
        table
    }

    fn weight(&self, from: usize, to: usize) -> Time {
        self.weight[from * self.events + to]
    }

    fn contains(&self, bound: &DispatchBound) -> bool {
        self.weight(bound.from as usize, bound.to as usize) != NONE
    }

    fn set(&mut self, bound: &DispatchBound, weight: Time) {
        self.weight[bound.from as usize * self.events + bound.to as usize] = weight;
    }

    /// Whether two other bounds, over an event between, imply `bound` while a strategy runs. If it
    /// is negative, the first must be, so that `bound.from` waits for the event between; if not,
    /// the second must not be, so that the event between sets a deadline for `bound.to`.
    fn implies(&self, bound: &DispatchBound) -> bool {
        let (from, to) = (bound.from as usize, bound.to as usize);
        let between = if bound.weight < 0 {
            &self.awaited[from]
        } else {
            &self.urged_by[to]
        };
        between.iter().any(|between| {
            let (first, second) = (
                self.weight(from, *between as usize),
                self.weight(*between as usize, to),
            );
            // Where one is missing, the sum is far too large.
            first.saturating_add(second) <= bound.weight
        })
    }
}
