//! Pictures of stories.

use crate::NARROW;
use proptest::prelude::*;
use stratagem_proto::v1::{
    StoryAct, StoryAttribute, StoryChange, StoryEntity, StoryGoalResult, StoryInfluence, StoryPlan,
    StoryProblem, StorySentence, StorySlider, StoryStep, StoryType,
};
use stratagem_render::story::{markdown, prose, scene, scenes};
use stratagem_render::text::TextOptions;

fn svg(problem: &StoryProblem, drawn: Option<&StoryPlan>) -> String {
    scene(problem, drawn).svg()
}

fn page(problem: &StoryProblem, drawn: Option<&StoryPlan>) -> String {
    scene(problem, drawn).html()
}

fn text(problem: &StoryProblem, drawn: Option<&StoryPlan>, options: &TextOptions) -> String {
    scene(problem, drawn).text(options)
}

fn golden(name: &str, text: &str) {
    crate::golden::check("story", name, text);
}

fn problem() -> StoryProblem {
    let kind = |name: &str, entities: &[(&str, &str)]| StoryType {
        name: name.into(),
        entities: entities
            .iter()
            .map(|(id, label)| StoryEntity {
                id: (*id).into(),
                label: (*label).into(),
                ..StoryEntity::default()
            })
            .collect(),
    };
    let attribute = |kind: &str, name: &str, values: &str| StoryAttribute {
        type_name: kind.into(),
        name: name.into(),
        values: values.into(),
        ..StoryAttribute::default()
    };
    StoryProblem {
        title: "The <purse>".into(),
        description: "Who took it?".into(),
        types: vec![
            kind("actor", &[("Ann", ""), ("Ben", "old Ben"), ("Cid", "")]),
            kind("item", &[("Purse", "the purse")]),
            kind("place", &[("Home", ""), ("the inn", "")]),
        ],
        attributes: vec![
            attribute("actor", "anger", "0..2"),
            attribute("actor", "place", "place"),
            attribute("item", "holder", "actor"),
            attribute("item", "place", "place"),
        ],
        settings: vec![
            "Ann.place = Home".into(),
            "Ben.place = 'the inn'".into(),
            "Purse.holder = Ann".into(),
        ],
        sliders: vec![StorySlider {
            action: "Steal".into(),
            factor: 0.5,
        }],
        ..StoryProblem::default()
    }
}

fn change(entity: &str, attribute: &str, value: &str) -> StoryChange {
    StoryChange {
        entity_id: entity.into(),
        attribute: attribute.into(),
        value: value.into(),
    }
}

fn plan() -> StoryPlan {
    let act = |action: &str, ids: &[&str]| StoryAct {
        action: action.into(),
        entity_ids: ids.iter().map(|id| (*id).into()).collect(),
    };
    let step = |believability, score, changes: Vec<StoryChange>| StoryStep {
        believability,
        base: believability,
        slider: 1.0,
        goal_share: score / 0.4,
        score,
        changes,
        ..StoryStep::default()
    };
    let sentence = |text: &str, first_act_index, act_count| StorySentence {
        text: text.into(),
        first_act_index,
        act_count,
    };
    StoryPlan {
        acts: vec![
            act("Go", &["Ann", "the inn"]),
            act("Steal", &["Ben", "Ann", "Purse"]),
            act("Drop", &["Ben", "Purse"]),
        ],
        steps: vec![
            step(0.98, 0.0, vec![change("Ann", "place", "'the inn'")]),
            StoryStep {
                believability: 0.4,
                base: 0.2,
                influences: vec![StoryInfluence {
                    rule_index: 1,
                    rule: "set 0.8 if a.anger > 0".into(),
                    number: 0.8,
                    after: 0.8,
                }],
                slider: 0.5,
                ..step(
                    0.4,
                    0.392,
                    vec![
                        change("Purse", "holder", "Ben"),
                        change("Ann", "anger", "1"),
                    ],
                )
            },
            step(1.0, 0.392, vec![change("Purse", "place", "'the inn'")]),
        ],
        goals: vec![StoryGoalResult {
            name: "Ben has it".into(),
            holds: true,
            weight: 1.0,
        }],
        score: 0.392,
        goal_share: 1.0,
        believability: 0.392,
        sentences: vec![
            sentence("Ann went to the inn.", 0, 1),
            sentence("Old Ben stole the purse from Ann and dropped it.", 1, 2),
        ],
    }
}

#[test]
fn documents_are_as_they_were() {
    golden("purse.svg", &svg(&problem(), Some(&plan())));
    golden("purse.html", &page(&problem(), Some(&plan())));
}

#[test]
fn texts_are_as_they_were() {
    golden("purse.txt", &text(&problem(), Some(&plan()), &NARROW));
    golden("domain.txt", &text(&problem(), None, &NARROW));
    let ascii = TextOptions {
        ascii: true,
        width: 60,
        ..NARROW
    };
    let shown = text(&problem(), Some(&plan()), &ascii);
    golden("purse-ascii.txt", &shown);
    assert!(shown.is_ascii());
}

#[test]
fn stories_are_written_as_plain_text_and_markdown() {
    golden("purse.md", &markdown(&problem(), &[plan()]));
    assert_eq!(
        prose(&[plan(), StoryPlan::default()]),
        "Ann went to the inn. Old Ben stole the purse from Ann and dropped it.\n\nNothing happens.\n"
    );
    let two = markdown(&problem(), &[plan(), StoryPlan::default()]);
    assert!(
        two.contains("\n## Story 2 of 2\n\nNothing happens.\n"),
        "{two}"
    );
    let page = scenes(&problem(), &[plan(), plan()]).html();
    assert_eq!(page.matches("<svg").count(), 2);
    assert!(page.contains("Story 2 of 2"));
}

#[test]
fn markdown_sees_nothing_but_text_in_texts() {
    let mut odd = plan();
    odd.sentences.truncate(1);
    for (text, wanted) in [
        ("*Ann* [ran](x)", "\\*Ann\\* \\[ran\\](x)"),
        ("# Ann", "\\# Ann"),
        ("- Ann", "\\- Ann"),
        ("1. Ann", "1\\. Ann"),
        ("It was 1.5 m", "It was 1.5 m"),
        ("<b> & `c`", "\\<b\\> \\& \\`c\\`"),
        ("a | b\nc", "a \\| b?c"),
    ] {
        odd.sentences[0].text = text.into();
        let shown = markdown(&problem(), std::slice::from_ref(&odd));
        assert!(shown.contains(&format!("\n\n{wanted}\n\n")), "{shown}");
    }
}

#[test]
fn what_is_not_known_is_left_out() {
    let bare = StoryPlan {
        acts: plan().acts,
        ..StoryPlan::default()
    };
    let lines = text(&problem(), Some(&bare), &NARROW);
    assert!(
        lines.ends_with(
            "  1  Go Ann, the inn\n    2  Steal Ben, Ann, Purse\n    3  Drop Ben, Purse\n"
        ),
        "{lines}"
    );
    let drawn = svg(&StoryProblem::default(), None);
    assert!(drawn.contains("Story") && !drawn.contains("believability"));
}

#[test]
fn a_paragraph_is_broken_between_words() {
    let narrow = TextOptions {
        width: 40,
        ..NARROW
    };
    let shown = text(&problem(), Some(&plan()), &narrow);
    assert!(
        shown.lines().all(|line| line.chars().count() <= 40),
        "{shown}"
    );
    let broken = "\nAnn went to the inn. Old Ben stole the\n";
    assert!(shown.contains(broken), "{shown}");
}

/// Numbers that servers do not send.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>(),
        Just(f64::NAN),
        Just(f64::INFINITY),
        Just(-1.0),
        0.0..1.0f64
    ]
}

proptest! {
    /// Whatever a plan says, nothing panics and nothing breaks out of the document.
    #[test]
    fn anything_is_drawn(
        name in ".{0,8}",
        value in ".{0,8}",
        numbers in prop::collection::vec(number(), 4),
        acts in 0usize..60,
        steps in 0usize..60,
    ) {
        let mut problem = problem();
        problem.title.clone_from(&name);
        problem.settings.push(value.clone());
        let mut plan = plan();
        plan.acts = (0..acts)
            .map(|i| StoryAct {
                action: name.clone(),
                entity_ids: vec![["Ann", "Cid", &value][i % 3].into()],
            })
            .collect();
        plan.steps = (0..steps)
            .map(|_| StoryStep {
                believability: numbers[0],
                base: numbers[1],
                slider: numbers[2],
                score: numbers[3],
                changes: vec![change("Ann", "place", &value)],
                ..StoryStep::default()
            })
            .collect();
        plan.sentences[0].first_act_index = i32::MAX;
        let drawn = svg(&problem, Some(&plan));
        prop_assert!(!drawn.contains("NaN") && !drawn.contains("inf"));
        prop_assert!(!page(&problem, Some(&plan)).contains("<script"));
        let shown = markdown(&problem, std::slice::from_ref(&plan));
        prop_assert!(shown.chars().all(|c| c == '\n' || !c.is_control()));
        let shown = text(&problem, Some(&plan), &NARROW);
        prop_assert!(shown.chars().all(|c| c == '\n' || !c.is_control()));
    }
}
