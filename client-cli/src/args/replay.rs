//! `replay`: the same request again.

use clap::Args;
use std::path::PathBuf;

/// What `replay` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem allocation plan raid.yaml --max-iterations 5000 --bundle raid.bundle.json
  stratagem replay raid.bundle.json
  stratagem replay evening.bundle.json --by-work -o json

Exit codes:
  0 the same answer, 6 another one though the first was to be reproducible, 4 another one to a
  request whose search was ended by the clock.")]
pub struct ReplayArgs {
    /// The bundle: a file that a command wrote with --bundle, or `-` for stdin.
    pub file: String,
    /// Limit the search to the iterations of the saved one instead of its time: for answers that
    /// the time budget ended.
    #[arg(long)]
    pub by_work: bool,
    /// Write the request and the new answer to another bundle; `-` for stdout.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}
