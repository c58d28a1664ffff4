//! Schemas of actions, compiled.

use super::code::{Number, Truth};
use super::compile::Compiler;
use super::index::Index;
use super::{ActionId, CompiledSchema, join};
use crate::problem::Problem;
use crate::spec::Change;
use std::ops::Range;

/// Compiles the schema of this index; marks of events begin at this fact, actions at this number.
pub(super) fn schema(
    problem: &Problem,
    bases: &[Option<i32>],
    columns: &Index,
    index: usize,
    marks: usize,
    first: ActionId,
) -> CompiledSchema {
    let schema = &problem.schemas()[index];
    let kinds: Vec<usize> = schema.params.iter().map(|(_, kind)| *kind).collect();
    let range = |kind: &usize| {
        let entities = &problem.kinds()[*kind].entities;
        entities.start as u8..entities.end as u8
    };
    let ranges: Vec<Range<u8>> = kinds.iter().map(range).collect();
    let compiler = Compiler {
        problem,
        bases: bases.to_vec(),
        kinds,
    };
    let mut conditions = vec![compiler.conjunction(schema.preconditions.iter())];
    for (b, kind) in compiler.kinds.iter().enumerate() {
        let same = (0..b).filter(|a| schema.distinct && compiler.kinds[*a] == *kind);
        conditions.extend(same.map(|a| Truth::Slots(a as u8, b as u8, false)));
    }
    let conditions = flat(conditions);
    let pattern = |args: &[Option<usize>]| args.iter().map(|arg| arg.map(|a| a as u8)).collect();
    let events = problem
        .events()
        .iter()
        .filter(|event| event.schema == index);
    let forbidden = events.filter(|event| !event.must);
    let must = problem.events().iter().filter(|event| event.must);
    let mine = must.enumerate().filter(|(_, event)| event.schema == index);
    let change = |change: &Change<crate::tree::Node>| match change {
        Change::Set(node) => Change::Set(compiler.number(node)),
        Change::Mul(node) => Change::Mul(compiler.number(node)),
    };
    let rules = schema.rules.iter().map(|rule| {
        let condition = rule.condition.as_ref();
        let condition = condition.map_or(Truth::Const(true), |c| compiler.truth(c));
        (condition, change(&rule.change))
    });
    let (base, rules) = (compiler.number(&schema.base), rules.collect::<Vec<_>>());
    let factors = rules
        .iter()
        .map(|(_, change)| change)
        .map(|change| match change {
            Change::Set(number) | Change::Mul(number) => number,
        });
    let mut positive = std::iter::once(&base).chain(factors);
    let positive = positive.all(|number| is_positive(number, &conditions, &ranges));
    let positive = positive && schema.slider > 0.0;
    CompiledSchema {
        first,
        levels: join::levels(columns, &ranges, &conditions),
        conditions,
        ranges,
        forbidden: forbidden.map(|event| pattern(&event.args)).collect(),
        marks: mine
            .map(|(i, e)| ((marks + i) as u32, pattern(&e.args)))
            .collect(),
        base,
        rules,
        slider: schema.slider,
        may_be_zero: !positive,
        writes: compiler.writes(&schema.effects),
    }
}

fn flat(conditions: Vec<Truth>) -> Truth {
    let mut all = Vec::new();
    for condition in conditions {
        match condition {
            Truth::All(more) => all.extend(more),
            Truth::Const(true) => {}
            one => all.push(one),
        }
    }
    Truth::All(all.into())
}

/// Whether a number is clearly above 0 for all parameters that come into question, by which a
/// product of some tens of such numbers is too.
fn is_positive(number: &Number, conditions: &Truth, ranges: &[Range<u8>]) -> bool {
    const LEAST: f64 = 1e-6;
    let mut inner = |number: &Number| is_positive(number, conditions, ranges);
    match number {
        Number::Const(value) => *value > LEAST,
        Number::Static(slot, values) => {
            let parts = match conditions {
                Truth::All(parts) => parts,
                one => std::slice::from_ref(one),
            };
            let may = |entity: &u8| {
                parts.iter().all(|part| match part {
                    Truth::Static(s, truths) => s != slot || truths[*entity as usize],
                    _ => true,
                })
            };
            let mut entities = ranges
                .get(usize::from(*slot))
                .cloned()
                .into_iter()
                .flatten();
            usize::from(*slot) < ranges.len()
                && entities.all(|entity| !may(&entity) || values[entity as usize] > LEAST)
        }
        Number::If(parts) => inner(&parts.1) && inner(&parts.2),
        Number::Min(all) => all.iter().all(&mut inner),
        Number::Max(all) => all.iter().any(inner),
        _ => false,
    }
}
