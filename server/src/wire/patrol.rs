//! Patrol: where guards go, and how good that is.

mod answer;
mod errors;
mod evaluation;
mod info;
mod mixture;
mod names;
mod plan;
mod problem;
mod read;
mod request;
mod variety;
mod violations;

pub(crate) use answer::{answer, update};
pub(crate) use info::{limits, mix_limits, strategies, vary_limits};
pub(crate) use mixture::{
    ReadMixture, evaluated as mixture_evaluated, mix_answer, mix_update, read as mixture,
    verdict as mixture_verdict,
};
pub(crate) use names::Names;
pub(crate) use problem::{Decoded, problem};
pub(crate) use read::{ReadPlan, plan};
pub(crate) use request::{ToJudge, mix_request, request, to_evaluate, vary_request};
pub(crate) use variety::{vary_answer, vary_update};
pub(crate) use violations::{evaluated, verdict};
