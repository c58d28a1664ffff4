//! The planners, as the runner sees them.

use crate::run::Kind;
use ::story::Story;
use ::story::branch::{BranchProblem, StoryBranching};
use ::story::diverse::{DiverseProblem, DiverseStories, StorySet};
use anytime::Pulse;
use domain_learning::{DomainLearning, LearnedDomain, LearningProblem};
use std::convert::Infallible;

// What every step of a story is made of takes as long as a check: once, at the end, on the thread
// that searched.
impl Kind for Story {
    const NAME: &'static str = "story";
    const NODE_BYTES: usize = 400;
    type Reasons = ::story::Account;

    fn elements(problem: &::story::Problem) -> usize {
        problem.entities().len()
    }

    fn explain(
        problem: &::story::Problem,
        plan: Option<&::story::Plan>,
        _: &Pulse,
    ) -> Option<::story::Account> {
        ::story::account(problem, plan?).ok()
    }
}

// The same for each of several.
impl Kind for DiverseStories {
    const NAME: &'static str = "story";
    const NODE_BYTES: usize = 400;
    type Reasons = Vec<::story::Account>;

    fn elements(request: &DiverseProblem) -> usize {
        request.problem().entities().len()
    }

    fn explain(
        request: &DiverseProblem,
        stories: Option<&StorySet>,
        wanted: &Pulse,
    ) -> Option<Vec<::story::Account>> {
        let each = stories?.stories.iter().map(|story| {
            let account = ::story::account(request.problem(), story).ok();
            account.filter(|_| wanted.stop().is_none())
        });
        each.collect()
    }
}

// What choices are worth is part of the tree.
impl Kind for StoryBranching {
    const NAME: &'static str = "story";
    const NODE_BYTES: usize = 400;
    type Reasons = Infallible;

    fn elements(request: &BranchProblem) -> usize {
        request.problem().entities().len()
    }
}

// Why nothing can be learned is part of the lesson.
impl Kind for DomainLearning {
    const NAME: &'static str = "story";
    type Reasons = Infallible;

    fn elements(books: &LearningProblem) -> usize {
        books.bytes()
    }

    fn is_partial(_: &LearningProblem, lesson: &LearnedDomain) -> bool {
        lesson.domain.is_none()
    }
}
