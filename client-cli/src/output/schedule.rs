//! Schedules for people.

use super::table::{Table, figures, printable, text};
use super::temporal::text_options;
use super::{Display, heading, solve};
use std::collections::HashMap;
use std::fmt::Write as _;
use stratagem_proto::v1::{
    ScheduleActivity, SchedulePlan, ScheduleProblem, ScheduleProjectResponse,
};
use stratagem_render::schedule;
use stratagem_render::time::{micros, span_text};

/// Activities that are listed: more are only counted.
const ACTIVITIES_MAX: usize = 200;

/// The names of the terms that decide between plans.
#[must_use]
pub fn deciding(_: &ScheduleProblem) -> Vec<String> {
    vec!["makespan".into()]
}

/// Summary, times and chart of an answer, or the conflict.
#[must_use]
pub fn answer(
    display: &Display,
    problem: &ScheduleProblem,
    answer: &ScheduleProjectResponse,
) -> String {
    let report = answer.report.clone().unwrap_or_default();
    let mut out = heading(display, problem) + "\n";
    out += &solve::summary(display, &report, &deciding(problem));
    if let Some(plan) = &answer.plan {
        let _ = write!(out, "\n{}", times(display, problem, plan));
        let chart = schedule::scene(problem, Some(plan))
            .untitled()
            .text(&text_options(display));
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
    let activities = problem.activities.iter().map(|it| (&*it.id, it));
    let activities: HashMap<&str, &ScheduleActivity> = activities.collect();
    let has_several = |it: &ScheduleActivity| it.modes.len() > 1;
    let mut columns = vec![text("ACTIVITY"), figures("START"), figures("END")];
    let is_mode_shown = problem.activities.iter().any(has_several);
    columns.extend(is_mode_shown.then(|| text("MODE")));
    let mut table = Table::new(columns);
    let mut all: Vec<_> = plan.activities.iter().collect();
    all.sort_by_key(|it| micros(it.start_offset.as_ref()));
    let time = |offset: &Option<_>| span_text(micros(offset.as_ref()));
    for it in all.iter().take(ACTIVITIES_MAX) {
        let activity = activities.get(&*it.activity_id).copied();
        let label = activity.map(|it| &it.label).filter(|it| !it.is_empty());
        let name = label.unwrap_or(&it.activity_id).clone();
        let mut row = vec![name, time(&it.start_offset), time(&it.end_offset)];
        // A single mode needs no mention.
        if activity.is_some_and(has_several) {
            row.push(it.mode_id.clone());
        }
        table.push(&row);
    }
    let mut out = table.text(display);
    if all.len() > ACTIVITIES_MAX {
        let _ = writeln!(out, "and {} more", all.len() - ACTIVITIES_MAX);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use stratagem_proto::v1::{ScheduleMode, ScheduledActivity};

    #[test]
    fn labels_stand_for_ids_and_modes_are_a_column_where_one_is_chosen() {
        let activity = |id: &str, label: &str| ScheduleActivity {
            id: id.into(),
            label: label.into(),
            modes: vec![ScheduleMode::default()],
            ..ScheduleActivity::default()
        };
        let placed = |id: &str| ScheduledActivity {
            activity_id: id.into(),
            mode_id: "1".into(),
            ..ScheduledActivity::default()
        };
        let mut problem = ScheduleProblem {
            activities: vec![activity("a", "Dig"), activity("b", "")],
            ..ScheduleProblem::default()
        };
        let plan = SchedulePlan {
            activities: vec![placed("a"), placed("b")],
            ..SchedulePlan::default()
        };
        let table = |problem: &_| times(&Display::PLAIN, problem, &plan);
        let expected = "ACTIVITY  START  END\nDig          0s   0s\nb            0s   0s\n";
        assert_eq!(table(&problem), expected);
        problem.activities[0].modes.push(ScheduleMode::default());
        let expected = "\
ACTIVITY  START  END  MODE
Dig          0s   0s  1
b            0s   0s
";
        assert_eq!(table(&problem), expected);
    }
}
