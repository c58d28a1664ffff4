//! Requests about networks, from the wire.

use super::info::{ONLY_AUTO, STRATEGIES, StrategyInfo};
use super::names::Names;
use super::network::{Decoded, network};
use crate::run::{Kind, LevelsPlanner, StrongPlanner};
use crate::wire::mistakes::{Code, Mistakes};
use crate::wire::path::Path;
use crate::wire::request::{How, Request, identity};
use bytes::Bytes;
use std::sync::Arc;
use stratagem_proto::v1 as pb;
use temporal::plan::Level;
use temporal::{Detail, LevelsParams, Network, StrongParams};

/// Most relaxations that a request may ask for.
const RELAXATIONS_MAX: i64 = 20;
/// Most runs of a simulation that a request may ask for.
const SIMULATION_RUNS_MAX: i64 = 100_000;

/// A checked request about strong controllability.
pub(crate) type StrongRequest = Request<StrongPlanner, Names>;
/// A checked request about several questions.
pub(crate) type LevelsRequest = Request<LevelsPlanner, Names>;

/// A request about strong controllability.
///
/// # Errors
/// All mistakes.
pub(crate) fn strong(
    message: pb::CheckStrongControllabilityRequest,
) -> Result<StrongRequest, Mistakes> {
    let mut wrong = Mistakes::default();
    let pb::CheckStrongControllabilityRequest {
        problem: network,
        options,
        detail,
    } = message;
    let how = how(options, &STRATEGIES, &mut wrong);
    // What the answer depends on beside the options.
    let message = pb::CheckStrongControllabilityRequest {
        problem: network,
        options: None,
        detail,
    };
    let identity = identity("strong", &message, &how.options, how.name());
    let params = StrongParams {
        strategy: how.strategy.strategy,
        detail: self::detail(message.detail, &Path::root("detail"), &mut wrong),
    };
    match required_network(message.problem, &mut wrong) {
        Some(decoded) if wrong.is_empty() => Ok(about(how, decoded, params, identity)),
        _ => Err(wrong),
    }
}

/// A request about several questions.
///
/// # Errors
/// All mistakes.
pub(crate) fn levels(message: pb::CheckControllabilityRequest) -> Result<LevelsRequest, Mistakes> {
    let mut wrong = Mistakes::default();
    let pb::CheckControllabilityRequest {
        problem: network,
        options,
        levels,
        detail,
    } = message;
    let how = how(options, ONLY_AUTO, &mut wrong);
    // What the answer depends on beside the options.
    let message = pb::CheckControllabilityRequest {
        problem: network,
        options: None,
        levels,
        detail,
    };
    let identity = identity("levels", &message, &how.options, how.name());
    let at = Path::root("detail");
    let detail = self::detail(message.detail, &at, &mut wrong);
    if detail.simulation_runs > 0 {
        let why = "asks for runs, but this method plays nothing";
        wrong.add(&at.field("simulation_runs"), Code::OutOfRange, why);
    }
    let decoded = required_network(message.problem, &mut wrong);
    let network = decoded.as_ref().map(|decoded| &decoded.network);
    let levels = questions(&message.levels, network, &mut wrong);
    match decoded {
        Some(decoded) if wrong.is_empty() => Ok(about(
            how,
            decoded,
            LevelsParams { levels, detail },
            identity,
        )),
        _ => Err(wrong),
    }
}

/// How to search; a verdict has no cost to aim at.
fn how(
    given: Option<pb::SolveOptions>,
    strategies: &'static [StrategyInfo],
    wrong: &mut Mistakes,
) -> How<StrategyInfo> {
    let how = How::new(given, strategies, wrong);
    how.without_target(wrong);
    how
}

/// A request about a network.
fn about<P: Kind<Problem = Network>>(
    how: How<StrategyInfo>,
    decoded: Decoded,
    params: P::Params,
    identity: Option<Bytes>,
) -> Request<P, Names> {
    let Decoded { network, names } = decoded;
    Request {
        bytes: bytes(&network),
        problem: Arc::new(network),
        names: Arc::new(names),
        strategy: how.name(),
        options: how.options,
        params,
        target: None,
        // There is one search.
        width: 1,
        identity,
    }
}

/// Memory that a network takes, names included, near enough.
fn bytes(network: &Network) -> usize {
    let links = network.links().len() + network.contingent().len();
    200 * network.owners().len() + 100 * links
}

fn required_network(given: Option<pb::TemporalNetwork>, wrong: &mut Mistakes) -> Option<Decoded> {
    let at = Path::root("problem");
    let given = wrong.required(&at, given)?;
    network(given, &at, wrong)
}

fn detail(given: Option<pb::TemporalDetail>, at: &Path<'_>, wrong: &mut Mistakes) -> Detail {
    let pb::TemporalDetail {
        with_conflict,
        max_relaxations,
        with_robustness,
        simulation_runs,
    } = given.unwrap_or_default();
    let default = Detail::default();
    let mut count = |field, given: i32, max| {
        let count = wrong.whole(&at.field(field), given.into(), 0..=max);
        u32::try_from(count).unwrap_or(0)
    };
    let relaxations_max =
        max_relaxations.map(|max| count("max_relaxations", max, RELAXATIONS_MAX) as usize);
    Detail {
        conflict: with_conflict.unwrap_or(true),
        relaxations_max: relaxations_max.unwrap_or(default.relaxations_max),
        robustness: with_robustness.unwrap_or(true),
        simulation_runs: count("simulation_runs", simulation_runs, SIMULATION_RUNS_MAX),
    }
}

/// The questions, by default all that make sense for the network.
fn questions(given: &[i32], network: Option<&Network>, wrong: &mut Mistakes) -> Vec<Level> {
    use pb::TemporalControllabilityLevel as Wire;
    let teammates = network.is_some_and(Network::has_teammates);
    let needs_nature = |level| matches!(level, Level::Weak | Level::Dynamic);
    if given.is_empty() {
        let mut all = vec![
            Level::Consistent,
            Level::Weak,
            Level::Dynamic,
            Level::Strong,
        ];
        all.retain(|level| !(teammates && needs_nature(*level)));
        return all;
    }
    let list = Path::root("levels");
    let mut levels = Vec::new();
    for (i, number) in given.iter().enumerate() {
        let at = list.index(i);
        let level = match wrong.required_choice(&at, *number) {
            Some(Wire::Consistent) => Level::Consistent,
            Some(Wire::Weak) => Level::Weak,
            Some(Wire::Dynamic) => Level::Dynamic,
            Some(Wire::Strong) => Level::Strong,
            Some(Wire::Unspecified) | None => continue,
        };
        if levels.contains(&level) {
            wrong.add(&at, Code::Duplicate, "is there already");
        } else if teammates && needs_nature(level) {
            let why = "is about durations that Nature picks, but the network has teammates";
            wrong.add(&at, Code::Contradiction, why);
        }
        levels.push(level);
    }
    levels
}
