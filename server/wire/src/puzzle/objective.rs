//! What levels cost, for the wire.

use super::plan::ones;
use crate::solve;
use puzzle::plan::MICRO;
use puzzle::{Cost, Features, Goal, Problem};
use stratagem_proto::v1 as pb;

/// The levels of a cost: what is missing, then the miss.
pub(super) fn levels(cost: Cost) -> [f64; 2] {
    [f64::from(cost.missing), ones(cost.miss_micro)]
}

/// The largest cost that is at least as good as these levels; `None` where no plan is.
pub(super) fn target(levels: &[f64]) -> Option<Cost> {
    let missing = *levels.first()?;
    if missing < 0.0 {
        return None;
    }
    // Levels are whole: with a part of one the second level decides nothing. Saturates.
    let whole = missing.floor();
    let miss_micro = match levels.get(1) {
        Some(miss) if whole == missing => micro(*miss),
        _ => i64::MAX,
    };
    Some(Cost {
        missing: whole as u32,
        miss_micro,
    })
}

/// The most millionths that are no more than this on the wire.
fn micro(miss: f64) -> i64 {
    let nearest = (miss * MICRO as f64).round() as i64;
    if ones(nearest) <= miss {
        nearest
    } else {
        nearest.saturating_sub(1)
    }
}

/// A cost with its terms, by the features of the levels.
pub(super) fn objective(problem: &Problem, cost: Cost, features: &[Features]) -> pb::Objective {
    let mut terms = vec![solve::cost("missing", cost.missing.into(), "levels")];
    terms.push(match problem.spec().goal {
        Goal::Most => solve::score("value", ones(cost.miss_micro.saturating_neg()), "value"),
        Goal::Hit { .. } => solve::cost("miss", ones(cost.miss_micro), "value"),
    });
    for (name, sum, weight) in sums(problem, features) {
        let term = solve::score(name, sum, unit(name));
        let sense = match problem.spec().goal {
            Goal::Most if weight < 0 => pb::ObjectiveSense::Minimize,
            Goal::Most => pb::ObjectiveSense::Maximize,
            Goal::Hit { .. } => pb::ObjectiveSense::Unspecified,
        };
        let sense = sense.into();
        terms.push(pb::ObjectiveTerm { sense, ..term });
    }
    pb::Objective {
        levels: levels(cost).into(),
        terms,
    }
}

/// Each feature that has a weight, of all levels together, with its weight.
fn sums(problem: &Problem, features: &[Features]) -> Vec<(&'static str, f64, i64)> {
    let weights = &problem.spec().weights;
    let Some((first, rest)) = features.split_first() else {
        return Vec::new();
    };
    let first = first.terms(weights).into_iter().enumerate();
    let counted = first.filter(|(_, (_, _, weight))| *weight != 0);
    let summed = counted.map(|(index, (name, micro, weight))| {
        let others = rest.iter().map(|one| one.terms(weights)[index].1);
        let sum = ones(others.fold(micro, i64::saturating_add));
        (name, sum, weight)
    });
    summed.collect()
}

/// Unit of a feature.
fn unit(feature: &str) -> &'static str {
    match feature {
        "boxes" => "boxes",
        "blocks" => "share",
        "blocks_count" | "mixing" => "tiles",
        "goal_distance" => "cells",
        "pushes" | "counter_intuitive" => "pushes",
        "box_changes" => "changes",
        "effort_log" => "doublings",
        _ => "tiles_between",
    }
}

#[cfg(test)]
mod tests {
    use super::{levels, target};
    use proptest::prelude::*;
    use puzzle::Cost;

    /// Millionths that the wire has room for.
    const MISSES: std::ops::Range<i64> = -(1 << 50)..1 << 50;

    proptest! {
        /// A search whose target is the levels of a plan stops at that plan, and at none worse.
        #[test]
        fn a_target_is_the_cost_that_has_these_levels(missing: u32, miss_micro in MISSES) {
            let cost = Cost { missing, miss_micro };
            prop_assert_eq!(target(&levels(cost)), Some(cost));
        }
    }

    #[test]
    fn a_target_between_two_costs_is_the_better_one() {
        let cost = |missing, miss_micro| {
            Some(Cost {
                missing,
                miss_micro,
            })
        };
        assert_eq!(target(&[1.0, 0.000_001_9]), cost(1, 1));
        assert_eq!(target(&[1.0, -0.000_001_1]), cost(1, -2));
        assert_eq!(target(&[1.5, -7.0]), cost(1, i64::MAX));
        assert_eq!(target(&[2.0]), cost(2, i64::MAX));
        assert_eq!(target(&[-0.5]), None);
        assert_eq!(target(&[]), None);
    }
}
