//! Reads domains that are written as JSON: for tests and benches only.

use serde_json::Value as Json;
use story::spec::{
    ActionSpec, AttributeKind, AttributeSpec, BelievabilitySpec, Change, Comparison, EffectSpec,
    Expr, GoalSpec, Literal, NameSpec, Operation, Quantifier, RuleSpec, Setting, Spec, TableSpec,
    TypeSpec,
};

/// A domain as JSON.
pub(crate) fn read(text: &str) -> Spec {
    let json: Json = serde_json::from_str(text).expect("a domain in its format");
    let types = fields(&json["types"]).map(|(name, entities)| TypeSpec {
        name: name.into(),
        entities: list(entities).map(word).collect(),
    });
    let init = fields(&json["init"]).flat_map(|(entity, values)| {
        fields(values).map(|(attribute, value)| Setting {
            entity: entity.clone(),
            attribute: attribute.clone(),
            value: literal(value),
        })
    });
    let goals = list(&json["goals"]).map(|goal| GoalSpec {
        name: word(&goal["name"]),
        expr: expr(&goal["expr"]),
        weight: goal["weight"].as_f64().unwrap_or(1.0),
    });
    let names = fields(&json["names"]).map(|(entity, name)| NameSpec {
        entity: entity.clone(),
        name: word(name),
        pronouns: Vec::new(),
    });
    let mut attributes = Vec::new();
    for (owner, all) in fields(&json["attributes"]) {
        for (name, given) in fields(all) {
            attributes.push(attribute(&json, owner, name, given));
        }
    }
    Spec {
        types: types.collect(),
        attributes,
        init: init.collect(),
        tables: fields(&json["tables"])
            .map(|(name, numbers)| table(name, numbers))
            .collect(),
        actions: list(&json["actions"]).map(action).collect(),
        goals: goals.collect(),
        events: Vec::new(),
        sliders: Vec::new(),
        actions_max: json["max_actions"]
            .as_u64()
            .expect("a domain in its format") as usize,
        names: names.collect(),
    }
}

fn fields(json: &Json) -> impl Iterator<Item = (&String, &Json)> {
    json.as_object().into_iter().flatten()
}

fn list(json: &Json) -> impl Iterator<Item = &Json> {
    json.as_array().into_iter().flatten()
}

fn word(json: &Json) -> String {
    json.as_str().expect("a domain in its format").to_owned()
}

fn literal(json: &Json) -> Literal {
    match json {
        Json::Bool(truth) => Literal::Bool(*truth),
        Json::Number(number) => Literal::Number(number.as_f64().expect("a domain in its format")),
        Json::String(name) => Literal::Name(name.clone()),
        _ => Literal::Null,
    }
}

fn attribute(json: &Json, owner: &str, name: &str, given: &Json) -> AttributeSpec {
    let whole = |field: &str| given[field].as_i64().unwrap_or(0) as i32;
    let is_static = given["static"].as_bool().unwrap_or(false);
    let kind = match given["type"].as_str().expect("a domain in its format") {
        "bool" => AttributeKind::Bool,
        "number" => AttributeKind::Number,
        "int" if given.get("max").is_none() => AttributeKind::Number,
        "int" => AttributeKind::Int {
            min: whole("min"),
            max: whole("max"),
        },
        "enum" => AttributeKind::Enum(words(json, owner, name, given)),
        kind => AttributeKind::Entity(kind.to_owned()),
    };
    AttributeSpec {
        owner: owner.to_owned(),
        name: name.to_owned(),
        kind,
        is_static,
        default: given.get("default").map(literal),
    }
}

/// The words of an enum: where they are not listed, those that it has.
fn words(json: &Json, owner: &str, name: &str, given: &Json) -> Vec<String> {
    let mut words: Vec<String> = list(&given["values"]).map(word).collect();
    let entities = list(&json["types"][owner]);
    let init = entities
        .map(|entity| &json["init"][entity.as_str().expect("a domain in its format")][name]);
    for used in init.chain([&given["default"]]).filter_map(Json::as_str) {
        if !words.iter().any(|word| word == used) {
            words.push(used.to_owned());
        }
    }
    words
}

fn table(name: &str, numbers: &Json) -> TableSpec {
    let entries = fields(numbers).map(|(entity, number)| {
        (
            entity.clone(),
            number.as_f64().expect("a domain in its format"),
        )
    });
    let (default, entries) = entries.partition::<Vec<_>, _>(|(entity, _)| entity == "*");
    TableSpec {
        name: name.into(),
        entries,
        default: default.first().map_or(0.0, |(_, number)| *number),
    }
}

fn action(json: &Json) -> ActionSpec {
    let believability = &json["believability"];
    let rules = list(&believability["rules"]).map(|rule| RuleSpec {
        condition: rule.get("if").map(expr),
        change: match rule.get("set") {
            Some(set) => Change::Set(expr(set)),
            None => Change::Mul(expr(&rule["mul"])),
        },
    });
    ActionSpec {
        name: word(&json["name"]),
        params: list(&json["params"])
            .map(|p| (word(&p[0]), word(&p[1])))
            .collect(),
        distinct: false,
        preconditions: list(&json["pre"]).map(expr).collect(),
        effects: list(&json["eff"]).map(effect).collect(),
        believability: BelievabilitySpec {
            base: expr(&believability["base"]),
            rules: rules.collect(),
        },
        texts: list(&json["text"]).map(word).collect(),
    }
}

fn effect(json: &Json) -> EffectSpec {
    let effects = |json: &Json| list(json).map(effect).collect();
    match json[0].as_str().expect("a domain in its format") {
        "set" => EffectSpec::Set {
            entity: expr(&json[1]),
            attribute: word(&json[2]),
            value: expr(&json[3]),
        },
        "add" => EffectSpec::Add {
            entity: expr(&json[1]),
            attribute: word(&json[2]),
            value: expr(&json[3]),
        },
        "when" => EffectSpec::When {
            condition: expr(&json[1]),
            effects: effects(&json[2]),
        },
        _ => EffectSpec::Each {
            variable: word(&json[1]),
            kind: word(&json[2]),
            condition: expr(&json[3]),
            effects: effects(&json[4]),
        },
    }
}

/// An expression.
pub(crate) fn expr(json: &Json) -> Expr {
    let Some(parts) = json.as_array() else {
        return match json {
            Json::Bool(truth) => Expr::Bool(*truth),
            Json::Number(number) => Expr::Number(number.as_f64().expect("a domain in its format")),
            Json::String(name) => Expr::Name(name.clone()),
            _ => Expr::Null,
        };
    };
    let one = |i: usize| Box::new(expr(&parts[i]));
    let all = || parts[1..].iter().map(expr).collect();
    let compare = |how| Expr::Compare(how, one(1), one(2));
    let quantified = |quantifier| Expr::Quantified {
        quantifier,
        variable: word(&parts[1]),
        kind: word(&parts[2]),
        body: one(3),
    };
    match parts[0].as_str().expect("a domain in its format") {
        "get" => Expr::Get(one(1), word(&parts[2])),
        "table" => Expr::Table(word(&parts[1]), one(2)),
        "and" => Expr::And(all()),
        "or" => Expr::Or(all()),
        "not" => Expr::Not(one(1)),
        "min" => Expr::Min(all()),
        "max" => Expr::Max(all()),
        "if" => Expr::If(one(1), one(2), one(3)),
        "count" => quantified(Quantifier::Count),
        "exists" => quantified(Quantifier::Exists),
        "forall" => quantified(Quantifier::Forall),
        "+" => Expr::Arithmetic(Operation::Plus, one(1), one(2)),
        "-" => Expr::Arithmetic(Operation::Minus, one(1), one(2)),
        "*" => Expr::Arithmetic(Operation::Times, one(1), one(2)),
        "==" => compare(Comparison::Equal),
        "!=" => compare(Comparison::Unequal),
        "<" => compare(Comparison::Less),
        "<=" => compare(Comparison::AtMost),
        ">" => compare(Comparison::Greater),
        ">=" => compare(Comparison::AtLeast),
        other => panic!("unknown: {other}"),
    }
}
