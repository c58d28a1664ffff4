//! Verdicts and their certificates for the wire.

use super::conflict::conflict;
use super::names::Names;
use super::schedule::schedule;
use crate::wire::values::duration_of_micros;
use stratagem_proto::v1 as pb;
use temporal::plan::{Change, Dispatch, Level, Model, Relaxation, Robustness, Simulation, Wait};
use temporal::problem::{Micros, Node};
use temporal::{LevelFinding, Network, StrongFinding, Verdict};

/// 97.5 % of a normal distribution are below this many standard deviations.
const Z: f64 = 1.959_963_984_540_054;

/// The verdict for the wire.
pub(super) fn verdict(verdict: Verdict) -> pb::TemporalVerdict {
    match verdict {
        Verdict::Holds => pb::TemporalVerdict::Holds,
        Verdict::Fails => pb::TemporalVerdict::Fails,
        Verdict::Unknown => pb::TemporalVerdict::Unknown,
    }
}

/// What is known about strong controllability; the report is for the caller to add.
pub(super) fn strong(
    context: (&Network, &Names),
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
    let names = context.1;
    pb::CheckStrongControllabilityResponse {
        report: None,
        verdict: verdict(*found).into(),
        plan: times.as_ref().map(|times| schedule(context, times, ranges)),
        verified: *found == Verdict::Holds && times.is_some(),
        robustness: room.map(robustness),
        conflict: clash.as_ref().map(|clash| conflict(context, clash)),
        relaxations: relaxations
            .iter()
            .map(|one| relaxation(names, one))
            .collect(),
        simulations: simulations.iter().map(simulation).collect(),
    }
}

/// What is known about one question.
pub(super) fn level(
    context: (&Network, &Names),
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
    let names = context.1;
    pb::TemporalControllabilityFinding {
        level: question(*level).into(),
        verdict: verdict(*found).into(),
        plan: times.as_ref().map(|times| schedule(context, times, ranges)),
        dispatch: strategy.as_ref().map(|strategy| dispatch(names, strategy)),
        conflict: clash.as_ref().map(|clash| conflict(context, clash)),
        relaxations: relaxations
            .iter()
            .map(|one| relaxation(names, one))
            .collect(),
    }
}

/// A question for the wire.
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

/// The 95 % score interval of a success rate. Source: Wilson, "Probable inference, the law of
/// succession, and statistical inference", JASA 22 (1927). Nothing is known after no runs.
fn wilson(successes: u32, runs: u32) -> (f64, f64) {
    if runs == 0 {
        return (0.0, 1.0);
    }
    let (n, rate) = (f64::from(runs), f64::from(successes) / f64::from(runs));
    let shrink = 1.0 + Z * Z / n;
    let middle = (rate + Z * Z / (2.0 * n)) / shrink;
    let half = Z / shrink * (rate * (1.0 - rate) / n + Z * Z / (4.0 * n * n)).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
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

#[cfg(test)]
mod tests {
    use super::wilson;

    /// Values from Newcombe, "Two-sided confidence intervals for the single proportion" (1998),
    /// table I, method 3.
    #[test]
    fn intervals_are_those_of_the_literature() {
        for (successes, runs, lower, upper) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let (low, high) = wilson(successes, runs);
            let near = |one: f64, other: f64| (one - other).abs() < 5e-5;
            assert!(near(low, lower) && near(high, upper), "{low} {high}");
        }
        assert_eq!(wilson(0, 0), (0.0, 1.0));
        assert_eq!(wilson(9, 9).1, 1.0);
    }
}
