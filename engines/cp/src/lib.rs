//! Constraint programming: clause learning over bounds of integers, and project scheduling by it.
//!
//! # Rooms
//! * [`clause_learning`]: conflict-driven search over literals that bound integers. Lazy clause
//!   generation: a propagator explains a bound that it set only when a conflict needs it.
//! * [`rcpsp`]: resource-constrained project scheduling with minimal and maximal time lags
//!   (RCPSP/max). Propagators for lags and resources, serial schedule generation, branch and bound.
//!
//! # Guarantees
//! * Deterministic: the same calls lead to the same answers.
//! * "Infeasible" and "optimal" are answers with proof.
//!
//! # Units
//! Times are whole numbers of any unit; amounts of resources are whole numbers.
//!
//! # Examples
//! ```
//! use cp::clause_learning::{Found, NoTheory, Settings, Solver};
//! let mut solver = Solver::new(NoTheory, Settings::default());
//! let (rain, umbrella) = (solver.new_bool(), solver.new_bool());
//! // Rain needs an umbrella.
//! solver.add_clause(&[rain.no(), umbrella.yes()]);
//! assert_eq!(solver.solve(&[rain.yes()], &mut |_| true), Found::Model);
//! assert!(solver.trail().holds(umbrella.yes()));
//! ```

pub mod clause_learning;
pub mod rcpsp;
