//! The planning service as a program.

use std::io::Write as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use stratagem_server::config::{Action, ConfigError, injected, load};
use stratagem_server::{Config, JobsTool, Telemetry, serve};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Exit code for invalid settings.
const USAGE: u8 = 2;
/// Least time for what is left to be done at the end.
const END_LEAST: Duration = Duration::from_millis(200);

fn main() -> ExitCode {
    match load(std::env::args_os(), std::env::vars_os()) {
        Ok(Action::Serve(config)) => run(*config),
        Ok(Action::Check) => ExitCode::SUCCESS,
        Ok(Action::Jobs(tool)) => look_after(&tool),
        Ok(Action::Print(config)) => print(&config),
        Err(ConfigError::Flags(error)) => {
            // Help and version come this way too, on stdout.
            let _ = error.print();
            u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(USAGE)
        }
    }
}

fn look_after(tool: &JobsTool) -> ExitCode {
    match tool.run() {
        Ok(report) => {
            println!("{}", report.text);
            if report.is_sound {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            }
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn print(config: &Config) -> ExitCode {
    let text = toml::to_string(&config.masked()).expect("settings are plain values");
    match std::io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn run(config: Config) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("error: cannot start: {error}");
            return ExitCode::FAILURE;
        }
    };
    let telemetry = runtime.block_on(async { Telemetry::start(&config) });
    let telemetry = match telemetry {
        Ok(telemetry) => telemetry,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    for name in injected(std::env::vars_os()) {
        tracing::warn!(name, "environment variable ignored: injected by Kubernetes");
    }
    let (drain, lame_duck) = (config.drain_timeout.get(), config.lame_duck.get());
    let (code, stopping) = runtime.block_on(until_stopped(config));
    // What calls have left of their time is for the last spans.
    let left = stopping.map(|since| (drain + lame_duck).saturating_sub(since.elapsed()));
    telemetry.finish(left.unwrap_or_default().max(END_LEAST));
    // Searches that have not noticed that they should stop are left behind.
    runtime.shutdown_timeout(drain.min(END_LEAST));
    code
}

/// The exit code, and since when the server was stopping with grace.
async fn until_stopped(config: Config) -> (ExitCode, Option<Instant>) {
    let signals = (
        signal(SignalKind::terminate()),
        signal(SignalKind::interrupt()),
        signal(SignalKind::hangup()),
        signal(SignalKind::user_defined1()),
    );
    let (Ok(mut terminate), Ok(mut interrupt), Ok(mut hang_up), Ok(mut copy)) = signals else {
        tracing::error!("cannot listen to signals");
        return (ExitCode::FAILURE, None);
    };
    let server = match serve(config).await {
        Ok(server) => server,
        Err(error) => {
            tracing::error!("cannot start: {error}");
            return (ExitCode::FAILURE, None);
        }
    };
    let signal = loop {
        tokio::select! {
            signal = first(&mut terminate, &mut interrupt) => break signal,
            _ = hang_up.recv() => {
                tracing::info!(signal = "SIGHUP", "reading files again");
                server.reload();
            }
            _ = copy.recv() => {
                tracing::info!(signal = "SIGUSR1", "copying the job file");
                server.back_up();
            }
        }
    };
    tracing::info!(signal, "stopping");
    let since = Instant::now();
    // A second signal does not wait for calls in flight.
    tokio::select! {
        in_time = server.shut_down() => {
            tracing::info!(in_time, "stopped");
            (ExitCode::SUCCESS, Some(since))
        }
        signal = first(&mut terminate, &mut interrupt) => {
            tracing::warn!(signal, "stopped immediately");
            (ExitCode::FAILURE, None)
        }
    }
}

async fn first(terminate: &mut Signal, interrupt: &mut Signal) -> &'static str {
    tokio::select! {
        _ = terminate.recv() => "SIGTERM",
        _ = interrupt.recv() => "SIGINT",
    }
}
