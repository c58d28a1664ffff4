//! The independent check of a bound: walks the checked expressions, and shares nothing with the
//! search or its relaxation.

use super::interpreter::Fact;
use super::leaves::{Given, Leaf, Reached, TooMany, cost_of};
use crate::certificate::{Case, Certificate, Condition, Occasion, UNIT};
use crate::plan::{Action, Cost, PICO};
use crate::problem::Problem;
use anytime::{Fault, Path, fault, math};

/// Code of a certificate that proves nothing.
const CODE: &str = "CONTRADICTION";

/// The cost that no story undercuts, as a certificate proves it.
///
/// Every end of a story has to be in a case. In each case every landmark has to be one: without
/// what counts for it the case is out of reach, even in the delete relaxation. And no action may
/// pay more than it costs. The proof leaves out stories that cost as much as the limit of the
/// certificate, and actions that do: the bound is at most the limit. At most `leaves_max`
/// combinations of values are looked at: their number may grow exponentially with what an action
/// reads.
///
/// `None`: there are more combinations, and nothing is decided.
///
/// # Errors
/// The first thing that is wrong.
pub fn verify_bound(
    problem: &Problem,
    certificate: &Certificate,
    leaves_max: usize,
) -> Result<Option<Cost>, Fault> {
    match proved(problem, certificate, leaves_max) {
        Ok(bound) => bound.map(Some),
        Err(TooMany) => Ok(None),
    }
}

/// The bound, or the first thing that is wrong.
fn proved(
    problem: &Problem,
    certificate: &Certificate,
    mut left: usize,
) -> Result<Result<Cost, Fault>, TooMany> {
    let cases = Path::root("cases");
    for (case, given) in certificate.cases.iter().enumerate() {
        if !is_sound(problem, given) {
            return Ok(Err(fault!(
                CODE,
                cases.index(case),
                "has indices out of range, or costs below 0"
            )));
        }
    }
    let actions = actions(problem);
    // What may be reached at all.
    let mut reached = Reached::start(problem, certificate.limit);
    loop {
        let mut leaves = Vec::new();
        for action in &actions {
            reached.leaves(problem, action, &[], &mut left, &mut leaves)?;
        }
        // All of them, whatever is new already.
        let news: Vec<bool> = leaves.iter().map(|l| reached.add(problem, l)).collect();
        if !news.contains(&true) {
            break;
        }
    }
    let mut is_covered = |met: &[bool], given: &Given| {
        for case in &certificate.cases {
            let mut goals = case.goals.iter().zip(met);
            let fits = goals.all(|(wanted, met)| wanted.is_none_or(|wanted| wanted == *met));
            if fits && holds(&reached, given, &case.ends)? {
                return Ok(true);
            }
        }
        Ok(false)
    };
    if !reached.all_ends(problem, &mut left, &mut is_covered)? {
        return Ok(Err(fault!(CODE, cases, "lack some end of a story")));
    }
    let mut least = certificate.limit;
    for (case, given) in certificate.cases.iter().enumerate() {
        let mut check = Check {
            problem,
            reached: &reached,
            case: given,
            left: &mut left,
        };
        let leaves = check.leaves(&actions)?;
        if let Some(fault) = check.fault(&cases.index(case), &leaves)? {
            return Ok(Err(fault));
        }
        least = least.min(least_of(problem, given));
    }
    let loss_pico = (1.0 - math::exp(-(least as f64) / UNIT)) * PICO - INEXACT;
    Ok(Ok(Cost {
        loss_pico: loss_pico.round().max(0.0) as u64,
    }))
}

/// By how much, in 10^-12, a loss may come out too low in a story, or too high in a bound, because
/// numbers are rounded.
///
/// The loss of a story is rounded to whole 10^-12, and so may be that of a bound, less the rounding
/// of its parts. A score is the product of the shares of goals and of at most 50 believabilities,
/// each of which is rounded by 2^-53 at most: that is less than 0.006. The cost of a bound adds up
/// whole numbers; -ln and exp err by an ulp of numbers below 7 where the score is above 0.001: that
/// is less than 0.002.
const INEXACT: f64 = 0.01;

/// What stories of a case cost at least, in [`UNIT`].
fn least_of(problem: &Problem, case: &Case) -> i64 {
    if case.landmarks.iter().any(|l| l.occasions.is_empty()) {
        return i64::MAX;
    }
    let goals = problem.goals().iter().zip(&case.goals);
    let counted = goals.filter(|(_, asked)| **asked != Some(false));
    let share = counted.map(|(goal, _)| goal.weight).sum::<f64>() / problem.weight();
    let costs = case.landmarks.iter().map(|landmark| landmark.cost);
    costs.fold(cost_of(share.min(1.0)), i64::saturating_add)
}

fn is_sound(problem: &Problem, case: &Case) -> bool {
    let is_fact = |condition: &Condition| {
        let attribute = problem.attributes().get(condition.attribute);
        attribute.is_some_and(|attribute| {
            let entities = &problem.kinds()[attribute.owner].entities;
            entities.contains(&condition.entity)
        })
    };
    let mut conditions = case.occasions.iter().flat_map(|o| &o.conditions);
    let mut landmarks = case.landmarks.iter();
    case.goals.len() == problem.goals().len()
        && case.ends.iter().all(is_fact)
        && conditions.all(is_fact)
        && landmarks.all(|landmark| {
            let mut occasions = landmark.occasions.iter();
            landmark.cost >= 0 && occasions.all(|o| *o < case.occasions.len())
        })
}

/// Whether all of some conditions hold where some facts are known. Err: that depends on this fact.
fn holds(reached: &Reached, given: &Given, conditions: &[Condition]) -> Result<bool, Fact> {
    let mut open = None;
    for condition in conditions {
        match reached.holds(given, condition) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(fact) => open = Some(fact),
        }
    }
    open.map_or(Ok(true), Err)
}

/// All actions, whether they can be done or not.
fn actions(problem: &Problem) -> Vec<Action> {
    let mut all = Vec::new();
    for (schema, rules) in problem.schemas().iter().enumerate() {
        let mut args: Vec<Vec<usize>> = vec![Vec::new()];
        for (_, kind) in &rules.params {
            let entities = problem.kinds()[*kind].entities.clone();
            let longer = args.iter().flat_map(|args| {
                let with = |entity| args.iter().copied().chain([entity]).collect();
                entities.clone().map(with).collect::<Vec<_>>()
            });
            args = longer.collect();
        }
        all.extend(args.into_iter().map(|args| Action { schema, args }));
    }
    all
}

struct Check<'c> {
    problem: &'c Problem,
    /// What may be reached.
    reached: &'c Reached,
    case: &'c Case,
    left: &'c mut usize,
}

impl Check<'_> {
    /// All leaves, and by leaf the landmarks for which it counts.
    fn leaves(&mut self, actions: &[Action]) -> Result<Vec<(Leaf, Vec<usize>)>, TooMany> {
        let mut all = Vec::new();
        for action in actions {
            let occasions = self.case.occasions.iter();
            let mine: Vec<&Occasion> = occasions.filter(|o| o.action == *action).collect();
            self.reached
                .leaves(self.problem, action, &mine, self.left, &mut all)?;
        }
        let counted = all.into_iter().map(|leaf| {
            let counts = self.counts(&leaf);
            (leaf, counts)
        });
        Ok(counted.collect())
    }

    /// The landmarks for which a leaf counts.
    fn counts(&self, leaf: &Leaf) -> Vec<usize> {
        let occasions = self.case.occasions.iter().enumerate();
        let fitting = occasions.filter(|(_, occasion)| {
            occasion.action == leaf.action
                && occasion.cost <= leaf.cost
                && holds(self.reached, &leaf.facts, &occasion.conditions) == Ok(true)
        });
        let fitting: Vec<usize> = fitting.map(|(index, _)| index).collect();
        let landmarks = self.case.landmarks.iter().enumerate();
        let counts = landmarks.filter(|(_, landmark)| {
            let mut fitting = fitting.iter();
            fitting.len() > 0 && fitting.all(|index| landmark.occasions.contains(index))
        });
        counts.map(|(index, _)| index).collect()
    }

    /// What is wrong with landmarks and payments.
    fn fault(
        &mut self,
        at: &Path<'_>,
        leaves: &[(Leaf, Vec<usize>)],
    ) -> Result<Option<Fault>, TooMany> {
        for (leaf, counts) in leaves {
            let paid = counts.iter().map(|index| self.case.landmarks[*index].cost);
            if paid.fold(0, i64::saturating_add) > leaf.cost {
                return Ok(Some(fault!(
                    CODE,
                    at.field("landmarks"),
                    "have an action of schema {} pay more than it costs",
                    leaf.action.schema
                )));
            }
        }
        for landmark in 0..self.case.landmarks.len() {
            let others = leaves.iter().filter(|(_, c)| !c.contains(&landmark));
            let others: Vec<&Leaf> = others.map(|(leaf, _)| leaf).collect();
            if self.may_end(&self.spread(&others))? {
                let at = at.field("landmarks");
                return Ok(Some(fault!(
                    CODE,
                    at.index(landmark),
                    "is none: a story of the case may do without it"
                )));
            }
        }
        Ok(None)
    }

    /// What may be reached with some leaves alone.
    fn spread(&self, leaves: &[&Leaf]) -> Reached {
        let mut reached = Reached::start(self.problem, self.reached.limit);
        loop {
            let mut is_new = false;
            for leaf in leaves {
                let mut facts = leaf.facts.iter();
                if facts.all(|(fact, value)| reached.contains(*fact, *value)) {
                    is_new |= reached.add(self.problem, leaf);
                }
            }
            if !is_new {
                return reached;
            }
        }
    }

    /// Whether a story of the case may end there.
    fn may_end(&mut self, reached: &Reached) -> Result<bool, TooMany> {
        let mut events = self.problem.events().iter().enumerate();
        let happened = events.all(|(e, event)| !event.must || reached.events.contains(&e));
        if !happened || !self.case.ends.iter().all(|end| reached.may_be(end)) {
            return Ok(false);
        }
        for (goal, asked) in self.case.goals.iter().enumerate() {
            if *asked == Some(true) && !reached.may_hold(self.problem, goal, self.left)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
