//! A patrol problem, from the wire.

mod parts;
mod sights;

use super::errors::mistake;
use super::names::{Clock, Names};
use crate::wire::mistakes::{Code, Mistakes};
use crate::wire::path::Path;
use crate::wire::values::each;
use parts::Wishes;
use patrol::problem::{
    EDGES_MAX, Entry, GUARDS_MAX, INSTANTS_MAX, Intruder, MISSION_MAX, Motion, Objective, Problem,
    Spec, TERM_WEIGHT_MAX, VERTICES_MAX,
};
use stratagem_proto::v1 as pb;

const TITLE_MAX: usize = 200;
const DESCRIPTION_MAX: usize = 4_000;

/// A checked problem, and the names in it.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub problem: Problem,
    pub names: Names,
}

/// A problem; `None` when there are mistakes.
pub(crate) fn problem(
    given: pb::PatrolProblem,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Decoded> {
    if !sizes(&given, at, wrong) {
        // Not looked into: nothing of that size was meant to be planned.
        return None;
    }
    let pb::PatrolProblem {
        title,
        description,
        tick_duration,
        vertices,
        edges,
        guards,
        intruder,
        allow_staying,
        allow_passing,
        objective,
    } = given;
    wrong.text(&at.field("title"), &title, TITLE_MAX);
    wrong.text(&at.field("description"), &description, DESCRIPTION_MAX);
    let mut names = Names {
        clock: Clock::new(tick_duration, &at.field("tick_duration"), wrong),
        ..Names::default()
    };
    let count = vertices.len();
    let vertices = each(vertices, &at.field("vertices"), |one, at| {
        parts::vertex(one, at, &mut names, wrong)
    });
    let Wishes {
        weights_micro,
        pauses,
        gaps,
        seen,
    } = Wishes::new(vertices);
    let edges = each(edges, &at.field("edges"), |one, at| {
        parts::edge(one, at, &names, wrong)
    });
    let mut sights = sights::Sights::new(seen, &at.field("vertices"), (&names, wrong));
    let guards = each(guards, &at.field("guards"), |one, at| {
        parts::guard(one, at, (&mut names, &mut sights), wrong)
    });
    let intruder_at = at.field("intruder");
    let intruder = wrong.required(&intruder_at, intruder);
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
        objective: self::objective(objective, &at.field("objective"), wrong),
    };
    // Also with mistakes of single fields: what could not be read was replaced by something
    // harmless, so that the caller hears about everything at once.
    let problem = Problem::new(spec.clone()).map_err(|errors| {
        for error in &errors {
            wrong.add_unless_known(mistake(error, at, (&spec, &names)));
        }
    });
    let problem = problem.ok()?;
    wrong.is_empty().then_some(Decoded { problem, names })
}

fn sizes(given: &pb::PatrolProblem, at: &Path<'_>, wrong: &mut Mistakes) -> bool {
    let sizes = [
        ("vertices", given.vertices.len(), VERTICES_MAX),
        ("edges", given.edges.len(), EDGES_MAX),
        ("guards", given.guards.len(), GUARDS_MAX),
    ];
    let fits = sizes.map(|(field, given, max)| wrong.size(&at.field(field), given, max));
    !fits.contains(&false)
}

/// Who is to be caught; without a mistake in it only when he is there.
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
    let motion = self::motion(motion, &at.field("motion"), wrong);
    let time_at = at.field("penetration_duration");
    let time = wrong.required(&time_at, penetration_duration);
    // He is seen when he enters and after each tick, after the last only if he is still there.
    let (least, more) = (u32::from(exclusive), u32::from(!exclusive));
    let ticks = time.map_or(least, |time| {
        clock.ticks((&time_at, time), least..=INSTANTS_MAX - more, wrong)
    });
    let mission_at = at.field("mission_duration");
    let mission =
        mission_duration.map(|given| clock.ticks((&mission_at, given), 0..=MISSION_MAX, wrong));
    let entry_at = at.field("entry");
    let entry = match (entry_of(entry, motion, &entry_at, wrong), mission) {
        (Some(When::Mission), None) => {
            wrong.add(&mission_at, Code::Required, "is required of a mission");
            Entry::Steady
        }
        (Some(When::Mission), Some(last)) => Entry::Mission(last),
        (Some(When::Other(entry)), Some(_)) => {
            let why = "is there, but the entry is not that of a mission";
            wrong.add(&mission_at, Code::Contradiction, why);
            entry
        }
        (Some(When::Other(entry)), None) => entry,
        (None, _) => Entry::Steady,
    };
    Intruder {
        motion,
        instants: ticks + more,
        entry,
    }
}

/// When he enters, before it is known how long a mission is.
enum When {
    Mission,
    Other(Entry),
}

fn motion(given: i32, at: &Path<'_>, wrong: &mut Mistakes) -> Motion {
    use pb::PatrolMotion as Wire;
    match wrong.required_choice(at, given) {
        Some(Wire::Lazy) => Motion::Lazy,
        Some(Wire::Moving) => Motion::Moving,
        Some(Wire::BorderStay) => Motion::BorderStay,
        Some(Wire::Stationary | Wire::Unspecified) | None => Motion::Still,
    }
}

fn entry_of(given: i32, motion: Motion, at: &Path<'_>, wrong: &mut Mistakes) -> Option<When> {
    use pb::PatrolEntry as Wire;
    Some(match (wrong.choice(at, given)?, motion) {
        (Wire::Mission, _) => When::Mission,
        (Wire::Steady, _) | (Wire::Unspecified, Motion::Still) => When::Other(Entry::Steady),
        (Wire::Start | Wire::Unspecified, _) => When::Other(Entry::Start),
    })
}

/// What counts; without any weight the escape.
fn objective(given: Option<pb::PatrolObjective>, at: &Path<'_>, wrong: &mut Mistakes) -> Objective {
    let pb::PatrolObjective {
        escape_weight,
        worst_idleness_weight,
        mean_idleness_weight,
    } = given.unwrap_or_default();
    if [escape_weight, worst_idleness_weight, mean_idleness_weight] == [0; 3] {
        return Objective::default();
    }
    let mut weight = |field, given: i32| {
        let range = 0..=i64::from(TERM_WEIGHT_MAX);
        let weight = wrong.whole(&at.field(field), given.into(), range);
        u32::try_from(weight).expect("in range")
    };
    let objective = Objective {
        escape: weight("escape_weight", escape_weight),
        worst_idleness: weight("worst_idleness_weight", worst_idleness_weight),
        mean_idleness: weight("mean_idleness_weight", mean_idleness_weight),
    };
    let Objective {
        escape: 0,
        worst_idleness: 0,
        mean_idleness: 0,
    } = objective
    else {
        return objective;
    };
    // Only where wrong weights were replaced, which is known.
    Objective::default()
}
