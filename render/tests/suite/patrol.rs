//! Pictures of patrols.

mod any;
pub(crate) mod keep;
mod several;

use crate::{NARROW, seconds};
use keep::{evaluation, plan, problem};
use stratagem_proto::v1::{PatrolEdge, PatrolPlan, PatrolProblem, PatrolSight, PatrolVertex};
use stratagem_render::patrol::{Drawn, scene};
use stratagem_render::text::TextOptions;

fn svg(problem: &PatrolProblem, drawn: Drawn<'_>) -> String {
    scene(problem, drawn).svg()
}

fn page(problem: &PatrolProblem, drawn: Drawn<'_>) -> String {
    scene(problem, drawn).html()
}

fn text(problem: &PatrolProblem, drawn: Drawn<'_>, options: &TextOptions) -> String {
    scene(problem, drawn).text(options)
}

fn animated_svg(problem: &PatrolProblem, drawn: Drawn<'_>) -> String {
    scene(problem, drawn).animated_svg()
}

fn golden(name: &str, text: &str) {
    crate::golden::check("patrol", name, text);
}

/// Everything that is known about the keep, given to `draw`.
fn keep<T>(draw: impl Fn(&PatrolProblem, Drawn<'_>) -> T) -> T {
    let (plan, evaluation) = (plan(), evaluation());
    let drawn = Drawn {
        plan: Some(&plan),
        evaluation: Some(&evaluation),
    };
    draw(&problem(), drawn)
}

/// Vertices in a ring, without points.
fn ring(count: usize) -> PatrolProblem {
    let vertex = |n: usize| PatrolVertex {
        id: n.to_string(),
        ..PatrolVertex::default()
    };
    let edge = |n: usize| PatrolEdge {
        from_vertex_id: n.to_string(),
        to_vertex_id: ((n + 1) % count).to_string(),
        ..PatrolEdge::default()
    };
    PatrolProblem {
        vertices: (0..count).map(vertex).collect(),
        edges: (0..count).map(edge).collect(),
        ..PatrolProblem::default()
    }
}

#[test]
fn documents_are_as_they_were() {
    golden("keep.svg", &keep(svg));
    golden("keep-moving.svg", &keep(animated_svg));
    golden("keep.html", &keep(page));
}

#[test]
fn texts_are_as_they_were() {
    golden("keep.txt", &keep(|p, d| text(p, d, &NARROW)));
    let ascii = TextOptions {
        ascii: true,
        width: 40,
        ..NARROW
    };
    let text = keep(|p, d| text(p, d, &ascii));
    golden("keep-ascii.txt", &text);
    assert!(text.is_ascii());
}

#[test]
fn colours_change_no_character() {
    let coloured = TextOptions {
        colour: true,
        ..NARROW
    };
    let mut bare = keep(|p, d| text(p, d, &coloured));
    assert!(bare.contains("\u{1b}["), "{bare}");
    for code in ["0", "1", "2", "31", "32", "33", "34", "35", "36"] {
        bare = bare.replace(&format!("\u{1b}[{code}m"), "");
    }
    assert_eq!(bare, keep(|p, d| text(p, d, &NARROW)));
}

#[test]
fn a_ring_without_points_is_drawn_as_one() {
    golden("ring.svg", &svg(&ring(9), Drawn::default()));
    let plan = PatrolPlan::default();
    let drawn = Drawn {
        plan: Some(&plan),
        ..Drawn::default()
    };
    golden("ring.txt", &text(&ring(9), drawn, &NARROW));
}

#[test]
fn all_guards_of_a_moving_picture_are_in_step() {
    let picture = keep(animated_svg);
    // Ada's round takes 13 s, Bert's, who is twice as fast, 10; the first begins when Ada is in the
    // yard, 3 s after Bert's began.
    assert_eq!(picture.matches("<animateTransform").count(), 2);
    for part in [
        "dur=\"6.5s\" begin=\"0s\"",
        "dur=\"5s\" begin=\"-1.5s\"",
        "keyTimes=\"0;0.15385;0.30769;0.69231;1\"",
    ] {
        assert!(picture.contains(part), "{part}\n{picture}");
    }
}

#[test]
fn routes_tell_when_guards_are_where() {
    let lines = keep(|p, d| text(p, d, &NARROW));
    let expected = "
a ada
  first  gate 0s +1s
  round of 13s  yard 3s → hall 5s +2s → tower 12s

b bert
  round of 10s  hall 0s +1s → cellar 3s +3s → crypt 7s → cellar 8s
";
    assert!(lines.contains(expected), "{lines}");
}

/// The keep, where guards rest in the hall, thieves want to pass the crypt, and one sees far.
fn wishful() -> PatrolProblem {
    let mut problem = problem();
    problem.vertices[2].pause_duration = seconds(2);
    problem.vertices[5].gap_duration = seconds(4);
    problem.vertices[0].seen_vertex_ids = vec!["yard".into(), "tower".into(), "nowhere".into()];
    problem.guards[1].start_vertex_id = "cellar".into();
    problem.guards[1].sights = vec![PatrolSight {
        vertex_id: "cellar".into(),
        seen_vertex_ids: vec!["crypt".into()],
    }];
    problem
}

#[test]
fn pauses_gaps_and_sights_are_drawn() {
    let (problem, plan) = (wishful(), plan());
    let drawn = Drawn {
        plan: Some(&plan),
        ..Drawn::default()
    };
    golden("wishes.svg", &svg(&problem, drawn));
    let wide = TextOptions {
        width: 120,
        ..NARROW
    };
    golden("wishes.txt", &text(&problem, drawn, &wide));
    let picture = svg(&problem, drawn);
    for part in [
        "class=\"dash\" fill=\"none\" stroke=\"#333\"><title>crypt: unseen for 4s once a round</title>",
        "<title>Great &lt;hall&gt;: guards stay 2s</title>",
        "<title>The gate; 2 other places are seen from here</title>",
        "class=\"thin pale\"",
        "class=\"spot\"",
        "dashed ring: out of sight",
    ] {
        assert!(picture.contains(part), "{part}\n{picture}");
    }
    let html = page(&problem, drawn);
    assert!(html.contains("Pauses, gaps and sight"), "{html}");
    let bare = svg(&keep::problem(), drawn);
    for part in [
        "class=\"dash\" fill=\"none\"",
        "class=\"thin pale\"",
        "class=\"spot\"",
        "dashed ring",
    ] {
        assert!(!bare.contains(part), "{part}");
    }
}

#[test]
fn what_is_not_known_is_not_drawn() {
    let bare = svg(&problem(), Drawn::default());
    assert!(
        !bare.contains("caught") && !bare.contains("<polygon"),
        "{bare}"
    );
    let bare = text(&problem(), Drawn::default(), &NARROW);
    assert!(
        !bare.contains("who comes by") && !bare.contains("tenths"),
        "{bare}"
    );
    let plan = plan();
    let drawn = Drawn {
        plan: Some(&plan),
        ..Drawn::default()
    };
    let map = text(&problem(), drawn, &NARROW);
    assert!(
        map.contains("guard routes") && !map.contains("tenths"),
        "{map}"
    );
}
