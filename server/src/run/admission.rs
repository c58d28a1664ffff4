//! Who searches now, who waits, and who is told at once that it makes no sense to wait.
//!
//! A slot is a thread that searches. Requests wait in the order of their class, then of their
//! deadline, then of their arrival; the first of them gets the next slots, and nobody overtakes it,
//! so that one that needs many slots is not passed over for ever and a lower class never runs
//! before a higher one that waits.

mod forecast;
#[cfg(test)]
mod tests;

use crate::metrics::Metrics;
use crate::status::Refusal;
use crate::wire::solve::Class;
use forecast::{Forecast, Running, Usage};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tokio::time::sleep_until;

/// Least and longest time after which a refused caller is told to come back.
const RETRY_LEAST: Duration = Duration::from_millis(50);
const RETRY_LONGEST: Duration = Duration::from_secs(30);

/// What a request needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wish {
    /// Its class.
    pub class: Class,
    /// Slots that it takes, at most all.
    pub slots: usize,
    /// Memory that its problem takes while it waits.
    pub bytes: usize,
    /// When it arrived.
    pub arrived: Instant,
    /// When its answer has to be there.
    pub deadline: Instant,
    /// Whether it may end long before its deadline, at an iteration limit.
    pub limited: bool,
}

impl Wish {
    /// Latest start that makes sense: a tenth of the budget is left, at most 20 ms.
    fn start_by(&self) -> Instant {
        let budget = self.deadline.saturating_duration_since(self.arrived);
        let least = (budget / 10).min(Duration::from_millis(20));
        self.deadline.checked_sub(least).unwrap_or(self.deadline)
    }
}

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
    free: usize,
    waiting: BTreeMap<Place, Waiting>,
    waiting_bytes: usize,
    running: BTreeMap<u64, Running>,
    usage: Usage,
    next: u64,
    closed: bool,
}

/// The slots and the queue for them; clones share them.
#[derive(Clone)]
pub(crate) struct Admission(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    slots: usize,
    queue_max: usize,
    queue_bytes_max: usize,
    metrics: Metrics,
}

impl Admission {
    /// Free slots, an empty queue.
    pub(crate) fn new(
        slots: usize,
        queue_max: usize,
        queue_bytes_max: usize,
        metrics: Metrics,
    ) -> Self {
        let state = State {
            free: slots,
            waiting: BTreeMap::new(),
            waiting_bytes: 0,
            running: BTreeMap::new(),
            usage: Usage::default(),
            next: 0,
            closed: false,
        };
        Self(Arc::new(Shared {
            state: Mutex::new(state),
            slots,
            queue_max,
            queue_bytes_max,
            metrics,
        }))
    }

    /// All slots.
    pub(crate) fn slots(&self) -> usize {
        self.0.slots
    }

    /// Slots in use, and requests waiting, at this moment.
    pub(crate) fn load(&self) -> (usize, usize) {
        let state = self.lock();
        (self.0.slots - state.free, state.waiting.len())
    }

    /// Waits for slots. Dropping the future leaves the queue.
    ///
    /// # Errors
    /// At once when the answer cannot be there in time, the queue is full or the server drains;
    /// later when more urgent requests took the slots, or the server begins to drain.
    pub(crate) async fn enter(&self, wish: Wish) -> Result<Permit, Refusal> {
        let entered = self.queue(wish).and_then(|(place, mut answer)| {
            self.dispatch();
            // Free slots, or a place ahead of everybody: no need to ask how long it takes.
            match answer.try_recv() {
                Ok(answer) => answer.map(Entered::Now),
                Err(_) => Ok(Entered::Waiting(Ticket {
                    admission: self.clone(),
                    place,
                    answer,
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

    /// Sends everybody away who waits, and whoever comes.
    pub(crate) fn close(&self) {
        let waiting = {
            let mut state = self.lock();
            state.closed = true;
            state.waiting_bytes = 0;
            std::mem::take(&mut state.waiting)
        };
        for one in waiting.into_values() {
            let _ = one.answer.send(Err(Refusal::Draining));
        }
    }

    /// A place in the queue, if it makes sense to wait there.
    fn queue(&self, wish: Wish) -> Result<(Place, Answer), Refusal> {
        let now = Instant::now();
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
        let retry_after = start
            .saturating_duration_since(now)
            .clamp(RETRY_LEAST, RETRY_LONGEST);
        // Who starts now does not wait, however little time is left: running out of time is an
        // answer.
        let waits = start > now;
        if waits && start > wish.start_by() {
            return Err(Refusal::NoSlot { retry_after });
        }
        let evicted = if waits {
            self.make_room(&mut state, &wish, place)
                .ok_or(Refusal::QueueFull { retry_after })?
        } else {
            Vec::new()
        };
        let (answer, receiver) = oneshot::channel();
        state.waiting_bytes += wish.bytes;
        state.waiting.insert(place, Waiting { wish, answer });
        drop(state);
        for one in evicted {
            let _ = one.answer.send(Err(Refusal::QueueFull { retry_after }));
        }
        Ok((place, receiver))
    }

    /// Takes the last in the queue out of it until one more fits; `None` when they are all more
    /// urgent than it.
    fn make_room(&self, state: &mut State, wish: &Wish, place: Place) -> Option<Vec<Waiting>> {
        let mut evicted = Vec::new();
        let full = |state: &State| {
            state.waiting.len() >= self.0.queue_max
                || state.waiting_bytes + wish.bytes > self.0.queue_bytes_max
        };
        // Only of a lower class: among equals, who came first stays.
        let outranked = |last: &Place| last.class > place.class;
        let last = |state: &State| state.waiting.last_key_value().map(|(last, _)| *last);
        let mut removable = state
            .waiting
            .keys()
            .rev()
            .take_while(|p| outranked(p))
            .count();
        while full(state) {
            if removable == 0 {
                // Nobody was sent away for nothing.
                for (place, one) in evicted {
                    state.put_back(place, one);
                }
                return None;
            }
            let last = last(state)?;
            evicted.push((last, state.take(last)?));
            removable -= 1;
        }
        Some(evicted.into_iter().map(|(_, one)| one).collect())
    }

    /// Gives free slots to the first in the queue, as long as there are enough.
    fn dispatch(&self) {
        while let Some((answer, granted)) = self.next() {
            // Whoever has just gone away gives the slots back: the permit is dropped.
            let _ = answer.send(granted);
            self.publish();
        }
    }

    fn next(&self) -> Option<(Sender, Result<Permit, Refusal>)> {
        let now = Instant::now();
        let mut state = self.lock();
        let (&place, first) = state.waiting.first_key_value()?;
        let wish = first.wish;
        if wish.slots > state.free {
            return None;
        }
        let one = state.take(place)?;
        state.free -= wish.slots;
        state
            .running
            .insert(place.arrival, Running::new(&wish, now));
        let permit = Permit {
            admission: self.clone(),
            arrival: place.arrival,
            wish,
            started: now,
        };
        Some((one.answer, Ok(permit)))
    }

    /// Takes back the slots of a search.
    fn release(&self, permit: &Permit) {
        {
            let mut state = self.lock();
            state.running.remove(&permit.arrival);
            state.free += permit.wish.slots;
            let (wish, now) = (&permit.wish, Instant::now());
            state.usage.learn(wish, permit.started, now);
        }
        self.dispatch();
        self.publish();
    }

    /// Tells the metrics.
    fn publish(&self) {
        // Under the lock: of two that tell at once, the later one has the newer numbers.
        let state = self.lock();
        let busy = self.0.slots - state.free;
        self.0.metrics.load(busy, state.waiting.len());
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is held; if something did, the numbers would still be whole.
        let lock = self.0.state.lock();
        lock.unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl State {
    /// When a request at this place would start.
    fn forecast(&self, wish: &Wish, place: Place, now: Instant) -> Instant {
        let mut forecast = Forecast::new(self.free, self.running.values(), &self.usage, now);
        for ahead in self.waiting.range(..place).map(|(_, one)| &one.wish) {
            forecast.start(ahead, &self.usage);
        }
        forecast.start(wish, &self.usage)
    }

    fn take(&mut self, place: Place) -> Option<Waiting> {
        let one = self.waiting.remove(&place)?;
        self.waiting_bytes -= one.wish.bytes;
        Some(one)
    }

    fn put_back(&mut self, place: Place, one: Waiting) {
        self.waiting_bytes += one.wish.bytes;
        self.waiting.insert(place, one);
    }
}

type Sender = oneshot::Sender<Result<Permit, Refusal>>;
type Answer = oneshot::Receiver<Result<Permit, Refusal>>;

enum Entered {
    Now(Permit),
    Waiting(Ticket),
}

/// A place in the queue; leaves it when dropped.
struct Ticket {
    admission: Admission,
    place: Place,
    answer: Answer,
}

impl Ticket {
    async fn wait(&mut self, wish: &Wish) -> Result<Permit, Refusal> {
        self.admission.publish();
        tokio::select! {
            // Slots that come in the last moment are taken.
            biased;
            answer = &mut self.answer => {
                // Without an answer the queue itself is gone.
                answer.unwrap_or(Err(Refusal::Draining))
            }
            () = sleep_until(wish.start_by().into()) => {
                Err(Refusal::NoSlot { retry_after: RETRY_LEAST })
            }
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let left = self.admission.lock().take(self.place);
        if left.is_some() {
            // The next may need fewer slots than this one did.
            self.admission.dispatch();
        }
        self.admission.publish();
    }
}

/// Slots, until it is dropped: by the thread that searches, not by whoever waits for it.
pub(crate) struct Permit {
    admission: Admission,
    arrival: u64,
    wish: Wish,
    started: Instant,
}

impl Permit {
    /// How many.
    pub(crate) fn slots(&self) -> usize {
        self.wish.slots
    }

    /// Since when.
    pub(crate) fn started(&self) -> Instant {
        self.started
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.admission.clone().release(self);
    }
}
