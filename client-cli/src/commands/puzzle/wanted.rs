//! What levels are wanted, from options and files.

use super::super::verb::apply;
use crate::args::WantedArgs;
use crate::exit::Failure;
use formats::messages::{described, typed};
use stratagem_proto::v1::PuzzleProblem;

/// Side of a board where nothing says it.
const SIDE: i32 = 10;

/// The problem where no file says one.
pub(super) fn blank(args: &WantedArgs) -> PuzzleProblem {
    let is_given = |flag: &str| args.values.contains_key(flag);
    let side = (!is_given("template") && !is_given("size")).then_some(SIDE);
    PuzzleProblem {
        width: side,
        height: side,
        ..PuzzleProblem::default()
    }
}

/// A problem, with what the options say in place of its own.
pub(super) fn with_options(
    problem: &PuzzleProblem,
    args: &WantedArgs,
) -> Result<PuzzleProblem, Failure> {
    let mut message = described(problem);
    for flag in WantedArgs::flags() {
        if let Some(values) = args.values.get(&flag.long) {
            apply(&mut message, flag, &flag.path, values)?;
        }
    }
    let problem: PuzzleProblem = typed(&message);
    if args.is_named && problem.weights.is_some() {
        let message =
            "easy, medium, hard and expert are by the default weights; with others give numbers";
        return Err(Failure::usage(message));
    }
    let is_open = problem.target.is_some_and(|target| target.kind.is_none());
    if is_open && args.values.contains_key("tolerance") {
        let message = "--tolerance is about a difficulty: give --difficulty";
        return Err(Failure::usage(message));
    }
    Ok(problem)
}
