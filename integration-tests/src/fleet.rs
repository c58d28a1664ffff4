//! Sessions of many games on many servers, in virtual time: how ways to spread them share the load,
//! and what losses, releases and growth cost.
//!
//! The service has no owners of sessions and no log. `Spread::Owner` and `Spread::Bounded` are
//! designs that are compared with what balancers do.

mod costs;
mod storm;
mod world;

#[cfg(test)]
mod tests;

pub use costs::{Game, RESPONSE_BYTES, SEARCH_SHARE, SESSION_BYTES, SNAPSHOT_BYTES, UPDATE_BYTES};
pub use storm::{Loss, Storm, grow, lose, release};
pub use world::{Churn, Fleet, Spread};
