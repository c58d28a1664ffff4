//! The methods: all trade-offs, and what people did instead.

use super::answer::answer;
use super::compare::{ToCompare, compared, to_compare};
use super::info;
use super::names::Names;
use super::request::request;
use crate::rpc::contract::{AssignCrew, CompareCrewMoves};
use crate::rpc::method::{Asked, Method, Reading, RequestOf};
use crate::rpc::question::Question;
use crate::run::Outcome;
use crate::status::Refusal;
use crate::wire::mistakes::Mistakes;
use ::crew::Crew;
use anytime::Pulse;
use stratagem_proto::v1 as pb;

impl Method for AssignCrew {
    type Planner = Crew;
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

    fn encode(asked: &Asked<Self>, outcome: &Outcome<Crew>) -> Self::Answer {
        answer(asked, outcome)
    }
}

impl Question for CompareCrewMoves {
    type Read = ToCompare;

    fn read(message: Self::Request) -> Result<Self::Read, Mistakes> {
        to_compare(message)
    }

    fn answer(read: Self::Read, wanted: &Pulse) -> Result<Self::Answer, Refusal> {
        compared(&read, wanted)
    }
}
