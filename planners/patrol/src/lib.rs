//! Patrol: cyclic routes of guards that capture intruders.
//!
//! # Problem
//! Guards patrol a graph. A plan has one patrol route for each guard: a prefix, followed once from
//! the vertex of the guard at tick 0, and a cycle, repeated without end. A route is a list of
//! stops; each is at a neighbour of the previous one. A guard stays at a stop for a number of ticks
//! and then takes ceil(length / speed) ticks to the next.
//!
//! * At each tick a guard at a vertex sees the vertices that are listed as visible from it, and
//!   always the vertex itself. A guard that left a vertex i ticks ago on an edge of length l that
//!   takes it t ticks is floor(i * l / t) steps along it. At 0 steps it still counts as at the
//!   vertex; at more it sees that point of the edge and nothing else.
//! * The *intruder* enters at a vertex, drawn by the weights, at a tick drawn by [`Entry`]. It is
//!   captured when a guard sees its place at one of a given number of instants, the first at entry.
//!   Between two instants a *stationary* intruder stays and a *dynamic* one moves ([`Motion`]), on
//!   edges in steps of one tick at speed 1. An intruder that passes a guard on an edge is not seen.
//! * Side constraints: guards stay only where that is allowed; where a pause is required, each
//!   visit lasts at least that long. Guards pass each other on an edge only where that is allowed.
//!   A vertex with a gap is unseen, once in each joint period, for a number of consecutive ticks.
//!
//! The *joint period* is the least common multiple of the durations of all cycles; after the last
//! prefix everything repeats with it. The cost is a weighted sum of the probability of escape and
//! of idleness ([`Terms`]). The default objective is the probability of escape.
//!
//! [`verify`](fn@verify) decides, and shares no code with the search. [`mixed_strategy`] searches
//! for a mixed strategy against an intruder that knows the patrol and picks the vertex of entry.
//! [`diverse`] searches for several plans that differ.
//!
//! # Method
//! [`Strategy::Auto`], entry at tick 0: beam search over the positions of guards and the belief
//! about the intruder, large neighbourhood search in windows of time, and branch and bound for one
//! guard. Entry at any time: teams of guards on rounds, at first by greedy set cover, 2-opt and
//! Or-opt, then simulated annealing, four tasks at a time on the given threads, and a Lagrangian
//! bound. Annealing evaluates single rounds against a stationary intruder, and whole plans on a
//! sample of entries against a dynamic one. Side constraints that simple plans violate are searched
//! for in the joint states of all guards. The other strategies are the Monte Carlo tree searches of
//! the thesis.
//!
//! Warm start ([`Params::warm`]): every guard continues the route of a previous plan from where it
//! is now. That is the first plan, and beams and rounds begin with it, too; guards that share a
//! cycle spread over it again. Trees only have to find better plans.
//!
//! # Example
//! A guard on a ring of four rooms against an intruder that stays for three ticks:
//!
//! ```
//! use anytime::{Conclusion, Limits, record};
//! use patrol::generate::{ring, staying};
//! use patrol::{Params, Problem, solve, verify};
//!
//! let problem = Problem::new(staying(ring(4, 1), 3)).unwrap();
//! let params = Params::default();
//! let search = record(Limits::iterations(1_000), 1, |control| {
//!     solve(&problem, &params, control)
//! });
//! let mut found = search.unwrap();
//! let (plan, cost) = found.offers.pop().unwrap();
//! assert_eq!(found.conclusion, Conclusion::Optimal);
//! assert_eq!(verify(&problem, &plan), Ok(cost));
//! assert_eq!(cost.level(), 0.0, "the guard sees every room every four ticks");
//! ```
//!
//! # Guarantees
//! * Same problem, parameters and seed: same plans, under an iteration limit.
//! * Every plan offered passes [`verify`](fn@verify) at the cost claimed, and each costs less than
//!   the one before.
//! * No plan costs less than a reported bound; optimal and infeasible are concluded with proof
//!   only. Optimal holds to 2 * 10^-9 of the probability of escape: bounds are computed in doubles.
//! * The first plan never costs more than the previous plan continued, with the exceptions of
//!   [`Params::warm`].
//! * In a small world (60,000 joint states of all guards) side constraints are satisfied, or proved
//!   infeasible.
//! * The search checks whether to stop at least every 200,000 steps of an evaluation, and so do
//!   verification and evaluation with a stop condition ([`evaluate_until`] and the like). Plans of
//!   more than [`plan::WORK_MAX`] steps are not evaluated.
//!
//! # Units
//! Times: whole ticks. Probabilities: whole multiples of 2^-60 ([`problem::PROBABILITY_ONE`]), so
//! that search and verification agree to the last bit; the remainder of a division stays at its
//! place, which moves less than 10^-10 of an intruder. Vertices, guards, edges: indices from 0.
//!
//! # Limits
//! Constants of [`problem`] and [`plan`].
//!
//! # Source
//! Kartal, "Stochastic tree search for planning in games", dissertation, University of Minnesota,
//! 2016, chapter 3; Kartal, Godoy, Karamouzas, Guy, "Stochastic tree search with useful cycles for
//! patrolling problems", ICRA 2015. Differences: intruders are followed exactly where the thesis
//! samples them; edges have lengths, guards have speeds and sights.

mod context;
pub mod diverse;
pub mod evaluate;
pub mod execution;
pub mod generate;
pub mod mixed_strategy;
pub mod plan;
pub mod problem;
mod runner;
pub mod solve;
pub mod verify;

pub use evaluate::{Evaluation, evaluate, evaluate_until};
pub use plan::{Cost, Plan, Route, Stop, Terms};
pub use problem::{Entry, Motion, Problem, Spec};
pub use runner::Variant;
pub use solve::{Params, Strategy, solve};
pub use verify::verify;

anytime::planner! {
    /// The planner of patrols.
    pub struct Patrol {
        problem: Problem,
        params: Params,
        plan: Plan,
        cost: Cost,
        solve: solve,
        verify: verify,
        verify_until: |problem: &Problem, plan, pulse| {
            let terms = verify::terms_until(problem, plan, pulse)?;
            Some(terms.map(|terms| verify::cost(&problem.objective(), &terms)))
        },
    }
}
