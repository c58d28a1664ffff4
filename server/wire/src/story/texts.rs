//! Texts of the language, from the wire. Invalid ones are noted, and replaced by valid ones.

use crate::mistakes::{Code, Mistakes};
use anytime::Path;
use story::language::{self, SyntaxError, SyntaxReason};
use story::spec::{AttributeKind, Change, EffectSpec, Expr, Literal, RuleSpec, Setting};

/// What a text means, or `other` where it means nothing, which is noted.
fn read<T>(read: Result<T, SyntaxError>, other: T, at: &Path<'_>, wrong: &mut Mistakes) -> T {
    read.unwrap_or_else(|error| {
        wrong.add(at, code(&error.reason), &error);
        other
    })
}

fn code(reason: &SyntaxReason) -> Code {
    match reason {
        SyntaxReason::TooLong { .. } => Code::TooLong,
        SyntaxReason::TooDeep => Code::TooDeep,
        SyntaxReason::DivisionByZero => Code::DivisionByZero,
        SyntaxReason::Number | SyntaxReason::NotWhole { .. } => Code::OutOfRange,
        _ => Code::Syntax,
    }
}

pub(super) fn condition(text: &str, at: &Path<'_>, wrong: &mut Mistakes) -> Expr {
    read(language::expression(text), Expr::Bool(true), at, wrong)
}

/// A number; 1 where there is no text.
pub(super) fn number(text: &str, at: &Path<'_>, wrong: &mut Mistakes) -> Expr {
    let one = Expr::Number(1.0);
    if text.is_empty() {
        return one;
    }
    read(language::expression(text), one, at, wrong)
}

pub(super) fn effect(text: &str, at: &Path<'_>, wrong: &mut Mistakes) -> EffectSpec {
    let nothing = EffectSpec::When {
        condition: Expr::Bool(false),
        effects: Vec::new(),
    };
    read(language::effect(text), nothing, at, wrong)
}

pub(super) fn rule(text: &str, at: &Path<'_>, wrong: &mut Mistakes) -> RuleSpec {
    let nothing = RuleSpec {
        condition: None,
        change: Change::Mul(Expr::Number(1.0)),
    };
    read(language::rule(text), nothing, at, wrong)
}

/// A value at the start; an invalid one is of no entity.
pub(super) fn setting(text: &str, at: &Path<'_>, wrong: &mut Mistakes) -> Setting {
    let nothing = Setting {
        entity: String::new(),
        attribute: String::new(),
        value: Literal::Null,
    };
    read(language::setting(text), nothing, at, wrong)
}

pub(super) fn values(text: &str, at: &Path<'_>, wrong: &mut Mistakes) -> AttributeKind {
    // That it is required is a rule of the contract.
    if text.is_empty() {
        return AttributeKind::Bool;
    }
    read(language::values(text), AttributeKind::Bool, at, wrong)
}

/// A value that is written out; `None` where there is no text.
pub(super) fn literal(text: &str, at: &Path<'_>, wrong: &mut Mistakes) -> Option<Literal> {
    if text.is_empty() {
        return None;
    }
    let given = language::literal(text).map(Some);
    read(given, None, at, wrong)
}
