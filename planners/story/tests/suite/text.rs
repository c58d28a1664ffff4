//! Stories as sentences.

use crate::quarrel;
use story::spec::{AttributeKind, AttributeSpec, Literal, Setting, Spec};
use story::text::{Style, paragraph, sentences};
use story::{Action, Plan, Problem};

fn plan(problem: &Problem) -> Plan {
    let entity = |name: &str| problem.entities().iter().position(|e| e.name == name);
    let action = |name: &str, args: &[&str]| Action {
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
        actions: actions.map(|(name, args)| action(name, args)).to_vec(),
    }
}

#[test]
fn sentences_about_one_subject_are_merged() {
    let problem = Problem::new(&quarrel()).unwrap();
    let text = paragraph(&problem, &plan(&problem), Style::default());
    let expected = "Ann went to the inn and took the knife. Ben stole the purse from Ann. \
        Ann killed Ben with the knife! Ann went to home.";
    assert_eq!(text, expected);
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
    let text = paragraph(&problem, &plan(&problem), Style::default());
    assert!(
        text.ends_with("Ann killed Ben with the knife! She went to home."),
        "{text}"
    );
}

#[test]
fn every_action_is_told_once_and_templates_are_chosen_by_the_seed() {
    let mut spec = quarrel();
    spec.actions[0].texts.push("{a} ran to {p}.".into());
    let problem = Problem::new(&spec).unwrap();
    let plan = plan(&problem);
    let text = |seed| {
        sentences(
            &problem,
            &plan,
            Style {
                seed,
                ..Style::default()
            },
        )
    };
    let count: usize = text(0).iter().map(|sentence| sentence.actions.1).sum();
    assert_eq!(count, plan.actions.len());
    assert_eq!(text(3), text(3));
    assert!((0..20).any(|seed| text(seed) != text(0)));
}

/// The quarrel, in which the pronouns of all are known.
fn gendered() -> Spec {
    let mut spec = quarrel();
    spec.attributes.push(AttributeSpec {
        owner: "actor".into(),
        name: "gender".into(),
        kind: AttributeKind::Enum(vec!["female".into(), "male".into()]),
        is_static: true,
        default: Some(Literal::Name("male".into())),
    });
    spec.init.push(Setting {
        entity: "Ann".into(),
        attribute: "gender".into(),
        value: Literal::Name("female".into()),
    });
    for name in &mut spec.names {
        if ["Knife", "Purse"].contains(&name.entity.as_str()) {
            name.pronouns = vec!["it".into(), "it".into()];
        }
    }
    spec
}

fn story(problem: &Problem, actions: &[(&str, &[&str])]) -> Plan {
    let entity = |name: &&str| problem.entities().iter().position(|e| e.name == **name);
    let actions = actions.iter().map(|(name, args)| Action {
        schema: problem
            .schemas()
            .iter()
            .position(|s| s.name == *name)
            .expect("known"),
        args: args.iter().map(|a| entity(a).expect("known")).collect(),
    });
    Plan {
        actions: actions.collect(),
    }
}

fn prose(spec: &Spec, actions: &[(&str, &[&str])], style: Style) -> String {
    let problem = Problem::new(spec).expect("good");
    paragraph(&problem, &story(&problem, actions), style)
}

#[test]
fn pronouns_come_from_the_gender_and_stand_for_whom_was_just_named() {
    let spec = gendered();
    let problem = Problem::new(&spec).unwrap();
    assert_eq!(
        paragraph(&problem, &plan(&problem), Style::default()),
        "Ann went to the inn and took the knife. Ben stole the purse from her. \
         Ann killed him with the knife! She went to home."
    );
    let actions: [(&str, &[&str]); 2] = [
        ("Take", &["Ann", "Knife"]),
        ("Kill", &["Ann", "Ben", "Knife"]),
    ];
    assert_eq!(
        prose(&spec, &actions, Style::default()),
        "Ann took the knife and killed Ben with it!"
    );
    let none = Style {
        pronouns: false,
        ..Style::default()
    };
    assert_eq!(
        prose(&spec, &actions, none),
        "Ann took the knife and killed Ben with the knife!"
    );
}

#[test]
fn nobody_becomes_a_pronoun_that_might_be_somebody_else() {
    let spec = gendered();
    let apart = Style {
        merge: false,
        ..Style::default()
    };
    let steal: (&str, &[&str]) = ("Steal", &["Ben", "Cid", "Purse"]);
    let actions = [steal, ("Move", &["Ben", "Home"])];
    assert_eq!(
        prose(&spec, &actions, apart),
        "Ben stole the purse from Cid. Ben went to home."
    );
    // The knife is as much it as the purse.
    let actions: [(&str, &[&str]); 3] = [
        ("Take", &["Ann", "Purse"]),
        ("Take", &["Ann", "Knife"]),
        ("Kill", &["Ann", "Ben", "Knife"]),
    ];
    assert_eq!(
        prose(&spec, &actions, Style::default()),
        "Ann took the purse, took the knife and killed Ben with the knife!"
    );
}

#[test]
fn words_in_brackets_are_chosen_by_the_seed() {
    let mut spec = quarrel();
    spec.actions[0].texts = vec!["{a} [went|walked to {p} and on|ran] to {p} [sic].".into()];
    let actions: [(&str, &[&str]); 1] = [("Move", &["Ann", "Inn"])];
    let all: std::collections::BTreeSet<String> = (0..40)
        .map(|seed| {
            let style = Style {
                seed,
                ..Style::default()
            };
            prose(&spec, &actions, style)
        })
        .collect();
    let expected = [
        "Ann ran to the inn [sic].",
        "Ann walked to the inn and on to the inn [sic].",
        "Ann went to the inn [sic].",
    ];
    assert!(all.iter().map(String::as_str).eq(expected), "{all:?}");
    // Brackets that never close are text.
    spec.actions[0].texts = vec!["{a} [went|ran to {p}.".into()];
    assert_eq!(
        prose(&spec, &actions, Style::default()),
        "Ann [went|ran to the inn."
    );
}

#[test]
fn the_same_template_is_not_taken_twice_in_a_row() {
    let mut spec = quarrel();
    spec.actions[0].texts = vec!["{a} went to {p}.".into(), "{a} ran to {p}.".into()];
    let actions: [(&str, &[&str]); 4] = [
        ("Move", &["Ann", "Inn"]),
        ("Move", &["Ben", "Home"]),
        ("Move", &["Ann", "Home"]),
        ("Move", &["Ben", "Inn"]),
    ];
    for seed in 0..20 {
        let style = Style {
            seed,
            ..Style::default()
        };
        let text = prose(&spec, &actions, style);
        assert_eq!(text.matches("went").count(), 2, "{text}");
    }
}

/// After a second sentence, or a clause of its own, the next subject is named: no sentence has the
/// wrong subject.
#[test]
fn sentences_keep_their_subjects() {
    let first = [
        "{a} went to {p}! This made {a} sad.",
        "{a} went to {p}. The door fell shut.",
        "{a} went to {p}, which was closed.",
        "{a} went to {p} and the door fell shut.",
        "{a} went to {p}; the door fell shut.",
        "{a} went to {p} while the moon rose.",
        "{a} went to {p}: the door fell shut.",
        "{a} went to {p} \u{2014} the door fell shut.",
        "{a} went to {p} That made {a} sad.",
        "{a} went to {p}, and {a} sang.",
    ];
    let actions: [(&str, &[&str]); 2] = [("Move", &["Ann", "Inn"]), ("Take", &["Ann", "Knife"])];
    for text in first {
        let mut spec = quarrel();
        let action = spec.actions.iter_mut().find(|action| action.name == "Move");
        action.expect("known").texts = vec![text.to_owned()];
        let text = prose(&spec, &actions, Style::default());
        assert!(text.ends_with(" Ann took the knife."), "{text}");
    }
}
