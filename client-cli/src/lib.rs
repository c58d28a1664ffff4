//! The client for designers and operators: `stratagem`.
//!
//! It depends on the contract (`stratagem.v1`) only: no planner, no server. Data goes to stdout,
//! progress and errors to stderr; docs/how-to/command-line.md is the guide.
//!
//! * [`args`]: the command line.
//! * [`contract`]: planners, methods and flags, from the contract.
//! * `commands`: what the commands do, one file each.
//! * [`reflect`]: methods and jobs by their descriptors.
//! * [`bundle`]: a saved request and its answer, for replay.
//! * [`sokoban`]: playing levels of Sokoban.
//! * [`stage`]: rehearsing a narrative.
//! * [`moves`]: commands in a rehearsal.
//! * [`narrative`]: what commands need to know about narratives.
//! * [`network`]: what commands need to know about temporal networks.
//! * [`input`], [`connect`]: from what the user gives to a message, and to a server.
//! * [`contexts`]: servers by name.
//! * [`load`]: load on a server, for `bench`.
//! * [`output`]: answers for people and programs.
//! * [`exit`]: how the program ends.

pub mod args;
pub mod bundle;
pub mod connect;
pub mod contexts;
pub mod contract;
pub mod durations;
pub mod exit;
pub mod input;
pub mod load;
pub mod moves;
pub mod narrative;
pub mod network;
pub mod output;
pub mod reflect;
pub mod sokoban;
pub mod stage;

mod call;
mod commands;

use std::process::ExitCode;

/// The program: reads the command line, runs, prints what went wrong.
#[must_use]
pub fn main() -> ExitCode {
    let cli = args::Cli::read(std::env::args_os()).unwrap_or_else(|error| error.exit());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("error: cannot start: {error}");
            return exit::Exit::IO.into();
        }
    };
    let ended = runtime.block_on(commands::run(cli));
    // A thread that still reads the terminal is not waited for.
    runtime.shutdown_background();
    match ended {
        Ok(exit) => exit.into(),
        Err(failure) => {
            if !failure.message.is_empty() {
                // What a server or a file says must not move the cursor.
                let safe = |c: char| if c.is_control() && c != '\n' { '?' } else { c };
                let message: String = failure.message.chars().map(safe).collect();
                eprintln!("error: {message}");
            }
            failure.exit.into()
        }
    }
}
