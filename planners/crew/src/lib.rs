//! Crew: who takes which tool to the emergency, and what that costs in time and damage.
//!
//! # Problem
//! A ship is a graph of vertices and one-way arcs. Players stand at vertices, tools lie at
//! vertices, something burns at the *event* vertex. A player who takes part fetches one tool and
//! carries it to the event; no tool is shared. Arcs take time, and damage the players that walk
//! them: one amount on the leg to a tool, one on the leg to the event. When k players have come
//! together, the task takes them another time tau_k and does them another damage delta_k. The
//! result is, for each number of players wanted, all *points* (worst time, worst damage) that are
//! not dominated by another one, each with the tool and the two legs of each player.
//!
//! With several events each has its own fronts, as if there were no other, and all together have
//! one: players and tools are for one event each, as many events as can be are done, those of low
//! rank first, and points are by worst time and worst damage of all.
//!
//! [`verify`](fn@verify) decides, and shares no code with the search.
//!
//! # Method
//! The decomposition of the paper, exact at each step: all legs that are not dominated, by labels
//! in order of time (a label is retained when it does less damage than all before it at its
//! vertex); legs to tools and to the event joined, equation 27; then, for each number of players,
//! points from the fastest to the least harmful, each by a few augmenting paths from the one
//! before, where the paper enumerates. Each point comes with an assignment of least total time, and
//! with others on request. On large ships cheapest legs bound all points beforehand, so that few
//! labels are retained. Routes that come to no vertex twice are searched where two best legs joined
//! do not do. Several events share players and tools by a search of limited length inside of two
//! bisections.
//!
//! With feature `milp` there is the paper's program too, equations 1 to 22: the reference that the
//! decomposition is compared with.
//!
//! # Guarantees
//! * Fronts marked as known are complete: no plan has a point that is not dominated by a point of
//!   its front. Others are open only where routes may come to no vertex twice, or memory is
//!   exhausted; for several events together, where sharing takes too long: then the bound of each
//!   point is proved.
//! * Same problem: same answer. Nothing is random.
//!
//! # Units
//! Times in microseconds, damage in millionths of a point, both whole. Vertices, players and tools:
//! indices from 0.
//!
//! # Limits
//! Constants of [`problem`].
//!
//! # Source
//! Liberatore, "Optimizing players operations in the multiplayer cooperative game Toward the
//! Stars", 2014. Differences: the limit of damage is strict or not ([`Limit`]); delta_k, which
//! equation 17 forgets, is added to the damage of every player.

pub mod compare;
pub mod explain;
pub mod generate;
pub mod plan;
pub mod problem;
mod runner;
pub mod solve;
pub mod verify;

pub use plan::{Cost, Front, Joint, JointPoint, Move, Plan, Point, Role, Team};
pub use problem::{Arc, Effort, Event, Limit, Problem, Spec};
pub use runner::Crew;
pub use solve::{Params, Strategy, fronts, solve};
pub use verify::verify;
