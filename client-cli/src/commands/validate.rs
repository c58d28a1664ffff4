//! `validate`.

use crate::args::{ConnectionArgs, ValidateArgs};
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::formats::Described;
use crate::input::{self, Kind};
use crate::narrative;
use crate::network;
use crate::output::{self, Display, Style, crew, heist, numbers, patrol, puzzle, story};
use stratagem_proto::v1::{
    AllocateTasksRequest, AllocateTasksResponse, AllocationProblem, AssignCrewRequest,
    AssignCrewResponse, CheckControllabilityRequest, CheckControllabilityResponse,
    CheckStrongControllabilityRequest, CheckStrongControllabilityResponse, CrewProblem,
    GeneratePatrolRequest, GeneratePatrolResponse, GeneratePuzzleRequest, GeneratePuzzleResponse,
    GenerateStoryRequest, GenerateStoryResponse, HeistProblem, NarrativeProblem, PatrolProblem,
    PlanBurglarRequest, PlanBurglarResponse, PuzzleProblem, ScheduleNarrativeRequest,
    ScheduleNarrativeResponse, SolveOptions, StoryProblem, TemporalNetwork,
    allocation_service_client::AllocationServiceClient, crew_service_client::CrewServiceClient,
    heist_service_client::HeistServiceClient, narrative_service_client::NarrativeServiceClient,
    patrol_service_client::PatrolServiceClient, puzzle_service_client::PuzzleServiceClient,
    story_service_client::StoryServiceClient, temporal_service_client::TemporalServiceClient,
};

/// Reads a problem and has the server check it.
pub(super) async fn run(
    args: &ValidateArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let problem = input::problem(&args.file, args.foreign, server).await?;
    let size = size(&problem);
    let connection = if args.offline {
        None
    } else {
        Some(Connection::open(server).await?)
    };
    let valid = Outcome {
        display,
        size,
        connection,
    };
    match problem {
        Kind::Allocation(problem) => valid.allocation(problem).await,
        Kind::Temporal(network) if network::has_teammates(&network) => valid.team(network).await,
        Kind::Temporal(network) => valid.alone(network).await,
        Kind::Narrative(problem) => valid.narrative(problem).await,
        Kind::Patrol(problem) => valid.patrol(problem).await,
        Kind::Puzzle(problem) => valid.puzzle(problem).await,
        Kind::Heist(problem) => valid.heist(problem).await,
        Kind::Crew(problem) => valid.crew(problem).await,
        Kind::Story(problem) => valid.story(problem).await,
    }
}

/// What a problem consists of, in words.
fn size(problem: &Kind) -> String {
    match problem {
        Kind::Allocation(problem) => {
            let tasks = numbers::things(problem.tasks.len() as i64, "tasks");
            let agents = numbers::things(problem.agents.len() as i64, "agents");
            format!("{tasks}, {agents}")
        }
        Kind::Temporal(network) => network::size(network),
        Kind::Narrative(problem) => narrative::size(problem),
        Kind::Patrol(problem) => patrol::size(problem),
        Kind::Puzzle(problem) => puzzle::size(problem),
        Kind::Heist(problem) => heist::size(problem),
        Kind::Crew(problem) => crew::size(problem),
        Kind::Story(problem) => story::size(problem),
    }
}

fn validation() -> Option<SolveOptions> {
    Some(SolveOptions {
        validate_only: true,
        ..SolveOptions::default()
    })
}

/// What is told about a problem that can be read; without a connection the server is not asked.
struct Outcome<'a> {
    display: &'a Display,
    size: String,
    connection: Option<Connection>,
}

impl Outcome<'_> {
    async fn allocation(self, problem: AllocationProblem) -> Result<Exit, Failure> {
        let mut answer = AllocateTasksResponse::default();
        if let Some(connection) = &self.connection {
            let mut client = AllocationServiceClient::new(connection.channel());
            let request = AllocateTasksRequest {
                problem: Some(problem),
                options: validation(),
            };
            answer = connection.quick(client.allocate_tasks(request)).await?;
        }
        self.show(&answer)
    }

    async fn team(self, network: TemporalNetwork) -> Result<Exit, Failure> {
        let mut answer = CheckStrongControllabilityResponse::default();
        if let Some(connection) = &self.connection {
            let mut client = TemporalServiceClient::new(connection.channel());
            let call = client.check_strong_controllability(CheckStrongControllabilityRequest {
                problem: Some(network),
                options: validation(),
                detail: None,
            });
            answer = connection.quick(call).await?;
        }
        self.show(&answer)
    }

    async fn alone(self, network: TemporalNetwork) -> Result<Exit, Failure> {
        let mut answer = CheckControllabilityResponse::default();
        if let Some(connection) = &self.connection {
            let mut client = TemporalServiceClient::new(connection.channel());
            let call = client.check_controllability(CheckControllabilityRequest {
                problem: Some(network),
                options: validation(),
                ..CheckControllabilityRequest::default()
            });
            answer = connection.quick(call).await?;
        }
        self.show(&answer)
    }

    async fn narrative(self, problem: NarrativeProblem) -> Result<Exit, Failure> {
        let mut answer = ScheduleNarrativeResponse::default();
        if let Some(connection) = &self.connection {
            let mut client = NarrativeServiceClient::new(connection.channel());
            let call = client.schedule_narrative(ScheduleNarrativeRequest {
                problem: Some(problem),
                options: validation(),
                detail: None,
            });
            answer = connection.quick(call).await?;
        }
        self.show(&answer)
    }

    async fn patrol(self, problem: PatrolProblem) -> Result<Exit, Failure> {
        let mut answer = GeneratePatrolResponse::default();
        if let Some(connection) = &self.connection {
            let mut client = PatrolServiceClient::new(connection.channel());
            let call = client.generate_patrol(GeneratePatrolRequest {
                problem: Some(problem),
                options: validation(),
                previous_plan: None,
            });
            answer = connection.quick(call).await?;
        }
        self.show(&answer)
    }

    async fn puzzle(self, problem: PuzzleProblem) -> Result<Exit, Failure> {
        let mut answer = GeneratePuzzleResponse::default();
        if let Some(connection) = &self.connection {
            let mut client = PuzzleServiceClient::new(connection.channel());
            let call = client.generate_puzzle(GeneratePuzzleRequest {
                problem: Some(problem),
                options: validation(),
            });
            answer = connection.quick(call).await?;
        }
        self.show(&answer)
    }

    async fn crew(self, problem: CrewProblem) -> Result<Exit, Failure> {
        let mut answer = AssignCrewResponse::default();
        if let Some(connection) = &self.connection {
            let mut client = CrewServiceClient::new(connection.channel());
            let call = client.assign_crew(AssignCrewRequest {
                problem: Some(problem),
                options: validation(),
                ..AssignCrewRequest::default()
            });
            answer = connection.quick(call).await?;
        }
        self.show(&answer)
    }

    async fn story(self, problem: StoryProblem) -> Result<Exit, Failure> {
        let mut answer = GenerateStoryResponse::default();
        if let Some(connection) = &self.connection {
            let mut client = StoryServiceClient::new(connection.channel());
            let call = client.generate_story(GenerateStoryRequest {
                problem: Some(problem),
                options: validation(),
                ..GenerateStoryRequest::default()
            });
            answer = connection.quick(call).await?;
        }
        self.show(&answer)
    }

    async fn heist(self, problem: HeistProblem) -> Result<Exit, Failure> {
        let mut answer = PlanBurglarResponse::default();
        if let Some(connection) = &self.connection {
            let mut client = HeistServiceClient::new(connection.channel());
            let call = client.plan_burglar(PlanBurglarRequest {
                problem: Some(problem),
                options: validation(),
                ..PlanBurglarRequest::default()
            });
            answer = connection.quick(call).await?;
        }
        self.show(&answer)
    }

    fn show<M: Described>(&self, answer: &M) -> Result<Exit, Failure> {
        if !output::message(self.display.format(), answer)? {
            let verdict = match self.connection {
                Some(_) => "valid",
                None => "readable",
            };
            let verdict = self.display.styled(Style::Good, verdict);
            output::print(&format!("{verdict}: {}\n", self.size))?;
        }
        Ok(Exit::OK)
    }
}
