//! `puzzle plan`, `solve` and `render`; the others have files of their own.

pub(super) mod files;
mod play;
mod rate;
mod wanted;

use super::ask::{Answered, Asking, Outcome, end};
use crate::args::{
    ConnectionArgs, GeneratePuzzleArgs, OutputFormat, PuzzleCommand, RenderPuzzleArgs, SearchArgs,
    SolvePuzzleArgs,
};
use crate::exit::{Exit, Failure};
use crate::input::{self, Kind as Problem, Levels};
use crate::output::answer::{text as text_of, text_options};
use crate::output::{self, Display, puzzle as texts};
use formats::{json, messages::described};
use stratagem_proto::v1::{
    GeneratePuzzleRequest, GeneratePuzzleResponse, PuzzleBoard, PuzzleProblem, SolvePuzzleRequest,
    SolvePuzzleResponse, SolveStatus,
};
use stratagem_render::{picture::Selection, puzzle::Sheet};

/// Does what the command says.
pub(super) async fn run(
    command: PuzzleCommand,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let maker = Maker { server, display };
    match command {
        PuzzleCommand::Plan(args) => maker.generate(&args).await,
        PuzzleCommand::Solve(args) => maker.solve(&args).await,
        PuzzleCommand::Play(args) => play::run(&args, &maker).await,
        PuzzleCommand::Rate(args) => rate::run(&args, &maker).await,
        PuzzleCommand::Render(args) => maker.render(&args),
    }
}

/// A server to ask about levels, and where to show what it says.
struct Maker<'a> {
    server: &'a ConnectionArgs,
    display: &'a Display,
}

impl Maker<'_> {
    /// Levels: the answer to one request or, if `streams`, the end of a stream.
    async fn made(
        &self,
        problem: &PuzzleProblem,
        search: &SearchArgs,
        streams: bool,
    ) -> Answered<GeneratePuzzleResponse> {
        let request = GeneratePuzzleRequest {
            problem: Some(problem.clone()),
            options: Some(search.options()),
        };
        let asking = Asking::new(self.server, self.display, search);
        asking.ask(&request, streams, Vec::new()).await
    }

    /// The same of a solution of a board on which something was done already.
    async fn solved(
        &self,
        rows: &[String],
        played: &str,
        search: &SearchArgs,
        streams: bool,
    ) -> Answered<SolvePuzzleResponse> {
        let request = SolvePuzzleRequest {
            problem: Some(PuzzleBoard {
                rows: rows.to_vec(),
            }),
            options: Some(search.options()),
            played_moves: played.to_owned(),
        };
        let asking = Asking::new(self.server, self.display, search);
        asking.ask(&request, streams, Vec::new()).await
    }

    async fn generate(&self, args: &GeneratePuzzleArgs) -> Result<Exit, Failure> {
        files::check(&args.files)?;
        let problem = match &args.problem.file {
            Some(file) => input::problem_of(file, self.server).await?,
            None => wanted::blank(&args.wanted),
        };
        let problem = wanted::with_options(&problem, &args.wanted)?;
        let (answer, cut) = self.made(&problem, &args.search, args.stream).await?;
        if let Some(plan) = &answer.plan {
            let sheet = Sheet::of_plan(&problem, Some(plan));
            files::write(&args.files, &sheet, &plan.levels)?;
        }
        let outcome = Outcome::new(answer.plan.is_some(), answer.report.as_ref(), cut);
        let known = Problem::Puzzle(problem);
        let text = || {
            text_of(
                self.display,
                &known,
                &described(&answer),
                Selection::default(),
            )
        };
        end(self.display, args.stream, &answer, outcome, text)
    }

    async fn solve(&self, args: &SolvePuzzleArgs) -> Result<Exit, Failure> {
        files::check(&args.files)?;
        let mut levels = input::levels(&args.levels.problem.file, args.levels.level)?;
        if !args.played.is_empty() && levels.set.levels.len() != 1 {
            return Err(Failure::usage("--played is for one level: give --level"));
        }
        let mut answers = Vec::new();
        let mut lost = Vec::new();
        for index in 0..levels.set.levels.len() {
            let rows = &levels.set.levels[index].rows;
            let (played, search) = (&args.played, &args.search);
            let answer = self.solved(rows, played, search, args.stream).await;
            let (answer, cut) = answer.map_err(|failure| placed(failure, &levels, index))?;
            let name = levels.ids().swap_remove(index);
            lost.extend(texts::lost(&name, rows, played, &answer));
            let solution = answer.plan.as_ref().map(|s| s.lurd.clone());
            // The solution of the whole level.
            let whole = solution.map(|rest| args.played.clone() + &rest);
            levels.set.levels[index].solution = whole.unwrap_or_default();
            self.show_answer(args, &levels, index, &answer)?;
            if let Some(cut) = cut {
                return Err(cut);
            }
            answers.push(answer);
        }
        if self.display.format() == OutputFormat::Json {
            output::print(&list(&answers)?)?;
        }
        let mut sheet = files::sheet(&levels);
        sheet.pictures.extend(lost);
        files::write(&args.files, &sheet, &[])?;
        Ok(worst(&answers))
    }

    /// Shows an answer, where each is shown by itself.
    fn show_answer(
        &self,
        args: &SolvePuzzleArgs,
        levels: &Levels,
        index: usize,
        answer: &SolvePuzzleResponse,
    ) -> Result<(), Failure> {
        let format = self.display.format();
        match format {
            // All at once, in the end.
            OutputFormat::Json => Ok(()),
            // Steps have been shown already.
            OutputFormat::Ndjson if args.stream => Ok(()),
            OutputFormat::Table => {
                let name = levels.ids().swap_remove(index);
                let rows = &levels.set.levels[index].rows;
                let text = if args.hint {
                    texts::hint(self.display, &name, answer)
                } else {
                    texts::solved(self.display, &name, rows, &args.played, answer)
                };
                output::print(&text)
            }
            OutputFormat::Yaml | OutputFormat::Ndjson => {
                if format == OutputFormat::Yaml && levels.set.levels.len() > 1 {
                    output::print("---\n")?;
                }
                output::message(format, answer).map(|_| ())
            }
        }
    }

    fn render(&self, args: &RenderPuzzleArgs) -> Result<Exit, Failure> {
        self.display
            .refuse_data("puzzle render", "puzzle render --out FILE")?;
        files::check(&args.files)?;
        let levels = input::levels(&args.levels.problem.file, args.levels.level)?;
        let sheet = files::sheet(&levels);
        if !files::write(&args.files, &sheet, &levels.reported)? {
            output::print(&sheet.scene(&[]).text(&text_options(self.display)))?;
        }
        Ok(Exit::OK)
    }
}

/// One answer as it is, several as a list.
fn list(answers: &[SolvePuzzleResponse]) -> Result<String, Failure> {
    if let [answer] = answers {
        return json::write(answer).map_err(|m| Failure::new(Exit::IO, m.message));
    }
    output::json_list(answers)
}

/// A failure that is about a level, with where that is.
fn placed(failure: Failure, levels: &Levels, index: usize) -> Failure {
    if failure.exit != Exit::INVALID {
        return failure;
    }
    Failure::new(
        failure.exit,
        format!("{}: {}", levels.place(index), failure.message),
    )
}

/// Unknown is worse than infeasible, which is worse than solved.
fn worst(answers: &[SolvePuzzleResponse]) -> Exit {
    let statuses = answers
        .iter()
        .map(|answer| answer.report.clone().unwrap_or_default().status());
    let rank = |status: &SolveStatus| match status {
        SolveStatus::Optimal | SolveStatus::Feasible => 0,
        SolveStatus::Infeasible => 1,
        SolveStatus::Unknown | SolveStatus::Unspecified => 2,
    };
    let worst = statuses.max_by_key(rank);
    worst.map_or(Exit::OK, Exit::of_solve)
}
