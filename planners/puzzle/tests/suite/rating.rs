//! Ratings of levels from answers of players: published values, and players whose mind is known.

use crate::board::words;
use proptest::prelude::*;
use puzzle::plan::MICRO;
use puzzle::rating::{ANSWERS_MAX, RATED_MAX};
use puzzle::{Answer, Features, Harder, RatingParams, Ratings, Weights, rate};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn answer(first: usize, second: usize, harder: Harder) -> Answer {
    Answer {
        first,
        second,
        harder,
    }
}

/// Mean and deviation in thousandths.
fn thousandths(ratings: &Ratings) -> Vec<(i64, i64)> {
    let round = |micro: i64| (micro + 500) / 1_000;
    let levels = ratings.levels.iter();
    levels
        .map(|level| (round(level.mean_micro), round(level.deviation_micro)))
        .collect()
}

const PUBLISHED: RatingParams = RatingParams {
    draws_micro: 100_000,
    drift_micro: 83_333,
};

/// J. Moser, "Computing your skill", 2010: tests of its TrueSkill calculator, two players, one
/// game. The same from the package `trueskill` for Python.
#[test]
fn one_answer_gives_the_published_values_of_trueskill() {
    let levels = [Features::default(); 2];
    let won = rate(&levels, &[answer(0, 1, Harder::First)], &PUBLISHED).unwrap();
    assert_eq!(thousandths(&won), [(29_396, 7_171), (20_604, 7_171)]);
    let drawn = rate(&levels, &[answer(0, 1, Harder::Neither)], &PUBLISHED).unwrap();
    assert_eq!(thousandths(&drawn), [(25_000, 6_458), (25_000, 6_458)]);
}

#[test]
fn who_nobody_speaks_of_keeps_the_first_rating() {
    let levels = [Features::default(); 3];
    let answers = [answer(2, 0, Harder::First)];
    let ratings = rate(&levels, &answers, &RatingParams::default()).unwrap();
    assert_eq!(thousandths(&ratings)[1], (25_000, 8_333));
    let counts: Vec<usize> = ratings.levels.iter().map(|level| level.answers).collect();
    assert_eq!(counts, [1, 0, 1]);
}

/// Levels and what players think of them: difficulty is 3 for each box change and 1 for each push,
/// in a tenth of the scale of ratings. Mixing means nothing.
struct World {
    levels: Vec<Features>,
    difficulty: Vec<f64>,
    rng: Xoshiro256PlusPlus,
}

impl World {
    fn new(levels: usize, seed: u64) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut level = || Features {
            boxes: 3,
            pushes: rng.random_range(5..40),
            box_changes: rng.random_range(1..12),
            mixing: rng.random_range(5..50),
            ..Features::default()
        };
        let levels: Vec<Features> = (0..levels).map(|_| level()).collect();
        let feel = |level: &Features| 3.0 * f64::from(level.box_changes) + f64::from(level.pushes);
        Self {
            difficulty: levels.iter().map(feel).collect(),
            levels,
            rng,
        }
    }

    /// Random answers with more errors the less levels differ (a logistic curve of width 5), and
    /// few ties.
    fn answers(&mut self, count: usize) -> Vec<Answer> {
        let answers = (0..count).map(|_| {
            let first = self.rng.random_range(0..self.levels.len());
            let second = (first + self.rng.random_range(1..self.levels.len())) % self.levels.len();
            let margin = self.difficulty[first] - self.difficulty[second];
            let chance = 1.0 / (1.0 + anytime::math::exp(-margin / 5.0));
            let harder = match self.rng.random::<f64>() {
                _ if margin.abs() < 1.0 => Harder::Neither,
                draw if draw < chance => Harder::First,
                _ => Harder::Second,
            };
            answer(first, second, harder)
        });
        answers.collect()
    }
}

fn values(levels: &[Features], weights: &Weights) -> Vec<i64> {
    levels
        .iter()
        .map(|level| level.value_micro(weights))
        .collect()
}

/// As many levels and answers as in the study of the thesis.
#[test]
fn what_players_feel_is_recovered() {
    let mut world = World::new(120, 7);
    let answers = world.answers(945);
    let ratings = rate(&world.levels, &answers, &RatingParams::default()).unwrap();
    let mut ordered = 0;
    let mut pairs = 0;
    for one in 0..120 {
        for other in 0..one {
            let felt = world.difficulty[one] - world.difficulty[other];
            // Those that differ by a good deal.
            if felt.abs() > 10.0 {
                let rated = ratings.levels[one].mean_micro - ratings.levels[other].mean_micro;
                ordered += u32::from((rated > 0) == (felt > 0.0));
                pairs += 1;
            }
        }
    }
    assert!(ordered * 100 >= pairs * 93, "{ordered} of {pairs}");
    let range = -5 * MICRO..=55 * MICRO;
    assert!(
        ratings
            .levels
            .iter()
            .all(|level| range.contains(&level.mean_micro))
    );
}

#[test]
fn features_that_matter_correlate_and_constant_ones_have_no_correlation() {
    let mut world = World::new(120, 8);
    let answers = world.answers(945);
    let ratings = rate(&world.levels, &answers, &RatingParams::default()).unwrap();
    let of = |wanted: &str| {
        let all = ratings.correlations.iter();
        all.clone().find(|(name, _)| *name == wanted).unwrap().1
    };
    assert!(of("box_changes").unwrap() > 500_000);
    assert!(of("pushes").unwrap() > 400_000);
    assert!(of("mixing").unwrap().abs() < 200_000);
    assert_eq!(of("boxes"), None);
    assert_eq!(of("effort_log"), None);
}

/// The share of answers whose harder level has the higher value, among answers that name a harder
/// level; equal values count half. In millionths; none where no answer names one.
fn agreement_micro(values_micro: &[i64], answers: &[Answer]) -> Option<i64> {
    let mut halves = 0_i64;
    let mut decided = 0_i64;
    for answer in answers {
        let (harder, easier) = match answer.harder {
            Harder::First => (answer.first, answer.second),
            Harder::Second => (answer.second, answer.first),
            Harder::Neither => continue,
        };
        decided += 1;
        halves += 1 + values_micro[harder].cmp(&values_micro[easier]) as i64;
    }
    (decided > 0).then(|| halves * MICRO / (2 * decided))
}

#[test]
fn fitted_weights_predict_answers_that_they_were_not_fitted_to() {
    for seed in 0..5 {
        let mut world = World::new(60, seed);
        let answers = world.answers(500);
        let held_out = world.answers(1_000);
        let ratings = rate(&world.levels, &answers, &RatingParams::default()).unwrap();
        let fitted = ratings.weights().unwrap();
        let wrong = Weights {
            mixing: MICRO,
            divisor: MICRO,
            ..Weights::default()
        };
        let agreement = |weights: &Weights| {
            agreement_micro(&values(&world.levels, weights), &held_out).unwrap()
        };
        assert!(agreement(&fitted) > 800_000, "{}", agreement(&fitted));
        assert!(
            (400_000..600_000).contains(&agreement(&wrong)),
            "{}",
            agreement(&wrong)
        );
        // Three to one is what players feel.
        let ratio = fitted.box_changes as f64 / fitted.pushes as f64;
        assert!((2.0..4.5).contains(&ratio), "{ratio}");
        assert_eq!((fitted.boxes, fitted.mixing), (0, 0));
    }
}

/// The value and the intercept together are a rating.
#[test]
fn fitted_values_and_the_intercept_are_near_the_ratings() {
    let mut world = World::new(60, 3);
    let answers = world.answers(2_000);
    let ratings = rate(&world.levels, &answers, &RatingParams::default()).unwrap();
    let fit = ratings.fit.unwrap();
    let misses = world
        .levels
        .iter()
        .zip(&ratings.levels)
        .map(|(level, rating)| {
            (level.value_micro(&fit.weights) + fit.intercept_micro - rating.mean_micro).abs()
        });
    let mean = misses.sum::<i64>() / 60;
    assert!(mean < 3 * MICRO, "{mean}");
    assert!(fit.correlation_micro > 900_000, "{}", fit.correlation_micro);
}

/// What makes levels easier gets a weight below 0.
#[test]
fn a_feature_that_makes_levels_easier_gets_a_negative_weight() {
    let level = |goal_distance_micro| Features {
        goal_distance_micro,
        ..Features::default()
    };
    let levels = [
        level(MICRO as u64),
        level(2 * MICRO as u64),
        level(3 * MICRO as u64),
    ];
    let answers = [answer(0, 1, Harder::First), answer(2, 1, Harder::Second)];
    let ratings = rate(&levels, &answers, &RatingParams::default()).unwrap();
    assert!(ratings.weights().unwrap().goal_distance < 0);
}

#[test]
fn levels_that_are_all_alike_give_ratings_but_no_weights() {
    let levels = [Features::default(); 4];
    let answers = [answer(0, 1, Harder::First), answer(2, 3, Harder::First)];
    let ratings = rate(&levels, &answers, &RatingParams::default()).unwrap();
    assert_eq!(ratings.fit, None);
    assert!(ratings.levels[0].mean_micro > ratings.levels[1].mean_micro);
}

#[test]
fn all_broken_rules_are_reported_together() {
    let params = RatingParams {
        draws_micro: 1_000_000,
        drift_micro: -1,
    };
    let answers = [answer(0, 0, Harder::First), answer(5, 7, Harder::Neither)];
    let mistakes = rate(&[Features::default()], &answers, &params).unwrap_err();
    let there = "but there are 1 (0 is the first)";
    let expected = [
        ("REQUIRED", "levels must have at least 2 elements, got 1"),
        (
            "OUT_OF_RANGE",
            "draw_probability must be between 0 and 0.9, got 1",
        ),
        (
            "OUT_OF_RANGE",
            "drift must be between 0 and 10, got -0.000001",
        ),
        (
            "CONTRADICTION",
            "comparisons[0].easier_id is level 0, as is the other one",
        ),
        (
            "UNKNOWN",
            &format!("comparisons[1].harder_id is level 5, {there}"),
        ),
        (
            "UNKNOWN",
            &format!("comparisons[1].easier_id is level 7, {there}"),
        ),
    ];
    assert_eq!(
        words(&mistakes),
        expected.map(|(code, text)| (code, text.to_owned()))
    );
}

#[test]
fn too_much_and_nothing_are_refused() {
    let mistakes = |levels, answers: &[Answer]| {
        let levels = vec![Features::default(); levels];
        words(&rate(&levels, answers, &RatingParams::default()).unwrap_err())
    };
    let one = answer(0, 1, Harder::First);
    let none = "comparisons is required";
    assert_eq!(mistakes(2, &[]), [("REQUIRED", none.to_owned())]);
    let given = RATED_MAX + 1;
    assert_eq!(
        mistakes(given, &[one]),
        [(
            "TOO_MANY",
            format!("levels has {given} elements, at most {RATED_MAX} are allowed")
        )]
    );
    let given = ANSWERS_MAX + 1;
    assert_eq!(
        mistakes(2, &vec![one; given]),
        [(
            "TOO_MANY",
            format!("comparisons has {given} elements, at most {ANSWERS_MAX} are allowed")
        )]
    );
}

fn any_answers() -> impl Strategy<Value = Vec<Answer>> {
    let harder = prop_oneof![
        Just(Harder::First),
        Just(Harder::Second),
        Just(Harder::Neither)
    ];
    let one = (0..8_usize, 1..8_usize, harder)
        .prop_map(|(first, by, harder)| answer(first, (first + by) % 8, harder));
    prop::collection::vec(one, 1..40)
}

fn any_levels() -> impl Strategy<Value = Vec<Features>> {
    let level = (1..6_u32, 0..4_000_u32, 0..300_u32).prop_map(|(boxes, effort, pushes)| Features {
        boxes,
        effort,
        pushes,
        goal_distance_micro: u64::from(pushes) * 777,
        ..Features::default()
    });
    prop::collection::vec(level, 8)
}

proptest! {
    /// Nor does it matter which level is named first.
    #[test]
    fn the_order_of_answers_does_not_matter(levels in any_levels(), mut answers in any_answers()) {
        let params = RatingParams::default();
        let forth = rate(&levels, &answers, &params).unwrap();
        answers.reverse();
        for one in &mut answers {
            let harder = match one.harder {
                Harder::First => Harder::Second,
                Harder::Second => Harder::First,
                Harder::Neither => Harder::Neither,
            };
            *one = answer(one.second, one.first, harder);
        }
        prop_assert_eq!(rate(&levels, &answers, &params).unwrap(), forth);
    }

    /// Weights can be used in a problem, and agree in sign with their feature's correlation.
    #[test]
    fn fitted_weights_are_usable(levels in any_levels(), answers in any_answers()) {
        let ratings = rate(&levels, &answers, &RatingParams::default()).unwrap();
        if let Some(weights) = ratings.weights() {
            let spec = puzzle::Spec { weights, ..puzzle::Spec::thesis(5, 5) };
            prop_assert!(puzzle::Problem::new(spec).is_ok());
            let terms = levels[0].terms(&weights);
            for ((_, _, weight), (_, correlation)) in terms.iter().zip(&ratings.correlations) {
                prop_assert!(*weight == 0 || weight.signum() == correlation.unwrap().signum());
            }
        }
    }

    #[test]
    fn hostile_parameters_and_features_never_panic(
        draws_micro: i64, drift_micro: i64, boxes: u32, effort: u32, goal_distance_micro: u64,
        answers in any_answers()
    ) {
        let mut levels = vec![Features::default(); 8];
        levels[3] = Features { boxes, effort, goal_distance_micro, ..Features::default() };
        let drawn = [(draws_micro, drift_micro), (0, 0), (900_000, 10_000_000)];
        for (draws_micro, drift_micro) in drawn {
            let params = RatingParams { draws_micro, drift_micro };
            let _ = rate(&levels, &answers, &params);
        }
    }
}
