//! Certificates on the wire.

use super::names::Names;
use crate::values::{Time, shown};
use allocation::certificate::{Certificate, CouplingId, Limit, Link, Proof, Row};
use allocation::problem::MICRO;
use incompatibilities::{described, row, shortfall};
use stratagem_proto::v1 as pb;

mod incompatibilities;

/// A certificate for the wire.
pub(crate) fn certificate(names: &Names, given: &Certificate) -> pb::ExplanationCertificate {
    let Certificate {
        tasks,
        left_out,
        proof,
    } = given;
    let statement = statement(names, proof);
    let message = match tasks[..] {
        [task] if !matches!(proof, Proof::Committed { .. }) => {
            format!(
                "no plan does task {}: {}",
                task_id(names, task),
                statement.why
            )
        }
        _ => format!(
            "no plan does all of {} tasks, each leaves out {left_out} at least: {}",
            tasks.len(),
            statement.why
        ),
    };
    let id = |task: &usize| names.tasks.list()[*task].clone();
    pb::ExplanationCertificate {
        code: statement.code.into(),
        message,
        subject_ids: tasks.iter().map(id).collect(),
        min_left_out: i32::try_from(*left_out).unwrap_or(i32::MAX),
        blocker_ids: agent_ids(names, &statement.agents),
        figures: statement.figures,
        steps: statement.rows,
    }
}

/// A proof on the wire.
#[derive(Default)]
struct Statement {
    code: &'static str,
    why: String,
    agents: Vec<usize>,
    figures: Vec<pb::ExplanationCertificateFigure>,
    rows: Vec<pb::ExplanationCertificateStep>,
}

fn statement(names: &Names, proof: &Proof) -> Statement {
    match proof {
        Proof::NoAgent { rows } => no_agent(names, rows),
        Proof::Load {
            agents,
            dimension,
            load,
            capacity,
        } => Statement {
            code: "TOTAL_LOAD",
            why: format!(
                "together they are {load} in dimension {dimension}, and the {} that can do any of \
                 them carry {capacity}",
                count(agents)
            ),
            agents: agents.clone(),
            figures: vec![
                figure("load", *load as f64, "units"),
                figure("capacity", *capacity as f64, "units"),
                figure("dimension", *dimension as f64, ""),
            ],
            ..Statement::default()
        },
        Proof::Clique { agents } => Statement {
            code: "CLIQUE",
            why: format!(
                "no two of them fit on one route, and {} can do any of them",
                count(agents)
            ),
            agents: agents.clone(),
            ..Statement::default()
        },
        Proof::Time { .. } => overtime(proof),
        Proof::Committed {
            agent,
            incompatibility,
        } => {
            let (code, why, figures) = described(names, *incompatibility);
            let who = shown(&names.agents.list()[*agent]);
            Statement {
                code: "UNDER_WAY",
                why: format!("agent {who} has them under way, but {why} ({code})"),
                agents: vec![*agent],
                figures,
                ..Statement::default()
            }
        }
        other => coupled(names, other),
    }
}

/// The statement of energetic reasoning: more work by a deadline than time.
fn overtime(proof: &Proof) -> Statement {
    let Proof::Time {
        agents,
        deadline_us,
        work_us,
        room_us,
    } = proof
    else {
        return Statement::default();
    };
    let why = format!(
        "they end by {} at the latest and take {} with the travel to them, and the {} that can do \
         any of them have {} until then",
        Time(*deadline_us),
        Time(*work_us),
        count(agents),
        Time(*room_us)
    );
    Statement {
        code: "TOTAL_TIME",
        why,
        agents: agents.clone(),
        figures: vec![
            figure("work", seconds(*work_us), "s"),
            figure("time", seconds(*room_us), "s"),
            figure("deadline", seconds(*deadline_us), "s"),
        ],
        ..Statement::default()
    }
}

/// The statement of a proof about couplings.
fn coupled(names: &Names, proof: &Proof) -> Statement {
    match proof {
        Proof::Group {
            group,
            members,
            agents,
        } => Statement {
            code: "GROUP_AGENTS",
            why: format!(
                "{} tasks of couplings.groups[{group}] start together, and {} can do any of them",
                members.len(),
                count(agents)
            ),
            agents: agents.clone(),
            ..Statement::default()
        },
        Proof::OneAgent { coupling, rows } => Statement {
            code: one_agent_code(*coupling),
            why: format!("no agent can do both tasks of {}", coupling.field()),
            rows: rows.iter().map(|one| row(names, one)).collect(),
            ..Statement::default()
        },
        Proof::Chain { links, limit } => chain(names, links, limit),
        Proof::Needs { path: steps, root } => {
            let root = statement(names, root);
            let last = steps
                .last()
                .map_or(String::new(), |(_, task)| task_id(names, *task));
            let step = |(coupling, task): &(CouplingId, usize)| pb::ExplanationCertificateStep {
                code: "NEEDS_TASK".into(),
                message: format!(
                    "by {} not without {}",
                    coupling.field(),
                    task_id(names, *task)
                ),
                subject_id: names.tasks.list()[*task].clone(),
                ..pb::ExplanationCertificateStep::default()
            };
            Statement {
                code: "NEEDS_TASK",
                why: format!("it is not done without task {last}: {}", root.why),
                rows: steps.iter().map(step).chain(root.rows).collect(),
                ..root
            }
        }
        // The planner may add proofs that have no text here yet.
        other => Statement {
            code: "OTHER",
            why: format!("{other:?}"),
            ..Statement::default()
        },
    }
}

/// The statement that no agent can do a task; if all rows are of one kind, by that kind.
fn no_agent(names: &Names, rows: &[Row]) -> Statement {
    let kind = |row: &Row| std::mem::discriminant(&row.incompatibility);
    let alike = rows.iter().all(|row| kind(row) == kind(&rows[0]));
    let mildest = rows.iter().min_by_key(|row| shortfall(row.incompatibility));
    let (code, why, figures) = match mildest {
        Some(mildest) if alike => described(names, mildest.incompatibility),
        _ => (
            "NOBODY",
            "each agent is excluded by one rule or another".into(),
            Vec::new(),
        ),
    };
    let whom = if alike {
        "the agent that comes closest "
    } else {
        ""
    };
    Statement {
        code,
        why: format!("{whom}{why}"),
        figures,
        rows: rows.iter().map(|one| row(names, one)).collect(),
        ..Statement::default()
    }
}

fn chain(names: &Names, links: &[Link], limit: &Limit) -> Statement {
    let last = links.last().map_or(0, |last| last.earliest_us);
    let (code, latest_us) = match (links.last().and_then(|last| last.by), limit) {
        (Some(by), Limit::Start { latest_us }) => (too_late_code(by), *latest_us),
        (_, Limit::Gap { latest_us, .. }) | (None, Limit::Start { latest_us }) => {
            ("ORDER_TOO_LATE", *latest_us)
        }
    };
    let step = |link: &Link| {
        let by = link.by.map_or("its agents".into(), CouplingId::field);
        let earliest = seconds(link.earliest_us);
        pb::ExplanationCertificateStep {
            code: "STARTS_AFTER".into(),
            message: format!(
                "by {by} task {} starts at {} at the earliest",
                task_id(names, link.task),
                Time(link.earliest_us)
            ),
            subject_id: names.tasks.list()[link.task].clone(),
            figures: vec![figure("earliest", earliest, "s")],
            ..pb::ExplanationCertificateStep::default()
        }
    };
    Statement {
        code,
        why: format!(
            "its couplings let it start at {} at the earliest, it must by {}",
            Time(last),
            Time(latest_us)
        ),
        figures: vec![
            figure("earliest", seconds(last), "s"),
            figure("latest", seconds(latest_us), "s"),
        ],
        rows: links.iter().map(step).collect(),
        ..Statement::default()
    }
}

/// Code where one agent has to do both tasks of a coupling and none can.
fn one_agent_code(coupling: CouplingId) -> &'static str {
    match coupling {
        CouplingId::Order(_) => "ORDER_AGENTS",
        CouplingId::Pair(_) | CouplingId::Group(_) => "PAIR_AGENTS",
    }
}

/// Code where a coupling makes a task too late.
fn too_late_code(coupling: CouplingId) -> &'static str {
    match coupling {
        CouplingId::Order(_) => "ORDER_TOO_LATE",
        CouplingId::Pair(_) => "PAIR_TOO_LATE",
        CouplingId::Group(_) => "GROUP_TOO_LATE",
    }
}

fn figure(name: &str, value: f64, unit: &str) -> pb::ExplanationCertificateFigure {
    pb::ExplanationCertificateFigure {
        name: name.into(),
        value,
        unit: unit.into(),
    }
}

fn count(agents: &[usize]) -> String {
    match agents.len() {
        1 => "1 agent".into(),
        count => format!("{count} agents"),
    }
}

fn seconds(micros: i64) -> f64 {
    micros as f64 / MICRO as f64
}

fn task_id(names: &Names, task: usize) -> String {
    shown(&names.tasks.list()[task])
}

fn agent_ids(names: &Names, agents: &[usize]) -> Vec<String> {
    let id = |agent: &usize| names.agents.list()[*agent].clone();
    agents.iter().map(id).collect()
}
