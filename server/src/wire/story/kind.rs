//! The planners, as the runner sees them.

use crate::run::Kind;
use ::story::Story;
use ::story::branch::{Branches, Quest};
use ::story::stories::{Anthology, Commission, Stories};
use anytime::Pulse;
use domain_learning::{Books, Lesson, Scholar};
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
impl Kind for Stories {
    const NAME: &'static str = "story";
    const NODE_BYTES: usize = 400;
    type Reasons = Vec<::story::Account>;

    fn elements(commission: &Commission) -> usize {
        commission.problem().entities().len()
    }

    fn explain(
        commission: &Commission,
        anthology: Option<&Anthology>,
        wanted: &Pulse,
    ) -> Option<Vec<::story::Account>> {
        let each = anthology?.stories.iter().map(|story| {
            let account = ::story::account(commission.problem(), story).ok();
            account.filter(|_| wanted.stop().is_none())
        });
        each.collect()
    }
}

// What choices are worth is part of the tree.
impl Kind for Branches {
    const NAME: &'static str = "story";
    const NODE_BYTES: usize = 400;
    type Reasons = Infallible;

    fn elements(quest: &Quest) -> usize {
        quest.problem().entities().len()
    }
}

// Why nothing can be learned is part of the lesson.
impl Kind for Scholar {
    const NAME: &'static str = "story";
    type Reasons = Infallible;

    fn elements(books: &Books) -> usize {
        books.bytes()
    }

    fn is_partial(_: &Books, lesson: &Lesson) -> bool {
        lesson.domain.is_none()
    }
}
