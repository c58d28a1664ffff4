//! The methods: stories, several of them, with choices, and domains from books.

use super::answer::{answer, update};
use super::books::Named;
use super::branch::{branch_answer, branch_limits, branch_request, branch_update};
use super::explain::{ToExplain, explained, to_explain};
use super::info;
use super::learn::to_learn;
use super::lesson::{learned, lesson_update};
use super::request::{Names, request};
use super::vary::{vary_answer, vary_limits, vary_request, vary_update};
use crate::rpc::contract::ExplainStory;
use crate::rpc::method::Reading;
use crate::rpc::method::searches;
use crate::rpc::question::Question;
use crate::status::Refusal;
use crate::wire::mistakes::Mistakes;
use ::story::Story;
use ::story::branch::StoryBranching;
use ::story::diverse::DiverseStories;
use anytime::Pulse;
use domain_learning::DomainLearning;

searches! {
    GenerateStory: Story, Names {
        strategies: info::strategies,
        limits: info::limits,
        read: |message, _: &_| request(message),
        answer: answer,
        update: update,
    }

    VaryStories: DiverseStories, Names {
        strategies: info::strategies,
        limits: vary_limits,
        read: |message, _: &_| vary_request(message),
        answer: vary_answer,
        update: vary_update,
    }

    BranchStory: StoryBranching, Names {
        strategies: info::branch_strategies,
        limits: branch_limits,
        read: |message, _: &_| branch_request(message),
        answer: branch_answer,
        update: branch_update,
    }

    LearnStoryDomain: DomainLearning, Named {
        strategies: info::learn_strategies,
        limits: info::book_limits,
        read: |message, with: &Reading<'_>| to_learn(message, with.books),
        answer: learned,
        update: |_: &_, event, now: &_| lesson_update(event, now),
    }
}

impl Question for ExplainStory {
    type Read = ToExplain;

    fn read(message: Self::Request) -> Result<Self::Read, Mistakes> {
        to_explain(message)
    }

    fn answer(read: Self::Read, _: &Pulse) -> Result<Self::Answer, Refusal> {
        explained(&read).map_err(Refusal::Mistakes)
    }
}
