//! Responses: findings and reports for the wire.

use super::finding::{level, question, strong, verdict};
use crate::contract::{CheckControllability, CheckStrongControllability};
use crate::method::Asked;
use crate::report::common;
use ::temporal::{Levels, Strong};
use anytime::Outcome;
use stratagem_proto::v1 as pb;
use temporal::{LevelFinding, Verdict};

/// The answer about strong controllability. Without a finding the verdict is unknown.
pub(crate) fn strong_answer(
    asked: &Asked<CheckStrongControllability>,
    outcome: &Outcome<Strong>,
) -> pb::CheckStrongControllabilityResponse {
    let request = &asked.request;
    let found = outcome.best.as_ref().map(|best| &best.plan);
    let answer = found.map_or_else(
        || pb::CheckStrongControllabilityResponse {
            verdict: pb::TemporalVerdict::Unknown.into(),
            ..pb::CheckStrongControllabilityResponse::default()
        },
        |found| strong(&request.problem, &request.names, found),
    );
    let verdicts = found.map_or(Verdict::Unknown, |found| found.verdict);
    pb::CheckStrongControllabilityResponse {
        report: Some(pb::SolveReport {
            status: status(&[verdicts]).into(),
            ..common(asked, outcome)
        }),
        ..answer
    }
}

/// The answer about several questions. Without findings all verdicts are unknown.
pub(crate) fn levels_answer(
    asked: &Asked<CheckControllability>,
    outcome: &Outcome<Levels>,
) -> pb::CheckControllabilityResponse {
    let request = &asked.request;
    let open = |level| pb::TemporalControllabilityFinding {
        level: question(level).into(),
        verdict: verdict(Verdict::Unknown).into(),
        ..pb::TemporalControllabilityFinding::default()
    };
    let found = outcome.best.as_ref().map(|best| &best.plan);
    let findings = match found {
        Some(found) => found
            .iter()
            .map(|one| level(&request.problem, &request.names, one))
            .collect(),
        None => request.params.levels.iter().copied().map(open).collect(),
    };
    let verdicts: Vec<Verdict> = match found {
        Some(found) => found.iter().map(|one: &LevelFinding| one.verdict).collect(),
        None => vec![Verdict::Unknown],
    };
    pb::CheckControllabilityResponse {
        findings,
        report: Some(pb::SolveReport {
            status: status(&verdicts).into(),
            ..common(asked, outcome)
        }),
    }
}

/// One failure is a proof that not all hold.
fn status(verdicts: &[Verdict]) -> pb::SolveStatus {
    if verdicts.contains(&Verdict::Fails) {
        pb::SolveStatus::Infeasible
    } else if verdicts.contains(&Verdict::Unknown) {
        pb::SolveStatus::Unknown
    } else {
        pb::SolveStatus::Optimal
    }
}

#[cfg(test)]
mod tests {
    use super::status;
    use stratagem_proto::v1::SolveStatus;
    use temporal::Verdict::{Fails, Holds, Unknown};

    #[test]
    fn one_failure_decides_and_one_open_question_leaves_all_open() {
        assert_eq!(status(&[Holds, Holds]), SolveStatus::Optimal);
        assert_eq!(status(&[Holds, Unknown]), SolveStatus::Unknown);
        assert_eq!(status(&[Unknown, Fails]), SolveStatus::Infeasible);
    }
}
