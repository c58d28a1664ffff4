//! Levels of controllability: consistency, weak, dynamic and strong controllability.

use super::explain;
use super::nature::strong_finding;
use super::reduce::edges;
use super::relax::{FromScratch, relaxations};
use super::strong;
use super::uncertain::Uncertain;
use super::{Detail, LevelsParams, level_name};
use crate::plan::{
    Conflict, Dispatch, Level, LevelFinding, Schedule, StrongFinding, Undecided, Verdict, Wait,
};
use crate::problem::{Micros, Network, Owner};
use anytime::{Conclusion, Control, SolveError, Stop};
use stn::uncertain::{self as engine, Verdict as Answer};

/// Decides levels of controllability, in the order given.
///
/// Offers the verdicts first, so that a short deadline does not lose them; then, on request, again
/// with the conflicts of those that fail. Concludes `Optimal` when all verdicts are proved,
/// `Stopped` otherwise.
///
/// # Errors
/// Weak and dynamic controllability of a network with teammates.
pub fn check_levels(
    network: &Network,
    params: &LevelsParams,
    control: &mut Control<'_, Vec<LevelFinding>, Undecided>,
) -> Result<Conclusion, SolveError> {
    let mut findings = Vec::new();
    for &level in &params.levels {
        findings.push(answer(network, level, &Detail::NONE, control)?);
    }
    let open = |findings: &[LevelFinding]| {
        findings
            .iter()
            .map(LevelFinding::undecided)
            .sum::<Undecided>()
    };
    // Without conflicts a later offer would not count as better.
    let later = params.detail.conflict && open(&findings).missing_details > 0;
    if later {
        control.offer(&findings, open(&findings), "levels");
    }
    for finding in &mut findings {
        let more = params.detail.conflict || params.detail.relaxations_max > 0;
        if finding.verdict == Verdict::Fails && more {
            let full = answer(network, finding.level, &params.detail, control)?;
            // Time may have run out before the same verdict was there again.
            if full.verdict == Verdict::Fails {
                *finding = full;
            }
        }
    }
    control.offer(&findings, open(&findings), "levels");
    Ok(if open(&findings).questions == 0 {
        Conclusion::Optimal
    } else {
        Conclusion::Stopped(control.stop().unwrap_or(Stop::Exhausted))
    })
}

type LevelsControl<'c> = Control<'c, Vec<LevelFinding>, Undecided>;

fn answer(
    network: &Network,
    level: Level,
    detail: &Detail,
    control: &mut LevelsControl<'_>,
) -> Result<LevelFinding, SolveError> {
    if network.has_teammates() {
        return match level {
            Level::Consistent => Ok(consistent_with_teammates(network, detail, control)),
            Level::Strong => {
                let found = strong::auto(network, detail, control);
                Ok(from_strong(found))
            }
            Level::Weak | Level::Dynamic => Err(SolveError::Unsupported {
                strategy: level_name(level),
                feature: "events of teammates".into(),
            }),
        };
    }
    let uncertain = Uncertain::new(network);
    let mut finding = decide_level(network, &uncertain, level, control);
    if finding.verdict == Verdict::Fails {
        finding = add_explanation(network, finding, detail, control);
    }
    Ok(finding)
}

fn empty(level: Level, verdict: Verdict) -> LevelFinding {
    LevelFinding {
        level,
        verdict,
        schedule: None,
        ranges: Vec::new(),
        dispatch: None,
        conflict: None,
        relaxations: Vec::new(),
    }
}

fn from_strong(found: StrongFinding) -> LevelFinding {
    LevelFinding {
        level: Level::Strong,
        verdict: found.verdict,
        schedule: found.schedule,
        ranges: found.ranges,
        dispatch: None,
        conflict: found.conflict,
        relaxations: found.relaxations,
    }
}

/// Consistency of a network with teammates: all events count as ours.
fn consistent_with_teammates(
    network: &Network,
    detail: &Detail,
    control: &mut LevelsControl<'_>,
) -> LevelFinding {
    match earliest(network, &mut || control.go_on()) {
        Ok(None) => empty(Level::Consistent, Verdict::Unknown),
        Ok(Some(times)) => LevelFinding {
            schedule: Some(Schedule {
                times_us: times.into_iter().map(Some).collect(),
            }),
            ..empty(Level::Consistent, Verdict::Holds)
        },
        Err(cycle) => {
            let conflict = explain::inconsistent(network, &cycle);
            let mut finding = empty(Level::Consistent, Verdict::Fails);
            let count_max = detail.relaxations_max;
            let mut recheck = |changed: &Network| match earliest(changed, &mut || control.go_on()) {
                Ok(times) => times.map(|_| true),
                Err(_) => Some(false),
            };
            let mut recheck = FromScratch::new(network, &mut recheck);
            finding.relaxations = relaxations(
                network,
                &conflict,
                Some(-cycle.sum()),
                count_max,
                &mut recheck,
            );
            finding.conflict = detail.conflict.then_some(conflict);
            finding
        }
    }
}

/// A time for each node, the origin at 0. `None` soon after `go_on` has returned false.
fn earliest(
    network: &Network,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Option<Vec<Micros>>, stn::Conflict> {
    match stn::potentials_within(network.nodes(), &edges(network), go_on) {
        Ok(times) => Ok(times.map(|times| times.iter().map(|time| time - times[0]).collect())),
        Err(stn::Refusal::Conflict(cycle)) => Err(cycle),
        Err(stn::Refusal::Input(error)) => unreachable!("a network has tighter limits: {error}"),
    }
}

/// The verdict with its witness or its conflict.
fn decide_level(
    network: &Network,
    uncertain: &Uncertain,
    level: Level,
    control: &mut LevelsControl<'_>,
) -> LevelFinding {
    let fails = |conflict: Conflict| LevelFinding {
        conflict: Some(conflict),
        ..empty(level, Verdict::Fails)
    };
    let parts_max = control.remaining();
    let go_on = &mut || control.go_on();
    match level {
        Level::Consistent => match uncertain.consistent(go_on) {
            Answer::Holds(times) => LevelFinding {
                schedule: Some(Schedule {
                    times_us: times.into_iter().map(Some).collect(),
                }),
                ..empty(level, Verdict::Holds)
            },
            // The bounds of one cycle, none of which it closes without.
            Answer::Fails(proof) => fails(Conflict {
                minimal: true,
                ..uncertain.conflict(&proof)
            }),
            Answer::Stopped => empty(level, Verdict::Unknown),
        },
        Level::Weak => match uncertain.weak(parts_max, go_on) {
            Answer::Holds(()) => empty(level, Verdict::Holds),
            Answer::Fails(durations_us) => fails(Conflict {
                durations_us,
                ..Conflict::default()
            }),
            Answer::Stopped => empty(level, Verdict::Unknown),
        },
        Level::Dynamic => match uncertain.strategy(go_on) {
            Answer::Holds(whole) => {
                // Without time to reduce it, all bounds do as well.
                let reduced = whole.reduced(go_on);
                LevelFinding {
                    dispatch: Some(dispatch(network, &reduced.unwrap_or(whole))),
                    ..empty(level, Verdict::Holds)
                }
            }
            Answer::Fails(proof) => {
                let recheck =
                    &mut |part: &engine::Stnu| engine::dynamic(part, &mut || control.go_on());
                fails(uncertain.minimise(proof, recheck))
            }
            Answer::Stopped => empty(level, Verdict::Unknown),
        },
        Level::Strong => from_strong(strong_finding(network, uncertain, go_on)),
    }
}

fn dispatch(network: &Network, strategy: &engine::Strategy) -> Dispatch {
    let bounds = strategy.bounds().iter();
    let bounds = bounds.map(|bound| (bound.from as usize, bound.to as usize, bound.weight));
    let waits = strategy.waits().iter().map(|wait| {
        let link = network.contingent()[wait.link as usize];
        Wait {
            node: wait.event as usize,
            from: link.from,
            until: link.to,
            duration_us: wait.least,
        }
    });
    Dispatch {
        bounds: bounds.collect(),
        waits: waits.collect(),
    }
}

/// Adds relaxations, and drops the conflict unless it was requested.
fn add_explanation(
    network: &Network,
    mut finding: LevelFinding,
    detail: &Detail,
    control: &mut LevelsControl<'_>,
) -> LevelFinding {
    let level = finding.level;
    let mut conflict = finding.conflict.take().unwrap_or_default();
    if level == Level::Weak {
        conflict.members = weak_members(network, &conflict.durations_us, control);
    }
    let count_max = detail.relaxations_max;
    let mut recheck = |changed: &Network| {
        if !control.go_on() {
            return None;
        }
        let uncertain = Uncertain::new(changed);
        holds(&uncertain, level, control)
    };
    let mut recheck = FromScratch::new(network, &mut recheck);
    finding.relaxations = relaxations(network, &conflict, None, count_max, &mut recheck);
    finding.conflict = detail.conflict.then_some(conflict);
    finding
}

/// Whether a level holds, without witness.
pub(super) fn holds<P, C: Ord + Copy>(
    uncertain: &Uncertain,
    level: Level,
    control: &mut Control<'_, P, C>,
) -> Option<bool> {
    let parts_max = control.remaining();
    let go_on = &mut || control.go_on();
    match level {
        Level::Consistent => uncertain.consistent(go_on).decided(),
        Level::Strong => uncertain.strong(go_on).decided(),
        Level::Weak => uncertain.weak(parts_max, go_on).decided(),
        Level::Dynamic => uncertain.dynamic(go_on).decided(),
    }
}

/// The negative cycle when contingent links last as given.
fn weak_members(
    network: &Network,
    durations_us: &[Micros],
    control: &mut LevelsControl<'_>,
) -> Vec<crate::plan::Member> {
    let mut spec = network.spec().clone();
    for (link, duration) in spec.contingent.iter_mut().zip(durations_us) {
        (link.lower_us, link.upper_us) = (*duration, *duration);
    }
    let Ok(fixed) = Network::new(spec) else {
        return Vec::new();
    };
    debug_assert!(!fixed.owners().contains(&Owner::Uncontrollable));
    let uncertain = Uncertain::new(&fixed);
    let proof = uncertain.consistent(&mut || control.go_on()).proof();
    proof.map_or_else(Vec::new, |proof| uncertain.conflict(&proof).members)
}
