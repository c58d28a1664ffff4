//! Plans, from and to the wire.

use super::names::{Named, Names};
use crate::mistakes::{Code, Mistakes};
use crate::values::shown;
use anytime::Path;
use heist::{Action, Plan, Thing};
use stratagem_proto::v1 as pb;

/// A plan from outside: not trusted, only readable. `None` when there are mistakes.
pub(crate) fn plan(
    given: &pb::HeistPlan,
    names: &Names,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Plan> {
    let pb::HeistPlan { steps } = given;
    let list = at.field("steps");
    let mut actions = Vec::with_capacity(steps.len());
    for (index, step) in steps.iter().enumerate() {
        actions.extend(action(step, names, &list.index(index), wrong));
    }
    (actions.len() == steps.len()).then_some(Plan { actions })
}

fn action(
    given: &pb::HeistStep,
    names: &Names,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Action> {
    use pb::HeistVerb as Wire;
    let pb::HeistStep {
        verb: given_verb,
        target_id,
        key_id,
    } = given;
    let verb = Wire::try_from(*given_verb).ok()?;
    let target_at = at.field("target_id");
    let key_at = at.field("key_id");
    if !matches!(verb, Wire::Lock | Wire::Unlock) && !key_id.is_empty() {
        let why = format!("is {}, but this takes no key", shown(key_id));
        wrong.add(&key_at, Code::Contradiction, why);
        return None;
    }
    let lockable = |wrong: &mut Mistakes| names.lockable(&target_at, target_id, wrong);
    Some(match verb {
        // Reported before.
        Wire::Unspecified => return None,
        Wire::Approach => Action::Approach(names.thing(&target_at, target_id, wrong)?),
        Wire::Open => Action::Open(lockable(wrong)?),
        Wire::Close => Action::Close(lockable(wrong)?),
        Wire::Lock | Wire::Unlock => {
            if key_id.is_empty() {
                wrong.required(&key_at, None::<()>);
            }
            // Both are reported.
            let (lockable, key) = (lockable(wrong), names.key(&key_at, key_id, wrong));
            match verb {
                Wire::Lock => Action::Lock(lockable?, key?),
                _ => Action::Unlock(lockable?, key?),
            }
        }
        Wire::Enter => {
            Action::Enter(
                names.find(&target_at, target_id, "a door", wrong, |it| match it {
                    Named::Thing(Thing::Door(door)) => Some(door),
                    _ => None,
                })?,
            )
        }
        Wire::PickUp => Action::PickUp(names.item(&target_at, target_id, wrong)?),
        Wire::Operate => {
            let wanted = "a vending machine";
            Action::Operate(
                names.find(&target_at, target_id, wanted, wrong, |it| match it {
                    Named::Thing(Thing::Machine(machine)) => Some(machine),
                    _ => None,
                })?,
            )
        }
    })
}

/// A plan for the wire.
pub(super) fn plan_of(plan: &Plan, names: &Names) -> pb::HeistPlan {
    pb::HeistPlan {
        steps: plan.actions.iter().map(|one| step(*one, names)).collect(),
    }
}

/// An action for the wire.
pub(super) fn step(action: Action, names: &Names) -> pb::HeistStep {
    use pb::HeistVerb as Wire;
    let (verb, target, key) = match action {
        Action::Approach(thing) => (Wire::Approach, names.thing_id(thing), None),
        Action::Open(thing) => (Wire::Open, names.thing_id(thing), None),
        Action::Close(thing) => (Wire::Close, names.thing_id(thing), None),
        Action::Unlock(thing, key) => (Wire::Unlock, names.thing_id(thing), Some(key)),
        Action::Lock(thing, key) => (Wire::Lock, names.thing_id(thing), Some(key)),
        Action::Enter(door) => (Wire::Enter, names.doors[door].as_str(), None),
        Action::PickUp(item) => (Wire::PickUp, names.items[item].as_str(), None),
        Action::Operate(machine) => (Wire::Operate, names.machines[machine].as_str(), None),
    };
    pb::HeistStep {
        verb: verb.into(),
        target_id: target.into(),
        key_id: key.map_or_else(String::new, |key| names.items[key].clone()),
    }
}
