//! Types of expressions, and what is wanted of them.

use super::Values;
use super::expression::Checker;
use crate::errors::with_article;
use crate::spec::Expr;
use crate::tree::Node;
use anytime::{Path, fault};

/// What type an expression has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Null,
    Bool,
    Int,
    Number,
    Entity(usize),
    /// A word, written out.
    Word(usize),
    /// A word of this attribute.
    WordOf(usize),
}

/// What an expression is wanted to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Bool,
    Int,
    Number,
    Entity(usize),
    WordOf(usize),
}

impl Checker<'_> {
    /// An expression, within another, that has to be something.
    pub(super) fn want(&mut self, expr: &Expr, wanted: Wanted) -> Option<Node> {
        let (node, sort) = self.check(expr)?;
        let fits = match (wanted, sort) {
            (Wanted::Bool, Sort::Bool)
            | (Wanted::Int, Sort::Int)
            | (Wanted::Number, Sort::Int | Sort::Number)
            | (Wanted::Entity(_) | Wanted::WordOf(_), Sort::Null) => true,
            (Wanted::Entity(wanted), Sort::Entity(found)) => wanted == found,
            (Wanted::WordOf(attribute), Sort::Word(word)) => {
                return self.is_word_of(attribute, word).then_some(node);
            }
            (Wanted::WordOf(attribute), Sort::WordOf(other)) => {
                self.problem.attributes[attribute].values == self.problem.attributes[other].values
            }
            _ => false,
        };
        if !fits {
            let expected = match wanted {
                Wanted::Bool => "true or false".to_owned(),
                Wanted::Int => "a whole number".into(),
                Wanted::Number => "a number".into(),
                Wanted::Entity(kind) => with_article(&self.problem.kinds[kind].name),
                Wanted::WordOf(a) => format!("a word of '{}'", self.problem.attributes[a].name),
            };
            let found = self.called(sort);
            self.faults.wrong_type(expected, found);
        }
        fits.then_some(node)
    }

    pub(super) fn called(&self, sort: Sort) -> String {
        match sort {
            Sort::Null => "null".into(),
            Sort::Bool => "true or false".into(),
            Sort::Int => "a whole number".into(),
            Sort::Number => "a number".into(),
            Sort::Entity(kind) => with_article(&self.problem.kinds[kind].name),
            Sort::Word(word) => format!("the word '{}'", self.problem.words[word]),
            Sort::WordOf(a) => format!("a word of '{}'", self.problem.attributes[a].name),
        }
    }

    pub(super) fn is_word_of(&mut self, attribute: usize, word: usize) -> bool {
        let attribute = &self.problem.attributes[attribute];
        let known = matches!(&attribute.values, Values::Words(words) if words.contains(&word));
        if !known {
            self.faults.add(fault!(
                "UNKNOWN",
                Path::WHOLE,
                "is '{}', which is none of the words of '{}'",
                self.problem.words[word].as_str(),
                attribute.name.as_str()
            ));
        }
        known
    }
}

/// The type of what two numbers make.
pub(super) fn least_sort(a: Sort, b: Sort) -> Sort {
    if (a, b) == (Sort::Int, Sort::Int) {
        Sort::Int
    } else {
        Sort::Number
    }
}
