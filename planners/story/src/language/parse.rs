//! Expressions from tokens, by recursive descent.

use super::spans::{Part, Span};
use super::tokens::{Token, tokens};
use super::{NESTING_MAX, SyntaxError, SyntaxReason};
use crate::spec::{Comparison, Expr, Operation, Quantifier};

/// Something, and where it is.
pub(super) type Read<T> = Result<(T, Span), SyntaxError>;

/// Reads tokens one after the other.
pub(super) struct Parser {
    tokens: Vec<(Token, usize)>,
    next: usize,
    depth: usize,
}

impl Parser {
    pub(super) fn new(text: &str) -> Result<Self, SyntaxError> {
        Ok(Self {
            tokens: tokens(text)?,
            next: 0,
            depth: 0,
        })
    }

    /// The next token. The last is the end, and stays.
    pub(super) fn token(&self) -> &Token {
        &self.tokens[self.next].0
    }

    /// Where it is.
    pub(super) fn position(&self) -> usize {
        self.tokens[self.next].1
    }

    /// Takes a token.
    pub(super) fn take(&mut self) -> Token {
        let token = self.token().clone();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    /// Takes a sign or word, if it is the next.
    pub(super) fn takes(&mut self, wanted: &str) -> bool {
        let is = matches!(self.token(), Token::Sign(sign) | Token::Word(sign) if *sign == wanted);
        if is {
            self.take();
        }
        is
    }

    /// Takes a sign or word that has to be there; `expected` names it with its quotes.
    pub(super) fn must(&mut self, wanted: &str, expected: &'static str) -> Result<(), SyntaxError> {
        if self.takes(wanted) {
            Ok(())
        } else {
            Err(self.expected(expected))
        }
    }

    /// Takes a name.
    pub(super) fn name(&mut self, expected: &'static str) -> Result<String, SyntaxError> {
        let Token::Name(name) = self.token() else {
            return Err(self.expected(expected));
        };
        let name = name.clone();
        self.take();
        Ok(name)
    }

    /// That nothing follows.
    pub(super) fn end(&self) -> Result<(), SyntaxError> {
        match self.token() {
            Token::End => Ok(()),
            _ => Err(self.expected("the end")),
        }
    }

    pub(super) fn wrong(&self, reason: SyntaxReason) -> SyntaxError {
        SyntaxError {
            at: self.position(),
            reason,
        }
    }

    pub(super) fn expected(&self, expected: &'static str) -> SyntaxError {
        let found = self.token().description();
        self.wrong(SyntaxReason::Expected { expected, found })
    }

    /// Goes one level down.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth == NESTING_MAX {
            return Err(self.wrong(SyntaxReason::TooDeep));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// An expression.
    pub(super) fn expression(&mut self) -> Read<Expr> {
        self.nested(|parser| {
            let at = parser.position();
            if !parser.takes("if") {
                return parser.disjunction(0);
            }
            let (condition, a) = parser.expression()?;
            parser.must("then", "'then'")?;
            let (yes, b) = parser.expression()?;
            parser.must("else", "'else'")?;
            let (no, c) = parser.expression()?;
            let expr = Expr::If(Box::new(condition), Box::new(yes), Box::new(no));
            Ok((expr, Span::new(at).with_operands([a, b, c])))
        })
    }

    /// Alternatives (level 0), or one of them (level 1): what has to hold together.
    fn disjunction(&mut self, level: usize) -> Read<Expr> {
        let read = |parser: &mut Self| match level {
            0 => parser.disjunction(1),
            _ => parser.not(),
        };
        let at = self.position();
        let (first, span) = read(self)?;
        let (mut all, mut spans) = (vec![first], vec![span]);
        while self.takes(["or", "and"][level]) {
            let (next, span) = read(self)?;
            all.push(next);
            spans.push(span);
        }
        if all.len() == 1 {
            return Ok((all.remove(0), spans.remove(0)));
        }
        let span = Span::new(at).with_operands(spans);
        Ok(([Expr::Or, Expr::And][level](all), span))
    }

    fn not(&mut self) -> Read<Expr> {
        let at = self.position();
        if !self.takes("not") {
            return self.comparison();
        }
        let (expr, span) = self.nested(Self::not)?;
        let not = Expr::Not(Box::new(expr));
        Ok((not, Span::new(at).with_operands([span])))
    }

    fn compared(&self) -> Option<Comparison> {
        let Token::Sign(sign) = self.token() else {
            return None;
        };
        Some(match *sign {
            "==" => Comparison::Equal,
            "!=" => Comparison::Unequal,
            "<" => Comparison::Less,
            "<=" => Comparison::AtMost,
            ">" => Comparison::Greater,
            ">=" => Comparison::AtLeast,
            _ => return None,
        })
    }

    fn comparison(&mut self) -> Read<Expr> {
        let (left, a) = self.sum()?;
        let Some(how) = self.compared() else {
            return Ok((left, a));
        };
        let at = self.position();
        self.take();
        let (right, b) = self.sum()?;
        if self.compared().is_some() {
            return Err(self.wrong(SyntaxReason::Chained));
        }
        let expr = Expr::Compare(how, Box::new(left), Box::new(right));
        Ok((expr, Span::new(at).with_operands([a, b])))
    }

    fn sum(&mut self) -> Read<Expr> {
        let (mut left, mut span) = self.product()?;
        loop {
            let at = self.position();
            let how = match self.token() {
                Token::Sign("+") => Operation::Plus,
                Token::Sign("-") => Operation::Minus,
                _ => return Ok((left, span)),
            };
            self.take();
            let (right, b) = self.product()?;
            left = Expr::Arithmetic(how, Box::new(left), Box::new(right));
            span = Span::new(at).with_operands([span, b]);
        }
    }

    fn product(&mut self) -> Read<Expr> {
        let (mut left, mut span) = self.primary()?;
        loop {
            let at = self.position();
            let (right, b) = if self.takes("*") {
                self.primary()?
            } else if self.takes("/") {
                self.divisor()?
            } else {
                return Ok((left, span));
            };
            left = Expr::Arithmetic(Operation::Times, Box::new(left), Box::new(right));
            span = Span::new(at).with_operands([span, b]);
        }
    }

    /// The number that dividing multiplies by.
    fn divisor(&mut self) -> Read<Expr> {
        let span = Span::new(self.position());
        let Token::Number(number) = *self.token() else {
            return Err(self.expected("a number that is written out"));
        };
        if number == 0.0 {
            return Err(self.wrong(SyntaxReason::DivisionByZero));
        }
        if !(1.0 / number).is_finite() {
            return Err(self.wrong(SyntaxReason::Number));
        }
        self.take();
        Ok((Expr::Number(1.0 / number), span))
    }

    /// Something simple, and attributes of it.
    pub(super) fn primary(&mut self) -> Read<Expr> {
        let (mut expr, mut span) = self.nested(Self::simple)?;
        // A text of attributes of attributes is as deep as it is long.
        for depth in 0.. {
            if !self.takes(".") {
                break;
            }
            if depth == NESTING_MAX {
                return Err(self.wrong(SyntaxReason::TooDeep));
            }
            let at = self.position();
            let name = self.name("the name of an attribute")?;
            expr = Expr::Get(Box::new(expr), name);
            span = Span::new(at).with_operands([span]);
        }
        Ok((expr, span))
    }

    fn simple(&mut self) -> Read<Expr> {
        let at = self.position();
        let span = Span::new(at);
        let expr = match self.token().clone() {
            Token::Number(number) => Expr::Number(number),
            Token::Word("true") => Expr::Bool(true),
            Token::Word("false") => Expr::Bool(false),
            Token::Word("null") => Expr::Null,
            Token::Word("exists") => return self.quantified(Quantifier::Exists),
            Token::Word("forall") => return self.quantified(Quantifier::Forall),
            Token::Word("count") => return self.quantified(Quantifier::Count),
            Token::Word("min") => return self.several(Expr::Min),
            Token::Word("max") => return self.several(Expr::Max),
            Token::Name(name) => {
                self.take();
                if !self.takes("[") {
                    return Ok((Expr::Name(name), span));
                }
                let (entity, inner) = self.expression()?;
                self.must("]", "']'")?;
                let table = Expr::Table(name, Box::new(entity));
                return Ok((table, span.with_operands([inner])));
            }
            Token::Sign("(") => {
                self.take();
                let read = self.expression()?;
                self.must(")", "')'")?;
                return Ok(read);
            }
            Token::Sign("-") => {
                self.take();
                let Token::Number(number) = *self.token() else {
                    return Err(self.expected("a number after '-'; of anything else write 0 - x"));
                };
                Expr::Number(-number)
            }
            _ => return Err(self.expected("a value")),
        };
        self.take();
        Ok((expr, span))
    }

    /// `(x: type`, with what is to follow.
    pub(super) fn bound(&mut self) -> Result<(String, String), SyntaxError> {
        self.must("(", "'('")?;
        let variable = self.name("the name of a variable")?;
        self.must(":", "':' and the type of the variable")?;
        let kind = self.name("the name of a type")?;
        Ok((variable, kind))
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Read<Expr> {
        let at = self.position();
        self.take();
        let (variable, kind) = self.bound()?;
        self.must(",", "',' and a condition")?;
        let (body, span) = self.expression()?;
        self.must(")", "')'")?;
        let expr = Expr::Quantified {
            quantifier,
            variable,
            kind,
            body: Box::new(body),
        };
        let mut whole = Span::new(at);
        whole.parts.push(span.labelled(Part::Body));
        Ok((expr, whole))
    }

    fn several(&mut self, make: fn(Vec<Expr>) -> Expr) -> Read<Expr> {
        let at = self.position();
        self.take();
        self.must("(", "'('")?;
        let (mut all, mut spans) = (Vec::new(), Vec::new());
        loop {
            let (expr, span) = self.expression()?;
            all.push(expr);
            spans.push(span);
            if !self.takes(",") {
                break;
            }
        }
        self.must(")", "',' or ')'")?;
        Ok((make(all), Span::new(at).with_operands(spans)))
    }
}
