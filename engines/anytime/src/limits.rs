//! What a search may use.

use crate::CancelToken;
use std::time::Instant;

/// Default of the nodes of search trees, all trees of a solve together. About 64 bytes each and as
/// much again for links to children.
pub const NODES_DEFAULT: usize = 500_000;

/// Most threads that one search uses.
pub const THREADS_MAX: usize = 64;

/// What a search may use. Everything has a limit; time and iterations may be left open when the
/// other ends the search.
#[derive(Debug, Clone)]
pub struct Limits {
    /// When the answer has to be there.
    pub deadline: Option<Instant>,
    /// Iterations, all threads together.
    pub iterations_max: Option<u64>,
    /// Nodes kept by tree searches, all trees together. When it is reached, trees stop growing and
    /// the search goes on.
    pub nodes_max: usize,
    /// Threads that may work simultaneously, 1 to [`THREADS_MAX`]. Never changes the answer under
    /// an iteration limit.
    pub threads: usize,
    /// Asks to stop from outside.
    pub cancel: CancelToken,
}

impl Limits {
    /// One thread, no deadline, `iterations_max` iterations: what tests use.
    #[must_use]
    pub fn iterations(iterations_max: u64) -> Self {
        Self {
            iterations_max: Some(iterations_max),
            ..Self::open()
        }
    }

    /// One thread, until `deadline`.
    #[must_use]
    pub fn until(deadline: Instant) -> Self {
        Self {
            deadline: Some(deadline),
            ..Self::open()
        }
    }

    /// The same with `threads` threads.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self {
            threads: threads.clamp(1, THREADS_MAX),
            ..self
        }
    }

    /// The same with room for `nodes_max` nodes.
    #[must_use]
    pub fn with_nodes(self, nodes_max: usize) -> Self {
        Self { nodes_max, ..self }
    }

    /// The same, stopped by `cancel`.
    #[must_use]
    pub fn with_cancel(self, cancel: CancelToken) -> Self {
        Self { cancel, ..self }
    }

    fn open() -> Self {
        Self {
            deadline: None,
            iterations_max: None,
            nodes_max: NODES_DEFAULT,
            threads: 1,
            cancel: CancelToken::new(),
        }
    }
}
