//! Expressions are checked: names become indices, types have to fit, sizes stay bearable.

use super::sort::{Sort, Wanted, least_sort};
use super::{DEPTH_MAX, Problem, SIZE_MAX, Values, WORK_MAX, world};
use crate::errors::{Faults, with_article};
use crate::spec::{Comparison, Expr};
use crate::tree::{Node, Value};
use anytime::{Path, fault};

/// Checks the expressions of one place, with the variables that are bound there.
pub(super) struct Checker<'a> {
    pub(super) problem: &'a Problem,
    pub(super) faults: &'a mut Faults,
    /// Names and types of parameters and of bound variables; their places are slots.
    pub(super) bound: Vec<(String, usize)>,
    /// Most slots that were ever bound.
    pub(super) slots: usize,
    /// Parts of the expression so far.
    size: usize,
    /// Steps of the expression so far.
    work: u64,
    /// How often the part in sight is gone through.
    times: u64,
    depth: usize,
}

impl<'a> Checker<'a> {
    pub(super) fn new(problem: &'a Problem, faults: &'a mut Faults) -> Self {
        Self {
            problem,
            faults,
            bound: Vec::new(),
            slots: 0,
            size: 0,
            work: 0,
            times: 1,
            depth: 0,
        }
    }

    /// Begins a new expression or list of effects.
    pub(super) fn begin(&mut self) {
        (self.size, self.work, self.times, self.depth) = (0, 0, 1, 0);
    }

    /// Goes one level down and counts; false, and noted, where that is too much. Ends with
    /// [`Checker::up`].
    pub(super) fn down(&mut self) -> bool {
        self.depth += 1;
        self.size += 1;
        self.work = self.work.saturating_add(self.times);
        if self.depth > DEPTH_MAX {
            self.faults.add(fault!(
                "TOO_DEEP",
                Path::WHOLE,
                "is nested more than {} deep",
                DEPTH_MAX
            ));
            return false;
        }
        // Said once: whatever comes after is passed over.
        if self.size == SIZE_MAX + 1 {
            let max = SIZE_MAX;
            self.faults.add(fault!(
                "TOO_DEEP",
                Path::WHOLE,
                "has more than {} parts",
                max
            ));
        } else if self.work > WORK_MAX && self.work - self.times <= WORK_MAX {
            self.faults.add(fault!(
                "TOO_DEEP",
                Path::WHOLE,
                "takes more than {} steps: quantifiers within quantifiers multiply",
                WORK_MAX
            ));
        }
        self.size <= SIZE_MAX && self.work <= WORK_MAX
    }

    pub(super) fn up(&mut self) {
        self.depth -= 1;
    }

    /// A new expression that has to be something.
    pub(super) fn expression(
        &mut self,
        part: &Path<'_>,
        expr: &Expr,
        wanted: Wanted,
    ) -> Option<Node> {
        self.begin();
        let back = self.faults.enter(part);
        let node = self.want(expr, wanted);
        self.faults.leave(back);
        node
    }

    /// An expression and its type; None, and noted, if it has none.
    pub(super) fn check(&mut self, expr: &Expr) -> Option<(Node, Sort)> {
        let checked = if self.down() { self.parts(expr) } else { None };
        self.up();
        checked
    }

    fn parts(&mut self, expr: &Expr) -> Option<(Node, Sort)> {
        match expr {
            Expr::Null => Some((Node::Const(Value::Null), Sort::Null)),
            Expr::Bool(truth) => Some((Node::Const(Value::Bool(*truth)), Sort::Bool)),
            Expr::Number(number) => self.number(*number),
            Expr::Name(name) => self.name(name),
            Expr::Get(entity, name) => {
                let (node, kind) = self.entity(&Path::root("operands").index(0), entity)?;
                let attribute = self.attribute(kind, name)?;
                let sort = match &self.problem.attributes[attribute].values {
                    Values::Bool => Sort::Bool,
                    Values::Int(..) => Sort::Int,
                    Values::Number => Sort::Number,
                    Values::Words(_) => Sort::WordOf(attribute),
                    Values::Entity(kind) => Sort::Entity(*kind),
                };
                Some((Node::Get(Box::new(node), attribute), sort))
            }
            Expr::Compare(how, left, right) => self.compare(*how, left, right),
            Expr::Arithmetic(operation, left, right) => {
                let [left, right] = [self.part(0, left), self.part(1, right)];
                let ((left, a), (right, b)) = (left?, right?);
                let (left, right) = (self.numeric(0, left, a), self.numeric(1, right, b));
                let ((left, a), (right, b)) = (left?, right?);
                let node = Node::Arithmetic(*operation, Box::new([left, right]));
                Some((node, least_sort(a, b)))
            }
            Expr::And(all) => Some((Node::And(self.truths(all)?), Sort::Bool)),
            Expr::Or(all) => Some((Node::Or(self.truths(all)?), Sort::Bool)),
            Expr::Not(one) => {
                let back = self.faults.enter(&Path::root("operands").index(0));
                let node = self.want(one, Wanted::Bool);
                self.faults.leave(back);
                Some((Node::Not(Box::new(node?)), Sort::Bool))
            }
            Expr::Quantified { .. } => self.quantified(expr),
            Expr::Table(name, entity) => {
                let mut all = self.problem.tables.iter();
                let table = all.position(|table| table.name == *name);
                if table.is_none() {
                    self.faults.unknown(&Path::WHOLE, "table", name);
                }
                let (node, _) = self.entity(&Path::root("operands").index(0), entity)?;
                Some((Node::Table(table?, Box::new(node)), Sort::Number))
            }
            Expr::If(condition, yes, no) => self.choice(condition, yes, no),
            Expr::Min(all) => self.numbers(all).map(|(all, sort)| (Node::Min(all), sort)),
            Expr::Max(all) => self.numbers(all).map(|(all, sort)| (Node::Max(all), sort)),
        }
    }

    fn number(&mut self, number: f64) -> Option<(Node, Sort)> {
        if !self.faults.in_range(&Path::WHOLE, number, -1e9, 1e9) {
            return None;
        }
        let sort = if number.fract() == 0.0 {
            Sort::Int
        } else {
            Sort::Number
        };
        Some((Node::Const(Value::Number(number)), sort))
    }

    fn name(&mut self, name: &str) -> Option<(Node, Sort)> {
        // The innermost variable of a name counts.
        if let Some(slot) = self.bound.iter().rposition(|(bound, _)| bound == name) {
            return Some((Node::Slot(slot), Sort::Entity(self.bound[slot].1)));
        }
        if let Some(entity) = self.problem.entities.iter().position(|e| e.name == name) {
            let sort = Sort::Entity(self.problem.entities[entity].kind);
            return Some((Node::Const(Value::Entity(entity)), sort));
        }
        if let Some(word) = self.problem.words.iter().position(|word| word == name) {
            return Some((Node::Const(Value::Symbol(word)), Sort::Word(word)));
        }
        self.faults
            .unknown(&Path::WHOLE, "variable, entity or word", name);
        None
    }

    fn part(&mut self, index: usize, expr: &Expr) -> Option<(Node, Sort)> {
        let back = self.faults.enter(&Path::root("operands").index(index));
        let checked = self.check(expr);
        self.faults.leave(back);
        checked
    }

    /// An entity, not null, with its type.
    pub(super) fn entity(&mut self, part: &Path<'_>, expr: &Expr) -> Option<(Node, usize)> {
        let back = self.faults.enter(part);
        let checked = self.check(expr);
        let found = match checked {
            Some((node, Sort::Entity(kind))) => Some((node, kind)),
            Some((_, sort)) => {
                let found = self.called(sort);
                self.faults.wrong_type("an entity", found);
                None
            }
            None => None,
        };
        self.faults.leave(back);
        found
    }

    /// The attribute of this name that entities of a type have.
    pub(super) fn attribute(&mut self, kind: usize, name: &str) -> Option<usize> {
        let mut all = self.problem.attributes.iter();
        let found = all.position(|a| a.owner == kind && a.name == name);
        if found.is_none() {
            let owner = with_article(&self.problem.kinds[kind].name);
            self.faults.add(fault!(
                "UNKNOWN",
                Path::WHOLE,
                "names the attribute '{}', which {} does not have",
                name,
                owner
            ));
        }
        found
    }

    fn compare(&mut self, how: Comparison, left: &Expr, right: &Expr) -> Option<(Node, Sort)> {
        let (left, right) = (self.part(0, left), self.part(1, right));
        let ((left, a), (right, b)) = (left?, right?);
        let ordered = !matches!(how, Comparison::Equal | Comparison::Unequal);
        let number = |sort| matches!(sort, Sort::Int | Sort::Number);
        let same = match (a, b) {
            _ if number(a) && number(b) => true,
            _ if ordered => false,
            (Sort::Bool, Sort::Bool) | (Sort::Word(_), Sort::Word(_)) => true,
            (Sort::Null, other) | (other, Sort::Null) => !number(other) && other != Sort::Bool,
            (Sort::Entity(a), Sort::Entity(b)) => a == b,
            (Sort::Word(word), Sort::WordOf(attribute))
            | (Sort::WordOf(attribute), Sort::Word(word)) => {
                if !self.is_word_of(attribute, word) {
                    return None;
                }
                true
            }
            (Sort::WordOf(_), Sort::WordOf(_)) => true,
            _ => false,
        };
        if !same {
            self.incomparable(a, b);
            return None;
        }
        Some((Node::Compare(how, Box::new([left, right])), Sort::Bool))
    }

    fn incomparable(&mut self, left: Sort, right: Sort) {
        let (left, right) = (self.called(left), self.called(right));
        self.faults.add(fault!(
            "TYPE_MISMATCH",
            Path::WHOLE,
            "compares {} with {}",
            left,
            right
        ));
    }

    /// A part that has to be a number.
    fn numeric(&mut self, index: usize, node: Node, sort: Sort) -> Option<(Node, Sort)> {
        if matches!(sort, Sort::Int | Sort::Number) {
            return Some((node, sort));
        }
        let back = self.faults.enter(&Path::root("operands").index(index));
        let found = self.called(sort);
        self.faults.wrong_type("a number", found);
        self.faults.leave(back);
        None
    }

    fn truths(&mut self, all: &[Expr]) -> Option<Vec<Node>> {
        let mut nodes = Vec::new();
        for (i, one) in all.iter().enumerate() {
            let back = self.faults.enter(&Path::root("operands").index(i));
            nodes.push(self.want(one, Wanted::Bool));
            self.faults.leave(back);
            if self.size > SIZE_MAX {
                return None;
            }
        }
        nodes.into_iter().collect()
    }

    fn numbers(&mut self, all: &[Expr]) -> Option<(Vec<Node>, Sort)> {
        if all.is_empty() {
            self.faults
                .add(fault!("REQUIRED", Path::WHOLE, "has no operands"));
            return None;
        }
        let mut checked = Vec::new();
        for (i, one) in all.iter().enumerate() {
            let one = self.part(i, one);
            checked.push(one.and_then(|(node, sort)| self.numeric(i, node, sort)));
            if self.size > SIZE_MAX {
                return None;
            }
        }
        let checked: Vec<(Node, Sort)> = checked.into_iter().collect::<Option<_>>()?;
        let sort = checked.iter().fold(Sort::Int, |s, c| least_sort(s, c.1));
        Some((checked.into_iter().map(|(node, _)| node).collect(), sort))
    }

    fn choice(&mut self, condition: &Expr, yes: &Expr, no: &Expr) -> Option<(Node, Sort)> {
        let back = self.faults.enter(&Path::root("operands").index(0));
        let condition = self.want(condition, Wanted::Bool);
        self.faults.leave(back);
        let (yes, no) = (self.part(1, yes), self.part(2, no));
        let (condition, (yes, a), (no, b)) = (condition?, yes?, no?);
        let number = |sort| matches!(sort, Sort::Int | Sort::Number);
        let sort = match (a, b) {
            _ if a == b => a,
            _ if number(a) && number(b) => Sort::Number,
            (Sort::Null, Sort::Entity(_) | Sort::WordOf(_)) => b,
            (Sort::Entity(_) | Sort::WordOf(_), Sort::Null) => a,
            _ => {
                self.incomparable(a, b);
                return None;
            }
        };
        Some((Node::If(Box::new([condition, yes, no])), sort))
    }

    /// Binds a variable to the entities of a type, while `look` looks at what it is bound in.
    pub(super) fn with_variable<T>(
        &mut self,
        variable: &str,
        kind: &str,
        look: impl FnOnce(&mut Self, usize, usize) -> Option<T>,
    ) -> Option<T> {
        self.faults.check_name(&Path::WHOLE, variable);
        let kind = world::kind_of(self.problem, &Path::WHOLE, kind, self.faults)?;
        let slot = self.bound.len();
        self.bound.push((variable.to_owned(), kind));
        self.slots = self.slots.max(self.bound.len());
        let times = self.times;
        self.times = times.saturating_mul(self.problem.kinds[kind].entities.len().max(1) as u64);
        let result = look(self, slot, kind);
        self.times = times;
        self.bound.pop();
        result
    }

    fn quantified(&mut self, expr: &Expr) -> Option<(Node, Sort)> {
        let Expr::Quantified {
            quantifier,
            variable,
            kind,
            body,
        } = expr
        else {
            return None;
        };
        let node = self.with_variable(variable, kind, |checker, slot, kind| {
            let back = checker.faults.enter(&Path::root("body"));
            let body = checker.want(body, Wanted::Bool);
            checker.faults.leave(back);
            Some(Node::Quantified {
                quantifier: *quantifier,
                slot,
                kind,
                body: Box::new(body?),
            })
        })?;
        let sort = match quantifier {
            crate::spec::Quantifier::Count => Sort::Int,
            _ => Sort::Bool,
        };
        Some((node, sort))
    }
}
