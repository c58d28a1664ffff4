//! A request to schedule a narrative, from the wire.

use super::info::STRATEGIES;
use super::names::Names;
use super::problem::problem;
use crate::mistakes::Mistakes;
use crate::request::{How, identity};
use ::narrative::Schedule;
use anytime::Path;
use narrative::solve::Detail;
use narrative::{Cost, Narrative, Params, Strategy};
use std::sync::Arc;
use stratagem_proto::v1 as pb;

/// A checked request.
pub(crate) type Request = crate::request::Request<Schedule, Names>;

/// A request.
///
/// # Errors
/// All mistakes.
pub(crate) fn request(mut message: pb::ScheduleNarrativeRequest) -> Result<Request, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let pb::ScheduleNarrativeRequest {
        problem,
        options,
        detail,
    } = message;
    let how = How::new(options, STRATEGIES, &mut wrong);
    // What the answer depends on beside the options.
    let message = pb::ScheduleNarrativeRequest {
        problem,
        options: None,
        detail,
    };
    let identity = identity("narrative", &message, &how.options, how.name());
    let params = Params {
        strategy: how.strategy.strategy,
        detail: self::detail(message.detail),
    };
    let problem_at = Path::root("problem");
    let given = message.problem;
    let decoded = given.and_then(|given| self::problem(given, &problem_at, &mut wrong));
    let Some(decoded) = decoded else {
        return Err(wrong);
    };
    let objective = &decoded.narrative.spec().objective;
    let counts = objective.makespan > 0 || objective.slack > 0 || objective.idle > 0;
    let target = target(how.target(usize::from(counts), &mut wrong));
    if !wrong.is_empty() {
        return Err(wrong);
    }
    Ok(Request {
        target,
        identity,
        ..about(how, decoded.narrative, Arc::new(decoded.names), params)
    })
}

/// A request with the defaults of one that nothing identifies.
pub(super) fn about(
    how: How<Strategy>,
    narrative: Narrative,
    names: Arc<Names>,
    params: Params,
) -> Request {
    Request {
        bytes: bytes(&narrative),
        problem: Arc::new(narrative),
        names,
        strategy: how.name(),
        options: how.options,
        // There is one search.
        width: 1,
        params,
        target: None,
        identity: None,
    }
}

fn detail(given: Option<pb::NarrativeDetail>) -> Detail {
    let pb::NarrativeDetail {
        with_conflict,
        max_relaxations,
        with_stretches,
    } = given.unwrap_or_default();
    let default = Detail::default();
    let relaxations_max = max_relaxations.map(|max| max.unsigned_abs() as usize);
    Detail {
        shrink: with_conflict.unwrap_or(true),
        relaxations_max: relaxations_max.unwrap_or(default.relaxations_max),
        flexibilities: with_stretches,
    }
}

/// The cost to stop at. Without an objective any plan is good enough, so that there is none.
fn target(levels: &[f64]) -> Option<Cost> {
    // Saturates: a target beyond all costs is reached by every plan, or by none.
    let micros = (levels.first()? * 1e6).round();
    Some(Cost::Weighted(micros as i128))
}

/// Memory that a narrative takes, names included, near enough.
fn bytes(narrative: &Narrative) -> usize {
    let spec = narrative.spec();
    let links = spec.links.len() + spec.contingent.len();
    let storylines = narrative.storylines().len() * (spec.choices.len() + 1);
    200 * (spec.events + spec.activities.len()) + 100 * links + 40 * storylines
}
