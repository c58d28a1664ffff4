//! Patrol: endless routes of guards that catch intruders.
//!
//! # Problem
//! Guards go round on a graph, for ever. A plan has one route for each guard: a prefix, walked once
//! from where the guard is at tick 0, and a cycle, walked for ever after. A route is a list of
//! stops, each at a neighbour of the one before; a guard stays at a stop for a number of ticks and
//! then takes the length of the edge, divided by its speed and rounded up, to the next.
//!
//! * At each tick a guard that is at a vertex sees the vertices that are listed as seen from there,
//!   itself always. A guard that left a vertex i ticks ago on a way of length l that takes it t
//!   ticks is i * l / t steps along it, rounded down; at 0 steps it still counts as at the vertex;
//!   at more it sees that point of the edge and nothing else.
//! * The *intruder* enters at a vertex, by the weights, at a tick ([`Entry`]), and is caught when a
//!   guard sees where he is at one of so many instants, the first is when he enters. Between two
//!   instants he stays or goes ([`Motion`]), on edges in steps of one tick at speed 1. Who passes a
//!   guard on an edge is not seen.
//! * Guards stay only where that is allowed, and where a pause is asked for at least so long, each
//!   time they come by. Guards pass each other on an edge only where that is allowed. A vertex with
//!   a gap is unseen, once in each joint period, for so many ticks in a row.
//!
//! The *joint period* is the least common multiple of the durations of all cycles; once all
//! prefixes are over everything repeats after it. Cost is a weighted sum of the probability of
//! escape and of idleness ([`Terms`]). With the default objective it is the probability of escape
//! alone.
//!
//! [`verify`](fn@verify) decides, and shares no code with the search. Against an intruder who knows
//! the patrol and picks where he enters, [`mixture`] looks for several plans of which one is drawn;
//! [`variety`] for several that differ.
//!
//! # Method
//! [`Strategy::Auto`] against who enters at tick 0: beams over where guards are and what is left of
//! the intruder, stretches walked anew, and branch and bound for one guard. Against who enters at
//! any time: teams of guards on closed walks, at first short tours past places from where much is
//! seen, then annealed, four at a time on as many threads as there may be; by what rounds miss
//! where he stays, and where he walks by what whole plans cost, from entries that differ. Wishes
//! that simple plans do not keep are looked for among all states of all guards together. The
//! strategies of the thesis are beside it: trees, with useful cycles, with commitments.
//!
//! Warm start ([`Params::warm`]): every guard goes on with the route of a previous plan from where
//! it is now. That is the first plan, and beams and rounds begin with it, too; guards that share a
//! cycle spread over it again. Trees only have to find better ones.
//!
//! # Promises
//! * Same problem, parameters and seed: same plans, under an iteration limit.
//! * Every plan offered passes [`verify`](fn@verify) at the cost claimed, and each costs less than
//!   the one before.
//! * No plan costs less than a bound that was told; optimal and infeasible are concluded with proof
//!   only. What is called optimal is so to 2 * 10^-9 of the probability of escape, which is what
//!   proofs by doubles give away to rounding.
//! * The first plan never costs more than the previous plan continued, with the exceptions of
//!   [`Params::warm`].
//! * In a small world (60,000 states of all guards together) wishes that can be kept are, and
//!   others are proved infeasible.
//! * The search asks at least every 200,000 steps of a judgement whether to go on, and so do checks
//!   and evaluations that are told until when ([`evaluate_until`] and its like). Plans of more than
//!   [`plan::WORK_MAX`] steps are not judged.
//!
//! # Units
//! Times: whole ticks. Probabilities: whole multiples of 2^-60 ([`problem::CERTAIN`]), so that
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

pub mod errors;
pub mod evaluate;
pub mod generate;
pub mod mixture;
pub mod plan;
pub mod problem;
mod scene;
pub mod solve;
pub mod variety;
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
