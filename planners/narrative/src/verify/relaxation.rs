//! Whether relaxations are changes of this narrative. Whether they help is for whoever solves again.

use super::Violation;
use crate::plan::{Change, Relaxation};
use crate::problem::{Chooser, Micros, Narrative, Source, Spec};

/// All changes that cannot be made, and relaxations that leave no narrative.
pub(super) fn wrong(narrative: &Narrative, relaxations: &[Relaxation]) -> Vec<Violation> {
    let mut wrong = Vec::new();
    for (relaxation, given) in relaxations.iter().enumerate() {
        let mut spec = narrative.spec().clone();
        let before = wrong.len();
        for (change, what) in given.changes.iter().enumerate() {
            if made(&mut spec, *what).is_none() {
                wrong.push(Violation::ChangeWrong { relaxation, change });
            }
        }
        let fine = wrong.len() == before;
        if fine && (given.changes.is_empty() || Narrative::new(spec).is_err()) {
            wrong.push(Violation::RelaxationInvalid { relaxation });
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
            let bound = bound(spec, source)?;
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
    }
}

fn bound(spec: &mut Spec, source: Source) -> Option<&mut Micros> {
    match source {
        Source::LinkUpper(at) => spec.links.get_mut(at)?.upper_us.as_mut(),
        Source::LinkLower(at) => spec.links.get_mut(at)?.lower_us.as_mut(),
        Source::ContingentUpper(at) => Some(&mut spec.contingent.get_mut(at)?.upper_us),
        Source::ContingentLower(at) => Some(&mut spec.contingent.get_mut(at)?.lower_us),
        Source::Horizon(_) => spec.horizon_us.as_mut(),
        Source::Start(_) | Source::Happened(_) => None,
    }
}
