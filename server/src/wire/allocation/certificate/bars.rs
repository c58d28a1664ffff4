//! What keeps agents from a task, step by step.

use super::{agent_ids, count, figure, seconds, task_id};
use crate::wire::allocation::problem::Names;
use crate::wire::values::{Time, shown};
use allocation::certificate::{Bar, Row};
use stratagem_proto::v1 as pb;

/// A code, words and numbers.
type Words = (&'static str, String, Vec<pb::ExplanationCertificateFigure>);

pub(super) fn row(names: &Names, row: &Row) -> pb::ExplanationCertificateStep {
    let (code, why, figures) = barred(names, row.bar);
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

/// A bar in words, and its numbers.
pub(super) fn barred(names: &Names, bar: Bar) -> Words {
    match bar {
        Bar::Skills { missing } => {
            let lacks = skills(names, missing);
            let lacks: Vec<_> = lacks.map(|name| shown(name)).collect();
            (
                "SKILLS_MISSING",
                format!("lacks {}", lacks.join(", ")),
                Vec::new(),
            )
        }
        Bar::Capacity {
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
        Bar::Window {
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
        Bar::Shift {
            earliest_us,
            latest_us,
        } => late(earliest_us, latest_us),
        Bar::Elsewhere => (
            "TASK_ELSEWHERE",
            "does not do what another agent has under way".into(),
            Vec::new(),
        ),
        Bar::Unreachable => ("UNREACHABLE", "has no way there".into(), Vec::new()),
        // The planner may learn of more bars than we know words for.
        other => ("OTHER", format!("{other:?}"), Vec::new()),
    }
}

/// That a task is done too late for a shift.
fn late(earliest_us: i64, latest_us: Option<i64>) -> Words {
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

/// How close the agent comes.
pub(super) fn shortfall(bar: Bar) -> i64 {
    match bar {
        Bar::Skills { missing } => i64::from(missing.count_ones()),
        Bar::Capacity { load, capacity, .. } => load - capacity,
        Bar::Window { arrival_us, .. } => arrival_us,
        Bar::Shift { earliest_us, .. } => earliest_us,
        _ => 0,
    }
}
