//! Stories as sentences.

#[path = "reader/mod.rs"]
mod reader;

use story::spec::Spec;
use story::text::{Style, paragraph, sentences};
use story::{Action, Plan, Problem};

fn quarrel() -> Spec {
    reader::read(include_str!("planner/quarrel.json"))
}

fn plan(problem: &Problem) -> Plan {
    let entity = |name: &str| problem.entities().iter().position(|e| e.name == name);
    let action = |(name, args): (&str, &[&str])| Action {
        schema: problem
            .schemas()
            .iter()
            .position(|s| s.name == name)
            .expect("known"),
        args: args
            .iter()
            .map(|name| entity(name).expect("known"))
            .collect(),
    };
    let actions = [
        ("Move", &["Ann", "Inn"][..]),
        ("Take", &["Ann", "Knife"]),
        ("Steal", &["Ben", "Ann", "Purse"]),
        ("Kill", &["Ann", "Ben", "Knife"]),
        ("Move", &["Ann", "Home"]),
    ];
    Plan {
        actions: actions.map(action).to_vec(),
    }
}

#[test]
fn sentences_about_one_subject_are_merged() {
    let problem = Problem::new(&quarrel()).unwrap();
    let told = paragraph(&problem, &plan(&problem), Style::default());
    let expected = "Ann went to the inn and took the knife. Ben stole the purse from Ann. Ann killed Ben with the knife! Ann went to home.";
    assert_eq!(told, expected);
}

#[test]
fn a_subject_that_goes_on_becomes_a_pronoun() {
    let mut spec = quarrel();
    spec.names.push(story::spec::NameSpec {
        entity: "Ann".into(),
        name: String::new(),
        pronouns: vec!["she".into(), "her".into()],
    });
    let problem = Problem::new(&spec).unwrap();
    let told = paragraph(&problem, &plan(&problem), Style::default());
    assert!(
        told.ends_with("Ann killed Ben with the knife! She went to home."),
        "{told}"
    );
}

#[test]
fn every_action_is_told_once_and_templates_are_chosen_by_the_seed() {
    let mut spec = quarrel();
    spec.actions[0].texts.push("{a} ran to {p}.".into());
    let problem = Problem::new(&spec).unwrap();
    let plan = plan(&problem);
    let told = |seed| {
        sentences(
            &problem,
            &plan,
            Style {
                seed,
                ..Style::default()
            },
        )
    };
    let count: usize = told(0).iter().map(|sentence| sentence.actions.1).sum();
    assert_eq!(count, plan.actions.len());
    assert_eq!(told(3), told(3));
    assert!((0..20).any(|seed| told(seed) != told(0)));
}
