//! Why so many players cannot do it, for people and programs.

use super::names::Names;
use super::plan::damage_of;
use crate::wire::values::Time;
use anytime::Conclusion;
use crew::Problem;
use crew::explain::{Lack, Reason};
use stratagem_proto::v1 as pb;

/// Why no front has a point.
pub(super) fn none_found(
    conclusion: Conclusion,
    reasons: &[Reason],
    context: (&Problem, &Names),
) -> pb::Explanation {
    let summary = match conclusion {
        Conclusion::Infeasible => "Nobody can do it, however many come.",
        _ => "No way to do it was found; nor is it proved that there is none.",
    };
    pb::Explanation {
        summary: summary.into(),
        reasons: reasons.iter().map(|it| reason(it, context)).collect(),
        truncated: false,
        ..pb::Explanation::default()
    }
}

/// A reason for the wire.
pub(super) fn reason(
    given: &Reason,
    (problem, names): (&Problem, &Names),
) -> pb::ExplanationReason {
    let (code, field, shortfall) = coded(given, problem);
    pb::ExplanationReason {
        code: code.into(),
        message: told(given, problem),
        subject_id: names.events.list()[given.event].clone(),
        blocker_id: String::new(),
        field,
        shortfall: shortfall.map(|it| it.0),
        unit: shortfall.map_or_else(String::new, |it| it.1.into()),
        proved: true,
    }
}

/// Code, field of the problem, and by how much in which unit.
fn coded(given: &Reason, problem: &Problem) -> (&'static str, String, Option<(f64, &'static str)>) {
    let Reason {
        event,
        players,
        lack,
    } = *given;
    let spec = problem.spec();
    let effort = |field: &str| format!("events[{event}].efforts[{}].{field}", players - 1);
    let seconds = |time_us: u64| Some((time_us as f64 / 1e6, "s"));
    let damage = |micro: u64| Some((damage_of(micro), "damage"));
    match lack {
        Lack::Tools { tools } => {
            let short = (players - tools) as f64;
            ("TOO_FEW_TOOLS", "tools".into(), Some((short, "tools")))
        }
        Lack::EffortTime { over_us } => {
            ("TASK_TOO_LONG", effort("work_duration"), seconds(over_us))
        }
        Lack::EffortDamage { over_micro } => {
            let over = damage(over_micro).filter(|(over, _)| *over > 0.0);
            ("TASK_TOO_HARMFUL", effort("damage"), over)
        }
        Lack::Way { players: most } => {
            let short = (players - most) as f64;
            ("NO_WAY", "arcs".into(), Some((short, "players")))
        }
        Lack::Damage { least_micro } => {
            let most = spec.damage_max.most().unwrap_or(0);
            let over = damage(least_micro - most);
            ("TOO_HARMFUL", "max_damage".into(), over)
        }
        Lack::Time { least_us } => {
            let over = seconds(least_us - spec.time_max_us);
            ("TOO_SLOW", "max_duration".into(), over)
        }
        Lack::Together => ("LIMITS_TOGETHER", String::new(), None),
    }
}

/// One sentence.
fn told(given: &Reason, problem: &Problem) -> String {
    let who = match given.players {
        1 => "one player".into(),
        players => format!("{players} players"),
    };
    let limit = Time(problem.spec().time_max_us as i64);
    match given.lack {
        Lack::Tools { tools } => format!("{who} need a tool each, but there are {tools}"),
        Lack::EffortTime { over_us } => {
            let over = Time(over_us as i64);
            format!("the task alone takes {who} {over} longer than is allowed")
        }
        Lack::EffortDamage { .. } => {
            format!("the task alone does {who} more damage than is allowed")
        }
        Lack::Way { players: most } => {
            format!("there are ways by tools of their own for {most} players only, not for {who}")
        }
        Lack::Damage { least_micro } => {
            let least = damage_of(least_micro);
            format!("with all time in the world {who} take {least} damage at least")
        }
        Lack::Time { least_us } => {
            let least = Time(least_us as i64);
            format!("whatever the damage, {who} take {least} at least, where {limit} are allowed")
        }
        Lack::Together => format!("{who} can keep each limit, but not all of them together"),
    }
}
