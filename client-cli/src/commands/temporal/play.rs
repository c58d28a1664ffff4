//! `temporal play`.

use super::super::acting::{Acted, Commands, act, judge};
use super::{Checker, drawable};
use crate::args::{Level, OutputFormat, PlayArgs, PlayLevel};
use crate::exit::{Exit, Failure};
use crate::game::{Game, News, Plan, Rules, broken};
use crate::moves::Named;
use crate::network;
use crate::output::table::printable;
use crate::output::temporal::{Answer, Finding, heading, verdict_line};
use crate::output::{self, Display};
use std::fmt::Write as _;
use stratagem_proto::v1::{TemporalNetwork, TemporalVerdict};
use stratagem_render::time::span_text;

const HELP: &str = "\
  wait 2s           let time go by (us, ms, s, m, h)
  happen EVENT      make an event of others happen now
  happen EVENT 12s  the same, 12 s after the beginning
  show              how things stand
  end               play on to the end: what is left happens at the latest moment
";

/// Has the network solved, then plays against the commands on stdin.
pub(super) async fn run(args: &PlayArgs, checker: &Checker<'_>) -> Result<Exit, Failure> {
    let display = checker.display;
    if display.format() != OutputFormat::Table {
        return Err(Failure::usage("`temporal play` speaks to people only"));
    }
    if args.network.file == "-" {
        return Err(Failure::usage(
            "stdin is for the moves: give the network as a file",
        ));
    }
    let level = |network: &_| level(args.level, network);
    let (network, answer) = checker.ask(&args.network, level, drawable()).await?;
    // After the server has listed every mistake.
    let rules = Rules::new(&network).map_err(|e| Failure::new(Exit::INVALID, e.to_string()))?;
    let title = heading(display, &network);
    output::print(&(title + &verdicts(display, &answer)))?;
    let findings = answer.findings();
    let Some((plan, sure)) = findings.first().and_then(|f| plan(&rules, f)) else {
        output::print("there is nothing to play: see `stratagem temporal explain`\n")?;
        return Ok(super::exit(&answer));
    };
    if !sure {
        output::print("these times failed the check: they should not be hard to break\n")?;
    }
    output::print("You decide when events of others happen; `help` lists the commands.\n")?;
    let mut played = Played {
        rules: &rules,
        game: Game::new(&rules, plan),
    };
    act(&mut played, Commands::stdin(), HELP).await?;
    let broken = broken(&rules, played.game.times());
    judge(
        display,
        &broken,
        "every requirement was kept",
        "you broke the plan",
    )
}

fn verdicts(display: &Display, answer: &Answer) -> String {
    let findings = answer.findings();
    findings.iter().map(|f| verdict_line(display, f)).collect()
}

/// Nothing of teammates can be seen in advance: only fixed times can be asked for.
fn level(wish: Option<PlayLevel>, network: &TemporalNetwork) -> Level {
    match wish {
        Some(PlayLevel::Strong) => Level::Strong,
        Some(PlayLevel::Dynamic) => Level::Dynamic,
        None if network::has_teammates(network) => Level::Strong,
        None => Level::Dynamic,
    }
}

/// What is played, and whether it is proved to work.
fn plan(rules: &Rules, finding: &Finding<'_>) -> Option<(Plan, bool)> {
    let sure = finding.verdict == TemporalVerdict::Holds;
    let dispatch = finding.dispatch.map(|d| Plan::dispatch(rules, d));
    let plan = dispatch.or_else(|| Some(Plan::schedule(rules, finding.schedule?)))?;
    Some((plan, sure))
}

/// A game with the names in it.
struct Played<'a> {
    rules: &'a Rules,
    game: Game<'a>,
}

impl Acted for Played<'_> {
    fn named(&self) -> &impl Named {
        self.rules
    }

    fn now_us(&self) -> i64 {
        self.game.now_us()
    }

    fn wait_until(&mut self, until_us: i64) {
        self.game.wait_until(until_us);
    }

    fn happen(&mut self, event: usize) -> Result<(), String> {
        self.game.happen(event)
    }

    fn pick(&mut self, _choice: usize, _option: usize) -> Result<(), String> {
        Err("there is nothing to pick".into())
    }

    fn news(&mut self) -> String {
        let mut out = String::new();
        for news in self.game.news() {
            let _ = match news {
                News::Happened { event, at_us, by } => {
                    let id = printable(&self.rules.events[event]);
                    writeln!(out, "{:>10}  {id}  ({by})", span_text(at_us))
                }
                News::Stuck { event } => {
                    let id = printable(&self.rules.events[event]);
                    writeln!(out, "            {id} cannot keep its bounds any more")
                }
            };
        }
        out
    }

    /// What time it is, what comes, and what may be done.
    fn status(&self) -> String {
        let game = &self.game;
        let name = |i: usize| printable(&self.rules.events[i]);
        let mut out = format!("now {}\n", span_text(game.now_us()));
        match game.next_of_ours() {
            Some((at, event)) => {
                let _ = writeln!(out, "  ours: {} at {}", name(event), span_text(at));
            }
            None if game.times().iter().any(Option::is_none) => {
                out.push_str("  ours: nothing until others act\n");
            }
            None => {}
        }
        for choice in game.choices() {
            let earliest = span_text(choice.earliest_us);
            let when = match (choice.waits_for.first(), choice.latest_us) {
                (Some(first), _) => format!("after {}", name(*first)),
                (None, Some(latest)) => format!("from {earliest} to {}", span_text(latest)),
                (None, None) => format!("from {earliest}"),
            };
            let _ = writeln!(out, "  yours: {} {when}", name(choice.event));
        }
        out
    }

    fn over(&self) -> bool {
        self.game.times().iter().all(Option::is_some)
    }

    fn finish(&mut self) {
        self.game.finish();
    }
}
