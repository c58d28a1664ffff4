//! Pictures of narratives.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod any;
mod json;
mod parts;
mod strands;

use std::path::Path;
use std::{env, fs};
use stratagem_proto::v1::{NarrativePlan, NarrativeProblem};
use stratagem_render::narrative::{
    Drawn, coverage_svg, coverage_text, gantt_svg, page, policy_text, story_svg, svg, text,
    timeline_text,
};
use stratagem_render::text::TextOptions;

const NARROW: TextOptions = TextOptions {
    width: 76,
    ascii: false,
    colour: false,
};

/// Three ways to beat a dragon, by how long the search took.
fn dragon() -> (NarrativeProblem, NarrativePlan) {
    let plan = json::plan(include_str!("plans/dragon.json"));
    (json::example("dragon"), plan)
}

/// Two groups, half an hour apart.
fn evening() -> (NarrativeProblem, NarrativePlan) {
    let plan = json::plan(include_str!("plans/evening.json"));
    (json::example("evening"), plan)
}

fn planned(plan: &NarrativePlan) -> Drawn<'_> {
    Drawn {
        plan: Some(plan),
        conflict: None,
    }
}

/// Compares with a file beside the tests; writes it where `GOLDEN` is set.
fn golden(name: &str, text: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/narrative/golden");
    if env::var_os("GOLDEN").is_some() {
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(name), text).unwrap();
    }
    let expected = fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(text, expected, "{name}");
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
    let policy = &plan.policies[0];
    let mut all = coverage_text(&problem, &plan, &wide);
    all += &timeline_text(&problem, policy, &wide);
    all += &policy_text(&problem, 1, policy, &wide);
    golden("evening.txt", &all);
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
fn hand_overs_are_told_in_words() {
    let (problem, plan) = evening();
    let text = policy_text(&problem, 1, &plan.policies[0], &TextOptions::default());
    let line = "  Boris, the heir goes from \"Boris and Dmitri fight (red)\" \
                to \"Ada and Boris raise their glasses\n      (red)\"\n";
    assert!(text.contains(line), "{text}");
    let line = "  foyer goes first to \"Ada welcomes in the foyer (red)\"\n";
    assert!(text.contains(line), "{text}");
}

#[test]
fn documents_are_as_they_were() {
    let (problem, plan) = dragon();
    golden("dragon.svg", &svg(&problem, planned(&plan)));
    golden("dragon.html", &page(&problem, planned(&plan)));
    let (problem, plan) = evening();
    golden("evening-gantt.svg", &gantt_svg(&problem, &plan.policies[0]));
    golden("evening-story.svg", &story_svg(&problem, planned(&plan)));
    let coverage = coverage_svg(&problem, &plan).unwrap();
    golden("evening-coverage.svg", &coverage);
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
    let lines = text.lines();
    let then: Vec<&str> = lines.filter(|line| line.contains("as after")).collect();
    assert_eq!(then.len(), 1, "{text}");
    assert!(
        then[0].trim_start().starts_with("then as after 2"),
        "{text}"
    );
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
