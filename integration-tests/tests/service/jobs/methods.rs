//! Any method that searches can be a job.

#![expect(clippy::needless_update, reason = "some requests have no other fields")]

use super::{Client, Place, create, ended, wanted};
use std::fmt::Debug;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::problems::budget;
use stratagem_proto::v1::job_request::Method;
use stratagem_proto::v1::{self as pb, JobState as State, any_problem::Kind, job_response};

async fn example(server: &Server, name: &str) -> Kind {
    let request = pb::GetExampleRequest { name: name.into() };
    let answer = server.about().await.get_example(request).await.unwrap();
    answer.into_inner().problem.unwrap().kind.unwrap()
}

/// Requests to the planners' methods about one example.
macro_rules! about {
    ($server:expr, $example:literal, $kind:ident: $($method:ident($request:ident)),*) => {{
        let Kind::$kind(problem) = example($server, $example).await else {
            panic!("{} is of another planner", $example);
        };
        vec![$(Method::$method(pb::$request {
            problem: Some(problem.clone()),
            options: Some(budget(400)),
            ..pb::$request::default()
        })),*]
    }};
}

/// A request to each method, but to `BranchStory`, which begins with a story.
async fn requests(server: &Server) -> Vec<Method> {
    let mut all = about!(server, "temporal/delivery", Temporal:
        CheckStrongControllability(CheckStrongControllabilityRequest),
        CheckControllability(CheckControllabilityRequest));
    all.extend(about!(server, "narrative/dragon", Narrative:
        ScheduleNarrative(ScheduleNarrativeRequest)));
    all.extend(about!(server, "allocation/raid", Allocation: AllocateTasks(AllocateTasksRequest)));
    all.extend(about!(server, "crew/ship", Crew: AssignCrew(AssignCrewRequest)));
    all.extend(about!(server, "schedule/keep", Schedule:
        ScheduleProject(ScheduleProjectRequest)));
    all.extend(about!(server, "patrol/museum", Patrol:
        GeneratePatrol(GeneratePatrolRequest), MixPatrols(MixPatrolsRequest),
        VaryPatrols(VaryPatrolsRequest)));
    all.extend(about!(server, "puzzle/thesis", Puzzle: GeneratePuzzle(GeneratePuzzleRequest)));
    all.extend(about!(server, "heist/opal", Heist: PlanBurglar(PlanBurglarRequest)));
    all.extend(about!(server, "story/inheritance", Story:
        GenerateStory(GenerateStoryRequest), VaryStories(VaryStoriesRequest)));
    let Kind::Heist(heist) = example(server, "heist/opal").await else {
        panic!("of another planner");
    };
    all.push(Method::DesignHeist(pb::DesignHeistRequest {
        problem: heist.world.clone(),
        options: Some(budget(400)),
        ..Default::default()
    }));
    all.push(Method::AnalyzeHeist(pb::AnalyzeHeistRequest {
        problem: heist.world,
        options: Some(budget(400)),
        ..Default::default()
    }));
    let rows = ["######", "#@$ .#", "######"];
    all.push(Method::SolvePuzzle(pb::SolvePuzzleRequest {
        problem: Some(pb::PuzzleBoard {
            rows: rows.map(str::to_owned).into(),
        }),
        ..Default::default()
    }));
    let text = "Ben lived in the village. Ben took the knife in the village. Ben killed Ann with the knife.";
    all.push(Method::LearnStoryDomain(pb::LearnStoryDomainRequest {
        books: Some(pb::StoryBooks {
            text: text.into(),
            ..Default::default()
        }),
        ..Default::default()
    }));
    all
}

#[tokio::test]
async fn requests_to_every_method_that_searches_are_jobs() {
    let place = Place::new();
    let server = place.server().await;
    let mut client = server.jobs().await;
    let mut jobs = Vec::new();
    for request in requests(&server).await {
        let method = variant(&request);
        let job = create(&mut client, wanted(request)).await;
        assert_eq!(job.state(), State::Queued);
        jobs.push((method, job));
    }
    let mut methods = Vec::new();
    let mut story = None;
    for (method, job) in &jobs {
        let job = succeeded(&mut client, method, job).await;
        let response = job.response.clone().and_then(|response| response.method);
        if let Some(job_response::Method::GenerateStory(answer)) = &response {
            story.clone_from(&answer.plan);
        }
        methods.push(job.method.clone());
    }
    let Kind::Story(problem) = example(&server, "story/inheritance").await else {
        panic!("of another planner");
    };
    let branch = Method::BranchStory(pb::BranchStoryRequest {
        problem: Some(problem),
        acts: story.expect("a story").acts,
        options: Some(budget(400)),
        ..Default::default()
    });
    let job = create(&mut client, wanted(branch)).await;
    methods.push(succeeded(&mut client, "BranchStory", &job).await.method);
    methods.sort();
    methods.dedup();
    assert_eq!(methods.len(), 18, "{methods:?}");
}

/// The variant of a union of methods, which is the name of the method.
fn variant(method: &impl Debug) -> String {
    let text = format!("{method:?}");
    text.split('(').next().unwrap().to_owned()
}

/// A job that has succeeded, with the response of its own method and a report with a status.
async fn succeeded(client: &mut Client, method: &str, job: &pb::Job) -> pb::Job {
    let job = ended(client, job).await;
    assert_eq!(job.state(), State::Succeeded, "{job:?}");
    assert_eq!(job.attempts, 1);
    assert!(job.method.ends_with(&format!("/{method}")), "{job:?}");
    let response = job.response.as_ref().and_then(|it| it.method.as_ref());
    let response = response.expect("it has a response");
    assert_eq!(variant(response), method);
    // Reports have their status first; responses of different methods share no trait.
    let text = format!("{response:?}");
    let (_, report) = text
        .split_once("report: Some(SolveReport { status: ")
        .expect("a report");
    assert!(!report.starts_with("Unspecified"), "{report}");
    job
}
