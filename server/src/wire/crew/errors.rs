//! Which field of a problem an error is about, in the caller's words.

use super::names::Names;
use crate::wire::mistakes::{Code, RelativeMistake, relative};
use crew::ProblemError as E;
use crew::errors::{Count, Which};

/// The mistake that an error is; `None` when it is about something that could not be read, which is
/// reported already.
pub(super) fn mistake(error: &E, names: &Names) -> Option<RelativeMistake> {
    let arc = |arc: usize| format!("arcs[{}]", names.arc_at[arc]);
    Some(match *error {
        // Nodes are found by their ids: only what could not be read names one that there is not.
        E::UnknownVertex { .. } => return None,
        E::Count {
            what, given, least, ..
        } => {
            let field = match what {
                Count::Vertices => "nodes".into(),
                Count::Arcs => "arcs".into(),
                Count::Players => "players".into(),
                Count::Tools => "tools".into(),
                Count::Events => "events".into(),
                Count::Efforts(event) => format!("events[{event}].efforts"),
            };
            if given < least {
                relative(field, Code::Required, "is required")
            } else {
                relative(field, Code::TooMany, error)
            }
        }
        E::ArcToItself { arc: loops } => {
            let field = format!("{}.to_node_id", arc(loops));
            relative(field, Code::SelfLoop, "is where the arc begins")
        }
        E::ArcRepeated { arc: second, first } => {
            let why = format!("leads in a direction in which {} leads already", arc(first));
            relative(arc(second), Code::Duplicate, why)
        }
        E::Time { which, .. } | E::Damage { which, .. } => {
            let field = match which {
                Which::Arc(it) | Which::Fetch(it) | Which::Carry(it) => arc(it),
                Which::Effort(event, effort) => format!("events[{event}].efforts[{effort}]"),
                Which::Limit => String::new(),
            };
            relative(field, Code::OutOfRange, error)
        }
        // Of a planner that is newer than this.
        _ => relative(String::new(), Code::Contradiction, error),
    })
}
