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
use crate::rpc::contract::{
    BranchStory, ExplainStory, GenerateStory, LearnStoryDomain, VaryStories,
};
use crate::rpc::method::{Asked, Method, Reading, RequestOf};
use crate::rpc::question::Question;
use crate::rpc::{Now, Streamed};
use crate::run::Outcome;
use crate::status::Refusal;
use crate::wire::mistakes::Mistakes;
use ::story::Story;
use ::story::branch::Branches;
use ::story::learn::Scholar;
use ::story::stories::Stories;
use anytime::Pulse;
use stratagem_proto::v1 as pb;

impl Method for GenerateStory {
    type Planner = Story;
    type Names = Names;

    fn strategies() -> Vec<pb::StrategyInfo> {
        info::strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        info::limits()
    }

    fn read(message: Self::Request, _: &Reading<'_>) -> Result<RequestOf<Self>, Mistakes> {
        request(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<Story>) -> Self::Answer {
        answer(asked, outcome)
    }
}

impl Streamed for GenerateStory {
    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        update(asked, event, now)
    }
}

impl Method for VaryStories {
    type Planner = Stories;
    type Names = Names;

    fn strategies() -> Vec<pb::StrategyInfo> {
        info::strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        vary_limits()
    }

    fn read(message: Self::Request, _: &Reading<'_>) -> Result<RequestOf<Self>, Mistakes> {
        vary_request(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<Stories>) -> Self::Answer {
        vary_answer(asked, outcome)
    }
}

impl Streamed for VaryStories {
    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        vary_update(asked, event, now)
    }
}

impl Method for BranchStory {
    type Planner = Branches;
    type Names = Names;

    fn strategies() -> Vec<pb::StrategyInfo> {
        info::branch_strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        branch_limits()
    }

    fn read(message: Self::Request, _: &Reading<'_>) -> Result<RequestOf<Self>, Mistakes> {
        branch_request(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<Branches>) -> Self::Answer {
        branch_answer(asked, outcome)
    }
}

impl Streamed for BranchStory {
    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        branch_update(asked, event, now)
    }
}

impl Method for LearnStoryDomain {
    type Planner = Scholar;
    type Names = Named;

    fn strategies() -> Vec<pb::StrategyInfo> {
        info::learn_strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        info::book_limits()
    }

    fn read(message: Self::Request, with: &Reading<'_>) -> Result<RequestOf<Self>, Mistakes> {
        to_learn(message, with.books)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<Scholar>) -> Self::Answer {
        learned(asked, outcome)
    }
}

impl Streamed for LearnStoryDomain {
    fn update(_: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        lesson_update(event, now)
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
