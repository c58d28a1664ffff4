//! How learned actions are done: attributes, schemas and goals of a learned domain.

use crate::spec::{
    ActionSpec, AttributeKind, AttributeSpec, BelievabilitySpec, Change, Comparison, EffectSpec,
    Expr, GoalSpec, Literal, Operation, Quantifier, RuleSpec,
};

/// What entities of a learned domain have.
pub(super) fn attributes() -> Vec<AttributeSpec> {
    let entity = |kind: &str| AttributeKind::Entity(kind.into());
    let attribute =
        |(owner, name, kind, default): (&str, &str, AttributeKind, Option<bool>)| AttributeSpec {
            owner: owner.into(),
            name: name.into(),
            kind,
            is_static: false,
            default: default.map(Literal::Bool),
        };
    let all = [
        ("actor", "place", entity("place"), None),
        ("actor", "alive", AttributeKind::Bool, Some(true)),
        ("actor", "free", AttributeKind::Bool, Some(true)),
        ("actor", "guilty", AttributeKind::Bool, None),
        ("actor", "merry", AttributeKind::Bool, None),
        ("actor", "grudge", entity("actor"), None),
        ("actor", "spouse", entity("actor"), None),
        ("item", "place", entity("place"), None),
        ("item", "holder", entity("actor"), None),
        ("place", "crime", AttributeKind::Bool, None),
        ("place", "clue", AttributeKind::Bool, None),
    ];
    all.into_iter().map(attribute).collect()
}

/// What is particular to a kind of actions; that `a` lives and is free is wanted of all.
struct Draft {
    params: &'static [(&'static str, &'static str)],
    conditions: Vec<Expr>,
    effects: Vec<EffectSpec>,
    texts: &'static [&'static str],
}

const ALONE: &[(&str, &str)] = &[("a", "actor"), ("p", "place")];
const THING: &[(&str, &str)] = &[("a", "actor"), ("i", "item")];
const BOTH: &[(&str, &str)] = &[("a", "actor"), ("b", "actor")];
const ALL: &[(&str, &str)] = &[("a", "actor"), ("b", "actor"), ("i", "item")];

/// The schema of a kind of actions that is known here.
pub(super) fn schema(name: &str) -> Option<ActionSpec> {
    let draft = match name {
        "move" | "search" => of_places(name),
        "grab" | "play" => of_things(name),
        "give" | "steal" | "kill" => of_all(name),
        "arrest" | "marry" => of_people(name),
        _ => return None,
    };
    let mut preconditions = vec![get("a", "alive"), get("a", "free")];
    preconditions.extend(draft.conditions);
    let params = draft.params.iter();
    Some(ActionSpec {
        name: name.into(),
        params: params.map(|&(p, kind)| (p.into(), kind.into())).collect(),
        distinct: true,
        preconditions,
        effects: draft.effects,
        believability: believability(name, draft.params),
        texts: draft.texts.iter().map(|&text| text.into()).collect(),
    })
}

fn of_places(name: &str) -> Draft {
    let here = equal(get("a", "place"), var("p"));
    let (conditions, effect, texts): (_, _, &'static [_]) = if name == "move" {
        let texts = &["{a} went to {p}.", "{a} came to {p}."];
        (vec![not(here)], set(var("a"), "place", var("p")), texts)
    } else {
        let clue = set(var("p"), "clue", Expr::Bool(true));
        let texts = &["{a} searched {p} and found a clue."];
        (vec![here, get("p", "crime")], clue, texts)
    };
    Draft {
        params: ALONE,
        conditions,
        effects: vec![effect],
        texts,
    }
}

fn of_things(name: &str) -> Draft {
    if name == "grab" {
        return Draft {
            params: THING,
            conditions: vec![equal(get("i", "holder"), Expr::Null), same_place("i", "a")],
            effects: vec![
                set(var("i"), "holder", var("a")),
                set(var("i"), "place", Expr::Null),
            ],
            texts: &["{a} took {i}.", "{a} picked {i} up."],
        };
    }
    Draft {
        params: THING,
        conditions: vec![holds("a"), not(get("a", "merry"))],
        effects: vec![set(var("a"), "merry", Expr::Bool(true))],
        texts: &["{a} played with {i}."],
    }
}

fn of_all(name: &str) -> Draft {
    let owner = if name == "steal" { "b" } else { "a" };
    let (effects, texts): (_, &'static [_]) = match name {
        "give" => {
            let gift = set(var("i"), "holder", var("b"));
            (vec![gift, forgive()], &["{a} gave {b} {i}."])
        }
        "steal" => {
            let loot = set(var("i"), "holder", var("a"));
            let wrong = set(var("b"), "grudge", var("a"));
            (vec![loot, wrong], &["{a} stole {i} from {b}."])
        }
        _ => (killed(), &["{a} killed {b} with {i}!"]),
    };
    Draft {
        params: ALL,
        conditions: vec![same_place("a", "b"), get("b", "alive"), holds(owner)],
        effects,
        texts,
    }
}

fn of_people(name: &str) -> Draft {
    let mut conditions = vec![same_place("a", "b"), get("b", "alive"), get("b", "free")];
    if name == "arrest" {
        conditions.push(get("b", "guilty"));
        return Draft {
            params: BOTH,
            conditions,
            effects: vec![set(var("b"), "free", Expr::Bool(false))],
            texts: &["{a} arrested {b}."],
        };
    }
    conditions.extend(["a", "b"].map(|who| equal(get(who, "spouse"), Expr::Null)));
    Draft {
        params: BOTH,
        conditions,
        effects: vec![
            set(var("a"), "spouse", var("b")),
            set(var("b"), "spouse", var("a")),
        ],
        texts: &["{a} married {b}."],
    }
}

/// The product of the tables of actor and item (section 5.8.6).
fn believability(name: &str, params: &[(&str, &str)]) -> BelievabilitySpec {
    let actor = Expr::Table(format!("{name}_actor"), Box::new(var("a")));
    let base = match name {
        // Everybody moves; those who do so often in the text a little more believably.
        "move" => calculate(
            Operation::Plus,
            Expr::Number(0.9),
            calculate(Operation::Times, Expr::Number(0.1), actor),
        ),
        "marry" => {
            let other = Expr::Table(format!("{name}_actor"), Box::new(var("b")));
            calculate(Operation::Times, actor, other)
        }
        _ if params.iter().any(|(_, kind)| *kind == "item") => {
            let item = Expr::Table(format!("{name}_item"), Box::new(var("i")));
            calculate(Operation::Times, actor, item)
        }
        _ => actor,
    };
    let factor = |condition, factor| RuleSpec {
        condition: Some(condition),
        change: Change::Mul(Expr::Number(factor)),
    };
    let rules = match name {
        // Who was not wronged has less of a reason.
        "kill" => vec![factor(not(equal(get("a", "grudge"), var("b"))), 0.5)],
        "arrest" => vec![factor(not(any("place", get("x", "clue"))), 0.3)],
        _ => Vec::new(),
    };
    BelievabilitySpec { base, rules }
}

/// What stories of these actions may come to.
pub(super) fn goals(names: &[&str]) -> Vec<GoalSpec> {
    let goal = |name: &str, expr| GoalSpec {
        name: name.into(),
        expr,
        weight: 1.0,
    };
    let has = |name| names.contains(&name);
    let mut goals = Vec::new();
    if has("grab") && has("steal") {
        let wronged = not(equal(get("x", "grudge"), Expr::Null));
        goals.push(goal("a theft", any("actor", wronged)));
    }
    if has("grab") && has("kill") {
        goals.push(goal("a death", any("actor", not(get("x", "alive")))));
        if has("arrest") {
            goals.push(goal("an arrest", any("actor", not(get("x", "free")))));
        }
    }
    if has("marry") {
        let married = not(equal(get("x", "spouse"), Expr::Null));
        goals.push(goal("a wedding", any("actor", married)));
    }
    if goals.is_empty() && has("grab") {
        let held = not(equal(get("x", "holder"), Expr::Null));
        goals.push(goal("something taken", any("item", held)));
    }
    goals
}

fn forgive() -> EffectSpec {
    EffectSpec::When {
        condition: equal(get("b", "grudge"), var("a")),
        effects: vec![set(var("b"), "grudge", Expr::Null)],
    }
}

/// The victim's things lie there, and the place tells of it.
fn killed() -> Vec<EffectSpec> {
    vec![
        set(var("b"), "alive", Expr::Bool(false)),
        set(var("a"), "guilty", Expr::Bool(true)),
        set(get("a", "place"), "crime", Expr::Bool(true)),
        EffectSpec::Each {
            variable: "j".into(),
            kind: "item".into(),
            condition: equal(get("j", "holder"), var("b")),
            effects: vec![
                set(var("j"), "holder", Expr::Null),
                set(var("j"), "place", get("b", "place")),
            ],
        },
    ]
}

fn same_place(one: &str, other: &str) -> Expr {
    equal(get(one, "place"), get(other, "place"))
}

fn holds(who: &str) -> Expr {
    equal(get("i", "holder"), var(who))
}

fn var(name: &str) -> Expr {
    Expr::Name(name.into())
}

fn get(entity: &str, attribute: &str) -> Expr {
    Expr::Get(Box::new(var(entity)), attribute.into())
}

fn equal(left: Expr, right: Expr) -> Expr {
    Expr::Compare(Comparison::Equal, Box::new(left), Box::new(right))
}

fn not(expr: Expr) -> Expr {
    Expr::Not(Box::new(expr))
}

fn calculate(operation: Operation, left: Expr, right: Expr) -> Expr {
    Expr::Arithmetic(operation, Box::new(left), Box::new(right))
}

fn any(kind: &str, body: Expr) -> Expr {
    Expr::Quantified {
        quantifier: Quantifier::Exists,
        variable: "x".into(),
        kind: kind.into(),
        body: Box::new(body),
    }
}

fn set(entity: Expr, attribute: &str, value: Expr) -> EffectSpec {
    EffectSpec::Set {
        entity,
        attribute: attribute.into(),
        value,
    }
}
