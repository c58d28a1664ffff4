//! What there is to be known about levels and games.

use crate::rpc::method::{Asked, Method, RequestOf};
use crate::run::{AnalysisPlanner, Outcome};
use crate::wire::heist as wire;
use crate::wire::mistakes::Mistakes;
use stratagem_proto::v1 as pb;

/// The method that analyzes.
pub(crate) struct AnalyzeHeist;

impl Method for AnalyzeHeist {
    const NAME: &'static str = "stratagem.v1.HeistService/AnalyzeHeist";
    type Planner = AnalysisPlanner;
    type Names = wire::Names;
    type Request = pb::AnalyzeHeistRequest;
    type Answer = pb::AnalyzeHeistResponse;

    fn strategies() -> Vec<pb::StrategyInfo> {
        wire::analysis_strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        wire::limits()
    }

    fn decode(message: Self::Request) -> Result<RequestOf<Self>, Mistakes> {
        wire::to_analyze(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<AnalysisPlanner>) -> Self::Answer {
        wire::analyzed(asked, outcome)
    }
}
