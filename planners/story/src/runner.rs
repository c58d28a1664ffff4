//! The planners, as their runner sees them.

use crate::branch::{BranchProblem, StoryBranching};
use crate::diverse::{DiverseProblem, DiverseStories, StorySet};
use crate::{Account, Cost, Params, Plan, Problem, account, solve, verify};
use anytime::{Pulse, Runnable};
use std::convert::Infallible;

anytime::planner! {
    /// The planner, as its runner sees it.
    pub struct Story;
}

// What every step of a story is made of takes as long as a check: once, at the end, on the thread
// that searched.
impl Runnable for Story {
    const NAME: &'static str = "story";
    const NODE_BYTES: usize = 400;
    type Reasons = Account;

    fn elements(problem: &Problem) -> usize {
        problem.entities().len()
    }

    fn explain(problem: &Problem, plan: Option<&Plan>, _: &Pulse) -> Option<Account> {
        account(problem, plan?).ok()
    }
}

// The same for each of several.
impl Runnable for DiverseStories {
    const NAME: &'static str = "story";
    const NODE_BYTES: usize = 400;
    type Reasons = Vec<Account>;

    fn elements(request: &DiverseProblem) -> usize {
        request.problem().entities().len()
    }

    fn explain(
        request: &DiverseProblem,
        stories: Option<&StorySet>,
        wanted: &Pulse,
    ) -> Option<Vec<Account>> {
        let each = stories?.stories.iter().map(|story| {
            let account = account(request.problem(), story).ok();
            account.filter(|_| wanted.stop().is_none())
        });
        each.collect()
    }
}

// What choices are worth is part of the tree.
impl Runnable for StoryBranching {
    const NAME: &'static str = "story";
    const NODE_BYTES: usize = 400;
    type Reasons = Infallible;

    fn elements(request: &BranchProblem) -> usize {
        request.problem().entities().len()
    }
}
