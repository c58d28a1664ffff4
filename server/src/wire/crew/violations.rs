//! What comes of judging fronts from outside, in the caller's words.

use super::answer::objective;
use super::names::Names;
use super::plan::damage_of;
use super::problem::Decoded;
use crate::wire::planning;
use crate::wire::values::{Time, shown};
use crew::verify::At;
use crew::{Plan, Violation};
use stratagem_proto::v1 as pb;

/// What comes of checking a plan.
pub(crate) fn verdict(decoded: &Decoded, plan: &Plan) -> pb::VerifyPlanResponse {
    let Decoded { problem, names } = decoded;
    let checked = crew::verify(problem, plan).map(|cost| Some(objective(cost)));
    planning::verdict(checked, |one| pb::PlanViolation {
        code: one.code().into(),
        message: told(names, one),
        field: field(one),
    })
}

/// Path in the plan; empty where the rule is about all of it.
fn field(broken: &Violation) -> String {
    let (Some(at), assignment, role) = broken.at() else {
        return match *broken {
            Violation::FrontCount { event, .. } => format!("events[{event}].fronts"),
            Violation::JointMissing => "joint".into(),
            Violation::JointOrder { point }
            | Violation::JointLeftOut { point }
            | Violation::JointBound { point }
            | Violation::JointClaim { point, .. }
            | Violation::JointLimit { point } => format!("joint.points[{point}]"),
            Violation::JointTeam { point, team } => {
                format!("joint.points[{point}].teams[{team}]")
            }
            Violation::JointRole {
                point, team, role, ..
            } => format!("joint.points[{point}].teams[{team}].roles[{role}]"),
            _ => "events".into(),
        };
    };
    let At {
        event,
        players,
        point,
    } = at;
    let mut path = format!("events[{event}].fronts[{}].points[{point}]", players - 1);
    match assignment {
        None => return path,
        Some(0) => path.push_str(".roles"),
        Some(tie) => path.push_str(&format!(".ties[{}].roles", tie - 1)),
    }
    if let Some(role) = role {
        path.push_str(&format!("[{role}]"));
    }
    path
}

/// One sentence.
fn told(names: &Names, broken: &Violation) -> String {
    match *broken {
        Violation::Taken { player, tool, .. } => {
            let (player, tool) = (&names.players.list()[player], &names.tools.list()[tool]);
            let (player, tool) = (shown(player), shown(tool));
            format!("{player} with {tool}: one of them has a role already")
        }
        Violation::Twice { vertex, .. } => {
            let node = shown(&names.nodes.list()[vertex]);
            format!("comes to {node} twice, which is not wanted")
        }
        Violation::Way { to, .. } => format!("there is no such way to the {to}"),
        Violation::RoleCount { at, given, .. } => {
            format!(
                "has {given} roles, but the front is of {} players",
                at.players
            )
        }
        Violation::Claim {
            time_us,
            damage_micro,
            real_time_us,
            real_damage_micro,
            ..
        } => format!(
            "the point claims {} and {} damage, but it comes to {} and {}",
            Time(time_us as i64),
            damage_of(damage_micro),
            Time(real_time_us as i64),
            damage_of(real_damage_micro)
        ),
        Violation::Limit { what, .. } => format!("is beyond the limit of {what}"),
        Violation::Repeated { .. } => "has the players and tools of one before".into(),
        Violation::Order { .. } => "is not later and less damaging than the one before".into(),
        Violation::Fewer { .. } => "says wrongly whether fewer players do as well".into(),
        // About numbers that have no names.
        ref other => other.to_string(),
    }
}
