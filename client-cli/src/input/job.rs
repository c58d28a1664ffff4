//! What a job is a request to: a problem of any planner, or a request to any method that searches.

use super::planner::planner_of;
use super::problem::{Kind, parse, problem};
use super::{invalid, text};
use crate::args::{ConnectionArgs, ForeignArgs};
use crate::exit::Failure;
use crate::formats;
use stratagem_proto::v1::job_request::Method;
use stratagem_proto::v1::{
    AllocateTasksRequest, AssignCrewRequest, CheckStrongControllabilityRequest,
    GeneratePatrolRequest, GeneratePuzzleRequest, GenerateStoryRequest, JobRequest,
    PlanBurglarRequest, ScheduleNarrativeRequest,
};

/// Reads a `JobRequest`, as in `{"design_heist": {"problem": ...}}`, or a problem as [`problem`] does: then the job is a request to
/// the first method of its planner.
///
/// # Errors
/// Those of [`problem`].
pub async fn job(
    source: &str,
    foreign: ForeignArgs,
    server: &ConnectionArgs,
) -> Result<JobRequest, Failure> {
    if source.starts_with("example:") {
        return Ok(about(problem(source, foreign, server).await?));
    }
    let text = text(source)?;
    let keys = formats::top_keys(&text.text, text.format);
    if let [key] = keys.as_slice()
        && formats::job_methods().any(|method| method == *key)
    {
        return formats::read(&text.text, text.format).map_err(|mistake| invalid(&text, &mistake));
    }
    let planner = planner_of(&text, "allocation");
    parse(&text, planner, foreign).map(about)
}

/// A request about a problem, with defaults for all else.
fn about(problem: Kind) -> JobRequest {
    /// A macro, because requests share no trait.
    macro_rules! request {
        ($method:ident, $request:ident, $problem:ident) => {
            Method::$method($request {
                problem: Some($problem),
                ..$request::default()
            })
        };
    }
    let method = match problem {
        Kind::Temporal(it) => {
            request!(
                CheckStrongControllability,
                CheckStrongControllabilityRequest,
                it
            )
        }
        Kind::Narrative(it) => request!(ScheduleNarrative, ScheduleNarrativeRequest, it),
        Kind::Allocation(it) => request!(AllocateTasks, AllocateTasksRequest, it),
        Kind::Crew(it) => request!(AssignCrew, AssignCrewRequest, it),
        Kind::Patrol(it) => request!(GeneratePatrol, GeneratePatrolRequest, it),
        Kind::Puzzle(it) => request!(GeneratePuzzle, GeneratePuzzleRequest, it),
        Kind::Heist(it) => request!(PlanBurglar, PlanBurglarRequest, it),
        Kind::Story(it) => request!(GenerateStory, GenerateStoryRequest, it),
    };
    JobRequest {
        method: Some(method),
    }
}
