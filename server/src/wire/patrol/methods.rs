//! The methods: patrols, several of them, and what they are worth.

use super::answer::{answer, update};
use super::info;
use super::mixture::evaluated as mixture_evaluated;
use super::mixture::{mix_answer, mix_update};
use super::names::Names;
use super::problem::Decoded;
use super::request::{ToJudge, mix_request, request, to_evaluate, vary_request};
use super::variety::{vary_answer, vary_update};
use super::violations::evaluated;
use crate::rpc::contract::{EvaluatePatrol, GeneratePatrol, MixPatrols, VaryPatrols};
use crate::rpc::method::{Asked, Method, Reading, RequestOf};
use crate::rpc::question::Question;
use crate::rpc::{Now, Streamed};
use crate::run::Outcome;
use crate::status::Refusal;
use crate::wire::mistakes::Mistakes;
use ::patrol::Patrol;
use ::patrol::mixture::Mixtures;
use ::patrol::variety::Varieties;
use anytime::Pulse;
use stratagem_proto::v1 as pb;

impl Method for GeneratePatrol {
    type Planner = Patrol;
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

    fn encode(asked: &Asked<Self>, outcome: &Outcome<Patrol>) -> Self::Answer {
        answer(asked, outcome)
    }
}

impl Streamed for GeneratePatrol {
    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        update(asked, event, now)
    }
}

impl Method for MixPatrols {
    type Planner = Mixtures;
    type Names = Names;

    fn strategies() -> Vec<pb::StrategyInfo> {
        info::strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        info::mix_limits()
    }

    fn read(message: Self::Request, _: &Reading<'_>) -> Result<RequestOf<Self>, Mistakes> {
        mix_request(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<Mixtures>) -> Self::Answer {
        mix_answer(asked, outcome)
    }
}

impl Streamed for MixPatrols {
    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        mix_update(asked, event, now)
    }
}

impl Method for VaryPatrols {
    type Planner = Varieties;
    type Names = Names;

    fn strategies() -> Vec<pb::StrategyInfo> {
        info::strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        info::vary_limits()
    }

    fn read(message: Self::Request, _: &Reading<'_>) -> Result<RequestOf<Self>, Mistakes> {
        vary_request(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<Varieties>) -> Self::Answer {
        vary_answer(asked, outcome)
    }
}

impl Streamed for VaryPatrols {
    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        vary_update(asked, event, now)
    }
}

impl Question for EvaluatePatrol {
    type Read = (Decoded, ToJudge);

    fn read(message: Self::Request) -> Result<Self::Read, Mistakes> {
        to_evaluate(message)
    }

    fn answer((decoded, judged): Self::Read, wanted: &Pulse) -> Result<Self::Answer, Refusal> {
        let evaluated = match judged {
            ToJudge::Plan(read) => evaluated(&decoded, &read, wanted),
            ToJudge::Mixture(read) => mixture_evaluated(&decoded, &read, wanted),
        };
        evaluated
            .ok_or(Refusal::Expired)?
            .map_err(Refusal::Mistakes)
    }
}
