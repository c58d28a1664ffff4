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

    fn limits() -> Vec<pb::Limit> {
        wire::limits()
    }

    fn decode(message: Self::Request) -> Result<RequestOf<Self>, Mistakes> {
        wire::to_design(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<DesignPlanner>) -> Self::Answer {
        wire::design_answer(asked, outcome)
    }

    fn report(answer: &mut Self::Answer) -> &mut Option<pb::SolveReport> {
        &mut answer.report
    }
}

impl Streamed for DesignHeist {
    const STREAM: &'static str = "stratagem.v1.HeistService/StreamDesignHeist";
    type StreamRequest = pb::StreamDesignHeistRequest;
    type Update = pb::StreamDesignHeistResponse;

    fn unary(message: Self::StreamRequest) -> Self::Request {
        let pb::StreamDesignHeistRequest {
            world,
            options,
            trap_count,
            trap_kinds,
            rules,
            help_cost_limit,
            unplayed,
        } = message;
        pb::DesignHeistRequest {
            world,
            options,
            trap_count,
            trap_kinds,
            rules,
            help_cost_limit,
            unplayed,
        }
    }

    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Update {
        wire::design_update(asked, event, now)
    }

    fn last(event: pb::SolveEvent, answer: Self::Answer) -> Self::Update {
        let pb::DesignHeistResponse {
            level,
            report,
            analysis,
        } = answer;
        pb::StreamDesignHeistResponse {
            event: Some(event),
            level,
            report,
            analysis,
        }
    }
}
