//! `job`: work that outlives the call.

use super::given::ProblemArgs;
use super::verb::of_enum;
use super::{ForeignArgs, SearchArgs};
use crate::durations::parse_span;
use clap::{Args, Subcommand};
use std::time::Duration;
use stratagem_proto::v1;

/// Jobs.
#[derive(Debug, Subcommand)]
pub enum JobCommand {
    /// Submit a problem, or a request to any method that searches. The server answers it when it
    /// has free slots, even after this command has ended.
    ///
    /// The job is on the server's disk before its id is printed, and continues after a crash. Needs
    /// a server that keeps jobs (`stratagem-server --jobs FILE`).
    Create(Box<CreateJobArgs>),
    /// List jobs, the newest first.
    #[command(visible_alias = "ls")]
    List(ListJobsArgs),
    /// Show a job; with -o json its best plan so far or its whole answer, too.
    #[command(after_long_help = "\
Examples:
  stratagem job get 64a1b2c3d4e5f-0a1b2c3d
  stratagem job get 64a1b2c3d4e5f-0a1b2c3d -o json > job.json

Exit codes:
  0 it waits, runs or has succeeded, 3 proved infeasible, 4 nothing found, failed, cancelled
  without a plan or expired, 69 there is no such job.")]
    Get(NamedJobArgs),
    /// Follow a job until it has ended, from wherever it is.
    #[command(after_long_help = "\
Examples:
  stratagem job watch 64a1b2c3d4e5f-0a1b2c3d
  stratagem job watch 64a1b2c3d4e5f-0a1b2c3d --after 12 -o ndjson

Ctrl-C ends the watching, not the job. Exit codes as those of `job get`.")]
    Watch(WatchJobArgs),
    /// Ask a job to end now; the best plan found so far is its answer.
    #[command(after_long_help = "\
Examples:
  stratagem job cancel 64a1b2c3d4e5f-0a1b2c3d")]
    Cancel(NamedJobArgs),
    /// Delete a job that has ended, with its answer.
    #[command(after_long_help = "\
Examples:
  stratagem job delete 64a1b2c3d4e5f-0a1b2c3d")]
    Delete(NamedJobArgs),
}

/// What `job create` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem job create raid.yaml --budget 1h --threads 2
  stratagem job create example:museum --budget 10m --label night=3 --watch
  stratagem job create design.json --watch
  stratagem job create C101.txt --agents 10 --id nightly-c101 --deadline 8h

With --id the command can be repeated: the second time it prints the job that is there.")]
pub struct CreateJobArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// Id of the request: one id, one job, however often it is sent.
    #[arg(long, value_name = "ID")]
    pub id: Option<String>,
    /// Label for finding it again, as in night=3. May be given several times.
    #[arg(long = "label", value_name = "KEY=VALUE", value_parser = label)]
    pub labels: Vec<v1::JobLabel>,
    /// Deadline, from now on, as in 8h. Default: none.
    #[arg(long, value_name = "TIME", value_parser = span)]
    pub deadline: Option<Duration>,
    /// Retention after its end, as in 24h. Default: the server's.
    #[arg(long, value_name = "TIME", value_parser = span)]
    pub keep: Option<Duration>,
    /// Follow the job immediately, as `job watch` does.
    #[arg(long)]
    pub watch: bool,
    /// How to search. The budget is that of the search alone; the priority is low unless given.
    #[command(flatten)]
    pub search: SearchArgs,
    /// What files in the formats of others leave open.
    #[command(flatten)]
    pub foreign: ForeignArgs,
}

/// What `job list` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem job list
  stratagem job list --state running --label night=3
  stratagem job ls --planner allocation -o ndjson")]
pub struct ListJobsArgs {
    /// Only those in this state. May be given several times.
    #[arg(
        long = "state",
        value_name = "STATE",
        value_parser = of_enum("stratagem.v1.JobState")
    )]
    pub states: Vec<i32>,
    /// Only those with this label. May be given several times.
    #[arg(long = "label", value_name = "KEY=VALUE", value_parser = label)]
    pub labels: Vec<v1::JobLabel>,
    /// Only those of this planner, as in `allocation`.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    pub planner: String,
    /// Maximum number of jobs.
    #[arg(
        long = "max-jobs",
        alias = "limit",
        value_name = "N",
        default_value_t = 100,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000)
    )]
    pub limit: u32,
}

/// Which job.
#[derive(Debug, Args)]
pub struct NamedJobArgs {
    /// Its id, as `job create` printed it.
    #[arg(value_name = "JOB")]
    pub job: String,
}

/// What `job watch` takes.
#[derive(Debug, Args)]
pub struct WatchJobArgs {
    /// Which job.
    #[command(flatten)]
    pub named: NamedJobArgs,
    /// Number of the last event seen; later events are shown. Default: 0, all stored events.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        hide_default_value = true,
        value_parser = clap::value_parser!(i64).range(0..)
    )]
    pub after: i64,
}

fn label(text: &str) -> Result<v1::JobLabel, String> {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    if key.is_empty() {
        return Err("KEY=VALUE is wanted, as in night=3".into());
    }
    Ok(v1::JobLabel {
        key: key.into(),
        value: value.into(),
    })
}

fn span(text: &str) -> Result<Duration, String> {
    let micros = parse_span(text)?;
    match micros {
        0 => Err("a time above 0 is wanted".into()),
        // Never negative.
        micros => Ok(Duration::from_micros(micros.unsigned_abs())),
    }
}
