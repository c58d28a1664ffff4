//! Heist: plans of burglars and guards, and levels with pitfalls.
//!
//! # Problem
//! A museum has rooms and doors between them; containers with keys and artifacts in them; vending
//! machines; cameras. A burglar wants artifacts and then to be somewhere; guards want to visit
//! rooms. Each of them has a belief about the world, which may be wrong. Per tick each does one of
//! eight actions ([`Action`]): approach, open, close, unlock, lock, enter, pick up, operate. An
//! agent is in one room and stands at one thing at most; after coming through a door it stands at
//! that door, on its other side.
//!
//! * The *plan* of an agent ([`solve()`]) is what the agent would do if the belief were true. The
//!   burglar enters no *trap room*: one with a camera that the burglar knows to be on, or with a
//!   guard that the burglar knows of and believes to stand still. Cost is the number of actions.
//! * A *game* ([`game`]) is the simulation: burglar and guards in step, each by their own plan, who
//!   plan again when they fail. The burglar is caught where a guard or a camera sees them. The
//!   player changes doors, containers, cameras and distracts people, at a price.
//! * *Help* ([`help`](mod@help)) are the player's interventions, as cheap as possible, with which
//!   the burglar wins.
//! * A *level* ([`mod@design`]) is a museum with traps on the burglar's path that the burglar does
//!   not know of, and that help can make the burglar avoid.
//!
//! # Method
//! [`solve()`] is A* over macro moves. One move goes through a door (approach, unlock, open,
//! enter); another takes an item. No action is grounded. Reachability is decided first, by a
//! delete-relaxation fixpoint in time linear in the museum. It is exact: opening, unlocking and
//! taking never hurt, and every move can be taken back. The lower bound is a Held-Karp tour through
//! the rooms that have to be visited, in an order that the locks allow, with the doors still to be
//! opened on the path to the farthest stop. With many stops, local search (Or-opt, 2-opt, threshold
//! accepting) improves their order first, in a canonical order of elements (colour refinement). and
//! paths instead of single actions: to approach, unlock, open and enter is one move, and so is to
//! take one item. Nothing is grounded. Whether there is a plan is decided before, in time linear in
//! the museum: opening, unlocking and taking never hurt, and every move can be taken back. Its
//! bound is a shortest tour through what has to be taken, in an order that the locks allow, with
//! the doors still to be opened on the path to the farthest stop. With many stops, local search
//! improves their order first, in a canonical order of elements (colour refinement).
//!
//! [`help()`](fn@help::help) is uniform-cost search over interventions, with the simulation as the
//! transition function. Each intervention is tried at the last moment at which it makes a
//! difference. Levels are made by Algorithm 1 of the paper, on sets of rooms grown level by level
//! (Apriori), and rated by its definitions F and F'.
//!
//! # Example
//! ```
//! use heist::generate::museum8;
//! use heist::solve::best_plan;
//! use heist::{AgentTask, BURGLAR, Cost, Problem, verify};
//!
//! // Eight rooms, as the burglar believes them to be.
//! let problem = Problem::new(museum8(), BURGLAR, &[]).unwrap();
//! let plan = best_plan(&AgentTask::new(&problem)).unwrap();
//! assert_eq!(verify(&problem, &plan), Ok(Cost { actions: 30 }));
//! ```
//!
//! # Guarantees
//! * Same problem and parameters: same plans. The search is not random.
//! * With more than 8 items to take and rooms to visit, the cost of a plan does not depend on the
//!   order in which a world names its elements. Exceptions: elements that colour refinement does
//!   not distinguish and no symmetry exchanges; and a refinement that ends early, after 1,500,000
//!   elements and edges, or stopped. With fewer items and rooms, ties go to the lower index, here
//!   and in games. a world names its elements, except where elements are alike for colour
//!   refinement and no symmetry exchanges them, and where the refinement ends early: after
//!   1,500,000 elements and joints, or stopped. With fewer, ties go to the lower index, here and in
//!   games.
//! * Every plan offered passes [`verify`](fn@verify) at the cost claimed, and each costs less than
//!   the one before.
//! * Optimal and infeasible are concluded with proof only.
//!
//! # Units
//! Times: ticks, of one action each. Rooms, doors, items, agents: indices from 0; the burglar is
//! agent 0.
//!
//! # Limits
//! Constants of [`museum`], [`world`], [`plan`], [`game`] and [`mod@design`].
//!
//! # Source
//! "Planning is the game: action planning as a design tool and game mechanism", Kadlec, Tóth,
//! Černý, Barták, Brom, AIIDE 2012. Differences: one planner of its own instead of an external one
//! for PDDL; picking up is an action of its own.

pub mod analysis;
pub mod budget;
pub mod design;
pub mod execution;
pub mod explain;
pub mod game;
pub mod generate;
pub mod help;
pub mod museum;
pub mod plan;
pub mod problem;
pub mod rules;
mod runner;
pub mod solve;
pub mod verify;
pub mod world;

pub use execution::{PlanOutcome, execute};
pub use museum::{Museum, Thing};
pub use plan::{Cost, Plan};
pub use problem::Problem;
pub use rules::{Action, Refusal};
pub use runner::{
    BurglarPlanner, DesignPlanner, LevelReport, LevelRequest, PlanReport, PlanRequest,
};
pub use solve::{AgentTask, Params, best_plan, exists, solve};
pub use verify::verify;
pub use world::{Agent, BURGLAR, Belief, Facts, Goal, LockState, Place, Position, Spec, World};

anytime::planner! {
    /// The planner of one agent, without reports about its plans.
    pub struct Burglar;
}
