//! The two shapes in which a runner carries this planner.

use crate::solve::{LevelsParams, StrongParams, check_levels, check_strong};
use crate::{LevelFinding, Network, StrongFinding, Undecided, verify};
use anytime::{Pulse, Runnable};
use std::convert::Infallible;

anytime::planner! {
    /// The question whether fixed times for our events work: see [`check_strong`] and
    /// [`verify::finding`].
    pub struct Strong {
        problem: Network,
        params: StrongParams,
        plan: StrongFinding,
        cost: Undecided,
        solve: check_strong,
        verify: verify::finding,
        verify_until: |network, finding, pulse: &Pulse| {
            verify::finding_until(network, finding, pulse).ok()
        },
    }
}

anytime::planner! {
    /// Several questions in one call: see [`check_levels`] and [`verify::levels`].
    pub struct Levels {
        problem: Network,
        params: LevelsParams,
        plan: Vec<LevelFinding>,
        cost: Undecided,
        solve: check_levels,
        verify: verify::levels,
        verify_until: |network, findings, pulse: &Pulse| {
            verify::levels_until(network, findings, pulse).ok()
        },
    }
}

// Both temporal planners answer questions: a finding is never partial, and has its own reasons in
// it.
impl Runnable for Strong {
    const NAME: &'static str = "temporal";
    const PAIR_BYTES: usize = 48;
    type Reasons = Infallible;

    fn elements(network: &Network) -> usize {
        network.owners().len()
    }
}

impl Runnable for Levels {
    const NAME: &'static str = "temporal";
    const PAIR_BYTES: usize = 48;
    type Reasons = Infallible;

    fn elements(network: &Network) -> usize {
        network.owners().len()
    }
}
