//! `stn play`.

use super::{Stn, drawable};
use crate::args::{Level, OutputFormat, PlayArgs, PlayLevel};
use crate::exit::{Exit, Failure};
use crate::game::{Game, Move, News, Plan, Rules, broken, parse_move};
use crate::network;
use crate::output::table::printable;
use crate::output::temporal::{Answer, Finding, heading, verdict_line};
use crate::output::{self, Display, Style};
use std::fmt::Write as _;
use std::io::{BufRead, IsTerminal, Read};
use stratagem_proto::v1::{TemporalNetwork, TemporalVerdict};
use stratagem_render::time::span_text;

/// Bytes of a command, at most.
const LINE_MAX: u64 = 4_096;
const HELP: &str = "\
  wait 2s           let time go by (us, ms, s, m, h)
  happen EVENT      make an event of others happen now
  happen EVENT 12s  the same, 12 s after the beginning
  show              how things stand
  end               play on to the end: what is left happens at the latest moment
";

/// Has the network solved, then plays against whoever writes commands to stdin.
pub(super) async fn run(args: &PlayArgs, stn: &Stn<'_>) -> Result<Exit, Failure> {
    let display = stn.display;
    if display.format() != OutputFormat::Table {
        return Err(Failure::usage("`stn play` speaks to people only"));
    }
    if args.network.file == "-" {
        return Err(Failure::usage(
            "stdin is for the moves: give the network as a file",
        ));
    }
    let level = |network: &_| level(args.level, network);
    let (network, answer) = stn.ask(&args.network, level, drawable()).await?;
    // After the server has listed every mistake.
    let rules = Rules::new(&network).map_err(|e| Failure::new(Exit::INVALID, e.to_string()))?;
    let title = heading(display, &network);
    output::print(&(title + &verdicts(display, &answer)))?;
    let findings = answer.findings();
    let Some((plan, sure)) = findings.first().and_then(|f| plan(&rules, f)) else {
        output::print("there is nothing to play: see `stratagem stn explain`\n")?;
        return Ok(super::exit(&answer));
    };
    if !sure {
        output::print("these times failed the check: they should not be hard to break\n")?;
    }
    let table = Tableside {
        rules: &rules,
        display,
        prompt: std::io::stdin().is_terminal(),
    };
    table.play(Game::new(&rules, plan)).await
}

fn verdicts(display: &Display, answer: &Answer) -> String {
    let findings = answer.findings();
    findings.iter().map(|f| verdict_line(display, f)).collect()
}

/// Teammates tell nothing that could be seen in advance: only fixed times can be asked for.
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

/// Where the game is played.
struct Tableside<'a> {
    rules: &'a Rules,
    display: &'a Display,
    /// Somebody sits at a terminal.
    prompt: bool,
}

impl Tableside<'_> {
    async fn play(&self, mut game: Game<'_>) -> Result<Exit, Failure> {
        output::print("You decide when events of others happen; `help` lists the commands.\n")?;
        output::print(&self.state(&game))?;
        while let Some(line) = self.line().await? {
            match parse_move(&line, self.rules) {
                Err(wrong) => output::print(&format!("  {}\n", printable(&wrong)))?,
                Ok(Move::Nothing) => {}
                Ok(Move::Help) => output::print(HELP)?,
                Ok(Move::Show) => output::print(&self.state(&game))?,
                Ok(Move::End) => break,
                Ok(Move::Wait(us)) => game.wait_until(game.now_us().saturating_add(us)),
                Ok(Move::Happen(event, at)) => self.happen(&mut game, (event, at))?,
            }
            output::print(&self.news(&mut game))?;
            if game.times().iter().all(Option::is_some) {
                break;
            }
        }
        game.finish();
        output::print(&self.news(&mut game))?;
        self.judge(&game)
    }

    fn happen(
        &self,
        game: &mut Game<'_>,
        (event, at): (usize, Option<i64>),
    ) -> Result<(), Failure> {
        let moment = at.unwrap_or(game.now_us());
        if moment < game.now_us() {
            let now = span_text(game.now_us());
            return output::print(&format!("  it is {now} already\n"));
        }
        game.wait_until(moment);
        match game.happen(event) {
            Ok(()) => Ok(()),
            Err(refused) => output::print(&format!("  {}\n", printable(&refused))),
        }
    }

    /// The next command; none at the end of the input.
    async fn line(&self) -> Result<Option<String>, Failure> {
        if self.prompt {
            output::print("> ")?;
        }
        // Elsewhere than on this thread, so that Ctrl-C is heard.
        let reading = tokio::task::spawn_blocking(|| {
            let mut line = String::new();
            let mut stdin = std::io::stdin().lock().take(LINE_MAX);
            stdin
                .read_line(&mut line)
                .map(|bytes| (bytes > 0).then_some(line))
        });
        tokio::select! {
            line = reading => match line {
                Ok(Ok(line)) => Ok(line),
                Ok(Err(e)) => Err(Failure::usage(format!("cannot read stdin: {e}"))),
                Err(e) => Err(Failure::new(Exit::IO, format!("cannot read stdin: {e}"))),
            },
            _ = tokio::signal::ctrl_c() => Err(Failure::new(Exit::INTERRUPTED, "interrupted")),
        }
    }

    /// What happened since the last move, a line for each event.
    fn news(&self, game: &mut Game<'_>) -> String {
        let mut out = String::new();
        for news in game.news() {
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
    fn state(&self, game: &Game<'_>) -> String {
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

    fn judge(&self, game: &Game<'_>) -> Result<Exit, Failure> {
        let broken = broken(self.rules, game.times());
        if broken.is_empty() {
            let kept = self.display.styled(Style::Good, "kept");
            output::print(&format!("{kept}: every requirement was kept\n"))?;
            return Ok(Exit::OK);
        }
        let mut text = format!(
            "{}: you broke the plan\n",
            self.display.styled(Style::Bad, "broken")
        );
        for sentence in broken {
            let _ = writeln!(text, "  {}", printable(&sentence));
        }
        output::print(&text)?;
        Ok(Exit::UNVERIFIED)
    }
}
