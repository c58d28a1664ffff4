//! Strong controllability without teammates.

use super::relax::{Afresh, relaxations};
use super::strong::{name, tell_first};
use super::uncertain::Uncertain;
use super::{Strategy, StrongParams, robust};
use crate::plan::{Open, Range, Schedule, StrongFinding, Verdict};
use crate::problem::{Micros, Network, Owner};
use anytime::{Control, SolveError};
use stn::uncertain::{self as engine, Verdict as Answer};

/// Strong controllability against Nature, or nobody.
pub(super) fn without_teammates(
    network: &Network,
    params: &StrongParams,
    control: &mut Control<'_, StrongFinding, Open>,
) -> Result<StrongFinding, SolveError> {
    let exact = match params.strategy {
        Strategy::Auto | Strategy::Tropical | Strategy::Search => true,
        Strategy::Milp => cfg!(feature = "milp"),
        Strategy::Lp | Strategy::LpNormalised | Strategy::Early | Strategy::Random => false,
    };
    if !exact {
        return Err(SolveError::Unsupported {
            strategy: name(params.strategy),
            feature: "a network without events of teammates".into(),
        });
    }
    let detail = &params.detail;
    let uncertain = Uncertain::new(network);
    let mut finding = settled_finding(network, &uncertain, &mut || control.go_on());
    let bare = StrongFinding {
        conflict: None,
        ..finding.clone()
    };
    tell_first(&bare, params, control);
    let mut again = |changed: &Network| {
        let uncertain = Uncertain::new(changed);
        match uncertain.strong(&mut || control.go_on()) {
            Answer::Holds(_) => Some(true),
            Answer::Fails(_) => Some(false),
            Answer::Stopped => None,
        }
    };
    if let Some(conflict) = &finding.conflict {
        finding.relaxations = relaxations(
            network,
            (conflict, None),
            detail.relaxations_max,
            &mut Afresh::new(network, &mut again),
        );
    }
    if finding.verdict == Verdict::Holds && detail.robustness {
        finding.robustness = robust::against_nature(network, &mut again);
    }
    if !detail.conflict {
        finding.conflict = None;
    }
    Ok(finding)
}

/// The finding about a network without teammates, with its conflict.
pub(super) fn settled_finding(
    network: &Network,
    uncertain: &Uncertain,
    go_on: &mut dyn FnMut() -> bool,
) -> StrongFinding {
    match uncertain.strong(go_on) {
        Answer::Holds(times) => against_nature(network, &times),
        Answer::Fails(proof) => StrongFinding {
            verdict: Verdict::Fails,
            conflict: Some(
                uncertain.shrink(
                    proof,
                    &mut |part| match engine::strong_within(part, go_on) {
                        Answer::Holds(_) => Answer::Holds(()),
                        Answer::Fails(proof) => Answer::Fails(proof),
                        Answer::Stopped => Answer::Stopped,
                    },
                ),
            ),
            ..StrongFinding::default()
        },
        Answer::Stopped => StrongFinding::default(),
    }
}

/// Our times, and what Nature may do.
fn against_nature(network: &Network, times: &[Micros]) -> StrongFinding {
    let range = |time: Micros| Range {
        earliest_us: time,
        latest_us: time,
    };
    let mut ranges: Vec<Range> = times.iter().map(|time| range(*time)).collect();
    // Links may follow one another; as many rounds as there are links in a row.
    let mut changed = true;
    while changed {
        changed = false;
        for link in network.contingent() {
            let next = Range {
                earliest_us: ranges[link.from].earliest_us + link.lower_us,
                latest_us: ranges[link.from].latest_us + link.upper_us,
            };
            changed |= ranges[link.to] != next;
            ranges[link.to] = next;
        }
    }
    let ours = |node: usize| network.owner(node) != Some(Owner::Nature);
    let times = times.iter().enumerate();
    StrongFinding {
        verdict: Verdict::Holds,
        schedule: Some(Schedule {
            times_us: times
                .map(|(node, time)| ours(node).then_some(*time))
                .collect(),
        }),
        ranges,
        ..StrongFinding::default()
    }
}
