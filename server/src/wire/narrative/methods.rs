//! The method: a schedule for a story.

use super::answer::{answer, update};
use super::info;
use super::names::Names;
use super::request::request;
use crate::rpc::contract::ScheduleNarrative;
use crate::rpc::method::{Asked, Method, Reading, RequestOf};
use crate::rpc::{Now, Streamed};
use crate::run::Outcome;
use crate::wire::mistakes::Mistakes;
use ::narrative::Schedule;
use stratagem_proto::v1 as pb;

impl Method for ScheduleNarrative {
    type Planner = Schedule;
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

    fn encode(asked: &Asked<Self>, outcome: &Outcome<Schedule>) -> Self::Answer {
        answer(asked, outcome)
    }
}

impl Streamed for ScheduleNarrative {
    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        update(asked, event, now)
    }
}
