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
