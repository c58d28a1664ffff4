//! From checked expressions to code.

use super::code::{NULL, Number, Place, SLOTS, Slots, Small, Source, Truth, Write};
use super::quantified::exists;
use super::uses::Uses;
use crate::problem::{Problem, Values};
use crate::spec::{Comparison, Quantifier};
use crate::tree::{Effect, Node, Value};

/// Where the facts of attributes are, and what else compiling needs to know.
pub(super) struct Compiler<'p> {
    pub(super) problem: &'p Problem,
    /// By attribute: index of the fact of entity 0, as if it had one; None: it is static.
    pub(super) bases: Vec<Option<i32>>,
    /// Types of the slots in sight.
    pub(super) kinds: Vec<usize>,
}

/// A value as a small number.
pub(super) fn small(value: Value) -> i16 {
    match value {
        Value::Null => NULL,
        Value::Bool(truth) => i16::from(truth),
        Value::Number(number) => number as i16,
        Value::Entity(index) | Value::Symbol(index) => index as i16,
    }
}

/// What an attribute of null is.
fn of_nobody(values: &Values) -> i16 {
    match values {
        Values::Words(_) | Values::Entity(_) => NULL,
        _ => 0,
    }
}

impl Compiler<'_> {
    pub(super) fn range(&self, kind: usize) -> std::ops::Range<u8> {
        let entities = &self.problem.kinds()[kind].entities;
        entities.start as u8..entities.end as u8
    }

    fn is_number(&self, node: &Node) -> bool {
        match node {
            Node::Const(value) => matches!(value, Value::Number(_)),
            Node::Get(_, attribute) => {
                let values = &self.problem.attributes()[*attribute].values;
                matches!(values, Values::Int(..) | Values::Number)
            }
            Node::Arithmetic(..) | Node::Table(..) | Node::Min(_) | Node::Max(_) => true,
            Node::If(parts) => self.is_number(&parts[1]) || self.is_number(&parts[2]),
            Node::Quantified { quantifier, .. } => *quantifier == Quantifier::Count,
            _ => false,
        }
    }

    /// Static values by entity.
    fn statics(&self, attribute: usize) -> impl Iterator<Item = Value> + '_ {
        let given = &self.problem.attributes()[attribute];
        let start = self.problem.kinds()[given.owner].entities.start;
        let entities = 0..self.problem.entities().len();
        entities.map(move |e| {
            let local = e.checked_sub(start).and_then(|local| given.init.get(local));
            local.copied().unwrap_or(Value::Null)
        })
    }

    fn source(&self, attribute: usize) -> Source {
        let none = of_nobody(&self.problem.attributes()[attribute].values);
        match (
            self.bases[attribute],
            &self.problem.attributes()[attribute].values,
        ) {
            (Some(base), _) => Source::Facts(base, none),
            (None, Values::Int(..) | Values::Number) => {
                let number = |value| match value {
                    Value::Number(number) => number,
                    _ => 0.0,
                };
                Source::Numbers(self.statics(attribute).map(number).collect())
            }
            (None, _) => Source::Smalls(self.statics(attribute).map(small).collect(), none),
        }
    }

    pub(super) fn small(&self, node: &Node) -> Small {
        match node {
            Node::Const(value) => Small::Const(small(*value)),
            Node::Slot(slot) => Small::Slot(*slot as u8),
            Node::Get(entity, attribute) => {
                let source = self.source(*attribute);
                match (self.small(entity), source) {
                    (Small::Slot(slot), Source::Facts(base, _)) => {
                        Small::Fact(Place { slot, base })
                    }
                    (Small::Slot(slot), Source::Smalls(values, _)) => Small::Static(slot, values),
                    (entity, source) => Small::Of(Box::new(entity), Box::new(source)),
                }
            }
            Node::If(parts) => {
                let condition = self.truth(&parts[0]);
                let (yes, no) = (self.small(&parts[1]), self.small(&parts[2]));
                Small::If(Box::new((condition, yes, no)))
            }
            _ => Small::Truth(Box::new(self.truth(node))),
        }
    }

    pub(super) fn number(&self, node: &Node) -> Number {
        let all = |nodes: &[Node]| nodes.iter().map(|node| self.number(node)).collect();
        match node {
            Node::Const(Value::Number(number)) => Number::Const(*number),
            Node::Get(entity, attribute) => match (self.small(entity), self.source(*attribute)) {
                (Small::Slot(slot), Source::Facts(base, _)) => Number::Fact(Place { slot, base }),
                (Small::Slot(slot), Source::Numbers(values)) => Number::Static(slot, values),
                (entity, source) => Number::Of(Box::new(entity), Box::new(source)),
            },
            Node::Table(table, entity) => {
                let numbers = self.problem.tables()[*table]
                    .numbers
                    .clone()
                    .into_boxed_slice();
                match self.small(entity) {
                    Small::Slot(slot) => Number::Static(slot, numbers),
                    entity => Number::Of(Box::new(entity), Box::new(Source::Numbers(numbers))),
                }
            }
            Node::Arithmetic(operation, sides) => {
                let sides = (self.number(&sides[0]), self.number(&sides[1]));
                match sides {
                    (Number::Const(_), Number::Const(_)) => {
                        let number = Number::Arithmetic(*operation, Box::new(sides));
                        Number::Const(number.value::<[i16]>(&[], &mut [0; SLOTS]))
                    }
                    sides => Number::Arithmetic(*operation, Box::new(sides)),
                }
            }
            Node::If(parts) => {
                let condition = self.truth(&parts[0]);
                let (yes, no) = (self.number(&parts[1]), self.number(&parts[2]));
                Number::If(Box::new((condition, yes, no)))
            }
            Node::Min(nodes) => Number::Min(all(nodes)),
            Node::Max(nodes) => Number::Max(all(nodes)),
            Node::Quantified {
                slot, kind, body, ..
            } => Number::Count(Box::new(self.entity_condition(*slot, *kind, body))),
            // Null; the checker lets nothing else through.
            _ => Number::Const(0.0),
        }
    }

    /// A conjunction.
    pub(super) fn conjunction<'n>(&self, nodes: impl Iterator<Item = &'n Node>) -> Truth {
        let mut all = Vec::new();
        for node in nodes {
            match self.truth(node) {
                Truth::Const(true) => {}
                Truth::Const(false) => return Truth::Const(false),
                Truth::All(more) => all.extend(more),
                one => all.push(one),
            }
        }
        match all.len() {
            0 => Truth::Const(true),
            1 => all.remove(0),
            _ => Truth::All(all.into()),
        }
    }

    fn disjunction(&self, nodes: &[Node]) -> Truth {
        let mut any = Vec::new();
        for node in nodes {
            match self.truth(node) {
                Truth::Const(false) => {}
                Truth::Const(true) => return Truth::Const(true),
                one => any.push(one),
            }
        }
        match any.len() {
            0 => Truth::Const(false),
            1 => any.remove(0),
            _ => Truth::Any(any.into()),
        }
    }

    pub(super) fn truth(&self, node: &Node) -> Truth {
        let truth = match node {
            Node::Const(value) => Truth::Const(*value == Value::Bool(true)),
            Node::Get(..) => match self.small(node) {
                Small::Fact(place) => Truth::Fact(place, 1, true),
                other => Truth::Smalls(Box::new((other, Small::Const(1))), true),
            },
            Node::If(parts) => {
                let [condition, yes, no] = &**parts;
                let condition = self.truth(condition);
                let not = Truth::Not(Box::new(condition.clone()));
                Truth::Any(Box::new([
                    Truth::All(Box::new([condition, self.truth(yes)])),
                    Truth::All(Box::new([not, self.truth(no)])),
                ]))
            }
            Node::And(all) => self.conjunction(all.iter()),
            Node::Or(any) => self.disjunction(any),
            Node::Not(one) => negated(self.truth(one)),
            Node::Quantified {
                quantifier,
                slot,
                kind,
                body,
            } => match quantifier {
                Quantifier::Exists => exists(self.entity_condition(*slot, *kind, body)),
                _ => {
                    let not = Node::Not(body.clone());
                    let each = self.entity_condition(*slot, *kind, &not);
                    negated(exists(each))
                }
            },
            Node::Compare(how, sides) => self.compare(*how, sides),
            _ => Truth::Const(false),
        };
        self.folded(truth)
    }

    fn compare(&self, how: Comparison, sides: &[Node; 2]) -> Truth {
        let [left, right] = sides;
        if let (Comparison::AtLeast, Node::Const(Value::Number(least))) = (how, right)
            && let Number::Count(each) = self.number(left)
        {
            return Truth::AtLeast(least.ceil().max(0.0) as usize, each);
        }
        if self.is_number(left) || self.is_number(right) {
            return Truth::Numbers(how, Box::new((self.number(left), self.number(right))));
        }
        let equal = how == Comparison::Equal;
        match (self.small(left), self.small(right)) {
            (Small::Slot(a), Small::Slot(b)) => Truth::Slots(a, b, equal),
            (Small::Fact(a), Small::Fact(b)) => Truth::Facts(a, b, equal),
            (Small::Fact(a), Small::Slot(b)) | (Small::Slot(b), Small::Fact(a)) => {
                Truth::FactSlot(a, b, equal)
            }
            (Small::Fact(a), Small::Const(b)) | (Small::Const(b), Small::Fact(a)) => {
                Truth::Fact(a, b, equal)
            }
            sides => Truth::Smalls(Box::new(sides), equal),
        }
    }

    /// What reads no fact and depends on one slot at most is worked out now.
    fn folded(&self, truth: Truth) -> Truth {
        let mut uses = Uses::default();
        uses.truth(&truth);
        if uses.facts || matches!(truth, Truth::Const(_) | Truth::Static(..)) {
            return truth;
        }
        let mut slots: Slots = [0; SLOTS];
        match uses.free(self.kinds.len())[..] {
            [] => Truth::Const(truth.holds::<[i16]>(&[], &mut slots)),
            [slot] => {
                let range = self.range(self.kinds[slot]);
                let mut truths = vec![false; range.end as usize];
                for entity in range.clone() {
                    slots[slot] = entity;
                    truths[entity as usize] = truth.holds::<[i16]>(&[], &mut slots);
                }
                let (first, all) = (range.start as usize, &truths[range.start as usize..]);
                match (all.contains(&true), all.contains(&false)) {
                    (false, _) => Truth::Const(false),
                    (true, false) => Truth::Const(true),
                    _ => {
                        debug_assert!(first <= truths.len(), "ranges are in order");
                        Truth::Static(slot as u8, truths.into())
                    }
                }
            }
            _ => truth,
        }
    }

    pub(super) fn writes(&self, effects: &[Effect]) -> Box<[Write]> {
        let all = effects.iter().map(|effect| match effect {
            Effect::Write {
                entity,
                attribute,
                value,
                adds,
            } => {
                let entity = self.small(entity);
                let base =
                    self.bases[*attribute].expect("the checker lets no static one be written");
                match self.problem.attributes()[*attribute].values {
                    Values::Int(min, max) => Write::Number {
                        entity,
                        base,
                        value: self.number(value),
                        adds: *adds,
                        limits: (min as i16, max as i16),
                    },
                    _ => Write::Small {
                        entity,
                        base,
                        value: self.small(value),
                    },
                }
            }
            Effect::When { condition, effects } => {
                Write::When(self.truth(condition), self.writes(effects))
            }
            Effect::Each {
                slot,
                kind,
                condition,
                effects,
            } => {
                let each = self.entity_condition(*slot, *kind, condition);
                let mut kinds = self.kinds.clone();
                kinds.truncate(*slot);
                kinds.push(*kind);
                let inner = Compiler {
                    problem: self.problem,
                    bases: self.bases.clone(),
                    kinds,
                };
                Write::Each(Box::new(each), inner.writes(effects))
            }
        });
        all.collect()
    }
}

fn negated(truth: Truth) -> Truth {
    match truth {
        Truth::Const(truth) => Truth::Const(!truth),
        Truth::Fact(place, value, equal) => Truth::Fact(place, value, !equal),
        Truth::FactSlot(place, slot, equal) => Truth::FactSlot(place, slot, !equal),
        Truth::Facts(a, b, equal) => Truth::Facts(a, b, !equal),
        Truth::Slots(a, b, equal) => Truth::Slots(a, b, !equal),
        Truth::Smalls(sides, equal) => Truth::Smalls(sides, !equal),
        Truth::Not(one) => *one,
        other => Truth::Not(Box::new(other)),
    }
}
