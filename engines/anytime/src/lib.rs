//! The contract between a planner and its runner.
//!
//! A planner is a function from a problem to better and better plans. It sees the outside only
//! through [`Control`]: permission to go on, plans, bounds, random numbers. The runner decides
//! about time, memory, threads and cancellation ([`Limits`]) and listens ([`Sink`]). The result is
//! a [`Conclusion`]: exhausted time and proved infeasibility are conclusions, not errors.
//!
//! # Reproducibility
//! With an iteration limit and a seed, the plan is a function of problem and parameters. The number
//! of threads, their timing and the machine do not change it, if the planner divides its work by a
//! parameter (trees, islands) and joins results at barriers counted in iterations: see
//! [`Control::fork`].
//!
//! # The clock
//! It is read in this crate alone, in `pulse.rs`.

mod cancel;
pub mod check;
mod conclusion;
mod control;
mod fault;
mod islands;
mod limits;
pub mod math;
mod path;
mod planner;
mod pulse;
mod reason;
mod record;
mod runner;
mod seed;
mod strategy;
mod ticker;

pub use cancel::{CancelGuard, CancelToken};
pub use conclusion::{Conclusion, SolveError, Stop};
pub use control::{Control, Offer, Sink, Translate};
pub use fault::{
    Argument, Fault, Names, Time, Unnamed, element, millionths, placeholders, quoted, time,
};
pub use islands::{Rounds, on_threads};
pub use limits::{Limits, NODES_DEFAULT, THREADS_MAX};
pub use path::{Path, Step, written};
pub use planner::Planner;
pub use pulse::Pulse;
pub use reason::Reason;
pub use record::{Record, record};
pub use runner::{Bound, Found, Mark, Outcome, Runnable, Snapshot, Timings};
pub use seed::{SplitMix64, derive_seed};
pub use strategy::StrategyInfo;
pub use ticker::Ticker;
