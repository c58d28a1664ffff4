//! The methods that jobs can be requests to: all that search.

use super::search::{Ended, Task, followed};
use crate::jobs::worker::Follower;
use crate::rpc::allocation::AllocateTasks;
use crate::rpc::answers::Stepped as _;
use crate::rpc::crew::AssignCrew;
use crate::rpc::heist::{AnalyzeHeist, DesignHeist, PlanBurglar};
use crate::rpc::method::{Asked, Method, Reading};
use crate::rpc::narrative::ScheduleNarrative;
use crate::rpc::patrol::{GeneratePatrol, MixPatrols, VaryPatrols};
use crate::rpc::puzzle::{GeneratePuzzle, SolvePuzzle};
use crate::rpc::story::{BranchStory, GenerateStory, LearnStoryDomain, VaryStories};
use crate::rpc::stream::Streamed;
use crate::rpc::temporal::{CheckControllability, CheckStrongControllability};
use crate::rpc::{Now, Parts};
use crate::run::Kind as _;
use crate::status::Refusal;
use crate::wire::job::JobKind;
use crate::wire::mistakes::{Code, Mistakes};
use crate::wire::path::Path;
use stratagem_proto::v1::{self as pb, job_request, job_response};

/// A method that jobs can be requests to.
pub(super) trait Jobbed: Method {
    /// Its options in a request.
    fn options(request: &mut Self::Request) -> &mut Option<pb::SolveOptions>;

    /// Lets a request begin with what was found for it before; false where it starts from scratch.
    fn resume(_: &mut Self::Request, _: job_response::Method) -> bool {
        false
    }

    /// A step before the last: its event, and the response so far if it brings a better plan. Methods that are not streamed have
    /// none.
    fn step(
        asked: &Asked<Self>,
        event: pb::SolveEvent,
        now: &Now<'_, Self>,
    ) -> (pb::SolveEvent, Option<Self::Answer>);

    /// The answer, as a member of the union of responses.
    fn response(answer: Self::Answer) -> job_response::Method;
}

/// What is alike in all: messages share no trait.
macro_rules! alike {
    ($method:ident) => {
        fn options(request: &mut Self::Request) -> &mut Option<pb::SolveOptions> {
            &mut request.options
        }

        fn response(answer: Self::Answer) -> job_response::Method {
            job_response::Method::$method(answer)
        }
    };
}

/// The step of a method that is streamed, from its message.
macro_rules! streamed {
    () => {
        fn step(
            asked: &Asked<Self>,
            event: pb::SolveEvent,
            now: &Now<'_, Self>,
        ) -> (pb::SolveEvent, Option<Self::Answer>) {
            let mut answer = Self::update(asked, event, now);
            let event = answer.event_field().take().unwrap_or_default();
            // Empty: what is new is no plan, but a proof or a reason.
            let brings_a_plan = now.is_new && answer != Self::Answer::default();
            (event, brings_a_plan.then_some(answer))
        }
    };
}

/// The step of one that is not.
macro_rules! unary {
    () => {
        fn step(
            _: &Asked<Self>,
            event: pb::SolveEvent,
            _: &Now<'_, Self>,
        ) -> (pb::SolveEvent, Option<Self::Answer>) {
            (event, None)
        }
    };
}

/// Begins with the plan that was found.
macro_rules! resumed {
    ($method:ident) => {
        fn resume(request: &mut Self::Request, found: job_response::Method) -> bool {
            match found {
                job_response::Method::$method(found) if found.plan.is_some() => {
                    request.previous_plan = found.plan;
                    true
                }
                _ => false,
            }
        }
    };
}

macro_rules! jobbed {
    ($($method:ident: $($part:ident),+;)*) => {
        $(impl Jobbed for $method {
            alike!($method);
            $(jobbed!(@ $method $part);)+
        })*
    };
    (@ $method:ident resumed) => { resumed!($method); };
    (@ $method:ident $part:ident) => { $part!(); };
}

jobbed! {
    AnalyzeHeist: unary;
    AssignCrew: unary;
    BranchStory: streamed;
    CheckControllability: unary;
    CheckStrongControllability: unary;
    DesignHeist: streamed;
    GeneratePatrol: streamed, resumed;
    GeneratePuzzle: streamed;
    GenerateStory: streamed, resumed;
    LearnStoryDomain: streamed;
    MixPatrols: streamed;
    PlanBurglar: streamed, resumed;
    ScheduleNarrative: streamed;
    SolvePuzzle: streamed;
    VaryPatrols: streamed;
    VaryStories: streamed;
}

impl Jobbed for AllocateTasks {
    alike!(AllocateTasks);
    streamed!();

    fn resume(request: &mut pb::AllocateTasksRequest, found: job_response::Method) -> bool {
        let job_response::Method::AllocateTasks(found) = found else {
            return false;
        };
        let (Some(problem), Some(plan)) = (&mut request.problem, found.plan) else {
            return false;
        };
        // A plan of the caller binds: the search starts with that one again.
        if problem.previous_plan.is_some() {
            return false;
        }
        problem.previous_plan = Some(previous(plan));
        true
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
        max_changes: None,
    }
}

/// What is done for each method.
macro_rules! by_method {
    ($($method:ident: $field:literal),* $(,)?) => {
        /// Checks a request as its own method does; what kind of job it is.
        pub(super) fn check(
            request: job_request::Method,
            with: &Reading<'_>,
            wrong: &mut Mistakes,
        ) -> JobKind {
            match request {
                $(job_request::Method::$method(message) => {
                    checked::<$method>((message, $field), with, wrong)
                })*
            }
        }

        /// Searches for the answer to a request.
        pub(super) async fn search(
            parts: &Parts,
            request: pb::CreateJobRequest,
            task: Task,
            follower: &mut Follower,
        ) -> Ended {
            match request.request.and_then(|request| request.method) {
                $(Some(job_request::Method::$method(message)) => {
                    followed::<$method>(parts, message, task, follower).await
                })*
                // Of a later version, which knows more methods.
                None => Ended::Refused(Refusal::Unsupported("this server lacks its method".into())),
            }
        }

        /// Slots that a job takes, by a request that was checked.
        pub(crate) fn threads(request: &mut pb::CreateJobRequest) -> usize {
            let method = request.request.as_mut().and_then(|request| request.method.as_mut());
            let options = match method {
                $(Some(job_request::Method::$method(message)) => $method::options(message),)*
                None => return 1,
            };
            let engine = options.as_ref().and_then(|options| options.engine);
            let threads = engine.and_then(|engine| engine.threads);
            usize::try_from(threads.unwrap_or(1)).unwrap_or(1)
        }
    };
}

by_method! {
    AllocateTasks: "allocate_tasks",
    AnalyzeHeist: "analyze_heist",
    AssignCrew: "assign_crew",
    BranchStory: "branch_story",
    CheckControllability: "check_controllability",
    CheckStrongControllability: "check_strong_controllability",
    DesignHeist: "design_heist",
    GeneratePatrol: "generate_patrol",
    GeneratePuzzle: "generate_puzzle",
    GenerateStory: "generate_story",
    LearnStoryDomain: "learn_story_domain",
    MixPatrols: "mix_patrols",
    PlanBurglar: "plan_burglar",
    ScheduleNarrative: "schedule_narrative",
    SolvePuzzle: "solve_puzzle",
    VaryPatrols: "vary_patrols",
    VaryStories: "vary_stories",
}

fn checked<M: Jobbed>(
    (mut request, field): (M::Request, &str),
    with: &Reading<'_>,
    wrong: &mut Mistakes,
) -> JobKind {
    let options = M::options(&mut request).clone().unwrap_or_default();
    let kind = JobKind {
        planner: M::Planner::NAME,
        method: M::NAME,
        priority: options.priority(),
    };
    if options.validate_only {
        let at = format!("request.{field}.options");
        let why = "is set, but a job that does nothing is none: call the method itself";
        wrong.add(
            &Path::root(&at).field("validate_only"),
            Code::Contradiction,
            why,
        );
    }
    if let Err(mistakes) = M::read(request, with) {
        wrong.add_below(mistakes, &format!("request.{field}"));
    }
    kind
}
