//! Attributes, action schemas and goals of learned domains.

use crate::domain::{ActionSchema, Attribute, Goal};

/// Attributes: owner, name, values and default.
const ATTRIBUTES: [(&str, &str, &str, Option<&str>); 11] = [
    ("actor", "place", "place", None),
    ("actor", "alive", "bool", Some("true")),
    ("actor", "free", "bool", Some("true")),
    ("actor", "guilty", "bool", None),
    ("actor", "merry", "bool", None),
    ("actor", "grudge", "actor", None),
    ("actor", "spouse", "actor", None),
    ("item", "place", "place", None),
    ("item", "holder", "actor", None),
    ("place", "crime", "bool", None),
    ("place", "clue", "bool", None),
];

/// Attributes of all learned domains.
pub(crate) fn attributes() -> Vec<Attribute> {
    let attributes = ATTRIBUTES.iter();
    attributes
        .map(|&(owner, name, values, default)| Attribute {
            owner: owner.into(),
            name: name.into(),
            values: values.into(),
            default: default.map(Into::into),
        })
        .collect()
}

/// A schema as it is written below. That `a` is alive and free is a precondition of all.
struct Schema {
    name: &'static str,
    params: &'static [(&'static str, &'static str)],
    preconditions: &'static [&'static str],
    effects: &'static [&'static str],
    believability: &'static str,
    rules: &'static [&'static str],
    texts: &'static [&'static str],
}

const ACTOR_PLACE: &[(&str, &str)] = &[("a", "actor"), ("p", "place")];
const ACTOR_ITEM: &[(&str, &str)] = &[("a", "actor"), ("i", "item")];
const TWO_ACTORS: &[(&str, &str)] = &[("a", "actor"), ("b", "actor")];
const TWO_ACTORS_ITEM: &[(&str, &str)] = &[("a", "actor"), ("b", "actor"), ("i", "item")];

/// Schemas of the actions that are known here. Their believability is the product of the learned
/// believabilities of actor and item (section 5.8.6).
const SCHEMAS: [Schema; 9] = [
    Schema {
        name: "move",
        params: ACTOR_PLACE,
        preconditions: &["not a.place == p"],
        effects: &["a.place = p"],
        // All actors move; those that move often in the text do so a little more believably.
        believability: "0.9 + 0.1 * move_actor[a]",
        rules: &[],
        texts: &["{a} went to {p}.", "{a} came to {p}."],
    },
    Schema {
        name: "search",
        params: ACTOR_PLACE,
        preconditions: &["a.place == p", "p.crime"],
        effects: &["p.clue = true"],
        believability: "search_actor[a]",
        rules: &[],
        texts: &["{a} searched {p} and found a clue."],
    },
    Schema {
        name: "grab",
        params: ACTOR_ITEM,
        preconditions: &["i.holder == null", "i.place == a.place"],
        effects: &["i.holder = a", "i.place = null"],
        believability: "grab_actor[a] * grab_item[i]",
        rules: &[],
        texts: &["{a} took {i}.", "{a} picked {i} up."],
    },
    Schema {
        name: "play",
        params: ACTOR_ITEM,
        preconditions: &["i.holder == a", "not a.merry"],
        effects: &["a.merry = true"],
        believability: "play_actor[a] * play_item[i]",
        rules: &[],
        texts: &["{a} played with {i}."],
    },
    Schema {
        name: "give",
        params: TWO_ACTORS_ITEM,
        preconditions: &["a.place == b.place", "b.alive", "i.holder == a"],
        effects: &["i.holder = b", "if b.grudge == a { b.grudge = null }"],
        believability: "give_actor[a] * give_item[i]",
        rules: &[],
        texts: &["{a} gave {b} {i}."],
    },
    Schema {
        name: "steal",
        params: TWO_ACTORS_ITEM,
        preconditions: &["a.place == b.place", "b.alive", "i.holder == b"],
        effects: &["i.holder = a", "b.grudge = a"],
        believability: "steal_actor[a] * steal_item[i]",
        rules: &[],
        texts: &["{a} stole {i} from {b}."],
    },
    Schema {
        name: "kill",
        params: TWO_ACTORS_ITEM,
        preconditions: &["a.place == b.place", "b.alive", "i.holder == a"],
        // The victim's items lie where the victim dies, and the place is a scene of a crime.
        effects: &[
            "b.alive = false",
            "a.guilty = true",
            "a.place.crime = true",
            "each(j: item, j.holder == b) { j.holder = null; j.place = b.place }",
        ],
        believability: "kill_actor[a] * kill_item[i]",
        // Less believable without a motive.
        rules: &["multiply 0.5 if not a.grudge == b"],
        texts: &["{a} killed {b} with {i}!"],
    },
    Schema {
        name: "arrest",
        params: TWO_ACTORS,
        preconditions: &["a.place == b.place", "b.alive", "b.free", "b.guilty"],
        effects: &["b.free = false"],
        believability: "arrest_actor[a]",
        // Less believable without a clue.
        rules: &["multiply 0.3 if not exists(x: place, x.clue)"],
        texts: &["{a} arrested {b}."],
    },
    Schema {
        name: "marry",
        params: TWO_ACTORS,
        preconditions: &[
            "a.place == b.place",
            "b.alive",
            "b.free",
            "a.spouse == null",
            "b.spouse == null",
        ],
        effects: &["a.spouse = b", "b.spouse = a"],
        believability: "marry_actor[a] * marry_actor[b]",
        rules: &[],
        texts: &["{a} married {b}."],
    },
];

/// The schema of a kind of actions that is known here.
pub(crate) fn schema(name: &str) -> Option<ActionSchema> {
    let found = SCHEMAS.iter().find(|schema| schema.name == name)?;
    let texts = |list: &[&str]| {
        list.iter()
            .map(|&text| text.into())
            .collect::<Vec<String>>()
    };
    let params = found.params.iter();
    Some(ActionSchema {
        name: name.into(),
        params: params.map(|&(p, kind)| (p.into(), kind.into())).collect(),
        preconditions: [texts(&["a.alive", "a.free"]), texts(found.preconditions)].concat(),
        effects: texts(found.effects),
        believability: found.believability.into(),
        rules: texts(found.rules),
        texts: texts(found.texts),
    })
}

/// Goals of stories of these actions.
pub(crate) fn goals(names: &[&str]) -> Vec<Goal> {
    let has = |name| names.contains(&name);
    let mut goals = Vec::new();
    let mut add = |name: &str, condition: &str| {
        goals.push(Goal {
            name: name.into(),
            condition: condition.into(),
            weight: 1.0,
        });
    };
    if has("grab") && has("steal") {
        add("a theft", "exists(x: actor, not x.grudge == null)");
    }
    if has("grab") && has("kill") {
        add("a death", "exists(x: actor, not x.alive)");
        if has("arrest") {
            add("an arrest", "exists(x: actor, not x.free)");
        }
    }
    if has("marry") {
        add("a wedding", "exists(x: actor, not x.spouse == null)");
    }
    if goals.is_empty() && has("grab") {
        goals.push(Goal {
            name: "something taken".into(),
            condition: "exists(x: item, not x.holder == null)".into(),
            weight: 1.0,
        });
    }
    goals
}
