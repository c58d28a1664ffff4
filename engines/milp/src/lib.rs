//! Mixed-integer linear programs: good_lp to write them, HiGHS to solve them, a narrow interface
//! between.
//!
//! # Problem
//! Minimise (or maximise) a linear objective over variables with bounds, some of them integers,
//! such that every row, a linear expression, lies between its bounds. A [`Model`] is written with
//! good_lp's [`variable()`] and [`constraint!`], so that a program reads like the equations of its
//! paper.
//!
//! # Method
//! HiGHS 1.15 (Huangfu, Hall, "Parallelizing the dual revised simplex method", Mathematical
//! Programming Computation 10 (2018), doi:10.1007/s12532-017-0130-5): presolve, dual simplex, cuts,
//! branch and bound, on one thread. A [`Listener`] hears of every better solution and of every
//! better bound, and may ask to stop; a [`Pulse`](anytime::Pulse) carries deadline and cancellation
//! from outside.
//!
//! For programs with more columns than can be written down (sets, routes): solve the linear
//! relaxation ([`Model::relaxed`]), look by its [`Duals`] for a column that can improve it,
//! [`Model::add_column`], again; last the integer program, from a known solution
//! ([`Params::start`]). Each solve starts from scratch: no basis is
//! retained.
//!
//! # Guarantees
//! * A [`Solution`] was checked here, not only there: integers are rounded, then every bound and
//!   every row of the model is computed again within [`Params::tolerance`], and the objective with
//!   them. What fails is counted ([`Effort::rejected`]) and never returned.
//! * [`Verdict::Optimal`] is claimed only with such a solution, whose objective meets the solver's
//!   bound.
//! * Same model, params and listener: same outcome, if no deadline and no cancellation ends the
//!   run.
//! * One thread per solve. Any number of solves may run at once, each on a thread of its caller.
//! * A deadline or a cancellation ends a solve soon, not immediately: HiGHS calls us between steps
//!   only, neither in presolve nor in the linear programs of an integer program; its own clock,
//!   which has the deadline, it reads more often. Hard assignments of up to 2,000 binaries stop
//!   within some 20 ms, of 16,000 half of them 100 ms after a cancellation and the slowest after
//!   0.2 to 0.4 s: benches/results/milp.md. A caller that must answer in time
//!   answers with the last [`Improvement`] and lets the thread end. This crate leaves no thread
//!   behind: the thread is its caller's. Heuristics that solve a smaller program inside are off:
//!   they do not call us at all. Presolve off would not help: the linear programs take as long.
//! * Nothing is printed. A panic of a listener goes on after the solver has been left in good
//!   order.
//!
//! # Limits of the proof
//! The solver computes with floating-point numbers. `Infeasible` and `Optimal` mean: within its
//! tolerances. A caller that needs more must check with exact numbers, and keep coefficients near
//! 1: a large constant (a "big M") times the tolerance is what a row may be off by before rounding.
//!
//! # Units
//! The caller's. No clock: [`Pulse`](anytime::Pulse) reads it.
//!
//! # Limits
//! [`VARIABLES_MAX`], [`ROWS_MAX`], [`COEFFICIENTS_MAX`]; coefficients and costs between
//! [`MAGNITUDE_MIN`] and [`MAGNITUDE_MAX`]: HiGHS would silently drop smaller ones and refuse
//! larger.
//!
//! # Examples
//! ```
//! use milp::{Model, Params, Verdict, constraint, solve, variable};
//! use anytime::{CancelToken, Pulse};
//!
//! let mut model = Model::new();
//! let swords = model.add(variable().integer().clamp(0, 10));
//! let shields = model.add(variable().integer().clamp(0, 10));
//! model.require(constraint!(3 * swords + 2 * shields <= 12)); // iron
//! model.require(constraint!(shields <= swords + 1));
//! model.maximise(5 * swords + 4 * shields);
//!
//! let pulse = Pulse::new(None, CancelToken::new());
//! let outcome = solve(&model, &Params::default(), &pulse, &mut ()).unwrap();
//! assert_eq!(outcome.verdict, Verdict::Optimal);
//! let best = outcome.solution.unwrap();
//! assert_eq!(best.objective, 22.0);
//! assert_eq!([best.integer(&model, swords), best.integer(&model, shields)], [2, 3]);
//! ```

#[expect(
    unsafe_code,
    reason = "the callbacks of HiGHS, through which it is interrupted, have no safe wrapper"
)]
mod ffi;
mod listener;
mod mistake;
mod model;
mod outcome;
mod params;
mod solve;
mod status;
mod verify;

pub use good_lp::{Constraint, Expression, Variable, VariableDefinition, constraint, variable};
pub use listener::{Improvement, Listener};
pub use mistake::Mistake;
pub use model::{
    COEFFICIENTS_MAX, MAGNITUDE_MAX, MAGNITUDE_MIN, Model, ROWS_MAX, Sense, VARIABLES_MAX,
};
pub use outcome::{Duals, Effort, Failure, Outcome, Solution, Verdict};
pub use params::Params;
pub use solve::solve;
pub use verify::{Element, Violation};
