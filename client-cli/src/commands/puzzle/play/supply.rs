//! Levels that the server makes while they are played, each harder than the one before.

use super::super::{Maker, wanted};
use crate::args::{PlayPuzzleArgs, SearchArgs};
use crate::exit::{Exit, Failure};
use crate::input::Levels;
use crate::output::numbers::number;
use formats::levels::{Level, Set};
use stratagem_proto::v1::{PuzzleBoard, PuzzleProblem, PuzzleTarget, puzzle_target::Kind};

/// What the first level is worth where nothing says it: `easy`, by the default weights.
const EASY: f64 = 6.0;
/// By how much the next level is to be worth more than one that was solved, as a share of its
/// value.
const STEP: f64 = 0.2;
/// The same at least, whatever the value.
const STEP_MIN: f64 = 0.1;
/// Levels that the next one differs from, at most, as the contract has it: those that the options
/// name, and the last ones made.
const AVOIDED_MAX: usize = 200;

/// What levels are wanted next.
pub(in super::super) struct Supply {
    problem: PuzzleProblem,
    search: SearchArgs,
    /// What the next level is to be worth.
    value: f64,
    /// What no level is to be worth more than.
    most: f64,
    /// Levels made.
    made: usize,
    /// Levels to differ from that the options name.
    given: usize,
}

impl Supply {
    /// Levels as the options say.
    pub(super) fn new(args: &PlayPuzzleArgs) -> Result<Self, Failure> {
        if args.wanted.values.contains_key("levels") {
            let message = "levels are made one after the other: --levels is for `puzzle plan`";
            return Err(Failure::usage(message));
        }
        let problem = wanted::with_options(&wanted::blank(&args.wanted), &args.wanted)?;
        if problem.weights.is_some() && problem.target.is_none() {
            let message = "what is easy by other weights is not known: give --difficulty";
            return Err(Failure::usage(message));
        }
        let wanted = problem.target.and_then(|target| target.kind);
        let (value, most) = match wanted {
            None => (EASY, f64::INFINITY),
            Some(Kind::Value(value)) => (value, f64::INFINITY),
            Some(Kind::Range(range)) => (range.easiest, range.hardest),
        };
        Ok(Self {
            given: problem.avoided.len(),
            problem,
            search: args.search.clone(),
            value,
            most,
            made: 0,
        })
    }

    /// The first level.
    pub(super) async fn first(&mut self, maker: &Maker<'_>) -> Result<Levels, Failure> {
        let levels = vec![self.make(maker).await?];
        Ok(Levels {
            name: "made".into(),
            set: Set {
                levels,
                ..Set::default()
            },
            first: 1,
            ..Levels::default()
        })
    }

    /// The next level: harder, or another one like the last.
    pub(super) async fn next(&mut self, maker: &Maker<'_>, harder: bool) -> Result<Level, Failure> {
        let before = self.value;
        if harder {
            let step = (before.abs() * STEP).max(STEP_MIN);
            self.value = (before + step).min(self.most);
        }
        let level = self.make(maker).await;
        if level.is_err() {
            self.value = before;
        }
        level
    }

    async fn make(&mut self, maker: &Maker<'_>) -> Result<Level, Failure> {
        let tolerance = self.problem.target.and_then(|target| target.tolerance);
        self.problem.target = Some(PuzzleTarget {
            kind: Some(Kind::Value(self.value)),
            tolerance,
        });
        let made = i64::try_from(self.made).unwrap_or(i64::MAX);
        let search = SearchArgs {
            seed: self.search.seed.wrapping_add(made),
            ..self.search.clone()
        };
        let answer = maker.made(&self.problem, &search, false).await?.0;
        let report = answer.report.unwrap_or_default();
        let exit = Exit::of_solve(report.status());
        let Some(level) = answer.plan.and_then(|plan| plan.levels.into_iter().next()) else {
            let why = report.explanation.unwrap_or_default().summary;
            return Err(Failure::new(exit, why));
        };
        self.made += 1;
        let avoided = &mut self.problem.avoided;
        avoided.push(PuzzleBoard {
            rows: level.rows.clone(),
        });
        if avoided.len() > AVOIDED_MAX {
            avoided.remove(self.given);
        }
        let value = number(level.value());
        Ok(Level {
            title: format!("level {}, difficulty {value}", self.made),
            rows: level.rows,
            solution: level.solution,
            ..Level::default()
        })
    }
}
