//! Story: believable stories that reach their goals.
//!
//! # Problem
//! Typed entities (actors, items, places, ...) have attributes: truths, whole numbers within
//! limits, words, entities. Actions have parameters, preconditions, effects and a *believability*
//! in [0, 1] that depends on the state: a base, changed by rules in order, clamped, times the
//! action's slider, clamped. All effects of an action read the state before it; where two write one
//! value, the later counts. What is not believable at all may not be done.
//!
//! A story is a list of actions of limited length. Its score is E = G * B (equations 5.1 and 5.4):
//! G is the weight of the goals that hold at its end in that of all goals, B the product of the
//! believabilities of its actions. Events may have to happen, or not to happen. Wanted is the story
//! of highest E; its cost is what E lacks to 1.
//!
//! # Method
//! [`Strategy::Mcts`] and its variants: tree search as in sections 5.4 and 5.5 of the thesis, which
//! rates a story by its best beginning. [`Strategy::Optimal`]: branch and bound over the actions of
//! stories and over which goals hold, under the landmark cut bound of a delete relaxation; within a
//! branch, a search in -ln E that orders commuting actions in one order only. It looks for stories
//! above a score that falls from round to round, so that every round proves something.
//! [`Strategy::Auto`]: a little tree search, then the other one; in domains with many entities of a
//! type it looks at stories of few of them first. Differences to the thesis: zeta of equation 5.5
//! is capped at 1.
//!
//! [`diverse`] finds several different stories, [`branch`] what would follow from other choices of
//! an actor, and [`text`] writes stories as sentences.
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
pub mod errors;
pub mod generate;
pub mod language;
pub mod plan;
pub mod play;
pub mod problem;
mod relax;
pub mod solve;
pub mod spec;
pub mod text;
pub mod tree;
pub mod verify;

pub use certificate::Certificate;
pub use errors::{ProblemError, Reason};
pub use plan::{Action, Cost, Plan};
pub use play::Play;
pub use problem::Problem;
pub use solve::{Caps, Params, Strategy, certify, solve};
pub use spec::Spec;
pub use verify::{Account, BoundViolation, Violation, account, verify, verify_bound};

/// The planner, as its runner sees it.
#[derive(Debug, Clone, Copy)]
pub struct Story;

impl anytime::Planner for Story {
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
}
