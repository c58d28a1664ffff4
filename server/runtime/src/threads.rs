//! Threads that search.

use super::Budget;
use crate::Class;
use crate::work::{Threads, Urgency};
use std::time::Duration;

/// Threads that search, by how much a search matters to those that wait for others. Clones share
/// them.
#[derive(Clone)]
pub struct SearchThreads {
    pub(super) short: Threads,
    pub(super) long: Threads,
    pub(super) background: Threads,
}

/// Searches of at most this length are short.
const SHORT_MAX: Duration = Duration::from_millis(100);

impl Default for SearchThreads {
    fn default() -> Self {
        Self {
            short: Threads::new(Urgency::Short),
            long: Threads::new(Urgency::Long),
            background: Threads::new(Urgency::Background),
        }
    }
}

impl SearchThreads {
    /// The threads for a search of a call.
    pub(super) fn for_call(&self, class: Class, budget: Budget) -> &Threads {
        match class {
            Class::Low => &self.background,
            Class::Normal if budget.length() > SHORT_MAX => &self.long,
            Class::Normal | Class::High => &self.short,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn the_lowest_class_yields_however_short_it_is() {
        let threads = SearchThreads::default();
        let budget = |length| {
            let length = Duration::from_millis(length);
            Budget::new(Instant::now(), None, length, length)
        };
        for (class, length, wanted) in [
            (Class::Low, 5, &threads.background),
            (Class::Low, 500, &threads.background),
            (Class::Normal, 100, &threads.short),
            (Class::Normal, 101, &threads.long),
            (Class::High, 500, &threads.short),
        ] {
            let given = threads.for_call(class, budget(length));
            assert!(std::ptr::eq(given, wanted), "{class:?}, {length} ms");
        }
    }
}
