//! Evaluation and cost of a plan, for the wire.

use super::names::Names;
use crate::solve;
use patrol::plan::UNSEEN;
use patrol::problem::{PROBABILITY_ONE, Problem};
use patrol::{Cost, Evaluation, Terms};
use stratagem_proto::v1 as pb;

/// Evaluation of a plan, for the wire.
pub(super) fn evaluation(names: &Names, given: &Evaluation) -> pb::PatrolEvaluation {
    let clock = names.clock;
    let Evaluation {
        cost: _,
        terms,
        // The plan has them.
        prefix: _,
        period: _,
        vertices,
        worst_entry,
        predictability,
    } = given;
    let coverage = vertices.iter().enumerate().map(|(vertex, one)| {
        let worst = one.worst_idleness.map(|ticks| clock.duration(ticks));
        let mean = one.mean_idleness.map(|ticks| clock.mean(ticks));
        pb::PatrolVertexCoverage {
            vertex_id: names.vertex(vertex).into(),
            capture_probability: one.capture,
            worst_idleness_duration: worst,
            mean_idleness_duration: mean,
        }
    });
    pb::PatrolEvaluation {
        capture_probability: share(PROBABILITY_ONE - terms.escape),
        worst_idleness_duration: (terms.worst_idleness < UNSEEN)
            .then(|| clock.duration(terms.worst_idleness)),
        best_response: Some(pb::PatrolBestResponse {
            vertex_id: names.vertex(worst_entry.vertex).into(),
            entry_offset: Some(clock.duration(worst_entry.tick)),
            capture_probability: worst_entry.capture,
        }),
        predictability: *predictability,
        vertices: coverage.collect(),
    }
}

/// A probability.
pub(super) fn share(of_certain: u64) -> f64 {
    of_certain as f64 / PROBABILITY_ONE as f64
}

/// Level of a cost.
pub(super) fn level(cost: Cost) -> f64 {
    cost.0 as f64 / PROBABILITY_ONE as f64
}

/// Largest cost with this level, or the one just below it.
pub(super) fn cost(level: f64) -> Option<Cost> {
    // No cost is negative.
    if level < 0.0 {
        return None;
    }
    // By a power of two: exact. Costs up to half way to the next double have this level, too.
    // Saturates: a target beyond all costs is reached by every plan.
    let exact = level * PROBABILITY_ONE as f64;
    let more = (exact.next_up() - exact) / 2.0;
    Some(Cost((exact as u128).saturating_add(more as u128)))
}

/// Cost with its terms, for the wire.
pub(super) fn objective(problem: &Problem, names: &Names, known: Known<'_>) -> pb::Objective {
    let seconds = names.clock.seconds();
    let escape = |escape| solve::cost("escape", escape, "probability");
    let (cost, terms) = match known {
        Known::All(cost, terms) => {
            let mut all = vec![escape(share(terms.escape))];
            // Undefined where a vertex is never seen.
            if terms.worst_idleness < UNSEEN {
                let worst = terms.worst_idleness as f64 * seconds;
                let mean = terms.mean_idleness as f64 / PROBABILITY_ONE as f64 * seconds;
                all.push(solve::cost("worst_idleness", worst, "s"));
                all.push(solve::cost("mean_idleness", mean, "s"));
            }
            (cost, all)
        }
        Known::Cost(cost) => {
            let weights = problem.objective();
            let is_escape_only = weights.escape > 0 && !weights.has_idleness();
            let terms = is_escape_only.then(|| escape(level(cost) / f64::from(weights.escape)));
            (cost, terms.into_iter().collect())
        }
    };
    pb::Objective {
        levels: vec![level(cost)],
        terms,
    }
}

/// Known parts of the cost of a plan.
#[derive(Debug, Clone, Copy)]
pub(super) enum Known<'k> {
    /// The cost alone: terms take as long as a verification.
    Cost(Cost),
    /// The cost and its terms.
    All(Cost, &'k Terms),
}

#[cfg(test)]
mod tests {
    use super::{cost, level};
    use patrol::Cost;
    use proptest::prelude::*;

    proptest! {
        /// A search with the level of a plan as its target stops at that plan.
        #[test]
        fn the_cost_of_a_level_is_reached_by_what_has_it(high in 0_u64..1 << 40, low: u64) {
            let given = Cost((u128::from(high) << 64) | u128::from(low));
            let target = cost(level(given)).expect("it is not negative");
            prop_assert!(given <= target);
            // Half way to the next double a tie may go up.
            prop_assert!(level(target) <= level(given).next_up());
        }
    }

    #[test]
    fn no_cost_is_negative() {
        assert_eq!(cost(-0.5), None);
        assert_eq!(cost(0.0), Some(Cost(0)));
        assert_eq!(cost(1e300), Some(Cost(u128::MAX)));
    }
}
