//! The methods: patrols, several of them, and their evaluation.

use super::answer::{answer, update};
use super::diverse::{vary_answer, vary_update};
use super::info;
use super::mixed_strategy::{mix_answer, mix_update};
use super::names::Names;
use super::problem::Decoded;
use super::request::{mix_request, request, to_evaluate, vary_request};
use super::verdict::Judged;
use crate::rpc::contract::EvaluatePatrol;
use crate::rpc::method::searches;
use crate::rpc::question::Question;
use crate::status::Refusal;
use crate::wire::mistakes::Mistakes;
use ::patrol::Patrol;
use ::patrol::diverse::DiversePlanner;
use ::patrol::mixed_strategy::MixedStrategyPlanner;
use anytime::Pulse;

searches! {
    GeneratePatrol: Patrol, Names {
        strategies: info::strategies,
        limits: info::limits,
        read: |message, _: &_| request(message),
        answer: answer,
        update: update,
    }

    MixPatrols: MixedStrategyPlanner, Names {
        strategies: info::strategies,
        limits: info::mix_limits,
        read: |message, _: &_| mix_request(message),
        answer: mix_answer,
        update: mix_update,
    }

    VaryPatrols: DiversePlanner, Names {
        strategies: info::strategies,
        limits: info::vary_limits,
        read: |message, _: &_| vary_request(message),
        answer: vary_answer,
        update: vary_update,
    }
}

impl Question for EvaluatePatrol {
    type Read = (Decoded, Judged);

    fn read(message: Self::Request) -> Result<Self::Read, Mistakes> {
        to_evaluate(message)
    }

    fn answer((decoded, judged): Self::Read, wanted: &Pulse) -> Result<Self::Answer, Refusal> {
        judged
            .evaluated(&decoded, wanted)
            .ok_or(Refusal::Expired)?
            .map_err(Refusal::Mistakes)
    }
}
