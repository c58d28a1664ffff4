//! Quantifiers, compiled.

use super::code::{Each, Small, Truth};
use super::compile::Compiler;
use crate::spec::Comparison;
use crate::tree::Node;

/// Most entities of which it is asked one by one whether a fact is one of them.
const FEW: usize = 4;

/// Whether one fits. Where a fact says which one that has to be, this says what the fact has to be.
pub(super) fn exists(each: Each) -> Truth {
    let is_known = match &each.body {
        Truth::Const(true) => true,
        Truth::Static(slot, _) => *slot == each.slot,
        _ => false,
    };
    match &each.only {
        Some(Small::Fact(place)) if is_known && (1..=FEW).contains(&each.among.len()) => {
            let one = |entity: &u8| Truth::Fact(*place, i16::from(*entity), true);
            let mut all: Vec<Truth> = each.among.iter().map(one).collect();
            if all.len() == 1 {
                all.remove(0)
            } else {
                Truth::Any(all.into())
            }
        }
        _ => Truth::Exists(Box::new(each)),
    }
}

impl Compiler<'_> {
    /// A condition on the entities of a type. A part `X == variable`, with X free of the variable,
    /// leaves one entity.
    pub(super) fn entity_condition(&self, slot: usize, kind: usize, body: &Node) -> Each {
        let mut kinds = self.kinds.clone();
        kinds.truncate(slot);
        kinds.push(kind);
        let inner = Compiler {
            problem: self.problem,
            bases: self.bases.clone(),
            kinds,
        };
        let parts = match body {
            Node::And(parts) => parts.as_slice(),
            one => std::slice::from_ref(one),
        };
        let determines = |node: &Node| match node {
            Node::Compare(Comparison::Equal, sides) => match &**sides {
                [Node::Slot(s), other] | [other, Node::Slot(s)] if *s == slot => {
                    (!mentions(other, slot)).then(|| inner.small(other))
                }
                _ => None,
            },
            _ => None,
        };
        let only = parts.iter().position(|part| determines(part).is_some());
        let rest = parts.iter().enumerate().filter(|(i, _)| Some(*i) != only);
        let body = inner.conjunction(rest.map(|(_, node)| node));
        let all = match &body {
            Truth::All(all) => all,
            one => std::slice::from_ref(one),
        };
        let may = |entity: &u8| {
            all.iter().all(|one| match one {
                Truth::Static(s, truths) => usize::from(*s) != slot || truths[*entity as usize],
                _ => true,
            })
        };
        Each {
            slot: slot as u8,
            range: self.range(kind),
            among: self.range(kind).filter(may).collect(),
            only: only.and_then(|only| determines(&parts[only])),
            body,
        }
    }
}

/// Whether an expression mentions a slot.
fn mentions(node: &Node, slot: usize) -> bool {
    match node {
        Node::Const(_) => false,
        Node::Slot(s) => *s == slot,
        Node::Get(inner, _) | Node::Not(inner) | Node::Table(_, inner) => mentions(inner, slot),
        Node::Compare(_, sides) | Node::Arithmetic(_, sides) => {
            sides.iter().any(|side| mentions(side, slot))
        }
        Node::And(all) | Node::Or(all) | Node::Min(all) | Node::Max(all) => {
            all.iter().any(|one| mentions(one, slot))
        }
        Node::Quantified { body, .. } => mentions(body, slot),
        Node::If(parts) => parts.iter().any(|part| mentions(part, slot)),
    }
}
