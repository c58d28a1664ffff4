//! How one tree searches.

use anytime::NODES_DEFAULT;

/// How one tree searches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// C in equation 2.1 of Kartal 2016, at least 0. Higher explores more. Default: the square root
    /// of 2, for which UCB1 is proved to converge.
    pub exploration: f64,
    /// Nodes of the tree, 1 to [`NODES_MAX`](crate::NODES_MAX) (values outside are moved to the
    /// nearest), with [`LINKS_PER_NODE`](crate::LINKS_PER_NODE) links each on average. Default:
    /// [`NODES_DEFAULT`].
    pub nodes_max: usize,
    /// Actions in a row, from the domain's root. A rollout that is not over by then is given up: it
    /// scores reward 0 and offers nothing. A node that deep is closed, and with that the search
    /// cannot be a proof any more (it may still finish). For domains with unbounded paths.
    /// Default: 10,000.
    pub depth_max: usize,
    /// Random seed. Default: 0.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            exploration: std::f64::consts::SQRT_2,
            nodes_max: NODES_DEFAULT,
            depth_max: 10_000,
            seed: 0,
        }
    }
}
