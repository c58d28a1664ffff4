//! Strong controllability: the strategies, and what is told about their answers.

use super::reduce::{Duty, Reduction, Side, System};
use super::relax::relaxations;
use super::search::{Found, Pace, search, settle};
use super::tropical::{self, Outcome};
use super::uncertain::Uncertain;
use super::{Detail, Strategy, StrongParams, explain, robust};
use crate::plan::{Level, Model, Open, Range, Schedule, Simulation, StrongFinding, Verdict};
use crate::problem::{Micros, Network, ORIGIN, Owner};
use crate::simulate::{Runs, simulate};
use anytime::{Conclusion, Control, SolveError, Stop};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use stn::uncertain::{self as engine, Verdict as Answer};

impl<P, C: Ord + Copy> Pace for Control<'_, P, C> {
    fn tick(&mut self) -> bool {
        Control::tick(self)
    }

    fn go_on(&mut self) -> bool {
        Control::go_on(self)
    }
}

/// What is known about a system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Decided {
    /// Proved: these times, by slot, keep everything; the earliest for the choices that they show.
    Holds(Vec<Micros>),
    /// Proved: no times do.
    Fails,
    /// Neither, but perhaps times that were tried and fail.
    Open(Option<Vec<Micros>>),
}

/// Decides a system by the fixed points and, unless they do, by search.
pub(crate) fn decide(system: &System, pace: &mut impl Pace) -> Decided {
    match tropical::bounds(system, &mut || pace.go_on()) {
        Outcome::Empty => Decided::Fails,
        Outcome::Solved(times) => Decided::Holds(settle(system, &times)),
        Outcome::Open(window) => searched(system, search(system, Some(&window), pace)),
    }
}

fn searched(system: &System, found: Found) -> Decided {
    match found {
        Found::Solution(times) => Decided::Holds(settle(system, &times)),
        Found::Nothing => Decided::Fails,
        Found::Stopped => Decided::Open(None),
    }
}

/// Whether times for our events, fixed in advance, keep every rule whatever the others do.
///
/// Offers exactly one finding, at the end, and concludes `Optimal` when its verdict is proved,
/// `Stopped` when it is not. Without teammates every strategy but the candidates' is the same: the worst
/// cases of Vidal and Fargier.
///
/// # Errors
/// When the strategy cannot handle the network.
pub fn check_strong(
    network: &Network,
    params: &StrongParams,
    control: &mut Control<'_, StrongFinding, Open>,
) -> Result<Conclusion, SolveError> {
    let detail = &params.detail;
    let finding = if network.has_teammates() {
        match Reduction::within(network, &mut || control.go_on()) {
            Err(cycle) => inconsistent(network, detail, &cycle, control),
            Ok(None) => StrongFinding::default(),
            Ok(Some(reduction)) => {
                let decided = by_strategy(&reduction, params.strategy, control)?;
                detailed(&reduction, &decided, detail, control)
            }
        }
    } else {
        without_teammates(network, params, control)?
    };
    let simulations = played(network, &finding, params.detail.simulation_runs, control);
    let finding = StrongFinding {
        simulations,
        ..finding
    };
    let open = Open(u32::from(finding.verdict == Verdict::Unknown));
    control.offer(&finding, open, name(params.strategy));
    Ok(match finding.verdict {
        Verdict::Holds | Verdict::Fails => Conclusion::Optimal,
        Verdict::Unknown => Conclusion::Stopped(control.stop().unwrap_or(Stop::Exhausted)),
    })
}

/// What comes of playing the schedule, if there is one, against each model of a teammate.
fn played(
    network: &Network,
    finding: &StrongFinding,
    runs: u32,
    control: &mut Control<'_, StrongFinding, Open>,
) -> Vec<Simulation> {
    let Some(schedule) = finding.schedule.as_ref().filter(|_| runs > 0) else {
        return Vec::new();
    };
    let streams = [(Model::Random, 1), (Model::Early, 2)];
    let play = |(model, stream)| {
        let seed = control.seed(stream);
        let runs = Runs { model, runs, seed };
        simulate(network, schedule, &runs, &mut || control.go_on()).ok()
    };
    streams.into_iter().filter_map(play).collect()
}

/// The finding of strategy `auto` about a network with teammates.
pub(super) fn auto<P, C: Ord + Copy>(
    network: &Network,
    detail: &Detail,
    control: &mut Control<'_, P, C>,
) -> StrongFinding {
    match Reduction::within(network, &mut || control.go_on()) {
        Err(cycle) => inconsistent(network, detail, &cycle, control),
        Ok(None) => StrongFinding::default(),
        Ok(Some(reduction)) => {
            let decided = decide(&reduction.system, control);
            detailed(&reduction, &decided, detail, control)
        }
    }
}

fn inconsistent(
    network: &Network,
    detail: &Detail,
    cycle: &stn::Conflict,
    pace: &mut impl Pace,
) -> StrongFinding {
    let conflict = explain::inconsistent(network, cycle);
    let most = detail.relaxations_max;
    StrongFinding {
        verdict: Verdict::Fails,
        relaxations: relaxations(network, &conflict, most, &mut |changed| {
            robust::holds(changed, pace)
        }),
        conflict: detail.conflict.then_some(conflict),
        ..StrongFinding::default()
    }
}

/// The finding with all that was asked for.
fn detailed(
    reduction: &Reduction<'_>,
    decided: &Decided,
    detail: &Detail,
    pace: &mut impl Pace,
) -> StrongFinding {
    let mut finding = finding(reduction, decided);
    match finding.verdict {
        Verdict::Holds if detail.robustness => {
            finding.robustness = robust::robustness(reduction, pace);
        }
        Verdict::Fails if detail.conflict || detail.relaxations_max > 0 => {
            let conflict = explain::failing(reduction, pace);
            if let Some(conflict) = &conflict {
                let most = detail.relaxations_max;
                let again = &mut |changed: &Network| robust::holds(changed, pace);
                finding.relaxations = relaxations(reduction.network, conflict, most, again);
            }
            finding.conflict = conflict.filter(|_| detail.conflict);
        }
        _ => {}
    }
    finding
}

/// Strong controllability against Nature, or nobody.
fn without_teammates(
    network: &Network,
    params: &StrongParams,
    control: &mut Control<'_, StrongFinding, Open>,
) -> Result<StrongFinding, SolveError> {
    if !matches!(params.strategy, Strategy::Auto) {
        return Err(SolveError::Unsupported {
            strategy: name(params.strategy),
            feature: "a network without events of teammates".into(),
        });
    }
    let detail = &params.detail;
    let uncertain = Uncertain::new(network, Level::Strong)?;
    let mut finding = settled_finding(network, &uncertain);
    let mut again = |changed: &Network| {
        let uncertain = Uncertain::new(changed, Level::Strong).ok()?;
        control.go_on().then(|| uncertain.strong().holds())
    };
    if let Some(conflict) = &finding.conflict {
        finding.relaxations = relaxations(network, conflict, detail.relaxations_max, &mut again);
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
pub(super) fn settled_finding(network: &Network, uncertain: &Uncertain) -> StrongFinding {
    match uncertain.strong() {
        Answer::Holds(times) => against_nature(network, &times),
        Answer::Fails(proof) => StrongFinding {
            verdict: Verdict::Fails,
            conflict: Some(
                uncertain.shrink(proof, &mut |part| match engine::strong(part) {
                    Answer::Holds(_) => Answer::Holds(()),
                    Answer::Fails(proof) => Answer::Fails(proof),
                    Answer::Stopped => Answer::Stopped,
                }),
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

fn by_strategy(
    reduction: &Reduction<'_>,
    strategy: Strategy,
    control: &mut Control<'_, StrongFinding, Open>,
) -> Result<Decided, SolveError> {
    let system = &reduction.system;
    Ok(match strategy {
        Strategy::Auto => decide(system, control),
        Strategy::Tropical => match tropical::bounds(system, &mut || control.go_on()) {
            Outcome::Empty => Decided::Fails,
            Outcome::Solved(times) => Decided::Holds(settle(system, &times)),
            Outcome::Open(window) => Decided::Open(Some(window.least)),
        },
        Strategy::Search => searched(system, search(system, None, control)),
        Strategy::Early => tried(system, early(system)),
        Strategy::Random => tried(system, random(system, control.seed(0))),
        Strategy::Milp | Strategy::Lp | Strategy::LpNormalised => {
            return programmed(reduction, strategy, control);
        }
    })
}

/// The paper's programs, where the solver for them is built in.
#[cfg(not(feature = "milp"))]
fn programmed(
    _: &Reduction<'_>,
    strategy: Strategy,
    _: &mut Control<'_, StrongFinding, Open>,
) -> Result<Decided, SolveError> {
    Err(SolveError::Unsupported {
        strategy: name(strategy),
        feature: "this build, which has no solver for linear programs".into(),
    })
}

/// The paper's programs. Nodes of branch and bound are iterations.
#[cfg(feature = "milp")]
fn programmed(
    reduction: &Reduction<'_>,
    strategy: Strategy,
    control: &mut Control<'_, StrongFinding, Open>,
) -> Result<Decided, SolveError> {
    use super::linear::{Weights, approximate, exact};
    let pulse = control.fork();
    let remaining = control.remaining();
    let params = milp::Params {
        seed: control.seed(0),
        nodes_max: (remaining < u64::MAX).then_some(remaining),
        ..milp::Params::default()
    };
    let answer = match strategy {
        Strategy::Lp => approximate(reduction, Weights::Printed, &params, &pulse),
        Strategy::LpNormalised => approximate(reduction, Weights::Normalised, &params, &pulse),
        _ => exact(reduction, &params, &pulse),
    };
    control.count(answer.nodes.min(remaining));
    if answer.stop == Some(Stop::Iterations) {
        // The limit is used up: so the conclusion names it.
        while control.tick() {}
    }
    control.go_on();
    Ok(answer.decided)
}

/// Each event of ours at random in its window, by itself, as in the paper.
fn random(system: &System, seed: u64) -> Vec<Micros> {
    let mut luck = Xoshiro256PlusPlus::seed_from_u64(seed);
    let window = |slot| -system.bound(slot, ORIGIN)..=system.bound(ORIGIN, slot);
    (0..system.size)
        .map(|slot| luck.random_range(window(slot)))
        .collect()
}

fn tried(system: &System, times: Vec<Micros>) -> Decided {
    if system.accepts(&times) {
        Decided::Holds(times)
    } else {
        Decided::Open(Some(times))
    }
}

fn early(system: &System) -> Vec<Micros> {
    (0..system.size)
        .map(|slot| -system.bound(slot, ORIGIN))
        .collect()
}

fn finding(reduction: &Reduction<'_>, decided: &Decided) -> StrongFinding {
    let schedule = |times: &[Micros]| Schedule {
        times_us: reduction.by_node(times),
    };
    match decided {
        Decided::Holds(times) => StrongFinding {
            verdict: Verdict::Holds,
            schedule: Some(schedule(times)),
            ranges: ranges(reduction, times),
            ..StrongFinding::default()
        },
        Decided::Fails => StrongFinding {
            verdict: Verdict::Fails,
            ..StrongFinding::default()
        },
        Decided::Open(times) => StrongFinding {
            verdict: Verdict::Unknown,
            schedule: times.as_deref().map(schedule),
            ..StrongFinding::default()
        },
    }
}

/// What every node may do when our events happen at `times`.
pub(crate) fn ranges(reduction: &Reduction<'_>, times: &[Micros]) -> Vec<Range> {
    let mut ranges = vec![Range::default(); reduction.network.nodes()];
    for (node, &time) in reduction.ours.iter().zip(times) {
        ranges[*node] = Range {
            earliest_us: time,
            latest_us: time,
        };
    }
    for &node in &reduction.theirs {
        let end = |side| Duty::end(&reduction.duty(node, side), times).0;
        ranges[node] = Range {
            earliest_us: end(Side::Early),
            latest_us: end(Side::Late),
        };
    }
    ranges
}

/// Name of a strategy, as people write it.
pub(crate) fn name(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Auto => "auto",
        Strategy::Tropical => "tropical",
        Strategy::Search => "search",
        Strategy::Milp => "milp",
        Strategy::Lp => "lp",
        Strategy::LpNormalised => "lp_normalised",
        Strategy::Early => "early",
        Strategy::Random => "random",
    }
}
