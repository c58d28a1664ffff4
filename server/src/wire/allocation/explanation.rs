//! Explanations on the wire: why tasks are left out.

use super::couplings::{coupling_field, one_agent_code, too_late_code};
use super::problem::{Gone, Names};
use crate::wire::values::shown;
use allocation::Release;
use allocation::certificate::CouplingId;
use allocation::explain::{Obstacle, Reason};
use allocation::problem::MICRO;
use stratagem_proto::v1 as pb;

/// Most reasons that are sent.
pub(super) const REASONS_MAX: usize = 1_000;

/// Reasons on the wire; `None`: there was no time to find them. `unserved` is the number of tasks
/// left out of the plan; `None`: there is no plan.
pub(crate) fn explanation(
    names: &Names,
    reasons: Option<&[Reason]>,
    unserved: Option<usize>,
) -> pb::Explanation {
    let all = reasons.unwrap_or_default();
    pb::Explanation {
        summary: match unserved {
            None => "no plan was found".into(),
            Some(1) => "1 task is in no route".into(),
            Some(unserved) => format!("{unserved} tasks are in no route"),
        },
        reasons: all
            .iter()
            .take(REASONS_MAX)
            .map(|one| reason(names, one))
            .collect(),
        truncated: reasons.is_none() || all.len() > REASONS_MAX,
        ..pb::Explanation::default()
    }
}

/// Texts for tasks under way that the agents cannot retain jointly.
const TOGETHER_PROVED: &str = "no plan has it together with what all other agents keep";
const TOGETHER: &str = "no plan was found that has it together with what all other agents keep";

/// An obstacle on the wire.
struct Described {
    code: &'static str,
    text: String,
    field: &'static str,
    shortfall: Option<(f64, &'static str)>,
}

fn reason(names: &Names, reason: &Reason) -> pb::ExplanationReason {
    let Reason {
        task,
        agent,
        obstacle,
        proved,
    } = reason;
    let mut about = described(names, obstacle);
    about.text += &now(names, *agent, obstacle);
    let who = agent.map(|agent| &names.agents.list()[agent]);
    let by = who.map_or("any agent".into(), |who| format!("agent {}", shown(who)));
    about.text = format!(
        "task {} by {by}: {}",
        shown(&names.tasks.list()[*task]),
        about.text
    );
    about.reason(names, *task, *agent, *proved)
}

/// The reason that an agent does not retain all tasks that it has under way.
pub(crate) fn released(names: &Names, release: &Release) -> pb::ExplanationReason {
    let Release {
        agent,
        retained,
        task,
        obstacle,
        proved,
    } = release;
    let mut about = match obstacle {
        Obstacle::NoPlace if *proved => plain("", TOGETHER_PROVED, ""),
        Obstacle::NoPlace => plain("", TOGETHER, ""),
        other => described(names, other),
    };
    let keeps = match retained {
        0 => "nothing that it has under way".into(),
        1 => "the first task that it has under way".into(),
        count => format!("the first {count} tasks that it has under way"),
    };
    about.text = format!(
        "agent {} cannot go on with task {}, which it has under way: {}; it keeps {keeps}",
        shown(&names.agents.list()[*agent]),
        shown(&names.tasks.list()[*task]),
        about.text
    );
    about.code = "STARTED_RELEASED";
    about.reason(names, *task, Some(*agent), *proved)
}

impl Described {
    /// A reason about a task and an agent, or all agents.
    fn reason(
        self,
        names: &Names,
        task: usize,
        agent: Option<usize>,
        proved: bool,
    ) -> pb::ExplanationReason {
        pb::ExplanationReason {
            code: self.code.into(),
            message: self.text,
            subject_id: names.tasks.list()[task].clone(),
            blocker_id: agent.map_or_else(String::new, |one| names.agents.list()[one].clone()),
            field: match self.field {
                "" => String::new(),
                field => format!("tasks[{task}].{field}"),
            },
            shortfall: self.shortfall.map(|s| s.0),
            unit: self.shortfall.map_or("", |s| s.1).into(),
            proved,
        }
    }
}

/// The note that something of the previous plan is passed over.
pub(crate) fn passed_over(gone: &Gone) -> pb::ExplanationReason {
    let Gone {
        id,
        route,
        position,
    } = gone;
    let (code, what, field) = match position {
        None => ("PREVIOUS_AGENT_GONE", "agent", "agent_id".into()),
        Some(position) => (
            "PREVIOUS_TASK_GONE",
            "task",
            format!("task_ids[{position}]"),
        ),
    };
    pb::ExplanationReason {
        code: code.into(),
        message: format!(
            "the previous plan names {what} {}, which the problem does not have: it is passed over",
            shown(id)
        ),
        subject_id: id.clone(),
        field: format!("previous_plan.routes[{route}].{field}"),
        proved: true,
        ..pb::ExplanationReason::default()
    }
}

fn seconds(micros: i64) -> f64 {
    micros as f64 / MICRO as f64
}

fn plain(code: &'static str, text: &str, field: &'static str) -> Described {
    Described {
        code,
        text: text.into(),
        field,
        shortfall: None,
    }
}

fn lacking(names: &Names, missing: u64) -> String {
    let bits = names.skills.iter().enumerate();
    let lacks = bits.filter(|(bit, _)| missing >> bit & 1 == 1);
    let lacks: Vec<_> = lacks.map(|(_, name)| shown(name)).collect();
    format!("lacks {}", lacks.join(", "))
}

fn described(names: &Names, obstacle: &Obstacle) -> Described {
    match *obstacle {
        Obstacle::MissingSkill { missing } => plain(
            "SKILLS_MISSING",
            &lacking(names, missing),
            "required_skills",
        ),
        Obstacle::Capacity {
            dimension,
            shortfall,
        } => Described {
            code: "CAPACITY_EXCEEDED",
            text: format!("{shortfall} more than it can carry in dimension {dimension}"),
            field: "demands",
            shortfall: Some((shortfall as f64, "units")),
        },
        Obstacle::TotalLoad {
            dimension,
            shortfall,
        } => Described {
            code: "TOTAL_LOAD",
            text: format!(
                "all mandatory tasks are {shortfall} more than all agents can carry in dimension \
                 {dimension}"
            ),
            field: "demands",
            shortfall: Some((shortfall as f64, "units")),
        },
        Obstacle::Unreachable => plain("UNREACHABLE", "there is no way", "place"),
        Obstacle::Changes => plain(
            "TOO_MANY_CHANGES",
            "would change the previous plan more than max_changes allows",
            "",
        ),
        Obstacle::Price => plain(
            "PRICE",
            "fits, but doing it costs no less than leaving it out",
            "drop_penalty",
        ),
        Obstacle::Fits => plain("FITS", "fits: the search has not come to it", ""),
        Obstacle::Untested => plain(
            "UNTESTED",
            "was not tried: too many tasks are left out of too long routes",
            "",
        ),
        ref other => coupled(names, other).unwrap_or_else(|| late(other)),
    }
}

/// The description of an obstacle of couplings.
fn coupled(names: &Names, obstacle: &Obstacle) -> Option<Described> {
    let plain = |code, text: String| Described {
        code,
        text,
        field: "",
        shortfall: None,
    };
    Some(match *obstacle {
        Obstacle::Needs { task } => {
            let id = shown(&names.tasks.list()[task]);
            plain(
                "NEEDS_TASK",
                format!("cannot be done without task {id}, which is not"),
            )
        }
        Obstacle::OneAgent { by } => plain(
            one_agent_code(by),
            format!("nobody can do both tasks of {}", coupling_field(by)),
        ),
        Obstacle::GroupAgents { group } => plain(
            "GROUP_AGENTS",
            format!("too few agents can do the tasks of couplings.groups[{group}]"),
        ),
        Obstacle::LateTogether { shortfall_us } => Described {
            code: "LATE_TOGETHER",
            text: format!(
                "it and the tasks that it goes with would have to start {} s later than they may, \
                 added up",
                seconds(shortfall_us)
            ),
            field: "windows",
            shortfall: Some((seconds(shortfall_us), "s")),
        },
        Obstacle::NoPlace => plain(
            "NO_PLACE",
            "fits nowhere in the plan with the tasks that it goes with".into(),
        ),
        Obstacle::CouplingTime {
            by,
            earliest_us,
            latest_us,
        } => pushed(by, earliest_us, latest_us),
        _ => return None,
    })
}

/// The description of a start that a coupling makes too late.
fn pushed(by: CouplingId, earliest_us: i64, latest_us: i64) -> Described {
    let (earliest, latest) = (seconds(earliest_us), seconds(latest_us));
    Described {
        code: too_late_code(by),
        text: format!(
            "{} lets it start at {earliest} s at the earliest, it must by {latest} s",
            coupling_field(by)
        ),
        field: "windows",
        shortfall: Some((seconds(earliest_us - latest_us), "s")),
    }
}

/// The current time, if the agent, or any, is too late because it waits for now.
fn now(names: &Names, agent: Option<usize>, obstacle: &Obstacle) -> String {
    let waits = match agent {
        Some(agent) => names.waits.get(agent).copied().unwrap_or_default(),
        None => names.waits.contains(&true),
    };
    if waits && matches!(obstacle, Obstacle::Window { .. } | Obstacle::Shift { .. }) {
        format!("; now is {} s", seconds(names.now_us))
    } else {
        String::new()
    }
}

/// The description of an obstacle of time.
fn late(obstacle: &Obstacle) -> Described {
    let (code, text, field, shortfall_us) = match *obstacle {
        Obstacle::Window {
            arrival_us,
            latest_us,
        } => {
            let (arrival, latest) = (seconds(arrival_us), seconds(latest_us));
            let text = format!("arrives at {arrival} s at the earliest, must start by {latest} s");
            ("WINDOW_MISSED", text, "windows", arrival_us - latest_us)
        }
        Obstacle::Shift { shortfall_us } => {
            let late = seconds(shortfall_us);
            let text = format!("done {late} s after the shift ends");
            ("SHIFT_EXCEEDED", text, "service_duration", shortfall_us)
        }
        Obstacle::NoRoom { shortfall_us } => {
            let late = seconds(shortfall_us);
            let text = format!("each place on the route makes something {late} s too late");
            ("NO_ROOM", text, "windows", shortfall_us)
        }
        // The planner may add obstacles that have no text here yet.
        ref other => return plain("OTHER", &format!("{other:?}"), ""),
    };
    Described {
        code,
        text,
        field,
        shortfall: Some((seconds(shortfall_us), "s")),
    }
}

#[cfg(test)]
mod tests;
