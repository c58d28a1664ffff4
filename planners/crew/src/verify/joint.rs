//! The check of what is done about several events together.

use super::{Price, check_role, is_too_harmful};
use crate::plan::{Joint, JointPoint, Role};
use crate::problem::Problem;
use anytime::{Fault, Path, fault, millionths, time};
use std::collections::BTreeMap;

/// Notes every broken rule.
pub(super) fn check(problem: &Problem, joint: Option<&Joint>, faults: &mut Vec<Fault>) {
    let at = Path::root("joint");
    let is_wanted = problem.spec().events.len() > 1;
    if is_wanted != joint.is_some() {
        faults.push(fault!(
            "JOINT_MISSING",
            at,
            "has to be there just when there are several events"
        ));
        return;
    }
    let Some(joint) = joint else { return };
    let points_at = at.field("points");
    for (index, point) in joint.points.iter().enumerate() {
        let at = points_at.index(index);
        check_point(problem, point, &at, faults);
        let before = index.checked_sub(1).map(|before| &joint.points[before]);
        if before.is_some_and(|before| {
            before.time_us >= point.time_us || before.damage_micro <= point.damage_micro
        }) {
            faults.push(fault!(
                "JOINT_DOMINATED",
                at,
                "is not later and less damaging than the one before"
            ));
        }
        if before.is_some_and(|before| left_out(problem, before) != left_out(problem, point)) {
            faults.push(fault!(
                "JOINT_LEFT_OUT",
                at,
                "leaves out other numbers of events than the one before"
            ));
        }
        let (bound, real) = (point.least_us, point.time_us);
        if bound > real || joint.is_known && bound < real {
            let [bound, real] = [bound, real].map(time);
            faults.push(fault!(
                "JOINT_BOUND",
                at,
                "has bound {}, which time {} excludes",
                bound,
                real
            ));
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

fn check_point(problem: &Problem, point: &JointPoint, at: &Path<'_>, faults: &mut Vec<Fault>) {
    let spec = problem.spec();
    let teams_at = at.field("teams");
    let mut worst = Price::default();
    let mut before: Vec<Role> = Vec::new();
    for (index, team) in point.teams.iter().enumerate() {
        let at = teams_at.index(index);
        let event = spec.events.get(team.event);
        let is_rising = index == 0 || point.teams[index - 1].event < team.event;
        let effort = event.and_then(|event| event.efforts.get(team.roles.len().checked_sub(1)?));
        let (Some(event), Some(effort), true) = (event, effort, is_rising) else {
            faults.push(fault!(
                "JOINT_TEAM",
                at,
                "is out of order, or of a size that the event does not have"
            ));
            continue;
        };
        let roles_at = at.field("roles");
        for (role, it) in team.roles.iter().enumerate() {
            match check_role(problem, event, it, &before) {
                Ok(price) => worst = worst.worse(price.plus((*effort).into())),
                Err(flaw) => faults.push(flaw.fault(["JOINT_ROLE"; 3], &roles_at.index(role))),
            }
            before.push(it.clone());
        }
    }
    let Price {
        time_us,
        damage_micro,
    } = worst;
    if (point.time_us, point.damage_micro) != (time_us, damage_micro) {
        let (time, damage) = (time(time_us), millionths(damage_micro));
        faults.push(fault!(
            "JOINT_CLAIM",
            at,
            "takes {} and {} damage, which it does not claim",
            time,
            damage
        ));
    }
    if time_us > spec.time_max_us || is_too_harmful(problem, damage_micro) {
        faults.push(fault!("JOINT_LIMIT", at, "is beyond a limit"));
    }
}
