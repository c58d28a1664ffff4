//! Requests about networks, from the wire.

use super::info::{ONLY_AUTO, STRATEGIES};
use super::names::Names;
use super::network::{Decoded, network};
use crate::mistakes::{Code, Mistakes};
use crate::request::{How, Request, identity};
use ::temporal::{Levels, Strong};
use anytime::Runnable;
use anytime::{Path, StrategyInfo};
use bytes::Bytes;
use std::sync::Arc;
use stratagem_proto::v1 as pb;
use temporal::plan::Level;
use temporal::{Detail, LevelsParams, Network, Strategy, StrongParams};

/// A checked request about strong controllability.
pub(crate) type StrongRequest = Request<Strong, Names>;
/// A checked request about several questions.
pub(crate) type LevelsRequest = Request<Levels, Names>;

/// A request about strong controllability.
///
/// # Errors
/// All mistakes.
pub(crate) fn strong(
    mut message: pb::CheckStrongControllabilityRequest,
) -> Result<StrongRequest, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let pb::CheckStrongControllabilityRequest {
        problem,
        options,
        detail,
    } = message;
    let how = how(options, &STRATEGIES, &mut wrong);
    // What the answer depends on besides the options.
    let message = pb::CheckStrongControllabilityRequest {
        problem,
        options: None,
        detail,
    };
    let identity = identity("strong", &message, &how.options, how.name());
    let params = StrongParams {
        strategy: how.strategy.strategy,
        detail: self::detail(message.detail),
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
pub(crate) fn levels(
    mut message: pb::CheckControllabilityRequest,
) -> Result<LevelsRequest, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let pb::CheckControllabilityRequest {
        problem,
        options,
        levels,
        detail,
    } = message;
    let how = how(options, ONLY_AUTO, &mut wrong);
    // What the answer depends on besides the options.
    let message = pb::CheckControllabilityRequest {
        problem,
        options: None,
        levels,
        detail,
    };
    let identity = identity("levels", &message, &how.options, how.name());
    let detail = self::detail(message.detail);
    if detail.simulation_runs > 0 {
        let why = "asks for runs, but this method plays nothing";
        wrong.add(
            &Path::root("detail").field("simulation_runs"),
            Code::OutOfRange,
            why,
        );
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
pub(super) fn how(
    given: Option<pb::SolveOptions>,
    strategies: &'static [StrategyInfo<Strategy>],
    wrong: &mut Mistakes,
) -> How<Strategy> {
    let how = How::new(given, strategies, wrong);
    how.without_target(wrong);
    how
}

/// A request about a network.
pub(super) fn about<P: Runnable<Problem = Network>>(
    how: How<Strategy>,
    decoded: Decoded,
    params: P::Params,
    identity: Option<Bytes>,
) -> Request<P, Names> {
    let Decoded { network, names } = decoded;
    Request {
        bytes: bytes(&network),
        problem: Arc::new(network),
        names,
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
    network(given?, &Path::root("problem"), wrong)
}

pub(super) fn detail(given: Option<pb::TemporalDetail>) -> Detail {
    let pb::TemporalDetail {
        with_conflict,
        max_relaxations,
        with_robustness,
        simulation_runs,
    } = given.unwrap_or_default();
    let default = Detail::default();
    let relaxations_max = max_relaxations.and_then(|max| usize::try_from(max).ok());
    Detail {
        conflict: with_conflict.unwrap_or(true),
        relaxations_max: relaxations_max.unwrap_or(default.relaxations_max),
        robustness: with_robustness.unwrap_or(true),
        simulation_runs: simulation_runs.unsigned_abs(),
    }
}

/// The levels, by default all that apply to the network.
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
        let level = match Wire::try_from(*number).unwrap_or_default() {
            Wire::Consistent => Level::Consistent,
            Wire::Weak => Level::Weak,
            Wire::Dynamic => Level::Dynamic,
            Wire::Strong => Level::Strong,
            Wire::Unspecified => continue,
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
