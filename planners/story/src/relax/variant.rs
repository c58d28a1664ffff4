//! How believable an action can be at best, and under which conditions.

use super::literal::{Conj, Sketcher, both, implies};
use crate::machine::Compiled;
use crate::machine::code::{Number, Slots, Truth};
use crate::spec::Change;

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

/// Ends of a number, whatever the state.
fn ends(sketcher: &Sketcher<'_>, number: &Number, slots: &Slots) -> (f64, f64) {
    if let Number::Const(value) = number {
        return (*value, *value);
    }
    let leaves = sketcher.leaves(slots, &|facts, slots| number.value(facts, slots));
    leaves.map_or((-1e15, 1e15), |leaves| {
        let values = leaves.into_iter().map(|(_, value)| value);
        values.fold((f64::MAX, f64::MIN), |(low, high), v| {
            (low.min(v), high.max(v))
        })
    })
}

fn product((a, b): (f64, f64), (c, d): (f64, f64)) -> (f64, f64) {
    let ends = [a * c, a * d, b * c, b * d];
    let low = ends.iter().copied().fold(f64::MAX, f64::min);
    (low, ends.iter().copied().fold(f64::MIN, f64::max))
}

/// All variants of an action: every state in which it can be done fits one with an upper bound on
/// its believability.
///
/// A rule that can only raise the believability splits off what it raises, and the rest is
/// unchanged, whether or not its condition holds; the reverse for a rule that can only lower it. So
/// fewer conditions are required, which is optimistic.
pub(super) fn variants(sketcher: &Sketcher<'_>, schema: &Compiled, slots: &Slots) -> Vec<Variant> {
    let Some((before, choices)) = needs(sketcher, &schema.conditions, slots) else {
        return Vec::new();
    };
    let (low, high) = ends(sketcher, &schema.base, slots);
    let mut contexts = vec![Context {
        conj: Vec::new(),
        low,
        high,
    }];
    for (condition, change) in &schema.rules {
        let yes = sketcher.choices(condition, slots, true);
        let no = sketcher.choices(condition, slots, false);
        let (number, sets) = match change {
            Change::Set(number) => (number, true),
            Change::Mul(number) => (number, false),
        };
        let given = ends(sketcher, number, slots);
        let mut next = Vec::new();
        for old in &contexts {
            let (low, high) = if sets {
                given
            } else {
                product((old.low, old.high), given)
            };
            next.extend(split(old, (low, high), (&yes, &no)));
        }
        contexts = thinned(next, sketcher.caps.contexts);
    }
    let mut variants = Vec::new();
    for context in &contexts {
        let best = (context.high.clamp(0.0, 1.0) * schema.slider).clamp(0.0, 1.0);
        if best > 0.0 {
            variants.extend(both(&before, &context.conj).map(|conj| Variant {
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
    sketcher: &Sketcher<'_>,
    conditions: &Truth,
    slots: &Slots,
) -> Option<(Conj, Vec<Vec<Conj>>)> {
    let parts = match conditions {
        Truth::All(parts) => parts,
        one => std::slice::from_ref(one),
    };
    let (mut sure, mut open) = (Vec::new(), Vec::new());
    for part in parts {
        let Some(mut choices) = sketcher.choices(part, slots, true) else {
            continue;
        };
        match choices.len() {
            0 => return None,
            1 => sure = both(&sure, &choices.pop()?)?,
            _ => open.push(choices),
        }
    }
    Some((sure, open))
}

/// What a rule makes of a context.
fn split(
    old: &Context,
    (low, high): (f64, f64),
    (yes, no): (&Option<Vec<Conj>>, &Option<Vec<Conj>>),
) -> Vec<Context> {
    let with = |low: f64, high: f64, choices: &Option<Vec<Conj>>| -> Vec<Context> {
        let choices = choices.clone().unwrap_or_else(|| vec![Vec::new()]);
        let conjs = choices.iter().filter_map(|conj| both(&old.conj, conj));
        conjs.map(|conj| Context { conj, low, high }).collect()
    };
    let none = |choices: &Option<Vec<Conj>>| choices.as_ref().is_some_and(Vec::is_empty);
    if none(yes) {
        return vec![old.clone()];
    }
    if none(no) {
        return with(low, high, &None);
    }
    if high >= old.high {
        // It raises. The rest is asked for nothing, and may be as low as either.
        let mut all = with(low, high, yes);
        all.push(Context {
            low: old.low.min(low),
            ..old.clone()
        });
        all
    } else {
        let mut all = with(old.low, old.high, no);
        all.extend(with(low.min(old.low), high, &None));
        all
    }
}

/// Without contexts that another one makes useless; where there are more than `most`, all of them
/// at their best.
fn thinned(contexts: Vec<Context>, most: usize) -> Vec<Context> {
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
    if kept.len() > most {
        let ends = kept.iter().map(|context| (context.low, context.high));
        let (low, high) = ends.fold((f64::MAX, f64::MIN), |(l, h), (a, b)| (l.min(a), h.max(b)));
        let conj = Vec::new();
        return vec![Context { conj, low, high }];
    }
    kept
}
