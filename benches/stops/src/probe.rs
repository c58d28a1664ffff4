//! Observes the looks of one search at its stop signal.

use anytime::{CancelToken, Stop};
use rustix::time::{ClockId, clock_gettime};
use std::backtrace::Backtrace;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// Frames that are recorded of a place.
const FRAMES: usize = 9;

thread_local! {
    /// Processor time of this thread at its last look.
    static LAST: Cell<u64> = const { Cell::new(0) };
}

/// What a probe does besides observing.
#[derive(Debug, Clone, Copy)]
pub struct Wish {
    /// After this look, the first is 0, the search is asked to stop.
    pub stop_at: u64,
    /// The search is stopped after this processor time of a thread, in nanoseconds.
    pub processor_max: u64,
    /// Whether the places of looks before and after a stop are recorded.
    pub places: bool,
}

impl Wish {
    /// To let a search run for this processor time.
    #[must_use]
    pub fn until(processor_max: u64) -> Self {
        Self {
            stop_at: u64::MAX,
            processor_max,
            places: false,
        }
    }
}

/// What was observed; times are processor times of a thread in nanoseconds.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Number of looks.
    pub looks: u64,
    /// Looks after that which asked for a stop.
    pub looks_after: u64,
    /// The longest time between two looks, or from the start to the first, or from the last to the
    /// end.
    pub gap: u64,
    /// The number of the look with which it ended.
    pub gap_at: u64,
    /// From the look that asked for a stop to the end; none if the search ended before.
    pub stop: Option<u64>,
    /// Of the whole search.
    pub total: u64,
    /// Where the search was, when it was asked to stop and when it looked next.
    pub places: Vec<String>,
}

#[derive(Default)]
struct Seen {
    looks: AtomicU64,
    after: AtomicU64,
    gap: AtomicU64,
    gap_at: AtomicU64,
    /// One more than the time at which the search was asked to stop; 0: not yet.
    asked: AtomicU64,
    /// Spent on recording places since then.
    recording: AtomicU64,
    /// Spent on recording places.
    recorded: AtomicU64,
    places: Mutex<Vec<String>>,
}

/// Observes one run of a search.
pub struct Probe {
    seen: Arc<Seen>,
    token: CancelToken,
    begin: u64,
}

impl Probe {
    /// A probe of a search that begins now on this thread.
    #[must_use]
    pub fn new(wish: Wish) -> Self {
        let seen = Arc::new(Seen::default());
        let observer = Arc::clone(&seen);
        let token = CancelToken::observed(move || observer.look(wish));
        let begin = used();
        LAST.set(begin);
        Self { seen, token, begin }
    }

    /// What the search is to look at.
    #[must_use]
    pub fn token(&self) -> &CancelToken {
        &self.token
    }

    /// What was observed, once the search is over.
    #[must_use]
    pub fn report(&self) -> Report {
        let (now, seen) = (used(), &self.seen);
        seen.gap(now.saturating_sub(LAST.get()), seen.looks.load(Relaxed));
        let asked = seen.asked.load(Relaxed) + seen.recording.load(Relaxed);
        Report {
            looks: seen.looks.load(Relaxed),
            looks_after: seen.after.load(Relaxed),
            gap: seen.gap.load(Relaxed),
            gap_at: seen.gap_at.load(Relaxed),
            stop: (asked > 0).then(|| now.saturating_sub(asked - 1)),
            total: (now - self.begin).saturating_sub(seen.recorded.load(Relaxed)),
            places: seen.places.lock().expect("a whole list").clone(),
        }
    }
}

impl Seen {
    fn look(&self, wish: Wish) -> Option<Stop> {
        let now = used();
        let index = self.looks.fetch_add(1, Relaxed);
        self.gap(now.saturating_sub(LAST.get()), index);
        let over = index > wish.stop_at || now > wish.processor_max;
        if over {
            self.after.fetch_add(1, Relaxed);
        }
        if wish.places && (index == wish.stop_at || index == wish.stop_at.wrapping_add(1)) {
            self.places.lock().expect("a whole list").push(place());
        }
        let (before, now) = (now, used());
        if wish.places {
            self.recorded.fetch_add(now - before, Relaxed);
        }
        if self.asked.load(Relaxed) > 0 && wish.places {
            self.recording.fetch_add(now - before, Relaxed);
        }
        if index == wish.stop_at || (over && self.asked.load(Relaxed) == 0) {
            self.asked.store(now + 1, Relaxed);
        }
        LAST.set(now);
        over.then_some(Stop::Cancelled)
    }

    fn gap(&self, gap: u64, index: u64) {
        if gap > self.gap.load(Relaxed) {
            self.gap.store(gap, Relaxed);
            self.gap_at.store(index, Relaxed);
        }
    }
}

/// Processor time of this thread, in nanoseconds.
fn used() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let whole = u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000;
    whole + u64::try_from(time.tv_nsec).unwrap_or(0)
}

/// The innermost lines of planners and engines on this thread, where the build knows them: with
/// `CARGO_PROFILE_BENCH_DEBUG=line-tables-only`.
fn place() -> String {
    let trace = Backtrace::force_capture().to_string();
    let lines = trace
        .lines()
        .filter_map(|line| line.trim().strip_prefix("at ./"));
    let ours = lines.filter(|line| {
        let planner = line.starts_with("planners/") || line.starts_with("engines/");
        planner && !line.starts_with("engines/anytime/")
    });
    let short = |line: &str| {
        line.rsplit_once(':')
            .map_or(line, |(line, _)| line)
            .to_owned()
    };
    let ours: Vec<String> = ours.take(FRAMES).map(short).collect();
    ours.join(" < ")
}
