//! Stories with few entities, up to symmetry: a domain may have many entities of a type, a story
//! needs only some, and equivalent ones are interchangeable.
//!
//! A *cast* is the set of entities that take part. Stories of a cast are looked for in a relaxation
//! in which no other entity acts, is acted upon or changes: stories found there are stories of the
//! domain, but finding none proves nothing.

use crate::compiled::CompiledDomain;
use crate::problem::Problem;
use crate::relax::conditions::{Conj, Set};
use crate::relax::landmark_cut::LandmarkCut;
use crate::relax::{Goals, Rank, Relaxation};
use crate::tree::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The least number of entities that take part, for types with more than
/// [`Caps::cast`](super::Caps::cast) entities, and the most beyond those that an outcome is about.
const FEW: usize = 5;
/// Outcomes for which casts are looked for.
const OUTCOMES_MAX: usize = 20_000;
/// Most casts.
const CASTS_MAX: usize = 200;

/// By entity: whether it takes part.
type Cast = Vec<bool>;

/// A cast, and the outcomes that it handles: those about exactly these entities. Other casts handle
/// the others.
pub(super) struct Casting {
    pub(super) cast: Cast,
    about: BTreeSet<Vec<usize>>,
}

impl Casting {
    /// Whether this cast handles a conjunction that decides an outcome.
    pub(super) fn handles(&self, compiled: &CompiledDomain, conj: &Conj) -> bool {
        let entities_here: Vec<usize> = entities_of(compiled, conj).into_keys().collect();
        self.about.contains(&entities_here)
    }

    /// Whether one that asks for more may be.
    pub(super) fn may_handle(&self, compiled: &CompiledDomain, conj: &Conj) -> bool {
        let entities_here = entities_of(compiled, conj);
        let mut about = self.about.iter();
        about.any(|about| entities_here.keys().all(|one| about.contains(one)))
    }
}

/// Casts for the outcomes of a domain, those of the likeliest outcomes first, and only one of
/// equivalent casts.
pub(super) fn casts(
    problem: &Problem,
    compiled: &CompiledDomain,
    (relaxed, goals): &(Relaxation, Goals),
    go_on: &mut dyn FnMut() -> bool,
) -> Vec<Casting> {
    let mut landmark_cut = LandmarkCut::new(relaxed);
    landmark_cut.state(&compiled.init.facts);
    let outcomes = goals.ranked(Rank::Sum, |need| landmark_cut.level(need));
    let classes = classes(problem);
    let (mut alike, mut casts) = (BTreeSet::new(), Vec::<Casting>::new());
    for (_, outcome) in outcomes.take(OUTCOMES_MAX).take_while(|_| go_on()) {
        let entities_here = entities_of(compiled, &goals.conj(&outcome).unwrap_or_default());
        let signature = entities_here
            .iter()
            .map(|(e, facts)| (classes[*e], facts.clone()));
        let mut signature: Vec<_> = signature.collect();
        signature.sort();
        if alike.insert(signature) {
            let cast = cast(
                problem,
                relaxed.caps.cast,
                &classes,
                entities_here.keys().copied(),
            );
            let entities_here = entities_here.into_keys().collect();
            match casts.iter_mut().find(|known| known.cast == cast) {
                Some(known) => {
                    known.about.insert(entities_here);
                }
                None => casts.push(Casting {
                    cast,
                    about: BTreeSet::from([entities_here]),
                }),
            }
        }
        if casts.len() == CASTS_MAX {
            break;
        }
    }
    casts
}

/// The entities that a conjunction is about, each with its facts.
fn entities_of(compiled: &CompiledDomain, conj: &Conj) -> BTreeMap<usize, Vec<(usize, Set)>> {
    let mut entities_here: BTreeMap<usize, Vec<(usize, Set)>> = BTreeMap::new();
    for (fact, set) in conj {
        // What has to happen is about nobody.
        if let Some((attribute, entity)) = compiled.facts.get(*fact as usize) {
            entities_here
                .entry(*entity)
                .or_default()
                .push((*attribute, *set));
        }
    }
    entities_here
}

/// A cast with these entities: besides them those that are like no other, and some of the rest.
fn cast(
    problem: &Problem,
    small: usize,
    classes: &[usize],
    these: impl Iterator<Item = usize>,
) -> Cast {
    let few = FEW.min(small);
    let mut cast = vec![false; problem.entities().len()];
    these.for_each(|entity| cast[entity] = true);
    for kind in problem.kinds() {
        let entities = kind.entities.clone();
        if entities.len() <= small {
            entities.for_each(|entity| cast[entity] = true);
            continue;
        }
        let is_alone = |entity: &usize| {
            let same = entities.clone().filter(|e| classes[*e] == classes[*entity]);
            same.count() == 1
        };
        let is_first =
            |entity: &usize| !(entities.start..*entity).any(|e| classes[e] == classes[*entity]);
        let firsts = entities.clone().filter(is_first);
        let (alone, others) = firsts.partition::<Vec<usize>, _>(is_alone);
        let count = |cast: &Cast| entities.clone().filter(|entity| cast[*entity]).count();
        let count_max = count(&cast) + few;
        for entity in alone {
            cast[entity] |= count(&cast) < count_max;
        }
        for entity in others {
            cast[entity] |= count(&cast) < few;
        }
    }
    cast
}

/// By entity, a number that equivalent entities share: of one type, with the same values at the
/// start, and the same attributes of others that refer to them.
fn classes(problem: &Problem) -> Vec<usize> {
    let count = problem.entities().len();
    let mut signatures: Vec<Vec<(usize, String)>> = vec![Vec::new(); count];
    for (index, attribute) in problem.attributes().iter().enumerate() {
        let entities = problem.kinds()[attribute.owner].entities.clone();
        for (entity, value) in entities.zip(&attribute.init) {
            let is_own = *value == Value::Entity(entity);
            let text = if is_own {
                "itself".to_owned()
            } else {
                format!("{value:?}")
            };
            signatures[entity].push((index, text));
            if let (Value::Entity(other), false) = (value, is_own) {
                signatures[*other].push((index, "of another".to_owned()));
            }
        }
    }
    let mut known: BTreeMap<(usize, Vec<(usize, String)>), usize> = BTreeMap::new();
    let signatures = signatures.into_iter().enumerate();
    let classes = signatures.map(|(entity, signature)| {
        let next = known.len();
        let key = (problem.entities()[entity].kind, signature);
        *known.entry(key).or_insert(next)
    });
    classes.collect()
}
