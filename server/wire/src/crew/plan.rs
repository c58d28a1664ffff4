//! Fronts, to the wire.

use super::names::Names;
use crate::faults::reason;
use crate::values::duration_of_micros;
use crew::explain::Impossible;
use crew::{Front, Joint, JointPoint, Plan, Point, Problem, Role, Team};
use prost_types::Duration;
use stratagem_proto::v1 as pb;

/// A plan for the wire, with reasons why fronts are empty.
pub(super) fn plan_of(
    plan: &Plan,
    problem: &Problem,
    names: &Names,
    reasons: &[Impossible],
) -> pb::CrewPlan {
    let options = |event: usize, fronts: &[Front]| pb::CrewOptions {
        event_id: names.events.list()[event].clone(),
        fronts: fronts
            .iter()
            .zip(1..)
            .map(|(front, players)| pb::CrewFront {
                // At most 64: fits.
                player_count: players as i32,
                points: front
                    .points
                    .iter()
                    .map(|it| point(it, problem, names))
                    .collect(),
                complete: front.is_known,
                empty_reason: reasons
                    .iter()
                    .find(|it| (it.event, it.players) == (event, players))
                    .map(|it| reason(&it.reason, names)),
            })
            .collect(),
    };
    let events = plan.events.iter().enumerate();
    pb::CrewPlan {
        events: events.map(|(event, it)| options(event, it)).collect(),
        joint: plan.joint.as_ref().map(|it| joint(it, problem, names)),
    }
}

fn joint(given: &Joint, problem: &Problem, names: &Names) -> pb::CrewJoint {
    let Joint { points, is_known } = given;
    let team = |team: &Team| pb::CrewTeam {
        event_id: names.events.list()[team.event].clone(),
        roles: team
            .roles
            .iter()
            .map(|it| role(it, problem, names))
            .collect(),
    };
    let point = |it: &JointPoint| pb::CrewJointPoint {
        worst_duration: Some(time_of(it.time_us)),
        worst_damage: damage_of(it.damage_micro),
        least_duration: Some(time_of(it.least_us)),
        teams: it.teams.iter().map(team).collect(),
    };
    pb::CrewJoint {
        points: points.iter().map(point).collect(),
        complete: *is_known,
    }
}

fn point(it: &Point, problem: &Problem, names: &Names) -> pb::CrewPoint {
    let roles = |roles: &[Role]| roles.iter().map(|it| role(it, problem, names)).collect();
    pb::CrewPoint {
        worst_duration: Some(time_of(it.time_us)),
        worst_damage: damage_of(it.damage_micro),
        dominated_by_fewer_players: it.fewer_do,
        roles: roles(&it.roles),
        ties: it
            .others
            .iter()
            .map(|it| pb::CrewAssignment { roles: roles(it) })
            .collect(),
        has_more_ties: it.more,
    }
}

fn role(role: &Role, problem: &Problem, names: &Names) -> pb::CrewRole {
    // The check has walked them: they are paths.
    let price = crew::verify::legs(problem, role).unwrap_or_default();
    let Role {
        player,
        tool,
        fetch,
        carry,
    } = role;
    pb::CrewRole {
        player_id: names.players.list()[*player].clone(),
        tool_id: names.tools.list()[*tool].clone(),
        fetch_node_ids: names.leg(fetch),
        carry_node_ids: names.leg(carry),
        walk_duration: Some(time_of(price.time_us)),
        walk_damage: damage_of(price.damage_micro),
    }
}

/// A time for the wire.
pub(super) fn time_of(time_us: u64) -> Duration {
    // Far below 2^63.
    duration_of_micros(time_us as i64)
}

/// A damage for the wire: the double nearest to the decimal number.
pub(super) fn damage_of(damage_micro: u64) -> f64 {
    damage_micro as f64 / 1e6
}
