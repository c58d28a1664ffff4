//! Messages from bytes, weighed before anything is allocated for them.
//!
//! A legal message of a few megabytes can ask for a hundred times as much memory: an empty
//! sub-message takes two bytes on the wire and hundreds in memory. So the raw bytes are walked
//! first, by the schema ([`weigh`]), and refused when they hold more than [`weigh::LIMITS`].

mod encoded;
mod packing;
mod schema;
#[cfg(test)]
mod tests;
pub(crate) mod weigh;

use crate::status::Refusal;
pub(crate) use encoded::{Encoded, Raw};
pub(crate) use packing::{ACCEPTED, Packing};
use prost::Message;
use stratagem_proto::v1 as pb;

/// A message that callers send.
pub(crate) trait Incoming: Message + Default + Send + 'static {
    /// Its full name in the schema.
    const NAME: &'static str;
}

impl Incoming for pb::AllocateTasksRequest {
    const NAME: &'static str = "stratagem.v1.AllocateTasksRequest";
}
impl Incoming for pb::StreamAllocateTasksRequest {
    const NAME: &'static str = "stratagem.v1.StreamAllocateTasksRequest";
}
impl Incoming for pb::ScheduleNarrativeRequest {
    const NAME: &'static str = "stratagem.v1.ScheduleNarrativeRequest";
}
impl Incoming for pb::StreamScheduleNarrativeRequest {
    const NAME: &'static str = "stratagem.v1.StreamScheduleNarrativeRequest";
}
impl Incoming for pb::CheckStrongControllabilityRequest {
    const NAME: &'static str = "stratagem.v1.CheckStrongControllabilityRequest";
}
impl Incoming for pb::CheckControllabilityRequest {
    const NAME: &'static str = "stratagem.v1.CheckControllabilityRequest";
}
impl Incoming for pb::AssignCrewRequest {
    const NAME: &'static str = "stratagem.v1.AssignCrewRequest";
}
impl Incoming for pb::CompareCrewMovesRequest {
    const NAME: &'static str = "stratagem.v1.CompareCrewMovesRequest";
}
impl Incoming for pb::PlanBurglarRequest {
    const NAME: &'static str = "stratagem.v1.PlanBurglarRequest";
}
impl Incoming for pb::StreamPlanBurglarRequest {
    const NAME: &'static str = "stratagem.v1.StreamPlanBurglarRequest";
}
impl Incoming for pb::AnalyzeHeistRequest {
    const NAME: &'static str = "stratagem.v1.AnalyzeHeistRequest";
}
impl Incoming for pb::SimulateHeistRequest {
    const NAME: &'static str = "stratagem.v1.SimulateHeistRequest";
}
impl Incoming for pb::DesignHeistRequest {
    const NAME: &'static str = "stratagem.v1.DesignHeistRequest";
}
impl Incoming for pb::StreamDesignHeistRequest {
    const NAME: &'static str = "stratagem.v1.StreamDesignHeistRequest";
}
impl Incoming for pb::InsertTaskRequest {
    const NAME: &'static str = "stratagem.v1.InsertTaskRequest";
}
impl Incoming for pb::GeneratePatrolRequest {
    const NAME: &'static str = "stratagem.v1.GeneratePatrolRequest";
}
impl Incoming for pb::StreamGeneratePatrolRequest {
    const NAME: &'static str = "stratagem.v1.StreamGeneratePatrolRequest";
}
impl Incoming for pb::MixPatrolsRequest {
    const NAME: &'static str = "stratagem.v1.MixPatrolsRequest";
}
impl Incoming for pb::StreamMixPatrolsRequest {
    const NAME: &'static str = "stratagem.v1.StreamMixPatrolsRequest";
}
impl Incoming for pb::VaryPatrolsRequest {
    const NAME: &'static str = "stratagem.v1.VaryPatrolsRequest";
}
impl Incoming for pb::StreamVaryPatrolsRequest {
    const NAME: &'static str = "stratagem.v1.StreamVaryPatrolsRequest";
}
impl Incoming for pb::EvaluatePatrolRequest {
    const NAME: &'static str = "stratagem.v1.EvaluatePatrolRequest";
}
impl Incoming for pb::GeneratePuzzleRequest {
    const NAME: &'static str = "stratagem.v1.GeneratePuzzleRequest";
}
impl Incoming for pb::StreamGeneratePuzzleRequest {
    const NAME: &'static str = "stratagem.v1.StreamGeneratePuzzleRequest";
}
impl Incoming for pb::SolvePuzzleRequest {
    const NAME: &'static str = "stratagem.v1.SolvePuzzleRequest";
}
impl Incoming for pb::StreamSolvePuzzleRequest {
    const NAME: &'static str = "stratagem.v1.StreamSolvePuzzleRequest";
}
impl Incoming for pb::RatePuzzlesRequest {
    const NAME: &'static str = "stratagem.v1.RatePuzzlesRequest";
}
impl Incoming for pb::GenerateStoryRequest {
    const NAME: &'static str = "stratagem.v1.GenerateStoryRequest";
}
impl Incoming for pb::StreamGenerateStoryRequest {
    const NAME: &'static str = "stratagem.v1.StreamGenerateStoryRequest";
}
impl Incoming for pb::VaryStoriesRequest {
    const NAME: &'static str = "stratagem.v1.VaryStoriesRequest";
}
impl Incoming for pb::StreamVaryStoriesRequest {
    const NAME: &'static str = "stratagem.v1.StreamVaryStoriesRequest";
}
impl Incoming for pb::BranchStoryRequest {
    const NAME: &'static str = "stratagem.v1.BranchStoryRequest";
}
impl Incoming for pb::StreamBranchStoryRequest {
    const NAME: &'static str = "stratagem.v1.StreamBranchStoryRequest";
}
impl Incoming for pb::LearnStoryDomainRequest {
    const NAME: &'static str = "stratagem.v1.LearnStoryDomainRequest";
}
impl Incoming for pb::ExplainStoryRequest {
    const NAME: &'static str = "stratagem.v1.ExplainStoryRequest";
}
impl Incoming for pb::RenderPlanRequest {
    const NAME: &'static str = "stratagem.v1.RenderPlanRequest";
}
impl Incoming for pb::VerifyPlanRequest {
    const NAME: &'static str = "stratagem.v1.VerifyPlanRequest";
}
impl Incoming for pb::CreateJobRequest {
    const NAME: &'static str = "stratagem.v1.CreateJobRequest";
}
impl Incoming for pb::GetJobRequest {
    const NAME: &'static str = "stratagem.v1.GetJobRequest";
}
impl Incoming for pb::ListJobsRequest {
    const NAME: &'static str = "stratagem.v1.ListJobsRequest";
}
impl Incoming for pb::WatchJobRequest {
    const NAME: &'static str = "stratagem.v1.WatchJobRequest";
}
impl Incoming for pb::CancelJobRequest {
    const NAME: &'static str = "stratagem.v1.CancelJobRequest";
}
impl Incoming for pb::DeleteJobRequest {
    const NAME: &'static str = "stratagem.v1.DeleteJobRequest";
}
impl Incoming for pb::GetServerInfoRequest {
    const NAME: &'static str = "stratagem.v1.GetServerInfoRequest";
}
impl Incoming for pb::ListExamplesRequest {
    const NAME: &'static str = "stratagem.v1.ListExamplesRequest";
}
impl Incoming for pb::GetExampleRequest {
    const NAME: &'static str = "stratagem.v1.GetExampleRequest";
}

/// Decodes a message, if it is not too heavy.
///
/// # Errors
/// When it holds too much, or cannot be decoded.
pub(crate) fn decode<M: Incoming>(bytes: &[u8]) -> Result<M, Refusal> {
    let weight = weigh::weigh(M::NAME, bytes)?;
    weight.check(&weigh::LIMITS)?;
    M::decode(bytes).map_err(|error| Refusal::Malformed(error.to_string()))
}
