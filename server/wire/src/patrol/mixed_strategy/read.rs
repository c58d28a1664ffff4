//! Mixed strategies from outside.

use super::super::problem::Decoded;
use super::super::read::{ReadPlan, plan};
use crate::mistakes::{Code, Mistakes};
use crate::values::read_each;
use anytime::Path;
use patrol::mixed_strategy::MixedStrategy;
use patrol::problem::PROBABILITY_ONE;
use stratagem_proto::v1 as pb;

/// Tolerance of the sum of probabilities, in units of 2^-60.
const TOLERANCE: u64 = PROBABILITY_ONE / 1_000_000_000;

/// Mixed strategy from outside.
#[derive(Debug)]
pub struct ReadMixedStrategy {
    pub parts: Vec<ReadPlan>,
    pub mixed: MixedStrategy,
}

/// Mixed strategy from outside, readable but not verified. `None` when there are mistakes.
pub(crate) fn read(
    given: pb::PatrolMixture,
    decoded: &Decoded,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<ReadMixedStrategy> {
    let pb::PatrolMixture { parts } = given;
    let list = at.field("parts");
    let parts = read_each(parts, &list, |given, at| {
        let pb::PatrolMixturePart {
            probability,
            plan: given,
        } = given;
        let at_share = at.field("probability");
        if probability == 0.0 && !wrong.lists_at(&at_share) {
            wrong.add(&at_share, Code::OutOfRange, "is 0, not above it");
        }
        let at = at.field("plan");
        let read = given.and_then(|given| plan(given, decoded, &at, wrong))?;
        // Exact: a power of two.
        Some((read, (probability * PROBABILITY_ONE as f64) as u64))
    });
    let parts: Vec<_> = parts.into_iter().collect::<Option<_>>()?;
    let (parts, mut shares) = parts.into_iter().unzip::<ReadPlan, u64, Vec<_>, Vec<_>>();
    normalise(&mut shares);
    let plans = parts.iter().map(|part| part.plan.clone());
    let plans = plans.zip(shares).collect();
    wrong.is_empty().then_some(ReadMixedStrategy {
        mixed: MixedStrategy { plans },
        parts,
    })
}

/// Corrects the largest share so that the sum is 1, where the difference is within the tolerance.
fn normalise(shares: &mut [u64]) {
    // At most 64 of at most 2^60.
    let sum: u128 = shares.iter().map(|share| u128::from(*share)).sum();
    if sum.abs_diff(u128::from(PROBABILITY_ONE)) > u128::from(TOLERANCE) {
        return;
    }
    let Some(largest) = shares.iter_mut().max() else {
        return;
    };
    // About its old value, and not negative: it is the largest of at most 64.
    let rest = sum - u128::from(*largest);
    let own = u128::from(PROBABILITY_ONE).saturating_sub(rest);
    *largest = u64::try_from(own).expect("at most one");
}

#[cfg(test)]
mod tests {
    use super::{TOLERANCE, normalise};
    use patrol::problem::PROBABILITY_ONE;

    #[test]
    fn rounding_is_corrected_in_the_largest_share() {
        for (given, wanted) in [
            (
                [PROBABILITY_ONE / 4, PROBABILITY_ONE / 4 * 3 - 5],
                [PROBABILITY_ONE / 4, PROBABILITY_ONE / 4 * 3],
            ),
            (
                [PROBABILITY_ONE, TOLERANCE / 2],
                [PROBABILITY_ONE - TOLERANCE / 2, TOLERANCE / 2],
            ),
            (
                [PROBABILITY_ONE / 2, PROBABILITY_ONE / 2 - 2 * TOLERANCE],
                [PROBABILITY_ONE / 2, PROBABILITY_ONE / 2 - 2 * TOLERANCE],
            ),
            (
                [PROBABILITY_ONE, PROBABILITY_ONE],
                [PROBABILITY_ONE, PROBABILITY_ONE],
            ),
        ] {
            let mut shares = given;
            normalise(&mut shares);
            assert_eq!(shares, wanted);
        }
    }
}
