//! The methods: stories, several of them, with choices, and domains from books.

use super::answer::{answer, bound_terms, objective, step};
use super::books::Named;
use super::branch::{branch_answer, branch_limits, branch_objective, branch_request, branch_step};
use super::explain::{ToExplain, explained, to_explain};
use super::info;
use super::learn::to_learn;
use super::lesson::{learned, lesson_step};
use super::request::{Names, level, request};
use super::vary::{levels, vary_answer, vary_limits, vary_objective, vary_request, vary_step};
use crate::contract::ExplainStory;
use crate::method::Asked;
use crate::method::Question;
use crate::method::Reading;
use crate::mistakes::Mistakes;
use crate::searches::searches;
use ::story::Story;
use ::story::branch::StoryBranching;
use ::story::diverse::DiverseStories;
use anytime::Found;
use anytime::Pulse;
use domain_learning::DomainLearning;

searches! {
    GenerateStory: Story, Names {
        strategies: info::strategies,
        limits: info::limits,
        read: |message, _: &_| request(message),
        answer: answer,
        step: step,
        objective: |_: &_, found: &Found<Story>, account| {
            Some(objective(found.cost, found.plan.actions.len(), account))
        },
        levels: |_: &_, cost: &_| Some(vec![level(*cost)]),
        bound_terms: bound_terms,
    }

    VaryStories: DiverseStories, Names {
        strategies: info::strategies,
        limits: vary_limits,
        read: |message, _: &_| vary_request(message),
        answer: vary_answer,
        step: vary_step,
        objective: |asked: &_, found: &_, _| Some(vary_objective(asked, found)),
        levels: |asked: &Asked<Self>, cost: &_| Some(levels(asked.request.problem.count(), *cost)),
    }

    BranchStory: StoryBranching, Names {
        strategies: info::branch_strategies,
        limits: branch_limits,
        read: |message, _: &_| branch_request(message),
        answer: branch_answer,
        step: branch_step,
        objective: |_: &_, found: &_, _| Some(branch_objective(found)),
    }

    LearnStoryDomain: DomainLearning, Named {
        strategies: info::learn_strategies,
        limits: info::book_limits,
        read: |message, with: &Reading<'_>| to_learn(message, with.books),
        answer: learned,
        step: |_: &_, best: &_| lesson_step(best),
    }
}

impl Question for ExplainStory {
    type Read = ToExplain;

    fn read(message: Self::Request) -> Result<Self::Read, Mistakes> {
        to_explain(message)
    }

    fn answer(read: Self::Read, _: &Pulse) -> Result<Option<Self::Answer>, Mistakes> {
        explained(&read).map(Some)
    }
}
