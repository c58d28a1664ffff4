//! Simple temporal networks, with and without uncertainty.
//!
//! # Problem
//! Nodes are points in time, an [`Edge`] says that one is at most so long after another. Is there a
//! time for every node that obeys all edges? If so, which: the earliest, the latest, and how far
//! apart can two nodes be? If not, which edges contradict each other?
//!
//! # Units
//! Integer microseconds ([`Time`]).
//!
//! # Limits
//! [`NODES_MAX`] nodes, weights within [`TIME_MAX`]: together they make sure that no sum along a
//! path leaves 64 bits.

mod arcs;
mod closure;
mod conflict;
mod cycle;
mod edge;
mod potential;
mod propagate;
mod schedule;
mod shortest;
pub mod uncertain;

pub use closure::{Closure, TrailedClosure, UNBOUNDED};
pub use conflict::{Conflict, Refusal, cycle_sum};
pub use edge::{Edge, InputError, NODES_MAX, TIME_MAX, Time, check_edge, check_edges};
pub use potential::potentials;
pub use propagate::Propagator;
pub use schedule::{earliest, latest};
