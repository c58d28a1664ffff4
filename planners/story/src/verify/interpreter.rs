//! What expressions mean, one node at a time.

use crate::plan::Action;
use crate::problem::{Problem, Values};
use crate::spec::{Comparison, Operation, Quantifier};
use crate::tree::{Effect, NUMBER_MAX, Node, Value};
use std::cell::RefCell;

/// An attribute of an entity, by their indices.
pub(super) type Fact = (usize, usize);

/// The values of all attributes.
#[derive(Clone)]
pub(super) struct World<'p> {
    pub(super) problem: &'p Problem,
    /// By attribute, then by place among the entities of its type.
    values: Vec<Vec<Value>>,
    /// What was read, in this order, where somebody wants to know.
    reads: Option<RefCell<Vec<Fact>>>,
}

/// The number that a value is; of null it is 0.
pub(super) fn number(value: Value) -> f64 {
    match value {
        Value::Number(number) => number,
        _ => 0.0,
    }
}

/// Truth; null is false.
fn truth(value: Value) -> bool {
    value == Value::Bool(true)
}

impl<'p> World<'p> {
    pub(super) fn new(problem: &'p Problem) -> Self {
        let attributes = problem.attributes().iter();
        Self {
            problem,
            values: attributes.map(|attribute| attribute.init.clone()).collect(),
            reads: None,
        }
    }

    /// The start, changed in some facts, which notes what is read.
    pub(super) fn watched(problem: &'p Problem, facts: &[(Fact, Value)]) -> Self {
        let mut world = Self::new(problem);
        for ((attribute, entity), value) in facts {
            world.values[*attribute][problem.local(*entity)] = *value;
        }
        world.reads = Some(RefCell::default());
        world
    }

    /// What was read so far.
    pub(super) fn reads(&self) -> Vec<Fact> {
        let reads = self.reads.as_ref();
        reads.map_or(Vec::new(), |reads| reads.borrow().clone())
    }

    pub(super) fn holds(&self, node: &Node, slots: &[usize]) -> bool {
        truth(self.value(node, slots))
    }

    fn entity(&self, node: &Node, slots: &[usize]) -> Option<usize> {
        match self.value(node, slots) {
            Value::Entity(entity) => Some(entity),
            _ => None,
        }
    }

    fn get(&self, entity: Option<usize>, attribute: usize) -> Value {
        if let Some(entity) = entity {
            if let Some(reads) = &self.reads {
                reads.borrow_mut().push((attribute, entity));
            }
            return self.values[attribute][self.problem.local(entity)];
        }
        match self.problem.attributes()[attribute].values {
            Values::Bool => Value::Bool(false),
            Values::Int(..) | Values::Number => Value::Number(0.0),
            Values::Words(_) | Values::Entity(_) => Value::Null,
        }
    }

    pub(super) fn value(&self, node: &Node, slots: &[usize]) -> Value {
        let number_of = |node: &Node| number(self.value(node, slots));
        match node {
            Node::Const(value) => *value,
            Node::Slot(slot) => Value::Entity(slots[*slot]),
            Node::Get(entity, attribute) => self.get(self.entity(entity, slots), *attribute),
            Node::Compare(how, sides) => {
                let [left, right] = &**sides;
                let (left, right) = (self.value(left, slots), self.value(right, slots));
                Value::Bool(compare(*how, left, right))
            }
            Node::Arithmetic(operation, sides) => {
                let (left, right) = (number_of(&sides[0]), number_of(&sides[1]));
                let result = match operation {
                    Operation::Plus => left + right,
                    Operation::Minus => left - right,
                    Operation::Times => left * right,
                };
                Value::Number(result.clamp(-NUMBER_MAX, NUMBER_MAX))
            }
            Node::And(all) => Value::Bool(all.iter().all(|node| self.holds(node, slots))),
            Node::Or(all) => Value::Bool(all.iter().any(|node| self.holds(node, slots))),
            Node::Not(node) => Value::Bool(!self.holds(node, slots)),
            Node::Quantified {
                quantifier,
                kind,
                body,
                ..
            } => {
                let all = self.problem.kinds()[*kind].entities.clone();
                let total = all.len();
                let count = all.filter(|entity| self.holds(body, &bound_slots(slots, *entity)));
                let count = count.count();
                match quantifier {
                    Quantifier::Count => Value::Number(count as f64),
                    Quantifier::Exists => Value::Bool(count > 0),
                    Quantifier::Forall => Value::Bool(count == total),
                }
            }
            Node::Table(table, entity) => {
                let entity = self.entity(entity, slots);
                let numbers = &self.problem.tables()[*table].numbers;
                Value::Number(entity.map_or(0.0, |entity| numbers[entity]))
            }
            Node::If(parts) => {
                let chosen = if self.holds(&parts[0], slots) { 1 } else { 2 };
                self.value(&parts[chosen], slots)
            }
            Node::Min(all) => Value::Number(all.iter().map(number_of).fold(f64::MAX, f64::min)),
            Node::Max(all) => Value::Number(all.iter().map(number_of).fold(f64::MIN, f64::max)),
        }
    }

    /// The world after an action. All effects read this one.
    pub(super) fn after(&self, action: &Action) -> Self {
        let mut next = self.clone();
        let schema = &self.problem.schemas()[action.schema];
        self.write_all(&schema.effects, &action.args, &mut next);
        next
    }

    /// What is different in a later world: attribute, entity, value.
    pub(super) fn changes(&self, next: &Self) -> Vec<(usize, usize, Value)> {
        let mut found = Vec::new();
        for (attribute, spec) in self.problem.attributes().iter().enumerate() {
            let entities = self.problem.kinds()[spec.owner].entities.clone();
            let values = self.values[attribute].iter().zip(&next.values[attribute]);
            for (entity, (old, new)) in entities.zip(values) {
                if old != new {
                    found.push((attribute, entity, *new));
                }
            }
        }
        found
    }

    fn write_all(&self, effects: &[Effect], slots: &[usize], next: &mut Self) {
        for effect in effects {
            self.write(effect, slots, next);
        }
    }

    fn write(&self, effect: &Effect, slots: &[usize], next: &mut Self) {
        match effect {
            Effect::Write {
                entity,
                attribute,
                value,
                adds,
            } => {
                let Some(entity) = self.entity(entity, slots) else {
                    return;
                };
                let mut value = self.value(value, slots);
                if let Values::Int(min, max) = self.problem.attributes()[*attribute].values {
                    let old = number(self.get(Some(entity), *attribute));
                    let new = number(value) + if *adds { old } else { 0.0 };
                    value = Value::Number(new.clamp(f64::from(min), f64::from(max)));
                }
                next.values[*attribute][self.problem.local(entity)] = value;
            }
            Effect::When { condition, effects } => {
                if self.holds(condition, slots) {
                    self.write_all(effects, slots, next);
                }
            }
            Effect::Each {
                kind,
                condition,
                effects,
                ..
            } => {
                for entity in self.problem.kinds()[*kind].entities.clone() {
                    let slots = bound_slots(slots, entity);
                    if self.holds(condition, &slots) {
                        self.write_all(effects, &slots, next);
                    }
                }
            }
        }
    }
}

/// Slots with one more entity. The slot of a variable is the number of what is bound around it.
fn bound_slots(slots: &[usize], entity: usize) -> Vec<usize> {
    let mut slots = slots.to_vec();
    slots.push(entity);
    slots
}

fn compare(how: Comparison, left: Value, right: Value) -> bool {
    let (a, b) = (number(left), number(right));
    match how {
        Comparison::Equal => left == right,
        Comparison::Unequal => left != right,
        Comparison::Less => a < b,
        Comparison::AtMost => a <= b,
        Comparison::Greater => a > b,
        Comparison::AtLeast => a >= b,
    }
}
