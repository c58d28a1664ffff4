//! Guarantees: which ones a new request can get, and which ones waiting requests have.

use super::forecast::Forecast;
use super::lines::Spot;
use super::{Admission, Place, Slots, State, Wish};
use crate::Refusal;
use std::time::Instant;

/// Requests that are refused after one search has ended.
const HOPELESS_MAX: usize = 8;

impl Admission {
    /// Refuses requests that wait in vain: searches took longer than forecast at their admission.
    pub(super) fn refuse_hopeless(&self, now: Instant) {
        let mut refused = Vec::new();
        {
            let mut state = self.lock();
            while refused.len() < HOPELESS_MAX
                && let Some(spot) = state.hopeless(now)
            {
                refused.extend(state.lines.take(spot));
            }
        }
        let retry_after = self.retry_after();
        for one in refused {
            let _ = one.answer.send(Err(Refusal::NoSlot { retry_after }));
        }
    }
}

impl State {
    /// When a request at this place would start.
    pub(super) fn forecast(&self, wish: &Wish, place: Place, now: Instant) -> Instant {
        let cost = |wish: &Wish| self.usage.slot_seconds(wish, now);
        let order = self.lines.order(wish, place, cost);
        let ahead = order.take_while(|(at, _)| *at != place);
        let ahead: Vec<Wish> = ahead.map(|(_, one)| one).collect();
        let mut forecast = self.forecast_of_all(now);
        for ahead in &ahead {
            forecast.start(ahead, &self.usage);
        }
        let start = forecast.start(wish, &self.usage);
        start.max(self.own_forecast(wish, &ahead, now))
    }

    /// Whether a request ahead of this place has its slots and waits for memory: no request
    /// overtakes it, however many slots are free.
    pub(super) fn is_behind_memory(&self, wish: &Wish, place: Place, now: Instant) -> bool {
        let cost = |wish: &Wish| self.usage.slot_seconds(wish, now);
        let order = self.lines.order(wish, place, cost);
        let mut ahead = order.take_while(|(at, _)| *at != place);
        ahead.any(|(_, one)| {
            let busy = self.lines.busy(one.share.tenant);
            // A tenant with all of its slots is overtaken.
            one.memory > self.memory && busy + one.slots <= one.share.slots_max
        })
    }

    /// Whether a request at this place would make an admitted one of the same tenant and class
    /// late: admitted requests are to be answered, and a request that cannot be is refused
    /// immediately.
    pub(super) fn delays(&self, wish: &Wish, place: Place, now: Instant) -> bool {
        if !self.lines.overtakes(wish, place) {
            return false;
        }
        let cost = |wish: &Wish| self.usage.slot_seconds(wish, now);
        let (mut with, mut without) = (self.forecast_of_all(now), self.forecast_of_all(now));
        let mut is_ahead = true;
        for (at, one) in self.lines.order(wish, place, cost) {
            let late = with.start(&one, &self.usage) > one.start_by();
            if at == place {
                is_ahead = false;
                continue;
            }
            let was_late = without.start(&one, &self.usage) > one.start_by();
            let alike = one.share.tenant == wish.share.tenant && one.class == wish.class;
            if late && !was_late && !is_ahead && alike {
                return true;
            }
        }
        false
    }

    /// The slots of everybody in the time to come.
    fn forecast_of_all(&self, now: Instant) -> Forecast {
        Forecast::new(self.slots, self.running.values(), &self.usage, now)
    }

    /// The first request in the queue that would start only after its deadline, to which no search
    /// gives way, and which cannot have extra slots.
    pub(super) fn hopeless(&self, now: Instant) -> Option<Spot> {
        let cost = |wish: &Wish| self.usage.slot_seconds(wish, now);
        let mut forecast = self.forecast_of_all(now);
        let mut waiting = self.lines.waiting(cost);
        let late = waiting.find(|(_, wish)| {
            forecast.start(wish, &self.usage) > wish.deadline
                && !self.may_give_way(wish, now)
                && !self.may_overcommit(wish)
        });
        late.map(|(place, wish)| Spot {
            tenant: wish.share.tenant,
            place,
        })
    }

    /// The same, were there nobody else, but no more slots either than its tenant may have.
    fn own_forecast(&self, wish: &Wish, ahead: &[Wish], now: Instant) -> Instant {
        let share = wish.share;
        if share.slots_max == usize::MAX {
            return now;
        }
        let is_own = |of: u64| of == share.tenant;
        let free = share
            .slots_max
            .saturating_sub(self.lines.busy(share.tenant));
        let running = self.running.values();
        let running = running.filter(|one| is_own(one.wish.share.tenant));
        let mut forecast = Forecast::new(Slots::new(free), running, &self.usage, now);
        for ahead in ahead.iter().filter(|one| is_own(one.share.tenant)) {
            forecast.start(ahead, &self.usage);
        }
        forecast.start(wish, &self.usage)
    }
}
