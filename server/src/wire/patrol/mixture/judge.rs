//! A mixture that somebody wants judged, from the wire, and what comes of that.

use super::super::names::Names;
use super::super::problem::Decoded;
use super::super::read::{ReadPlan, plan};
use super::super::violations::{field, told};
use super::{evaluation, objective};
use crate::wire::mistakes::{Code, Mistake, Mistakes};
use crate::wire::path::Path;
use crate::wire::planning;
use crate::wire::values::each;
use ::patrol::mixture::Mixtures;
use anytime::{Planner as _, Pulse};
use patrol::mixture::{Mixture, MixtureViolation, response_until};
use patrol::problem::CERTAIN;
use stratagem_proto::v1 as pb;

/// How far from 1 probabilities may add up, of [`CERTAIN`].
const SLACK: u64 = CERTAIN / 1_000_000_000;

/// A mixture from outside.
#[derive(Debug)]
pub(crate) struct ReadMixture {
    parts: Vec<ReadPlan>,
    mixture: Mixture,
}

/// A mixture from outside: not trusted, only readable. `None` when there are mistakes.
pub(crate) fn read(
    given: pb::PatrolMixture,
    decoded: &Decoded,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<ReadMixture> {
    let pb::PatrolMixture { parts } = given;
    let list = at.field("parts");
    let parts = each(parts, &list, |given, at| {
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
        Some((read, (probability * CERTAIN as f64) as u64))
    });
    let parts: Vec<_> = parts.into_iter().collect::<Option<_>>()?;
    let (parts, mut shares): (Vec<ReadPlan>, Vec<u64>) = parts.into_iter().unzip();
    whole(&mut shares);
    let plans = parts.iter().map(|part| part.plan.clone());
    let plans = plans.zip(shares).collect();
    wrong.is_empty().then_some(ReadMixture {
        mixture: Mixture { plans },
        parts,
    })
}

/// Gives what lacks to the largest share, where it is no more than rounding.
fn whole(shares: &mut [u64]) {
    // At most 64 of at most 2^60.
    let sum: u128 = shares.iter().map(|share| u128::from(*share)).sum();
    if sum.abs_diff(u128::from(CERTAIN)) > u128::from(SLACK) {
        return;
    }
    let Some(largest) = shares.iter_mut().max() else {
        return;
    };
    // What is left of the whole is about as much as it was, and not negative: it is the largest of
    // at most 64.
    let rest = sum - u128::from(*largest);
    let own = u128::from(CERTAIN).saturating_sub(rest);
    *largest = u64::try_from(own).expect("no more than the whole");
}

/// What comes of checking a mixture; `None`: it is not wanted any more.
pub(crate) fn verdict(
    decoded: &Decoded,
    read: &ReadMixture,
    wanted: &Pulse,
) -> Option<pb::VerifyPlanResponse> {
    let checked = Mixtures::verify_until(&decoded.problem, &read.mixture, wanted)?;
    let checked = checked.map(|cost| Some(objective(cost)));
    let checked = checked.map_err(|broken| all(&decoded.names, read, &broken));
    Some(planning::verdict(checked, |(field, code, message)| {
        pb::PlanViolation {
            code: (*code).into(),
            message: message.clone(),
            field: field.clone(),
        }
    }))
}

/// How good a mixture is; `None`: it is not wanted any more.
///
/// # Errors
/// All rules that it breaks.
pub(crate) fn evaluated(
    decoded: &Decoded,
    read: &ReadMixture,
    wanted: &Pulse,
) -> Option<Result<pb::EvaluatePatrolResponse, Mistakes>> {
    let Decoded { problem, names } = decoded;
    let response = response_until(problem, &read.mixture, wanted)?;
    let response = response.map_err(|broken| {
        let mut wrong = Mistakes::default();
        let at = Path::root("mixture");
        for (field, code, message) in all(names, read, &broken) {
            wrong.add_unless_known(Mistake {
                field: format!("{at}.{field}"),
                code: Code::Rule(code),
                description: message,
            });
        }
        wrong
    });
    Some(response.map(|response| pb::EvaluatePatrolResponse {
        evaluation: None,
        mixture_evaluation: Some(evaluation(names, &response)),
    }))
}

/// A broken rule: path in the mixture, code, and one sentence.
type Broken = (String, &'static str, String);

/// All broken rules.
fn all(names: &Names, read: &ReadMixture, broken: &[MixtureViolation]) -> Vec<Broken> {
    let mut all = Vec::new();
    for one in broken {
        match one {
            MixtureViolation::Broken { plan, violations } => {
                let part = format!("parts[{plan}].plan");
                all.extend(violations.iter().map(|one| {
                    let field = match field(&read.parts[*plan], one) {
                        whole if whole.is_empty() => part.clone(),
                        field => format!("{part}.{field}"),
                    };
                    (field, one.code(), told(names, one))
                }));
            }
            MixtureViolation::Shares { sum } => {
                let sum = *sum as f64 / CERTAIN as f64;
                let why = format!("probabilities add up to {sum}, not to 1");
                all.push(("parts".into(), one.code(), why));
            }
            other => all.push(("parts".into(), one.code(), other.to_string())),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{SLACK, whole};
    use patrol::problem::CERTAIN;

    #[test]
    fn what_is_lost_to_rounding_goes_to_the_likeliest() {
        for (given, wanted) in [
            (
                [CERTAIN / 4, CERTAIN / 4 * 3 - 5],
                [CERTAIN / 4, CERTAIN / 4 * 3],
            ),
            ([CERTAIN, SLACK / 2], [CERTAIN - SLACK / 2, SLACK / 2]),
            (
                [CERTAIN / 2, CERTAIN / 2 - 2 * SLACK],
                [CERTAIN / 2, CERTAIN / 2 - 2 * SLACK],
            ),
            ([CERTAIN, CERTAIN], [CERTAIN, CERTAIN]),
        ] {
            let mut shares = given;
            whole(&mut shares);
            assert_eq!(shares, wanted);
        }
    }
}
