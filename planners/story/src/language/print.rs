//! What is meant as text again: read, it means the same.

use super::tokens::is_plain;
use crate::spec::{
    AttributeKind, Change, Comparison, EffectSpec, Expr, Literal, Operation, Quantifier, RuleSpec,
    Setting,
};

/// How tightly parts have to hold together to need no brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Whole,
    Or,
    And,
    Not,
    Compare,
    Sum,
    Product,
    Primary,
}

/// An expression. Lists of no operands or one are written as what they mean; numbers have to be
/// finite.
#[must_use]
pub fn show_expression(expr: &Expr) -> String {
    shown(expr, Level::Whole)
}

/// An effect.
#[must_use]
pub fn show_effect(effect: &EffectSpec) -> String {
    let write = |entity: &Expr, attribute: &String, sign: &str, value: &Expr| {
        let entity = shown(entity, Level::Primary);
        let value = show_expression(value);
        format!("{entity}.{} {sign} {value}", name(attribute))
    };
    match effect {
        EffectSpec::Set {
            entity,
            attribute,
            value,
        } => write(entity, attribute, "=", value),
        EffectSpec::Add {
            entity,
            attribute,
            value,
        } => write(entity, attribute, "+=", value),
        EffectSpec::When { condition, effects } => {
            format!("if {} {}", show_expression(condition), block(effects))
        }
        EffectSpec::Each {
            variable,
            kind,
            condition,
            effects,
        } => {
            let condition = match condition {
                Expr::Bool(true) => String::new(),
                condition => format!(", {}", show_expression(condition)),
            };
            let (variable, kind) = (name(variable), name(kind));
            format!("each({variable}: {kind}{condition}) {}", block(effects))
        }
    }
}

/// A rule of believability.
#[must_use]
pub fn show_rule(rule: &RuleSpec) -> String {
    let change = match &rule.change {
        Change::Set(expr) => format!("set {}", show_expression(expr)),
        Change::Mul(expr) => format!("multiply {}", show_expression(expr)),
    };
    match &rule.condition {
        Some(condition) => format!("{change} if {}", show_expression(condition)),
        None => change,
    }
}

/// A value at the start.
#[must_use]
pub fn show_setting(setting: &Setting) -> String {
    let Setting {
        entity,
        attribute,
        value,
    } = setting;
    let value = show_literal(value);
    format!("{}.{} = {value}", name(entity), name(attribute))
}

/// A value that is written out.
#[must_use]
pub fn show_literal(literal: &Literal) -> String {
    match literal {
        Literal::Null => "null".into(),
        Literal::Bool(truth) => truth.to_string(),
        Literal::Number(number) => number.to_string(),
        Literal::Name(given) => name(given),
    }
}

/// What values an attribute has.
#[must_use]
pub fn show_values(kind: &AttributeKind) -> String {
    match kind {
        AttributeKind::Bool => "bool".into(),
        AttributeKind::Number => "number".into(),
        AttributeKind::Int { min, max } => format!("{min}..{max}"),
        AttributeKind::Enum(words) => {
            let words: Vec<String> = words.iter().map(|word| name(word)).collect();
            format!("{{{}}}", words.join(", "))
        }
        AttributeKind::Entity(kind) if ["bool", "number"].contains(&kind.as_str()) => {
            format!("'{kind}'")
        }
        AttributeKind::Entity(kind) => name(kind),
    }
}

fn block(effects: &[EffectSpec]) -> String {
    let effects: Vec<String> = effects.iter().map(show_effect).collect();
    if effects.is_empty() {
        "{}".into()
    } else {
        format!("{{ {} }}", effects.join("; "))
    }
}

fn name(given: &str) -> String {
    if is_plain(given) {
        given.into()
    } else {
        format!("'{}'", given.replace('\'', "''"))
    }
}

/// An expression where something has to hold together as tightly as `around`.
fn shown(expr: &Expr, around: Level) -> String {
    let (text, level) = match expr {
        Expr::And(all) => match all.as_slice() {
            [] => ("true".into(), Level::Primary),
            [one] => return shown(one, around),
            all => (joined(all, " and ", Level::Not), Level::And),
        },
        Expr::Or(all) => match all.as_slice() {
            [] => ("false".into(), Level::Primary),
            [one] => return shown(one, around),
            all => (joined(all, " or ", Level::And), Level::Or),
        },
        Expr::Not(one) => (format!("not {}", shown(one, Level::Not)), Level::Not),
        Expr::If(condition, yes, no) => {
            let [condition, yes, no] = [condition, yes, no].map(|part| show_expression(part));
            let text = format!("if {condition} then {yes} else {no}");
            (text, Level::Whole)
        }
        Expr::Compare(how, left, right) => {
            let (left, right) = (shown(left, Level::Sum), shown(right, Level::Sum));
            (format!("{left} {} {right}", sign(*how)), Level::Compare)
        }
        Expr::Arithmetic(how, left, right) => {
            let (sign, level, right_level) = match how {
                Operation::Plus => ("+", Level::Sum, Level::Product),
                Operation::Minus => ("-", Level::Sum, Level::Product),
                Operation::Times => ("*", Level::Product, Level::Primary),
            };
            let (left, right) = (shown(left, level), shown(right, right_level));
            (format!("{left} {sign} {right}"), level)
        }
        primary => (self::primary(primary), Level::Primary),
    };
    if level < around {
        format!("({text})")
    } else {
        text
    }
}

/// What needs no brackets.
fn primary(expr: &Expr) -> String {
    match expr {
        Expr::Bool(truth) => truth.to_string(),
        Expr::Number(number) => number.to_string(),
        Expr::Name(given) => name(given),
        Expr::Get(entity, attribute) => {
            format!("{}.{}", shown(entity, Level::Primary), name(attribute))
        }
        Expr::Table(table, entity) => format!("{}[{}]", name(table), show_expression(entity)),
        Expr::Quantified {
            quantifier,
            variable,
            kind,
            body,
        } => {
            let what = match quantifier {
                Quantifier::Count => "count",
                Quantifier::Exists => "exists",
                Quantifier::Forall => "forall",
            };
            let (variable, kind) = (name(variable), name(kind));
            format!("{what}({variable}: {kind}, {})", show_expression(body))
        }
        Expr::Min(all) => format!("min({})", joined(all, ", ", Level::Whole)),
        Expr::Max(all) => format!("max({})", joined(all, ", ", Level::Whole)),
        // Nothing else is left: all others need brackets.
        _ => "null".into(),
    }
}

fn joined(all: &[Expr], between: &str, around: Level) -> String {
    let all: Vec<String> = all.iter().map(|one| shown(one, around)).collect();
    all.join(between)
}

fn sign(how: Comparison) -> &'static str {
    match how {
        Comparison::Equal => "==",
        Comparison::Unequal => "!=",
        Comparison::Less => "<",
        Comparison::AtMost => "<=",
        Comparison::Greater => ">",
        Comparison::AtLeast => ">=",
    }
}
