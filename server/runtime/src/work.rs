//! Work that costs processor time and is no search: decompressing, decoding, validating, encoding,
//! drawing, checking plans.
//!
//! None of it is done by the threads that serve the network but what takes some tenths of a
//! millisecond. Everything else is estimated from what the same kind of work of about the same size
//! took before, and done by other threads: by one group what is short, by another, which is less
//! urgent, what is long. What cannot be done by its deadline is refused before it is begun, what
//! nobody waits for any more is dropped, and its time is the tenant's.

mod costs;
mod lanes;
mod quantile;
mod threads;

pub use quantile::Quantile;
pub use threads::{Threads, Urgency};

use crate::Refusal;
use crate::Tenant;
use costs::Costs;
use lanes::{Claim, Lanes};
use rustix::time::{ClockId, clock_gettime};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tracing::Span;

/// Work up to this is short.
const SHORT_MAX: Duration = Duration::from_millis(2);
/// What is due at some time waits so long for what is due sooner.
const PATIENCE: Duration = Duration::from_secs(60);
/// Least and longest time after which a refused caller comes back.
const RETRY: [Duration; 2] = [Duration::from_millis(50), Duration::from_secs(30)];

/// What is done with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Decompressed, decoded, validated.
    Read,
    /// The same, and answered: whatever needs no slot. Never done by threads of the network,
    /// however short it was before: it may take until the deadline.
    Answer,
    /// Made and encoded.
    Write,
    /// From or to JSON.
    Json,
}

/// Some work.
#[derive(Debug, Clone)]
pub struct Piece {
    /// Full name of the method that it belongs to.
    pub method: &'static str,
    /// What is done.
    pub stage: Stage,
    /// What its time grows with: bytes, or elements of the problem.
    pub size: usize,
    /// Whose it is.
    pub tenant: Tenant,
    /// By when it should be done: what is due first comes first. `None`: at some time.
    pub due: Option<Instant>,
    /// Until when it is wanted; `None`: however late it is done.
    pub until: Option<Instant>,
}

/// Does work; clones share threads and queues.
#[derive(Clone)]
pub struct Desk(Arc<Shared>);

struct Shared {
    costs: Costs,
    short: Group,
    long: Group,
}

/// Threads of one urgency, and what waits for them.
struct Group {
    threads: Threads,
    state: Mutex<State>,
    /// Threads that work at the same time.
    busy_max: usize,
}

#[derive(Default)]
struct State {
    waiting: Lanes<Task>,
    busy: usize,
}

/// Work to be done, or, if it comes too late, refused.
type Task = Box<dyn FnOnce() + Send>;

impl Desk {
    /// With this number of threads for short work, and as many for long.
    pub fn new(threads: usize) -> Self {
        let group = |urgency| Group {
            threads: Threads::new(urgency),
            state: Mutex::default(),
            busy_max: threads.max(1),
        };
        Self(Arc::new(Shared {
            costs: Costs::default(),
            short: group(Urgency::Network),
            long: group(Urgency::Short),
        }))
    }

    /// Does some work, here if that takes less time than to hand it over, otherwise elsewhere.
    /// Dropping the future gives it up, if it has not begun.
    ///
    /// # Errors
    /// Its deadline has passed, or would have before its turn; or it panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        piece: Piece,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        if piece.until.is_some_and(|until| Instant::now() >= until) {
            return Err(Refusal::Expired);
        }
        let estimate = self.0.costs.estimate(&piece);
        if estimate.is_tiny && piece.stage != Stage::Answer {
            return self.0.done(&piece, work);
        }
        let cost = estimate.usual;
        if piece
            .until
            .is_some_and(|until| Instant::now() + cost > until)
        {
            // Begun all the same, it would use the time of others and come too late. Now and then
            // one is tried.
            self.0.costs.passed_over(&piece);
            let retry_after = RETRY[0];
            return Err(Refusal::NoSlot { retry_after });
        }
        let (sender, receiver) = oneshot::channel();
        let (shared, span) = (Arc::clone(&self.0), Span::current());
        let claim = claim(&piece, cost);
        let until = piece.until;
        let task = move || {
            if sender.is_closed() {
                return;
            }
            let late = piece.until.is_some_and(|until| Instant::now() >= until);
            let result = if late {
                Err(Refusal::Expired)
            } else {
                span.in_scope(|| shared.done(&piece, work))
            };
            // Fails when nobody waits any more.
            let _ = sender.send(result);
        };
        Group::put(&self.0, cost > SHORT_MAX, claim, until, Box::new(task))?;
        // A task that is dropped unsent belongs to a process that ends.
        receiver.await.unwrap_or(Err(Refusal::Panicked))
    }
}

/// What it takes of whose part.
fn claim(piece: &Piece, cost: Duration) -> Claim {
    let share = piece.tenant.share();
    Claim {
        tenant: share.tenant,
        weight: share.weight,
        due: piece.due.unwrap_or_else(|| Instant::now() + PATIENCE),
        cost: cost.as_secs_f64(),
    }
}

impl Shared {
    /// Does it, learns how long it took, and charges its tenant.
    fn done<T>(&self, piece: &Piece, work: impl FnOnce() -> T) -> Result<T, Refusal> {
        let before = processor_time();
        let result = catch_unwind(AssertUnwindSafe(work));
        let took = processor_time().saturating_sub(before);
        self.costs.learn(piece, took);
        if took > costs::TINY {
            piece.tenant.searched(took);
        }
        // Its hook has reported the panic.
        result.map_err(|_| Refusal::Panicked)
    }
}

/// Processor time of this thread.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        u64::try_from(time.tv_sec).unwrap_or_default(),
        u32::try_from(time.tv_nsec).unwrap_or_default(),
    )
}

impl Group {
    /// Puts a task into the queue of long or short ones, if its turn comes in time.
    fn put(
        shared: &Arc<Shared>,
        is_long: bool,
        claim: Claim,
        until: Option<Instant>,
        task: Task,
    ) -> Result<(), Refusal> {
        let group = shared.group(is_long);
        let mut state = group.lock();
        let wait = state.waiting.backlog() / group.busy_max as f64;
        let wait = Duration::from_secs_f64(wait);
        // What finds nothing before it is tried, whatever its estimate.
        let is_late = until.is_some_and(|until| Instant::now() + wait >= until);
        if state.waiting.count() > 0 && is_late {
            let retry_after = wait.clamp(RETRY[0], RETRY[1]);
            return Err(Refusal::NoSlot { retry_after });
        }
        state.waiting.put(claim, task);
        let starts = state.busy < group.busy_max;
        state.busy += usize::from(starts);
        drop(state);
        if starts {
            let shared = Arc::clone(shared);
            group
                .threads
                .spawn(move || shared.group(is_long).work_off());
        }
        Ok(())
    }

    /// Works until nothing waits.
    fn work_off(&self) {
        loop {
            let next = {
                let mut state = self.lock();
                let next = state.waiting.take();
                state.busy -= usize::from(next.is_none());
                next
            };
            match next {
                // Panics are caught within.
                Some(task) => task(),
                None => return,
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    fn group(&self, is_long: bool) -> &Group {
        if is_long { &self.long } else { &self.short }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::Unlimited;
    use std::sync::mpsc::channel;

    fn piece(until: Option<Instant>) -> Piece {
        Piece {
            method: "test",
            stage: Stage::Read,
            size: 1_000,
            tenant: Arc::new(Unlimited),
            due: until,
            until,
        }
    }

    #[tokio::test]
    async fn what_has_expired_is_not_begun_and_panics_are_refusals() {
        let desk = Desk::new(1);
        let past = Some(Instant::now());
        let begun = desk.run(piece(past), || panic!("it is begun")).await;
        assert_eq!(begun, Err::<(), _>(Refusal::Expired));
        let broken = desk.run(piece(None), || panic!("a bug")).await;
        assert_eq!(broken, Err::<(), _>(Refusal::Panicked));
        assert_eq!(desk.run(piece(None), || 7).await, Ok(7));
    }

    #[tokio::test]
    async fn work_that_takes_longer_than_its_call_has_is_refused_until_it_is_tried_again() {
        let desk = Desk::new(1);
        // The estimate follows within some pieces; no clock decides below.
        for _ in 0..40 {
            desk.0.costs.learn(&piece(None), Duration::from_secs(600));
        }
        let mut refused = 0;
        loop {
            let soon = piece(Some(Instant::now() + Duration::from_secs(30)));
            match desk.run(soon, || ()).await {
                Err(Refusal::NoSlot { .. }) => refused += 1,
                other => break assert_eq!(other, Ok(())),
            }
        }
        assert!((1..1_000).contains(&refused), "{refused}");
    }

    #[tokio::test]
    async fn what_is_tiny_is_done_here() {
        let desk = Desk::new(1);
        let here = std::thread::current().id();
        let mut elsewhere = 0;
        for _ in 0..500 {
            let thread = desk.run(piece(None), || std::thread::current().id()).await;
            elsewhere += usize::from(thread != Ok(here));
        }
        assert!((1..490).contains(&elsewhere), "{elsewhere}");
    }

    #[tokio::test]
    async fn work_that_would_come_too_late_is_refused_and_what_is_not_wanted_is_not_done() {
        let desk = Desk::new(1);
        let (sender, blocked) = channel::<()>();
        let (first_runs, is_running) = channel();
        let long = |size| Piece {
            size,
            ..piece(None)
        };
        // Nothing is known of these: they wait for a thread.
        let mut first = Box::pin(desk.run(long(1 << 20), move || {
            first_runs.send(()).unwrap();
            blocked.recv().unwrap();
        }));
        assert!(futures_poll(&mut first).is_pending());
        is_running.recv().unwrap();
        let mut second = Box::pin(desk.run(long(1 << 21), || panic!("nobody wants it")));
        assert!(futures_poll(&mut second).is_pending());
        let soon = Piece {
            until: Some(Instant::now() + Duration::from_micros(900)),
            ..long(1 << 22)
        };
        let refused = desk.run(soon, || ()).await;
        assert!(matches!(
            refused,
            Err(Refusal::NoSlot { .. } | Refusal::Expired)
        ));
        drop(second);
        sender.send(()).unwrap();
        assert_eq!(first.await, Ok(()));
        assert_eq!(desk.run(piece(None), || 1).await, Ok(1));
    }

    fn futures_poll<F: Future>(future: &mut std::pin::Pin<Box<F>>) -> std::task::Poll<F::Output> {
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        future.as_mut().poll(&mut context)
    }
}
