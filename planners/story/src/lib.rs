//! Story: believable stories that reach their goals.
//!
//! # Problem
//! Typed entities (actors, items, places, ...) have attributes: truths, whole numbers within
//! limits, words, entities. Actions have parameters, preconditions, effects and a *believability*
//! in [0, 1] that depends on the state: a base, changed by rules in order, clamped, times the
//! action's slider, clamped. All effects of an action read the state before it; where two write one
//! value, the later counts. What is not believable at all may not be done.
//!
//! A story is a plan: a list of actions of limited length. Its score is (equations 5.1 and 5.4)
//!
//! ```text
//! E = G * B,   G = sum of w_g over goals g that hold at the end / sum of all w_g
//!              B = product of the believabilities of its actions
//! ```
//!
//! Events may have to happen, or not to happen. The objective is the highest E; the cost of a story
//! is 1 - E.
//!
//! # Method
//! * [`Strategy::Mcts`] and its variants: Monte Carlo tree search as in sections 5.4 and 5.5 of the
//!   thesis, in which the value of a story is that of its best prefix. Zeta of equation 5.5 is
//!   capped at 1.
//! * [`Strategy::Optimal`]: branch and bound over the goals that hold and over the actions of the
//!   story, under the landmark cut bound of the delete relaxation. Within a branch: best-first
//!   search in -ln E with a transposition table and partial-order reduction. The cost limit rises
//!   from round to round (iterative deepening), so that each round proves a bound. A greedy search
//!   with the FF heuristic finds good stories early.
//! * [`Strategy::Auto`]: a little tree search, then branch and bound. Domains with many entities of
//!   a type are first searched with few of them, up to symmetry.
//!
//! [`diverse`] finds several different stories, [`branch`] the stories that follow from other
//! choices of an actor, and [`text`] writes stories as sentences.
//!
//! # Examples
//! ```
//! use anytime::{Conclusion, Control, Limits};
//! use story::language::{effect, expression};
//! use story::spec::{
//!     ActionSpec, AttributeKind, AttributeSpec, BelievabilitySpec, GoalSpec, Spec, TypeSpec,
//! };
//! use story::{Cost, Params, Plan, Problem, solve, verify};
//! let spec = Spec {
//!     types: vec![TypeSpec {
//!         name: "actor".into(),
//!         entities: vec!["Ann".into(), "Ben".into()],
//!     }],
//!     attributes: vec![AttributeSpec {
//!         owner: "actor".into(),
//!         name: "angry".into(),
//!         kind: AttributeKind::Bool,
//!         is_static: false,
//!         default: None,
//!     }],
//!     actions: vec![ActionSpec {
//!         name: "insult".into(),
//!         params: vec![("a".into(), "actor".into()), ("b".into(), "actor".into())],
//!         distinct: true,
//!         preconditions: vec![expression("not b.angry").unwrap()],
//!         effects: vec![effect("b.angry = true").unwrap()],
//!         believability: BelievabilitySpec {
//!             base: expression("0.5").unwrap(),
//!             rules: Vec::new(),
//!         },
//!         texts: vec!["{a} insulted {b}.".into()],
//!     }],
//!     goals: vec![GoalSpec {
//!         name: "a quarrel".into(),
//!         expr: expression("exists(x: actor, x.angry)").unwrap(),
//!         weight: 1.0,
//!     }],
//!     actions_max: 3,
//!     ..Spec::default()
//! };
//! let problem = Problem::new(&spec).unwrap();
//! let mut best = (Plan::default(), Cost::of_score(0.0));
//! let mut sink = |plan: &Plan, cost: Cost| best = (plan.clone(), cost);
//! let mut control = Control::new(Limits::iterations(1_000), 0, &mut sink);
//! let conclusion = solve(&problem, &Params::default(), &mut control).unwrap();
//! assert_eq!(conclusion, Conclusion::Optimal);
//! let (plan, cost) = best;
//! assert_eq!((plan.actions.len(), cost.score()), (1, 0.5));
//! assert_eq!(verify(&problem, &plan), Ok(cost));
//! ```
//!
//! # Guarantees
//! * Same problem, parameters and seed: same stories, under an iteration limit.
//! * Every story offered passes [`verify`](fn@verify), which shares no code with the search, and
//!   each costs less than the one before.
//! * Optimal and infeasible are concluded with proof only. Scores are distinguished to 10^-12.
//! * [`certify`] writes down what bounds prove at the start, and [`verify_bound`] checks it without
//!   the search. Bounds that rounds of search raise have no certificate. A landmark is checked by
//!   what can be reached in the delete relaxation; the search raises bounds where this is too
//!   optimistic: where one action undoes what another one needs, or where the longest story is too
//!   short. No sum of landmarks proves that. Dividing cases further by actions, each part with
//!   landmarks of its own, adds little: 1,599 instead of 1,594 certificates for 1,869 optima of
//!   random domains. The rest would have to list the states of the search, and checking that is the
//!   same search again.
//!
//! # Units
//! Believabilities and scores in [0, 1], costs in 10^-12 of a score. Indices from 0.
//!
//! # Limits
//! Constants of [`problem`].
//!
//! # Source
//! Kartal, "Stochastic tree search techniques for planning in games and other domains",
//! dissertation, University of Minnesota, 2016, chapter 5. Helmert and Domshlak, "Landmarks,
//! critical paths and abstractions: what's the difference anyway?", ICAPS 2009.

pub mod branch;
pub mod certificate;
mod compiled;
pub mod diverse;
mod errors;
pub mod generate;
pub mod language;
pub mod plan;
pub mod play;
pub mod problem;
mod relax;
mod runner;
pub mod solve;
pub mod spec;
pub mod text;
pub mod tree;
pub mod verify;

pub use certificate::Certificate;
pub use plan::{Action, Cost, Plan};
pub use play::Play;
pub use problem::Problem;
pub use runner::Story;
pub use solve::{Caps, Params, Strategy, certify, solve};
pub use spec::Spec;
pub use verify::{Account, account, verify, verify_bound};
