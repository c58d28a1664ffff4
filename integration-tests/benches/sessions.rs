//! Sessions during play, measured from outside on loopback: games that move, begin, finish, lose
//! and gain things, and the time from each update to a plan that fits it.
//!
//! `cargo bench -p stratagem-integration-tests --bench sessions`. Prints tables for
//! benches/results/sessions.md. Settings:
//!
//! * `STRATAGEM_SECONDS`: length of each game. Default: 30.
//! * `STRATAGEM_SEEDS`: games of the part `quality`. Default: 20.
//! * `STRATAGEM_PARTS`: some of `small,large,many,events,quality` (default: all).
//! * `STRATAGEM_LOGS`: where the sessions of the first three parts are logged, some of
//!   `off,file,nats` (default: `off`). The file is in the folder of the system for what may be
//!   lost; NATS is a broker of its own, without replicas, that syncs seldom.
//!
//! The caller shares the machine with the server. The control is a call that does nothing after
//! each update of a row.

#[path = "sessions/events.rs"]
mod events;
#[path = "sessions/game.rs"]
mod game;

use game::Game;
use std::time::{Duration, Instant};
use stratagem_integration_tests::broker::Broker;
use stratagem_integration_tests::figures::{Sample, is_wanted, machine, setting};
use stratagem_integration_tests::problems::{allocate, budget};
use stratagem_integration_tests::{Process, server::WITHOUT_CACHE};
use stratagem_proto::v1::session_service_client::SessionServiceClient;
use stratagem_proto::v1::{
    AllocationPreviousPlan, AnyPlan, AnyProblem, GetServerInfoRequest, GetSessionRequest,
    GetSessionResponse, SolveOptions, VerifyPlanRequest, any_plan, any_problem,
    create_session_request::State, session_view,
};
use tokio::task::JoinSet;
use tokio::time::sleep_until;
use tonic::transport::Channel;

/// Time between two attempts to create a session.
const PAUSE: Duration = Duration::from_millis(100);

/// Updates between two checks of the plan by `VerifyPlan`.
const CHECK_EVERY: usize = 10;

#[tokio::main]
async fn main() {
    if !is_wanted() {
        return;
    }
    println!("Measured on {}.\n", machine());
    let length = Duration::from_secs_f64(setting("STRATAGEM_SECONDS", 30.0));
    let all = String::from("small,large,many,events,quality");
    let logs = setting("STRATAGEM_LOGS", String::from("off"));
    let logs: Vec<_> = logs.split(',').filter_map(Logged::new).collect();
    for part in setting("STRATAGEM_PARTS", all).split(',') {
        match part {
            "small" | "large" | "many" => {
                for log in &logs {
                    logged(part, log, length).await;
                }
            }
            "events" => events::run(500).await,
            "quality" => quality(setting("STRATAGEM_SEEDS", 20)).await,
            other => panic!("there is no part {other}"),
        }
    }
}

/// Where sessions are logged: its name, and the flags of a server.
struct Logged {
    name: &'static str,
    flags: Vec<String>,
    _broker: Option<Broker>,
}

impl Logged {
    /// `None` where there is no broker.
    fn new(place: &str) -> Option<Self> {
        let (name, place, broker) = match place {
            "off" => ("no log", None, None),
            "file" => {
                let name = format!("stratagem-bench-{}", std::process::id());
                let path = std::env::temp_dir().join(name);
                ("a log in a file", Some(path.display().to_string()), None)
            }
            "nats" => {
                let broker = Broker::start()?;
                ("a log at NATS", Some(broker.url("s3cret%21")), Some(broker))
            }
            other => panic!("there is no log {other}"),
        };
        let jobs = place.into_iter().flat_map(|place| ["--jobs".into(), place]);
        let flags = WITHOUT_CACHE.iter().map(ToString::to_string);
        Some(Self {
            name,
            flags: flags.chain(jobs).collect(),
            _broker: broker,
        })
    }

    /// A server that logs there.
    async fn server(&self) -> Process {
        let flags: Vec<_> = self.flags.iter().map(|flag| &**flag).collect();
        Process::start(&flags).await
    }
}

/// A part that may be logged.
async fn logged(part: &str, log: &Logged, length: Duration) {
    match part {
        "small" => single(log, [20, 60], 30, length).await,
        "large" => single(log, [100, 500], 10, length).await,
        _ => thousand(log, length).await,
    }
}

/// Rows of tables of round trips: updates, and calls that do nothing.
const UPDATE: &str = "update";
const NOTHING: &str = "GetServerInfo, which does nothing";

/// Prints how long calls took, by kind.
fn round_trips<const N: usize>(rows: [(&str, Vec<Duration>); N]) {
    println!("| round trip in ms | median | p99 | max |\n|---|---|---|---|");
    for (name, took) in rows {
        println!("| {name} | {} |", Sample::new(took).cells());
    }
    println!();
}

type Client = SessionServiceClient<Channel>;

/// What came of the updates of a game.
#[derive(Default)]
struct Played {
    took: Vec<Duration>,
    nothing: Vec<Duration>,
    checked: usize,
    invalid: usize,
    incomplete: usize,
    refused: usize,
}

/// Sends the next tick of a game.
async fn tick(client: &mut Client, game: &mut Game, period: Duration, played: &mut Played) {
    let request = game.tick(period);
    let begin = Instant::now();
    let answer = client.update_session(request).await.expect("an answer");
    played.took.push(begin.elapsed());
    let view = answer.into_inner().view.expect("updates return a view");
    played.refused += view.refused.len();
    played.incomplete += usize::from(!view.complete);
    game.follow(view);
}

async fn present(client: &mut Client, game: &Game) -> GetSessionResponse {
    let request = GetSessionRequest {
        session_id: game.id.clone(),
    };
    let answer = client.get_session(request).await;
    answer.expect("the session is there").into_inner()
}

/// Whether the plan of a session satisfies the rules of its present problem.
async fn is_valid(server: &Process, session: GetSessionResponse) -> bool {
    let state = session.snapshot.and_then(|snapshot| snapshot.state);
    let Some(State::Allocation(state)) = state else {
        panic!("a session has a state");
    };
    let problem = state.problem.expect("a state has a problem");
    let Some(session_view::Plan::Allocation(plan)) = session.view.and_then(|view| view.plan) else {
        panic!("a session has a plan");
    };
    let request = VerifyPlanRequest {
        problem: Some(AnyProblem {
            kind: Some(any_problem::Kind::Allocation(problem)),
        }),
        plan: Some(AnyPlan {
            kind: Some(any_plan::Kind::Allocation(plan)),
        }),
    };
    let verdict = server.planning().await.verify_plan(request).await;
    verdict.expect("a verdict").into_inner().valid
}

/// Creates the session of a game, as soon as the server has its log.
async fn create(client: &mut Client, game: &mut Game, options: SolveOptions) {
    loop {
        match client.create_session(game.create(options.clone())).await {
            Ok(created) => {
                game.follow(created.into_inner().view.expect("it has a view"));
                return;
            }
            Err(status) if status.code() == tonic::Code::Unavailable => {
                sleep_until(tokio::time::Instant::now() + PAUSE).await;
            }
            Err(status) => panic!("no session: {status}"),
        }
    }
}

/// One game that is updated at a rate.
async fn single(log: &Logged, [agents, tasks]: [usize; 2], rate: u32, length: Duration) {
    let server = log.server().await;
    let mut client = SessionServiceClient::new(server.channel().await);
    let mut about = server.about().await;
    let mut game = Game::new("game", 1, agents, tasks);
    create(&mut client, &mut game, SolveOptions::default()).await;
    let period = Duration::from_secs(1) / rate;
    let (mut played, begin) = (Played::default(), tokio::time::Instant::now());
    let before = server.processor_time();
    let ticks = (length.as_secs_f64() / period.as_secs_f64()) as u32;
    for number in 1..=ticks {
        sleep_until(begin + period * number).await;
        tick(&mut client, &mut game, period, &mut played).await;
        let begin = Instant::now();
        let answer = about.get_server_info(GetServerInfoRequest {}).await;
        played.nothing.push(begin.elapsed());
        answer.expect("an answer");
        if played.took.len().is_multiple_of(CHECK_EVERY) {
            played.checked += 1;
            let session = present(&mut client, &game).await;
            played.invalid += usize::from(!is_valid(&server, session).await);
        }
    }
    let used = server.processor_time().saturating_sub(before);
    let bytes = present(&mut client, &game).await.memory_bytes;
    let log = log.name;
    println!("### {agents} agents, {tasks} tasks, {rate} Hz, {log}, {ticks} updates\n");
    round_trips([(UPDATE, played.took), (NOTHING, played.nothing)]);
    println!(
        "Plans checked by VerifyPlan: {}, invalid: {}. Plans with tasks left out: {}. Updates refused: {}. \
         Processor time of the server: {:.1} s. Memory of the session: {} KiB.\n",
        played.checked,
        played.invalid,
        played.incomplete,
        played.refused,
        used.as_secs_f64(),
        bytes / 1_024
    );
}

/// A thousand games of 5 agents and 15 tasks, one update a second each.
async fn thousand(log: &Logged, length: Duration) {
    const COUNT: u32 = 1_000;
    let server = log.server().await;
    let idle = server.memory_peak_kib();
    let mut games = Vec::new();
    let channels = [server.channel().await, server.channel().await];
    for seed in 0..u64::from(COUNT) {
        let mut client = Client::new(channels[seed as usize % 2].clone());
        let mut game = Game::new(&format!("game {seed}").replace(' ', "-"), seed, 5, 15);
        let options = SolveOptions {
            max_iterations: Some(1_000),
            ..budget(100)
        };
        create(&mut client, &mut game, options).await;
        games.push((client, game));
    }
    let (begin, before) = (tokio::time::Instant::now(), server.processor_time());
    let period = Duration::from_secs(1);
    let ticks = length.as_secs() as u32;
    let mut running = JoinSet::new();
    for ((mut client, mut game), number) in games.into_iter().zip(0_u32..) {
        running.spawn(async move {
            let mut played = Played::default();
            for step in 0..ticks {
                sleep_until(begin + period * step + period / COUNT * number).await;
                tick(&mut client, &mut game, period, &mut played).await;
            }
            played
        });
    }
    let played = running.join_all().await;
    let used = server.processor_time().saturating_sub(before);
    let took = played.iter().flat_map(|it| it.took.clone()).collect();
    let log = log.name;
    println!("### {COUNT} games of 5 agents and 15 tasks, one update a second each, {log}\n");
    round_trips([(UPDATE, took)]);
    let peak = server.memory_peak_kib().zip(idle);
    println!(
        "Refused: {}. Plans with tasks left out: {}. Processor time of the server: {:.2} cores. \
         Memory: {} KiB a game.\n",
        played.iter().map(|it| it.refused).sum::<usize>(),
        played.iter().map(|it| it.incomplete).sum::<usize>(),
        used.as_secs_f64() / length.as_secs_f64(),
        peak.map_or(0, |(peak, idle)| (peak - idle) / u64::from(COUNT)),
    );
}

/// The plan after 50 ticks of 100 ms, compared with a search of 5 s without previous plan.
async fn quality(seeds: u64) {
    println!(
        "### Plans after 50 ticks of 100 ms, compared with a search of 5 s without previous plan\n"
    );
    println!("| game | session | search of 5 s | difference |\n|---|---|---|---|");
    let (mut sum, mut worst) = (0.0, f64::MIN);
    let server = Process::start(WITHOUT_CACHE).await;
    for seed in 1..=seeds {
        let mut client = Client::new(server.channel().await);
        let mut game = Game::new(&format!("game-{seed}"), seed, 20, 60);
        create(&mut client, &mut game, SolveOptions::default()).await;
        let period = Duration::from_millis(100);
        let begin = tokio::time::Instant::now();
        for number in 1..=50 {
            sleep_until(begin + period * number).await;
            tick(&mut client, &mut game, period, &mut Played::default()).await;
        }
        sleep_until(begin + period * 51).await;
        let session = present(&mut client, &game).await;
        client
            .close_session(game.close())
            .await
            .expect("it is closed");
        let view = session.view.expect("a session has a view");
        let cost = |levels: &[f64]| *levels.last().expect("objectives have levels");
        let own = cost(&view.objective.expect("a plan has an objective").levels);
        let cold = cost(&cold(&server, session.snapshot.and_then(|it| it.state)).await);
        let gap = (own / cold - 1.0) * 100.0;
        (sum, worst) = (sum + gap, worst.max(gap));
        println!("| {seed} | {own:.2} | {cold:.2} | {gap:+.2} % |");
    }
    println!(
        "\nMean {:+.2} %, worst {worst:+.2} %.\n",
        sum / seeds as f64
    );
}

/// The objective of a search of 5 s that knows only what is begun.
async fn cold(server: &Process, state: Option<State>) -> Vec<f64> {
    let Some(State::Allocation(state)) = state else {
        panic!("a session has a state");
    };
    let mut problem = state.problem.expect("a state has a problem");
    let previous = problem.previous_plan.take().unwrap_or_default();
    let mut routes = previous.routes;
    for route in &mut routes {
        route.task_ids.truncate(route.started_count as usize);
    }
    routes.retain(|route| !route.task_ids.is_empty());
    problem.previous_plan = (!routes.is_empty()).then_some(AllocationPreviousPlan {
        routes,
        max_changes: None,
    });
    let mut client = server.allocation().await;
    let answer = client.allocate_tasks(allocate(problem, budget(5_000)));
    let report = answer.await.expect("an answer").into_inner().report;
    let objective = report.and_then(|report| report.objective);
    objective.expect("it has a plan").levels
}
