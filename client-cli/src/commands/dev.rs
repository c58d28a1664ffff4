//! `dev`: starts a server of one's own and opens its playground.

use crate::args::DevArgs;
use crate::exit::{Exit, Failure};
use crate::output::{self, Display};
use rustix::process::{Pid, Signal, kill_process};
use std::env;
use std::io::{BufRead as _, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;

/// The program of the server.
const SERVER: &str = "stratagem-server";
/// What opens an address in the browser that people use.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else {
    "xdg-open"
};

/// Starts a server, opens its playground, and ends it on Ctrl-C.
pub(super) async fn run(args: &DevArgs, display: &Display) -> Result<Exit, Failure> {
    let failed = |error: std::io::Error| Failure::new(Exit::IO, format!("cannot wait: {error}"));
    // Before the server is there: who is ended by then must not leave it behind.
    let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
    let mut server = start(args)?;
    let (listens, address) = oneshot::channel();
    let (gone, end) = oneshot::channel();
    let log = server.0.stderr.take();
    thread::spawn(move || {
        if let Some(log) = log {
            follow(log, listens);
        }
        // Nobody waits any more when the program ends.
        let _ = gone.send(());
    });
    tokio::pin!(end);
    tokio::select! {
        address = address => {
            let address = address.map_err(|_| Failure::new(Exit::IO, "the server did not start"))?;
            welcome(&format!("http://{address}/playground/"), args, display)?;
        }
        _ = interrupt.recv() => return Ok(Exit::OK),
        _ = terminate.recv() => return Ok(Exit::OK),
    }
    tokio::select! {
        _ = &mut end => Err(Failure::new(Exit::IO, "the server has ended")),
        _ = interrupt.recv() => Ok(Exit::OK),
        _ = terminate.recv() => Ok(Exit::OK),
    }
}

/// A server that ends with the program.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // With grace: searches are stopped. One that ended already needs nothing.
        let _ = kill_process(Pid::from_child(&self.0), Signal::TERM);
        let _ = self.0.wait();
    }
}

fn start(args: &DevArgs) -> Result<Server, Failure> {
    let program = args.server.clone().unwrap_or_else(server_program);
    let mut command = Command::new(&program);
    command
        .arg("--listen")
        .arg(format!("127.0.0.1:{}", args.port))
        .args(["--playground", "on", "--web", "same-origin"])
        .args(["--web-hosts", "loopback"])
        .args(["--metrics-listen", "off", "--jobs", "off"])
        .args(["--lame-duck", "0ms", "--drain-timeout", "1s"])
        .args(["--log", "info", "--log-format", "json"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let started = command.spawn().map_err(|error| {
        let program = program.display();
        Failure::new(Exit::USAGE, format!("cannot start {program}: {error}"))
    });
    started.map(Server)
}

/// The server next to this program, or the one on the PATH.
fn server_program() -> PathBuf {
    let own = env::current_exe().ok();
    let program = own.and_then(|own| Some(own.parent()?.join(SERVER)));
    program
        .filter(|path| path.is_file())
        .unwrap_or_else(|| SERVER.into())
}

/// Reads the log: hands on the address, and shows what goes wrong.
fn follow(log: impl Read, listens: oneshot::Sender<String>) {
    let mut listens = Some(listens);
    for line in BufReader::new(log).lines().map_while(Result::ok) {
        let entry: serde_json::Value = serde_json::from_str(&line).unwrap_or_default();
        match (&entry["message"], entry["address"].as_str()) {
            (message, Some(address)) if message == "listening" => {
                if let Some(listens) = listens.take() {
                    let _ = listens.send(address.to_owned());
                }
            }
            // What is no line of the log is a complaint about a setting.
            _ if entry.is_null() || entry["level"] == "ERROR" || entry["level"] == "WARN" => {
                eprintln!("{line}");
            }
            _ => {}
        }
    }
}

fn welcome(address: &str, args: &DevArgs, display: &Display) -> Result<(), Failure> {
    output::print(&format!("{address}\n"))?;
    let opened = !args.no_open && open(address);
    if !display.quiet {
        let hint = if opened {
            "opened in the browser"
        } else {
            "open it in a browser"
        };
        eprintln!("{hint}; Ctrl-C ends it");
    }
    Ok(())
}

/// Opens an address, and says whether somebody was there to do it.
fn open(address: &str) -> bool {
    let opener = Command::new(OPENER)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    opener.is_ok()
}
