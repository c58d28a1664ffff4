//! `dev`: a server of one's own, with the playground.

use clap::Args;
use std::path::PathBuf;

/// What `dev` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem dev
  stratagem dev --no-open --port 8080
  stratagem dev --server target/release/stratagem-server

Exit codes:
  0 ended by Ctrl-C, 1 the server ended by itself, 2 there is no server to start.")]
pub struct DevArgs {
    /// Do not open a browser; only print the address.
    #[arg(long)]
    pub no_open: bool,
    /// Port on the loopback address. 0: a free one.
    #[arg(long, default_value_t = 0, value_name = "PORT")]
    pub port: u16,
    /// The program of the server. Default: `stratagem-server` next to this program, else on the
    /// PATH.
    #[arg(long, value_name = "FILE")]
    pub server: Option<PathBuf>,
}
