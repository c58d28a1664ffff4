//! What an action may make true, and under which conditions.

use super::conditions::{Alternatives, ConditionAnalysis, Conj, conjoin};
use crate::compiled::code::{Facts, Slots, Write};
use crate::compiled::{CompiledDomain, CompiledSchema};

/// Under these conditions a fact may get a value; None: any value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece {
    pub(super) conj: Conj,
    pub(super) fact: u32,
    pub(super) value: Option<i16>,
}

/// All that an action may make true.
pub(super) fn pieces(
    compiled: &CompiledDomain,
    analysis: &ConditionAnalysis<'_>,
    schema: &CompiledSchema,
    slots: &Slots,
) -> Vec<Piece> {
    let mut maker = Maker {
        compiled,
        analysis,
        pieces: Vec::new(),
    };
    for write in &schema.writes {
        maker.write(write, slots, &Vec::new());
    }
    for fact in schema.marks_of(slots) {
        maker.pieces.push(Piece {
            conj: Vec::new(),
            fact,
            value: Some(1),
        });
    }
    maker.pieces
}

/// Under which conditions which entity gets which value, if any.
type Leaf = (Conj, Option<(i16, i16)>);

struct Maker<'a> {
    compiled: &'a CompiledDomain,
    analysis: &'a ConditionAnalysis<'a>,
    pieces: Vec<Piece>,
}

impl Maker<'_> {
    fn write(&mut self, write: &Write, slots: &Slots, under: &Conj) {
        match write {
            Write::Small {
                entity,
                base,
                value,
            } => {
                let leaves = self.analysis.leaves(slots, &|facts, slots| {
                    let entity = entity.value(facts, slots);
                    (entity >= 0).then(|| (entity, value.value(facts, slots)))
                });
                self.leaves(leaves, *base, under);
            }
            Write::Number {
                entity,
                base,
                value,
                adds,
                limits: (min, max),
            } => {
                let leaves = self.analysis.leaves(slots, &|facts, slots| {
                    let entity = entity.value(facts, slots);
                    (entity >= 0).then(|| {
                        let fact = (base + i32::from(entity)) as usize;
                        let old = if *adds {
                            f64::from(facts.fact(fact))
                        } else {
                            0.0
                        };
                        let new = value.value(facts, slots) + old;
                        (entity, new.clamp(f64::from(*min), f64::from(*max)) as i16)
                    })
                });
                self.leaves(leaves, *base, under);
            }
            Write::When(condition, writes) => {
                let choices = self.analysis.choices(condition, slots, true);
                self.write_all(choices, writes, slots, under);
            }
            Write::Each(each, writes) => {
                for entity in each.range.clone() {
                    let mut slots = *slots;
                    slots[each.slot as usize] = entity;
                    let choices = self.analysis.fits(each, entity, &slots, true);
                    self.write_all(choices, writes, &slots, under);
                }
            }
        }
    }

    /// What is written under each of some alternatives.
    fn write_all(&mut self, choices: Alternatives, writes: &[Write], slots: &Slots, under: &Conj) {
        for conj in self.analysis.or_true(choices) {
            let Some(under) = conjoin(under, &conj) else {
                continue;
            };
            for write in writes {
                self.write(write, slots, &under);
            }
        }
    }

    fn leaves(&mut self, leaves: Option<Vec<Leaf>>, base: i32, under: &Conj) {
        let Some(leaves) = leaves else {
            // Nobody knows what is written: anything of the attribute.
            let facts = self.compiled.facts.iter().enumerate();
            let facts = facts.filter(|(fact, (_, entity))| *fact as i32 == base + *entity as i32);
            self.pieces.extend(facts.map(|(fact, _)| Piece {
                conj: under.clone(),
                fact: fact as u32,
                value: None,
            }));
            return;
        };
        for (conj, found) in leaves {
            if let (Some(conj), Some((entity, value))) = (conjoin(under, &conj), found) {
                self.pieces.push(Piece {
                    conj,
                    fact: (base + i32::from(entity)) as u32,
                    value: Some(value),
                });
            }
        }
    }
}
