//! Requests for stories, from the wire.

use super::info::STRATEGIES;
use super::plan::style;
use super::problem::{Decoded, problem};
use super::read::acts;
use crate::mistakes::Mistakes;
use crate::request::{How, Request, identity};
use ::story::Story;
use anytime::Path;
use std::sync::Arc;
use story::plan::PICO;
use story::problem::ACTIONS_MAX;
use story::text::Style;
use story::{Cost, Params, Problem};
use stratagem_proto::v1 as pb;

/// What answers need besides the problem.
#[derive(Debug)]
pub struct Names {
    /// Rules of believability as they were given, by action.
    pub rules: Vec<Vec<String>>,
    pub style: Style,
}

/// A request for stories.
///
/// # Errors
/// All mistakes.
pub(crate) fn request(
    mut message: pb::GenerateStoryRequest,
) -> Result<Request<Story, Names>, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let how = How::new(message.options.take(), STRATEGIES, &mut wrong);
    let identity = identity("story", &message, &how.options, how.name());
    let pb::GenerateStoryRequest {
        problem: given,
        options: _,
        previous_plan,
        style: given_style,
    } = message;
    let at = Path::root("problem");
    let decoded = given.and_then(|given| problem(given, &at, &mut wrong));
    let previous_at = Path::root("previous_plan");
    let previous_at = previous_at.field("acts");
    let previous_acts = previous_plan.map(|plan| plan.acts).unwrap_or_default();
    let fits = wrong.size(&previous_at, previous_acts.len(), ACTIONS_MAX);
    let warm = decoded
        .as_ref()
        .filter(|_| fits)
        .and_then(|decoded| acts(previous_acts, &decoded.problem, &previous_at, &mut wrong));
    let target = target(how.target(1, &mut wrong));
    let Some(Decoded { problem, rules }) = decoded.filter(|_| wrong.is_empty()) else {
        return Err(wrong);
    };
    Ok(Request {
        bytes: bytes(&problem),
        problem: Arc::new(problem),
        names: Arc::new(Names {
            rules,
            style: style(given_style),
        }),
        strategy: how.name(),
        options: how.options,
        // There is one search.
        width: 1,
        params: Params {
            strategy: how.strategy.strategy,
            warm: warm.filter(|plan| !plan.actions.is_empty()),
            ..Params::default()
        },
        target,
        identity,
    })
}

/// What a score lacks to 1, as a level.
pub(super) fn level(cost: Cost) -> f64 {
    cost.loss_pico as f64 / PICO
}

/// The cost to stop at: the largest whose level is no more than this one.
fn target(levels: &[f64]) -> Option<Cost> {
    cost(*levels.first()?)
}

/// The largest cost whose level is no more than this one; none is better than perfect.
pub(super) fn cost(wanted: f64) -> Option<Cost> {
    if wanted < 0.0 {
        return None;
    }
    let nearest = Cost {
        // Saturates: every story is as good as that.
        loss_pico: (wanted * PICO).round() as u64,
    };
    let least = Cost {
        loss_pico: nearest.loss_pico.saturating_sub(1),
    };
    Some(if level(nearest) <= wanted {
        nearest
    } else {
        least
    })
}

/// Memory that a problem takes, near enough.
pub(super) fn bytes(problem: &Problem) -> usize {
    let parts = problem
        .schemas()
        .iter()
        .map(|schema| schema.preconditions.len() + schema.effects.len() + schema.rules.len() + 1);
    let entities = problem.entities().len();
    2_000 * parts.sum::<usize>() + 200 * entities * problem.tables().len() + 20_000
}

#[cfg(test)]
mod tests {
    use super::{level, target};
    use proptest::prelude::*;
    use story::Cost;

    proptest! {
        /// With the level of a story as target a search stops at that story, and at none worse.
        #[test]
        fn a_target_is_the_cost_that_has_this_level(loss_pico in 0u64..=1_000_000_000_000) {
            let cost = Cost { loss_pico };
            prop_assert_eq!(target(&[level(cost)]), Some(cost));
        }
    }

    #[test]
    fn no_story_is_better_than_perfect() {
        assert_eq!(target(&[-0.1]), None);
        assert_eq!(target(&[]), None);
    }
}
