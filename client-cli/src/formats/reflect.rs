//! Messages of the contract through their descriptors.

use prost::Message;
use prost_reflect::{
    DescriptorPool, DeserializeOptions, DynamicMessage, MessageDescriptor, MethodDescriptor,
    SerializeOptions,
};
use serde::Deserializer;
use std::sync::LazyLock;
use stratagem_proto::v1;

static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(stratagem_proto::DESCRIPTOR_SET)
        .expect("the build made the descriptors of the very same protos")
});

/// A message of the contract that can be read from and written to files.
pub trait Described: Message + Default {
    /// Its name in the package `stratagem.v1`.
    const NAME: &'static str;
}

macro_rules! described {
    ($($message:ident),* $(,)?) => {
        $(impl Described for v1::$message {
            const NAME: &'static str = stringify!($message);
        })*
    };
}

described!(
    AllocateTasksResponse,
    AllocationPlan,
    AllocationProblem,
    AnalyzeHeistResponse,
    AssignCrewResponse,
    BranchStoryResponse,
    CheckControllabilityResponse,
    CheckStrongControllabilityResponse,
    CompareCrewMovesRequest,
    CompareCrewMovesResponse,
    CreateJobResponse,
    CrewPlan,
    CrewProblem,
    DesignHeistResponse,
    EvaluatePatrolResponse,
    ExampleSummary,
    ExplainStoryResponse,
    GeneratePatrolResponse,
    GeneratePuzzleResponse,
    GetJobResponse,
    GenerateStoryResponse,
    GetServerInfoResponse,
    HeistPlan,
    HeistProblem,
    HeistWorld,
    InsertTaskResponse,
    Job,
    LearnStoryDomainRequest,
    LearnStoryDomainResponse,
    Limit,
    ListJobsResponse,
    MethodInfo,
    MixPatrolsResponse,
    NarrativePlan,
    NarrativeProblem,
    PatrolMixture,
    PatrolPlan,
    PatrolProblem,
    Plan,
    PlanBurglarResponse,
    Problem,
    PuzzleComparison,
    PuzzlePlan,
    PuzzleProblem,
    PuzzleWeights,
    RatePuzzlesResponse,
    ScheduleNarrativeResponse,
    SimulateHeistResponse,
    SolvePuzzleResponse,
    StoryBranches,
    StoryPlan,
    StoryProblem,
    StreamAllocateTasksResponse,
    StreamBranchStoryResponse,
    StreamDesignHeistResponse,
    StreamGeneratePatrolResponse,
    StreamGeneratePuzzleResponse,
    StreamGenerateStoryResponse,
    StreamMixPatrolsResponse,
    StreamPlanBurglarResponse,
    StreamScheduleNarrativeResponse,
    StreamSolvePuzzleResponse,
    StreamVaryPatrolsResponse,
    StreamVaryStoriesResponse,
    TemporalNetwork,
    TemporalSchedule,
    VaryPatrolsResponse,
    VaryStoriesResponse,
    VerifyPlanResponse,
    WatchJobResponse,
);

pub(super) fn descriptor<M: Described>() -> MessageDescriptor {
    POOL.get_message_by_name(&format!("stratagem.v1.{}", M::NAME))
        .expect("NAME is the name of the generated type, and that of its message")
}

/// A method by its full name, as in `stratagem.v1.AllocationService/AllocateTasks`.
pub(crate) fn method(name: &str) -> Option<MethodDescriptor> {
    let (service, method) = name.split_once('/')?;
    let service = POOL.get_service_by_name(service)?;
    service.methods().find(|known| known.name() == method)
}

/// Reads a message of any type, refusing unknown fields.
pub(crate) fn from_value(
    kind: MessageDescriptor,
    value: serde_json::Value,
) -> Result<DynamicMessage, serde_json::Error> {
    let options = DeserializeOptions::new().deny_unknown_fields(true);
    DynamicMessage::deserialize_with_options(kind, value, &options)
}

/// A message of any type as JSON, as [`compact`] writes it.
pub(crate) fn to_value(message: &DynamicMessage) -> Result<serde_json::Value, serde_json::Error> {
    message.serialize_with_options(serde_json::value::Serializer, &layout())
}

fn layout() -> SerializeOptions {
    SerializeOptions::new()
        .use_proto_field_name(true)
        .stringify_64_bit_integers(false)
}

/// Reads a message, refusing unknown fields.
pub(super) fn deserialize<'de, M: Described, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<M, D::Error> {
    let options = DeserializeOptions::new().deny_unknown_fields(true);
    let message =
        DynamicMessage::deserialize_with_options(descriptor::<M>(), deserializer, &options)?;
    message.transcode_to().map_err(serde::de::Error::custom)
}

/// Compact JSON with the field names of the protos and plain numbers. Defaults are left out.
///
/// # Errors
/// A duration out of the range of the mapping (ten thousand years): only in messages from
/// elsewhere.
pub(super) fn compact<M: Described>(message: &M) -> Result<String, serde_json::Error> {
    let mut dynamic = DynamicMessage::new(descriptor::<M>());
    dynamic
        .transcode_from(message)
        .expect("the descriptor is that of the message");
    let mut text = Vec::new();
    dynamic.serialize_with_options(&mut serde_json::Serializer::new(&mut text), &layout())?;
    Ok(String::from_utf8(text).expect("JSON is text"))
}
