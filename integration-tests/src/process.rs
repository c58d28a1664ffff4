//! The real server as a process of its own.

use crate::patience::eventually;
use crate::{Server, binaries, command_line, server};
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::ops::Deref;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};

/// Lines of the server's log that are shown when a test fails.
const LINES_SHOWN: usize = 40;

/// A running server; killed when dropped.
pub struct Process {
    child: Child,
    lines: Arc<Mutex<Vec<String>>>,
    server: Server,
}

impl Process {
    /// Starts a server on free ports, with two slots and no lame duck unless `flags` have others,
    /// and waits until it answers.
    ///
    /// # Panics
    /// When it does not come up.
    pub async fn start(flags: &[&str]) -> Self {
        let mut child = Self::command()
            .args(server::flags(flags))
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
        let nowhere = SocketAddr::from(([127, 0, 0, 1], 0));
        let mut process = Self {
            child,
            lines,
            server: Server::elsewhere(nowhere, nowhere),
        };
        process.server = process.announced().await;
        process
    }

    /// The server program, with an environment that says nothing to it.
    #[must_use]
    pub fn command() -> Command {
        command_line::without_settings(Command::new(binaries::server()))
    }

    /// The addresses that it listens on, from its log.
    async fn announced(&mut self) -> Server {
        eventually("the server listens", async || {
            if let Some(status) = self.child.try_wait().expect("it is ours") {
                panic!("the server ended with {status}:\n{}", self.log());
            }
            let lines = self.lines();
            let line = lines.iter().find(|line| line.contains("listening"))?;
            let line: serde_json::Value = serde_json::from_str(line).expect("logs are JSON");
            let address = |key: &str| find(&line, key)?.as_str()?.parse().ok();
            Some(Server::elsewhere(address("address")?, address("metrics")?))
        })
        .await
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

    /// Kills it without warning (SIGKILL).
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

impl Deref for Process {
    type Target = Server;

    fn deref(&self) -> &Server {
        &self.server
    }
}

impl Drop for Process {
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
