//! The methods: one question, and several.

use super::answer::{levels_answer, strong_answer};
use super::info;
use super::names::Names;
use super::request::{levels, strong};
use crate::rpc::contract::{CheckControllability, CheckStrongControllability};
use crate::rpc::method::{Asked, Method, Reading, RequestOf};
use crate::run::Outcome;
use crate::wire::mistakes::Mistakes;
use ::temporal::{Levels, Strong};
use stratagem_proto::v1 as pb;

impl Method for CheckStrongControllability {
    type Planner = Strong;
    type Names = Names;

    fn strategies() -> Vec<pb::StrategyInfo> {
        info::strong_strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        info::limits()
    }

    fn read(message: Self::Request, _: &Reading<'_>) -> Result<RequestOf<Self>, Mistakes> {
        strong(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<Strong>) -> Self::Answer {
        strong_answer(asked, outcome)
    }
}

impl Method for CheckControllability {
    type Planner = Levels;
    type Names = Names;

    fn strategies() -> Vec<pb::StrategyInfo> {
        info::levels_strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        info::limits()
    }

    fn read(message: Self::Request, _: &Reading<'_>) -> Result<RequestOf<Self>, Mistakes> {
        levels(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<Levels>) -> Self::Answer {
        levels_answer(asked, outcome)
    }
}
