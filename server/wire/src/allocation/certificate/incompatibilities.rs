//! Incompatibilities of agents and tasks on the wire.

use super::{agent_ids, count, figure, seconds, task_id};
use crate::allocation::names::Names;
use crate::values::{Time, shown};
use allocation::certificate::{Incompatibility, Row};
use stratagem_proto::v1 as pb;

/// Code, text and figures.
type Described = (&'static str, String, Vec<pb::ExplanationCertificateFigure>);

pub(super) fn row(names: &Names, row: &Row) -> pb::ExplanationCertificateStep {
    let (code, why, figures) = described(names, row.incompatibility);
    let who = match row.agents[..] {
        [one] => format!("agent {}", shown(&names.agents.list()[one])),
        _ => format!("each of {}", count(&row.agents)),
    };
    pb::ExplanationCertificateStep {
        code: code.into(),
        message: format!("task {} by {who}: {why}", task_id(names, row.task)),
        subject_id: names.tasks.list()[row.task].clone(),
        blocker_ids: agent_ids(names, &row.agents),
        figures,
    }
}

/// The description of an incompatibility.
pub(super) fn described(names: &Names, incompatibility: Incompatibility) -> Described {
    match incompatibility {
        Incompatibility::Skills { missing } => {
            let lacks = skills(names, missing);
            let lacks: Vec<_> = lacks.map(|name| shown(name)).collect();
            (
                "SKILLS_MISSING",
                format!("lacks {}", lacks.join(", ")),
                Vec::new(),
            )
        }
        Incompatibility::Capacity {
            dimension,
            load,
            capacity,
        } => (
            "CAPACITY_EXCEEDED",
            format!(
                "can carry {capacity} in dimension {dimension}, and would have to carry {load}"
            ),
            vec![
                figure("load", load as f64, "units"),
                figure("capacity", capacity as f64, "units"),
                figure("dimension", dimension as f64, ""),
            ],
        ),
        Incompatibility::Window {
            arrival_us,
            latest_us,
        } => {
            let (arrival, latest) = (seconds(arrival_us), seconds(latest_us));
            (
                "WINDOW_MISSED",
                format!(
                    "arrives at {} at the earliest, must start by {}",
                    Time(arrival_us),
                    Time(latest_us)
                ),
                vec![
                    figure("arrival", arrival, "s"),
                    figure("latest", latest, "s"),
                ],
            )
        }
        Incompatibility::Shift {
            earliest_us,
            latest_us,
        } => late(earliest_us, latest_us),
        Incompatibility::Elsewhere => (
            "TASK_ELSEWHERE",
            "does not do what another agent has under way".into(),
            Vec::new(),
        ),
        Incompatibility::Unreachable => ("UNREACHABLE", "has no path to it".into(), Vec::new()),
        // The planner may add incompatibilities that have no text here yet.
        other => ("OTHER", format!("{other:?}"), Vec::new()),
    }
}

/// The description of a route that ends after its shift.
fn late(earliest_us: i64, latest_us: Option<i64>) -> Described {
    let mut figures = vec![figure("earliest", seconds(earliest_us), "s")];
    figures.extend(latest_us.map(|us| figure("latest", seconds(us), "s")));
    let latest = match latest_us {
        Some(us) => format!("a start by {}", Time(us)),
        None => "no start at all".into(),
    };
    let earliest = Time(earliest_us);
    let why = format!("starts at {earliest} at the earliest, and only {latest} ends in its shift");
    ("SHIFT_EXCEEDED", why, figures)
}

/// The names of skills.
fn skills(names: &Names, bits: u64) -> impl Iterator<Item = &String> {
    let all = names.skills.iter().enumerate();
    all.filter(move |(bit, _)| bits >> bit & 1 == 1)
        .map(|(_, name)| name)
}

/// Severity: the smaller, the closer the agent comes to doing the task.
pub(super) fn shortfall(incompatibility: Incompatibility) -> i64 {
    match incompatibility {
        Incompatibility::Skills { missing } => i64::from(missing.count_ones()),
        Incompatibility::Capacity { load, capacity, .. } => load - capacity,
        Incompatibility::Window { arrival_us, .. } => arrival_us,
        Incompatibility::Shift { earliest_us, .. } => earliest_us,
        _ => 0,
    }
}
