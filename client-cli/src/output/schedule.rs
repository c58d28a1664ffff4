//! Schedules for people.

use super::table::{Table, figures, printable, text};
use super::temporal::text_options;
use super::{Display, Style, numbers, solve};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use stratagem_proto::v1::{
    SchedulePlan, ScheduleProblem, ScheduleProjectResponse, ScheduledActivity,
};
use stratagem_render::schedule;
use stratagem_render::time::{micros, span_text};

/// The term that decides between plans.
pub const MAKESPAN: &str = "makespan";
/// Activities that are listed: more are only counted.
const ACTIVITIES_MAX: usize = 200;

/// What a problem consists of, in words.
#[must_use]
pub fn size(problem: &ScheduleProblem) -> String {
    let activities = problem.activities.len() as i64;
    let activities = match activities {
        1 => "1 activity".into(),
        _ => numbers::things(activities, "activities"),
    };
    let precedences = numbers::things(problem.precedences.len() as i64, "precedences");
    let resources = numbers::things(problem.resources.len() as i64, "resources");
    format!("{activities}, {precedences}, {resources}")
}

/// The names of the terms that decide between plans.
#[must_use]
pub fn deciding(_: &ScheduleProblem) -> Vec<String> {
    vec![MAKESPAN.into()]
}

/// Summary, times and chart of an answer, or the conflict.
#[must_use]
pub fn answer(
    display: &Display,
    problem: &ScheduleProblem,
    answer: &ScheduleProjectResponse,
) -> String {
    let report = answer.report.clone().unwrap_or_default();
    let title = match printable(&problem.title) {
        title if title.is_empty() => "Schedule".into(),
        title => title,
    };
    let title = display.styled(Style::Heading, &title);
    let mut out = format!("{title}  ({})\n\n", size(problem));
    out += &solve::summary(display, &report, &deciding(problem));
    if let Some(plan) = &answer.plan {
        let _ = write!(out, "\n{}", times(display, problem, plan));
        let chart = schedule::text(problem, Some(plan), &text_options(display));
        let _ = write!(out, "\n{chart}");
    }
    if let Some(explanation) = &report.explanation {
        let _ = writeln!(out, "\n{}", printable(&explanation.summary));
        for reason in &explanation.reasons {
            let _ = writeln!(out, "  {}", printable(&reason.message));
        }
    }
    out
}

/// When each activity takes place, in the order of their starts.
fn times(display: &Display, problem: &ScheduleProblem, plan: &SchedulePlan) -> String {
    let several = problem.activities.iter().filter(|it| it.modes.len() > 1);
    let several: BTreeSet<&str> = several.map(|it| &*it.id).collect();
    let mut table = Table::new(vec![
        text("ACTIVITY"),
        figures("START"),
        figures("END"),
        text("MODE"),
    ]);
    let mut all: Vec<_> = plan.activities.iter().collect();
    all.sort_by_key(|it| micros(it.start_offset.as_ref()));
    let time = |offset: &Option<_>| span_text(micros(offset.as_ref()));
    // A single mode needs no mention.
    let mode = |it: &ScheduledActivity| {
        let is_chosen = several.contains(it.activity_id.as_str());
        if is_chosen {
            it.mode_id.clone()
        } else {
            String::new()
        }
    };
    for it in all.iter().take(ACTIVITIES_MAX) {
        table.push(&[
            it.activity_id.clone(),
            time(&it.start_offset),
            time(&it.end_offset),
            mode(it),
        ]);
    }
    let mut out = table.text(display);
    if all.len() > ACTIVITIES_MAX {
        let _ = writeln!(out, "and {} more", all.len() - ACTIVITIES_MAX);
    }
    out
}
