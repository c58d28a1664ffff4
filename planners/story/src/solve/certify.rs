//! Certificates of bounds: what the landmark cuts of the start prove, in a form that others can
//! check. They do not contain what rounds of search prove on top of it.

use super::best_first::cost_limit_below;
use super::proof::floor_of;
use crate::certificate::{Case, Certificate, Condition, Landmark, Occasion};
use crate::compiled::CompiledDomain;
use crate::plan::Cost;
use crate::problem::{Problem, Values};
use crate::relax::conditions::Set;
use crate::relax::landmark_cut::LandmarkCut;
use crate::relax::{Caps, Goals, Outcome, Relaxation, Rules};
use crate::tree::Value;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// No story of an outcome.
const NEVER: i64 = i64::MAX;

/// A bound of the start with its proof; `go_on` is asked while it is worked out. None: the
/// relaxation is too large, or it returned false.
///
/// Where a story that costs `below` is known, nothing is proved of those that cost as much: the
/// bound is `below` where no story is better. Goals are decided one after the other, until all of
/// what is most promising is decided, or there are `caps.outcomes` cases.
pub fn certify(
    problem: &Problem,
    caps: Caps,
    below: Option<Cost>,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Certificate> {
    let compiled = CompiledDomain::new(problem);
    let rules = Rules {
        problem,
        compiled: &compiled,
        caps,
    };
    let limit = below.map_or(NEVER, |cost| cost_limit_below(Some(cost)));
    let (relaxed, goals) = Relaxation::new(rules, floor_of(limit), go_on)?;
    let mut landmark_cut = LandmarkCut::new(&relaxed);
    landmark_cut.state(&compiled.init.facts);
    let mut prover = Prover {
        goals: &goals,
        landmark_cut,
    };
    let (mut queue, mut count) = (BinaryHeap::new(), 0);
    let first = prover.proved(goals.undecided(), &Proved::nothing());
    queue.push((Reverse(first.bound), Reverse(count), first));
    while let Some((lower_bound, number, proved)) = queue.pop() {
        let is_open = proved.bound < limit;
        let parts = goals.split(&proved.outcome).filter(|_| is_open);
        let Some(parts) = parts.filter(|parts| queue.len() + parts.len() <= caps.outcomes) else {
            queue.push((lower_bound, number, proved));
            break;
        };
        for part in parts {
            count += 1;
            let part = prover.proved(part, &proved);
            queue.push((Reverse(part.bound), Reverse(count), part));
        }
        if !go_on() {
            return None;
        }
    }
    let writer = Writer {
        problem,
        compiled: &compiled,
        relaxed: &relaxed,
        goals: &goals,
    };
    let cases = queue.into_sorted_vec().into_iter().rev();
    let cases = cases.map(|(_, _, proved)| writer.case(&proved)).collect();
    Some(Certificate { cases, limit })
}

/// Cuts: what they cost, and their groups.
type Cuts = Vec<(i64, Vec<u32>)>;

/// What is proved of an outcome.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Proved {
    bound: i64,
    outcome: Outcome,
    /// What the cuts cost together; [`NEVER`] where it is out of reach.
    paid: i64,
    cuts: Cuts,
}

impl Proved {
    fn nothing() -> Self {
        Self {
            bound: 0,
            outcome: Outcome::default(),
            paid: 0,
            cuts: Vec::new(),
        }
    }
}

struct Prover<'r> {
    goals: &'r Goals,
    landmark_cut: LandmarkCut<'r>,
}

impl Prover<'_> {
    /// The cuts of an outcome, or those of the one that it is a part of, whichever are better.
    fn proved(&mut self, outcome: Outcome, above: &Proved) -> Proved {
        let worthless = |outcome| Proved {
            bound: NEVER,
            outcome,
            ..Proved::nothing()
        };
        let Some(target) = self.goals.target(&outcome) else {
            return worthless(outcome);
        };
        self.landmark_cut.record = Some(Vec::new());
        let found = self.landmark_cut.ordered(&target.needs, NEVER);
        let cuts = self.landmark_cut.record.take().unwrap_or_default();
        let paid = found.map_or(NEVER, |(_, paid)| paid);
        let (paid, cuts) = match paid {
            NEVER => (NEVER, Vec::new()),
            paid if paid >= above.paid => (paid, cuts),
            _ => (above.paid, above.cuts.clone()),
        };
        debug_assert!(paid == NEVER || paid == cuts.iter().map(|cut| cut.0).sum::<i64>());
        Proved {
            bound: paid.saturating_add(target.cost),
            outcome,
            paid,
            cuts,
        }
    }
}

struct Writer<'w> {
    problem: &'w Problem,
    compiled: &'w CompiledDomain,
    relaxed: &'w Relaxation,
    goals: &'w Goals,
}

impl Writer<'_> {
    fn case(&self, proved: &Proved) -> Case {
        let ends = self.goals.alternatives(&proved.outcome);
        let ends = ends.iter().flat_map(|conj| conj.iter());
        let mut case = Case {
            goals: self.goals.held(&proved.outcome),
            ends: ends
                .filter_map(|(fact, set)| self.condition(*fact, *set))
                .collect(),
            ..Case::default()
        };
        if proved.paid == NEVER {
            case.landmarks.push(Landmark::default());
            return case;
        }
        // All occasions of the actions of the cuts: an action counts only where it fits no other.
        let cut = proved.cuts.iter().flat_map(|(_, groups)| groups);
        let action_ids = cut.map(|group| self.relaxed.groups[*group as usize].action_id);
        let action_ids: BTreeSet<_> = action_ids.collect();
        let mut places = BTreeMap::new();
        for (group, (paid, needs)) in self.relaxed.occasions().into_iter().enumerate() {
            if group > 0 && action_ids.contains(&paid.action_id) {
                places.insert(group as u32, case.occasions.len());
                let conditions = needs.into_iter();
                case.occasions.push(Occasion {
                    action: self.compiled.action(paid.action_id),
                    conditions: conditions
                        .filter_map(|(fact, set)| self.condition(fact, set))
                        .collect(),
                    cost: paid.cost,
                });
            }
        }
        let landmarks = proved.cuts.iter().map(|(cost, groups)| Landmark {
            occasions: groups.iter().map(|group| places[group]).collect(),
            cost: *cost,
        });
        case.landmarks = landmarks.collect();
        case
    }

    /// None: what says whether an event has happened.
    fn condition(&self, fact: u32, set: Set) -> Option<Condition> {
        let &(attribute, entity) = self.compiled.facts.get(fact as usize)?;
        let domain = self.relaxed.domains[fact as usize].iter().enumerate();
        let values = domain.filter(|(place, _)| set.contains(*place));
        Some(Condition {
            attribute,
            entity,
            values: values
                .map(|(_, value)| self.value(attribute, *value))
                .collect(),
        })
    }

    fn value(&self, attribute: usize, value: i16) -> Value {
        match self.problem.attributes()[attribute].values {
            Values::Bool => Value::Bool(value != 0),
            Values::Int(..) | Values::Number => Value::Number(f64::from(value)),
            Values::Words(_) if value >= 0 => Value::Symbol(value as usize),
            Values::Entity(_) if value >= 0 => Value::Entity(value as usize),
            Values::Words(_) | Values::Entity(_) => Value::Null,
        }
    }
}
