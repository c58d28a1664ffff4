//! Relaxations on the wire: changes with which a task can be done.

use super::names::Names;
use crate::values::{Time, shown};
use allocation::Problem;
use allocation::explain::{Change, Relaxation, relaxed};
use allocation::problem::MICRO;
use stratagem_proto::v1 as pb;

/// A relaxation for the wire.
pub(crate) fn relaxation(
    names: &Names,
    problem: &Problem,
    given: &Relaxation,
) -> pb::ExplanationRelaxation {
    let Relaxation {
        task,
        changes,
        plan,
        cost: _,
    } = given;
    let id = &names.tasks.list()[*task];
    let changes_in_words: Vec<(pb::ExplanationRelaxationChange, String)> = changes
        .iter()
        .map(|one| change(names, problem, *one))
        .collect();
    let words: Vec<&str> = changes_in_words
        .iter()
        .map(|(_, words)| words.as_str())
        .collect();
    // Absent never: the planner has checked the plan under these changes.
    let objective = relaxed(problem, changes).and_then(|changed| {
        let terms = allocation::verify::terms(&changed, plan).ok()?;
        Some(super::objective(&changed, &terms))
    });
    pb::ExplanationRelaxation {
        subject_id: id.clone(),
        message: format!("task {} can be done if {}", shown(id), words.join(", and ")),
        changes: changes_in_words
            .into_iter()
            .map(|(change, _)| change)
            .collect(),
        objective,
    }
}

/// A change and its text.
fn change(
    names: &Names,
    problem: &Problem,
    change: Change,
) -> (pb::ExplanationRelaxationChange, String) {
    let agent_id = |agent: usize| &names.agents.list()[agent];
    match change {
        Change::Window { task, by_us } => {
            let id = &names.tasks.list()[task];
            let last = problem.tasks()[task].windows.len().saturating_sub(1);
            let field = format!("tasks[{task}].windows[{last}].close_offset");
            let words = format!("task {} may start {} later", shown(id), Time(by_us));
            (
                raised("WINDOW_LATER", id, field, seconds(by_us), "s"),
                words,
            )
        }
        Change::Shift { agent, by_us } => {
            let id = agent_id(agent);
            let field = format!("agents[{agent}].shift_end_offset");
            let words = format!("the shift of agent {} is {} longer", shown(id), Time(by_us));
            (
                raised("SHIFT_LONGER", id, field, seconds(by_us), "s"),
                words,
            )
        }
        Change::Capacity {
            agent,
            dimension,
            by,
        } => {
            let id = agent_id(agent);
            let field = format!("agents[{agent}].capacities[{dimension}]");
            let words = format!(
                "agent {} can carry {by} more in dimension {dimension}",
                shown(id)
            );
            (
                raised("CAPACITY_MORE", id, field, by as f64, "units"),
                words,
            )
        }
        Change::Skills { agent, learned } => learns(names, agent, learned),
        Change::Changes { by } => {
            let words = format!("{by} more of the previous plan's tasks may change their agent");
            let field = "previous_plan.max_changes".to_owned();
            (raised("CHANGES_MORE", "", field, by as f64, "tasks"), words)
        }
        Change::Agent { like } => {
            let id = agent_id(like);
            let words = format!("there is one agent more like {}", shown(id));
            (
                raised("AGENT_ADDED", id, "agents".into(), 1.0, "agents"),
                words,
            )
        }
        // The planner may add changes that have no text here yet.
        other => (
            raised("OTHER", "", String::new(), 0.0, ""),
            format!("{other:?}"),
        ),
    }
}

/// A number of an element that is increased.
fn raised(
    code: &str,
    id: &str,
    field: String,
    by: f64,
    unit: &str,
) -> pb::ExplanationRelaxationChange {
    pb::ExplanationRelaxationChange {
        code: code.into(),
        subject_id: id.into(),
        field,
        by: Some(by),
        unit: unit.into(),
        names: Vec::new(),
    }
}

fn learns(names: &Names, agent: usize, learned: u64) -> (pb::ExplanationRelaxationChange, String) {
    let bits = names.skills.iter().enumerate();
    let skills = bits.filter(|(bit, _)| learned >> bit & 1 == 1);
    let skills: Vec<String> = skills.map(|(_, name)| name.clone()).collect();
    let list: Vec<String> = skills.iter().map(|name| shown(name)).collect();
    let id = &names.agents.list()[agent];
    let change = pb::ExplanationRelaxationChange {
        code: "SKILLS_LEARNED".into(),
        subject_id: id.clone(),
        field: format!("agents[{agent}].skills"),
        names: skills,
        ..pb::ExplanationRelaxationChange::default()
    };
    (
        change,
        format!("agent {} learns {}", shown(id), list.join(", ")),
    )
}

fn seconds(micros: i64) -> f64 {
    micros as f64 / MICRO as f64
}
