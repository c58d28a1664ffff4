//! Strong controllability: the verdict, its certificate and its details.

use super::decide::{Decided, by_strategy, decide};
use super::nature::without_teammates;
use super::reduce::{Disjunction, Reduction, Side};
use super::relax::{FromScratch, Incremental, relaxations};
use super::search::Ticker;
use super::{Detail, Strategy, StrongParams, explain, robust};
use crate::plan::{Model, Range, Schedule, Simulation, StrongFinding, Undecided, Verdict};
use crate::problem::{Micros, Network};
use crate::simulate::{Runs, simulate};
use anytime::{Conclusion, Control, SolveError, Stop};

/// Decides strong controllability: whether times for our events, fixed in advance, satisfy all
/// rules whatever the others do.
///
/// Offers the verdict with its schedule first, so that a short deadline does not lose it; then, on
/// request, again with the conflict or the robustness. Concludes `Optimal` when the verdict is
/// proved, `Stopped` when it is not. Without teammates all exact strategies are the same, the worst
/// cases of Vidal and Fargier.
///
/// # Errors
/// When the strategy cannot handle the network.
pub fn check_strong(
    network: &Network,
    params: &StrongParams,
    control: &mut Control<'_, StrongFinding, Undecided>,
) -> Result<Conclusion, SolveError> {
    let detail = &params.detail;
    let finding = if network.has_teammates() {
        match Reduction::new_within(network, &mut || control.go_on()) {
            Err(cycle) => {
                offer_verdict(&bare_failure(), params, control);
                inconsistent(network, detail, &cycle, control)
            }
            Ok(None) => StrongFinding::default(),
            Ok(Some(reduction)) => {
                let decided = by_strategy(&reduction, params.strategy, control)?;
                offer_verdict(&finding(&reduction, &decided), params, control);
                detailed(&reduction, &decided, detail, control)
            }
        }
    } else {
        without_teammates(network, params, control)?
    };
    let simulations = simulations(network, &finding, params.detail.simulation_runs, control);
    let finding = StrongFinding {
        simulations,
        ..finding
    };
    control.offer(
        &finding,
        finding.undecided(),
        strategy_name(params.strategy),
    );
    Ok(match finding.verdict {
        Verdict::Holds | Verdict::Fails => Conclusion::Optimal,
        Verdict::Unknown => Conclusion::Stopped(control.stop().unwrap_or(Stop::Exhausted)),
    })
}

/// Offers a verdict without details, if the same verdict with details will count as better.
pub(super) fn offer_verdict(
    finding: &StrongFinding,
    params: &StrongParams,
    control: &mut Control<'_, StrongFinding, Undecided>,
) {
    let more = match finding.verdict {
        Verdict::Holds => params.detail.robustness || params.detail.simulation_runs > 0,
        Verdict::Fails => params.detail.conflict,
        Verdict::Unknown => false,
    };
    if more {
        control.offer(finding, finding.undecided(), strategy_name(params.strategy));
    }
}

/// The verdict "fails" without details.
fn bare_failure() -> StrongFinding {
    StrongFinding {
        verdict: Verdict::Fails,
        ..StrongFinding::default()
    }
}

/// Simulations of the schedule, if there is one, against each model of a teammate.
fn simulations(
    network: &Network,
    finding: &StrongFinding,
    runs: u32,
    control: &mut Control<'_, StrongFinding, Undecided>,
) -> Vec<Simulation> {
    let Some(schedule) = finding.schedule.as_ref().filter(|_| runs > 0) else {
        return Vec::new();
    };
    let runs = if control.go_on() { runs } else { 0 };
    let streams = [(Model::Random, 1), (Model::Early, 2)];
    let play = |(model, stream)| {
        let seed = control.seed(stream);
        let runs = Runs { model, runs, seed };
        simulate(network, schedule, &runs, &control.fork()).ok()
    };
    streams.into_iter().filter_map(play).collect()
}

/// The finding of strategy `auto` about a network with teammates.
pub(super) fn auto<P, C: Ord + Copy>(
    network: &Network,
    detail: &Detail,
    control: &mut Control<'_, P, C>,
) -> StrongFinding {
    match Reduction::new_within(network, &mut || control.go_on()) {
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
    ticker: &mut impl Ticker,
) -> StrongFinding {
    let conflict = explain::inconsistent(network, cycle);
    let count_max = detail.relaxations_max;
    StrongFinding {
        verdict: Verdict::Fails,
        relaxations: relaxations(
            network,
            &conflict,
            Some(-cycle.sum()),
            count_max,
            &mut FromScratch::new(network, &mut |changed| robust::holds(changed, ticker)),
        ),
        conflict: detail.conflict.then_some(conflict),
        ..StrongFinding::default()
    }
}

/// The finding with the requested details.
fn detailed(
    reduction: &Reduction<'_>,
    decided: &Decided,
    detail: &Detail,
    ticker: &mut impl Ticker,
) -> StrongFinding {
    let mut finding = finding(reduction, decided);
    match finding.verdict {
        Verdict::Holds if detail.robustness => {
            finding.robustness = robust::robustness(reduction, ticker);
        }
        Verdict::Fails if detail.conflict || detail.relaxations_max > 0 => {
            let found = explain::failing(reduction, ticker);
            if let Some((conflict, deficit)) = &found {
                let count_max = detail.relaxations_max;
                let network = reduction.network;
                let mut recheck = Incremental::new(reduction, conflict, ticker);
                finding.relaxations =
                    relaxations(network, conflict, *deficit, count_max, &mut recheck);
            }
            let conflict = found.map(|(conflict, _)| conflict);
            finding.conflict = conflict.filter(|_| detail.conflict);
        }
        _ => {}
    }
    finding
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

/// The dynamic range of each node when our events happen at `times`.
pub(crate) fn ranges(reduction: &Reduction<'_>, times: &[Micros]) -> Vec<Range> {
    let mut ranges = vec![Range::default(); reduction.network.nodes()];
    for (node, &time) in reduction.ours.iter().zip(times) {
        ranges[*node] = Range {
            earliest_us: time,
            latest_us: time,
        };
    }
    for &node in &reduction.theirs {
        let end = |side| Disjunction::end(&reduction.disjunction(node, side), times).0;
        ranges[node] = Range {
            earliest_us: end(Side::Early),
            latest_us: end(Side::Late),
        };
    }
    ranges
}

/// Name of a strategy.
pub(crate) fn strategy_name(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Auto => "auto",
        Strategy::Tropical => "tropical",
        Strategy::Search => "search",
        Strategy::Milp => "milp",
        Strategy::Lp => "lp",
        Strategy::LpNormalised => "lp-normalised",
        Strategy::Early => "early",
        Strategy::Random => "random",
    }
}
