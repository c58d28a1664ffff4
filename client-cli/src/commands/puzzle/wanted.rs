//! What levels are wanted, from options and files.

use crate::args::{WantedArgs, Worth};
use crate::exit::{Exit, Failure};
use crate::input;
use stratagem_proto::v1::{
    PuzzleBoard, PuzzleProblem, PuzzleSymmetry, PuzzleTarget, PuzzleTheme, PuzzleWalls,
};

/// Side of a board where nothing says it.
const SIDE: i32 = 10;

/// The problem where no file says one.
pub(super) fn blank(args: &WantedArgs) -> PuzzleProblem {
    let side = match (&args.template, args.size) {
        (None, None) => Some(SIDE),
        _ => None,
    };
    PuzzleProblem {
        width: side,
        height: side,
        ..PuzzleProblem::default()
    }
}

/// A problem, with what the options say in place of its own.
pub(super) fn with_options(
    mut problem: PuzzleProblem,
    args: &WantedArgs,
) -> Result<PuzzleProblem, Failure> {
    if let Some((width, height)) = args.size {
        (problem.width, problem.height) = (Some(width), Some(height));
    }
    if let Some(boxes) = args.boxes {
        (problem.min_boxes, problem.max_boxes) = (Some(boxes.from), Some(boxes.to));
    }
    if let Some(template) = &args.template {
        problem.template_rows = input::template(template)?;
    }
    if let Some(symmetry) = args.symmetry {
        problem.symmetry = PuzzleSymmetry::from(symmetry).into();
    }
    if let Some(theme) = args.theme {
        problem.theme = PuzzleTheme::from(theme).into();
    }
    if let Some(walls) = args.walls {
        problem.walls = PuzzleWalls::from(walls).into();
    }
    match &args.weights {
        Some(Worth::Thesis) => problem.weights = Some(Worth::SCORE),
        Some(Worth::File(file)) => problem.weights = Some(input::weights(file)?),
        None => {}
    }
    problem.level_count = args.levels.or(problem.level_count);
    let share = |percent: i32| f64::from(percent) / 100.0;
    problem.min_difference = args.difference.map(share).or(problem.min_difference);
    problem.min_box_pushes = args.box_pushes.or(problem.min_box_pushes);
    target(&mut problem, args)?;
    for file in &args.avoid {
        let levels = input::levels(file, None)?;
        let boards = levels.set.levels.into_iter();
        let boards = boards.map(|level| PuzzleBoard { rows: level.rows });
        problem.avoided.extend(boards);
    }
    Ok(problem)
}

fn target(problem: &mut PuzzleProblem, args: &WantedArgs) -> Result<(), Failure> {
    if let Some(difficulty) = args.difficulty {
        if difficulty.is_named && problem.weights.is_some() {
            let message = "easy, medium, hard and expert are by the default weights; with others give numbers";
            return Err(Failure::usage(message));
        }
        problem.target = Some(PuzzleTarget {
            tolerance: None,
            kind: Some(difficulty.target()),
        });
    }
    if let Some(tolerance) = args.tolerance {
        let Some(target) = &mut problem.target else {
            let message = "--tolerance is about a difficulty: give --difficulty";
            return Err(Failure::new(Exit::USAGE, message));
        };
        target.tolerance = Some(f64::from(tolerance) / 100.0);
    }
    Ok(())
}
