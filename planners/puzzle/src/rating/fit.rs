//! Fit of ratings: correlations of features (Table 6.1 of the thesis), and weights fitted
//! to them.

use super::{FEATURES, Rating, micro};
use crate::plan::{Features, MICRO};
use crate::problem::{WEIGHT_MAX_MICRO, Weights};

/// Least correlation, of either sign, of a feature that gets a weight, in millionths; the features
/// that the thesis chose have 0.23 and more.
pub const CORRELATION_MIN_MICRO: i64 = 200_000;
/// How much large weights cost: as much as this many levels of mean certainty, all features in
/// standard deviations.
const RIDGE: f64 = 1.0;
const SWEEPS_MAX: usize = 10_000;
const CHANGE_MIN: f64 = 1e-12;

/// Weights fitted to ratings.
///
/// Least squares of the mean ratings, each counted by its certainty (1 through its variance), over
/// the features whose correlation is at least [`CORRELATION_MIN_MICRO`], of the strongest one where
/// none is; with a ridge, so that a few levels do not make wild weights; and each weight with the
/// sign of its feature's correlation, so that no feature is used to correct another. Solved by
/// coordinate descent, in fixed order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fit {
    /// The weights; the divisor is 1.
    pub weights: Weights,
    /// Difference of a rating and a value by these weights, in millionths.
    pub intercept_micro: i64,
    /// Pearson's correlation of the values by these weights and the ratings that they were fitted
    /// to, in millionths.
    pub correlation_micro: i64,
}

/// The features of a level as numbers, in the order of [`Features::terms`].
fn numbers(features: &Features) -> [f64; FEATURES] {
    features
        .terms(&Weights::SCORE)
        .map(|(_, feature_micro, _)| feature_micro as f64 / MICRO as f64)
}

fn mean(values: &[f64], certainties: &[f64]) -> f64 {
    let sum: f64 = values.iter().zip(certainties).map(|(a, b)| a * b).sum();
    sum / certainties.iter().sum::<f64>()
}

/// Deviations from the mean through the standard deviation; none where all are the same.
fn standard(values: &[f64], certainties: &[f64]) -> Option<(Vec<f64>, f64, f64)> {
    let mean = self::mean(values, certainties);
    let squares: Vec<f64> = values
        .iter()
        .map(|value| (value - mean) * (value - mean))
        .collect();
    let deviation = self::mean(&squares, certainties).sqrt();
    // Features are whole millionths: what varies, varies by more than this.
    if deviation <= 1e-9 * (1.0 + mean.abs()) {
        return None;
    }
    let values = values.iter().map(|value| (value - mean) / deviation);
    Some((values.collect(), mean, deviation))
}

/// Pearson's correlation; none of fewer than three values or of a constant.
fn correlation(some: &[f64], others: &[f64]) -> Option<f64> {
    if some.len() < 3 {
        return None;
    }
    let equal = vec![1.0; some.len()];
    let (some, ..) = standard(some, &equal)?;
    let (others, ..) = standard(others, &equal)?;
    let products: Vec<f64> = some.iter().zip(&others).map(|(a, b)| a * b).collect();
    Some(mean(&products, &equal).clamp(-1.0, 1.0))
}

fn ratings(rated: &[(&Features, &Rating)]) -> Vec<f64> {
    let micros = rated.iter().map(|(_, rating)| rating.mean_micro);
    micros.map(|micro| micro as f64 / MICRO as f64).collect()
}

fn columns(rated: &[(&Features, &Rating)]) -> [Vec<f64>; FEATURES] {
    let rows: Vec<[f64; FEATURES]> = rated.iter().map(|(level, _)| numbers(level)).collect();
    std::array::from_fn(|column| rows.iter().map(|row| row[column]).collect())
}

pub(super) fn correlations(
    rated: &[(&Features, &Rating)],
) -> [(&'static str, Option<i64>); FEATURES] {
    let ratings = ratings(rated);
    let columns = columns(rated);
    let names = Features::default().terms(&Weights::SCORE);
    std::array::from_fn(|index| {
        let r = correlation(&columns[index], &ratings);
        (names[index].0, r.map(micro))
    })
}

/// Indices of the features that get a weight.
fn chosen(correlations: &[(&'static str, Option<i64>); FEATURES]) -> Vec<usize> {
    let strength = |index: &usize| correlations[*index].1.map_or(0, i64::abs);
    let strong = |index: &usize| strength(index) >= CORRELATION_MIN_MICRO;
    let chosen: Vec<usize> = (0..FEATURES).filter(strong).collect();
    if !chosen.is_empty() {
        return chosen;
    }
    // Of equal ones the first, whereas max_by_key has the last.
    let strongest = (0..FEATURES).rev().max_by_key(strength);
    let strongest = strongest.filter(|index| strength(index) > 0);
    strongest.into_iter().collect()
}

pub(super) fn fit(
    rated: &[(&Features, &Rating)],
    correlations: &[(&'static str, Option<i64>); FEATURES],
) -> Option<Fit> {
    let ratings = ratings(rated);
    let certainties = certainties(rated);
    let columns = columns(rated);
    let mut terms = Vec::new();
    for index in chosen(correlations) {
        let (values, mean, deviation) = standard(&columns[index], &certainties)?;
        let is_negative = correlations[index].1.is_some_and(i64::is_negative);
        terms.push(Term {
            index,
            values,
            mean,
            deviation,
            is_negative,
            factor: 0.0,
        });
    }
    let middle = mean(&ratings, &certainties);
    let mut misses: Vec<f64> = ratings.iter().map(|rating| rating - middle).collect();
    descend(&mut terms, &certainties, &mut misses);
    let mut weights = [0; FEATURES];
    let mut intercept = middle;
    for term in &terms {
        let weight = micro(term.factor / term.deviation);
        weights[term.index] = weight.clamp(-WEIGHT_MAX_MICRO, WEIGHT_MAX_MICRO);
        intercept -= term.factor / term.deviation * term.mean;
    }
    let weights = named(weights);
    let values: Vec<f64> = rated
        .iter()
        .map(|(level, _)| level.value_micro(&weights) as f64)
        .collect();
    // No correlation: all weights are 0.
    Some(Fit {
        weights,
        intercept_micro: micro(intercept),
        correlation_micro: micro(correlation(&values, &ratings)?),
    })
}

/// One through the variance of each rating, their mean 1.
fn certainties(rated: &[(&Features, &Rating)]) -> Vec<f64> {
    let certainty = |rating: &Rating| {
        let deviation = rating.deviation_micro.max(1) as f64 / MICRO as f64;
        1.0 / (deviation * deviation)
    };
    let all: Vec<f64> = rated.iter().map(|(_, rating)| certainty(rating)).collect();
    let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
    all.iter().map(|certainty| certainty / mean).collect()
}

/// A feature with a weight.
struct Term {
    index: usize,
    /// Of each level, in standard deviations from the mean.
    values: Vec<f64>,
    mean: f64,
    deviation: f64,
    is_negative: bool,
    /// Rating per standard deviation.
    factor: f64,
}

/// Sets one factor after the other to the best for the others as they are, until none changes. The
/// sum of squares is strictly convex and the bounds are separate for each factor, so that this ends
/// at the only minimum.
fn descend(terms: &mut [Term], certainties: &[f64], misses: &mut [f64]) {
    let total: f64 = certainties.iter().sum();
    for _ in 0..SWEEPS_MAX {
        let mut change_most = 0.0_f64;
        for term in &mut *terms {
            let pull: f64 = (term.values.iter().zip(&*misses).zip(certainties))
                .map(|((value, miss), certainty)| value * miss * certainty)
                .sum();
            // The values have variance 1, so that the sum of their squares is `total`.
            let free = (pull + total * term.factor) / (total + RIDGE);
            let factor = if term.is_negative {
                free.min(0.0)
            } else {
                free.max(0.0)
            };
            let change = factor - term.factor;
            for (miss, value) in misses.iter_mut().zip(&term.values) {
                *miss -= change * value;
            }
            term.factor = factor;
            change_most = change_most.max(change.abs());
        }
        if change_most < CHANGE_MIN {
            break;
        }
    }
}

/// In the order of [`Features::terms`].
fn named(weights: [i64; FEATURES]) -> Weights {
    let [
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
    ] = weights;
    Weights {
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
        divisor: MICRO,
    }
}
