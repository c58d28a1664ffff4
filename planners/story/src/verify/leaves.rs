//! What actions do, case by case: by the values of the facts that the interpreter reads.

use super::interpreter::{Fact, World};
use super::{broken, judge};
use crate::certificate::{Condition, Occasion, UNIT};
use crate::plan::Action;
use crate::problem::Problem;
use crate::tree::Value;
use anytime::{Path, math};
use std::collections::{BTreeMap, BTreeSet};

/// Values that facts may have had, whatever became of them since (a delete relaxation).
#[derive(Clone)]
pub(super) struct Reached {
    values: BTreeMap<Fact, Vec<Value>>,
    /// By event: whether it happened.
    pub(super) events: BTreeSet<usize>,
    /// Actions that cost as much are not done.
    pub(super) limit: i64,
}

/// -ln of a probability in [`UNIT`], rounded down.
pub(super) fn cost_of(probability: f64) -> i64 {
    (-math::ln(probability) * UNIT).floor() as i64
}

/// An action where some facts have some values.
pub(super) struct Leaf {
    pub(super) action: Action,
    pub(super) facts: Vec<(Fact, Value)>,
    pub(super) changes: Vec<(Fact, Value)>,
    /// -ln of its believability.
    pub(super) cost: i64,
}

/// What is known of a world.
pub(super) type Given = [(Fact, Value)];
/// Whether to go on, where some facts are known of a world. Err: that depends on this fact.
type Look<'l> = dyn FnMut(&World<'_>, &Given) -> Result<bool, Fact> + 'l;
/// Whether an end is known, by which goals hold. Err: that depends on this fact.
pub(super) type KnowsEnd<'l> = dyn FnMut(&[bool], &Given) -> Result<bool, Fact> + 'l;

/// There were more cases than allowed.
pub(super) struct TooMany;

impl Reached {
    pub(super) fn start(problem: &Problem, limit: i64) -> Self {
        let mut values = BTreeMap::new();
        for (index, attribute) in problem.attributes().iter().enumerate() {
            let entities = problem.kinds()[attribute.owner].entities.clone();
            let facts = entities.zip(&attribute.init);
            values.extend(facts.map(|(entity, value)| ((index, entity), vec![*value])));
        }
        Self {
            values,
            events: BTreeSet::new(),
            limit,
        }
    }

    pub(super) fn contains(&self, fact: Fact, value: Value) -> bool {
        self.values[&fact].contains(&value)
    }

    /// Whether a condition may hold.
    pub(super) fn may_be(&self, condition: &Condition) -> bool {
        let fact = (condition.attribute, condition.entity);
        let values = self.values.get(&fact).into_iter().flatten();
        values.into_iter().any(|v| condition.values.contains(v))
    }

    /// Adds what comes of a leaf; whether that is new.
    pub(super) fn add(&mut self, problem: &Problem, leaf: &Leaf) -> bool {
        let mut is_new = false;
        for (fact, value) in &leaf.changes {
            let values = self.values.entry(*fact).or_default();
            if !values.contains(value) {
                values.push(*value);
                is_new = true;
            }
        }
        for (event, wanted) in problem.events().iter().enumerate() {
            let happens = wanted.must && wanted.matches(leaf.action.schema, &leaf.action.args);
            is_new |= happens && self.events.insert(event);
        }
        is_new
    }

    /// Whether a condition holds where some facts are known. Err: that depends on this fact.
    pub(super) fn holds(&self, given: &Given, wanted: &Condition) -> Result<bool, Fact> {
        let fact = (wanted.attribute, wanted.entity);
        if let Some((_, value)) = given.iter().find(|(known, _)| *known == fact) {
            return Ok(wanted.values.contains(value));
        }
        let Some(values) = self.values.get(&fact) else {
            return Ok(false);
        };
        let fits = values.iter().filter(|v| wanted.values.contains(v)).count();
        match fits {
            0 => Ok(false),
            _ if fits == values.len() => Ok(true),
            _ => Err(fact),
        }
    }

    /// The first fact that was read without being known.
    fn open(&self, world: &World<'_>, given: &Given) -> Option<Fact> {
        let is_known = |fact: &Fact| {
            self.values[fact].len() == 1 || given.iter().any(|(known, _)| known == fact)
        };
        world.reads().into_iter().find(|fact| !is_known(fact))
    }

    /// Looks at worlds by the values of the facts that it asks for. Returns whether it always went
    /// on.
    pub(super) fn visit(
        &self,
        problem: &Problem,
        left: &mut usize,
        look: &mut Look<'_>,
    ) -> Result<bool, TooMany> {
        let mut stack: Vec<Vec<(Fact, Value)>> = vec![Vec::new()];
        while let Some(given) = stack.pop() {
            *left = left.checked_sub(1).ok_or(TooMany)?;
            let world = World::watched(problem, &given);
            match look(&world, &given) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(fact) => stack.extend(self.values[&fact].iter().map(|value| {
                    let mut given = given.clone();
                    given.push((fact, *value));
                    given
                })),
            }
        }
        Ok(true)
    }

    /// Appends all leaves of an action, fine enough to decide which occasions they fit.
    pub(super) fn leaves(
        &self,
        problem: &Problem,
        action: &Action,
        occasions: &[&Occasion],
        left: &mut usize,
        out: &mut Vec<Leaf>,
    ) -> Result<(), TooMany> {
        let mut look = |world: &World<'_>, given: &Given| {
            let check = || self.open(world, given).map_or(Ok(()), Err);
            let is_broken = !broken(world, action, &Path::WHOLE).is_empty();
            check()?;
            if is_broken {
                return Ok(true);
            }
            let step = judge(world, action);
            check()?;
            let cost = cost_of(step.believability);
            if step.believability <= 0.0 || cost >= self.limit {
                return Ok(true);
            }
            let next = world.after(action);
            check()?;
            for condition in occasions.iter().flat_map(|o| &o.conditions) {
                self.holds(given, condition)?;
            }
            let changes = world.changes(&next).into_iter();
            out.push(Leaf {
                action: action.clone(),
                facts: given.to_vec(),
                changes: changes.map(|(a, e, value)| ((a, e), value)).collect(),
                cost,
            });
            Ok(true)
        };
        self.visit(problem, left, &mut look).map(|_| ())
    }

    /// Whether a goal may hold.
    pub(super) fn may_hold(
        &self,
        problem: &Problem,
        goal: usize,
        left: &mut usize,
    ) -> Result<bool, TooMany> {
        let node = &problem.goals()[goal].node;
        let mut look = |world: &World<'_>, given: &Given| {
            let holds = world.holds(node, &[]);
            self.open(world, given).map_or(Ok(!holds), Err)
        };
        self.visit(problem, left, &mut look).map(|never| !never)
    }

    /// Whether every end is one of those that `is_known` knows, which is given what holds of the
    /// goals there.
    pub(super) fn all_ends(
        &self,
        problem: &Problem,
        left: &mut usize,
        is_known: &mut KnowsEnd<'_>,
    ) -> Result<bool, TooMany> {
        let mut look = |world: &World<'_>, given: &Given| {
            let met = super::goals(world).0;
            self.open(world, given).map_or(Ok(()), Err)?;
            is_known(&met, given)
        };
        self.visit(problem, left, &mut look)
    }
}
