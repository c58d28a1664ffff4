//! Strong controllability: the strategies, and what is told about their answers.

use super::reduce::{Duty, Reduction, Side, System};
use super::search::{Found, Pace, search, settle};
use super::tropical::{self, Outcome};
use super::{Strategy, StrongParams};
use crate::plan::{Open, Range, Schedule, StrongFinding, Verdict};
use crate::problem::{Micros, Network, ORIGIN};
use anytime::{Conclusion, Control, SolveError, Stop};

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
/// `Stopped` when it is not.
///
/// # Errors
/// When the strategy cannot handle the network.
pub fn check_strong(
    network: &Network,
    params: &StrongParams,
    control: &mut Control<'_, StrongFinding, Open>,
) -> Result<Conclusion, SolveError> {
    let name = name(params.strategy);
    let finding = match Reduction::new(network) {
        Err(_) => StrongFinding {
            verdict: Verdict::Fails,
            ..StrongFinding::default()
        },
        Ok(reduction) => {
            let decided = by_strategy(&reduction, params.strategy, control)?;
            finding(&reduction, &decided)
        }
    };
    let open = Open(u32::from(finding.verdict == Verdict::Unknown));
    control.offer(&finding, open, name);
    Ok(match finding.verdict {
        Verdict::Holds | Verdict::Fails => Conclusion::Optimal,
        Verdict::Unknown => Conclusion::Stopped(control.stop().unwrap_or(Stop::Exhausted)),
    })
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
        Strategy::Milp | Strategy::Lp | Strategy::LpNormalised | Strategy::Random => {
            return Err(SolveError::Unsupported {
                strategy: name(strategy),
                feature: "this build, which has no solver for linear programs".into(),
            });
        }
    })
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
