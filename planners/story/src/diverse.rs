//! The best of several different stories.
//!
//! # Problem
//! Wanted is a number of stories, the best first, each different from all before it. A story is
//! different from a better one if it lacks at least `difference` of that one's actions, or all of
//! them where there are fewer: see [`difference`]. The order in which things happen does not count,
//! and neither do additional actions: a longer version of a story is the same story. Nothing is
//! different from the empty story, and stories worth nothing do not count.
//!
//! # Method
//! One place after the other: the best story, then the best of those that differ from it, and so
//! on, each by [`solve`](crate::solve()), in rounds of twice as many iterations each. All stories
//! found meanwhile are candidates, and the best different ones are offered, without superfluous
//! actions.
//!
//! # Guarantees
//! * Same problem, parameters and seed: same stories, under an iteration limit.
//! * Every set offered passes [`verify`], which shares no code with the search.
//! * Optimal: in no place could a better story be that differs from those before it, and where
//!   stories are missing there are no more.
//!
//! # Units
//! As of the crate. Differences are numbers of actions.
//!
//! # Limits
//! [`STORIES_MAX`] stories.

mod solve;

use crate::plan::{Action, Cost, Plan};
use crate::problem::{ACTIONS_MAX, Problem};
use crate::verify::account;
use anytime::check::too_many;
use anytime::{Fault, Path, element, fault};

pub use solve::solve;

/// Most stories of a set.
pub const STORIES_MAX: usize = 10;

/// A request for diverse stories: the domain, their number and their difference.
#[derive(Debug, Clone, PartialEq)]
pub struct DiverseProblem {
    problem: Problem,
    count: usize,
    difference: usize,
}

impl DiverseProblem {
    /// A request for `count` stories, of which each does without `difference` actions of each
    /// better one.
    ///
    /// # Errors
    /// All mistakes.
    pub fn new(problem: Problem, count: usize, difference: usize) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        for (field, given, max) in [
            ("story_count", count, STORIES_MAX),
            ("min_different_acts", difference, ACTIONS_MAX),
        ] {
            if !(1..=max).contains(&given) {
                let at = Path::root(field);
                faults.push(fault!(
                    "OUT_OF_RANGE",
                    at,
                    "must be between 1 and {}, got {}",
                    max,
                    given
                ));
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(Self {
            problem,
            count,
            difference,
        })
    }

    /// The domain.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Stories wanted.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// In how many actions they are to differ.
    #[must_use]
    pub fn difference(&self) -> usize {
        self.difference
    }
}

/// Different stories, the best first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StorySet {
    /// At most as many as wanted.
    pub stories: Vec<Plan>,
}

/// The cost of a set, which is minimised: the loss of the first story, then of the second one, and
/// so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Losses {
    /// By place; `u64::MAX`, in millionths of millionths, where there is no story.
    pub each_pico: [u64; STORIES_MAX],
}

impl Losses {
    /// Those of stories of these costs.
    #[must_use]
    pub fn new(costs: &[Cost]) -> Self {
        let mut each_pico = [u64::MAX; STORIES_MAX];
        for (loss, cost) in each_pico.iter_mut().zip(costs) {
            *loss = cost.loss_pico;
        }
        Self { each_pico }
    }
}

/// How many actions of the better story are not in the other one. What is done more often than in
/// the other one counts as often as it is missing.
#[must_use]
pub fn difference(better: &Plan, other: &Plan) -> usize {
    let mut rest: Vec<&Action> = other.actions.iter().collect();
    let missing = better.actions.iter().filter(|action| {
        let found = rest.iter().position(|other| other == action);
        found.map(|place| rest.swap_remove(place)).is_none()
    });
    missing.count()
}

/// The losses of a set of stories.
///
/// # Errors
/// All broken rules.
pub fn verify(request: &DiverseProblem, story_set: &StorySet) -> Result<Losses, Vec<Fault>> {
    let (mut violations, stories) = (Vec::new(), Path::root("stories"));
    if let Some(fault) = too_many(&stories, story_set.stories.len(), request.count) {
        return Err(vec![fault]);
    }
    let mut costs: Vec<Cost> = Vec::new();
    for (story, plan) in story_set.stories.iter().enumerate() {
        let at = stories.index(story);
        match account(&request.problem, plan) {
            Ok(account) => {
                if account.cost == Cost::of_score(0.0) {
                    violations.push(fault!("CONTRADICTION", at, "is worth nothing"));
                }
                if costs.last().is_some_and(|before| *before > account.cost) {
                    violations.push(fault!(
                        "CONTRADICTION",
                        at,
                        "is better than the one before it"
                    ));
                }
                costs.push(account.cost);
            }
            Err(all) => violations.extend(all.into_iter().map(|it| it.under(&at))),
        }
        for (better, before) in story_set.stories[..story].iter().enumerate() {
            let found = difference(before, plan);
            let wanted = request.difference.min(before.actions.len()).max(1);
            if found < wanted {
                violations.push(fault!(
                    "CONTRADICTION",
                    at,
                    "does without {} actions of {}, not without {}",
                    found,
                    element("story", better),
                    wanted
                ));
            }
        }
    }
    if violations.is_empty() {
        Ok(Losses::new(&costs))
    } else {
        Err(violations)
    }
}

anytime::planner! {
    /// The planner of different stories, as its runner sees it.
    pub struct DiverseStories {
        problem: DiverseProblem,
        params: Params,
        plan: StorySet,
        cost: Losses,
        solve: solve,
        verify: verify,
    }
}

/// How to search.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Params {
    /// For each story; its warm start is one of the known stories.
    pub each: crate::solve::Params,
    /// Stories to begin with, such as those that were best before a slider was moved; what cannot
    /// be done any more is left out of them.
    pub known: Vec<Plan>,
}
