//! `narrative rehearse`.

use super::Teller;
use super::ask::Wishes;
use crate::args::{OutputFormat, RehearseArgs};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::narrative::Names;
use crate::output::table::printable;
use crate::output::{self, Display, Style, narrative as texts};
use crate::stage::{Move, News, Script, Stage, broken, parse_move, play_by_chance};
use std::fmt::Write as _;
use std::io::{BufRead, IsTerminal, Read};
use stratagem_render::time::span_text;

/// Bytes of a command, at most.
const LINE_MAX: u64 = 4_096;
/// Bytes of a script, at most.
const SCRIPT_MAX: u64 = 1 << 20;
const HELP: &str = "\
  wait 10m            let time go by (us, ms, s, m, h)
  happen EVENT        make an event of the players happen now
  happen EVENT 25m    the same, 25 minutes after the beginning
  pick CHOICE OPTION  choose as the players do
  status              how things stand
  end                 play on to the end: what is left takes as long as it may
";

/// Has the narrative scheduled, then acts it with whoever writes commands.
pub(super) async fn run(args: &RehearseArgs, teller: &Teller<'_>) -> Result<Exit, Failure> {
    let display = teller.display;
    if display.format() != OutputFormat::Table {
        let message = "`narrative rehearse` speaks to people only";
        return Err(Failure::usage(message));
    }
    let script = args.script.as_deref().unwrap_or("-");
    if args.story.file == "-" && args.auto.is_none() && script == "-" {
        let message = "stdin is for the commands: give the narrative as a file";
        return Err(Failure::usage(message));
    }
    let lines = match script {
        "-" => None,
        path => Some(read(path)?),
    };
    let problem = input::narrative(&args.story.file, teller.server).await?;
    let answer = teller.unary(&problem, Wishes::short(&args.story)).await?;
    let response = answer.response;
    // After the server has listed every mistake.
    let script = Script::new(&problem).map_err(|e| Failure::new(Exit::INVALID, e))?;
    let Some(plan) = &response.plan else {
        output::print(&texts::answer(display, &problem, &response))?;
        output::print("\nthere is nothing to rehearse\n")?;
        let status = response.report.unwrap_or_default().status();
        return Ok(Exit::of_solve(status));
    };
    let mut stage = Stage::new(&script, plan);
    if let Some(progress) = &problem.progress {
        stage = stage.after(progress);
    }
    let rehearsal = Rehearsal {
        script: &script,
        names: Names::new(&problem),
        display,
        prompt: lines.is_none() && std::io::stdin().is_terminal(),
    };
    output::print(&texts::heading(display, &problem))?;
    if let Some(seed) = args.auto {
        play_by_chance(&mut stage, seed);
        output::print(&rehearsal.news(&mut stage))?;
        return rehearsal.judge(&stage);
    }
    rehearsal.act(stage, lines).await
}

/// The lines of a script.
fn read(path: &str) -> Result<Vec<String>, Failure> {
    let failure = |e: std::io::Error| Failure::usage(format!("cannot read {path}: {e}"));
    let file = std::fs::File::open(path).map_err(failure)?;
    let mut text = String::new();
    file.take(SCRIPT_MAX)
        .read_to_string(&mut text)
        .map_err(failure)?;
    Ok(text.lines().rev().map(str::to_owned).collect())
}

/// Where the story is acted.
struct Rehearsal<'a> {
    script: &'a Script,
    names: Names<'a>,
    display: &'a Display,
    /// Somebody sits at a terminal.
    prompt: bool,
}

impl Rehearsal<'_> {
    /// `lines` are the commands, the last first; none: from stdin.
    async fn act(
        &self,
        mut stage: Stage<'_>,
        mut lines: Option<Vec<String>>,
    ) -> Result<Exit, Failure> {
        output::print("You are the players; `help` lists the commands.\n")?;
        output::print(&(self.news(&mut stage) + &stage.status(&self.names)))?;
        loop {
            let line = match &mut lines {
                Some(lines) => lines.pop(),
                None => self.line().await?,
            };
            let Some(line) = line else { break };
            match parse_move(&line, self.script) {
                Err(wrong) => output::print(&format!("  {}\n", printable(&wrong)))?,
                Ok(Move::Nothing) => {}
                Ok(Move::Help) => output::print(HELP)?,
                Ok(Move::Status) => output::print(&stage.status(&self.names))?,
                Ok(Move::End) => break,
                Ok(other) => {
                    let refused = make(&mut stage, &other);
                    output::print(&self.news(&mut stage))?;
                    if let Err(refused) = refused {
                        output::print(&format!("  {}\n", printable(&refused)))?;
                    }
                }
            }
            if stage.over() {
                break;
            }
        }
        stage.finish();
        output::print(&self.news(&mut stage))?;
        self.judge(&stage)
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

    /// What happened since the last command, a line each.
    fn news(&self, stage: &mut Stage<'_>) -> String {
        let mut out = String::new();
        for news in stage.news() {
            let _ = match news {
                News::Happened { event, at_us, by } => {
                    let name = self.names.event(&event);
                    writeln!(out, "{:>10}  {name}  ({by})", span_text(at_us))
                }
                News::Picked {
                    choice,
                    option,
                    players,
                } => {
                    let who = if players { "the players" } else { "we" };
                    let choice = printable(&choice);
                    writeln!(
                        out,
                        "            {who} pick {choice}: {}",
                        printable(&option)
                    )
                }
                News::Begins { activity, brings } => {
                    let each = brings.iter().map(|(resource, from)| {
                        let name = self.names.resource(resource);
                        match from.as_str() {
                            "" => name,
                            from => format!("{name} (from {})", printable(from)),
                        }
                    });
                    let who = each.collect::<Vec<_>>().join(", ");
                    let name = self.names.activity(&activity);
                    writeln!(out, "            {name}: {who}")
                }
                News::Lost => {
                    writeln!(out, "            no storyline is meant for this")
                }
            };
        }
        out
    }

    fn judge(&self, stage: &Stage<'_>) -> Result<Exit, Failure> {
        let broken = broken(stage);
        if broken.is_empty() {
            let kept = self.display.styled(Style::Good, "kept");
            output::print(&format!("{kept}: the story stayed on schedule\n"))?;
            return Ok(Exit::OK);
        }
        let word = self.display.styled(Style::Bad, "broken");
        let mut text = format!("{word}: the story left its schedule\n");
        for sentence in broken {
            let _ = writeln!(text, "  {}", printable(&sentence));
        }
        output::print(&text)?;
        Ok(Exit::UNVERIFIED)
    }
}

/// Makes a move.
fn make(stage: &mut Stage<'_>, wanted: &Move) -> Result<(), String> {
    match wanted {
        Move::Wait(us) => {
            let until = stage.now_us().saturating_add(*us);
            stage.wait_until(until);
            if stage.now_us() < until {
                return Err("time stands still until the players have picked: `status`".into());
            }
            Ok(())
        }
        Move::Happen(event, at) => {
            let moment = at.unwrap_or(stage.now_us());
            if moment < stage.now_us() {
                return Err(format!("it is {} already", span_text(stage.now_us())));
            }
            stage.wait_until(moment);
            stage.happen(*event)
        }
        Move::Pick(choice, option) => stage.pick(*choice, *option),
        Move::Status | Move::Help | Move::End | Move::Nothing => Ok(()),
    }
}
