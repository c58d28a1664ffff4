//! Alarms on a separate thread: an answer leaves on time, however busy the threads of the network
//! are.
//!
//! tokio's timers are precise to a millisecond and run on the threads that serve the network. Here
//! a thread sleeps until the next alarm; the system gives it the processor before any search, whose
//! threads are less urgent.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// The alarms of the process.
static TIMER: LazyLock<Timer> = LazyLock::new(|| {
    let started = std::thread::Builder::new().name("timer".into());
    // Without it every alarm would be late: better no server.
    let started = started.spawn(|| TIMER.run());
    drop(started.expect("the system has room for one more thread"));
    Timer::default()
});

#[derive(Default)]
struct Timer {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// In the order of their moments; the number keeps alarms of one moment apart.
    alarms: BTreeMap<(Instant, u64), Waker>,
    next: u64,
}

/// Ends at this moment, at most some 0.1 ms later on a machine that is not overloaded.
pub fn sleep_until(when: Instant) -> Alarm {
    Alarm { when, key: None }
}

/// See [`sleep_until`].
#[derive(Debug)]
pub struct Alarm {
    when: Instant,
    /// Where it waits.
    key: Option<(Instant, u64)>,
}

impl Timer {
    /// Wakes what is due, for as long as the process runs.
    fn run(&self) {
        let mut state = self.lock();
        loop {
            let now = Instant::now();
            let mut due = Vec::new();
            while let Some(first) = state.alarms.first_entry()
                && first.key().0 <= now
            {
                due.push(first.remove());
            }
            if !due.is_empty() {
                drop(state);
                due.into_iter().for_each(Waker::wake);
                state = self.lock();
                continue;
            }
            let next = state.alarms.first_key_value().map(|((when, _), _)| *when);
            state = match next {
                Some(when) => {
                    let waited = self.changed.wait_timeout(state, when - now);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => {
                    let waited = self.changed.wait(state);
                    waited.unwrap_or_else(PoisonError::into_inner)
                }
            };
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Future for Alarm {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if Instant::now() >= self.when {
            return Poll::Ready(());
        }
        let mut state = TIMER.lock();
        let key = match self.key {
            Some(key) => key,
            None => {
                state.next += 1;
                (self.when, state.next)
            }
        };
        self.key = Some(key);
        state.alarms.insert(key, context.waker().clone());
        let is_first = state
            .alarms
            .first_key_value()
            .is_some_and(|it| *it.0 == key);
        drop(state);
        if is_first {
            TIMER.changed.notify_one();
        }
        Poll::Pending
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        if let Some(key) = self.key {
            TIMER.lock().alarms.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test]
    async fn alarms_end_in_the_order_of_their_moments_and_never_early() {
        // All are set before the first is due.
        let begin = Instant::now() + Duration::from_millis(500);
        let (sender, mut ended) = tokio::sync::mpsc::unbounded_channel();
        for millis in [30_u64, 10, 20, 0] {
            let sender = sender.clone();
            tokio::spawn(async move {
                let when = begin + Duration::from_millis(millis);
                sleep_until(when).await;
                let _ = sender.send((millis, Instant::now() >= when));
            });
        }
        drop(sender);
        let mut order = Vec::new();
        while let Some((millis, is_due)) = ended.recv().await {
            assert!(is_due, "{millis}");
            order.push(millis);
        }
        assert_eq!(order, [0, 10, 20, 30]);
    }

    #[tokio::test]
    async fn a_dropped_alarm_wakes_nothing_and_leaves_nothing() {
        let when = Instant::now() + Duration::from_secs(3_600);
        let mut alarm = sleep_until(when);
        let mut context = Context::from_waker(Waker::noop());
        assert!(Pin::new(&mut alarm).poll(&mut context).is_pending());
        let key = alarm.key.unwrap();
        assert!(TIMER.lock().alarms.contains_key(&key));
        drop(alarm);
        assert!(!TIMER.lock().alarms.contains_key(&key));
    }
}
