//! Plans and costs: plain data.

/// A schedule: when each activity starts, and in which mode.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// One for each activity; plans of the search are in the order of the problem.
    pub activities: Vec<ScheduledActivity>,
}

/// When an activity takes place, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ScheduledActivity {
    /// Index of the activity.
    pub activity: usize,
    /// Its start, in microseconds from the start of the project.
    pub start_us: i64,
    /// Index of its mode.
    pub mode: usize,
}

/// What is minimised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cost {
    /// The makespan: the end of the last activity, in microseconds; 0 without activities.
    pub makespan_us: i64,
}
