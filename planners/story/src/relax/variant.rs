//! How believable an action can be at best, and under which conditions.

use super::conditions::{Alternatives, ConditionAnalysis, Conj, conjoin, implies};
use crate::compiled::CompiledSchema;
use crate::compiled::code::{Number, Slots, Truth};
use crate::spec::Change;
use crate::tree::NUMBER_MAX;

/// Conditions under which an action is at most so believable.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Variant {
    pub(super) conj: Conj,
    /// Of each of these, one alternative has to hold too.
    pub(super) choices: Vec<Vec<Conj>>,
    /// At most, in (0, 1].
    pub(super) believability: f64,
}

/// Between which ends a believability lies while rules are applied.
#[derive(Debug, Clone, PartialEq)]
struct Context {
    conj: Conj,
    low: f64,
    high: f64,
}

/// A closed interval.
#[derive(Debug, Clone, Copy)]
struct Interval {
    low: f64,
    high: f64,
}

/// The interval of a number over all states.
fn range(analysis: &ConditionAnalysis<'_>, number: &Number, slots: &Slots) -> Interval {
    if let Number::Const(value) = number {
        return Interval {
            low: *value,
            high: *value,
        };
    }
    let leaves = analysis.leaves(slots, &|facts, slots| number.value(facts, slots));
    let Some(leaves) = leaves else {
        return Interval {
            low: -NUMBER_MAX,
            high: NUMBER_MAX,
        };
    };
    let values = leaves.into_iter().map(|(_, value)| value);
    hull(values)
}

/// The least interval that has some numbers.
fn hull(numbers: impl Iterator<Item = f64>) -> Interval {
    let none = Interval {
        low: f64::MAX,
        high: f64::MIN,
    };
    numbers.fold(none, |so_far, number| Interval {
        low: so_far.low.min(number),
        high: so_far.high.max(number),
    })
}

fn product(a: Interval, b: Interval) -> Interval {
    let ends = [
        a.low * b.low,
        a.low * b.high,
        a.high * b.low,
        a.high * b.high,
    ];
    hull(ends.into_iter())
}

/// All variants of an action: every state in which it can be done fits one with an upper bound on
/// its believability.
///
/// A rule that can only raise the believability splits off what it raises, and the rest is
/// unchanged, whether or not its condition holds; the reverse for a rule that can only lower it. So
/// fewer conditions are required, which is optimistic.
pub(super) fn variants(
    analysis: &ConditionAnalysis<'_>,
    schema: &CompiledSchema,
    slots: &Slots,
) -> Vec<Variant> {
    let Some((before, choices)) = needs(analysis, &schema.conditions, slots) else {
        return Vec::new();
    };
    let Interval { low, high } = range(analysis, &schema.base, slots);
    let mut contexts = vec![Context {
        conj: Vec::new(),
        low,
        high,
    }];
    for (condition, change) in &schema.rules {
        let yes = analysis.choices(condition, slots, true);
        let no = analysis.choices(condition, slots, false);
        let (number, sets) = match change {
            Change::Set(number) => (number, true),
            Change::Mul(number) => (number, false),
        };
        let given = range(analysis, number, slots);
        let mut next = Vec::new();
        for old in &contexts {
            let before = Interval {
                low: old.low,
                high: old.high,
            };
            let after = if sets { given } else { product(before, given) };
            next.extend(split(old, after, &yes, &no));
        }
        contexts = undominated(next, analysis.caps.contexts);
    }
    let mut variants = Vec::new();
    for context in &contexts {
        let best = (context.high.clamp(0.0, 1.0) * schema.slider).clamp(0.0, 1.0);
        if best > 0.0 {
            variants.extend(conjoin(&before, &context.conj).map(|conj| Variant {
                conj,
                choices: choices.clone(),
                believability: best,
            }));
        }
    }
    variants
}

/// What an action needs in any case, and alternatives of which it needs one each. None: it can
/// never be done.
pub(super) fn needs(
    analysis: &ConditionAnalysis<'_>,
    conditions: &Truth,
    slots: &Slots,
) -> Option<(Conj, Vec<Vec<Conj>>)> {
    let parts = match conditions {
        Truth::All(parts) => parts,
        one => std::slice::from_ref(one),
    };
    let (mut sure, mut open) = (Vec::new(), Vec::new());
    for part in parts {
        let Some(mut choices) = analysis.choices(part, slots, true) else {
            continue;
        };
        match choices.len() {
            0 => return None,
            1 => sure = conjoin(&sure, &choices.pop()?)?,
            _ => open.push(choices),
        }
    }
    Some((sure, open))
}

/// What a rule makes of a context.
fn split(
    old: &Context,
    Interval { low, high }: Interval,
    yes: &Alternatives,
    no: &Alternatives,
) -> Vec<Context> {
    let context = |low: f64, high: f64, choices: &Alternatives| -> Vec<Context> {
        let choices = choices.clone().unwrap_or_else(|| vec![Vec::new()]);
        let conjs = choices.iter().filter_map(|conj| conjoin(&old.conj, conj));
        conjs.map(|conj| Context { conj, low, high }).collect()
    };
    let none = |choices: &Alternatives| choices.as_ref().is_some_and(Vec::is_empty);
    if none(yes) {
        return vec![old.clone()];
    }
    if none(no) {
        return context(low, high, &None);
    }
    if high >= old.high {
        // It raises. The rest is asked for nothing, and may be as low as either.
        let mut all = context(low, high, yes);
        all.push(Context {
            low: old.low.min(low),
            ..old.clone()
        });
        all
    } else {
        let mut all = context(old.low, old.high, no);
        all.extend(context(low.min(old.low), high, &None));
        all
    }
}

/// Contexts that no other one dominates; where there are more than `count_max`, one that stands for
/// all of them, at their best.
fn undominated(contexts: Vec<Context>, count_max: usize) -> Vec<Context> {
    let mut kept: Vec<Context> = Vec::new();
    for context in contexts {
        let better = |other: &Context| {
            other.high >= context.high
                && other.low <= context.low
                && implies(&context.conj, &other.conj)
        };
        if !kept.iter().any(better) {
            kept.push(context);
        }
    }
    if kept.len() > count_max {
        let low = kept
            .iter()
            .map(|context| context.low)
            .fold(f64::MAX, f64::min);
        let high = kept
            .iter()
            .map(|context| context.high)
            .fold(f64::MIN, f64::max);
        let conj = Vec::new();
        return vec![Context { conj, low, high }];
    }
    kept
}
