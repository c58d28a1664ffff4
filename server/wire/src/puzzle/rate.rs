//! How hard players find levels, from the wire and back.

use super::board::{board, steps};
use super::plan::{count, features, ones};
use crate::mistakes::{Code, Mistakes};
use crate::values::{Ids, percent, shown};
use anytime::{Conclusion, Control, Limits, Path, Unnamed};
use puzzle::plan::{EFFORT_MAX, MICRO};
use puzzle::rating::{Answer, Fit, Harder, Rating, RatingParams, Ratings};
use puzzle::{Board, Features, Solution, Step, Weights, solve_board, verify};
use stratagem_proto::v1 as pb;

/// Most positions that are opened to find a solution that was not given.
const OPENED_MAX: u64 = 20_000;
/// How often two levels are found equally hard where nothing is said, in percent.
const DRAW_DEFAULT: u32 = 10;

/// Levels to rate, and players' ratings of them.
pub struct ToRate {
    ids: Ids,
    levels: Vec<(Board, Vec<Step>)>,
    answers: Vec<Answer>,
    /// How often two levels are found equally hard, in percent.
    draws: u32,
}

/// A request for ratings.
///
/// # Errors
/// All mistakes but those of solutions.
pub(super) fn to_rate(mut message: pb::RatePuzzlesRequest) -> Result<ToRate, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let pb::RatePuzzlesRequest {
        levels,
        comparisons,
        draw_probability,
    } = message;
    let draws = draw_probability.map_or(DRAW_DEFAULT, percent);
    let (levels_at, answers_at) = (Path::root("levels"), Path::root("comparisons"));
    let mut ids = Ids::default();
    let mut read = Vec::with_capacity(levels.len());
    for (index, given) in levels.into_iter().enumerate() {
        read.extend(level(given, &levels_at.index(index), &mut ids, &mut wrong));
    }
    let answers = answers(&comparisons, &answers_at, &ids, &mut wrong);
    let to_rate = ToRate {
        ids,
        levels: read,
        answers,
        draws,
    };
    Some(to_rate).filter(|_| wrong.is_empty()).ok_or(wrong)
}

/// Ratings of levels; `None` when the time was over before all levels were looked at.
///
/// # Errors
/// All mistakes of solutions.
pub(super) fn rated(
    given: ToRate,
    is_over: impl Fn() -> bool,
) -> Result<Option<pb::RatePuzzlesResponse>, Mistakes> {
    let ToRate {
        ids,
        levels,
        answers,
        draws,
    } = given;
    let levels_at = Path::root("levels");
    let mut wrong = Mistakes::default();
    let mut counted = Vec::with_capacity(levels.len());
    for (index, (board, steps)) in levels.into_iter().enumerate() {
        if is_over() {
            return Ok(None);
        }
        let at = levels_at.index(index);
        counted.extend(counted_of(&board, steps, &at.field("solution"), &mut wrong));
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let params = RatingParams {
        draws_micro: i64::from(draws) * MICRO / 100,
        ..RatingParams::default()
    };
    let features: Vec<Features> = counted.iter().map(|one| one.features).collect();
    let ratings = puzzle::rate(&features, &answers, &params).map_err(|faults| {
        wrong.add_faults(&faults, &Unnamed, &Path::WHOLE);
        wrong
    })?;
    Ok(Some(response(&ids, &counted, &ratings)))
}

fn level(
    given: pb::PuzzleComparedLevel,
    at: &Path<'_>,
    ids: &mut Ids,
    wrong: &mut Mistakes,
) -> Option<(Board, Vec<Step>)> {
    let pb::PuzzleComparedLevel { id, rows, solution } = given;
    ids.take(&at.field("id"), id, wrong);
    let steps = steps(&solution, &at.field("solution"), wrong);
    board(&rows, &at.field("rows"), wrong).map(|board| (board, steps))
}

fn answers(
    given: &[pb::PuzzleComparison],
    at: &Path<'_>,
    ids: &Ids,
    wrong: &mut Mistakes,
) -> Vec<Answer> {
    let mut answers = Vec::with_capacity(given.len());
    for (index, given) in given.iter().enumerate() {
        let pb::PuzzleComparison {
            harder_id,
            easier_id,
            draw,
        } = given;
        let at = at.index(index);
        let easier_at = at.field("easier_id");
        let first = ids.find(&at.field("harder_id"), harder_id, wrong);
        let second = ids.find(&easier_at, easier_id, wrong);
        let (Some(first), Some(second)) = (first, second) else {
            continue;
        };
        if first == second {
            let why = format!("is {}, as is the other one", shown(easier_id));
            wrong.add(&easier_at, Code::Contradiction, why);
        }
        let harder = if *draw {
            Harder::Neither
        } else {
            Harder::First
        };
        answers.push(Answer {
            first,
            second,
            harder,
        });
    }
    answers
}

/// What a level is like.
struct Counted {
    /// With the most effort that is counted where it is above that.
    features: Features,
    /// Where it is known.
    effort: Option<u32>,
}

/// What a level is like; `None` when it is not solved.
fn counted_of(
    board: &Board,
    given: Vec<Step>,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Counted> {
    let steps = if given.is_empty() {
        found(board, at, wrong)?
    } else {
        given
    };
    let counted = verify::features(board, &steps, true).map_err(|fault| {
        wrong.add_violations(&[fault], &Unnamed, at);
    });
    let mut counted = counted.ok()?;
    // The plain search gave up: no board that is to be solved takes no effort.
    let is_too_hard = counted.effort == 0 && counted.pushes > 0;
    let effort = (!is_too_hard).then_some(counted.effort);
    counted.effort = effort.unwrap_or(EFFORT_MAX);
    Some(Counted {
        features: counted,
        effort,
    })
}

/// A solution that nobody gave.
fn found(board: &Board, at: &Path<'_>, wrong: &mut Mistakes) -> Option<Vec<Step>> {
    let mut best = None;
    // Each is better than the one before.
    let mut keep = |solution: &Solution, _: u32| best = Some(solution.clone());
    let mut control = Control::new(Limits::iterations(OPENED_MAX), 0, &mut keep);
    let end = solve_board(board, &mut control);
    match (best, end) {
        (Some(solution), _) => Some(solution.steps),
        (None, Ok(Conclusion::Infeasible)) => {
            wrong.add(at, Code::Unsolvable, "is of a board that cannot be solved");
            None
        }
        (None, _) => {
            let why = format!("is required: none was found in {OPENED_MAX} positions");
            wrong.add(at, Code::Required, why);
            None
        }
    }
}

fn response(ids: &Ids, counted: &[Counted], ratings: &Ratings) -> pb::RatePuzzlesResponse {
    let levels = ids.list().iter().zip(counted).zip(&ratings.levels);
    let rating = |rating: &Rating| pb::PuzzleRating {
        mean: ones(rating.mean_micro),
        deviation: ones(rating.deviation_micro),
        comparison_count: count(rating.answers),
    };
    let levels = levels.map(|((id, counted), found)| pb::PuzzleRatedLevel {
        id: id.clone(),
        rating: Some(rating(found)),
        features: Some(features(&counted.features, counted.effort)),
    });
    let correlation = |(feature, pearson): &(&str, Option<i64>)| pb::PuzzleCorrelation {
        feature: (*feature).into(),
        pearson: pearson.map(ones),
    };
    pb::RatePuzzlesResponse {
        levels: levels.collect(),
        correlations: ratings.correlations.iter().map(correlation).collect(),
        fit: ratings.fit.as_ref().map(fit),
    }
}

fn fit(given: &Fit) -> pb::PuzzleFit {
    let Fit {
        weights,
        intercept_micro,
        correlation_micro,
    } = given;
    pb::PuzzleFit {
        weights: Some(self::weights(weights)),
        intercept: ones(*intercept_micro),
        pearson: ones(*correlation_micro),
    }
}

fn weights(given: &Weights) -> pb::PuzzleWeights {
    let Weights {
        boxes,
        blocks,
        blocks_count,
        mixing,
        goal_distance,
        congestion_sum,
        congestion,
        pushes,
        box_changes,
        counter_intuitive,
        effort_log,
        divisor,
    } = *given;
    pb::PuzzleWeights {
        boxes: ones(boxes),
        blocks: ones(blocks),
        blocks_count: ones(blocks_count),
        mixing: ones(mixing),
        goal_distance: ones(goal_distance),
        congestion_sum: ones(congestion_sum),
        congestion: ones(congestion),
        pushes: ones(pushes),
        box_changes: ones(box_changes),
        counter_intuitive: ones(counter_intuitive),
        effort_log: ones(effort_log),
        divisor: Some(ones(divisor)),
    }
}
