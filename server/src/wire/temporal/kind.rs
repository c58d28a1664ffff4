//! The planners for the runner.

use crate::run::Kind;
use ::temporal::{Levels, Network, Strong};
use std::convert::Infallible;

// Both temporal planners answer questions: a finding is never partial, and has its own reasons in
// it.
impl Kind for Strong {
    const NAME: &'static str = "temporal";
    const PAIR_BYTES: usize = 48;
    type Reasons = Infallible;

    fn elements(network: &Network) -> usize {
        network.owners().len()
    }
}

impl Kind for Levels {
    const NAME: &'static str = "temporal";
    const PAIR_BYTES: usize = 48;
    type Reasons = Infallible;

    fn elements(network: &Network) -> usize {
        network.owners().len()
    }
}
