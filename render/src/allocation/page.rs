//! A plan as one page of HTML.

use super::moments;
use super::svg::{bars, untitled};
use crate::html::Page;
use crate::time::{micros, span_text};
use stratagem_proto::v1::{AllocationPlan, AllocationProblem, AllocationRoute, AllocationStop};

/// Stops that are listed: more are only counted.
const STOPS_MAX: usize = 6_000;

/// Returns a plan as one self-contained page of HTML, without scripts: the pictures of
/// [`super::svg`], unserved tasks, and a timetable for each agent. If the problem has points, a
/// slider moves the agents over the map. At most 6,000 stops are listed.
#[must_use]
pub fn page(problem: &AllocationProblem, plan: &AllocationPlan) -> String {
    let mut page = Page::new(&problem.title, &problem.description);
    page.heading("Who does what, when and where");
    match moments::picture(problem, plan) {
        Some((map, moments)) => {
            let caption = "Where everybody is: click on the strip, or use the arrow keys";
            page.slider("Moments", &moments, &map, caption);
            page.picture(&bars(problem, plan), "Each agent over time");
        }
        None => page.picture(&untitled(problem, plan), "Each agent over time"),
    }
    if !plan.unserved_task_ids.is_empty() {
        page.heading("What nobody does");
        page.list(&plan.unserved_task_ids);
    }
    page.heading("Agents");
    let mut room = STOPS_MAX;
    for route in &plan.routes {
        let rows: Vec<_> = route.stops.iter().take(room).map(row).collect();
        room -= rows.len();
        page.table(&route.agent_id, &["task", "there", "begins", "done"], &rows);
        page.paragraph(&end(route));
    }
    let stops: usize = plan.routes.iter().map(|route| route.stops.len()).sum();
    if stops > STOPS_MAX {
        page.paragraph(&format!("and {} more stops", stops - STOPS_MAX));
    }
    page.finish()
}

fn row(stop: &AllocationStop) -> Vec<String> {
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
    let end = route.end_offset.as_ref();
    end.map_or_else(String::new, |end| {
        format!(
            "{} is done after {}.",
            route.agent_id,
            span_text(micros(Some(end)))
        )
    })
}
