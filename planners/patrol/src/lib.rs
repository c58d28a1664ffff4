//! Patrol: cyclic routes of guards that catch intruders.
//!
//! # Problem
//! Guards patrol a graph. A plan has one route for each guard: a prefix, walked once from the
//! vertex of the guard at tick 0, and a cycle, repeated without end. A route is a list of stops,
//! each at a neighbour of the one before; a guard stays at a stop for a number of ticks and then
//! takes the length of the edge, divided by its speed and rounded up, to the next.
//!
//! * At each tick a guard at a vertex sees the vertices that are listed as visible from it, and
//!   always the vertex itself. A guard that left a vertex i ticks ago on an edge of length l that
//!   takes it t ticks is i * l / t steps along it, rounded down. At 0 steps it still counts as at
//!   the vertex; at more it sees that point of the edge and nothing else.
//! * The *intruder* enters at a vertex, drawn by the weights, at a tick ([`Entry`]). It is caught
//!   when a guard sees its place at one of a given number of instants, the first at entry. Between
//!   two instants it stays or moves ([`Motion`]), on edges in steps of one tick at speed 1. An
//!   intruder that passes a guard on an edge is not seen.
//! * Guards stay only where that is allowed; where a pause is required, each visit lasts at least
//!   that long. Guards pass each other on an edge only where that is allowed. A vertex with a gap
//!   is unseen, once in each joint period, for a given number of ticks in a row.
//!
//! The *joint period* is the least common multiple of the durations of all cycles; once all
//! prefixes are over everything repeats after it. Cost is a weighted sum of the probability of
//! escape and of idleness ([`Terms`]). With the default objective it is the probability of escape
//! alone.
//!
//! [`verify`](fn@verify) decides, and shares no code with the search. [`mixture`] looks for a mixed
//! strategy against an intruder that knows the patrol and picks the vertex of entry: several plans
//! of which one is drawn. [`variety`] looks for several plans that differ.
//!
//! # Method
//! [`Strategy::Auto`], entry at tick 0: beam search over the positions of guards and what is left
//! of the intruder, stretches searched again, and branch and bound for one guard. Entry at any
//! time: teams of guards on closed walks, at first short tours past places from where much is seen,
//! then simulated annealing, four tasks at a time on the given threads. Annealing counts what
//! rounds miss of a stationary intruder; for a dynamic one it evaluates whole plans, on entries
//! that differ. Side constraints that simple plans violate are searched for in the joint states of
//! all guards. The other strategies are the tree searches of the thesis.
//!
//! Warm start ([`Params::warm`]): every guard goes on with the route of a previous plan from where
//! it is now. That is the first plan, and beams and rounds begin with it, too; guards that share a
//! cycle spread over it again. Trees only have to find better ones.
//!
//! # Guarantees
//! * Same problem, parameters and seed: same plans, under an iteration limit.
//! * Every plan offered passes [`verify`](fn@verify) at the cost claimed, and each costs less than
//!   the one before.
//! * No plan costs less than a reported bound; optimal and infeasible are concluded with proof
//!   only. Optimal holds to 2 * 10^-9 of the probability of escape, which proofs in doubles lose to
//!   rounding.
//! * The first plan never costs more than the previous plan continued, with the exceptions of
//!   [`Params::warm`].
//! * In a small world (60,000 joint states of all guards) side constraints are satisfied, or proved
//!   infeasible.
//! * The search checks whether to stop at least every 200,000 steps of an evaluation, and so do
//!   verification and evaluation with a stop condition ([`evaluate_until`] and its like). DiversePlans of
//!   more than [`plan::WORK_MAX`] steps are not evaluated.
//!
//! # Units
//! Times: whole ticks. Probabilities: whole multiples of 2^-60 ([`problem::PROBABILITY_ONE`]), so that
//! search and check agree to the last bit; what a division leaves over stays where it is, which
//! moves less than 10^-10 of an intruder. Vertices, guards, edges: indices from 0.
//!
//! # Limits
//! Constants of [`problem`] and [`plan`].
//!
//! # Source
//! Kartal, "Stochastic tree search for planning in games", dissertation, University of Minnesota,
//! 2016, chapter 3; Kartal, Godoy, Karamouzas, Guy, "Stochastic tree search with useful cycles for
//! patrolling problems", ICRA 2015. Differences: intruders are followed exactly where the thesis
//! samples them; edges have lengths, guards speeds and sight.

mod context;
pub mod diverse;
pub mod errors;
pub mod evaluate;
pub mod generate;
pub mod mixed_strategy;
pub mod plan;
pub mod problem;
pub mod solve;
pub mod verify;

pub use errors::ProblemError;
pub use evaluate::{Evaluation, evaluate, evaluate_until};
pub use plan::{Cost, Plan, Route, Stop, Terms};
pub use problem::{Entry, Motion, Problem, Spec};
pub use solve::{Params, Strategy, solve};
pub use verify::{Violation, verify};

/// The planner, as its runner sees it.
#[derive(Debug, Clone, Copy)]
pub struct Patrol;

impl anytime::Planner for Patrol {
    type Problem = Problem;
    type Params = Params;
    type Plan = Plan;
    type Cost = Cost;
    type Violation = Violation;

    fn solve(
        problem: &Problem,
        params: &Params,
        control: &mut anytime::Control<'_, Plan, Cost>,
    ) -> Result<anytime::Conclusion, anytime::SolveError> {
        solve(problem, params, control)
    }

    fn verify(problem: &Problem, plan: &Plan) -> Result<Cost, Vec<Violation>> {
        verify(problem, plan)
    }

    fn verify_until(
        problem: &Problem,
        plan: &Plan,
        pulse: &anytime::Pulse,
    ) -> verify::Checked<Cost> {
        let terms = verify::terms_until(problem, plan, pulse)?;
        Some(terms.map(|terms| verify::cost(&problem.objective(), &terms)))
    }
}
