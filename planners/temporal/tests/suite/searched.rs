//! Questions, recorded from beginning to end, for several tests.

use anytime::{Limits, Record, SolveError, record};
use temporal::plan::Level;
use temporal::solve::{check_levels, check_strong};
use temporal::{
    Detail, LevelFinding, LevelsParams, Network, StrongFinding, StrongParams, Undecided, verify,
};

/// All levels, the weakest first.
pub(crate) const ALL: [Level; 4] = [
    Level::Consistent,
    Level::Weak,
    Level::Dynamic,
    Level::Strong,
];

/// The record of a question about fixed times. Every finding passes the check.
pub(crate) fn strong(
    network: &Network,
    params: &StrongParams,
    limits: Limits,
) -> Record<StrongFinding, Undecided> {
    let found = record(limits, 1, |control| check_strong(network, params, control));
    let found = found.expect("the strategy fits");
    for (finding, open) in &found.offers {
        let checked = verify::finding(network, finding);
        assert_eq!(checked, Ok(*open), "{network:?} {finding:?}");
    }
    found
}

/// The record of questions about levels. All findings pass the check.
pub(crate) fn levels_within(
    network: &Network,
    levels: &[Level],
    limits: Limits,
) -> Result<Record<Vec<LevelFinding>, Undecided>, SolveError> {
    let params = LevelsParams {
        levels: levels.to_vec(),
        detail: Detail::default(),
    };
    let found = record(limits, 1, |control| check_levels(network, &params, control))?;
    for (findings, open) in &found.offers {
        let checked = verify::levels(network, findings);
        assert_eq!(checked, Ok(*open), "{network:?} {findings:?}");
    }
    Ok(found)
}

/// The last findings about levels, within few iterations.
pub(crate) fn levels(network: &Network, levels: &[Level]) -> Vec<LevelFinding> {
    let found = levels_within(network, levels, Limits::iterations(10_000));
    let found = found.expect("the questions fit").plan();
    found.expect("findings are offered")
}
