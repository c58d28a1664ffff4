//! The built-in examples: listed, and each with a plan or a proof.

use prost::Message;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::networks::levels;
use stratagem_integration_tests::problems::{allocate, iterations};
use stratagem_proto::v1::{
    AllocateTasksResponse, AssignCrewRequest, GeneratePatrolRequest, GeneratePatrolResponse,
    GeneratePuzzleRequest, GeneratePuzzleResponse, GenerateStoryRequest, GetExampleRequest,
    ListExamplesRequest, ListExamplesResponse, PlanBurglarRequest, ScheduleNarrativeRequest,
    ScheduleNarrativeResponse, ScheduleProjectRequest, SolveReport, StopReason, any_problem,
};
use tonic::Code;

#[tokio::test]
async fn examples_are_listed_in_pages() {
    let server = Server::start(&[]).await;
    let mut about = server.about().await;
    let mut list = async |page_size: Option<i32>, page_token: &str| -> ListExamplesResponse {
        let request = ListExamplesRequest {
            page_size,
            page_token: page_token.into(),
            ..Default::default()
        };
        about.list_examples(request).await.unwrap().into_inner()
    };
    let all = list(None, "").await;
    assert_eq!(all.next_page_token, "");
    let mut paged = Vec::new();
    let mut token = String::new();
    loop {
        let page = list(Some(1), &token).await;
        assert_eq!(page.examples.len(), 1);
        paged.extend(page.examples);
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(paged, all.examples);
}

/// The file of digests of answers, one example a line.
const DIGESTS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/service/examples.digests"
);

/// Digests are the same on all machines; another one reveals a search that depends on more than
/// problem, parameters and seed. After a change of a search: `UPDATE_DIGESTS=1 cargo test -p
/// stratagem-integration-tests --test service examples`, and a look at what has changed.
#[tokio::test]
async fn examples_have_the_same_plan_or_proof_on_every_machine() {
    let server = Server::start(&[]).await;
    let request = ListExamplesRequest::default();
    let all = server.about().await.list_examples(request).await.unwrap();
    let mut digests = String::new();
    for example in all.into_inner().examples {
        let name = example.name;
        let request = GetExampleRequest { name: name.clone() };
        let mut about = server.about().await;
        let answer = about.get_example(request).await.unwrap().into_inner();
        let problem = answer.problem.unwrap().kind.unwrap();
        assert_eq!(title(&problem), example.title);
        let needs_proof = is_proved(&problem);
        let solved = solve(&server, problem).await;
        let report = &solved.report;
        assert!(solved.is_answered, "{name}: {report:?}");
        assert!(report.reproducible, "{name}: {report:?}");
        let proved = report.stop_reason() == StopReason::Proved;
        assert!(proved || !needs_proof, "{name}: {report:?}");
        digests += &format!("{name} {:016x}\n", solved.digest());
    }
    if std::env::var_os("UPDATE_DIGESTS").is_some() {
        std::fs::write(DIGESTS, &digests).unwrap();
    }
    let known = std::fs::read_to_string(DIGESTS).unwrap();
    let known: Vec<&str> = known.lines().collect();
    let differ = digests.lines().filter(|line| !known.contains(line));
    let differ: Vec<&str> = differ.collect();
    assert_eq!(differ, [""; 0], "another answer than it was");
    assert_eq!(known.len(), digests.lines().count(), "examples are gone");
}

fn title(problem: &any_problem::Kind) -> &str {
    match problem {
        any_problem::Kind::Allocation(problem) => &problem.title,
        any_problem::Kind::Crew(problem) => &problem.title,
        any_problem::Kind::Heist(problem) => &problem.world.as_ref().unwrap().title,
        any_problem::Kind::Narrative(problem) => &problem.title,
        any_problem::Kind::Patrol(problem) => &problem.title,
        any_problem::Kind::Puzzle(problem) => &problem.title,
        any_problem::Kind::Schedule(problem) => &problem.title,
        any_problem::Kind::Story(problem) => &problem.title,
        any_problem::Kind::Temporal(network) => &network.title,
    }
}

/// What came of it but for what the clock says: the answer, its status and its cost.
struct Solved {
    report: SolveReport,
    /// Whether there is a plan, or a reason why there is none.
    is_answered: bool,
    answer: Vec<u8>,
}

impl Solved {
    fn new(report: Option<SolveReport>, is_answered: bool, answer: &impl Message) -> Self {
        Self {
            report: report.expect("reports are always there"),
            is_answered,
            answer: answer.encode_to_vec(),
        }
    }

    /// 64 bits by FNV-1a: nobody attacks it.
    fn digest(&self) -> u64 {
        let objective = self.report.objective.as_ref().map(Message::encode_to_vec);
        let status = self.report.status.to_le_bytes();
        let all = [&self.answer[..], &status, &objective.unwrap_or_default()].concat();
        all.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }
}

/// A request of this type about a problem, with an iteration limit.
macro_rules! request {
    ($type:ident, $problem:ident, $limit:literal) => {{
        let mut request = $type::default();
        request.problem = Some($problem);
        request.options = Some(iterations($limit, 0));
        request
    }};
}

/// Takes the report out of a response; `$answered` says whether there is a plan or a reason.
macro_rules! solved {
    ($call:expr, $answered:expr) => {{
        let mut answer = $call.await.unwrap().into_inner();
        let report = answer.report.take();
        Solved::new(report, $answered(&answer), &answer)
    }};
}

/// The answer within an iteration limit.
async fn solve(server: &Server, problem: any_problem::Kind) -> Solved {
    match problem {
        any_problem::Kind::Allocation(problem) => {
            let request = allocate(problem, iterations(60, 0));
            let mut client = server.allocation().await;
            solved!(
                client.allocate_tasks(request),
                |a: &AllocateTasksResponse| a.plan.is_some()
            )
        }
        any_problem::Kind::Crew(problem) => {
            let request = request!(AssignCrewRequest, problem, 1);
            let mut client = server.crew().await;
            solved!(client.assign_crew(request), |_: &_| true)
        }
        any_problem::Kind::Heist(problem) => {
            let request = request!(PlanBurglarRequest, problem, 1_000_000);
            let mut client = server.heist().await;
            solved!(client.plan_burglar(request), |_: &_| true)
        }
        any_problem::Kind::Narrative(problem) => {
            let request = request!(ScheduleNarrativeRequest, problem, 1_000);
            let mut client = server.narrative().await;
            let is_answered =
                |a: &ScheduleNarrativeResponse| a.plan.is_some() != a.conflict.is_some();
            solved!(client.schedule_narrative(request), is_answered)
        }
        any_problem::Kind::Patrol(problem) => {
            let request = request!(GeneratePatrolRequest, problem, 1_000);
            let mut client = server.patrol().await;
            let is_answered = |a: &GeneratePatrolResponse| a.plan.is_some();
            solved!(client.generate_patrol(request), is_answered)
        }
        any_problem::Kind::Puzzle(problem) => {
            let request = request!(GeneratePuzzleRequest, problem, 3_000);
            let mut client = server.puzzle().await;
            let is_answered = |a: &GeneratePuzzleResponse| a.plan.is_some();
            solved!(client.generate_puzzle(request), is_answered)
        }
        any_problem::Kind::Schedule(problem) => {
            let request = request!(ScheduleProjectRequest, problem, 5_000);
            let mut client = server.schedule().await;
            solved!(client.schedule_project(request), |_: &_| true)
        }
        any_problem::Kind::Story(problem) => {
            let request = request!(GenerateStoryRequest, problem, 1_000_000);
            let mut client = server.story().await;
            solved!(client.generate_story(request), |_: &_| true)
        }
        any_problem::Kind::Temporal(network) => {
            let request = levels(network, iterations(1_000_000, 0));
            let mut client = server.temporal().await;
            solved!(client.check_controllability(request), |_: &_| true)
        }
    }
}

/// Whether the search ends with a proof within the limit.
fn is_proved(problem: &any_problem::Kind) -> bool {
    matches!(
        problem,
        any_problem::Kind::Crew(_)
            | any_problem::Kind::Heist(_)
            | any_problem::Kind::Schedule(_)
            | any_problem::Kind::Story(_)
            | any_problem::Kind::Temporal(_)
    )
}

#[tokio::test]
async fn examples_that_do_not_exist_are_not_found() {
    let server = Server::start(&[]).await;
    let mut about = server.about().await;
    let request = GetExampleRequest {
        name: "allocation/nothing".into(),
    };
    let status = about.get_example(request).await.unwrap_err();
    assert_eq!(status.code(), Code::NotFound);
    let request = ListExamplesRequest {
        page_token: "not ours".into(),
        ..Default::default()
    };
    let status = about.list_examples(request).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
}
