//! Violations of a schedule from outside, with the ids of the caller.

use super::names::Names;
use super::network::Decoded;
use super::schedule::ReadSchedule;
use crate::wire::planning;
use crate::wire::values::{Time, shown};
use stratagem_proto::v1 as pb;
use temporal::Violation;
use temporal::problem::Node;

/// The result of checking a schedule against its network.
pub(crate) fn verdict(decoded: &Decoded, read: &ReadSchedule) -> pb::VerifyPlanResponse {
    let checked = temporal::verify::strong(&decoded.network, &read.schedule).map(|_| None);
    planning::verdict(checked, |one| {
        let (node, message) = described(&decoded.names, one);
        let at = node.and_then(|node| read.at[node]);
        pb::PlanViolation {
            code: one.code().into(),
            message,
            field: at.map_or_else(String::new, |at| format!("events[{at}]")),
        }
    })
}

/// The node whose time is at fault, and one sentence.
fn described(names: &Names, broken: &Violation) -> (Option<Node>, String) {
    let event = |node| shown(names.node(node));
    match *broken {
        Violation::TimeOutOfRange { node, time_us } => {
            let text = format!("{} is at {}, which cannot be", event(node), Time(time_us));
            (Some(node), text)
        }
        Violation::BoundBroken {
            from,
            to,
            worst_us,
            bound_us,
        } => {
            let (from_id, to_id) = (event(from), event(to));
            let (worst, bound) = (Time(worst_us), Time(bound_us));
            let text = format!("{to_id} may be {worst} after {from_id}, above {bound}");
            (Some(if to == 0 { from } else { to }), text)
        }
        Violation::RangeEmpty {
            node,
            earliest_us,
            latest_us,
        } => {
            let (earliest, latest) = (Time(earliest_us), Time(latest_us));
            let event = event(node);
            let text = format!("{event} may not happen before {earliest} nor after {latest}");
            (Some(node), text)
        }
        Violation::TooEarly {
            node,
            teammate,
            time_us,
            needed_us,
        } => {
            let text = needed(names, node, time_us, teammate);
            (Some(node), format!("{text} {} or later", Time(needed_us)))
        }
        Violation::TooLate {
            node,
            teammate,
            time_us,
            needed_us,
        } => {
            let text = needed(names, node, time_us, teammate);
            (Some(node), format!("{text} {} or earlier", Time(needed_us)))
        }
        ref other => (None, other.to_string()),
    }
}

fn needed(names: &Names, node: Node, time_us: i64, teammate: Node) -> String {
    let (node, teammate) = (shown(names.node(node)), shown(names.node(teammate)));
    format!("{node} is at {}, but {teammate} may need", Time(time_us))
}
