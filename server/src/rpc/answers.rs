//! What the responses of methods that search have in common.

use prost::Message;
use stratagem_proto::v1 as pb;

/// The response of a method that searches.
pub(crate) trait Answer: Message + Default + Clone + PartialEq + 'static {
    /// Its field `report`.
    fn report_field(&mut self) -> &mut Option<pb::SolveReport>;

    /// Its report; every answer of ours has one.
    fn report_mut(&mut self) -> &mut pb::SolveReport {
        self.report_field().get_or_insert_default()
    }
}

/// A response that a stream has, too.
pub(crate) trait Stepped: Answer {
    /// Its field `event`.
    fn event(&mut self) -> &mut Option<pb::SolveEvent>;
}

/// Messages share no trait but those of their encoding. `streamed`: methods that have a stream.
macro_rules! answers {
    (unary: $($unary:ident),*; streamed: $($streamed:ident),*) => {
        $(impl Answer for pb::$unary {
            fn report_field(&mut self) -> &mut Option<pb::SolveReport> {
                &mut self.report
            }
        })*
        $(impl Answer for pb::$streamed {
            fn report_field(&mut self) -> &mut Option<pb::SolveReport> {
                &mut self.report
            }
        }

        impl Stepped for pb::$streamed {
            fn event(&mut self) -> &mut Option<pb::SolveEvent> {
                &mut self.event
            }
        })*
    };
}

answers! {
    unary:
    AnalyzeHeistResponse,
    AssignCrewResponse,
    CheckControllabilityResponse,
    CheckStrongControllabilityResponse;
    streamed:
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
    VaryStoriesResponse
}
