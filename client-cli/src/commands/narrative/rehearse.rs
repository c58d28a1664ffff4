//! `narrative rehearse`.

use super::Teller;
use super::acting::{Commands, act, judge};
use crate::args::RehearseArgs;
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::input::{self, Kind as Problem};
use crate::narrative::Names;
use crate::output::table::printable;
use crate::output::{self, answer};
use crate::stage::{News, Script, Stage, play_by_chance};
use formats::messages;
use std::fmt::Write as _;
use stratagem_render::picture::Selection;
use stratagem_render::time::span_text;

const HELP: &str = "\
  wait 10m            let time go by (us, ms, s, m, h)
  happen EVENT        make an event of the players happen now
  happen EVENT 25m    the same, 25 minutes after the beginning
  pick CHOICE OPTION  choose as the players do
  status              how things stand
  end                 play on to the end: what is left takes as long as it may
";

/// Has the narrative scheduled, then rehearses it with commands of the user.
pub(super) async fn run(args: &RehearseArgs, teller: &Teller<'_>) -> Result<Exit, Failure> {
    let display = teller.display;
    display.refuse_data("narrative rehearse", "narrative plan -o json")?;
    let script = args.script.as_deref().unwrap_or("-");
    if args.story.problem.file == "-" && args.auto.is_none() && script == "-" {
        let message = "stdin is for the commands: give the narrative as a file";
        return Err(Failure::usage(message));
    }
    let commands = Commands::read(script)?;
    let problem = input::problem_of(&args.story.problem.file, teller.server).await?;
    let response = teller.once(&problem, &args.story.search).await?;
    let script = Script::new(&problem);
    let Some(plan) = &response.plan else {
        let whole = Problem::Narrative(problem);
        output::print(&answer::text(
            display,
            &whole,
            &messages::described(&response),
            Selection::default(),
        ))?;
        output::print("\nthere is nothing to rehearse\n")?;
        let status = response.report.unwrap_or_default().status();
        return Ok(Exit::of_solve(status));
    };
    let connection = Connection::open(teller.server).await?;
    let stage = Stage::new(&connection, &script, &problem, plan).await?;
    let mut rehearsal = Rehearsal {
        script: &script,
        stage,
        names: Names::new(&problem),
    };
    output::print(&output::heading(display, &problem))?;
    let played = rehearsal.play(args.auto, commands).await;
    // Also after a failure: it would be there for an hour.
    let closed = rehearsal.stage.close().await;
    played.and(closed)?;
    judge(
        display,
        &rehearsal.stage.broken(),
        "the story stayed on schedule",
        "the story left its schedule",
    )
}

/// A story that is acted, with the names in it.
pub(super) struct Rehearsal<'a> {
    pub(super) script: &'a Script,
    pub(super) stage: Stage<'a>,
    names: Names<'a>,
}

impl Rehearsal<'_> {
    /// Plays to the end: by chance with a seed, or as the commands say.
    async fn play(&mut self, seed: Option<u64>, commands: Commands) -> Result<(), Failure> {
        if let Some(seed) = seed {
            play_by_chance(&mut self.stage, seed).await?;
            return output::print(&self.news());
        }
        output::print("You are the players; `help` lists the commands.\n")?;
        act(self, commands, HELP).await
    }

    /// How things stand, in lines.
    pub(super) fn status(&self) -> String {
        self.stage.status(&self.names)
    }

    /// What happened since this was asked before, a line each.
    pub(super) fn news(&mut self) -> String {
        let mut out = String::new();
        for news in self.stage.news() {
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
                    writeln!(out, "            the story has left its plan")
                }
            };
        }
        out
    }
}
