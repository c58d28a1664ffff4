//! `bench`: load on a server.

use super::SearchArgs;
use crate::durations::parse_budget;
use clap::Args;
use std::ops::RangeInclusive;
use std::time::Duration;

/// What `bench` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem bench example:tavern --callers 4 --duration 10s
  stratagem bench example:tavern example:turns --rate 200 --deadline 25ms..250ms --connections 500
  stratagem bench raid.yaml --max-iterations 200 --load 70% --duration 5m --require 99.9%
  stratagem bench example:ship --rate 1000 -o json > ship.json

Of --rate, --callers and --load one counts. With --rate and --load calls are made at random moments, whether or not
those before are answered, as players do; --load first measures for 3 s how many calls a second the server answers when twice
as many callers as it has slots never pause. The budget of each call is its deadline. Seeds differ from call to call, so that
no answer is another's.

Exit codes:
  0 done, 6 fewer calls than --require wants were answered in time, 34 there is no server.")]
pub struct BenchArgs {
    /// Problems of any planner, as files or example:NAME.
    #[arg(required = true, value_name = "PROBLEM")]
    pub problems: Vec<String>,
    /// Mean number of calls a second, at random moments.
    #[arg(long, value_name = "N", value_parser = rate, group = "drive")]
    pub rate: Option<f64>,
    /// Number of callers. Each caller makes its next call when the last one is answered. Default:
    /// the server's slots.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000), group = "drive")]
    pub callers: Option<u32>,
    /// Load as a share of the server's capacity, which is measured first; may be above 100%.
    #[arg(long, value_name = "PERCENT", value_parser = load, group = "drive")]
    pub load: Option<f64>,
    /// How long calls are made.
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = parse_budget)]
    pub duration: Duration,
    /// Warm-up: calls within this time are not counted.
    #[arg(long, default_value = "1s", value_name = "TIME", value_parser = parse_budget)]
    pub warm_up: Duration,
    /// Deadline of each call, or a range as in 25ms..250ms, from which deadlines are drawn
    /// log-uniformly.
    #[arg(long, default_value = "100ms", value_name = "TIME", value_parser = deadlines)]
    pub deadline: RangeInclusive<Duration>,
    /// Connections to open; calls take turns.
    #[arg(
        long,
        default_value_t = 8,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=10_000)
    )]
    pub connections: u32,
    /// Share of all calls that has to be answered in time, or the exit code is 6.
    #[arg(long, value_name = "PERCENT", value_parser = share)]
    pub require: Option<f64>,
    /// How to search, without a budget.
    #[command(flatten)]
    pub search: SearchArgs,
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse::<f64>().ok();
    rate.filter(|rate| (0.001..=1_000_000.0).contains(rate))
        .ok_or_else(|| "calls a second are wanted, 0.001 to 1000000".into())
}

fn percent(text: &str, most: f64) -> Result<f64, String> {
    let number = text.strip_suffix('%').and_then(|t| t.parse::<f64>().ok());
    number
        .filter(|percent| *percent > 0.0 && *percent <= most)
        .map(|percent| percent / 100.0)
        .ok_or_else(|| format!("a percentage above 0% and at most {most}% is wanted, as in 70%"))
}

fn load(text: &str) -> Result<f64, String> {
    percent(text, 10_000.0)
}

fn share(text: &str) -> Result<f64, String> {
    percent(text, 100.0)
}

fn deadlines(text: &str) -> Result<RangeInclusive<Duration>, String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let (least, most) = (parse_budget(least)?, parse_budget(most)?);
    if least <= most {
        Ok(least..=most)
    } else {
        Err("the shortest comes first, as in 25ms..250ms".into())
    }
}
