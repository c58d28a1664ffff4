//! Stories from outside: not trusted, only readable.

use crate::mistakes::{Code, Mistakes};
use crate::values::{read_each, shown};
use anytime::Path;
use story::{Action, Plan, Problem};
use stratagem_proto::v1 as pb;

/// A story; `None` when there are mistakes. Only what happens is read.
pub(crate) fn plan(
    given: pb::StoryPlan,
    problem: &Problem,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Plan> {
    let pb::StoryPlan {
        acts,
        // They are computed, not read.
        steps: _,
        goals: _,
        score: _,
        goal_share: _,
        believability: _,
        sentences: _,
    } = given;
    self::acts(acts, problem, &at.field("acts"), wrong)
}

/// What happens; `None` when there are mistakes.
pub(super) fn acts(
    given: Vec<pb::StoryAct>,
    problem: &Problem,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Plan> {
    let actions = read_each(given, at, |given, at| act(&given, problem, at, wrong));
    let actions: Option<Vec<Action>> = actions.into_iter().collect();
    actions.map(|actions| Plan { actions })
}

fn act(
    given: &pb::StoryAct,
    problem: &Problem,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Action> {
    let pb::StoryAct { action, entity_ids } = given;
    let mut unknown = |at: &Path<'_>, name: &str| {
        let why = format!("is {}, which the problem does not have", shown(name));
        wrong.add(at, Code::Unknown, why);
    };
    let schema = problem.schemas().iter().position(|s| s.name == *action);
    if schema.is_none() {
        unknown(&at.field("action"), action);
    }
    let ids_at = at.field("entity_ids");
    let args = entity_ids.iter().enumerate().map(|(index, id)| {
        let found = problem.entities().iter().position(|e| e.name == *id);
        if found.is_none() {
            unknown(&ids_at.index(index), id);
        }
        found
    });
    // All of them, so that all mistakes are noted.
    let args: Vec<Option<usize>> = args.collect();
    let args: Option<Vec<usize>> = args.into_iter().collect();
    Some(Action {
        schema: schema?,
        args: args?,
    })
}
