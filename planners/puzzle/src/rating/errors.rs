//! What is wrong with answers of players.

use super::{ANSWERS_MAX, Answer, RATED_MAX, RatingParams};

const DRAWS_MAX_MICRO: i64 = 900_000;
const DRIFT_MAX_MICRO: i64 = 10_000_000;

/// One reason why levels cannot be rated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum RatingError {
    /// Nothing to compare.
    #[error("{given} levels given, at least 2 are needed to compare")]
    TooFewLevels { given: usize },
    /// More levels than supported.
    #[error("{given} levels given, at most {RATED_MAX} are supported")]
    TooManyLevels { given: usize },
    /// Nobody has said anything.
    #[error("no answers given, at least 1 is needed")]
    NoAnswers,
    /// More answers than supported.
    #[error("{given} answers given, at most {ANSWERS_MAX} are supported")]
    TooManyAnswers { given: usize },
    /// The first level of an answer is not there.
    #[error(
        "answer {answer} speaks of level {level} first, but there are {levels} (0 is the first)"
    )]
    UnknownFirst {
        answer: usize,
        level: usize,
        levels: usize,
    },
    /// The second level of an answer is not there.
    #[error(
        "answer {answer} speaks of level {level} second, but there are {levels} (0 is the first)"
    )]
    UnknownSecond {
        answer: usize,
        level: usize,
        levels: usize,
    },
    /// A level against itself.
    #[error("answer {answer} compares level {level} with itself")]
    SameLevel { answer: usize, level: usize },
    /// A share of draws that no ratings can be made with.
    #[error("a share of {given_micro} millionths draws is not between 0 and {DRAWS_MAX_MICRO}")]
    Draws { given_micro: i64 },
    /// A drift out of its range.
    #[error("a drift of {given_micro} millionths is not between 0 and {DRIFT_MAX_MICRO}")]
    Drift { given_micro: i64 },
}

pub(super) fn check(levels: usize, answers: &[Answer], params: &RatingParams) -> Vec<RatingError> {
    let mut errors = Vec::new();
    if levels < 2 {
        errors.push(RatingError::TooFewLevels { given: levels });
    }
    if levels > RATED_MAX {
        errors.push(RatingError::TooManyLevels { given: levels });
    }
    if answers.is_empty() {
        errors.push(RatingError::NoAnswers);
    }
    if answers.len() > ANSWERS_MAX {
        let given = answers.len();
        errors.push(RatingError::TooManyAnswers { given });
    }
    if !(0..=DRAWS_MAX_MICRO).contains(&params.draws_micro) {
        let given_micro = params.draws_micro;
        errors.push(RatingError::Draws { given_micro });
    }
    if !(0..=DRIFT_MAX_MICRO).contains(&params.drift_micro) {
        let given_micro = params.drift_micro;
        errors.push(RatingError::Drift { given_micro });
    }
    for (answer, given) in answers.iter().enumerate() {
        let Answer { first, second, .. } = *given;
        if first >= levels {
            let level = first;
            errors.push(RatingError::UnknownFirst {
                answer,
                level,
                levels,
            });
        }
        if second >= levels {
            let level = second;
            errors.push(RatingError::UnknownSecond {
                answer,
                level,
                levels,
            });
        }
        if first == second {
            let level = first;
            errors.push(RatingError::SameLevel { answer, level });
        }
    }
    errors
}
