//! Levels with pitfalls.

use crate::rpc::method::{Asked, Method, RequestOf};
use crate::rpc::stream::{Now, Streamed};
use crate::run::{DesignPlanner, Outcome};
use crate::wire::heist as wire;
use crate::wire::mistakes::Mistakes;
use stratagem_proto::v1 as pb;

/// Both methods that design: the stream ends with the answer of the unary one.
pub(crate) struct DesignHeist;

impl Method for DesignHeist {
    const NAME: &'static str = "stratagem.v1.HeistService/DesignHeist";
    type Planner = DesignPlanner;
    type Names = wire::Sketch;
    type Request = pb::DesignHeistRequest;
    type Answer = pb::DesignHeistResponse;

    fn strategies() -> Vec<pb::StrategyInfo> {
        wire::design_strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        wire::limits()
    }

    fn decode(message: Self::Request) -> Result<RequestOf<Self>, Mistakes> {
        wire::to_design(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<DesignPlanner>) -> Self::Answer {
        wire::design_answer(asked, outcome)
    }
}

impl Streamed for DesignHeist {
    const STREAM: &'static str = "stratagem.v1.HeistService/StreamDesignHeist";

    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        wire::design_update(asked, event, now)
    }
}
