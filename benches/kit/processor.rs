//! Time on a processor, which other work on the machine does not stretch.

use std::time::Duration;

/// How long this thread was on a processor, where the system reports it: Linux does.
pub(crate) fn processor() -> Option<Duration> {
    // Brings the count up to date.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanos = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanos))
}
