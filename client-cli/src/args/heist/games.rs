//! Games of heists, and levels with pitfalls.

use super::super::given::ProblemArgs;
use super::super::search::Priority;
use super::super::{PictureArgs, SearchArgs};
use crate::durations::parse_budget;
use crate::formats::heist::deeds::deed_verb;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;
use stratagem_proto::v1::{
    HeistCosts, HeistIntervention, HeistReplan, HeistRules, HeistTrapKind, SolveOptions,
};

/// When agents plan again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReplanChoice {
    /// When an action cannot be done.
    Failure,
    /// Also when they see something that they did not expect.
    Inconsistency,
}

/// How a game is played.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "The game")]
pub struct RulesArgs {
    /// When agents plan again. Default: failure.
    #[arg(long, value_enum, value_name = "WHEN")]
    pub replan: Option<ReplanChoice>,
    /// Ticks after which the game is over. Default: 1,000.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=100_000))]
    pub ticks: Option<i32>,
    /// What the player pays for something, as THING=N: door, container, machine or camera. May be
    /// given several times. Default: the world's, else 1, and 2 for a camera.
    #[arg(long = "cost", value_name = "THING=N", value_parser = cost)]
    pub costs: Vec<(Payable, i32)>,
}

/// What the player pays for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payable {
    /// A door.
    Door,
    /// A container.
    Container,
    /// A vending machine.
    Machine,
    /// A camera.
    Camera,
}

impl RulesArgs {
    /// This as a message.
    #[must_use]
    pub fn rules(&self) -> HeistRules {
        let replan = match self.replan {
            None => HeistReplan::Unspecified,
            Some(ReplanChoice::Failure) => HeistReplan::OnFailure,
            Some(ReplanChoice::Inconsistency) => HeistReplan::OnInconsistency,
        };
        HeistRules {
            replan: replan.into(),
            max_ticks: self.ticks,
            costs: (!self.costs.is_empty()).then(|| self.costs()),
        }
    }

    /// The last one counts.
    fn costs(&self) -> HeistCosts {
        let mut costs = HeistCosts::default();
        for (what, cost) in &self.costs {
            let place = match what {
                Payable::Door => &mut costs.door,
                Payable::Container => &mut costs.container,
                Payable::Machine => &mut costs.machine,
                Payable::Camera => &mut costs.camera,
            };
            *place = Some(*cost);
        }
        costs
    }
}

/// How long a game may take.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "The server")]
pub struct PatienceArgs {
    /// Time for the game, queueing included: 250ms, 2s, 1m. Default: the server's.
    #[arg(long, value_parser = parse_budget, value_name = "TIME")]
    pub budget: Option<Duration>,
    /// Priority when the server is busy.
    #[arg(long, value_enum, value_name = "CLASS")]
    pub priority: Option<Priority>,
}

impl PatienceArgs {
    /// This as a message.
    #[must_use]
    pub fn options(&self) -> SolveOptions {
        SearchArgs {
            budget: self.budget,
            priority: self.priority,
            ..SearchArgs::default()
        }
        .options()
    }
}

/// The state of a game, and the request about it.
#[derive(Debug, Clone, Default, PartialEq, Args)]
#[command(next_help_heading = "The state of the game")]
pub struct MomentArgs {
    /// What the player has done so far, as in `heist simulate`. May be given several times.
    #[arg(long = "do", value_name = "DEED", value_parser = deed)]
    pub deeds: Vec<HeistIntervention>,
    /// The tick before which help begins. Default: 0, the start.
    #[arg(long, value_name = "TICK", value_parser = clap::value_parser!(i32).range(0..100_000))]
    pub tick: Option<i32>,
    /// Search for what gets the burglar caught instead of what helps.
    #[arg(long)]
    pub capture: bool,
    /// Maximum cost of help. Default: 6.
    #[arg(
        long = "max-help-cost",
        alias = "help-limit",
        value_name = "COST",
        value_parser = clap::value_parser!(i32).range(0..=1_000)
    )]
    pub help_limit: Option<i32>,
}

/// What `heist simulate` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem heist simulate example:opal
  stratagem heist simulate museum.json --do 3:lock:d_west --do 5:off:cam1 --html game.html
  stratagem heist simulate level.json --player level.json --replan inconsistency
  stratagem heist simulate museum.json -o ndjson | jq -c .tick.events

Exit code 0 when the game came to its end, 4 when it was stopped before.")]
pub struct SimulateHeistArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// What the player does before a tick, as TICK:VERB:ID; verbs are lock, unlock, open, close,
    /// on, off (of cameras) and trigger (of vending machines). May be given several times.
    #[arg(long = "do", value_name = "DEED", value_parser = deed)]
    pub deeds: Vec<HeistIntervention>,
    /// What the player does, from a file: a list as in [{\"t\": 3, \"do\": [\"lock\", \"d1\"]}], or
    /// the cheapest help in an answer of `heist design -o json`.
    #[arg(long, value_name = "FILE")]
    pub player: Option<String>,
    /// How it is played.
    #[command(flatten)]
    pub rules: RulesArgs,
    /// How long it may take.
    #[command(flatten)]
    pub patience: PatienceArgs,
    /// Animated pictures of the game, besides the answer.
    #[command(flatten)]
    pub pictures: PictureArgs,
}

/// What traps may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TrapChoice {
    /// Cameras.
    Cameras,
    /// Stationary guards.
    Guards,
    /// Cameras and stationary guards in turn.
    Both,
    /// A guard with a route, and stationary guards.
    Patrols,
}

/// What `heist design` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  stratagem heist design example:lighthouse
  stratagem heist design museum.json --traps 2 --kinds patrols --budget 2s --stream
  stratagem heist design museum.json -o json > level.json
  stratagem heist design museum.json --unplayed --out level.json --svg level.svg

Exit codes:
  0 solved, 3 proved that there is no such level, 4 nothing found, 5 invalid world, 130 Ctrl-C (the
  best level so far is printed with --stream).")]
pub struct DesignHeistArgs {
    /// The problem.
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// How many traps. Default: 3.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=32))]
    pub traps: Option<i32>,
    /// What they are. Default: cameras.
    #[arg(long, value_enum, value_name = "KINDS")]
    pub kinds: Option<TrapChoice>,
    /// Maximum cost of help. Default: 6.
    #[arg(
        long = "max-help-cost",
        alias = "help-limit",
        value_name = "COST",
        value_parser = clap::value_parser!(i32).range(0..=1_000)
    )]
    pub help_limit: Option<i32>,
    /// Do not simulate levels: use Algorithm 1 of the paper.
    #[arg(long)]
    pub unplayed: bool,
    /// How levels are played.
    #[command(flatten)]
    pub rules: RulesArgs,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Show each better level as it is found: a live line on a terminal, else a line on stderr for
    /// each; with `-o ndjson` each step on stdout.
    #[arg(long)]
    pub stream: bool,
    /// Write the level's world to a file, as JSON.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Pictures of the level, besides the answer.
    #[command(flatten)]
    pub pictures: PictureArgs,
}

impl DesignHeistArgs {
    /// The allowed kinds of traps as a message.
    #[must_use]
    pub fn trap_kinds(&self) -> HeistTrapKind {
        match self.kinds {
            None => HeistTrapKind::Unspecified,
            Some(TrapChoice::Cameras) => HeistTrapKind::Cameras,
            Some(TrapChoice::Guards) => HeistTrapKind::Guards,
            Some(TrapChoice::Both) => HeistTrapKind::Both,
            Some(TrapChoice::Patrols) => HeistTrapKind::Patrols,
        }
    }
}

/// Reads THING=N.
fn cost(text: &str) -> Result<(Payable, i32), String> {
    let (what, cost) = text.split_once('=').unwrap_or((text, ""));
    let what = match what {
        "door" => Payable::Door,
        "container" => Payable::Container,
        "machine" => Payable::Machine,
        "camera" => Payable::Camera,
        _ => return Err("begins with door, container, machine or camera, as in door=2".into()),
    };
    match cost.parse() {
        Ok(cost @ 0..=1_000_000) => Ok((what, cost)),
        _ => Err("a cost from 0 to 1000000 is wanted, as in door=2".into()),
    }
}

/// Reads TICK:VERB:ID; ids may have colons.
fn deed(text: &str) -> Result<HeistIntervention, String> {
    let mut parts = text.splitn(3, ':');
    let tick = parts.next().and_then(|t| t.parse::<i32>().ok());
    let verb = parts.next().and_then(deed_verb);
    let target = parts.next().filter(|id| !id.is_empty());
    match (tick.filter(|t| *t >= 0), verb, target) {
        (Some(tick), Some(verb), Some(target)) => Ok(HeistIntervention {
            tick,
            verb: verb.into(),
            target_id: target.into(),
        }),
        (None, ..) => Err("begins with a tick, from 0, and a colon, as in 3:lock:d1".into()),
        (_, None, _) => Err("verbs are lock, unlock, open, close, on, off and trigger".into()),
        (.., None) => Err("what it is done to is missing, as in 3:lock:d1".into()),
    }
}
