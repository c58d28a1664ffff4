//! Allocation: what each agent does, when and where.

mod activity;
mod map;

use crate::picture::{Drawable, Response, Selection};
use crate::scene::{
    Bar, Chart, Clock, Content, Ink, Key, On, Panel, Picture, Row as ChartRow, Scene, Segment,
    colour, key, row, table,
};
use crate::time::{micros, span_text};
use activity::{Activity, Kind, Row, horizon, rows};
use std::collections::BTreeSet;
use stratagem_proto::v1::{AllocationPlan, AllocationProblem, AllocationRoute, AllocationStop};

/// Stops that are listed: more are only counted.
const STOPS_MAX: usize = 6_000;
/// Seconds in which a whole plan is shown.
const SECONDS: f64 = 16.0;

/// Returns the scene of a plan: a map where the problem has points, with agents that move; a row of
/// each agent over time; unserved tasks, and a timetable of each agent. Tasks that nobody does are
/// hollow, dotted lines join tasks that are coupled. At most 6,000 stops are listed.
#[must_use]
pub fn scene(problem: &AllocationProblem, plan: &AllocationPlan) -> Scene {
    let rows = rows(problem, plan);
    let mut scene = Scene::new(&problem.title, &problem.description);
    let map = map::drawing(problem, plan, &rows);
    let (from_us, to_us) = horizon(&rows);
    let clock = map
        .as_ref()
        .and_then(|_| Clock::of_time([from_us, to_us], SECONDS));
    let chart = Chart {
        has_hand: clock.is_some(),
        ..chart(problem, plan, &rows)
    };
    let panels = map.map(Panel::Drawing).into_iter();
    let caption = "Each agent on the map and over time";
    scene.push(
        On::All,
        Picture {
            caption: caption.into(),
            panels: panels.chain([Panel::Chart(chart)]).collect(),
            clock,
        },
    );
    if !plan.unserved_task_ids.is_empty() {
        scene.push(On::Page, Content::Heading("Unserved tasks".into()));
        scene.push(On::Page, Content::List(plan.unserved_task_ids.clone()));
    }
    timetables(&mut scene, plan);
    scene
}

fn chart(problem: &AllocationProblem, plan: &AllocationPlan, rows: &[Row<'_>]) -> Chart {
    let busy: BTreeSet<_> = plan.routes.iter().map(|r| r.agent_id.as_str()).collect();
    let ids = problem.agents.iter().map(|a| a.id.as_str());
    let idle: Vec<_> = ids.filter(|id| !busy.contains(id)).collect();
    let idle = (!idle.is_empty() && !rows.is_empty()).then(|| ChartRow {
        name: "idle".into(),
        words: idle.join(", "),
        ..ChartRow::default()
    });
    let now_us = micros(problem.now_offset.as_ref());
    let drawn = rows.iter().enumerate();
    let drawn = drawn.map(|(n, it)| {
        let segments = it.activities.iter().map(|activity| segment(activity, n));
        let bar = Bar {
            segments: segments.collect(),
            ..Bar::default()
        };
        row(it.agent, vec![bar])
    });
    Chart {
        rows: drawn.chain(idle).collect(),
        horizon: horizon(rows),
        now: (now_us > 0).then_some(now_us),
        keys: keys(rows),
        empty: "no agent has a task",
        ..Chart::default()
    }
}

/// What agent `n` does.
fn segment(it: &Activity<'_>, n: usize) -> Segment {
    let (ink, what) = match it.kind {
        Kind::Travel if it.task.is_empty() => (
            Ink::new("#999", 0.12, ['─', '-'], "2"),
            "to the end place".into(),
        ),
        Kind::Travel => (
            Ink::new("#999", 0.12, ['─', '-'], "2"),
            format!("to {}", it.task),
        ),
        Kind::Wait => (
            Ink::new("#d8d8d8", 0.45, ['·', '.'], "33"),
            format!("waits for {}", it.task),
        ),
        Kind::Rest => (
            Ink::new("#9cf", 0.45, ['~', 'z'], "36"),
            format!("break {}", it.task),
        ),
        Kind::Work => {
            let first = ['▐', '['];
            let ink = Ink::new(&colour(n), 0.9, ['█', '#'], "32");
            (ink.kept(first, first), it.task.to_owned())
        }
        Kind::LateWork => {
            let first = ['!', '!'];
            let ink = Ink::new("#d00", 0.9, ['█', '#'], "31");
            (ink.kept(first, first), format!("{} (late)", it.task))
        }
    };
    let is_work = it.kind >= Kind::Work;
    let (from, to) = (span_text(it.from_us), span_text(it.to_us));
    Segment {
        span: (it.from_us, it.to_us),
        ink,
        label: if is_work { it.task } else { "" }.to_owned(),
        tip: format!("{what}: {from} to {to}"),
    }
}

/// What the characters mean, breaks and late marks only where there are any.
fn keys(rows: &[Row<'_>]) -> Vec<Key> {
    let any = |kind| {
        let mut activities = rows.iter().flat_map(|row| &row.activities);
        activities.any(|activity| activity.kind == kind)
    };
    let keys = [
        (true, key(["▐█", "[#"], "", "work")),
        (true, key(["──", "--"], "#999", "travel")),
        (true, key(["··", ".."], "#d8d8d8", "wait")),
        (any(Kind::Rest), key(["~~", "zz"], "#9cf", "break")),
        (any(Kind::LateWork), key(["!█", "!#"], "#d00", "late")),
    ];
    let keys = keys.into_iter().filter(|(is_there, _)| *is_there);
    keys.map(|(_, key)| key).collect()
}

fn timetables(scene: &mut Scene, plan: &AllocationPlan) {
    scene.push(On::Page, Content::Heading("Agents".into()));
    let mut room = STOPS_MAX;
    for route in &plan.routes {
        let stops = route.stops.iter().map(stop);
        let head = ["task", "there", "begins", "done"];
        let stops = table(&route.agent_id, &head, stops, room);
        room -= stops.rows.len();
        scene.push(On::Page, stops);
        scene.push(On::Page, Content::Paragraph(end(route)));
    }
}

fn stop(stop: &AllocationStop) -> Vec<String> {
    let late = micros(stop.lateness_duration.as_ref());
    let begins = span_text(micros(stop.start_offset.as_ref()));
    vec![
        stop.task_id.clone(),
        span_text(micros(stop.arrival_offset.as_ref())),
        match late {
            0 => begins,
            late => format!("{begins}, {} late", span_text(late)),
        },
        span_text(micros(stop.departure_offset.as_ref())),
    ]
}

fn end(route: &AllocationRoute) -> String {
    let end = route.end_offset.as_ref().map(|end| micros(Some(end)));
    let end = end.map(|end| format!("{} is done after {}.", route.agent_id, span_text(end)));
    end.unwrap_or_default()
}

impl Drawable for AllocationProblem {
    fn scene(&self, response: Option<&Response>, _: Selection) -> Option<Scene> {
        let none = AllocationPlan::default();
        let plan = match response {
            Some(Response::AllocateTasks(found)) => found.plan.as_ref(),
            _ => None,
        };
        Some(scene(self, plan.unwrap_or(&none)))
    }
}
