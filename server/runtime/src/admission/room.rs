//! What admission has to give.

/// What there is beside slots.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// Requests that may wait.
    pub queue_max: usize,
    /// Memory that their problems may take.
    pub queue_bytes_max: usize,
    /// Memory that searches may take together.
    pub memory_max: usize,
}
