//! How difficult levels are to players: from answers which of two levels is harder, to ratings, to
//! what the ratings depend on, to weights for the next levels. Section 6.5 of the thesis.
//!
//! # Ratings
//! TrueSkill, as the thesis has it (its reference 149: Herbrich, Minka, Graepel, "TrueSkill: a
//! Bayesian skill rating system", NIPS 2006), with levels as players: the harder one wins. Every
//! level begins with mean 25 and deviation 25/3; means mostly end between 0 (least difficult) and
//! 50.
//!
//! The name TrueSkill is a trademark of Microsoft, which has let commercial games use it on Xbox
//! Live only: before selling a game, check the terms.
//!
//! TrueSkill takes one answer after the other, and its ratings depend on their order. These ratings
//! do not: the answers are sorted, then rated in [`ORDERS`] shuffled orders of fixed seeds, whose
//! means and deviations are averaged.
//!
//! # Weights
//! [`Ratings::weights`] are fitted to the ratings; see [`Fit`].

mod check;
mod fit;
mod trueskill;

use crate::plan::{Features, MICRO};
use crate::problem::Weights;
use anytime::Fault;
pub use fit::{CORRELATION_MIN_MICRO, Fit};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use trueskill::{Game, Skill};

/// Most levels that are rated at once.
pub const RATED_MAX: usize = 1_000;
/// Most answers that are taken at once.
pub const ANSWERS_MAX: usize = 20_000;
/// Orders of the answers that are averaged.
pub const ORDERS: u64 = 16;
/// Number of the features that are looked at: those that can have a weight.
pub const FEATURES: usize = 11;

/// Which of two levels a player finds harder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Harder {
    /// The first.
    First,
    /// The second.
    Second,
    /// Neither.
    Neither,
}

/// A player's comparison of two levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Answer {
    /// Index of the first level.
    pub first: usize,
    /// Index of the second level, another one.
    pub second: usize,
    /// The harder one.
    pub harder: Harder,
}

/// Parameters of the rating.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RatingParams {
    /// How often two levels are expected to be found equally hard, in millionths, 0 to 900_000.
    pub draws_micro: i64,
    /// How much a level is expected to change from answer to answer, as a deviation in millionths,
    /// 0 to 10_000_000. The authors of TrueSkill have 83_333 for players, who learn; levels stay
    /// what they are.
    pub drift_micro: i64,
}

impl Default for RatingParams {
    /// One draw in ten, as the authors of TrueSkill have it; no drift.
    fn default() -> Self {
        Self {
            draws_micro: 100_000,
            drift_micro: 0,
        }
    }
}

/// Perceived difficulty of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rating {
    /// Perceived difficulty, in millionths; 25_000_000 without answers.
    pub mean_micro: i64,
    /// Uncertainty, as a standard deviation in millionths.
    pub deviation_micro: i64,
    /// Answers that speak of the level.
    pub answers: usize,
}

/// Ratings from players' answers, and weights that follow from them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ratings {
    /// Rating of each level, in the order given.
    pub levels: Vec<Rating>,
    /// Each feature that can have a weight, as [`Features::terms`] names it, with Pearson's
    /// correlation of it and the mean ratings of the levels that have answers, in millionths. None
    /// where the feature or the ratings are constant, or where fewer than three levels have
    /// answers.
    pub correlations: [(&'static str, Option<i64>); FEATURES],
    /// Weights under which the value of a level approximates its rating; none where no feature
    /// correlates with the ratings.
    pub fit: Option<Fit>,
}

impl Ratings {
    /// The fitted weights.
    #[must_use]
    pub fn weights(&self) -> Option<Weights> {
        self.fit.map(|fit| fit.weights)
    }
}

/// Ratings of levels, which are given by their features, from answers of players.
///
/// O([`ORDERS`] * answers) updates of ratings. The order of the answers does not matter, nor the
/// order of the two levels in an answer.
///
/// # Errors
/// Every broken rule, with its field in the contract's `RatePuzzlesRequest`.
///
/// # Examples
/// ```
/// use puzzle::{Answer, Features, Harder, RatingParams, rate};
/// let easy = Features { pushes: 3, ..Features::default() };
/// let hard = Features { pushes: 30, ..Features::default() };
/// let answer = Answer { first: 0, second: 1, harder: Harder::Second };
/// let ratings = rate(&[easy, hard], &[answer], &RatingParams::default()).unwrap();
/// assert!(ratings.levels[0].mean_micro < ratings.levels[1].mean_micro);
/// ```
pub fn rate(
    levels: &[Features],
    answers: &[Answer],
    params: &RatingParams,
) -> Result<Ratings, Vec<Fault>> {
    let faults = check::check(levels.len(), answers, params);
    if !faults.is_empty() {
        return Err(faults);
    }
    let found = trueskills(levels.len(), answers, params);
    // Levels without answers say nothing about features.
    let rated: Vec<(&Features, &Rating)> = levels
        .iter()
        .zip(&found)
        .filter(|(_, rating)| rating.answers > 0)
        .collect();
    let correlations = fit::correlations(&rated);
    Ok(Ratings {
        fit: fit::fit(&rated, &correlations),
        correlations,
        levels: found,
    })
}

fn trueskills(levels: usize, answers: &[Answer], params: &RatingParams) -> Vec<Rating> {
    let mut answers: Vec<Answer> = answers.iter().map(|answer| answer.upright()).collect();
    answers.sort_unstable();
    let ones = |micro: i64| micro as f64 / MICRO as f64;
    let game = Game::new(ones(params.draws_micro), ones(params.drift_micro));
    let mut sums = vec![(0.0, 0.0); levels];
    for seed in 0..ORDERS {
        let mut order = answers.clone();
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        let mut ratings = vec![Skill::FIRST; levels];
        for answer in &order {
            let (first, second) = (ratings[answer.first], ratings[answer.second]);
            (ratings[answer.first], ratings[answer.second]) =
                game.played(first, second, answer.harder);
        }
        for (sum, rating) in sums.iter_mut().zip(&ratings) {
            sum.0 += rating.mean;
            sum.1 += rating.deviation;
        }
    }
    let mut counts = vec![0; levels];
    for answer in &answers {
        counts[answer.first] += 1;
        counts[answer.second] += 1;
    }
    let mean = |sum: f64| micro(sum / ORDERS as f64);
    let rating = |((mean_sum, deviation_sum), answers)| Rating {
        mean_micro: mean(mean_sum),
        deviation_micro: mean(deviation_sum),
        answers,
    };
    sums.into_iter().zip(counts).map(rating).collect()
}

/// The nearest whole number of millionths; saturates.
#[expect(
    clippy::cast_possible_truncation,
    reason = "saturating is what is wanted; ratings and weights are far below the limits"
)]
fn micro(value: f64) -> i64 {
    (value * MICRO as f64).round() as i64
}

impl Answer {
    /// The same with the lower index first.
    fn upright(self) -> Self {
        if self.first <= self.second {
            return self;
        }
        Self {
            first: self.second,
            second: self.first,
            harder: match self.harder {
                Harder::First => Harder::Second,
                Harder::Second => Harder::First,
                Harder::Neither => Harder::Neither,
            },
        }
    }
}
