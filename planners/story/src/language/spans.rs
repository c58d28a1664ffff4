//! Where in a text the parts of what it means are.

use super::phrases;
use std::fmt::{Display, Formatter, Result};

/// A part, as mistakes of a domain call it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    Operand(usize),
    Body,
    Entity,
    Attribute,
    Value,
    Condition,
    Change,
    Effect(usize),
}

impl Display for Part {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Whole => Ok(()),
            Self::Operand(index) => write!(f, "operands[{index}]"),
            Self::Body => f.write_str("body"),
            Self::Entity => f.write_str("entity"),
            Self::Attribute => f.write_str("attribute"),
            Self::Value => f.write_str("value"),
            Self::Condition => f.write_str("condition"),
            Self::Change => f.write_str("change"),
            Self::Effect(index) => write!(f, "effects[{index}]"),
        }
    }
}

/// Where something is, with its parts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Span {
    pub(super) part: Part,
    /// Character, from 1.
    pub(super) at: usize,
    pub(super) parts: Vec<Span>,
}

impl Span {
    pub(super) fn new(at: usize) -> Self {
        let (part, parts) = (Part::Whole, Vec::new());
        Self { part, at, parts }
    }

    /// The same, as a part of something.
    pub(super) fn labelled(self, part: Part) -> Self {
        Self { part, ..self }
    }

    /// The same, with operands.
    pub(super) fn with_operands(mut self, operands: impl IntoIterator<Item = Self>) -> Self {
        let operands = operands.into_iter().enumerate();
        self.parts
            .extend(operands.map(|(i, span)| span.labelled(Part::Operand(i))));
        self
    }

    /// Where the part at this path is, or the nearest around it.
    fn find(&self, path: &str) -> usize {
        let (first, rest) = path.split_once('.').unwrap_or((path, ""));
        let mut parts = self.parts.iter();
        match parts.find(|part| part.part.to_string() == first) {
            Some(part) if !first.is_empty() => part.find(rest),
            _ => self.at,
        }
    }
}

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// An expression.
    Expression,
    /// An effect.
    Effect,
    /// A rule of believability.
    Rule,
    /// A value at the start.
    Setting,
}

/// The character, from 1, at which a part of a text begins, or at which the sign of an operation
/// stands. `path` leads there in the meaning of the text, as the faults of
/// [`Problem::new`](crate::Problem::new) do: `operands[1].operands[0]`. An invalid text: 1.
#[must_use]
pub fn position(text: &str, form: Form, path: &str) -> usize {
    let span = match form {
        Form::Expression => phrases::spanned_expression(text).map(|(_, span)| span),
        Form::Effect => phrases::spanned_effect(text).map(|(_, span)| span),
        Form::Rule => phrases::spanned_rule(text).map(|(_, span)| span),
        Form::Setting => phrases::spanned_setting(text).map(|(_, span)| span),
    };
    span.map_or(1, |span| span.find(path))
}
