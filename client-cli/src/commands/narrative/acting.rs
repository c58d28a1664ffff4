//! Acting for the players of a rehearsal, line by line.

use super::super::lines::typed;
use super::rehearse::Rehearsal;
use crate::exit::{Exit, Failure};
use crate::input::text_at_most;
use crate::moves::{Move, parse_move};
use crate::output::table::printable;
use crate::output::{self, Display, Style};
use crate::stage::Refused;
use std::fmt::Write as _;
use std::io::IsTerminal as _;
use stratagem_render::time::span_text;

/// Bytes of a command, at most.
const LINE_MAX: u64 = 4_096;
/// Bytes of a script, at most.
const SCRIPT_MAX: u64 = 1 << 20;

/// Does what the commands say, and plays on to the end.
pub(super) async fn act(
    acted: &mut Rehearsal<'_>,
    mut commands: Commands,
    help: &str,
) -> Result<(), Failure> {
    output::print(&(acted.news() + &acted.status()))?;
    while let Some(line) = commands.next().await? {
        let wanted = parse_move(&line, acted.script);
        let done = match wanted {
            Ok(Move::End) => break,
            Ok(Move::Nothing) => Ok(()),
            Ok(Move::Help) => {
                output::print(help)?;
                Ok(())
            }
            Ok(Move::Status) => {
                output::print(&acted.status())?;
                Ok(())
            }
            Ok(Move::Wait(us)) => wait(acted, acted.stage.now_us().saturating_add(us)).await?,
            Ok(Move::Happen(event, at)) => happen(acted, event, at).await?,
            Ok(Move::Pick(choice, option)) => acted.stage.pick(choice, option).await?,
            Err(wrong) => Err(wrong),
        };
        output::print(&acted.news())?;
        if let Err(wrong) = done {
            output::print(&format!("  {}\n", printable(&wrong)))?;
        }
        if acted.stage.is_over() {
            break;
        }
    }
    acted.stage.finish().await?;
    output::print(&acted.news())
}

async fn wait(acted: &mut Rehearsal<'_>, until_us: i64) -> Result<Refused, Failure> {
    acted.stage.wait_until(until_us).await?;
    if acted.stage.now_us() < until_us {
        let why = "time stands still until the players have picked: `status`";
        return Ok(Err(why.into()));
    }
    Ok(Ok(()))
}

async fn happen(
    acted: &mut Rehearsal<'_>,
    event: usize,
    at_us: Option<i64>,
) -> Result<Refused, Failure> {
    let now_us = acted.stage.now_us();
    let moment = at_us.unwrap_or(now_us);
    if moment < now_us {
        return Ok(Err(format!("it is {} already", span_text(now_us))));
    }
    acted.stage.wait_until(moment).await?;
    acted.stage.happen(event).await
}

/// Prints how it ended: `kept`, or `left` with every sentence about what was broken.
pub(super) fn judge(
    display: &Display,
    broken: &[String],
    kept: &str,
    left: &str,
) -> Result<Exit, Failure> {
    if broken.is_empty() {
        let word = display.styled(Style::Good, "kept");
        output::print(&format!("{word}: {kept}\n"))?;
        return Ok(Exit::OK);
    }
    let word = display.styled(Style::Bad, "broken");
    let mut text = format!("{word}: {left}\n");
    for sentence in broken {
        let _ = writeln!(text, "  {}", printable(sentence));
    }
    output::print(&text)?;
    Ok(Exit::UNVERIFIED)
}

/// Where commands come from.
pub(super) enum Commands {
    /// From stdin; with a prompt where somebody sits at a terminal.
    Typed { prompt: bool },
    /// The lines of a file, the last one first.
    Written(Vec<String>),
}

impl Commands {
    /// Those on stdin.
    pub(super) fn stdin() -> Self {
        let prompt = std::io::stdin().is_terminal();
        Self::Typed { prompt }
    }

    /// Those in a file, stdin for `-`.
    pub(super) fn read(path: &str) -> Result<Self, Failure> {
        if path == "-" {
            return Ok(Self::stdin());
        }
        let failure = |e: std::io::Error| Failure::usage(format!("cannot read {path}: {e}"));
        let file = std::fs::File::open(path).map_err(failure)?;
        let text = text_at_most(SCRIPT_MAX, file).map_err(failure)?;
        Ok(Self::Written(
            text.lines().rev().map(str::to_owned).collect(),
        ))
    }

    /// The next command; none at the end.
    async fn next(&mut self) -> Result<Option<String>, Failure> {
        match self {
            Self::Written(lines) => Ok(lines.pop()),
            Self::Typed { prompt } => {
                if *prompt {
                    output::print("> ")?;
                }
                typed(LINE_MAX).await
            }
        }
    }
}
