//! Mixed-integer linear programs: good_lp to write them, HiGHS to solve them, a narrow door between.
//!
//! # Problem
//! Minimise (or maximise) a linear objective over variables with bounds, some of them integers, such that every row,
//! a linear expression, lies between its bounds. A [`Model`] is written with good_lp's [`variable()`] and
//! [`constraint!`], so that a program reads like the equations of its paper.
//!
//! # Method
//! HiGHS 1.15 (Huangfu, Hall, "Parallelizing the dual revised simplex method", Mathematical Programming Computation
//! 10 (2018), doi:10.1007/s12532-017-0130-5): presolve, dual simplex, cuts, branch and bound, on one thread. A
//! [`Listener`] hears of every better solution and of every better bound, and may ask to stop; a
//! [`Pulse`](anytime::Pulse) carries deadline and cancellation from outside.
//!
//! # Promises
//! * A [`Solution`] was checked here, not only there: integers are rounded, then every bound and every row of the
//!   model is computed again within [`Params::tolerance`], and the objective with them. What fails is counted
//!   ([`Effort::rejected`]) and never returned.
//! * [`Verdict::Optimal`] is claimed only with such a solution, whose objective meets the solver's bound.
//! * Same model, params and listener: same outcome, if no deadline and no cancellation ends the run.
//! * One thread per solve. Any number of solves may run at once, each on a thread of its caller.
//! * A deadline or a cancellation ends a solve soon, not at once: HiGHS asks between steps, and not in presolve.
//!   Measured by `benches/interrupt.rs` on a busy machine of two cores, on hard
//!   assignments: after a cancellation half came back within 3 ms (600 binaries), 12 ms (2,000) and 87 ms (16,000),
//!   the slowest of 16 after 149, 27 and 261 ms; after a deadline, 2, 4 and 9 ms, the slowest after 16, 10 and 95 ms.
//!   Heuristics that solve a smaller program inside are off: they do not ask at all.
//! * Nothing is printed. A panic of a listener goes on after the solver has been left in good order.
//!
//! # Limits of the proof
//! The solver computes with floating-point numbers. `Infeasible` and `Optimal` mean: within its tolerances. Whoever
//! needs more must check with exact numbers, and keep coefficients near 1: a large constant (a "big M") times the
//! tolerance is what a row may be off by before rounding.
//!
//! # Units
//! The caller's. No clock: [`Pulse`](anytime::Pulse) reads it.
//!
//! # Limits
//! [`VARIABLES_MAX`], [`ROWS_MAX`], [`COEFFICIENTS_MAX`]; coefficients and costs between [`MAGNITUDE_MIN`] and
//! [`MAGNITUDE_MAX`]: HiGHS would silently drop smaller ones and refuse larger.
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
mod door;
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
