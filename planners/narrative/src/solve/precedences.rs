//! Precedences of activities that resolve all resource conflicts of a joint network and leave it
//! dynamically controllable.
//!
//! A search with clause learning over "activity i ends before activity j starts", with times and
//! resources as its theory. Minimal critical sets (activities that need too much
//! simultaneously, but not without any one of them) are found as heaviest antichains of the order
//! so far (see [`antichain`](super::antichain)), as they come up. Closures of the joint network
//! refute orders, or make them sure. When nothing is overloaded dynamic controllability is checked,
//! and each conflict becomes a clause. After Lombardi and Milano, "A min-flow algorithm for minimal
//! critical set detection in resource constrained project scheduling", Artificial Intelligence
//! 182-183 (2012), and Morris 2014.

mod critical_sets;
mod hints;
mod resource_core;
mod resource_users;
mod sufficiency;
mod temporal_closures;
mod theory;

pub(crate) use critical_sets::{CriticalSet, flow, precedes};
pub(crate) use resource_core::ResourceCore;
pub(crate) use resource_users::{Precedence, ResourceUsers, User, competing, shares};
pub(crate) use sufficiency::is_sufficient;
pub(crate) use temporal_closures::TemporalClosures;

use super::joint_network::{JointNetwork, PolicyOutline};
use super::story::Story;
use anytime::Control;
use cp::clause_learning::{Checkpoint, Found, Settings, Solver};
use critical_sets::disjoint;
use hints::Hints;
use std::collections::BTreeSet;
use stn::Edge;
use stn::uncertain::{self, Conflict, Strategy, strategy};
use temporal_closures::{NO_ORDER, networks};
use theory::PrecedenceTheory;

/// Conflicts after which orders that are tried first are no help.
const HINTED_CONFLICTS: u64 = 3;

/// What came of looking for orders.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// Orders as edges of the joint network, and a strategy that keeps them.
    Found(Vec<Edge>, Box<Strategy>),
    /// Not even without any activity.
    Uncontrollable(Conflict),
    /// Infeasible, for these reasons among others: a resource, and activities that cannot all have
    /// it simultaneously.
    Overloaded(Vec<(usize, Vec<usize>)>),
    /// The joint network is larger than the engine allows.
    TooLarge,
    /// Stopped.
    Stopped,
}

/// What is asked.
#[derive(Clone, Copy)]
pub(crate) struct OrderingProblem<'q> {
    pub(crate) story: &'q Story<'q>,
    pub(crate) skeletons: &'q [PolicyOutline],
    pub(crate) joint: &'q JointNetwork,
}

impl<'q> OrderingProblem<'q> {
    pub(crate) fn new(
        story: &'q Story<'q>,
        skeletons: &'q [PolicyOutline],
        joint: &'q JointNetwork,
    ) -> Self {
        Self {
            story,
            skeletons,
            joint,
        }
    }
}

/// Looks for orders. One iteration is one conflict.
pub(crate) fn find_precedences<P, C: Ord + Copy>(
    question: &OrderingProblem<'_>,
    control: &mut Control<'_, P, C>,
) -> Outcome {
    find_precedences_within(question, u64::MAX, control)
}

/// The same with a limit of conflicts.
pub(crate) fn find_precedences_within<P, C: Ord + Copy>(
    question: &OrderingProblem<'_>,
    conflicts: u64,
    control: &mut Control<'_, P, C>,
) -> Outcome {
    if let Some(sets) = short(question) {
        return resolve_conflicts(question.joint, conflicts, sets, control);
    }
    match prepared(question, control) {
        Ok(Prepared { shares, clocks }) => {
            let rules = PrecedenceTheory::new(question.joint, shares, clocks, control.fork());
            search(question.joint, conflicts, rules, control)
        }
        Err(outcome) => outcome,
    }
}

/// The sets of activities that are to be kept apart, where the story says which.
fn short(question: &OrderingProblem<'_>) -> Option<Vec<CriticalSet>> {
    let OrderingProblem { story, joint, .. } = question;
    let short = story.short.as_ref()?;
    let sets = joint.place.iter().flat_map(|place| {
        let named = short.iter();
        named.filter_map(|(resource, activities)| {
            CriticalSet::named(story, place, *resource, activities)
        })
    });
    Some(sets.collect())
}

/// Searches for orders; tries some first, one after the other, for a few conflicts, and then starts
/// again.
pub(crate) fn hinted<P, C: Ord + Copy>(
    joint: &JointNetwork,
    hint: &[Edge],
    Prepared { shares, mut clocks }: Prepared,
    control: &mut Control<'_, P, C>,
) -> Outcome {
    if !hint.is_empty() {
        let mut rules = PrecedenceTheory::new(joint, shares.clone(), clocks, control.fork());
        let named = hint
            .iter()
            .filter_map(|edge| rules.name(Precedence::from_edge(edge)));
        rules.hints = Hints::new(named.collect());
        let mut solver = solver(rules);
        let found = found(&mut solver, HINTED_CONFLICTS, control);
        if found != Found::Stopped || !control.go_on() {
            return outcome(joint, &found, solver.theory, control);
        }
        // What was learnt about a bad guess leads the search astray.
        clocks = solver.theory.clocks;
        clocks.backtrack(0);
    }
    let rules = PrecedenceTheory::new(joint, shares, clocks, control.fork());
    search(joint, u64::MAX, rules, control)
}

/// What a search for orders begins with.
pub(crate) struct Prepared {
    /// Who competes for what, none twice.
    pub(crate) shares: Vec<ResourceUsers>,
    pub(crate) clocks: TemporalClosures,
}

/// The beginning of a search for orders.
///
/// # Errors
/// There is nothing to look for.
pub(crate) fn prepared<P, C: Ord + Copy>(
    question: &OrderingProblem<'_>,
    control: &mut Control<'_, P, C>,
) -> Result<Prepared, Outcome> {
    let free = free(question.joint, control)?;
    let shares = competing(question);
    if shares.is_empty() {
        return Err(Outcome::Found(Vec::new(), Box::new(free)));
    }
    let clocks = clocks(question.joint, &free, control).ok_or(Outcome::Stopped)?;
    Ok(Prepared { shares, clocks })
}

/// How to keep a joint network without orders.
fn free<P, C: Ord + Copy>(
    joint: &JointNetwork,
    control: &mut Control<'_, P, C>,
) -> Result<Strategy, Outcome> {
    let network = joint.network(&[]).map_err(|_| Outcome::TooLarge)?;
    match strategy(&network, &mut || control.go_on()) {
        uncertain::Verdict::Holds(strategy) => Ok(strategy),
        uncertain::Verdict::Fails(conflict) => Err(Outcome::Uncontrollable(conflict)),
        uncertain::Verdict::Stopped => Err(Outcome::Stopped),
    }
}

/// Looks for orders that keep these sets of activities apart, with a limit of conflicts.
pub(crate) fn resolve_conflicts<P, C: Ord + Copy>(
    joint: &JointNetwork,
    conflicts: u64,
    sets: Vec<CriticalSet>,
    control: &mut Control<'_, P, C>,
) -> Outcome {
    let free = match free(joint, control) {
        Ok(free) => free,
        Err(outcome) => return outcome,
    };
    let Some(clocks) = clocks(joint, &free, control) else {
        return Outcome::Stopped;
    };
    let mut rules = PrecedenceTheory::new(joint, Vec::new(), clocks, control.fork());
    for order in sets.iter().flat_map(|set| &set.orders) {
        rules.name_order(*order);
    }
    rules.forbidden = sets;
    search(joint, conflicts, rules, control)
}

/// Closures of the joint network with what its strategy says; `None`: stopped.
fn clocks<P, C: Ord + Copy>(
    joint: &JointNetwork,
    free: &Strategy,
    control: &mut Control<'_, P, C>,
) -> Option<TemporalClosures> {
    let watches = free.bounds().iter();
    let derived: Vec<Edge> = watches
        .map(|watch| Edge::new(watch.from, watch.to, watch.weight, NO_ORDER))
        .collect();
    let clocks = TemporalClosures::new(joint.nodes, &networks(joint), &derived, &mut || {
        control.go_on()
    })?;
    Some(clocks.unwrap_or_else(|_| unreachable!("what is controllable has a solution")))
}

fn search<P, C: Ord + Copy>(
    joint: &JointNetwork,
    conflicts: u64,
    rules: PrecedenceTheory<'_>,
    control: &mut Control<'_, P, C>,
) -> Outcome {
    let mut solver = solver(rules);
    let found = found(&mut solver, conflicts, control);
    outcome(joint, &found, solver.theory, control)
}

/// A search that has a variable for each order.
fn without_clauses(rules: PrecedenceTheory<'_>) -> Solver<PrecedenceTheory<'_>> {
    let orders = rules.orders.len();
    let mut solver = Solver::new(rules, Settings::default());
    for _ in 0..orders {
        // Not a Boolean: only orders that conflicts are about need to be decided.
        let var = solver.new_int(-1, 1);
        solver.theory.vars.push(var);
    }
    solver
}

/// A search that knows the clauses which are there from the first.
fn solver(rules: PrecedenceTheory<'_>) -> Solver<PrecedenceTheory<'_>> {
    let mut solver = without_clauses(rules);
    let pairs = pairs(&mut solver.theory);
    solver.theory.forbidden.extend(pairs);
    for set in solver.theory.forbidden.clone() {
        if is_sure(&solver.theory, &set) {
            continue;
        }
        let clause = solver.theory.clause(&set);
        solver.add_clause(&clause);
    }
    solver
}

fn found<P, C: Ord + Copy>(
    solver: &mut Solver<PrecedenceTheory<'_>>,
    conflicts: u64,
    control: &mut Control<'_, P, C>,
) -> Found {
    solver.solve_within(&[], conflicts, &mut |beat| match beat {
        Checkpoint::Conflict => control.tick(),
        Checkpoint::Work => control.go_on(),
    })
}

fn outcome<P, C: Ord + Copy>(
    joint: &JointNetwork,
    found: &Found,
    rules: PrecedenceTheory<'_>,
    control: &mut Control<'_, P, C>,
) -> Outcome {
    match found {
        Found::Stopped => Outcome::Stopped,
        Found::Refuted(_) => Outcome::Overloaded(sets(rules.forbidden)),
        Found::Model if rules.is_stopped => Outcome::Stopped,
        Found::Model => {
            let edge = |name: u32| {
                let order = rules.orders[name as usize];
                Edge::new(order.start, order.end, 0, name)
            };
            let edges: Vec<Edge> = rules.clocks.orders().map(edge).collect();
            settle(joint, edges, control)
        }
    }
}

fn settle<P, C: Ord + Copy>(
    joint: &JointNetwork,
    edges: Vec<Edge>,
    control: &mut Control<'_, P, C>,
) -> Outcome {
    let network = joint.network(&edges).expect("checked without orders");
    match strategy(&network, &mut || control.go_on()) {
        uncertain::Verdict::Holds(strategy) => Outcome::Found(edges, Box::new(strategy)),
        uncertain::Verdict::Fails(_) => unreachable!("it was controllable a moment ago"),
        uncertain::Verdict::Stopped => Outcome::Stopped,
    }
}

/// Pairs of activities that are too much together, none twice, unless it is sure which comes first.
fn pairs(rules: &mut PrecedenceTheory<'_>) -> Vec<CriticalSet> {
    let (mut all, mut met) = (Vec::new(), BTreeSet::new());
    let shares = std::mem::take(&mut rules.shares);
    for share in &shares {
        if !rules.goes_on() {
            break;
        }
        let is_new = |orders: &[Option<Precedence>; 2]| {
            let mut either = orders.iter().flatten();
            !either.any(|order| is_first(rules, order)) && met.insert(*orders)
        };
        all.extend(disjoint(share, is_new));
    }
    rules.shares = shares;
    all.sort_by(|one, other| one.orders.cmp(&other.orders));
    all.dedup_by(|one, other| one.orders == other.orders);
    all
}

/// Whether one of a set is sure to end before another starts, without any order.
fn is_sure(rules: &PrecedenceTheory<'_>, set: &CriticalSet) -> bool {
    let mut orders = set.orders.iter();
    orders.any(|order| is_first(rules, order))
}

/// Whether the first of an order is sure to end before the second starts.
fn is_first(rules: &PrecedenceTheory<'_>, order: &Precedence) -> bool {
    rules.clocks.distance(0, order.start, order.end) <= 0
}

fn sets(forbidden: Vec<CriticalSet>) -> Vec<(usize, Vec<usize>)> {
    let sets = forbidden
        .into_iter()
        .map(|set| (set.resource, set.activities));
    let mut sets: Vec<(usize, Vec<usize>)> = sets.collect();
    sets.sort_unstable();
    sets.dedup();
    sets
}
