//! What the responses of methods that search have in common.

use prost::Message;
use stratagem_proto::v1 as pb;

/// The response of a method that searches.
pub(crate) trait Answer: Message + Default + Clone + 'static {
    /// Its field `report`.
    fn report(&mut self) -> &mut Option<pb::SolveReport>;

    /// Its report; every answer of ours has one.
    fn report_mut(&mut self) -> &mut pb::SolveReport {
        self.report().get_or_insert_default()
    }
}

/// A response that a stream has, too.
pub(crate) trait Stepped: Answer {
    /// Its field `event`.
    fn event(&mut self) -> &mut Option<pb::SolveEvent>;
}

/// Messages share no trait but those of their encoding.
macro_rules! fields {
    ($trait:ident::$field:ident: $type:ident { $($message:ident),* $(,)? }) => {
        $(impl $trait for pb::$message {
            fn $field(&mut self) -> &mut Option<pb::$type> {
                &mut self.$field
            }
        })*
    };
}

fields!(Answer::report: SolveReport {
    AllocateTasksResponse,
    AnalyzeHeistResponse,
    AssignCrewResponse,
    BranchStoryResponse,
    CheckControllabilityResponse,
    CheckStrongControllabilityResponse,
    DesignHeistResponse,
    GeneratePatrolResponse,
    GeneratePuzzleResponse,
    GenerateStoryResponse,
    LearnStoryDomainResponse,
    MixPatrolsResponse,
    PlanBurglarResponse,
    ScheduleNarrativeResponse,
    SolvePuzzleResponse,
    VaryPatrolsResponse,
    VaryStoriesResponse,
});

fields!(Stepped::event: SolveEvent {
    AllocateTasksResponse,
    BranchStoryResponse,
    DesignHeistResponse,
    GeneratePatrolResponse,
    GeneratePuzzleResponse,
    GenerateStoryResponse,
    LearnStoryDomainResponse,
    MixPatrolsResponse,
    PlanBurglarResponse,
    ScheduleNarrativeResponse,
    SolvePuzzleResponse,
    VaryPatrolsResponse,
    VaryStoriesResponse,
});
