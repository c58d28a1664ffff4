//! Random tales of crimes: people, things and places, and goals from "somebody is dead" to "all are
//! in one place".

use crate::Draw;
use story::language::{effect, expression, rule, setting, values};
use story::spec::{
    ActionSpec, AttributeSpec, BelievabilitySpec, Expr, GoalSpec, Literal, Setting, Spec, TypeSpec,
};

/// The tale of a seed.
pub(super) fn spec(seed: u64) -> Spec {
    let mut draw = Draw::new(seed);
    let people = draw.size(2, 30);
    let (items, places) = (draw.size(1, 12), draw.size(2, 12));
    let kinds = [("person", people), ("item", items), ("place", places)];
    let types = kinds.map(|(name, count)| TypeSpec {
        name: name.to_owned(),
        entities: (0..count).map(|index| entity(name, index)).collect(),
    });
    let mut spec = Spec {
        types: types.into(),
        attributes: attributes(),
        actions: actions(&mut draw),
        actions_max: draw.size(2, 40),
        ..Spec::default()
    };
    for person in 0..people {
        let place = draw.pick(0, places - 1);
        spec.init
            .push(set(&format!("person{person}.at = place{place}")));
    }
    for item in 0..items {
        let text = if draw.chance(30) {
            format!("item{item}.holder = person{}", draw.pick(0, people - 1))
        } else {
            format!("item{item}.at = place{}", draw.pick(0, places - 1))
        };
        spec.init.push(set(&text));
    }
    let goals = goals(&mut draw, people, items, places);
    for (index, text) in goals.into_iter().enumerate() {
        spec.goals.push(GoalSpec {
            name: format!("goal {index}"),
            expr: read(&text),
            weight: 1.0,
        });
    }
    spec
}

fn entity(kind: &str, index: usize) -> String {
    format!("{kind}{index}")
}

fn read(text: &str) -> Expr {
    expression(text).expect("an expression")
}

fn set(text: &str) -> Setting {
    setting(text).expect("a setting")
}

fn attributes() -> Vec<AttributeSpec> {
    let all = [
        ("person", "at", "place", None),
        ("person", "alive", "bool", Some(Literal::Bool(true))),
        ("person", "anger", "0..2", None),
        ("person", "grudge", "person", None),
        ("item", "holder", "person", None),
        ("item", "at", "place", None),
        ("place", "crime", "bool", None),
    ];
    all.map(|(owner, name, kind, default)| AttributeSpec {
        owner: owner.to_owned(),
        name: name.to_owned(),
        kind: values(kind).expect("values"),
        is_static: false,
        default,
    })
    .into()
}

/// An action: its preconditions, its effects and its rules.
fn action(name: &str, params: &[(&str, &str)], texts: [&[&str]; 3], base: &str) -> ActionSpec {
    let params = params.iter();
    let params = params.map(|(name, kind)| ((*name).to_owned(), (*kind).to_owned()));
    let rules = texts[2].iter().map(|text| rule(text).expect("a rule"));
    let effects = texts[1].iter();
    ActionSpec {
        name: name.to_owned(),
        params: params.collect(),
        distinct: true,
        preconditions: texts[0].iter().map(|text| read(text)).collect(),
        effects: effects
            .map(|text| effect(text).expect("an effect"))
            .collect(),
        believability: BelievabilitySpec {
            base: read(base),
            rules: rules.collect(),
        },
        texts: Vec::new(),
    }
}

fn actions(draw: &mut Draw) -> Vec<ActionSpec> {
    let (a, b) = (("a", "person"), ("b", "person"));
    let (i, p) = (("i", "item"), ("p", "place"));
    let mut all = vec![action(
        "Move",
        &[a, p],
        [&["a.alive", "a.at != p"], &["a.at = p"], &[]],
        "0.98",
    )];
    if draw.chance(85) {
        all.push(action(
            "Take",
            &[a, i],
            [
                &["a.alive", "i.holder == null", "i.at == a.at"],
                &["i.holder = a", "i.at = null"],
                &[],
            ],
            "0.97",
        ));
    }
    if draw.chance(70) {
        all.push(action(
            "Steal",
            &[a, b, i],
            [
                &["a.alive and b.alive", "a.at == b.at", "i.holder == b"],
                &["i.holder = a", "b.grudge = a", "b.anger += 1"],
                &["multiply 0.5 if a.anger >= 1"],
            ],
            "0.6",
        ));
    }
    if draw.chance(70) {
        all.push(action(
            "Kill",
            &[a, b, i],
            [
                &["a.alive and b.alive", "a.at == b.at", "i.holder == a"],
                &[
                    "b.alive = false",
                    "each(p: place, p == a.at) { p.crime = true }",
                    "each(j: item, j.holder == b) { j.holder = null; j.at = b.at }",
                ],
                &["set 0.4 if a.anger >= 1", "set 0.9 if a.grudge == b"],
            ],
            "0.05",
        ));
    }
    all
}

fn goals(draw: &mut Draw, people: usize, items: usize, places: usize) -> Vec<String> {
    let count = draw.size(1, 8);
    (0..count)
        .map(|_| {
            let person = draw.pick(0, people - 1);
            let (item, place) = (draw.pick(0, items - 1), draw.pick(0, places - 1));
            match draw.pick(0, 6) {
                0 => format!("person{person}.at == place{place}"),
                1 => format!("item{item}.holder == person{person}"),
                2 => format!("not person{person}.alive"),
                3 => format!("place{place}.crime"),
                4 => format!("forall(x: person, x.at == place{place})"),
                5 => format!("exists(x: person, x.anger >= 1 and x.at == place{place})"),
                _ => format!(
                    "count(x: person, not x.alive) >= {}",
                    draw.size(1, people.min(6))
                ),
            }
        })
        .collect()
}
