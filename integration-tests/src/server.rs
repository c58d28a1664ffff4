//! The real server as a process of its own.

use crate::metrics::Metrics;
use crate::patience::eventually;
use crate::{binaries, command_line};
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use stratagem_proto::v1::allocation_service_client::AllocationServiceClient;
use stratagem_proto::v1::crew_service_client::CrewServiceClient;
use stratagem_proto::v1::heist_service_client::HeistServiceClient;
use stratagem_proto::v1::job_service_client::JobServiceClient;
use stratagem_proto::v1::narrative_service_client::NarrativeServiceClient;
use stratagem_proto::v1::patrol_service_client::PatrolServiceClient;
use stratagem_proto::v1::planning_service_client::PlanningServiceClient;
use stratagem_proto::v1::puzzle_service_client::PuzzleServiceClient;
use stratagem_proto::v1::schedule_service_client::ScheduleServiceClient;
use stratagem_proto::v1::server_service_client::ServerServiceClient;
use stratagem_proto::v1::story_service_client::StoryServiceClient;
use stratagem_proto::v1::temporal_service_client::TemporalServiceClient;
use tonic::transport::{Channel, Endpoint};

/// Flags of a server that forgets nothing on purpose: no answer is kept, so that every request is
/// searched.
pub const WITHOUT_CACHE: &[&str] = &["--cache-bytes-max", "0"];

/// Lines of the server's log that are shown when a test fails.
const LINES_SHOWN: usize = 40;

/// A running server; killed when dropped.
pub struct Server {
    child: Child,
    lines: Arc<Mutex<Vec<String>>>,
    /// Where it serves gRPC.
    pub address: SocketAddr,
    /// Where it serves metrics.
    pub metrics_address: SocketAddr,
}

impl Server {
    /// Starts a server on free ports, with two slots and no lame duck unless `flags` say otherwise,
    /// and waits until it answers.
    ///
    /// # Panics
    /// When it does not come up.
    pub async fn start(flags: &[&str]) -> Self {
        let mut command = Self::command();
        for (flag, value) in [
            ("--listen", "127.0.0.1:0"),
            ("--metrics-listen", "127.0.0.1:0"),
            ("--slots", "2"),
            ("--lame-duck", "0ms"),
        ] {
            if !flags.contains(&flag) {
                command.args([flag, value]);
            }
        }
        let mut child = command
            .args(flags)
            // Nobody waits for spans for longer than has to be.
            .env("OTEL_BSP_SCHEDULE_DELAY", "200")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let lines = Arc::new(Mutex::new(Vec::new()));
        collect(child.stdout.take().expect("it is piped"), lines.clone());
        collect(child.stderr.take().expect("it is piped"), lines.clone());
        let mut server = Self {
            child,
            lines,
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            metrics_address: SocketAddr::from(([127, 0, 0, 1], 0)),
        };
        (server.address, server.metrics_address) = server.announced().await;
        server
    }

    /// The server program, with an environment that says nothing to it.
    #[must_use]
    pub fn command() -> Command {
        command_line::without_settings(Command::new(binaries::server()))
    }

    /// The addresses that it listens on, from its log.
    async fn announced(&mut self) -> (SocketAddr, SocketAddr) {
        eventually("the server listens", async || {
            if let Some(status) = self.child.try_wait().expect("it is ours") {
                panic!("the server ended with {status}:\n{}", self.log());
            }
            let lines = self.lines();
            let line = lines.iter().find(|line| line.contains("listening"))?;
            let line: serde_json::Value = serde_json::from_str(line).expect("logs are JSON");
            let address = |key: &str| find(&line, key)?.as_str()?.parse().ok();
            Some((address("address")?, address("metrics")?))
        })
        .await
    }

    /// Its address as a client wants it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// A new connection.
    pub async fn channel(&self) -> Channel {
        let endpoint = Endpoint::from_shared(self.url()).expect("addresses are good");
        endpoint.connect().await.expect("the server listens")
    }

    /// A client of the planner, on a new connection.
    pub async fn allocation(&self) -> AllocationServiceClient<Channel> {
        AllocationServiceClient::new(self.channel().await).max_decoding_message_size(64 << 20)
    }

    /// A client of the schedule planner, on a new connection.
    pub async fn schedule(&self) -> ScheduleServiceClient<Channel> {
        ScheduleServiceClient::new(self.channel().await)
    }

    /// A client of the crew planner, on a new connection.
    pub async fn crew(&self) -> CrewServiceClient<Channel> {
        CrewServiceClient::new(self.channel().await)
    }

    /// A client of the heist planner, on a new connection.
    pub async fn heist(&self) -> HeistServiceClient<Channel> {
        HeistServiceClient::new(self.channel().await)
    }

    /// A client of the narrative planner, on a new connection.
    pub async fn narrative(&self) -> NarrativeServiceClient<Channel> {
        NarrativeServiceClient::new(self.channel().await)
    }

    /// A client of the patrol planner, on a new connection.
    pub async fn patrol(&self) -> PatrolServiceClient<Channel> {
        PatrolServiceClient::new(self.channel().await)
    }

    /// A client of the puzzle planner, on a new connection.
    pub async fn puzzle(&self) -> PuzzleServiceClient<Channel> {
        PuzzleServiceClient::new(self.channel().await)
    }

    /// A client of the story planner, on a new connection.
    pub async fn story(&self) -> StoryServiceClient<Channel> {
        StoryServiceClient::new(self.channel().await)
    }

    /// A client of the temporal planner, on a new connection.
    pub async fn temporal(&self) -> TemporalServiceClient<Channel> {
        TemporalServiceClient::new(self.channel().await)
    }

    /// A client for verification, on a new connection.
    pub async fn planning(&self) -> PlanningServiceClient<Channel> {
        PlanningServiceClient::new(self.channel().await)
    }

    /// A client for jobs, on a new connection.
    pub async fn jobs(&self) -> JobServiceClient<Channel> {
        JobServiceClient::new(self.channel().await).max_decoding_message_size(64 << 20)
    }

    /// A client that asks the server about itself, on a new connection.
    pub async fn about(&self) -> ServerServiceClient<Channel> {
        ServerServiceClient::new(self.channel().await)
    }

    /// Its metrics at this moment.
    pub async fn metrics(&self) -> Metrics {
        let address = self.metrics_address;
        tokio::task::spawn_blocking(move || Metrics::fetch(address))
            .await
            .expect("fetching does not panic")
            .expect("metrics are served")
    }

    /// Asks it to stop, as an orchestrator does.
    pub fn terminate(&self) {
        self.signal("TERM");
    }

    /// Asks it to read its files again.
    pub fn hang_up(&self) {
        self.signal("HUP");
    }

    fn signal(&self, name: &str) {
        // The shell has `kill` built in; a program of that name may be missing.
        let kill = format!("kill -{name} {}", self.child.id());
        let status = Command::new("sh").args(["-c", &kill]).status();
        assert!(status.expect("there is a shell").success());
    }

    /// Ends it at once, whatever it is doing.
    pub fn kill(&mut self) {
        self.child.kill().expect("it is ours");
        self.child.wait().expect("it is ours");
    }

    /// Waits until it has ended by itself.
    ///
    /// # Panics
    /// When it does not.
    pub async fn ended(&mut self) -> ExitStatus {
        eventually("the server ends", async || {
            self.child.try_wait().expect("it is ours")
        })
        .await
    }

    /// Its peak memory, in KiB; `None` where the system does not report it (not Linux).
    #[must_use]
    pub fn memory_peak_kib(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().trim_end_matches(" kB").parse().ok()
    }

    /// Processor time that it has used so far, all threads together; 0 where the system has no
    /// `/proc`.
    #[must_use]
    pub fn processor_time(&self) -> std::time::Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()));
        let stat = stat.unwrap_or_default();
        // After the name in brackets: state is field 3, user and system time are 14 and 15, in
        // hundredths of a second.
        let fields = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
        let ticks = fields.split(' ').skip(11).take(2);
        let ticks: u64 = ticks.filter_map(|it| it.parse::<u64>().ok()).sum();
        std::time::Duration::from_millis(ticks * 10)
    }

    /// Everything that it has written so far, by line.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.lines.lock().expect("readers do not panic").clone()
    }

    /// Everything that it has written so far.
    #[must_use]
    pub fn log(&self) -> String {
        self.lines().join("\n")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail when it has ended already, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            let lines = self.lines();
            let last = &lines[lines.len().saturating_sub(LINES_SHOWN)..];
            eprintln!("the server wrote, at last:\n{}", last.join("\n"));
        }
    }
}

/// The value of a key, wherever it is nested.
fn find<'v>(value: &'v serde_json::Value, key: &str) -> Option<&'v serde_json::Value> {
    let object = value.as_object()?;
    object
        .get(key)
        .or_else(|| object.values().find_map(|inner| find(inner, key)))
}

/// Keeps what comes out of a pipe, so that the server never blocks on it.
fn collect(pipe: impl std::io::Read + Send + 'static, lines: Arc<Mutex<Vec<String>>>) {
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            lines.lock().expect("nobody panics with it").push(line);
        }
    });
}
