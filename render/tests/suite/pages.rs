//! Pages of HTML: whole, readable without eyes, and closed to the outside, whatever is on them.

use crate::narrative::json;
use crate::patrol::keep;
use stratagem_proto::v1::{
    AllocationAgent, AllocationPlace, AllocationPlan, AllocationPoint, AllocationProblem,
    AllocationRoute, AllocationStop, AllocationTask, NarrativeBound, NarrativeConflict,
    NarrativeConflictMember, TemporalConflict, TemporalConflictMember, TemporalEvent,
    TemporalNetwork, TemporalRequirementLink, TemporalSchedule, TemporalScheduledEvent,
    allocation_place, narrative_conflict_member,
};
use stratagem_render::time::from_micros;
use stratagem_render::{MOMENT, allocation, narrative, patrol, temporal};

const HOSTILE: &str = "<script src='x'>\"&</td>";

/// Elements without an end.
const VOID: [&str; 2] = ["meta", "input"];

/// The elements of a document with their attributes.
///
/// # Panics
/// When what begins does not end, or the other way round.
fn elements(page: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let page = page.strip_prefix("<!DOCTYPE html>").expect("a document");
    // Pages with a slider have one script, which is always the same.
    let parts = page.split_once("<script>").map(|(before, rest)| {
        let (script, after) = rest.split_once("</script>").expect("scripts end");
        assert!(script.starts_with(&MOMENT.replace("export ", "")));
        assert!(page.contains(" data-track=") && !after.contains("<script"));
        format!("{before}{after}")
    });
    let page = parts.unwrap_or_else(|| page.to_owned());
    let mut rest = page.as_str();
    while let Some((_, after)) = rest.split_once('<') {
        let (tag, after) = after.split_once('>').expect("tags end");
        let end = tag.strip_prefix('/');
        let name: String = end
            .unwrap_or(tag)
            .chars()
            .take_while(|c| c.is_alphanumeric())
            .collect();
        if end.is_some() {
            assert_eq!(open.pop().as_deref(), Some(name.as_str()), "{tag}");
        } else {
            all.push((name.clone(), tag[name.len()..].to_owned()));
            if !tag.ends_with('/') && !VOID.contains(&name.as_str()) {
                open.push(name);
            }
        }
        rest = after;
    }
    assert!(open.is_empty(), "{open:?}");
    all
}

fn check(page: &str, title: &str) {
    let all = elements(page);
    let named = |name: &'static str| all.iter().filter(move |e| e.0 == name);
    assert_eq!(named("h1").count(), 1);
    assert_eq!(named("main").count(), 1);
    assert!(named("html").all(|e| e.1.contains("lang=\"en\"")));
    assert!(page.contains(&format!("<title>{title}</title>")), "{title}");
    assert!(named("svg").count() > 0 && named("table").count() > 0);
    for picture in named("svg") {
        assert!(
            picture.1.contains("role=\"img\" aria-label=\""),
            "{picture:?}"
        );
    }
    assert_eq!(named("table").count(), named("caption").count());
    assert!(named("th").all(|e| e.1.contains("scope=\"col\"")));
    assert!(named("input").all(|e| e.1.contains("aria-label=\"")));
    // Nothing runs, nothing is fetched.
    assert!(
        named("script")
            .chain(named("link"))
            .chain(named("img"))
            .next()
            .is_none()
    );
    for (name, attributes) in &all {
        for outside in ["src=", "href=", "onload=", "onclick=", "url("] {
            assert!(
                !attributes.contains(&format!(" {outside}")),
                "{name} {attributes}"
            );
        }
    }
    assert!(!page.contains("@import") && !page.contains("url("));
}

#[test]
fn a_plan_of_agents_has_its_times_in_tables() {
    let at = |s: i64| Some(from_micros(s * 1_000_000));
    let stop = |task: &str, s: i64, late: i64| AllocationStop {
        task_id: task.into(),
        arrival_offset: at(s - 2),
        start_offset: at(s),
        departure_offset: at(s + 3),
        lateness_duration: at(late),
    };
    let problem = AllocationProblem {
        title: "An errand".into(),
        description: "To the well & back".into(),
        tasks: vec![AllocationTask::default()],
        ..AllocationProblem::default()
    };
    let plan = AllocationPlan {
        routes: vec![AllocationRoute {
            agent_id: HOSTILE.into(),
            stops: vec![stop("well", 12, 0), stop("mill", 60, 4)],
            end_offset: at(75),
            travel_cost: 20.0,
            ..AllocationRoute::default()
        }],
        unserved_task_ids: vec!["bridge".into()],
    };
    let page = allocation::scene(&problem, &plan).html();
    check(&page, "An errand");
    for part in [
        "<p>To the well &amp; back</p>",
        "<tr><td>well</td><td>10s</td><td>12s</td><td>15s</td></tr>",
        "<tr><td>mill</td><td>58s</td><td>1m, 4s late</td><td>1m03s</td></tr>",
        "is done after 1m15s.",
        "<li>bridge</li>",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    let nothing =
        allocation::scene(&AllocationProblem::default(), &AllocationPlan::default()).html();
    assert!(nothing.contains("<h1>untitled</h1>"), "{nothing}");
    elements(&nothing);
}

#[test]
fn agents_can_be_moved_through_time_over_the_map() {
    let at = |s: i64| Some(from_micros(s * 1_000_000));
    let place = |x: f64, y: f64| {
        let at = Some(allocation_place::At::Point(AllocationPoint { x, y }));
        Some(AllocationPlace { at })
    };
    let problem = AllocationProblem {
        title: "An errand".into(),
        tasks: vec![AllocationTask {
            id: "well".into(),
            place: place(8.0, 0.0),
            ..AllocationTask::default()
        }],
        agents: vec![AllocationAgent {
            id: HOSTILE.into(),
            start: place(0.0, 0.0),
            end: place(0.0, 0.0),
            ..AllocationAgent::default()
        }],
        ..AllocationProblem::default()
    };
    let plan = AllocationPlan {
        routes: vec![AllocationRoute {
            agent_id: HOSTILE.into(),
            stops: vec![AllocationStop {
                task_id: "well".into(),
                arrival_offset: at(8),
                start_offset: at(8),
                departure_offset: at(24),
                lateness_duration: None,
            }],
            end_offset: at(32),
            ..AllocationRoute::default()
        }],
        ..AllocationPlan::default()
    };
    let page = allocation::scene(&problem, &plan).html();
    check(&page, "An errand");
    // The map is 1,032 pixels wide inside its margins.
    for part in [
        " data-from=\"0\" data-to=\"32\" data-unit=\"\"",
        " data-track=\"0 24 24;8 1056 24;24 1056 24;32 24 24\"",
        " data-shown=\"24 ",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    // Without places there is no map, and nothing moves.
    let nowhere = allocation::scene(&AllocationProblem::default(), &plan).html();
    assert!(
        !nowhere.contains("<script") && !nowhere.contains("data-"),
        "{nowhere}"
    );
}

#[test]
fn a_network_has_its_events_and_links_in_tables() {
    let at = |s: i64| Some(from_micros(s * 1_000_000));
    let event = |id: &str| TemporalEvent {
        id: id.into(),
        ..TemporalEvent::default()
    };
    let network = TemporalNetwork {
        title: HOSTILE.into(),
        events: vec![event("leave"), event("arrive")],
        links: vec![TemporalRequirementLink {
            id: "ride".into(),
            from_event_id: "leave".into(),
            to_event_id: "arrive".into(),
            lower: at(10),
            upper: at(20),
        }],
        ..TemporalNetwork::default()
    };
    let title = "&lt;script src=&#39;x&#39;&gt;&quot;&amp;&lt;/td&gt;";
    let schedule = TemporalSchedule {
        events: vec![TemporalScheduledEvent {
            event_id: "arrive".into(),
            time_offset: at(15),
        }],
        ranges: Vec::new(),
    };
    let drawn = temporal::Drawn {
        schedule: Some(&schedule),
        conflict: None,
    };
    let page = temporal::scene(&network, drawn).html();
    check(&page, title);
    for part in [
        "<td>arrive</td><td>ours</td><td>at 15s</td>",
        "<td>ride</td><td>leave</td><td>arrive</td><td>10s to 20s</td><td>comes before</td>",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    let conflict = TemporalConflict {
        summary: "too slow".into(),
        members: vec![TemporalConflictMember {
            message: "the ride takes too long".into(),
            link_ids: vec!["ride".into()],
            ..TemporalConflictMember::default()
        }],
        ..TemporalConflict::default()
    };
    let drawn = temporal::Drawn {
        schedule: None,
        conflict: Some(&conflict),
    };
    let page = temporal::scene(&network, drawn).html();
    check(&page, title);
    for part in [
        "<p>too slow</p>",
        "<li>the ride takes too long</li>",
        "<td>10s to 20s</td><td>comes before</td><td>yes</td>",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
}

#[test]
fn a_narrative_has_a_picture_and_tables_for_each_storyline() {
    for (name, plan) in [
        ("dragon", include_str!("narrative/plans/dragon.json")),
        ("evening", include_str!("narrative/plans/evening.json")),
    ] {
        let (problem, plan) = (json::example(name), json::plan(plan));
        let drawn = narrative::Drawn {
            plan: Some(&plan),
            conflict: None,
        };
        let page = narrative::scene(&problem, drawn).html();
        check(&page, &narrative_title(&problem.title));
        let pictures = page.matches("<figure").count();
        // One for each duration that is divided, the tree of all and the story, too.
        let divided = if name == "evening" { 2 } else { 1 };
        assert_eq!(pictures, plan.policies.len() + 2 + divided, "{name}");
        let panels = page.matches("class=\"panel\"").count();
        assert_eq!(panels, plan.policies.len());
    }
}

#[test]
fn a_clash_is_said_in_lists_and_tables() {
    let bound = narrative_conflict_member::Rule::Bound(NarrativeBound {
        link_id: "search".into(),
        ..NarrativeBound::default()
    });
    let choice = narrative_conflict_member::Rule::ChoiceId("how".into());
    let conflict = NarrativeConflict {
        summary: "it takes too long".into(),
        members: [("the search lasts", bound), ("no option works", choice)]
            .map(|(message, rule)| NarrativeConflictMember {
                message: message.into(),
                rule: Some(rule),
            })
            .into(),
        ..NarrativeConflict::default()
    };
    let problem = json::example("vote");
    let drawn = narrative::Drawn {
        plan: None,
        conflict: Some(&conflict),
    };
    let page = narrative::scene(&problem, drawn).html();
    check(&page, &problem.title);
    for part in [
        "<li>it takes too long</li><li>the search lasts</li><li>no option works</li>",
        "<td>search</td><td>quest-given</td><td>The players have found the dragon</td>\
         <td>10m to 1h30m</td><td>the players</td><td>yes</td>",
        "<td>how</td><td>players choose</td><td>sword, magic, robbery</td><td>yes</td>",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
}

fn narrative_title(title: &str) -> String {
    title.replace('\'', "&#39;")
}

#[test]
fn a_patrol_has_its_routes_and_places_in_tables() {
    let (problem, plan, evaluation) = (keep::problem(), keep::plan(), keep::evaluation());
    let drawn = patrol::Drawn {
        plan: Some(&plan),
        evaluation: Some(&evaluation),
    };
    let page = patrol::scene(&problem, drawn).html();
    check(&page, "The keep &amp; its &lt;thieves&gt;");
    for part in [
        "<p>Who guards the cellar?</p>",
        "<tr><td>gate</td><td>The gate</td><td>0%</td><td>never seen</td><td>never seen</td></tr>",
        "<td>Great &lt;hall&gt;</td><td>5s</td><td>2s</td><td>round</td>",
        "From 3s on it goes round, once in 13s.",
        " data-cycle=\"13\"",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    assert_eq!(page.matches("<figure").count(), 2);
    let nothing = patrol::scene(&Default::default(), patrol::Drawn::default()).html();
    elements(&nothing);
}
