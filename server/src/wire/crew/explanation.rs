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
    }
}

/// A reason for the wire.
pub(super) fn reason(given: &Reason, (problem, names): (&Problem, &Names)) -> pb::Reason {
    let Reason {
        event,
        players,
        lack,
    } = *given;
    let spec = problem.spec();
    let who = match players {
        1 => "one player".into(),
        players => format!("{players} players"),
    };
    let effort = |field: &str| format!("events[{event}].efforts[{}].{field}", players - 1);
    let limit = Time(spec.time_max_us as i64);
    let most = spec.damage_max.most().unwrap_or(0);
    let (code, message, field, shortfall) = match lack {
        Lack::Tools { tools } => (
            "TOO_FEW_TOOLS",
            format!("{who} need a tool each, but there are {tools}"),
            "tools".into(),
            Some(((players - tools) as f64, "tools")),
        ),
        Lack::EffortTime { over_us } => (
            "TASK_TOO_LONG",
            format!(
                "the task alone takes {who} {} longer than is allowed",
                Time(over_us as i64)
            ),
            effort("work_duration"),
            Some((over_us as f64 / 1e6, "s")),
        ),
        Lack::EffortDamage { over_micro } => (
            "TASK_TOO_HARMFUL",
            format!("the task alone does {who} more damage than is allowed"),
            effort("damage"),
            Some((damage_of(over_micro), "damage")).filter(|(over, _)| *over > 0.0),
        ),
        Lack::Way { players: most } => (
            "NO_WAY",
            format!("there are ways by tools of their own for {most} players only, not for {who}"),
            "arcs".into(),
            Some(((players - most) as f64, "players")),
        ),
        Lack::Damage { least_micro } => (
            "TOO_HARMFUL",
            format!(
                "with all time in the world {who} take {} damage at least",
                damage_of(least_micro)
            ),
            "damage_limit".into(),
            Some((damage_of(least_micro - most), "damage")),
        ),
        Lack::Time { least_us } => (
            "TOO_SLOW",
            format!(
                "whatever the damage, {who} take {} at least, where {limit} are allowed",
                Time(least_us as i64)
            ),
            "limit_duration".into(),
            Some(((least_us - spec.time_max_us) as f64 / 1e6, "s")),
        ),
        Lack::Together => (
            "LIMITS_TOGETHER",
            format!("{who} can keep each limit, but not all of them together"),
            String::new(),
            None,
        ),
    };
    pb::Reason {
        code: code.into(),
        message,
        subject_id: names.events.list()[event].clone(),
        blocker_id: String::new(),
        field,
        shortfall: shortfall.map(|it| it.0),
        unit: shortfall.map_or_else(String::new, |it| it.1.into()),
        proved: true,
    }
}
