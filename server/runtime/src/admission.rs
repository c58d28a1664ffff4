//! Admission: slots, the queue for them, and refusals.
//!
//! A slot is a thread that searches. Each tenant has a line: its requests wait by class, then by
//! deadline, then by arrival. Which tenant is next: see `lines.rs`. The first request gets the next
//! slots. Nothing overtakes it, so that a request for many slots is not passed over and a tenant's
//! lower class never runs before a higher one that waits. Searches may give way: see `giving.rs`.

mod forecast;
mod giving;
mod guarantee;
mod lines;
mod permit;
mod retry;
mod room;
mod running;
mod slots;
#[cfg(test)]
mod tests;
mod wish;

use crate::Class;
use crate::Meters;
use crate::Refusal;
use forecast::Usage;
use lines::{Lines, Spot};
pub(crate) use permit::Permit;
use permit::Ticket;
use retry::Pace;
pub use room::Room;
pub(crate) use running::Elastic;
use running::{Hold, Running};
use slots::Slots;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
pub use wish::{Share, Wish};

/// Place in the queue: least is first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    class: Reverse<Class>,
    deadline: Instant,
    arrival: u64,
}

struct Waiting {
    wish: Wish,
    answer: oneshot::Sender<Result<Permit, Refusal>>,
}

struct State {
    slots: Slots,
    /// Memory that is not reserved.
    memory: usize,
    lines: Lines,
    running: BTreeMap<u64, Running>,
    usage: Usage,
    pace: Pace,
    next: u64,
    closed: bool,
}

/// The slots and the queue for them; clones share them.
#[derive(Clone)]
pub struct Admission(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    slots: usize,
    room: Room,
    metrics: Meters,
    /// What observes memory.
    reserved: Meters,
}

impl Admission {
    /// Free slots, an empty queue.
    pub fn new(slots: usize, room: Room, metrics: Meters) -> Self {
        metrics.slots(slots);
        let reserved = metrics.clone();
        Self::with_metrics(slots, room, metrics, reserved)
    }

    fn with_metrics(slots: usize, room: Room, metrics: Meters, reserved: Meters) -> Self {
        let state = State {
            slots: Slots::new(slots),
            memory: room.memory_max,
            lines: Lines::default(),
            running: BTreeMap::new(),
            usage: Usage::default(),
            pace: Pace::default(),
            next: 0,
            closed: false,
        };
        Self(Arc::new(Shared {
            state: Mutex::new(state),
            slots,
            room,
            metrics,
            reserved,
        }))
    }

    /// Separate slots for jobs, whose queue is elsewhere: the caller ensures that some are free.
    /// Metrics of slots do not include them.
    pub fn background(slots: usize, memory_max: usize, metrics: &Meters) -> Self {
        let room = Room {
            queue_max: slots,
            queue_bytes_max: usize::MAX,
            memory_max,
        };
        Self::with_metrics(slots, room, Meters::unrecorded(), metrics.clone())
    }

    /// All slots.
    pub fn slots(&self) -> usize {
        self.0.slots
    }

    /// Slots in use, and requests waiting, at this moment.
    pub fn load(&self) -> (usize, usize) {
        let state = self.lock();
        (self.busy(&state), state.lines.count())
    }

    /// Waits for slots. Dropping the future leaves the queue.
    ///
    /// # Errors
    /// At once when the answer cannot be there in time, the queue is full or the server drains;
    /// later when more urgent requests took the slots, or the server begins to drain.
    pub(crate) async fn enter(&self, wish: Wish) -> Result<Permit, Refusal> {
        let entered = self
            .queue(wish, Instant::now())
            .and_then(|(spot, mut answer, push)| {
                self.dispatch(Instant::now());
                // Free slots, or a place ahead of everybody: no need to ask how long it takes.
                match answer.try_recv() {
                    Ok(answer) => answer.map(Entered::Now),
                    Err(_) => Ok(Entered::Waiting(Ticket {
                        admission: self.clone(),
                        spot,
                        answer,
                        push,
                    })),
                }
            });
        let refused = |refusal: Refusal| {
            self.0.metrics.shed(refusal.reason());
            refusal
        };
        match entered.map_err(refused)? {
            Entered::Now(permit) => Ok(permit),
            Entered::Waiting(mut ticket) => ticket.wait(&wish).await.map_err(refused),
        }
    }

    /// Refuses all that wait, and all that come.
    pub fn close(&self) {
        let waiting = {
            let mut state = self.lock();
            state.closed = true;
            state.lines.take_all()
        };
        for one in waiting {
            let _ = one.answer.send(Err(Refusal::Draining));
        }
    }

    /// A place in the queue, if it makes sense to wait there.
    fn queue(&self, wish: Wish, now: Instant) -> Result<(Spot, Answer, Option<Instant>), Refusal> {
        let mut state = self.lock();
        if state.closed {
            return Err(Refusal::Draining);
        }
        let place = Place {
            class: Reverse(wish.class),
            deadline: wish.deadline,
            arrival: state.next,
        };
        state.next += 1;
        let start = state.forecast(&wish, place, now);
        let retry_after = state.pace.retry_after(state.lines.count(), now, start);
        // Who starts now does not wait, however little time is left: running out of time is an
        // answer.
        let waits =
            start > now || wish.memory > state.memory || state.is_behind_memory(&wish, place, now);
        let mut push = None;
        if waits && (start > wish.start_by() || state.delays(&wish, place, now)) {
            push = match state.give_way(&self.0, &wish, now) {
                giving::Room::Now => Some(now),
                giving::Room::From(from) if from <= wish.start_by() => Some(from),
                _ => return Err(Refusal::NoSlot { retry_after }),
            };
        }
        if waits && self.is_beyond(&state, &wish) {
            return Err(Refusal::Quota {
                // The caller knows who it is for.
                tenant: String::new(),
                what: "queue_share",
                retry_after,
            });
        }
        let evicted = if waits {
            self.make_room(&mut state, &wish, place)
                .ok_or(Refusal::QueueFull { retry_after })?
        } else {
            Vec::new()
        };
        if waits {
            state.pace.waits(now);
        }
        let (answer, receiver) = oneshot::channel();
        state.lines.put(place, Waiting { wish, answer });
        let tenant = wish.share.tenant;
        let spot = Spot { tenant, place };
        // The slots that were given up are its own.
        let granted = match push {
            Some(push) if push <= now => self.grant(&mut state, spot, now),
            _ => None,
        };
        drop(state);
        for one in evicted {
            let _ = one.answer.send(Err(Refusal::QueueFull { retry_after }));
        }
        if let Some((answer, permit)) = granted {
            let _ = answer.send(Ok(permit));
            self.publish();
        }
        Ok((spot, receiver, push))
    }

    /// Whether a tenant has all of the queue that it may have.
    fn is_beyond(&self, state: &State, wish: &Wish) -> bool {
        let (count, bytes) = state.lines.count_and_bytes(wish.share.tenant);
        // At least one may wait, and numbers up to 2^53 are exact.
        let part = |all: usize| (all as f64 * wish.share.queue).ceil() as usize;
        let shared = wish.share.queue < 1.0;
        shared
            && (count >= part(self.0.room.queue_max)
                || bytes + wish.bytes > part(self.0.room.queue_bytes_max))
    }

    /// Takes requests out of the queue until one more fits; `None` when they would not be enough.
    fn make_room(&self, state: &mut State, wish: &Wish, place: Place) -> Option<Vec<Waiting>> {
        let mut evicted: Vec<(Spot, Waiting)> = Vec::new();
        let full = |state: &State| {
            state.lines.count() >= self.0.room.queue_max
                || state.lines.bytes() + wish.bytes > self.0.room.queue_bytes_max
        };
        while full(state) {
            let last = state.lines.last(wish, place);
            let taken = last.and_then(|spot| Some((spot, state.lines.take(spot)?)));
            let Some(taken) = taken else {
                // Nobody was sent away for nothing.
                for (spot, one) in evicted {
                    state.lines.put(spot.place, one);
                }
                return None;
            };
            evicted.push(taken);
        }
        Some(evicted.into_iter().map(|(_, one)| one).collect())
    }

    /// Gives free slots to the first in the queue, as long as there are enough.
    fn dispatch(&self, now: Instant) {
        while let Some((answer, permit)) = self.next(now) {
            // A call that has just gone away gives the slots back: the permit is dropped.
            let _ = answer.send(Ok(permit));
            self.publish();
        }
        self.refuse_hopeless(now);
    }

    /// Lets parked searches go on whose turn it is, and then the first in the queue, if there is
    /// room.
    fn next(&self, now: Instant) -> Option<(Sender, Permit)> {
        let mut state = self.lock();
        let head = state.lines.first();
        while state.resume(head.map(|(_, wish)| wish.class), now) {}
        self.grant(&mut state, head?.0, now)
    }

    /// Gives slots to a request that waits, if there are enough.
    fn grant(&self, state: &mut State, spot: Spot, now: Instant) -> Option<(Sender, Permit)> {
        let wish = state.lines.wish(spot)?;
        if wish.slots > state.slots.free || wish.memory > state.memory {
            return None;
        }
        let expected = state.usage.slot_seconds(&wish, now);
        let one = state.lines.begin(spot, expected)?;
        state.slots.free -= wish.slots;
        state.memory -= wish.memory;
        self.0.reserved.reserved(wish.memory as f64);
        let arrival = spot.place.arrival;
        let running = Running::new(&wish, now, expected);
        state.running.insert(arrival, running);
        let permit = Permit {
            admission: self.clone(),
            arrival,
            wish,
            started: now,
        };
        Some((one.answer, permit))
    }

    /// Makes room for a request that waits and would miss its deadline, if searches give way;
    /// `Some`: they will then.
    fn push(&self, spot: Spot, wish: &Wish, now: Instant) -> Option<Instant> {
        let mut state = self.lock();
        state.lines.wish(spot)?;
        let mut room = state.give_way(&self.0, wish, now);
        let is_soon = matches!(room, giving::Room::From(from) if from <= wish.start_by());
        let is_last = now >= wish.urgent_from() && !is_soon;
        if is_last && room != giving::Room::Now && state.overcommit(self.0.slots, wish) {
            room = giving::Room::Now;
        }
        let granted = match room {
            giving::Room::Now => self.grant(&mut state, spot, now),
            _ => None,
        };
        drop(state);
        if let Some((answer, permit)) = granted {
            let _ = answer.send(Ok(permit));
            self.publish();
        }
        match room {
            giving::Room::From(from) => Some(from),
            _ => None,
        }
    }

    /// Takes back the slots of a search.
    fn release(&self, permit: &Permit, now: Instant) {
        {
            let mut state = self.lock();
            let wish = &permit.wish;
            // It is there until now.
            let running = state.running.remove(&permit.arrival);
            let running = running.unwrap_or_else(|| Running::new(wish, now, 0.0));
            let slots = running.slots();
            state.slots.give_back(slots);
            state.memory += wish.memory;
            self.0.reserved.reserved(-(wish.memory as f64));
            let took = running.active(now);
            if running.hold != Hold::Leaving {
                state.usage.learn(wish, permit.started, took);
            }
            let more = took.as_secs_f64() * wish.slots as f64 - running.charged;
            state.lines.end(wish.share.tenant, slots, more);
            let waiting = state.lines.count();
            state.pace.ended(waiting, now);
        }
        self.dispatch(now);
        self.publish();
    }

    /// Slots in use.
    fn busy(&self, state: &State) -> usize {
        (self.0.slots + state.slots.extra).saturating_sub(state.slots.free)
    }

    /// When a caller should come back whose request waits in vain.
    fn retry_after(&self) -> Duration {
        let (state, now) = (self.lock(), Instant::now());
        state.pace.retry_after(state.lines.count(), now, now)
    }

    /// Reports to the metrics.
    fn publish(&self) {
        // Under the lock: of two that report simultaneously, the later one has the newer numbers.
        let state = self.lock();
        let busy = self.busy(&state);
        let metrics = &self.0.metrics;
        metrics.load(busy, state.lines.count());
        metrics.parked(state.parked());
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is held; if something did, the numbers would still be whole.
        let lock = self.0.state.lock();
        lock.unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

type Sender = oneshot::Sender<Result<Permit, Refusal>>;
type Answer = oneshot::Receiver<Result<Permit, Refusal>>;

enum Entered {
    Now(Permit),
    Waiting(Ticket),
}
