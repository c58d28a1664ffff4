//! Schedules of projects: a Gantt chart, and how much of each resource is held.

mod placed;

use crate::picture::{Drawable, Response, Selection};
use crate::scene::{Bar, Chart, Ink, On, Panel, Picture, Row, Scene, Segment, colour, row, table};
use crate::time::span_text;
use placed::{Placed, amounts, earliest, name, planned};
use std::collections::HashMap;
use stratagem_proto::v1::{SchedulePlan, ScheduleProblem};

/// Activities that are drawn and listed: more are only counted.
const ROWS_MAX: usize = 2_000;
/// What is drawn without a plan.
const EARLIEST: &str = "earliest times in the first modes, without regard to resources; end";

/// Returns the scene of a schedule: a bar for each activity in the order of their starts, and how
/// much of each resource is held, with its capacity; what exceeds it is red. Without a plan the
/// bars are at the earliest times that precedences allow in the first modes.
#[must_use]
pub fn scene(problem: &ScheduleProblem, plan: Option<&SchedulePlan>) -> Scene {
    let (mut placed, what) = match plan {
        Some(plan) => (planned(problem, plan), "makespan"),
        None => match earliest(problem) {
            (placed, true) => (placed, EARLIEST),
            (placed, false) => (placed, "the precedences conflict; drawn up to"),
        },
    };
    placed.sort_by_key(|it| it.start_us);
    let names: HashMap<&str, &str> = { problem.resources.iter() }
        .map(|it| (&*it.id, name(&it.label, &it.id)))
        .collect();
    let last = placed.iter().map(Placed::end_us).max().unwrap_or(0);
    let bars = placed.iter().take(ROWS_MAX).enumerate();
    let bars = bars.map(|(n, it)| bar(it, &names, n));
    let amounts = amounts(problem, &placed);
    let held = problem.resources.iter().zip(&amounts);
    let held = held.map(|(resource, amounts)| Row {
        name: name(&resource.label, &resource.id).to_owned(),
        amounts: Some(amounts.clone()),
        ..Row::default()
    });
    let chart = Chart {
        rows: bars.chain(held.filter(|_| !placed.is_empty())).collect(),
        horizon: (0, last),
        notes: vec![format!("{what} {}", span_text(last))],
        empty: "no activities",
        more: (placed.len().saturating_sub(ROWS_MAX), "activities"),
        ..Chart::default()
    };
    let mut scene = Scene::new(&problem.title, &problem.description);
    scene.push(
        On::All,
        Picture {
            caption: "Activities over time, and how much of each resource is held".into(),
            panels: vec![Panel::Chart(chart)],
            clock: None,
        },
    );
    let rows = placed.iter().map(|it| {
        vec![
            name(&it.activity.label, &it.activity.id).to_owned(),
            span_text(it.start_us),
            span_text(it.end_us()),
            it.mode_id().into_owned(),
            it.demands(&names),
        ]
    });
    let head = ["activity", "start", "end", "mode", "holds"];
    scene.push(On::Page, table("Activities", &head, rows, ROWS_MAX));
    let rows = problem.resources.iter().zip(&amounts).map(|(it, held)| {
        let name = name(&it.label, &it.id).to_owned();
        vec![name, held.limit.to_string(), held.peak().to_string()]
    });
    let head = ["resource", "capacity", "peak"];
    scene.push(On::Page, table("Resources", &head, rows, ROWS_MAX));
    scene
}

/// The row of an activity.
fn bar(it: &Placed<'_>, names: &HashMap<&str, &str>, n: usize) -> Row {
    let name = name(&it.activity.label, &it.activity.id);
    let (start, end) = (span_text(it.start_us), span_text(it.end_us()));
    let mut tip = format!("{name}: {start} to {end}");
    let (mode, demands) = (it.mode_id(), it.demands(names));
    for (what, text) in [("mode", &*mode), ("holds", &demands)] {
        if !text.is_empty() {
            tip += &format!(", {what} {text}");
        }
    }
    let ink = Ink::new(&colour(n), 0.8, ['█', '='], "32");
    let single = if it.end_us() == it.start_us {
        ['│', '|']
    } else {
        ['█', '=']
    };
    let segment = Segment {
        span: (it.start_us, it.end_us()),
        ink: ink.kept(['█', '='], single),
        label: String::new(),
        tip,
    };
    let bar = Bar {
        segments: vec![segment],
        ..Bar::default()
    };
    row(name, vec![bar])
}

impl Drawable for ScheduleProblem {
    fn scene(&self, response: Option<&Response>, _: Selection) -> Option<Scene> {
        let plan = match response {
            Some(Response::ScheduleProject(found)) => found.plan.as_ref(),
            _ => None,
        };
        Some(scene(self, plan))
    }
}
