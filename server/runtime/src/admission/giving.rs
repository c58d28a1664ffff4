//! Searches give way to requests that would miss their deadline, and go on when there is room
//! again.
//!
//! Only a search that has a plan gives way: its answer is safe. It parks, and its memory stays
//! reserved, or, where there would be no time to go on afterwards or no memory for both, it ends
//! with its best plan. Its slots are free at that moment: until its threads have noticed, some
//! microseconds to milliseconds later, there are more threads than slots. Lower classes give way
//! first, higher ones never to lower ones, and never those of a tenant that has fewer slots, by
//! weight, than the one that asks. See `Running::yields_from` for what each search keeps.
//!
//! An admitted request is answered. Where no search gives way when a fifth of its budget is left,
//! it gets extra slots, at most as many as there are slots: searches without a plan share their
//! processors with it for the few milliseconds that are left.

use super::running::{Hold, Running};
use super::{Share, Shared, State, Wish};
use crate::Class;
use std::time::{Duration, Instant};

/// Less than that at the end of its time is not worth parking for.
const REST_LEAST: Duration = Duration::from_millis(30);
/// How long a search takes to end, when it is asked to, in forecasts.
pub(super) const LEAVING: Duration = Duration::from_millis(5);

/// Whether searches give way to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// They did: its slots and its memory are free.
    Now,
    /// They will, from then on.
    From(Instant),
    /// They do not.
    None,
}

impl State {
    /// Makes room for a request, if searches give way to it.
    pub(super) fn give_way(&mut self, shared: &Shared, wish: &Wish, now: Instant) -> Room {
        let busy = self.lines.busy(wish.share.tenant);
        if busy + wish.slots > wish.share.slots_max {
            return Room::None;
        }
        let mut candidates = self.candidates(wish, now);
        candidates.sort_by_key(|(_, from, one)| ((*from).max(now), one.rank()));
        let (mut slots, mut memory) = (self.slots.free, self.memory + self.memory_of_leaving());
        let (mut chosen, mut from) = (Vec::new(), now);
        for (arrival, free_from, one) in candidates {
            if slots >= wish.slots && (memory >= wish.memory || self.memory >= wish.memory) {
                break;
            }
            slots += one.wish.slots;
            memory += one.wish.memory;
            from = from.max(free_from);
            chosen.push(arrival);
        }
        if slots < wish.slots || memory < wish.memory {
            return Room::None;
        }
        if from > now {
            return Room::From(from);
        }
        let fits = self.memory >= wish.memory;
        if !fits && now + LEAVING > wish.start_by() {
            return Room::None;
        }
        let ends = self.usage.end(wish.limited, now, wish.deadline);
        for arrival in chosen {
            if let Some((class, how)) = self.displace(arrival, fits.then_some(ends), now) {
                shared.metrics.gave_way(class.name(), how);
            }
        }
        if fits {
            Room::Now
        } else {
            Room::From(now + LEAVING)
        }
    }

    /// Adds extra slots for an admitted request that cannot wait any longer: at most as many as
    /// there are slots.
    pub(super) fn overcommit(&mut self, slots_max: usize, wish: &Wish) -> bool {
        let fits = self.slots.extra + wish.slots <= slots_max && self.may_overcommit(wish);
        if fits {
            self.slots.stretch(wish.slots);
        }
        fits
    }

    /// Whether a request could have extra slots, once some of them are not in use. A tenant with
    /// more slots, by weight, than another that searches gets none.
    pub(super) fn may_overcommit(&self, wish: &Wish) -> bool {
        let busy = self.lines.busy(wish.share.tenant);
        let wanted = self.weighed(wish.share) + wish.slots as f64 / wish.share.weight;
        let mut others = self.running.values().map(|one| one.wish.share);
        wish.memory <= self.memory
            && busy + wish.slots <= wish.share.slots_max
            && others
                .all(|share| share.tenant == wish.share.tenant || wanted <= self.weighed(share))
    }

    /// The slots that a tenant has, by weight.
    fn weighed(&self, share: Share) -> f64 {
        self.lines.busy(share.tenant) as f64 / share.weight
    }

    /// Memory that is free soon: of searches that are asked to end.
    fn memory_of_leaving(&self) -> usize {
        let leaving = self.running.values();
        let leaving = leaving.filter(|one| one.hold == Hold::Leaving);
        leaving.map(|one| one.wish.memory).sum()
    }

    /// Whether enough searches could give way to a request, now or soon.
    pub(super) fn may_give_way(&self, wish: &Wish, now: Instant) -> bool {
        let candidates = self.candidates(wish, now);
        let slots = candidates.iter().map(|(_, _, one)| one.wish.slots);
        self.slots.free + slots.sum::<usize>() >= wish.slots
    }

    /// Searches that could give way, and from when on.
    fn candidates(&self, wish: &Wish, now: Instant) -> Vec<(u64, Instant, &Running)> {
        let wanted = self.weighed(wish.share) + wish.slots as f64 / wish.share.weight;
        let candidates = self.running.iter().filter_map(|(&arrival, one)| {
            let share = one.wish.share;
            let is_own = share.tenant == wish.share.tenant;
            // Another tenant keeps as many slots as this one would have then.
            let is_fair = is_own || wanted <= self.weighed(share);
            let from = one.yields_from(wish, now).filter(|_| is_fair)?;
            Some((arrival, from, one))
        });
        candidates.collect()
    }

    /// Takes the slots of a search. It ends, unless it can go on after `until` and that is worth
    /// it. Returns its class, and what became of it.
    fn displace(
        &mut self,
        arrival: u64,
        until: Option<Instant>,
        now: Instant,
    ) -> Option<(Class, &'static str)> {
        let one = self.running.get_mut(&arrival)?;
        let wish = one.wish;
        let took = one.active(now).as_secs_f64() * wish.slots as f64;
        let more = took - one.charged;
        one.charged = took;
        let parks = until.is_some_and(|until| until + REST_LEAST <= wish.deadline);
        if parks || (wish.limited && until.is_some()) {
            one.park(now);
        } else {
            one.leave(now);
        }
        let how = match one.hold {
            Hold::Leaving => "ended",
            _ => "parked",
        };
        self.slots.give_back(wish.slots);
        self.lines.end(wish.share.tenant, wish.slots, more);
        Some((wish.class, how))
    }

    /// Resumes one parked search, if there is room: the highest class, then the least time in its
    /// slots. While requests wait, only a search of a higher class than the first of them, or one
    /// that starves.
    pub(super) fn resume(&mut self, head: Option<Class>, now: Instant) -> bool {
        let parked = self.running.iter().filter(|(_, one)| {
            let busy = self.lines.busy(one.wish.share.tenant);
            matches!(one.hold, Hold::Parked(_))
                && one.wish.slots <= self.slots.free
                && busy + one.wish.slots <= one.wish.share.slots_max
                && head.is_none_or(|head| one.wish.class > head || one.starves(now))
                && now < one.wish.deadline
        });
        let first = parked.min_by_key(|(_, one)| {
            (
                std::cmp::Reverse(one.wish.class),
                one.active(now),
                one.started,
            )
        });
        let Some(arrival) = first.map(|(&arrival, _)| arrival) else {
            return false;
        };
        let Some(one) = self.running.get_mut(&arrival) else {
            return false;
        };
        let cost = self.usage.slot_seconds(&one.wish, now);
        one.charged += cost;
        one.resume(now);
        self.slots.free -= one.wish.slots;
        self.lines.again(&one.wish, cost);
        true
    }

    /// Searches that are parked.
    pub(super) fn parked(&self) -> usize {
        let holds = self.running.values().map(|one| one.hold);
        holds.filter(|hold| matches!(hold, Hold::Parked(_))).count()
    }
}
