//! `server top`: servers as they are now.

use crate::durations::parse_span;
use clap::Args;
use std::time::Duration;

/// What `server top` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem server top
  stratagem server top --once -o ndjson
  stratagem server top https://plans-1:50051 https://plans-2:50051 --interval 5s
  stratagem server top --metrics http://plans:9464/metrics

On a terminal q ends it. Numbers but slots and waiting requests come from the page of metrics of each
server.")]
pub struct TopArgs {
    /// Servers: addresses, which are reached with the options of the connection, or names of
    /// `stratagem context`. Default: the server of all commands.
    #[arg(value_name = "SERVER")]
    pub servers: Vec<String>,
    /// Addresses of their metrics, in the same order. Default: port 9464 of their hosts.
    #[arg(long, value_name = "URL")]
    pub metrics: Vec<String>,
    /// Interval of updates, and the window of rates and quantiles.
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = interval)]
    pub interval: Duration,
    /// Print one interval, then exit.
    #[arg(long)]
    pub once: bool,
}

fn interval(text: &str) -> Result<Duration, String> {
    // Never negative.
    let interval = Duration::from_micros(parse_span(text)?.unsigned_abs());
    let (least, most) = (Duration::from_millis(100), Duration::from_secs(3_600));
    if (least..=most).contains(&interval) {
        Ok(interval)
    } else {
        Err("100ms to 1h is wanted".into())
    }
}
