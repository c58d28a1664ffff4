//! Strong controllability without teammates.

use super::relax::{FromScratch, relaxations};
use super::strong::{offer_verdict, strategy_name};
use super::uncertain::Uncertain;
use super::{Strategy, StrongParams, robust};
use crate::plan::{Range, Schedule, StrongFinding, Undecided, Verdict};
use crate::problem::{Micros, Network, Owner};
use anytime::{Control, SolveError};
use stn::uncertain::{self as engine, Verdict as Answer};

/// Strong controllability of an STNU, or of a network with events of ours alone.
pub(super) fn without_teammates(
    network: &Network,
    params: &StrongParams,
    control: &mut Control<'_, StrongFinding, Undecided>,
) -> Result<StrongFinding, SolveError> {
    let exact = match params.strategy {
        Strategy::Auto | Strategy::Tropical | Strategy::Search => true,
        Strategy::Milp => cfg!(feature = "milp"),
        Strategy::Lp | Strategy::LpNormalised | Strategy::Early | Strategy::Random => false,
    };
    if !exact {
        return Err(SolveError::Unsupported {
            strategy: strategy_name(params.strategy),
            feature: "a network without events of teammates".into(),
        });
    }
    let detail = &params.detail;
    let uncertain = Uncertain::new(network);
    let mut finding = strong_finding(network, &uncertain, &mut || control.go_on());
    let verdict = StrongFinding {
        conflict: None,
        ..finding.clone()
    };
    offer_verdict(&verdict, params, control);
    let mut recheck = |changed: &Network| {
        let uncertain = Uncertain::new(changed);
        uncertain.strong(&mut || control.go_on()).decided()
    };
    if let Some(conflict) = &finding.conflict {
        finding.relaxations = relaxations(
            network,
            conflict,
            None,
            detail.relaxations_max,
            &mut FromScratch::new(network, &mut recheck),
        );
    }
    if finding.verdict == Verdict::Holds && detail.robustness {
        finding.robustness = robust::against_nature(network, &mut recheck);
    }
    if !detail.conflict {
        finding.conflict = None;
    }
    Ok(finding)
}

/// The finding about a network without teammates, with its conflict.
pub(super) fn strong_finding(
    network: &Network,
    uncertain: &Uncertain,
    go_on: &mut dyn FnMut() -> bool,
) -> StrongFinding {
    match uncertain.strong(go_on) {
        Answer::Holds(times) => against_nature(network, &times),
        Answer::Fails(proof) => StrongFinding {
            verdict: Verdict::Fails,
            conflict: Some(
                uncertain.minimise(
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

/// The finding that these times are strong: our times, and the ranges of Nature's events.
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
