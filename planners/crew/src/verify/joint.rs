//! The check of what is done about several events at once.

use super::violation::Violation;
use super::{Flaw, check_role};
use crate::plan::{Joint, JointPoint, Role, Team};
use crate::problem::{Limit, Problem};
use std::collections::BTreeMap;

/// Notes every broken rule.
pub(super) fn check(problem: &Problem, joint: Option<&Joint>, violations: &mut Vec<Violation>) {
    let several = problem.spec().events.len() > 1;
    let Some(joint) = joint else {
        if several {
            violations.push(Violation::JointMissing);
        }
        return;
    };
    if !several {
        violations.push(Violation::JointMissing);
        return;
    }
    for (point, it) in joint.points.iter().enumerate() {
        check_point(problem, (point, it), violations);
        let before = point.checked_sub(1).map(|before| &joint.points[before]);
        if before.is_some_and(|before| {
            before.time_us >= it.time_us || before.damage_micro <= it.damage_micro
        }) {
            violations.push(Violation::JointOrder { point });
        }
        if before.is_some_and(|before| left_out(problem, before) != left_out(problem, it)) {
            violations.push(Violation::JointLeftOut { point });
        }
        if it.least_us > it.time_us || joint.is_known && it.least_us < it.time_us {
            violations.push(Violation::JointBound { point });
        }
    }
}

/// For each rank how many events are not done.
fn left_out(problem: &Problem, point: &JointPoint) -> BTreeMap<u32, usize> {
    let mut left_out = BTreeMap::new();
    for (event, it) in problem.spec().events.iter().enumerate() {
        let done = point.teams.iter().any(|team| team.event == event);
        *left_out.entry(it.rank).or_default() += usize::from(!done);
    }
    left_out
}

fn check_point(
    problem: &Problem,
    (point, it): (usize, &JointPoint),
    violations: &mut Vec<Violation>,
) {
    let spec = problem.spec();
    let (mut time, mut damage) = (0, 0);
    let mut before: Vec<Role> = Vec::new();
    for (team, Team { event, roles }) in it.teams.iter().enumerate() {
        let known = spec.events.get(*event);
        let rising = team == 0 || it.teams[team - 1].event < *event;
        let effort = known.and_then(|known| known.efforts.get(roles.len().checked_sub(1)?));
        let (Some(known), Some(effort), true) = (known, effort, rising) else {
            violations.push(Violation::JointTeam { point, team });
            continue;
        };
        for (role, part) in roles.iter().enumerate() {
            match check_role((problem, known), part, &before) {
                Ok((own_time, own_damage)) => {
                    time = time.max(own_time + effort.time_us);
                    damage = damage.max(own_damage + effort.damage_micro);
                }
                Err(flaw) => violations.push(Violation::JointRole {
                    point,
                    team,
                    role,
                    why: match flaw {
                        Flaw::Taken => "its player or tool does not exist or is taken",
                        Flaw::Way(_) => "there is no such way",
                        Flaw::Twice(_) => "it comes to a vertex twice",
                    },
                }),
            }
            before.push(part.clone());
        }
    }
    if (it.time_us, it.damage_micro) != (time, damage) {
        violations.push(Violation::JointClaim {
            point,
            real_time_us: time,
            real_damage_micro: damage,
        });
    }
    let too_much = match spec.damage_max {
        Limit::Within(most) => damage > most,
        Limit::Below(limit) => damage >= limit,
    };
    if too_much || time > spec.time_max_us {
        violations.push(Violation::JointLimit { point });
    }
}
