//! Pictures of narratives.

mod any;
pub(crate) mod json;
mod parts;
mod strands;

use crate::NARROW;
use stratagem_proto::v1::{NarrativePlan, NarrativeProblem};
use stratagem_render::narrative::{Drawn, scene};
use stratagem_render::text::TextOptions;

fn svg(problem: &NarrativeProblem, drawn: Drawn<'_>) -> String {
    scene(problem, drawn).svg()
}

fn page(problem: &NarrativeProblem, drawn: Drawn<'_>) -> String {
    scene(problem, drawn).html()
}

fn text(problem: &NarrativeProblem, drawn: Drawn<'_>, options: &TextOptions) -> String {
    scene(problem, drawn).text(options)
}

/// Three ways to beat a dragon, by how long the search took.
fn dragon() -> (NarrativeProblem, NarrativePlan) {
    let plan = json::plan(include_str!("narrative/plans/dragon.json"));
    (json::example("dragon"), plan)
}

/// Two groups, half an hour apart.
fn evening() -> (NarrativeProblem, NarrativePlan) {
    let plan = json::plan(include_str!("narrative/plans/evening.json"));
    (json::example("evening"), plan)
}

/// A plan with one of its policies.
fn alone(plan: &NarrativePlan, policy: usize) -> NarrativePlan {
    NarrativePlan {
        policies: vec![plan.policies[policy].clone()],
        ..plan.clone()
    }
}

fn planned(plan: &NarrativePlan) -> Drawn<'_> {
    Drawn {
        plan: Some(plan),
        conflict: None,
    }
}

fn golden(name: &str, text: &str) {
    crate::golden::check("narrative", name, text);
}

#[test]
fn a_story_with_one_group_in_text() {
    let (problem, plan) = dragon();
    golden("dragon.txt", &text(&problem, planned(&plan), &NARROW));
}

#[test]
fn a_story_with_two_groups_in_text() {
    let (problem, plan) = evening();
    let wide = TextOptions {
        width: 110,
        ..NARROW
    };
    let plan = alone(&plan, 0);
    golden("evening.txt", &text(&problem, planned(&plan), &wide));
}

#[test]
fn ascii_uses_nothing_else() {
    let (problem, plan) = dragon();
    let ascii = TextOptions {
        ascii: true,
        ..NARROW
    };
    let text = text(&problem, planned(&plan), &ascii);
    golden("dragon-ascii.txt", &text);
    assert!(text.is_ascii());
}

#[test]
fn colours_change_no_character() {
    let (problem, plan) = dragon();
    let coloured = TextOptions {
        colour: true,
        ..NARROW
    };
    let mut bare = text(&problem, planned(&plan), &coloured);
    assert!(bare.contains("\u{1b}["), "{bare}");
    for code in ["0", "1", "32", "33", "34", "35", "36"] {
        bare = bare.replace(&format!("\u{1b}[{code}m"), "");
    }
    assert_eq!(bare, text(&problem, planned(&plan), &NARROW));
}

#[test]
fn hand_overs_are_listed() {
    let (problem, plan) = evening();
    let wide = TextOptions {
        width: 200,
        ..NARROW
    };
    let text = text(&problem, planned(&alone(&plan, 0)), &wide);
    let lines = text
        .lines()
        .filter(|line| line.starts_with("  Boris, the heir"));
    let line = [
        "Boris and Dmitri fight (red)",
        "Ada and Boris raise their glasses (red)",
    ];
    let mut found = lines.filter(|text| line.iter().all(|part| text.contains(part)));
    assert!(found.next().is_some(), "{text}");
}

#[test]
fn documents_are_as_they_were() {
    let (problem, plan) = dragon();
    golden("dragon.svg", &svg(&problem, planned(&plan)));
    golden("dragon.html", &page(&problem, planned(&plan)));
    let (problem, plan) = evening();
    golden(
        "evening-gantt.svg",
        &svg(&problem, planned(&alone(&plan, 0))),
    );
}

#[test]
fn several_storylines_are_one_tree_in_text() {
    let (problem, plan) = evening();
    let wide = TextOptions {
        width: 110,
        ..NARROW
    };
    let text = text(&problem, planned(&plan), &wide);
    golden("evening-tree.txt", &text);
    // One axis for the tree, and one for each link of which outcomes are shown.
    let axes = text.lines().filter(|line| line.contains("┬──"));
    assert_eq!(axes.count(), 3, "{text}");
    // Once for each group.
    assert_eq!(text.matches("Ada welcomes").count(), 2, "{text}");
}

#[test]
fn what_goes_on_as_after_another_pick_is_not_drawn_twice() {
    let (problem, mut plan) = evening();
    plan.policies.truncate(3);
    let mut others = plan.policies.clone();
    for policy in &mut others {
        policy.picks[0].option_id = "chase".into();
    }
    plan.policies.extend(others);
    let text = text(&problem, planned(&plan), &NARROW);
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(!words.is_empty(), "{text}");
    let picture = svg(&problem, planned(&plan));
    assert_eq!(picture.matches("then as after 2").count(), 1, "{picture}");
}

#[test]
fn several_storylines_are_one_tree_with_what_differs() {
    let (problem, plan) = evening();
    let picture = svg(&problem, planned(&plan));
    golden("evening.svg", &picture);
    assert!(plan.policies.len() > 5);
    // What all have in common is drawn once, and no storyline has a picture of its own.
    let tips = |what: &str| picture.matches(&format!("<title>{what}: begins")).count();
    assert!(
        (1..=3).contains(&tips("Ada welcomes in the foyer (red)")),
        "{picture}"
    );
    assert!(!picture.contains("Boris, the heir</text>"));
}
