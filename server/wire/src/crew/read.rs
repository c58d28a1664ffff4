//! Fronts from outside: not trusted, only readable.

use super::names::Names;
use super::problem::{damage, time};
use crate::mistakes::{Code, Mistakes};
use crate::values::{Ids, read_each, shown};
use anytime::Path;
use crew::{Front, Joint, JointPoint, Plan, Point, Role, Team};
use stratagem_proto::v1 as pb;

/// A plan from outside; `None` when there are mistakes.
pub(crate) fn plan(
    given: pb::CrewPlan,
    names: &Names,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Plan> {
    let pb::CrewPlan { events, joint } = given;
    let events = read_each(events, &at.field("events"), |given, at| {
        let pb::CrewOptions { event_id, fronts } = given;
        let id_at = at.field("event_id");
        let event = names.events.find(&id_at, &event_id, wrong);
        (
            event,
            read_each(fronts, &at.field("fronts"), |it, at| {
                front(it, at, names, wrong)
            }),
        )
    });
    let plan_at = at;
    let at = at.field("events");
    for (index, (event, fronts)) in events.iter().enumerate() {
        let at = at.index(index);
        if event.is_some_and(|event| event != index) {
            let why = "is not where the problem has it: fronts go in the order of the events";
            wrong.add(&at.field("event_id"), Code::Contradiction, why);
        }
        let at = at.field("fronts");
        for (index, (count, _)) in fronts.iter().enumerate() {
            if usize::try_from(*count) != Ok(index + 1) {
                let why = format!("is {count}, but fronts go by 1, 2, ... players");
                let at = at.index(index);
                wrong.add(&at.field("player_count"), Code::Contradiction, why);
            }
        }
    }
    let joint = joint.map(|it| self::joint(it, &plan_at.field("joint"), names, wrong));
    let fronts = |fronts: Vec<(i32, Front)>| fronts.into_iter().map(|it| it.1).collect();
    let events = events.into_iter().map(|it| fronts(it.1)).collect();
    wrong.is_empty().then_some(Plan { events, joint })
}

/// What is done about several events at once.
fn joint(given: pb::CrewJoint, at: &Path<'_>, names: &Names, wrong: &mut Mistakes) -> Joint {
    let pb::CrewJoint { points, complete } = given;
    let points = read_each(points, &at.field("points"), |given, at| {
        let pb::CrewJointPoint {
            worst_duration,
            worst_damage,
            least_duration,
            teams,
        } = given;
        JointPoint {
            time_us: worst_duration.map_or(0, time),
            damage_micro: damage(worst_damage),
            least_us: least_duration.map_or(0, time),
            teams: read_each(teams, &at.field("teams"), |given, at| {
                let pb::CrewTeam { event_id, roles } = given;
                let event = names.events.find(&at.field("event_id"), &event_id, wrong);
                Team {
                    event: event.unwrap_or(usize::MAX),
                    roles: self::roles(roles, &at.field("roles"), names, wrong),
                }
            }),
        }
    });
    Joint {
        points,
        is_known: complete,
    }
}

/// A front, and for how many players it claims to be.
fn front(given: pb::CrewFront, at: &Path<'_>, names: &Names, wrong: &mut Mistakes) -> (i32, Front) {
    let pb::CrewFront {
        player_count,
        points,
        complete,
        // It is computed, not read.
        empty_reason: _,
    } = given;
    let points = read_each(points, &at.field("points"), |it, at| {
        point(it, at, names, wrong)
    });
    let front = Front {
        points,
        is_known: complete,
    };
    (player_count, front)
}

fn point(given: pb::CrewPoint, at: &Path<'_>, names: &Names, wrong: &mut Mistakes) -> Point {
    let pb::CrewPoint {
        worst_duration,
        worst_damage,
        dominated_by_fewer_players,
        roles,
        ties,
        has_more_ties,
    } = given;
    Point {
        time_us: worst_duration.map_or(0, time),
        damage_micro: damage(worst_damage),
        fewer_do: dominated_by_fewer_players,
        roles: self::roles(roles, &at.field("roles"), names, wrong),
        others: read_each(ties, &at.field("ties"), |given, at| {
            let pb::CrewAssignment { roles } = given;
            self::roles(roles, &at.field("roles"), names, wrong)
        }),
        more: has_more_ties,
    }
}

/// Roles of an assignment.
fn roles(
    given: Vec<pb::CrewRole>,
    at: &Path<'_>,
    names: &Names,
    wrong: &mut Mistakes,
) -> Vec<Role> {
    read_each(given, at, |given, at| role(given, at, names, wrong))
}

/// A role from outside.
pub(super) fn role(
    given: pb::CrewRole,
    at: &Path<'_>,
    names: &Names,
    wrong: &mut Mistakes,
) -> Role {
    let pb::CrewRole {
        player_id,
        tool_id,
        fetch_node_ids,
        carry_node_ids,
        // They are computed, not read.
        walk_duration: _,
        walk_damage: _,
    } = given;
    let mut one = |ids: &Ids, field: &'static str, id: &str| {
        let found = ids.find(&at.field(field), id, wrong);
        found.unwrap_or(usize::MAX)
    };
    let player = one(&names.players, "player_id", &player_id);
    let tool = one(&names.tools, "tool_id", &tool_id);
    Role {
        player,
        tool,
        fetch: way(&fetch_node_ids, &at.field("fetch_node_ids"), names, wrong),
        carry: way(&carry_node_ids, &at.field("carry_node_ids"), names, wrong),
    }
}

fn way(ids: &[String], at: &Path<'_>, names: &Names, wrong: &mut Mistakes) -> Vec<usize> {
    let found = ids.iter().enumerate().map(|(index, id)| {
        let at = at.index(index);
        if id.is_empty() {
            wrong.add(
                &at,
                Code::Unknown,
                format!("is {}, which does not exist", shown(id)),
            );
            return usize::MAX;
        }
        names.nodes.find(&at, id, wrong).unwrap_or(usize::MAX)
    });
    found.collect()
}
