//! Mixtures of patrols.

use super::super::method::{Asked, Method, RequestOf};
use super::super::stream::{Now, Streamed};
use crate::run::{MixturePlanner, Outcome};
use crate::wire::mistakes::Mistakes;
use crate::wire::patrol::{Names, mix_answer, mix_limits, mix_request, mix_update, strategies};
use stratagem_proto::v1 as pb;

/// Both methods that look for mixtures.
pub(crate) struct MixPatrols;

impl Method for MixPatrols {
    const NAME: &'static str = "stratagem.v1.PatrolService/MixPatrols";
    type Planner = MixturePlanner;
    type Names = Names;
    type Request = pb::MixPatrolsRequest;
    type Answer = pb::MixPatrolsResponse;

    fn strategies() -> Vec<pb::StrategyInfo> {
        strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        mix_limits()
    }

    fn decode(message: Self::Request) -> Result<RequestOf<Self>, Mistakes> {
        mix_request(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<MixturePlanner>) -> Self::Answer {
        mix_answer(asked, outcome)
    }
}

impl Streamed for MixPatrols {
    const STREAM: &'static str = "stratagem.v1.PatrolService/StreamMixPatrols";

    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        mix_update(asked, event, now)
    }
}
