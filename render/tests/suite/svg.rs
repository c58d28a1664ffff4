//! The SVG picture: exact for a tiny plan, safe for any.

use stratagem_proto::v1::{
    AllocationAgent, AllocationPlace, AllocationPlan, AllocationPoint, AllocationProblem,
    AllocationRoute, AllocationStop, AllocationTask, allocation_place::At,
};
use stratagem_render::allocation::scene;
use stratagem_render::time::from_micros;

fn svg(problem: &AllocationProblem, plan: &AllocationPlan) -> String {
    scene(problem, plan).svg()
}

fn place(x: f64, y: f64) -> Option<AllocationPlace> {
    Some(AllocationPlace {
        at: Some(At::Point(AllocationPoint { x, y })),
    })
}

fn task(id: &str, x: f64, y: f64) -> AllocationTask {
    AllocationTask {
        id: id.into(),
        place: place(x, y),
        ..AllocationTask::default()
    }
}

fn errand() -> (AllocationProblem, AllocationPlan) {
    let problem = AllocationProblem {
        title: "An <errand>".into(),
        agents: vec![AllocationAgent {
            id: "Ada".into(),
            start: place(0.0, 0.0),
            end: place(0.0, 0.0),
            ..AllocationAgent::default()
        }],
        tasks: vec![task("well", 10.0, 0.0), task("\"mill\"", 0.0, 5.0)],
        ..AllocationProblem::default()
    };
    let second = 1_000_000;
    let stop = AllocationStop {
        task_id: "well".into(),
        arrival_offset: Some(from_micros(10 * second)),
        start_offset: Some(from_micros(12 * second)),
        departure_offset: Some(from_micros(15 * second)),
        lateness_duration: None,
    };
    let plan = AllocationPlan {
        routes: vec![AllocationRoute {
            agent_id: "Ada".into(),
            stops: vec![stop],
            end_offset: Some(from_micros(25 * second)),
            travel_cost: 20.0,
            ..AllocationRoute::default()
        }],
        unserved_task_ids: vec!["\"mill\"".into()],
    };
    (problem, plan)
}

#[test]
fn routes_tasks_and_activities_are_where_they_belong() {
    let (problem, plan) = errand();
    let picture = svg(&problem, &plan);
    for part in [
        "<text x=\"16\" y=\"26\" class=\"title\">An &lt;errand&gt;</text>",
        // The map is 1,024 pixels wide for ten units; y points up.
        "points=\"28,536 1052,536 28,536\" class=\"bold pale\"",
        "<circle cx=\"1052\" cy=\"536\" r=\"5\" class=\"disc\" fill=\"hsl(0,65%,42%)\" \
         data-task=\"well\"><title>well</title></circle>",
        "<circle cx=\"28\" cy=\"24\" r=\"5\" class=\"disc\" fill=\"#fff\" \
         data-task=\"&quot;mill&quot;\"><title>&quot;mill&quot; (not done)</title></circle>",
        "<title>to well: 0s to 10s</title>",
        "<title>waits for well: 10s to 12s</title>",
        "<title>well: 12s to 15s</title>",
        "<title>to the end place: 15s to 25s</title>",
        ">Ada</text>",
    ] {
        assert!(picture.contains(part), "{part}\n{picture}");
    }
}

#[test]
fn the_document_stands_alone() {
    let (problem, plan) = errand();
    let picture = svg(&problem, &plan);
    assert!(picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    assert!(picture.ends_with("</svg>\n"));
    let rest = picture.replace("http://www.w3.org/2000/svg", "");
    for foreign in ["http", "<script", "href", "url(", "@import"] {
        assert!(!rest.contains(foreign), "{foreign}");
    }
}

#[test]
fn a_problem_without_points_has_a_timeline_only() {
    let (mut problem, plan) = errand();
    problem.tasks.clear();
    problem.agents[0].start = None;
    problem.agents[0].end = None;
    let picture = svg(&problem, &plan);
    assert!(!picture.contains("<circle"));
    assert!(picture.contains("<title>well: 12s to 15s</title>"));
}

#[test]
fn nothing_at_all_is_a_picture_too() {
    let picture = svg(&AllocationProblem::default(), &AllocationPlan::default());
    assert!(picture.ends_with("</svg>\n"));
}
