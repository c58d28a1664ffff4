//! How much a step of iterated local search removes.

/// Sizes of removals where tasks are few, and of many where routes are short and where they are
/// long. Small removals find improvements sooner, large ones find more.
pub(super) const REMOVAL: Removal = Removal {
    tasks_mean: 15.0,
    string_max: 15.0,
};
pub(super) const REMOVAL_MANY: [Removal; 2] = [
    Removal {
        tasks_mean: 6.0,
        string_max: 8.0,
    },
    Removal {
        tasks_mean: 10.0,
        string_max: 8.0,
    },
];

/// How much a step removes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Removal {
    /// Average number of tasks.
    pub(super) tasks_mean: f64,
    /// Longest string of tasks of a route.
    pub(super) string_max: f64,
}
