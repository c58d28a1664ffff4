//! The terminal timeline, character by character.

use stratagem_proto::v1::{
    AllocationAgent, AllocationPlan, AllocationProblem, AllocationRest, AllocationRoute,
    AllocationStop,
};
use stratagem_render::allocation::scene;
use stratagem_render::text::TextOptions;
use stratagem_render::time::from_micros;

fn timeline_text(
    problem: &AllocationProblem,
    plan: &AllocationPlan,
    options: &TextOptions,
) -> String {
    scene(problem, plan).text(options)
}

fn seconds(s: f64) -> Option<prost_types::Duration> {
    Some(from_micros((s * 1e6).round() as i64))
}

fn agent(id: &str) -> AllocationAgent {
    AllocationAgent {
        id: id.into(),
        ..AllocationAgent::default()
    }
}

/// Task, arrival, start, departure and lateness, in seconds.
type Stop<'a> = (&'a str, f64, f64, f64, f64);

fn route(agent: &str, stops: &[Stop<'_>], end: f64) -> AllocationRoute {
    let stop = |(task, arrival, start, departure, late): &Stop<'_>| AllocationStop {
        task_id: (*task).into(),
        arrival_offset: seconds(*arrival),
        start_offset: seconds(*start),
        departure_offset: seconds(*departure),
        lateness_duration: seconds(*late),
    };
    AllocationRoute {
        agent_id: agent.into(),
        stops: stops.iter().map(stop).collect(),
        end_offset: seconds(end),
        ..AllocationRoute::default()
    }
}

/// Two agents at work, the second late at its second task, and a third one idle.
fn evening() -> (AllocationProblem, AllocationPlan) {
    let problem = AllocationProblem {
        agents: vec![agent("Marta"), agent("Tom"), agent("Odo")],
        ..AllocationProblem::default()
    };
    let plan = AllocationPlan {
        routes: vec![
            route(
                "Marta",
                &[
                    ("stew", 5.0, 10.0, 25.0, 0.0),
                    ("keg of ale", 30.0, 30.0, 35.0, 0.0),
                ],
                40.0,
            ),
            route(
                "Tom",
                &[
                    ("bard", 10.0, 10.0, 20.0, 0.0),
                    ("hearth", 20.0, 20.0, 32.0, 2.0),
                ],
                32.0,
            ),
        ],
        unserved_task_ids: Vec::new(),
    };
    (problem, plan)
}

fn text(options: TextOptions) -> String {
    let (problem, plan) = evening();
    timeline_text(&problem, &plan, &options)
}

/// Five columns of name, one blank, a column for each second.
const SECOND_WIDE: TextOptions = TextOptions {
    width: 46,
    ascii: false,
    colour: false,
};

#[test]
fn a_small_plan_is_drawn_second_by_second() {
    let expected = "      \
0s        10s       20s       30s
      ┬─────────┬─────────┬─────────┬─────────
Marta ─────·····▐stew██████████─────▐████─────
Tom   ──────────▐bard█████!hearth█████
idle  Odo
▐█ work  ── travel  ·· wait  !█ late
";
    assert_eq!(text(SECOND_WIDE), expected);
}

#[test]
fn ascii_uses_nothing_else() {
    let ascii = text(TextOptions {
        ascii: true,
        ..SECOND_WIDE
    });
    let expected = "      0s        10s       20s       30s
      +---------+---------+---------+---------
Marta -----.....[stew##########-----[####-----
Tom   ----------[bard#####!hearth#####
idle  Odo
[# work  -- travel  .. wait  !# late
";
    assert_eq!(ascii, expected);
    assert!(ascii.is_ascii());
}

#[test]
fn a_narrow_terminal_rounds_to_its_columns() {
    let narrow = text(TextOptions {
        width: 40,
        ..SECOND_WIDE
    });
    let expected = "      \
0s          15s          30s
      ┬───────────┬────────────┬────────
Marta ────····▐stew█████████───▐████────
Tom   ────────▐bard████!hearth████
idle  Odo
▐█ work  ── travel  ·· wait  !█ late
";
    assert_eq!(narrow, expected);
}

#[test]
fn colours_wrap_runs_and_change_no_character() {
    let coloured = text(TextOptions {
        colour: true,
        ..SECOND_WIDE
    });
    assert!(
        coloured.contains("\u{1b}[32m▐stew██████████\u{1b}[0m"),
        "{coloured}"
    );
    assert!(
        coloured.contains("\u{1b}[31m!hearth█████\u{1b}[0m"),
        "{coloured}"
    );
    let mut bare = coloured;
    for code in ["0", "2", "31", "32", "33"] {
        bare = bare.replace(&format!("\u{1b}[{code}m"), "");
    }
    assert_eq!(bare, text(SECOND_WIDE));
}

#[test]
fn the_legend_speaks_of_lateness_only_where_there_is_some() {
    let (problem, mut plan) = evening();
    plan.routes.pop();
    let text = timeline_text(&problem, &plan, &SECOND_WIDE);
    assert!(text.ends_with("▐█ work  ── travel  ·· wait\n"), "{text}");
    assert!(text.contains("idle  Tom, Odo\n"), "{text}");
}

#[test]
fn tasks_without_length_are_seen() {
    let problem = AllocationProblem {
        agents: vec![agent("a")],
        ..AllocationProblem::default()
    };
    let stops = [("x", 10.0, 10.0, 10.0, 0.0), ("y", 39.0, 39.0, 39.0, 0.0)];
    let plan = AllocationPlan {
        routes: vec![route("a", &stops, 40.0)],
        unserved_task_ids: Vec::new(),
    };
    let options = TextOptions {
        width: 45,
        ..SECOND_WIDE
    };
    let text = timeline_text(&problem, &plan, &options);
    let bar = text.lines().nth(2).unwrap();
    assert_eq!(bar, "a    ──────────▐────────────────────────────▐");
}

#[test]
fn a_late_shift_starts_where_it_starts() {
    let late = AllocationAgent {
        shift_start_offset: seconds(20.0),
        ..agent("late")
    };
    let problem = AllocationProblem {
        agents: vec![agent("early"), late],
        ..AllocationProblem::default()
    };
    let plan = AllocationPlan {
        routes: vec![
            route("early", &[("x", 10.0, 10.0, 30.0, 0.0)], 30.0),
            route("late", &[("y", 25.0, 30.0, 40.0, 0.0)], 40.0),
        ],
        unserved_task_ids: Vec::new(),
    };
    let text = timeline_text(&problem, &plan, &SECOND_WIDE);
    let bars: Vec<_> = text.lines().skip(2).take(2).collect();
    assert_eq!(bars[0], "early ──────────▐x██████████████████");
    assert_eq!(bars[1], "late                      ─────·····▐y████████");
}

#[test]
fn lines_fit_the_width_whatever_the_names() {
    let ids = [
        "勇者たちの長い長い名前の一団です",
        "x",
        "\u{1b}[2J",
        &"long ".repeat(30),
    ];
    let problem = AllocationProblem {
        agents: ids.iter().map(|id| agent(id)).collect(),
        ..AllocationProblem::default()
    };
    let routes = ids[..3]
        .iter()
        .map(|id| route(id, &[(ids[3], 1.0, 2.0, 90.0, 0.0)], 99.0));
    let plan = AllocationPlan {
        routes: routes.collect(),
        unserved_task_ids: Vec::new(),
    };
    for width in [0, 40, 47, 120, 1_000] {
        let options = TextOptions {
            width,
            ..SECOND_WIDE
        };
        let text = timeline_text(&problem, &plan, &options);
        assert!(!text.contains('\u{1b}'));
        let widest = text
            .lines()
            .map(unicode_width::UnicodeWidthStr::width)
            .max()
            .unwrap();
        assert!(widest <= width.clamp(40, 400), "{widest} > {width}\n{text}");
    }
}

#[test]
fn absurd_plans_are_drawn_without_a_panic() {
    let problem = AllocationProblem::default();
    let far = i64::MAX as f64 / 1e6;
    for stops in [
        [("x", 50.0, 10.0, 5.0, 0.0), ("y", -5.0, -far, far, far)],
        [("", far, far, far, 0.0), ("y", 0.0, 0.0, 0.0, 0.0)],
    ] {
        let plan = AllocationPlan {
            routes: vec![route("nobody", &stops, -1.0), route("nobody", &[], 0.0)],
            unserved_task_ids: vec!["z".into()],
        };
        let text = timeline_text(&problem, &plan, &SECOND_WIDE);
        assert!(text.contains("nobody"), "{text}");
        let _ = scene(&problem, &plan).svg();
    }
}

#[test]
fn breaks_are_drawn_before_the_stop_that_they_delay() {
    let (problem, mut plan) = evening();
    plan.routes.truncate(1);
    plan.routes[0].rests.push(AllocationRest {
        break_id: "noon".into(),
        stop_index: 1,
        start_offset: seconds(25.0),
        end_offset: seconds(28.0),
    });
    let drawn = timeline_text(&problem, &plan, &SECOND_WIDE);
    assert!(drawn.contains("▐stew██████████~~~──▐████"), "{drawn}");
    assert!(drawn.contains("~~ break"), "{drawn}");
}
