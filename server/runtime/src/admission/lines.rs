//! Requests that wait, tenant by tenant, and whose turn it is.
//!
//! Among tenants: start-time fair queueing (Goyal, Vin, Cheng, SIGCOMM 1996,
//! doi:10.1145/248156.248171). Each tenant has a virtual time: the slot-seconds that it was given,
//! divided by its weight; the least is next. A tenant that was away continues at the time of those
//! served meanwhile: nothing can be saved up. The cost of a search is estimated at its start and
//! corrected at its end. Within a tenant: class, then deadline, then arrival.

use super::{Place, Waiting, Wish};
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap};

/// Everybody's waiting requests.
#[derive(Default)]
pub(super) struct Lines {
    lines: BTreeMap<u64, Line>,
    count: usize,
    bytes: usize,
    /// Virtual time of the tenant that was served last.
    clock: f64,
}

/// A tenant's waiting requests, and what it has.
#[derive(Default)]
struct Line {
    places: BTreeMap<Place, Waiting>,
    bytes: usize,
    /// Slots in use.
    busy: usize,
    served: f64,
    weight: f64,
}

impl Line {
    fn is_idle(&self) -> bool {
        self.places.is_empty() && self.busy == 0
    }

    /// How long it is, measured by what it may have.
    fn length(&self) -> f64 {
        self.places.len() as f64 / self.weight
    }
}

/// A place in somebody's line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    /// Whose.
    pub tenant: u64,
    /// Where.
    pub place: Place,
}

impl Lines {
    /// Requests that wait.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Tenants that are remembered.
    #[cfg(test)]
    pub(super) fn tenants(&self) -> usize {
        self.lines.len()
    }

    /// Memory that their problems take.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Requests of a tenant that wait, and their memory.
    pub(super) fn count_and_bytes(&self, tenant: u64) -> (usize, usize) {
        let line = self.lines.get(&tenant);
        line.map_or((0, 0), |line| (line.places.len(), line.bytes))
    }

    /// Slots that a tenant has.
    pub(super) fn busy(&self, tenant: u64) -> usize {
        self.lines.get(&tenant).map_or(0, |line| line.busy)
    }

    /// Puts a request into its tenant's line.
    pub(super) fn put(&mut self, place: Place, one: Waiting) {
        let share = one.wish.share;
        let line = self.lines.entry(share.tenant).or_default();
        if line.is_idle() {
            line.served = line.served.max(self.clock);
        }
        line.weight = share.weight;
        line.bytes += one.wish.bytes;
        self.bytes += one.wish.bytes;
        self.count += 1;
        line.places.insert(place, one);
    }

    /// Takes a request out of its line.
    pub(super) fn take(&mut self, spot: Spot) -> Option<Waiting> {
        let line = self.lines.get_mut(&spot.tenant)?;
        let one = line.places.remove(&spot.place)?;
        line.bytes -= one.wish.bytes;
        self.bytes -= one.wish.bytes;
        self.count -= 1;
        self.forget();
        Some(one)
    }

    /// Everybody, in no order that means anything.
    pub(super) fn take_all(&mut self) -> Vec<Waiting> {
        let lines = self.lines.values_mut();
        let all = lines.flat_map(|line| {
            line.bytes = 0;
            std::mem::take(&mut line.places).into_values()
        });
        let all = all.collect();
        (self.count, self.bytes) = (0, 0);
        all
    }

    /// What waits at a place, if it still does.
    pub(super) fn wish(&self, spot: Spot) -> Option<Wish> {
        let line = self.lines.get(&spot.tenant)?;
        line.places.get(&spot.place).map(|one| one.wish)
    }

    /// Whose turn it is. Tenants that have all the slots that they may have are passed over.
    pub(super) fn first(&self) -> Option<(Spot, Wish)> {
        let heads = self.lines.iter().filter_map(|(&tenant, line)| {
            let (&place, one) = line.places.first_key_value()?;
            let wish = one.wish;
            let fits = line.busy + wish.slots <= wish.share.slots_max;
            fits.then_some((line.served, Spot { tenant, place }, wish))
        });
        let first = heads.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.place.cmp(&b.1.place)));
        first.map(|(_, spot, wish)| (spot, wish))
    }

    /// The request to evict where there is no room for one more at this place: the last one of the
    /// same tenant, if its class is lower; or the last one of the tenant with the longest line, if
    /// that is longer than the own line would be.
    pub(super) fn last(&self, wish: &Wish, place: Place) -> Option<Spot> {
        let tenant = wish.share.tenant;
        let own = self.lines.get(&tenant);
        let last = |line: &Line| line.places.last_key_value().map(|(place, _)| *place);
        if let Some(last) = own.and_then(last)
            // `Reverse`: the lower class is the greater.
            && last.class > place.class
        {
            return Some(Spot {
                tenant,
                place: last,
            });
        }
        let mine = (own.map_or(0, |line| line.places.len()) + 1) as f64 / wish.share.weight;
        let others = self.lines.iter().filter(|(id, _)| **id != tenant);
        let longer = others.filter(|(_, line)| line.length() > mine);
        let (&tenant, line) = longer.max_by(|a, b| a.1.length().total_cmp(&b.1.length()))?;
        last(line).map(|place| Spot { tenant, place })
    }

    /// A request gets its slots, and will probably take this number of slot-seconds.
    pub(super) fn begin(&mut self, spot: Spot, slot_seconds: f64) -> Option<Waiting> {
        let line = self.lines.get_mut(&spot.tenant)?;
        line.busy += line.places.get(&spot.place)?.wish.slots;
        self.clock = self.clock.max(line.served);
        line.served += slot_seconds / line.weight;
        self.take(spot)
    }

    /// A search has ended, and took this number of slot-seconds more than was thought.
    pub(super) fn end(&mut self, tenant: u64, slots: usize, more: f64) {
        if let Some(line) = self.lines.get_mut(&tenant) {
            line.busy = line.busy.saturating_sub(slots);
            line.served += more / line.weight;
        }
        self.forget();
    }

    /// A search has its slots again, and will probably take this number of slot-seconds.
    pub(super) fn again(&mut self, wish: &Wish, slot_seconds: f64) {
        let share = wish.share;
        let line = self.lines.entry(share.tenant).or_default();
        if line.is_idle() {
            line.served = line.served.max(self.clock);
        }
        line.weight = share.weight;
        line.busy += wish.slots;
        line.served += slot_seconds / line.weight;
    }

    /// Forgets tenants that have nothing and owe nothing, and all of them when all are idle. A
    /// tenant that owed something when it left may never come again: it is forgotten once the
    /// others have caught up with it.
    fn forget(&mut self) {
        let clock = self.clock;
        self.lines
            .retain(|_, line| !line.is_idle() || line.served > clock);
        if self.lines.values().all(Line::is_idle) {
            self.lines.clear();
            self.clock = 0.0;
        }
    }

    /// Whether a request at this place comes before another one of its tenant and class.
    pub(super) fn overtakes(&self, wish: &Wish, place: Place) -> bool {
        let line = self.lines.get(&wish.share.tenant);
        let next = line.and_then(|line| line.places.range(place..).next());
        next.is_some_and(|(next, _)| next.class == place.class)
    }

    /// In which order all would get slots with a request at this place, if nobody came after it;
    /// `cost` is what each will probably take, in slot-seconds.
    pub(super) fn order<'l>(
        &'l self,
        wish: &Wish,
        place: Place,
        cost: impl Fn(&Wish) -> f64 + 'l,
    ) -> impl Iterator<Item = (Place, Wish)> + 'l {
        let mut turns = BinaryHeap::new();
        let mine = wish.share.tenant;
        for (_, line) in self.lines.iter().filter(|(id, _)| **id != mine) {
            let places = line.places.iter().map(|(place, one)| (*place, one.wish));
            turns.extend(Turn::new(line.served, Box::new(places)));
        }
        let own = self.lines.get(&mine);
        let served = match own {
            Some(line) if !line.is_idle() => line.served,
            Some(line) => line.served.max(self.clock),
            None => self.clock,
        };
        let places = own.map(|line| &line.places);
        let before = places.into_iter().flat_map(move |all| all.range(..place));
        let after = places.into_iter().flat_map(move |all| all.range(place..));
        let before = before.map(|(place, one)| (*place, one.wish));
        let after = after.map(|(place, one)| (*place, one.wish));
        let own = before.chain(std::iter::once((place, *wish)));
        turns.extend(Turn::new(served, Box::new(own.chain(after))));
        in_turn(turns, cost)
    }

    /// The same for those who wait now.
    pub(super) fn waiting<'l>(
        &'l self,
        cost: impl Fn(&Wish) -> f64 + 'l,
    ) -> impl Iterator<Item = (Place, Wish)> + 'l {
        let turns = self.lines.values().filter_map(|line| {
            let places = line.places.iter().map(|(place, one)| (*place, one.wish));
            Turn::new(line.served, Box::new(places))
        });
        in_turn(turns.collect(), cost)
    }
}

/// The requests of all lines, in the order in which they get slots.
fn in_turn<'l>(
    mut turns: BinaryHeap<Reverse<Turn<'l>>>,
    cost: impl Fn(&Wish) -> f64 + 'l,
) -> impl Iterator<Item = (Place, Wish)> + 'l {
    std::iter::from_fn(move || {
        let Reverse(mut turn) = turns.pop()?;
        let now = turn.next;
        turn.served += cost(&now.1) / now.1.share.weight;
        if let Some(next) = turn.rest.next() {
            turn.next = next;
            turns.push(Reverse(turn));
        }
        Some(now)
    })
}

/// A tenant's next request, and those after it.
struct Turn<'l> {
    served: f64,
    next: (Place, Wish),
    rest: Box<dyn Iterator<Item = (Place, Wish)> + 'l>,
}

impl<'l> Turn<'l> {
    fn new(
        served: f64,
        mut rest: Box<dyn Iterator<Item = (Place, Wish)> + 'l>,
    ) -> Option<Reverse<Self>> {
        let next = rest.next()?;
        Some(Reverse(Self { served, next, rest }))
    }
}

impl Ord for Turn<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let time = self.served.total_cmp(&other.served);
        time.then(self.next.0.cmp(&other.next.0))
    }
}

impl PartialOrd for Turn<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Turn<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Turn<'_> {}
