//! Simple temporal networks, with and without uncertainty.
//!
//! # Problem
//! A simple temporal network (STN) has nodes, which are points in time, and edges, which are
//! difference constraints: an [`Edge`] says `t[to] - t[from] <= weight`. Is there a time for each
//! node that satisfies all edges? If so, which: the earliest, the latest, and what is the tightest
//! bound between two nodes? If not, which edges contradict each other? The same for networks that
//! grow and shrink along a search, and, in [`uncertain`], for networks in which Nature decides some
//! durations (STNU).
//!
//! # Method
//! Dechter, Meiri, Pearl, "Temporal constraint networks", Artificial Intelligence 49 (1991): a
//! solution is a potential of the distance graph, a contradiction a negative cycle, and the closure
//! is the distance matrix of all-pairs shortest paths.
//! * [`potentials`], [`earliest`], [`latest`]: Bellman-Ford, then Dijkstra.
//! * [`Closure`]: Floyd-Warshall, or Johnson, "Efficient algorithms for shortest paths in sparse
//!   networks", Journal of the ACM 24 (1977). One more edge costs O(nodes^2).
//! * [`TrailedClosure`]: a closure with levels, for searches.
//! * [`dispatch`]: execution of the network that a strategy is; [`progress`]: what it leaves.
//! * [`check`]: closures and dynamic controllability again, for checks of plans: it shares no code
//!   with the rest.
//!
//! # Guarantees
//! * A [`Conflict`] is a simple negative cycle of edges that were given, so each of them is needed.
//!   [`cycle_sum`] checks it and shares no code with what found it.
//! * No sum overflows and none is rounded: what could is an [`InputError`] before it is used.
//! * What is refused changes nothing; what is taken back leaves no trace in bounds and answers.
//! * Same calls, same answers, on every machine.
//!
//! # Units
//! Integer microseconds ([`Time`]).
//!
//! # Limits
//! [`NODES_MAX`] nodes, weights within [`TIME_MAX`]: together they make sure that no sum along a
//! path leaves 64 bits. A closure takes 8 bytes a pair of nodes. [`check`] validates nothing: see
//! its limits.
//!
//! # Examples
//! ```
//! use stn::{Closure, Edge, earliest};
//! // Node 1 is 4 to 5 after node 0, node 2 at least 3 after node 1.
//! let edges = [Edge::new(0, 1, 5, 0), Edge::new(1, 0, -4, 1), Edge::new(2, 1, -3, 2)];
//! assert_eq!(earliest(3, &edges, 0).unwrap(), [Some(0), Some(4), Some(7)]);
//! // That node 2 is at most 6 after node 0 contradicts this.
//! let mut closure = Closure::new(3, &edges).unwrap();
//! let refusal = closure.insert(Edge::new(0, 2, 6, 3)).unwrap_err();
//! assert_eq!(refusal.conflict().unwrap().sum(), 6 - 3 - 4);
//! ```

mod arcs;
pub mod check;
mod closure;
mod conflict;
mod contingent_cycles;
mod cycle;
pub mod dispatch;
mod edge;
mod link;
mod potential;
pub mod progress;
mod schedule;
mod shortest;
pub mod uncertain;

pub use closure::{Closure, TrailedClosure, UNBOUNDED, tight_path};
pub use conflict::{Conflict, Refusal, cycle_sum};
pub use contingent_cycles::contingent_cycles;
pub use edge::{Edge, InputError, NODES_MAX, TIME_MAX, Time, check_edge, check_edges};
pub use link::{Contingent, Difference, Link};
pub use potential::{potentials, potentials_within};
pub use schedule::{earliest, latest};
