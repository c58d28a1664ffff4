//! `puzzle rate`.

use super::super::ask::{show, write};
use super::Maker;
use crate::args::RatePuzzleArgs;
use crate::call::quick;
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::input::{self, Levels};
use crate::output::puzzle as texts;
use formats::json;
use stratagem_proto::v1::{
    PuzzleComparedLevel, PuzzleComparison, RatePuzzlesRequest, RatePuzzlesResponse,
};

/// Has levels rated by what players said of pairs of them.
pub(super) async fn run(args: &RatePuzzleArgs, maker: &Maker<'_>) -> Result<Exit, Failure> {
    input::one_stdin(&[Some(&args.problem.file), Some(&args.answers)])?;
    let levels = input::levels(&args.problem.file, None)?;
    let ids = levels.ids();
    // Answers may also be about levels of other files.
    let mut comparisons = comparisons(&args.answers)?;
    let given = comparisons.len();
    comparisons.retain(|one| ids.contains(&one.harder_id) && ids.contains(&one.easier_id));
    let passed_over = given - comparisons.len();
    if passed_over > 0 {
        let file = &args.answers;
        eprintln!("note: {passed_over} of {given} answers in {file} are about other levels");
    }
    let request = RatePuzzlesRequest {
        levels: to_rate(&levels, ids),
        comparisons,
        draw_probability: args.draws.map(|percent| f64::from(percent) / 100.0),
    };
    let connection = Connection::open(maker.server).await?;
    let answer: RatePuzzlesResponse = quick(&connection, &request).await?;
    if let Some(path) = &args.out {
        let Some(weights) = answer.fit.as_ref().and_then(|fit| fit.weights) else {
            let message =
                "there are no weights to write: no feature says anything about the answers";
            return Err(Failure::new(Exit::UNKNOWN, message));
        };
        let text = json::write(&weights).map_err(|m| Failure::new(Exit::IO, m.message))?;
        write(path, &text)?;
    }
    show(maker.display, &answer, || {
        texts::ratings(maker.display, &answer)
    })?;
    Ok(Exit::OK)
}

/// The answers in a file, a line each.
fn comparisons(source: &str) -> Result<Vec<PuzzleComparison>, Failure> {
    let text = input::plain(source)?;
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    let read = lines.map(|(index, line)| {
        json::read(line).map_err(|m| {
            let message = format!("{source}:{}: {}", index + 1, m.message);
            Failure::new(Exit::INVALID, message)
        })
    });
    read.collect()
}

fn to_rate(levels: &Levels, ids: Vec<String>) -> Vec<PuzzleComparedLevel> {
    let levels = levels.set.levels.iter().zip(ids);
    let level = levels.map(|(level, id)| PuzzleComparedLevel {
        id,
        rows: level.rows.clone(),
        solution: level.solution.clone(),
    });
    level.collect()
}
