//! Which field of the request a problem's error is about, in the caller's words.

use super::names::Names;
use crate::wire::mistakes::{Code, Mistake, RelativeMistake, relative};
use crate::wire::path::Path;
use crate::wire::values::shown;
use patrol::ProblemError as E;
use patrol::errors::Subject;
use patrol::problem::{INSTANTS_MAX, Spec};

/// The mistake that this error is.
pub(super) fn mistake(error: &E, at: &Path<'_>, (spec, names): (&Spec, &Names)) -> Mistake {
    let vertex = |vertex: usize| shown(names.vertex(vertex));
    let mistake = match *error {
        E::NoVertices => required("vertices"),
        E::NoGuards => required("guards"),
        E::TooManyVertices { .. } => relative("vertices".into(), Code::TooMany, error),
        E::TooManyEdges { .. } | E::TooManyPlaces { .. } => {
            relative("edges".into(), Code::TooMany, error)
        }
        E::TooManyGuards { .. } | E::TooManySights { .. } => {
            relative("guards".into(), Code::TooMany, error)
        }
        E::UnknownVertex { subject, .. } => relative(
            self::subject(subject, spec),
            Code::Unknown,
            "names a vertex that does not exist",
        ),
        E::EdgeToItself { edge, vertex: end } => {
            let field = format!("edges[{edge}].to_vertex_id");
            // With ids that nothing has, the field is known to be wrong.
            let known = end < spec.vertices;
            let end = if known { vertex(end) } else { String::new() };
            relative(
                field,
                Code::SelfLoop,
                format!("is {end}, as is the other end"),
            )
        }
        E::LengthOutOfRange { edge, .. } => relative(
            format!("edges[{edge}].travel_duration"),
            Code::OutOfRange,
            error,
        ),
        E::EdgeRepeated { edge, first } => {
            let why = format!("joins the same vertices as edge {first}");
            relative(format!("edges[{edge}]"), Code::Duplicate, why)
        }
        E::Disconnected { vertex: apart } => {
            let (id, first) = (vertex(apart), vertex(0));
            let why = format!("is {id}, to which there is no edge from {first}");
            relative(format!("vertices[{apart}]"), Code::Disconnected, why)
        }
        E::SpeedOutOfRange { guard, .. } => {
            relative(format!("guards[{guard}].speed"), Code::OutOfRange, error)
        }
        ref other => about_intruder(other, spec),
    };
    mistake.at(at)
}

fn about_intruder(error: &E, spec: &Spec) -> RelativeMistake {
    match *error {
        E::WeightOutOfRange { vertex, .. } => relative(
            format!("vertices[{vertex}].weight"),
            Code::OutOfRange,
            error,
        ),
        E::NoWeight => {
            let why = "have no weight above 0 (in millionths): nothing is worth guarding";
            relative("vertices".into(), Code::AllZero, why)
        }
        E::InstantsOutOfRange { instants } => {
            let why = format!(
                "lets the intruder be seen at {instants} instants, outside of 1 to {INSTANTS_MAX}"
            );
            let field = "intruder.penetration_duration".into();
            relative(field, Code::OutOfRange, why)
        }
        E::TooManySteps { .. } => {
            let field = "intruder.penetration_duration".into();
            relative(field, Code::OutOfRange, error)
        }
        E::MissionTooLong { .. } => {
            relative("intruder.mission_duration".into(), Code::OutOfRange, error)
        }
        E::TicksOutOfRange { subject, .. } => {
            relative(self::subject(subject, spec), Code::OutOfRange, error)
        }
        E::PauseWithoutStaying => {
            let why = "is false, but there are vertices with a pause";
            relative("allow_staying".into(), Code::Contradiction, why)
        }
        E::NowhereToGo => {
            let why = "is false, but there is nowhere to go";
            relative("allow_staying".into(), Code::Contradiction, why)
        }
        // The others are about lists that are made here; the planner's text says what it is.
        ref other => relative(String::new(), Code::Contradiction, other),
    }
}

fn required(field: &str) -> RelativeMistake {
    relative(field.into(), Code::Required, "is required")
}

/// The field that a part of the problem was read from.
fn subject(subject: Subject, spec: &Spec) -> String {
    match subject {
        Subject::Edge(edge) => format!("edges[{edge}]"),
        Subject::Guard(guard) => format!("guards[{guard}].start_vertex_id"),
        Subject::Gap(gap) => format!("vertices[{}].gap_duration", spec.gaps[gap].vertex),
        Subject::Pause(pause) => {
            format!("vertices[{}].pause_duration", spec.pauses[pause].vertex)
        }
        // Never wrong: unknown ids are reported where they stand and left out.
        Subject::Sight(_, vertex) => format!("vertices[{vertex}].seen_vertex_ids"),
    }
}
