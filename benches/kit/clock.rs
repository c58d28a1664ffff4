//! What benches of one thread measure and read from outside.

#[path = "processor.rs"]
mod processor;

use processor::processor;
use std::sync::OnceLock;
use std::time::Instant;

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// Seconds that this thread was on a processor; by the clock where the system does not report that,
/// or where `STRATAGEM_CLOCK` is set.
pub(crate) fn used() -> f64 {
    if setting("STRATAGEM_CLOCK").is_none()
        && let Some(time) = processor()
    {
        return time.as_secs_f64();
    }
    static START: OnceLock<Instant> = OnceLock::new();
    now().duration_since(*START.get_or_init(now)).as_secs_f64()
}

#[expect(clippy::disallowed_methods, reason = "settings come from outside")]
pub(crate) fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
