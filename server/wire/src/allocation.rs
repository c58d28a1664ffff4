//! Allocation: problems in, plans and explanations out.

mod answer;
mod certificate;
pub(crate) mod decode;
mod explanation;
mod info;
mod insertion;
mod methods;
mod names;
mod plan;
mod planned;
mod problem;
mod relaxation;
mod request;
pub(crate) mod session;

use certificate::certificate;
use explanation::explanation;
use plan::{orders, plan};
use problem::problem;
use relaxation::relaxation;

use allocation::problem::{MICRO, Problem, Term};
use allocation::{Cost, Terms};
use stratagem_proto::v1 as pb;

/// Name and unit of a term of the objective.
fn term_name(term: Term) -> (&'static str, &'static str) {
    match term {
        Term::Unserved => ("unserved", "tasks"),
        Term::DropPenalty => ("drop_penalty", "cost"),
        Term::TravelCost => ("travel_cost", "cost"),
        Term::Makespan => ("makespan", "s"),
        Term::Lateness => ("lateness", "s"),
        Term::AgentsUsed => ("agents_used", "agents"),
        Term::Preferences => ("preferences", "cost"),
        Term::TasksMoved => ("tasks_moved", "tasks"),
        Term::Balance => ("balance", "s"),
    }
}

/// All terms, in the order of the wire.
const TERMS: [Term; 9] = [
    Term::Unserved,
    Term::DropPenalty,
    Term::TravelCost,
    Term::Makespan,
    Term::Lateness,
    Term::AgentsUsed,
    Term::Preferences,
    Term::TasksMoved,
    Term::Balance,
];

/// A planner's millionths as the wire's ones.
fn ones(micro: i64) -> f64 {
    micro as f64 / MICRO as f64
}

/// The levels of a cost that the objective has.
pub(crate) fn levels(problem: &Problem, cost: &Cost) -> Vec<f64> {
    let count = problem.levels().len();
    cost.0.iter().take(count).copied().map(ones).collect()
}

/// A cost with its terms. Terms of coupled problems are reported for these only.
pub(crate) fn objective(problem: &Problem, terms: &Terms) -> pb::Objective {
    let term = |term| {
        let (name, unit) = term_name(term);
        super::solve::cost(name, ones(terms.get(term)), unit)
    };
    let coupled = |term| matches!(term, Term::Preferences | Term::TasksMoved | Term::Balance);
    let is_reported = |one: &Term| problem.is_coupled() || !coupled(*one);
    pb::Objective {
        levels: levels(problem, &problem.cost(terms)),
        terms: TERMS.into_iter().filter(is_reported).map(term).collect(),
    }
}

/// The cost to stop at: levels that the caller does not name may be anything.
pub(crate) fn target(levels: &[f64]) -> Option<Cost> {
    if levels.is_empty() {
        return None;
    }
    let mut cost = Cost([i64::MAX; _]);
    for (micro, level) in cost.0.iter_mut().zip(levels) {
        // Saturates: a target beyond all costs is reached by every plan, or by none. Rounded
        // because the caller's number may be the double nearest to a cost.
        *micro = (level * MICRO as f64).round() as i64;
    }
    Some(cost)
}
