//! Threads for computing, less urgent than those that serve the network.
//!
//! On Linux each thread has a niceness, threads inherit it from the one that starts them, and a
//! thread that wakes up gets the processor before a nicer one that runs. A thread cannot take its
//! niceness back without privileges: so each urgency has threads of its own.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a thread without work waits for some.
const IDLE_MAX: Duration = Duration::from_secs(10);

/// How soon the system gives a thread the processor, against others that want it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// As soon as the network's threads. For work of at most some milliseconds.
    Network,
    /// Before long searches: searches that somebody waits for, of up to a tenth of a second.
    Short,
    /// Other searches of calls.
    Long,
    /// When nothing else wants it: jobs, and searches of the lowest class.
    Background,
}

impl Urgency {
    /// Weights of these are 1,024, 423, 110 and 15 (`kernel/sched/core.c`, `sched_prio_to_weight`).
    fn niceness(self) -> i32 {
        match self {
            Self::Network => 0,
            Self::Short => 4,
            Self::Long => 10,
            Self::Background => 19,
        }
    }
}

type Task = Box<dyn FnOnce() + Send>;

/// Threads of one urgency: as many as there are tasks, kept for a while. Clones share them.
#[derive(Clone)]
pub struct Threads(Arc<Shared>);

struct Shared {
    urgency: Urgency,
    state: Mutex<State>,
    woken: Condvar,
}

#[derive(Default)]
struct State {
    tasks: VecDeque<Task>,
    /// Threads that wait for a task.
    idle: usize,
}

impl Threads {
    /// No threads yet.
    pub fn new(urgency: Urgency) -> Self {
        Self(Arc::new(Shared {
            urgency,
            state: Mutex::default(),
            woken: Condvar::new(),
        }))
    }

    /// Runs a task on a thread of its own. A task that panics harms no other.
    pub fn spawn(&self, task: impl FnOnce() + Send + 'static) {
        let mut state = self.0.lock();
        state.tasks.push_back(Box::new(task));
        if state.tasks.len() <= state.idle {
            self.0.woken.notify_one();
            return;
        }
        drop(state);
        let shared = Arc::clone(&self.0);
        let thread = std::thread::Builder::new().name("compute".into());
        if let Err(error) = thread.spawn(move || shared.run()) {
            // It waits for a thread that has something to do now.
            tracing::error!("no thread for a search: {error}");
        }
    }
}

impl Shared {
    /// Runs tasks until there have been none for a while.
    fn run(&self) {
        yield_to_others(self.urgency);
        let mut state = self.lock();
        loop {
            if let Some(task) = state.tasks.pop_front() {
                drop(state);
                // The panic was reported by its hook.
                let _ = catch_unwind(AssertUnwindSafe(task));
                state = self.lock();
                continue;
            }
            state.idle += 1;
            let waited = self.woken.wait_timeout(state, IDLE_MAX);
            let (woken, time) = waited.unwrap_or_else(PoisonError::into_inner);
            state = woken;
            state.idle -= 1;
            if time.timed_out() && state.tasks.is_empty() {
                return;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gives this thread its niceness, and all that it starts.
fn yield_to_others(urgency: Urgency) {
    // Elsewhere it would be that of the whole process.
    if cfg!(target_os = "linux") && urgency != Urgency::Network {
        // Linux knows threads by the numbers of processes. Without the right to do so, it is as
        // before.
        let _ = rustix::process::setpriority_process(None, urgency.niceness());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::thread::ThreadId;

    fn thread_of(threads: &Threads) -> ThreadId {
        let (sender, receiver) = channel();
        threads.spawn(move || sender.send(std::thread::current().id()).unwrap());
        receiver.recv().unwrap()
    }

    #[test]
    fn tasks_that_wait_for_each_other_run_side_by_side() {
        let threads = Threads::new(Urgency::Network);
        let (first, second) = (channel(), channel());
        threads.spawn(move || {
            first.0.send(()).unwrap();
            second.1.recv().unwrap();
        });
        threads.spawn(move || {
            first.1.recv().unwrap();
            second.0.send(()).unwrap();
        });
        // Threads are used again, also after a panic.
        threads.spawn(|| panic!("of a task"));
        let known: Vec<_> = (0..50).map(|_| thread_of(&threads)).collect();
        let mut different = known.clone();
        different.sort_by_key(|id| format!("{id:?}"));
        different.dedup();
        assert!(different.len() < known.len());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn each_urgency_has_its_niceness() {
        let (sender, receiver) = channel();
        for urgency in [Urgency::Short, Urgency::Long, Urgency::Background] {
            let sender = sender.clone();
            Threads::new(urgency).spawn(move || {
                // Threads inherit it.
                let inner = std::thread::spawn(|| rustix::process::getpriority_process(None));
                sender.send(inner.join().unwrap().unwrap()).unwrap();
            });
            assert_eq!(receiver.recv().unwrap(), urgency.niceness());
        }
    }
}
