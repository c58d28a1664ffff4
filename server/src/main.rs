//! The planning service as a program.

use std::io::Write as _;
use std::process::ExitCode;
use stratagem_server::config::{Action, ConfigError, LogFormat, load};
use stratagem_server::{Config, serve};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::prelude::*;

/// Exit code for settings that make no sense.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    match load(std::env::args_os(), std::env::vars_os()) {
        Ok(Action::Serve(config)) => run(*config),
        Ok(Action::Check) => ExitCode::SUCCESS,
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

fn print(config: &Config) -> ExitCode {
    let text = toml::to_string(config).expect("settings are plain values");
    match std::io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn run(config: Config) -> ExitCode {
    log(&config);
    let drain = config.drain_timeout.get();
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            tracing::error!("cannot start: {error}");
            return ExitCode::FAILURE;
        }
    };
    let code = runtime.block_on(until_stopped(config));
    // Searches that have not noticed that they should stop are left behind.
    runtime.shutdown_timeout(drain.min(std::time::Duration::from_millis(200)));
    code
}

async fn until_stopped(config: Config) -> ExitCode {
    let signals = (
        signal(SignalKind::terminate()),
        signal(SignalKind::interrupt()),
    );
    let (Ok(mut terminate), Ok(mut interrupt)) = signals else {
        tracing::error!("cannot listen to signals");
        return ExitCode::FAILURE;
    };
    let server = match serve(config).await {
        Ok(server) => server,
        Err(error) => {
            tracing::error!("cannot start: {error}");
            return ExitCode::FAILURE;
        }
    };
    let signal = first(&mut terminate, &mut interrupt).await;
    tracing::info!(signal, "stopping");
    // A second signal does not wait for calls in flight.
    tokio::select! {
        in_time = server.shut_down() => {
            tracing::info!(in_time, "stopped");
            ExitCode::SUCCESS
        }
        signal = first(&mut terminate, &mut interrupt) => {
            tracing::warn!(signal, "stopped at once");
            ExitCode::FAILURE
        }
    }
}

async fn first(terminate: &mut Signal, interrupt: &mut Signal) -> &'static str {
    tokio::select! {
        _ = terminate.recv() => "SIGTERM",
        _ = interrupt.recv() => "SIGINT",
    }
}

/// Logs to stderr; panics too, in one line each.
fn log(config: &Config) {
    // `load` has checked it.
    let filter: Targets = config.log.parse().unwrap_or_default();
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_span_events(FmtSpan::NONE);
    let registry = tracing_subscriber::registry();
    match config.log_format {
        LogFormat::Json => {
            let lines = lines.json().flatten_event(true).with_current_span(false);
            registry
                .with(lines.with_span_list(false).with_filter(filter))
                .init();
        }
        LogFormat::Text => registry.with(lines.with_filter(filter)).init(),
    }
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        tracing::error!(place, "panic: {}", text(panic.payload()));
    }));
}

/// What a panic says.
fn text(payload: &(dyn std::any::Any + Send)) -> &str {
    let fixed = payload.downcast_ref::<&str>().copied();
    let made = payload.downcast_ref::<String>().map(String::as_str);
    fixed.or(made).unwrap_or_default()
}
