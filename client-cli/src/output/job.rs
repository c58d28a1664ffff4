//! Jobs, for people.

use super::objective::levels;
use super::table::{Table, figures, pairs, printable, text};
use super::{Display, Style, report as reports};
use formats::messages;
use stratagem_proto::v1::{
    Job, JobResponse, JobState, Objective, Priority, SolveReport, SolveStatus,
};
use stratagem_render::time::{micros, span_text};

/// A job that was accepted, or was there already.
#[must_use]
pub fn created(display: &Display, job: &Job, existed: bool) -> String {
    let id = printable(&job.job_id);
    let what = if existed {
        "is there already"
    } else {
        "is accepted"
    };
    let state = state(display, job);
    format!("job {id} {what}: {state}\nSee `stratagem job watch {id}`.\n")
}

/// All that is known about a job but its plan.
#[must_use]
pub fn described(display: &Display, job: &Job) -> String {
    let mut rows = vec![
        ("job", printable(&job.job_id)),
        ("state", state(display, job)),
        ("method", printable(method(job))),
    ];
    if !job.request_id.is_empty() {
        rows.push(("request", printable(&job.request_id)));
    }
    if !job.labels.is_empty() {
        rows.push(("labels", labels(job)));
    }
    rows.push(("priority", priority(job)));
    for (name, time) in [
        ("created", &job.create_time),
        ("started", &job.start_time),
        ("ended", &job.end_time),
        ("deadline", &job.deadline_time),
        ("forgotten", &job.expire_time),
    ] {
        if let Some(time) = time {
            rows.push((name, time.to_string()));
        }
    }
    if job.attempts > 1 {
        rows.push(("attempts", job.attempts.to_string()));
    }
    if let Some(length) = &job.search_duration {
        rows.push(("searched", span_text(micros(Some(length)))));
    }
    if let Some(error) = &job.error {
        let text = format!("{}: {}", error.reason, error.message);
        rows.push(("error", printable(&text)));
    }
    let report = of_response(job);
    rows.extend(found(job, report.as_ref()));
    let mut out = pairs(&rows, display.terminal_width);
    if job.response.is_some() {
        let id = printable(&job.job_id);
        out += &format!("\nThe plan: `stratagem job get {id} -o json`.\n");
    }
    out
}

/// The report of a job that has ended with a response.
#[must_use]
pub fn of_response(job: &Job) -> Option<SolveReport> {
    let response = job.response.as_ref().filter(|_| job.end_time.is_some());
    response.and_then(report)
}

/// What was found, by the response or by the last step.
fn found(job: &Job, report: Option<&SolveReport>) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    if let Some(report) = report {
        let status = report.status();
        let status = status.as_str_name().trim_start_matches("SOLVE_STATUS_");
        let why = reports::stopped(report, "answer");
        rows.push(("answer", format!("{status}; {why}")));
    }
    let step = job.progress.as_ref();
    let objective = match report {
        Some(report) => report.objective.as_ref(),
        None => step.and_then(|step| step.objective.as_ref()),
    };
    if let Some(objective) = objective {
        rows.push(("objective", terms(objective)));
    }
    let gap = match report {
        Some(report) => report.gap,
        None => step.and_then(|step| step.gap),
    };
    if let Some(gap) = gap {
        rows.push(("gap", format!("{:.2} %", 100.0 * gap)));
    }
    if let Some(report) = report {
        rows.extend(reports::effort(report));
    }
    rows
}

/// Jobs, one a line.
#[must_use]
pub fn listed(display: &Display, jobs: &[Job]) -> String {
    if jobs.is_empty() {
        return "no jobs\n".into();
    }
    let mut table = Table::new(vec![
        text("job"),
        text("state"),
        text("planner"),
        text("created"),
        figures("searched"),
        text("objective"),
        text("labels"),
    ]);
    for job in jobs {
        let searched = job.search_duration.as_ref();
        let objective = job.progress.as_ref().and_then(|it| it.objective.as_ref());
        table.push(&[
            job.job_id.clone(),
            word(job.state().as_str_name()),
            job.planner.clone(),
            job.create_time
                .map_or_else(String::new, |at| at.to_string()),
            searched.map_or_else(String::new, |it| span_text(micros(Some(it)))),
            objective.map_or_else(String::new, |it| levels(&it.levels)),
            labels(job),
        ]);
    }
    table.text(display)
}

/// The report in a response; absent before the job has ended.
#[must_use]
pub fn report(response: &JobResponse) -> Option<SolveReport> {
    let inner = messages::member(response)?;
    let report = inner.get_field_by_name("report")?;
    report.as_message()?.transcode_to().ok()
}

fn terms(objective: &Objective) -> String {
    let names: Vec<String> = objective.terms.iter().map(|it| it.name.clone()).collect();
    printable(&super::objective::brief(objective, &names))
}

/// The name of a state or priority, without what all of its kind begin with.
fn word(name: &str) -> String {
    let (_, word) = name.rsplit_once('_').unwrap_or(("", name));
    word.to_ascii_lowercase()
}

fn state(display: &Display, job: &Job) -> String {
    let state = job.state();
    let unsolved = of_response(job).is_some_and(|report| {
        !matches!(
            report.status(),
            SolveStatus::Optimal | SolveStatus::Feasible
        )
    });
    let style = match state {
        JobState::Succeeded if !unsolved => Style::Good,
        JobState::Failed | JobState::Expired => Style::Bad,
        _ => Style::Doubtful,
    };
    let mut text = display.styled(style, &word(state.as_str_name()));
    if job.cancel_requested && job.end_time.is_none() {
        text += ", is to end";
    }
    text
}

fn priority(job: &Job) -> String {
    let priority = match job.priority() {
        Priority::Unspecified => Priority::Normal,
        priority => priority,
    };
    word(priority.as_str_name())
}

fn labels(job: &Job) -> String {
    let label = |label: &stratagem_proto::v1::JobLabel| match label.value.as_str() {
        "" => label.key.clone(),
        value => format!("{}={value}", label.key),
    };
    let all: Vec<_> = job.labels.iter().map(label).collect();
    printable(&all.join(" "))
}

/// The method without its package.
fn method(job: &Job) -> &str {
    let name = job.method.rsplit('.').next();
    name.unwrap_or(&job.method)
}
