//! The delete relaxation of a domain: what was once true stays true.
//!
//! A *proposition* says that a fact has one of some values. A *group* is an action in a context
//! with a bound on its believability; it costs -ln of that. Its *operators* are what it may make
//! true: one for its unconditional effects, one for each conditional effect. An action of a real
//! story, in the state in which it is done, fits a group that costs no more, and everything that it
//! makes true is made true by an operator of the group whose conditions hold. So the least cost of
//! reaching a goal here is at most that in the domain.

pub(crate) mod commutativity;
pub(crate) mod conditions;
mod effects;
pub(crate) mod ff_heuristic;
mod goals;
pub(crate) mod landmark_cut;
pub(crate) mod read_write_sets;
mod relevance;
mod rules;
mod variant;

use crate::compiled::code::{SLOTS, Slots};
use crate::compiled::{ActionId, CompiledDomain, values_of};
use crate::problem::Values;
use anytime::math;
use conditions::{ConditionAnalysis, Conj, Set, conjoin, implies};
use goals::Propositions;
pub(crate) use goals::{Ends, Goals, Outcome, Rank, Target};
pub use rules::Caps;
pub(crate) use rules::Rules;
use std::collections::BTreeMap;

/// Costs are -ln B in this unit, rounded down.
pub(crate) const UNIT: f64 = 1e15;

/// -ln of a probability as a cost, rounded down.
pub(crate) fn cost(probability: f64) -> i64 {
    (-math::ln(probability) * UNIT).floor().clamp(0.0, 1e18) as i64
}

/// An action in a context.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Group {
    pub(crate) action_id: ActionId,
    pub(crate) cost: i64,
}

/// Lists of numbers in one array (compressed sparse rows).
#[derive(Debug, Clone, Default)]
pub(crate) struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn new(lists: &[Vec<u32>]) -> Self {
        let mut all = Self::default();
        all.starts.push(0);
        for list in lists {
            all.items.extend(list);
            all.starts.push(all.items.len() as u32);
        }
        all
    }

    fn push(&mut self, list: impl Iterator<Item = u32>) {
        self.items.extend(list);
        self.starts.push(self.items.len() as u32);
    }

    #[inline]
    pub(crate) fn row(&self, index: usize) -> &[u32] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}

/// The relaxation of a domain.
#[derive(Debug, Clone)]
pub(crate) struct Relaxation {
    pub(crate) groups: Vec<Group>,
    /// By operator: its group, what it needs, what it adds.
    pub(crate) group_of: Vec<u32>,
    pub(crate) needs: Lists,
    pub(crate) adds: Lists,
    /// By proposition: operators that need it, operators that add it.
    pub(crate) needed_by: Lists,
    pub(crate) added_by: Lists,
    /// By fact: propositions about it.
    by_fact: Vec<Vec<(Set, u32)>>,
    pub(crate) domains: Vec<Vec<i16>>,
    pub(crate) propositions: usize,
    pub(crate) caps: Caps,
    /// What stories have to come to.
    pub(crate) target: Target,
    /// Actions that have to be done, with the propositions that say so.
    pub(crate) required: Vec<(ActionId, u32)>,
}

/// Required actions in a word of a state.
pub(crate) const BITS: usize = 15;

impl Relaxation {
    /// The relaxation, without actions that are at most `floor` believable: no story with one of
    /// them is better. None: too large, or stopped.
    pub(crate) fn new(
        rules: Rules<'_>,
        floor: f64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<(Self, Goals)> {
        let Rules {
            problem,
            compiled,
            caps,
        } = rules;
        let facts = compiled.facts.iter().zip(&compiled.init.facts);
        let values = facts.map(|((attribute, entity), now)| {
            let mut values = values_of(problem, *attribute);
            let is_entity = matches!(problem.attributes()[*attribute].values, Values::Entity(_));
            // Who takes no part never changes, and nothing comes to be about it.
            let is_cast = compiled.is_cast(*entity);
            let may = |value: i16| {
                is_cast && (!is_entity || value < 0 || compiled.is_cast(value as usize))
            };
            values.retain(|value| value == now || may(*value));
            values
        });
        let mut domains: Vec<Vec<i16>> = values.collect();
        for domain in &mut domains {
            domain.sort_unstable();
            if domain.len() > caps.values.min(conditions::VALUES_MAX) {
                domain.clear();
            }
        }
        // Marks.
        domains.resize(compiled.init.facts.len(), vec![0, 1]);
        let analysis = ConditionAnalysis::new(&domains, caps);
        let mut builder = Builder {
            compiled,
            analysis: &analysis,
            floor,
            known: BTreeMap::new(),
            shared: BTreeMap::new(),
            propositions: 0,
            groups: vec![Group {
                action_id: ActionId::MAX,
                cost: 0,
            }],
            operators: Vec::new(),
        };
        for action_id in 0..compiled.action_count() {
            if action_id % 16 == 0 && !go_on() {
                return None;
            }
            builder.action(action_id as ActionId);
            if builder.operators.len() > caps.operators {
                return None;
            }
        }
        let goals = Goals::new(compiled, &analysis, &mut builder);
        Some((builder.finish(), goals))
    }

    /// Which propositions hold in a state, as a list.
    pub(crate) fn holding(&self, state: &[i16], out: &mut Vec<u32>) {
        out.clear();
        let (facts, done) = state.split_at(self.domains.len());
        for (index, (_, proposition)) in self.required.iter().enumerate() {
            if done[index / BITS] >> (index % BITS) & 1 == 1 {
                out.push(*proposition);
            }
        }
        for (fact, value) in facts.iter().enumerate() {
            if self.by_fact[fact].is_empty() {
                continue;
            }
            let Ok(place) = self.domains[fact].binary_search(value) else {
                continue;
            };
            let all = self.by_fact[fact].iter();
            out.extend(all.filter(|(set, _)| set.contains(place)).map(|(_, p)| *p));
        }
    }
}

/// An operator that is being built: the conditions come before what is known of propositions.
struct Operator {
    group: u32,
    needs: Vec<u32>,
    adds: Vec<Added>,
    /// Propositions that are no facts.
    shared: Vec<u32>,
}

struct Builder<'a> {
    compiled: &'a CompiledDomain,
    analysis: &'a ConditionAnalysis<'a>,
    floor: f64,
    known: BTreeMap<(u32, Set), u32>,
    shared: BTreeMap<Shared, u32>,
    propositions: u32,
    /// The first is that of operators that cost nothing.
    groups: Vec<Group>,
    operators: Vec<Operator>,
}

/// Propositions that stand for what many actions have in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Shared {
    /// One of some alternatives holds.
    OneOf(Vec<Conj>),
    /// Something was done that makes something true where this holds.
    Done(Conj, Vec<Added>),
}

/// A fact that is made true, with the place of its value; None: any value.
type Added = (u32, Option<usize>);

impl Propositions for Builder<'_> {
    fn all_of(&mut self, conj: &Conj) -> Vec<u32> {
        self.propositions(conj)
    }

    fn one_of(&mut self, choices: &[Conj]) -> u32 {
        Self::one_of(self, choices)
    }
}

impl Builder<'_> {
    fn propositions(&mut self, conj: &Conj) -> Vec<u32> {
        let mut all = Vec::new();
        for literal in conj {
            let next = self.propositions;
            let proposition = *self.known.entry(*literal).or_insert(next);
            self.propositions += u32::from(proposition == next);
            all.push(proposition);
        }
        all
    }

    fn action(&mut self, action_id: ActionId) {
        let mut slots: Slots = [0; SLOTS];
        let schema = &self.compiled.schemas[self.compiled.decode(action_id, &mut slots)];
        let mut args = slots[..schema.ranges.len()].iter();
        if !schema.may_happen(&slots) || !args.all(|arg| self.compiled.is_cast(usize::from(*arg))) {
            return;
        }
        let mut variants = variant::variants(self.analysis, schema, &slots);
        variants.retain(|variant| variant.believability > self.floor);
        if variants.is_empty() {
            return;
        }
        let pieces = effects::pieces(self.compiled, self.analysis, schema, &slots);
        for variant in variants {
            self.group(action_id, &variant, &pieces);
        }
    }

    fn group(
        &mut self,
        action_id: ActionId,
        variant: &variant::Variant,
        pieces: &[effects::Piece],
    ) {
        let group = self.groups.len() as u32;
        self.groups.push(Group {
            action_id,
            cost: cost(variant.believability),
        });
        let mut needs = self.propositions(&variant.conj);
        for choices in &variant.choices {
            needs.push(self.one_of(choices));
        }
        let mut parts: BTreeMap<Conj, Vec<Added>> = BTreeMap::new();
        for piece in pieces {
            if conjoin(&variant.conj, &piece.conj).is_none() {
                continue;
            }
            let sure = implies(&variant.conj, &piece.conj);
            let conj = if sure { Vec::new() } else { piece.conj.clone() };
            let domain = &self.analysis.domains[piece.fact as usize];
            let value = match piece.value {
                None => None,
                Some(value) => match domain.binary_search(&value) {
                    Ok(place) => Some(place),
                    // A fact that is not looked at.
                    Err(_) => continue,
                },
            };
            parts.entry(conj).or_default().push((piece.fact, value));
        }
        let (mut adds, mut shared) = (Vec::new(), Vec::new());
        for (conj, mut added) in parts {
            added.sort_unstable();
            added.dedup();
            if conj.is_empty() {
                adds = added;
            } else {
                shared.push(self.done(conj, added));
            }
        }
        self.operators.push(Operator {
            group,
            needs,
            adds,
            shared,
        });
    }

    /// The proposition that one of some alternatives holds.
    fn one_of(&mut self, choices: &[Conj]) -> u32 {
        let key = Shared::OneOf(choices.to_vec());
        if let Some(known) = self.shared.get(&key) {
            return *known;
        }
        let proposition = self.new_shared(key);
        for conj in choices {
            let needs = self.propositions(conj);
            self.for_nothing(needs, Vec::new(), vec![proposition]);
        }
        proposition
    }

    /// The proposition that something was done that makes `added` true where `conj` holds. Once
    /// done it may hold later: optimistic.
    fn done(&mut self, conj: Conj, added: Vec<Added>) -> u32 {
        let mut needs = self.propositions(&conj);
        let key = Shared::Done(conj, added.clone());
        if let Some(known) = self.shared.get(&key) {
            return *known;
        }
        let proposition = self.new_shared(key);
        needs.push(proposition);
        self.for_nothing(needs, added, Vec::new());
        proposition
    }

    fn new_shared(&mut self, key: Shared) -> u32 {
        let proposition = self.propositions;
        self.propositions += 1;
        self.shared.insert(key, proposition);
        proposition
    }

    fn for_nothing(&mut self, needs: Vec<u32>, adds: Vec<Added>, shared: Vec<u32>) {
        self.operators.push(Operator {
            group: 0,
            needs,
            adds,
            shared,
        });
    }

    fn finish(self) -> Relaxation {
        let count = self.propositions as usize;
        let domains = self.analysis.domains.to_vec();
        let mut by_fact: Vec<Vec<(Set, u32)>> = vec![Vec::new(); domains.len()];
        for ((fact, set), proposition) in &self.known {
            by_fact[*fact as usize].push((*set, *proposition));
        }
        let (mut needs, mut adds) = (Vec::new(), Vec::new());
        let mut needed_by = vec![Vec::new(); count];
        let mut added_by = vec![Vec::new(); count];
        for (index, operator) in self.operators.iter().enumerate() {
            let mut added: Vec<u32> = operator.shared.clone();
            for (fact, value) in &operator.adds {
                let all = by_fact[*fact as usize].iter();
                let all = all.filter(|(set, _)| value.is_none_or(|value| set.contains(value)));
                added.extend(all.map(|(_, proposition)| *proposition));
            }
            // What it needs it need not add.
            added.retain(|proposition| !operator.needs.contains(proposition));
            added.sort_unstable();
            added.dedup();
            for need in &operator.needs {
                needed_by[*need as usize].push(index as u32);
            }
            for add in &added {
                added_by[*add as usize].push(index as u32);
            }
            needs.push(operator.needs.clone());
            adds.push(added);
        }
        Relaxation {
            groups: self.groups,
            group_of: self.operators.iter().map(|o| o.group).collect(),
            needs: Lists::new(&needs),
            adds: Lists::new(&adds),
            needed_by: Lists::new(&needed_by),
            added_by: Lists::new(&added_by),
            by_fact,
            domains,
            caps: self.analysis.caps,
            propositions: count,
            target: Target::default(),
            required: Vec::new(),
        }
    }
}
