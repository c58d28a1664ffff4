//! Which field of the request a problem's error is about.

mod couplings;

use crate::wire::mistakes::{Code, Mistake};
use crate::wire::path::Path;
use allocation::ProblemError as E;
use allocation::errors::Subject;

/// The mistake that this error is.
pub(super) fn mistake(error: &E, at: &Path<'_>) -> Mistake {
    let (field, code) = place(error);
    let field = match field.as_str() {
        "" => at.to_string(),
        field => format!("{at}.{field}"),
    };
    Mistake {
        field,
        code,
        description: error.to_string(),
    }
}

/// Path within the problem, and code.
fn place(error: &E) -> (String, Code) {
    match error {
        E::NoAgents => ("agents".into(), Code::Required),
        E::TooManyAgents { .. } => ("agents".into(), Code::TooMany),
        E::TooManyTasks { .. } => ("tasks".into(), Code::TooMany),
        E::TooManyLocations { .. } => ("travel.matrix.location_ids".into(), Code::TooMany),
        E::UnknownLocation { subject, .. } => (location(*subject), Code::Unknown),
        E::ShiftReversed { agent, .. } => (shift_end(*agent), Code::Reversed),
        E::ShiftOutOfRange { agent, .. } => (shift_end(*agent), Code::OutOfRange),
        E::SpeedOutOfRange { agent, .. } => (format!("agents[{agent}].speed"), Code::OutOfRange),
        E::TooManyDimensions { subject, .. } => (quantities(*subject), Code::TooMany),
        E::QuantityOutOfRange {
            subject, dimension, ..
        } => {
            let list = quantities(*subject);
            (format!("{list}[{dimension}]"), Code::OutOfRange)
        }
        E::DurationsNotSquare { .. } => ("travel.matrix.durations_us".into(), Code::WrongSize),
        E::CostsNotSquare { .. } => ("travel.matrix.costs_micro".into(), Code::WrongSize),
        E::DurationOutOfRange { index, .. } => {
            let field = format!("travel.matrix.durations_us[{index}]");
            (field, Code::OutOfRange)
        }
        E::CostOutOfRange { index, .. } => {
            let field = format!("travel.matrix.costs_micro[{index}]");
            (field, Code::OutOfRange)
        }
        E::Coupling(one) => couplings::place(one),
        other => task(other).unwrap_or_else(|| objective_or_previous(other)),
    }
}

fn task(error: &E) -> Option<(String, Code)> {
    let window = |task: usize, window: usize, field: &str, code| {
        (format!("tasks[{task}].windows[{window}]{field}"), code)
    };
    Some(match *error {
        E::ServiceOutOfRange { task, .. } => {
            (format!("tasks[{task}].service_duration"), Code::OutOfRange)
        }
        E::TooManyWindows { task, .. } => (format!("tasks[{task}].windows"), Code::TooMany),
        E::WindowReversed {
            task, window: w, ..
        } => window(task, w, ".close_offset", Code::Reversed),
        E::WindowOutOfRange { task, window: w } => window(task, w, "", Code::OutOfRange),
        E::WindowsOverlap {
            task, window: w, ..
        } => window(task, w, ".open_offset", Code::Overlap),
        E::LatenessOutOfRange { task, .. } => {
            let field = format!("tasks[{task}].max_lateness_duration");
            (field, Code::OutOfRange)
        }
        E::PenaltyOutOfRange { task, .. } => {
            (format!("tasks[{task}].drop_penalty"), Code::OutOfRange)
        }
        _ => return None,
    })
}

fn objective_or_previous(error: &E) -> (String, Code) {
    let term = |level: usize, position: usize, field: &str, code| {
        let field = format!("objective.levels[{level}].terms[{position}].{field}");
        (field, code)
    };
    let route =
        |route: usize, field: &str, code| (format!("previous_plan.routes[{route}].{field}"), code);
    match *error {
        E::TooManyLevels { .. } => ("objective.levels".into(), Code::TooMany),
        E::LevelEmpty { level } => (format!("objective.levels[{level}].terms"), Code::Required),
        E::TermRepeated {
            level, position, ..
        } => term(level, position, "kind", Code::Duplicate),
        E::WeightOutOfRange {
            level, position, ..
        } => term(level, position, "weight", Code::OutOfRange),
        E::LevelTooLarge { level } => (format!("objective.levels[{level}]"), Code::Overflow),
        E::PreviousAgentUnknown { route: r, .. } => route(r, "agent_id", Code::Unknown),
        E::PreviousAgentRepeated { route: r, .. } => route(r, "agent_id", Code::Duplicate),
        E::PreviousTaskUnknown {
            route: r, position, ..
        } => route(r, &format!("task_ids[{position}]"), Code::Unknown),
        E::PreviousTaskRepeated {
            route: r, position, ..
        } => route(r, &format!("task_ids[{position}]"), Code::Duplicate),
        E::StartedTooMany { route: r, .. } => route(r, "started_count", Code::OutOfRange),
        E::NowOutOfRange { .. } => ("now_offset".into(), Code::OutOfRange),
        // The planner may learn of more than we know a field for; its text says what it is.
        _ => (String::new(), Code::Contradiction),
    }
}

fn location(subject: Subject) -> String {
    match subject {
        Subject::Agent(agent) => format!("agents[{agent}].start"),
        Subject::Task(task) => format!("tasks[{task}].place"),
    }
}

fn shift_end(agent: usize) -> String {
    format!("agents[{agent}].shift_end_offset")
}

fn quantities(subject: Subject) -> String {
    match subject {
        Subject::Agent(agent) => format!("agents[{agent}].capacities"),
        Subject::Task(task) => format!("tasks[{task}].demands"),
    }
}
