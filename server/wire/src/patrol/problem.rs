//! A patrol problem, from the wire.

mod parts;
mod sights;

use super::names::{Clock, Names};
use crate::mistakes::{Code, Mistakes};
use crate::values::read_each;
use anytime::Path;
use parts::VertexLists;
use patrol::problem::{
    Entry, INSTANTS_MAX, Intruder, MISSION_MAX, Motion, Objective, Problem, Spec,
};
use stratagem_proto::v1 as pb;

/// Validated problem, and the names in it.
#[derive(Debug)]
pub struct Decoded {
    pub problem: Problem,
    pub names: Names,
}

/// Problem; `None` when it is invalid.
pub(crate) fn problem(
    given: pb::PatrolProblem,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Decoded> {
    let pb::PatrolProblem {
        title: _,
        description: _,
        tick_duration,
        vertices,
        edges,
        guards,
        intruder,
        allow_staying,
        allow_passing,
        objective,
    } = given;
    let mut names = Names {
        clock: Clock::new(tick_duration, &at.field("tick_duration"), wrong),
        ..Names::default()
    };
    let count = vertices.len();
    let vertices = read_each(vertices, &at.field("vertices"), |one, at| {
        parts::vertex(one, at, &mut names, wrong)
    });
    let VertexLists {
        weights_micro,
        pauses,
        gaps,
        seen,
    } = VertexLists::new(vertices);
    let edges = read_each(edges, &at.field("edges"), |one, at| {
        parts::edge(one, at, &names, wrong)
    });
    let mut sights = sights::Sights::new(seen, &at.field("vertices"), &names, wrong);
    let guards = read_each(guards, &at.field("guards"), |one, at| {
        parts::guard(one, at, &mut names, &mut sights, wrong)
    });
    let intruder_at = at.field("intruder");
    let spec = Spec {
        vertices: count,
        edges,
        guards,
        sights: sights.into_list(),
        weights_micro,
        may_stay: allow_staying.unwrap_or(true),
        may_swap: allow_passing.unwrap_or(true),
        intruder: self::intruder(intruder, &intruder_at, names.clock, wrong),
        gaps,
        pauses,
        objective: self::objective(objective),
    };
    // Also with mistakes of single fields: what could not be read was replaced by something
    // harmless, so that the caller gets all mistakes together.
    match Problem::new(spec) {
        Ok(problem) => Some(Decoded { problem, names }),
        Err(faults) => {
            wrong.add_faults(&faults, &names, at);
            None
        }
    }
}

/// Intruder; a default where it is missing, which is a mistake already.
fn intruder(
    given: Option<pb::PatrolIntruder>,
    at: &Path<'_>,
    clock: Clock,
    wrong: &mut Mistakes,
) -> Intruder {
    let Some(given) = given else {
        return Intruder {
            motion: Motion::Still,
            instants: 1,
            entry: Entry::Steady,
        };
    };
    let pb::PatrolIntruder {
        motion,
        penetration_duration,
        exclusive,
        entry,
        mission_duration,
    } = given;
    let motion = self::motion(motion);
    let time_at = at.field("penetration_duration");
    // Instants: at entry and after each tick, after the last one only if it is included.
    let (min, more) = (u32::from(exclusive), u32::from(!exclusive));
    let ticks = penetration_duration.map_or(min, |time| {
        clock.ticks(&time_at, time, min..=INSTANTS_MAX - more, wrong)
    });
    let mission_at = at.field("mission_duration");
    let mission =
        mission_duration.map(|given| clock.ticks(&mission_at, given, 0..=MISSION_MAX, wrong));
    let entry = match (entry_of(entry, motion), mission) {
        (When::Mission, None) => {
            wrong.add(&mission_at, Code::Required, "is required of a mission");
            Entry::Steady
        }
        (When::Mission, Some(last)) => Entry::Mission(last),
        (When::Other(entry), Some(_)) if !wrong.lists_at(&at.field("entry")) => {
            let why = "is there, but the entry is not that of a mission";
            wrong.add(&mission_at, Code::Contradiction, why);
            entry
        }
        (When::Other(entry), _) => entry,
    };
    Intruder {
        motion,
        instants: ticks + more,
        entry,
    }
}

/// Kind of entry, before the duration of a mission is read.
enum When {
    Mission,
    Other(Entry),
}

fn motion(given: i32) -> Motion {
    use pb::PatrolMotion as Wire;
    match Wire::try_from(given).unwrap_or_default() {
        Wire::Lazy => Motion::Lazy,
        Wire::Moving => Motion::Moving,
        Wire::BorderStay => Motion::BorderStay,
        Wire::Stationary | Wire::Unspecified => Motion::Still,
    }
}

fn entry_of(given: i32, motion: Motion) -> When {
    use pb::PatrolEntry as Wire;
    match (Wire::try_from(given).unwrap_or_default(), motion) {
        (Wire::Mission, _) => When::Mission,
        (Wire::Steady, _) | (Wire::Unspecified, Motion::Still) => When::Other(Entry::Steady),
        (Wire::Start | Wire::Unspecified, _) => When::Other(Entry::Start),
    }
}

/// Objective; without any weight that of escape is 1.
fn objective(given: Option<pb::PatrolObjective>) -> Objective {
    let pb::PatrolObjective {
        escape_weight,
        worst_idleness_weight,
        mean_idleness_weight,
    } = given.unwrap_or_default();
    if [escape_weight, worst_idleness_weight, mean_idleness_weight] == [0; 3] {
        return Objective::default();
    }
    Objective {
        escape: escape_weight.unsigned_abs(),
        worst_idleness: worst_idleness_weight.unsigned_abs(),
        mean_idleness: mean_idleness_weight.unsigned_abs(),
    }
}
