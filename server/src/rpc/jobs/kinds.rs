//! The methods that jobs of each planner are requests to.

use super::search::{Ended, Task, followed};
use crate::jobs::worker::Follower;
use crate::rpc::allocation::AllocateTasks;
use crate::rpc::crew::AssignCrew;
use crate::rpc::heist::PlanBurglar;
use crate::rpc::method::{Asked, Method};
use crate::rpc::narrative::ScheduleNarrative;
use crate::rpc::patrol::GeneratePatrol;
use crate::rpc::puzzle::GeneratePuzzle;
use crate::rpc::story::GenerateStory;
use crate::rpc::stream::Streamed;
use crate::rpc::temporal::CheckStrongControllability;
use crate::rpc::{Now, Parts};
use crate::run::Kind as _;
use crate::status::Refusal;
use crate::wire::mistakes::Mistakes;
use stratagem_proto::v1::{self as pb, job_answer, plan, problem};

/// A method that jobs can be requests to.
pub(super) trait Jobbed: Method {
    /// Its member of the union of problems.
    type Problem: Send;
    /// Whether a search begins with the plan of the one before.
    const BEGINS_WITH_PLAN: bool = false;
    /// Name of the problem in the method's own request.
    const AT: &'static str = "problem";

    /// The request.
    fn job(
        problem: Self::Problem,
        options: pb::SolveOptions,
        plan: Option<pb::Plan>,
    ) -> Self::Request;

    /// A step before the last: its event, and its plan if it brings one. Methods that are not streamed have none.
    fn step(
        _: &Asked<Self>,
        event: pb::SolveEvent,
        _: &Now<'_, Self>,
    ) -> (pb::SolveEvent, Option<plan::Kind>) {
        (event, None)
    }

    /// The answer, as a member of the union of answers.
    fn answer(answer: Self::Answer) -> job_answer::Kind;
}

/// The step of a streamed method, from its message. A macro, because messages share no trait.
macro_rules! streamed {
    ($kind:path) => {
        fn step(
            asked: &Asked<Self>,
            event: pb::SolveEvent,
            now: &Now<'_, Self>,
        ) -> (pb::SolveEvent, Option<plan::Kind>) {
            let update = <Self as Streamed>::update(asked, event, now);
            (update.event.unwrap_or_default(), update.plan.map($kind))
        }
    };
}

impl Jobbed for AllocateTasks {
    type Problem = pb::AllocationProblem;
    const BEGINS_WITH_PLAN: bool = true;

    fn job(
        mut problem: pb::AllocationProblem,
        options: pb::SolveOptions,
        plan: Option<pb::Plan>,
    ) -> pb::AllocateTasksRequest {
        // Where one is under way already, it binds: that one is begun with again.
        if problem.previous_plan.is_none()
            && let Some(plan::Kind::Allocation(plan)) = plan.and_then(|plan| plan.kind)
        {
            problem.previous_plan = Some(previous(plan));
        }
        pb::AllocateTasksRequest {
            problem: Some(problem),
            options: Some(options),
        }
    }

    streamed!(plan::Kind::Allocation);

    fn answer(answer: pb::AllocateTasksResponse) -> job_answer::Kind {
        job_answer::Kind::Allocation(answer)
    }
}

/// A plan to begin with: nothing of it binds.
fn previous(plan: pb::AllocationPlan) -> pb::AllocationPreviousPlan {
    let route = |route: pb::AllocationRoute| pb::AllocationPreviousRoute {
        agent_id: route.agent_id,
        task_ids: route.stops.into_iter().map(|stop| stop.task_id).collect(),
        started_count: 0,
    };
    pb::AllocationPreviousPlan {
        routes: plan.routes.into_iter().map(route).collect(),
        changes_max: None,
    }
}

impl Jobbed for AssignCrew {
    type Problem = pb::CrewProblem;

    fn job(
        problem: pb::CrewProblem,
        options: pb::SolveOptions,
        _: Option<pb::Plan>,
    ) -> pb::AssignCrewRequest {
        pb::AssignCrewRequest {
            problem: Some(problem),
            options: Some(options),
            ..pb::AssignCrewRequest::default()
        }
    }

    fn answer(answer: pb::AssignCrewResponse) -> job_answer::Kind {
        job_answer::Kind::Crew(answer)
    }
}

impl Jobbed for PlanBurglar {
    type Problem = pb::HeistProblem;
    const BEGINS_WITH_PLAN: bool = true;

    fn job(
        problem: pb::HeistProblem,
        options: pb::SolveOptions,
        plan: Option<pb::Plan>,
    ) -> pb::PlanBurglarRequest {
        let previous = plan.and_then(|plan| match plan.kind {
            Some(plan::Kind::Heist(plan)) => Some(plan),
            _ => None,
        });
        pb::PlanBurglarRequest {
            problem: Some(problem),
            options: Some(options),
            previous,
            ..pb::PlanBurglarRequest::default()
        }
    }

    streamed!(plan::Kind::Heist);

    fn answer(answer: pb::PlanBurglarResponse) -> job_answer::Kind {
        job_answer::Kind::Heist(answer)
    }
}

impl Jobbed for ScheduleNarrative {
    type Problem = pb::NarrativeProblem;

    fn job(
        problem: pb::NarrativeProblem,
        options: pb::SolveOptions,
        _: Option<pb::Plan>,
    ) -> pb::ScheduleNarrativeRequest {
        pb::ScheduleNarrativeRequest {
            problem: Some(problem),
            options: Some(options),
            detail: None,
        }
    }

    streamed!(plan::Kind::Narrative);

    fn answer(answer: pb::ScheduleNarrativeResponse) -> job_answer::Kind {
        job_answer::Kind::Narrative(answer)
    }
}

impl Jobbed for GeneratePatrol {
    type Problem = pb::PatrolProblem;

    fn job(
        problem: pb::PatrolProblem,
        options: pb::SolveOptions,
        _: Option<pb::Plan>,
    ) -> pb::GeneratePatrolRequest {
        pb::GeneratePatrolRequest {
            problem: Some(problem),
            options: Some(options),
        }
    }

    streamed!(plan::Kind::Patrol);

    fn answer(answer: pb::GeneratePatrolResponse) -> job_answer::Kind {
        job_answer::Kind::Patrol(answer)
    }
}

impl Jobbed for GeneratePuzzle {
    type Problem = pb::PuzzleProblem;

    fn job(
        problem: pb::PuzzleProblem,
        options: pb::SolveOptions,
        _: Option<pb::Plan>,
    ) -> pb::GeneratePuzzleRequest {
        pb::GeneratePuzzleRequest {
            problem: Some(problem),
            options: Some(options),
        }
    }

    streamed!(plan::Kind::Puzzle);

    fn answer(answer: pb::GeneratePuzzleResponse) -> job_answer::Kind {
        job_answer::Kind::Puzzle(answer)
    }
}

impl Jobbed for GenerateStory {
    type Problem = pb::StoryProblem;
    const BEGINS_WITH_PLAN: bool = true;

    fn job(
        problem: pb::StoryProblem,
        options: pb::SolveOptions,
        plan: Option<pb::Plan>,
    ) -> pb::GenerateStoryRequest {
        let acts = plan.and_then(|plan| match plan.kind {
            Some(plan::Kind::Story(plan)) => Some(plan.acts),
            _ => None,
        });
        pb::GenerateStoryRequest {
            problem: Some(problem),
            options: Some(options),
            previous_acts: acts.unwrap_or_default(),
            style: None,
        }
    }

    streamed!(plan::Kind::Story);

    fn answer(answer: pb::GenerateStoryResponse) -> job_answer::Kind {
        job_answer::Kind::Story(answer)
    }
}

impl Jobbed for CheckStrongControllability {
    type Problem = pb::TemporalNetwork;
    const AT: &'static str = "network";

    fn job(
        network: pb::TemporalNetwork,
        options: pb::SolveOptions,
        _: Option<pb::Plan>,
    ) -> pb::CheckStrongControllabilityRequest {
        pb::CheckStrongControllabilityRequest {
            network: Some(network),
            options: Some(options),
            detail: None,
        }
    }

    fn answer(answer: pb::CheckStrongControllabilityResponse) -> job_answer::Kind {
        job_answer::Kind::Temporal(answer)
    }
}

/// Checks problem and options as the planner's own method does; the planner, if there is one.
pub(super) fn check(request: pb::CreateJobRequest, wrong: &mut Mistakes) -> Option<&'static str> {
    let options = request.options.unwrap_or_default();
    use problem::Kind;
    Some(match request.problem?.kind? {
        Kind::Allocation(problem) => checked::<AllocateTasks>((problem, options), wrong),
        Kind::Crew(problem) => checked::<AssignCrew>((problem, options), wrong),
        Kind::Heist(problem) => checked::<PlanBurglar>((problem, options), wrong),
        Kind::Narrative(problem) => checked::<ScheduleNarrative>((problem, options), wrong),
        Kind::Patrol(problem) => checked::<GeneratePatrol>((problem, options), wrong),
        Kind::Puzzle(problem) => checked::<GeneratePuzzle>((problem, options), wrong),
        Kind::Story(problem) => checked::<GenerateStory>((problem, options), wrong),
        Kind::Temporal(network) => checked::<CheckStrongControllability>((network, options), wrong),
    })
}

fn checked<M: Jobbed>(
    (problem, options): (M::Problem, pb::SolveOptions),
    wrong: &mut Mistakes,
) -> &'static str {
    let planner = M::Planner::NAME;
    if let Err(mistakes) = M::decode(M::job(problem, options, None)) {
        wrong.add_moved(mistakes, (M::AT, &format!("problem.{planner}")));
    }
    planner
}

/// Searches for a plan for the problem.
pub(super) async fn search(
    parts: &Parts,
    request: pb::CreateJobRequest,
    task: Task,
    follower: &mut Follower,
) -> Ended {
    let options = request.options.unwrap_or_default();
    use problem::Kind;
    let Some(kind) = request.problem.and_then(|problem| problem.kind) else {
        // Of a later version, which knows more planners.
        return Ended::Refused(Refusal::Unsupported("this server lacks its planner".into()));
    };
    match kind {
        Kind::Allocation(it) => {
            followed::<AllocateTasks>(parts, options, (it, task), follower).await
        }
        Kind::Crew(it) => followed::<AssignCrew>(parts, options, (it, task), follower).await,
        Kind::Heist(it) => followed::<PlanBurglar>(parts, options, (it, task), follower).await,
        Kind::Narrative(it) => {
            followed::<ScheduleNarrative>(parts, options, (it, task), follower).await
        }
        Kind::Patrol(it) => followed::<GeneratePatrol>(parts, options, (it, task), follower).await,
        Kind::Puzzle(it) => followed::<GeneratePuzzle>(parts, options, (it, task), follower).await,
        Kind::Story(it) => followed::<GenerateStory>(parts, options, (it, task), follower).await,
        Kind::Temporal(it) => {
            followed::<CheckStrongControllability>(parts, options, (it, task), follower).await
        }
    }
}
