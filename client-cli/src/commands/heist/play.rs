//! `heist play`: a game on the terminal. The server plays it; what the player does is added to it,
//! and it is played again from the start, which is the same game up to there.

use super::super::lines::typed;
use super::Planner;
use crate::args::{OutputFormat, PatienceArgs, PlayHeistArgs, deed_verb};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::{self, heist as texts, table::printable, temporal::text_options};
use stratagem_proto::v1::{
    HeistEnding, HeistIntervention, HeistPlan, HeistProblem, HeistRules, SimulateHeistResponse,
};
use stratagem_render::heist::{
    Drawn, Game, Scene, ending, map_text, moment, step_lines, tick_lines,
};

/// Bytes of a command, at most.
const LINE_MAX: u64 = 4_096;
/// Most ticks that one command lets go by.
const TICKS_MAX: i32 = 100_000;

impl Planner<'_> {
    pub(super) async fn play(&self, args: &PlayHeistArgs) -> Result<Exit, Failure> {
        if self.display.format() != OutputFormat::Table {
            return Err(Failure::usage(
                "`heist play` is a game; for data see `heist simulate`",
            ));
        }
        if args.file == "-" {
            return Err(Failure::usage("the level cannot be stdin, where you play"));
        }
        let problem = input::problem_of(&args.file, self.server).await?;
        let mut table = Table {
            planner: self,
            problem: &problem,
            rules: args.rules.rules(),
            deeds: Vec::new(),
            messages: Vec::new(),
            tick: 0,
            grade: 0,
        };
        table.again().await?;
        output::print(&(texts::heading(self.display, &problem) + &table.map()))?;
        while let Some(line) = typed(LINE_MAX).await? {
            if table.obey(line.trim()).await? {
                break;
            }
        }
        Ok(table.exit())
    }
}

/// A game, and how far it was watched.
struct Table<'p> {
    planner: &'p Planner<'p>,
    problem: &'p HeistProblem,
    rules: HeistRules,
    deeds: Vec<HeistIntervention>,
    messages: Vec<SimulateHeistResponse>,
    /// The next tick.
    tick: i32,
    /// Grade of the last hint since something happened.
    grade: i32,
}

impl Table<'_> {
    /// Has the game played.
    async fn again(&mut self) -> Result<(), Failure> {
        let world = self.problem.world.clone().unwrap_or_default();
        let (deeds, patience) = (self.deeds.clone(), PatienceArgs::default());
        let game = self
            .planner
            .game(&world, self.rules, deeds, &patience, |_| Ok(()));
        self.messages = game.await?;
        Ok(())
    }

    /// Does what a line says; true when the game is over.
    async fn obey(&mut self, line: &str) -> Result<bool, Failure> {
        let mut words = line.split_whitespace();
        let (Some(word), rest) = (words.next(), words.next()) else {
            return self.next(1);
        };
        // Who says more than is understood is not to be surprised.
        let word = if words.next().is_some() { "" } else { word };
        match (word, rest) {
            ("next", count) => match count.map_or(Ok(1), str::parse::<i32>) {
                Ok(count) if count > 0 => return self.next(count.min(TICKS_MAX)),
                _ => output::print("a number of ticks is wanted, as in next 3\n")?,
            },
            ("run", None) => return self.next(TICKS_MAX),
            ("quit", None) => return Ok(true),
            ("map", None) => output::print(&self.map())?,
            ("plan", None) => output::print(&self.plan())?,
            ("undo", None) => self.undo().await?,
            ("hint", None) => self.hint().await?,
            (verb, Some(id)) if deed_verb(verb).is_some() => self.act(verb, id).await?,
            _ => output::print(
                "next [N], run, lock|unlock|open|close|on|off|trigger ID, plan, map, hint, undo, quit\n",
            )?,
        }
        Ok(false)
    }

    /// Adds something that the player does now; one that the server refuses is taken back.
    async fn act(&mut self, verb: &str, id: &str) -> Result<(), Failure> {
        let Some(verb) = deed_verb(verb) else {
            return Ok(());
        };
        self.grade = 0;
        self.deeds.push(HeistIntervention {
            tick: self.tick,
            verb: verb.into(),
            target_id: id.to_owned(),
        });
        match self.again().await {
            Err(failure) if failure.exit == Exit::INVALID => {
                self.deeds.pop();
                output::print(&format!("{}\n", printable(&failure.message)))
            }
            Err(failure) => Err(failure),
            Ok(()) => output::print("you will, before the next tick\n"),
        }
    }

    /// Prints what helps, each time more.
    async fn hint(&mut self) -> Result<(), Failure> {
        let world = self.problem.world.clone().unwrap_or_default();
        let deeds = self.deeds.clone();
        let hints = self.planner.hints(&world, self.rules, deeds, self.tick);
        let answer = hints.await?;
        let found = answer.analysis.unwrap_or_default();
        self.grade = (self.grade + 1).min(found.hints.len() as i32);
        output::print(&texts::hints(&found, self.grade))
    }

    /// Takes back what was done last, if it is of the next tick: what is over is over.
    async fn undo(&mut self) -> Result<(), Failure> {
        match self.deeds.last() {
            Some(deed) if deed.tick == self.tick => {
                self.deeds.pop();
                self.again().await?;
                output::print("taken back\n")
            }
            _ => output::print("there is nothing to take back\n"),
        }
    }

    /// Lets ticks go by; true when the game is over.
    fn next(&mut self, count: i32) -> Result<bool, Failure> {
        let first = self.tick;
        self.grade = 0;
        self.tick = self.tick.saturating_add(count);
        let shown = self.seen();
        let world = self.problem.world.clone().unwrap_or_default();
        let game = Game {
            world: &world,
            messages: shown,
        };
        let mut text = String::new();
        for line in tick_lines(game, first) {
            text += &printable(&line);
            text.push('\n');
        }
        let end = shown.last().and_then(|m| m.end.as_ref());
        if let Some(end) = end {
            text += &printable(&ending(end));
            text.push('\n');
        }
        output::print(&text)?;
        Ok(end.is_some())
    }

    /// What was watched so far.
    fn seen(&self) -> &[SimulateHeistResponse] {
        let later =
            |m: &SimulateHeistResponse| m.tick.as_ref().is_some_and(|t| t.tick >= self.tick);
        let end = self.messages.iter().position(later);
        &self.messages[..end.unwrap_or(self.messages.len())]
    }

    /// The problem as things are before the next tick.
    fn now(&self) -> HeistProblem {
        let world = self.problem.world.clone().unwrap_or_default();
        let game = Game {
            world: &world,
            messages: &self.messages,
        };
        HeistProblem {
            world: Some(moment(game, self.tick)),
            ..self.problem.clone()
        }
    }

    fn map(&self) -> String {
        let options = text_options(self.planner.display);
        let map = map_text(&self.now(), Drawn::default(), &options);
        format!("before tick {}\n{map}", self.tick)
    }

    /// The rest of the burglar's last plan.
    fn plan(&self) -> String {
        let name = Scene::new(self.problem).name().to_owned();
        let mut plan: Option<HeistPlan> = None;
        let mut done = 0;
        for message in self.seen() {
            let own = message.intents.iter().find(|i| i.agent_id == name);
            if let Some(intent) = own {
                plan.clone_from(&intent.plan);
            }
            let events = message.tick.iter().flat_map(|t| &t.events);
            for event in events.filter(|e| e.agent_id == name) {
                done += usize::from(event.step.is_some() && event.refusal.is_empty());
                if let Some(again) = &event.replanning {
                    plan.clone_from(&again.plan);
                    done = 0;
                }
            }
        }
        let Some(mut plan) = plan else {
            return "no plan is known\n".into();
        };
        plan.steps.drain(..done.min(plan.steps.len()));
        let now = self.now();
        step_lines(
            &Scene::new(&now),
            &plan,
            &text_options(self.planner.display),
        )
    }

    fn exit(&self) -> Exit {
        let end = self.seen().last().and_then(|m| m.end.as_ref());
        match end.map(|e| e.ending()) {
            Some(HeistEnding::Won) => Exit::OK,
            _ => Exit::UNKNOWN,
        }
    }
}
