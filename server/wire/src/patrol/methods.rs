//! The methods: patrols, several of them, and their evaluation.

use super::answer::{answer, found_objective, step};
use super::diverse::{diverse_objective, levels, vary_answer, vary_step};
use super::evaluation::level;
use super::info;
use super::mixed_strategy::{cost_objective, mix_answer, mix_step};
use super::names::Names;
use super::problem::Decoded;
use super::request::{mix_request, request, to_evaluate, vary_request};
use super::verdict::Judged;
use crate::contract::EvaluatePatrol;
use crate::method::Question;
use crate::mistakes::Mistakes;
use crate::searches::searches;
use ::patrol::Patrol;
use ::patrol::diverse::DiversePlanner;
use ::patrol::mixed_strategy::MixedStrategyPlanner;
use anytime::Found;
use anytime::Pulse;

searches! {
    GeneratePatrol: Patrol, Names {
        strategies: info::strategies,
        limits: info::limits,
        read: |message, _: &_| request(message),
        answer: answer,
        step: step,
        objective: |asked: &_, found: &_, known| Some(found_objective(asked, found, known)),
        levels: |_: &_, cost: &_| Some(vec![level(*cost)]),
    }

    MixPatrols: MixedStrategyPlanner, Names {
        strategies: info::strategies,
        limits: info::mix_limits,
        read: |message, _: &_| mix_request(message),
        answer: mix_answer,
        step: mix_step,
        objective: |_: &_, found: &Found<_>, _| Some(cost_objective(found.cost)),
        levels: |_: &_, cost: &_| Some(vec![level(*cost)]),
    }

    VaryPatrols: DiversePlanner, Names {
        strategies: info::strategies,
        limits: info::vary_limits,
        read: |message, _: &_| vary_request(message),
        answer: vary_answer,
        step: vary_step,
        objective: |_: &_, found: &Found<_>, _| Some(diverse_objective(found.cost)),
        levels: |_: &_, cost: &_| Some(levels(*cost)),
    }
}

impl Question for EvaluatePatrol {
    type Read = (Decoded, Judged);

    fn read(message: Self::Request) -> Result<Self::Read, Mistakes> {
        to_evaluate(message)
    }

    fn answer(
        (decoded, judged): Self::Read,
        wanted: &Pulse,
    ) -> Result<Option<Self::Answer>, Mistakes> {
        judged.evaluated(&decoded, wanted).transpose()
    }
}
