//! Effects, rules, values at the start and kinds of values; and whole texts of each.

use super::parse::{Parser, Read};
use super::spans::{Part, Span};
use super::tokens::Token;
use super::{SyntaxError, SyntaxReason};
use crate::spec::{AttributeKind, Change, EffectSpec, Expr, Literal, Operation, RuleSpec, Setting};

/// All of a text.
fn whole<T>(text: &str, read: impl FnOnce(&mut Parser) -> Read<T>) -> Read<T> {
    let mut parser = Parser::new(text)?;
    let read = read(&mut parser)?;
    parser.end()?;
    Ok(read)
}

pub(super) fn spanned_expression(text: &str) -> Read<Expr> {
    whole(text, Parser::expression)
}

pub(super) fn spanned_effect(text: &str) -> Read<EffectSpec> {
    whole(text, Parser::effect)
}

pub(super) fn spanned_rule(text: &str) -> Read<RuleSpec> {
    whole(text, Parser::rule)
}

pub(super) fn spanned_setting(text: &str) -> Read<Setting> {
    whole(text, Parser::setting)
}

/// An expression: `a.anger >= 1 and a.place == b.place`.
///
/// # Errors
/// The first mistake.
pub fn expression(text: &str) -> Result<Expr, SyntaxError> {
    spanned_expression(text).map(|(expr, _)| expr)
}

/// An effect: `b.anger += 1`.
///
/// # Errors
/// The first mistake.
pub fn effect(text: &str) -> Result<EffectSpec, SyntaxError> {
    spanned_effect(text).map(|(effect, _)| effect)
}

/// A rule of believability: `set 0.9 if a.grudge == b`.
///
/// # Errors
/// The first mistake.
pub fn rule(text: &str) -> Result<RuleSpec, SyntaxError> {
    spanned_rule(text).map(|(rule, _)| rule)
}

/// A value at the start: `Alice.place = Home`.
///
/// # Errors
/// The first mistake.
pub fn setting(text: &str) -> Result<Setting, SyntaxError> {
    spanned_setting(text).map(|(setting, _)| setting)
}

/// A value that is written out: `0.5`, `null`, `Home`.
///
/// # Errors
/// The first mistake.
pub fn literal(text: &str) -> Result<Literal, SyntaxError> {
    whole(text, |parser| {
        let span = Span::new(parser.position());
        Ok((parser.literal()?, span))
    })
    .map(|(literal, _)| literal)
}

/// What values an attribute has: `bool`, `0..2`, `number`, `{citizen, guard}`, or a type.
///
/// # Errors
/// The first mistake.
pub fn values(text: &str) -> Result<AttributeKind, SyntaxError> {
    // In quotes they are types.
    match text.trim() {
        "bool" => return Ok(AttributeKind::Bool),
        "number" => return Ok(AttributeKind::Number),
        _ => {}
    }
    whole(text, |parser| {
        let span = Span::new(parser.position());
        Ok((parser.values()?, span))
    })
    .map(|(values, _)| values)
}

impl Parser {
    fn effect(&mut self) -> Read<EffectSpec> {
        self.nested(|parser| {
            let at = parser.position();
            if parser.takes("if") {
                let (condition, span) = parser.expression()?;
                let (effects, spans) = parser.block()?;
                let whole = around(at, span, spans);
                return Ok((EffectSpec::When { condition, effects }, whole));
            }
            if parser.takes("each") {
                return parser.for_each_entity(at);
            }
            parser.write()
        })
    }

    fn for_each_entity(&mut self, at: usize) -> Read<EffectSpec> {
        let (variable, kind) = self.bound()?;
        let (condition, span) = if self.takes(",") {
            self.expression()?
        } else {
            (Expr::Bool(true), Span::new(self.position()))
        };
        self.must(")", "',' and a condition, or ')'")?;
        let (effects, spans) = self.block()?;
        let effect = EffectSpec::Each {
            variable,
            kind,
            condition,
            effects,
        };
        Ok((effect, around(at, span, spans)))
    }

    /// Effects in braces.
    fn block(&mut self) -> Result<(Vec<EffectSpec>, Vec<Span>), SyntaxError> {
        self.must("{", "'{' and effects")?;
        let (mut effects, mut spans) = (Vec::new(), Vec::new());
        while !self.takes("}") {
            let (effect, span) = self.effect()?;
            spans.push(span.labelled(Part::Effect(effects.len())));
            effects.push(effect);
            if !self.takes(";") {
                self.must("}", "';' and another effect, or '}'")?;
                break;
            }
        }
        Ok((effects, spans))
    }

    fn write(&mut self) -> Read<EffectSpec> {
        let (target, mut span) = self.primary()?;
        let Expr::Get(entity, attribute) = target else {
            return Err(self.expected("'.' and an attribute that is changed"));
        };
        let at = span.at;
        let owner = span.parts.pop().unwrap_or_else(|| Span::new(at));
        let sign = ["=", "+=", "-="]
            .into_iter()
            .find(|sign| self.takes(sign))
            .ok_or_else(|| self.expected("'=', '+=' or '-='"))?;
        let (value, value_span) = self.expression()?;
        let mut whole = Span::new(at);
        whole.parts = vec![
            owner.labelled(Part::Entity),
            Span::new(at).labelled(Part::Attribute),
            value_span.labelled(Part::Value),
        ];
        let entity = *entity;
        let effect = match (sign, value) {
            ("=", value) => EffectSpec::Set {
                entity,
                attribute,
                value,
            },
            ("+=", value) => EffectSpec::Add {
                entity,
                attribute,
                value,
            },
            (_, value) => EffectSpec::Add {
                entity,
                attribute,
                value: negative(value),
            },
        };
        Ok((effect, whole))
    }

    fn rule(&mut self) -> Read<RuleSpec> {
        let at = self.position();
        let change: fn(Expr) -> Change<Expr> = if self.takes("set") {
            Change::Set
        } else if self.takes("multiply") {
            Change::Mul
        } else {
            return Err(self.expected("'set' or 'multiply'"));
        };
        let (value, span) = self.expression()?;
        let mut whole = Span::new(at);
        whole.parts.push(span.labelled(Part::Change));
        let condition = if self.takes("if") {
            let (condition, span) = self.expression()?;
            whole.parts.push(span.labelled(Part::Condition));
            Some(condition)
        } else {
            None
        };
        let change = change(value);
        Ok((RuleSpec { condition, change }, whole))
    }

    fn setting(&mut self) -> Read<Setting> {
        let mut whole = Span::new(self.position());
        let mark = |parser: &Self, part| Span::new(parser.position()).labelled(part);
        whole.parts.push(mark(self, Part::Entity));
        let entity = self.name("the name of an entity")?;
        self.must(".", "'.' and an attribute")?;
        whole.parts.push(mark(self, Part::Attribute));
        let attribute = self.name("the name of an attribute")?;
        self.must("=", "'='")?;
        whole.parts.push(mark(self, Part::Value));
        let value = self.literal()?;
        let setting = Setting {
            entity,
            attribute,
            value,
        };
        Ok((setting, whole))
    }

    fn literal(&mut self) -> Result<Literal, SyntaxError> {
        let negative = self.takes("-");
        let literal = match self.token().clone() {
            Token::Number(number) if negative => Literal::Number(-number),
            _ if negative => return Err(self.expected("a number")),
            Token::Number(number) => Literal::Number(number),
            Token::Word("true") => Literal::Bool(true),
            Token::Word("false") => Literal::Bool(false),
            Token::Word("null") => Literal::Null,
            Token::Name(name) => Literal::Name(name),
            _ => return Err(self.expected("a number, a name, true, false or null")),
        };
        self.take();
        Ok(literal)
    }

    fn values(&mut self) -> Result<AttributeKind, SyntaxError> {
        if self.takes("{") {
            let mut words = vec![self.name("a word")?];
            while self.takes(",") {
                words.push(self.name("a word")?);
            }
            self.must("}", "',' or '}'")?;
            return Ok(AttributeKind::Enum(words));
        }
        match self.token().clone() {
            Token::Number(_) | Token::Sign("-") => {
                let min = self.whole_number()?;
                self.must("..", "'..' and the highest value")?;
                let max = self.whole_number()?;
                Ok(AttributeKind::Int { min, max })
            }
            Token::Name(name) => {
                self.take();
                Ok(AttributeKind::Entity(name))
            }
            _ => Err(self.expected("bool, number, limits, words in braces or a type")),
        }
    }

    fn whole_number(&mut self) -> Result<i32, SyntaxError> {
        let at = self.position();
        let sign = if self.takes("-") { -1.0 } else { 1.0 };
        let Token::Number(number) = *self.token() else {
            return Err(self.expected("a whole number"));
        };
        let given = sign * number;
        self.take();
        if given.fract() != 0.0 || given.abs() > f64::from(i32::MAX) {
            let reason = SyntaxReason::NotWhole { given };
            return Err(SyntaxError { at, reason });
        }
        Ok(given as i32)
    }
}

/// An effect with a condition and effects in it.
fn around(at: usize, condition: Span, effects: Vec<Span>) -> Span {
    let mut whole = Span::new(at);
    whole.parts.push(condition.labelled(Part::Condition));
    whole.parts.extend(effects);
    whole
}

/// What is added where something is taken away.
fn negative(value: Expr) -> Expr {
    match value {
        Expr::Number(number) => Expr::Number(-number),
        value => Expr::Arithmetic(
            Operation::Minus,
            Box::new(Expr::Number(0.0)),
            Box::new(value),
        ),
    }
}
