//! The CLI as a process.

use crate::binaries;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};

/// What a run of the CLI left behind.
#[derive(Debug)]
pub struct Run {
    /// Its exit code.
    pub code: i32,
    /// What it wrote to stdout.
    pub stdout: String,
    /// What it wrote to stderr.
    pub stderr: String,
}

impl Run {
    /// Stdout as one JSON document.
    ///
    /// # Panics
    /// When it is none.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Stdout as one JSON document a line.
    ///
    /// # Panics
    /// When it is none.
    #[must_use]
    pub fn json_lines(&self) -> Vec<serde_json::Value> {
        let line = |line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        self.stdout.lines().map(line).collect()
    }

    /// The same run, which must have ended with `code`.
    ///
    /// # Panics
    /// When it has not.
    pub fn with_code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        self
    }
}

/// Runs the CLI without a terminal.
#[must_use]
pub fn run(arguments: &[&str]) -> Run {
    run_with_input(arguments, "")
}

/// Runs the CLI without a terminal, with something on stdin.
///
/// # Panics
/// When it does not start or writes what is no UTF-8.
#[must_use]
pub fn run_with_input(arguments: &[&str], input: &str) -> Run {
    run_in(&[], arguments, input)
}

/// The same with these variables.
///
/// # Panics
/// When it does not start or writes what is no UTF-8.
#[must_use]
pub fn run_in(variables: &[(&str, &str)], arguments: &[&str], input: &str) -> Run {
    let mut running = start_in(variables, arguments);
    // It may end without having read everything.
    let _ = running.stdin.write_all(input.as_bytes());
    running.finish()
}

/// Starts the CLI without a terminal.
///
/// # Panics
/// When it does not start.
#[must_use]
pub fn start(arguments: &[&str]) -> Running {
    start_in(&[], arguments)
}

/// The same with these variables.
///
/// # Panics
/// When it does not start.
#[must_use]
pub fn start_in(variables: &[(&str, &str)], arguments: &[&str]) -> Running {
    let mut child = without_settings(Command::new(binaries::cli()))
        .envs(variables.iter().copied())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the CLI starts");
    Running {
        stdin: child.stdin.take().expect("it is piped"),
        child,
    }
}

/// A run of the CLI that goes on.
pub struct Running {
    child: Child,
    stdin: ChildStdin,
}

impl Running {
    /// Waits for a first line on stderr, then presses Ctrl-C and waits for the end.
    ///
    /// # Panics
    /// When nothing comes on stderr.
    #[must_use]
    pub fn interrupted_after_first_line(mut self) -> Run {
        let pipe = self.child.stderr.take().expect("it is piped");
        let mut reader = BufReader::new(pipe);
        let mut stderr = String::new();
        reader.read_line(&mut stderr).expect("text is UTF-8");
        assert!(!stderr.is_empty(), "it ended without a line");
        self.press();
        // Little enough to fit into the pipe of stdout meanwhile.
        reader.read_to_string(&mut stderr).expect("text is UTF-8");
        let run = self.finish();
        Run { stderr, ..run }
    }

    /// Presses Ctrl-C.
    fn press(&self) {
        let interrupt = format!("kill -INT {}", self.child.id());
        let status = Command::new("sh").args(["-c", &interrupt]).status();
        assert!(status.expect("there is a shell").success());
    }

    /// Closes its stdin and waits for its end.
    ///
    /// # Panics
    /// When it writes what is no UTF-8.
    #[must_use]
    pub fn finish(self) -> Run {
        drop(self.stdin);
        let output = self.child.wait_with_output().expect("it ends");
        let text = |bytes| String::from_utf8(bytes).expect("text is UTF-8");
        Run {
            code: output.status.code().expect("no signal ended it"),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

/// The same command without the settings of the user of the tests.
#[must_use]
pub fn without_settings(mut command: Command) -> Command {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("STRATAGEM_") || text.starts_with("OTEL_") {
            command.env_remove(name);
        }
    }
    command.env_remove("NO_COLOR").env_remove("RUST_BACKTRACE");
    // Nobody's contexts.
    command.env("XDG_CONFIG_HOME", "/nowhere");
    command
}
