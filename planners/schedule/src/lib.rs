//! Schedule: what is built when, with limited workers, tools and space.
//!
//! # Problem
//! Resource-constrained project scheduling with generalised precedences and several modes
//! (multi-mode RCPSP/max). Activity i starts at S_i and ends at E_i = S_i + p_im in the mode m that
//! the plan chooses:
//!
//! ```text
//! minimise  max E_i
//! subject to
//!   r_i <= S_i,  E_i <= d_i,  E_i <= D                    release, deadlines
//!   l <= time(to) - time(from) <= u                       minimal and maximal time lags
//!   sum of q_imk over i with S_i <= t < E_i <= c_k        for each resource k and moment t
//! ```
//!
//! `time` is the start or the end of an activity. Resources are renewable: what an activity holds
//! (q_imk in mode m) is free again when it ends. An activity of duration 0 holds nothing.
//!
//! [`verify`](fn@verify) decides, and shares no code with the search.
//!
//! # Method
//! Serial schedule generation by priority rules with forward-backward improvement finds a first
//! plan. Then rounds alternate: branch and bound by clause learning (lazy clause generation) over
//! bounds of start times, with timetable propagation and destructive lower bounds, and a genetic
//! algorithm over activity lists. All of it is the engine `cp`.
//!
//! # Guarantees
//! * Same problem, params and seed: same plan, under an iteration limit.
//! * `Optimal` and `Infeasible` are concluded with proof only.
//! * Every plan offered passes `verify`.
//!
//! # Units
//! Times in microseconds from the start of the project, whole. Activities, modes, resources and
//! precedences: indices from 0.
//!
//! # Limits
//! Constants of [`problem`].
//!
//! # Source
//! Pritsker, Watters, Wolfe, "Multiproject scheduling with limited resources", Management Science
//! 16 (1969); Bartusch, Moehring, Radermacher, "Scheduling project networks with resource
//! constraints and time windows", Annals of Operations Research 16 (1988); Schutt, Feydy, Stuckey,
//! Wallace, "Solving RCPSP/max by lazy clause generation", Journal of Scheduling 16 (2013).
//! Kolisch, Sprecher, "PSPLIB", European Journal of Operational Research 96 (1997), has instances.
//!
//! # Examples
//! ```
//! use anytime::{Conclusion, Control, Limits};
//! use schedule::problem::{Activity, Demand, Mode, Precedence, Resource, Spec};
//! use schedule::{Params, Plan, Problem, solve, verify};
//!
//! // Two smiths; a blade takes both of them, a hilt one, and a sword needs a blade and a hilt.
//! let craft = |minutes: i64, smiths| Activity {
//!     modes: vec![Mode {
//!         duration_us: minutes * 60_000_000,
//!         demands: vec![Demand { resource: 0, amount: smiths }],
//!     }],
//!     ..Activity::default()
//! };
//! let problem = Problem::new(Spec {
//!     activities: vec![craft(20, 2), craft(10, 1), craft(5, 1)],
//!     precedences: vec![Precedence::finish_to_start(0, 2), Precedence::finish_to_start(1, 2)],
//!     resources: vec![Resource { capacity: 2 }],
//!     deadline_us: None,
//! })
//! .expect("it is valid");
//! let mut best = Plan::default();
//! let mut sink = |plan: &Plan, _| best = plan.clone();
//! let mut control = Control::new(Limits::iterations(1_000), 1, &mut sink);
//! let conclusion = solve(&problem, &Params::default(), &mut control);
//! assert_eq!(conclusion, Ok(Conclusion::Optimal));
//! assert_eq!(verify(&problem, &best).expect("it is legal").makespan_us, 35 * 60_000_000);
//! ```

pub mod explain;
pub mod generate;
pub mod plan;
pub mod problem;
mod runner;
pub mod solve;
pub mod verify;

pub use explain::{Conflict, Requirement, conflict};
pub use plan::{Cost, Plan, ScheduledActivity};
pub use problem::{Problem, Spec};
pub use runner::Schedule;
pub use solve::{Params, solve};
pub use verify::verify;
