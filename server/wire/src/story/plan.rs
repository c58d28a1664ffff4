//! A story for the wire: what happens, why it is believable, and how it reads.

use super::request::Names;
use story::language::show_literal;
use story::spec::{Change, Literal};
use story::text::{Style, sentences};
use story::tree::Value;
use story::verify::Step;
use story::{Account, Cost, Plan, Problem};
use stratagem_proto::v1 as pb;

/// Style of the sentences of a story.
pub(super) fn style(given: Option<pb::StoryStyle>) -> Style {
    let pb::StoryStyle {
        seed,
        separate_sentences,
        use_pronouns,
    } = given.unwrap_or_default();
    Style {
        seed: seed.cast_unsigned(),
        merge: !separate_sentences,
        pronouns: use_pronouns.unwrap_or(true),
    }
}

/// A story, and what is known of it: its cost, and where there was time to look at it, all of it.
pub(super) fn plan(
    problem: &Problem,
    names: &Names,
    plan: &Plan,
    cost: Cost,
    account: Option<&Account>,
) -> pb::StoryPlan {
    let sentences = sentences(problem, plan, names.style).into_iter();
    let short = pb::StoryPlan {
        acts: plan.actions.iter().map(|a| act(problem, a)).collect(),
        score: cost.score(),
        sentences: sentences
            .map(|sentence| pb::StorySentence {
                text: sentence.text,
                first_act_index: count(sentence.actions.0),
                act_count: count(sentence.actions.1),
            })
            .collect(),
        ..pb::StoryPlan::default()
    };
    let Some(account) = account else {
        return short;
    };
    let goals = problem.goals().iter().zip(&account.met);
    let steps = plan.actions.iter().zip(&account.steps);
    pb::StoryPlan {
        steps: steps
            .map(|(action, step)| self::step(problem, &names.rules[action.schema], step))
            .collect(),
        goals: goals
            .map(|(goal, holds)| pb::StoryGoalResult {
                name: goal.name.clone(),
                holds: *holds,
                weight: goal.weight,
            })
            .collect(),
        goal_share: account.goals,
        believability: account.believability,
        ..short
    }
}

/// Far below two thousand million wherever it is used.
fn count(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

pub(super) fn act(problem: &Problem, action: &story::Action) -> pb::StoryAct {
    let args = action.args.iter();
    pb::StoryAct {
        action: problem.schemas()[action.schema].name.clone(),
        entity_ids: args
            .map(|arg| problem.entities()[*arg].name.clone())
            .collect(),
    }
}

fn step(problem: &Problem, rules: &[String], step: &Step) -> pb::StoryStep {
    let influences = step.influences.iter().map(|one| pb::StoryInfluence {
        rule_index: count(one.rule),
        rule: rules[one.rule].clone(),
        number: match one.change {
            Change::Set(number) | Change::Mul(number) => number,
        },
        after: one.after,
    });
    let changes = step.changes.iter().map(|(attribute, entity, value)| {
        let value = match *value {
            Value::Null => Literal::Null,
            Value::Bool(truth) => Literal::Bool(truth),
            Value::Number(number) => Literal::Number(number),
            Value::Entity(entity) => Literal::Name(problem.entities()[entity].name.clone()),
            Value::Symbol(word) => Literal::Name(problem.words()[word].clone()),
        };
        pb::StoryChange {
            entity_id: problem.entities()[*entity].name.clone(),
            attribute: problem.attributes()[*attribute].name.clone(),
            value: show_literal(&value),
        }
    });
    pb::StoryStep {
        believability: step.believability,
        base: step.base,
        influences: influences.collect(),
        slider: step.slider,
        goal_share: step.goals,
        score: step.score,
        changes: changes.collect(),
    }
}
