//! Whether relaxations are changes of this narrative, and whether they help: the plans that they
//! come with are checked. Without a plan the claim that they help is trusted.

use super::strategy_until;
use crate::plan::{Change, Relaxation};
use crate::problem::{Chooser, Narrative, Spec};
use anytime::{Fault, Path, fault};

/// All changes that cannot be made, relaxations that leave no narrative, and such whose plan fails.
pub(super) fn violations(
    narrative: &Narrative,
    go_on: &dyn Fn() -> bool,
    relaxations: &[Relaxation],
) -> Vec<Fault> {
    let mut wrong = Vec::new();
    let list = Path::root("relaxations");
    for (relaxation, given) in relaxations.iter().enumerate() {
        let at = list.index(relaxation);
        let changes = at.field("changes");
        let mut spec = narrative.spec().clone();
        let before = wrong.len();
        for (change, what) in given.changes.iter().enumerate() {
            if made(&mut spec, *what).is_none() {
                let at = changes.index(change);
                wrong.push(fault!("CHANGE_WRONG", at, "is no change of this narrative"));
            }
        }
        if wrong.len() > before {
            continue;
        }
        let changed = narrative.with_spec(spec).ok();
        let Some(changed) = changed.filter(|_| !given.changes.is_empty()) else {
            wrong.push(fault!(
                "RELAXATION_INVALID",
                at,
                "makes a narrative that is invalid"
            ));
            continue;
        };
        if let Some(plan) = &given.plan
            && let Err(broken) = strategy_until(&changed, go_on, plan)
        {
            let why = broken.first().map_or("", |fault| fault.code);
            wrong.push(fault!(
                "RELAXATION_USELESS",
                at,
                "comes with a plan that fails: {}",
                why
            ));
        }
    }
    wrong
}

/// Makes a change; `None`: it is not one, as when it was made before.
fn made(spec: &mut Spec, change: Change) -> Option<()> {
    match change {
        Change::Bound {
            source,
            old_us,
            new_us,
        } => {
            let bound = spec.bound_mut(source)?;
            (*bound == old_us && old_us != new_us).then(|| *bound = new_us)
        }
        Change::Capacity { resource, capacity } => {
            let given = &mut spec.resources.get_mut(resource)?.capacity;
            (*given < capacity).then(|| *given = capacity)
        }
        Change::Chooser { choice } => {
            let chooser = &mut spec.choices.get_mut(choice)?.chooser;
            (*chooser == Chooser::Player).then(|| *chooser = Chooser::System)
        }
        Change::Offer { choice, option } => {
            let at = spec.withheld.binary_search(&(choice, option)).ok()?;
            let ours = spec.choices[choice].chooser == Chooser::System;
            ours.then(|| {
                spec.withheld.remove(at);
            })
        }
        Change::Withhold { choice, option } => {
            let given = spec.choices.get(choice)?;
            let at = spec.withheld.binary_search(&(choice, option)).err()?;
            let theirs = given.chooser == Chooser::Player && option < given.options.len();
            theirs.then(|| spec.withheld.insert(at, (choice, option)))
        }
    }
}
