//! Verdicts and their certificates for the wire.

use super::conflict::conflict;
use super::names::Names;
use super::schedule::schedule;
use crate::values::duration_of_micros;
use stratagem_proto::v1 as pb;
use temporal::plan::{Change, Dispatch, Level, Model, Relaxation, Robustness, Simulation, Wait};
use temporal::problem::{Micros, Node};
use temporal::simulate::wilson;
use temporal::{LevelFinding, Network, StrongFinding, Verdict};

/// The verdict for the wire.
pub(super) fn verdict(verdict: Verdict) -> pb::TemporalVerdict {
    match verdict {
        Verdict::Holds => pb::TemporalVerdict::Holds,
        Verdict::Fails => pb::TemporalVerdict::Fails,
        Verdict::Unknown => pb::TemporalVerdict::Unknown,
    }
}

/// The finding about strong controllability; the caller adds the report.
pub(super) fn strong(
    network: &Network,
    names: &Names,
    finding: &StrongFinding,
) -> pb::CheckStrongControllabilityResponse {
    let StrongFinding {
        verdict: found,
        schedule: times,
        ranges,
        robustness: room,
        conflict: clash,
        relaxations,
        simulations,
    } = finding;
    pb::CheckStrongControllabilityResponse {
        report: None,
        verdict: verdict(*found).into(),
        plan: times
            .as_ref()
            .map(|times| schedule(network, names, times, ranges)),
        verified: *found == Verdict::Holds && times.is_some(),
        robustness: room.map(robustness),
        conflict: clash.as_ref().map(|clash| conflict(network, names, clash)),
        relaxations: relaxations
            .iter()
            .map(|one| relaxation(names, one))
            .collect(),
        simulations: simulations.iter().map(simulation).collect(),
    }
}

/// The finding about one level.
pub(super) fn level(
    network: &Network,
    names: &Names,
    finding: &LevelFinding,
) -> pb::TemporalControllabilityFinding {
    let LevelFinding {
        level,
        verdict: found,
        schedule: times,
        ranges,
        dispatch: strategy,
        conflict: clash,
        relaxations,
    } = finding;
    pb::TemporalControllabilityFinding {
        level: question(*level).into(),
        verdict: verdict(*found).into(),
        plan: times
            .as_ref()
            .map(|times| schedule(network, names, times, ranges)),
        dispatch: strategy.as_ref().map(|strategy| dispatch(names, strategy)),
        conflict: clash.as_ref().map(|clash| conflict(network, names, clash)),
        relaxations: relaxations
            .iter()
            .map(|one| relaxation(names, one))
            .collect(),
    }
}

/// A level for the wire.
pub(super) fn question(level: Level) -> pb::TemporalControllabilityLevel {
    match level {
        Level::Consistent => pb::TemporalControllabilityLevel::Consistent,
        Level::Weak => pb::TemporalControllabilityLevel::Weak,
        Level::Dynamic => pb::TemporalControllabilityLevel::Dynamic,
        Level::Strong => pb::TemporalControllabilityLevel::Strong,
    }
}

fn robustness(robustness: Robustness) -> pb::TemporalRobustness {
    let Robustness {
        slack_us,
        factor_64ths,
    } = robustness;
    pb::TemporalRobustness {
        slack_duration: Some(duration_of_micros(slack_us)),
        uncertainty_factor: factor_64ths.map(|factor| f64::from(factor) / 64.0),
    }
}

fn relaxation(names: &Names, relaxation: &Relaxation) -> pb::TemporalRelaxation {
    let change = |change: &Change| {
        let Change {
            source,
            old_us,
            new_us,
        } = *change;
        // Horizons are never changed.
        let (link, side) = names.link(source)?;
        Some(pb::TemporalBoundChange {
            link_id: link.into(),
            side: side.into(),
            old_bound: Some(duration_of_micros(old_us)),
            new_bound: Some(duration_of_micros(new_us)),
        })
    };
    pb::TemporalRelaxation {
        changes: relaxation.changes.iter().filter_map(change).collect(),
        total_duration: Some(duration_of_micros(relaxation.total_us())),
    }
}

fn simulation(simulation: &Simulation) -> pb::TemporalSimulation {
    let Simulation {
        model,
        runs,
        successes,
    } = *simulation;
    let (rate_lower, rate_upper) = wilson(successes, runs);
    let model = match model {
        Model::Random => "random",
        Model::Early => "early",
    };
    pb::TemporalSimulation {
        model: model.into(),
        runs: i32::try_from(runs).unwrap_or(i32::MAX),
        successes: i32::try_from(successes).unwrap_or(i32::MAX),
        rate_lower,
        rate_upper,
    }
}

fn dispatch(names: &Names, dispatch: &Dispatch) -> pb::TemporalDispatchableNetwork {
    let Dispatch { bounds, waits } = dispatch;
    let bound = |&(from, to, bound_us): &(Node, Node, Micros)| pb::TemporalDispatchBound {
        from_event_id: names.node(from).into(),
        to_event_id: names.node(to).into(),
        bound: Some(duration_of_micros(bound_us)),
    };
    let wait = |wait: &Wait| pb::TemporalDispatchWait {
        event_id: names.node(wait.node).into(),
        from_event_id: names.node(wait.from).into(),
        until_event_id: names.node(wait.until).into(),
        duration: Some(duration_of_micros(wait.duration_us)),
    };
    pb::TemporalDispatchableNetwork {
        bounds: bounds.iter().map(bound).collect(),
        waits: waits.iter().map(wait).collect(),
    }
}
