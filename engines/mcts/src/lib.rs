//! Monte Carlo tree search for one decision maker: no players, no chance.
//!
//! # Problem
//! A [`Domain`] gives a root state, the legal actions of a state, their effect, and the exact cost
//! of a terminal state (one without actions). Searched for: a terminal state of least cost.
//!
//! # Method
//! UCT: selection by UCB1, expansion, rollout, backpropagation, after Kartal, "Stochastic tree
//! search techniques for planning in games and other domains", University of Minnesota 2016,
//! section 2.3, Algorithm 1 and equation 2.1. A [`Guide`] gives hints (order, rollouts,
//! exploitation, local search); a [`Bound`] cuts. [`Search::commit`] is for searches that plan one
//! action at a time (Algorithm 5); [`parallel`] drives several trees (section 4.6). Differences: a
//! node's block of links is allocated at its second visit; parts of the tree that can hold nothing
//! better than the incumbent are *closed* and never visited again, so that a small problem ends
//! with a proof.
//!
//! # Guarantees
//! * The best terminal state seen is kept and its cost is exact. Reward only guides.
//! * [`Search::is_exhausted`] is a proof that nothing is better than the best of all incumbents,
//!   whatever the guide says, if domain and bound keep their contracts.
//! * Same domain, guide, bound, settings and incumbents: same search, on every machine. All
//!   arithmetic that decides is exact integers or plain IEEE operations.
//! * The node limit is kept. When it is reached the tree stops growing and the search goes on
//!   sampling; the room of closed parts is used again, a little at a time.
//! * No allocation per iteration once the scratch space is warm, if the domain's
//!   `State::clone_from` and `actions` do not allocate.
//!
//! # Units
//! Rewards in [0, 1]. Depth and sizes in actions, nodes and links. No clock.
//!
//! # Limits
//! [`Settings::nodes_max`] nodes of [`node_bytes`] bytes each and, once closed, 8 more;
//! [`LINKS_PER_NODE`] links a node on average, of 8 bytes where an action has at most 4;
//! [`Settings::depth_max`] actions in a row.
//!
//! # Examples
//! The least number of coins that make 11, of 1, 5 and 7:
//! ```
//! use mcts::{Domain, NoBound, Outcome, Plain, Search, Settings, Step};
//!
//! struct Coins;
//!
//! impl Domain for Coins {
//!     type State = (u32, u32); // what is left to pay, coins used
//!     type Action = u32;
//!     type Cost = u32;
//!     fn root(&self) -> (u32, u32) {
//!         (11, 0)
//!     }
//!     fn actions(&self, &(left, _): &(u32, u32), out: &mut Vec<u32>) {
//!         out.extend([1, 5, 7].into_iter().filter(|coin| *coin <= left));
//!     }
//!     fn apply(&self, (left, used): &mut (u32, u32), coin: u32) {
//!         *left -= coin;
//!         *used += 1;
//!     }
//!     fn outcome(&self, &(_, used): &(u32, u32)) -> Outcome<u32> {
//!         Outcome { cost: used, reward: 1.0 / f64::from(used) }
//!     }
//! }
//!
//! let mut search = Search::new(&Coins, Plain, NoBound, Settings::default());
//! while search.step(None) != Step::Finished {}
//! assert!(search.is_exhausted());
//! assert_eq!(search.best().map(|(_, cost)| cost), Some(3)); // 5 + 5 + 1
//! ```

mod bound;
mod domain;
mod guide;
mod parallel;
mod recycle;
mod search;
mod settings;
mod tree;
mod ucb;

pub use bound::{Bound, NoBound};
pub use domain::{Domain, Outcome};
pub use guide::{Guide, Plain};
pub use parallel::{ParallelSettings, exploration_constants, forest, parallel};
pub use search::{Search, Step};
pub use settings::Settings;
pub use tree::{LINKS_PER_NODE, NODES_MAX, node_bytes};

/// The random number generator of a search, the same on all machines.
pub type Rng = rand_xoshiro::Xoshiro256PlusPlus;
