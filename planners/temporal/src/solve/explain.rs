//! Conflicts of networks with teammates: rules that cannot all be satisfied, and a counterexample.
//!
//! Leaving out a constraint of a network may make matters worse: it changes what precedes what, and
//! frees teammates more than us. So precedence, the sets P+ and P- and the closure stay as they
//! are, and rules of the reduction are dropped: differences between our events, and obligations of
//! our events to one end of a teammate's range. Fewer rules are easier to satisfy, so there is a
//! minimal set that fails. Provenance of the fixed points names the rules that led to a
//! contradiction, which a deletion filter makes minimal. Where it took a search, QuickXplain does
//! (Junker, "QUICKXPLAIN: preferred explanations and relaxations for over-constrained problems",
//! AAAI 2004).

mod minimal;
mod provenance;
mod rules;

use super::distance_matrix::Graph;
use super::reduce::{Reduction, Side, System};
use super::search::Ticker;
use crate::plan::{Conflict, Member, MemberKind, Schedule};
use crate::problem::{Bound, Micros, Network, Node, ORIGIN};
use minimal::minimal_core;
use rules::{Rule, Rules};

/// The conflict of an inconsistent network.
pub(crate) fn inconsistent(network: &Network, cycle: &stn::Conflict) -> Conflict {
    let bounds: Vec<Bound> = network.bounds().collect();
    let members = cycle.ids().map(|id| {
        let bound = bounds[id as usize];
        Member {
            kind: MemberKind::Bound,
            from: bound.from,
            to: bound.to,
            bound_us: bound.weight_us,
            sources: vec![bound.source],
            count: 1,
        }
    });
    Conflict {
        members: members.collect(),
        minimal: true,
        ..Conflict::default()
    }
}

/// The conflict of a reduction that is known to fail, and the magnitude of its negative cycle if
/// that is known. `None` when stopped before there was a small one, or when times are so long that
/// sums would not fit.
pub(crate) fn failing(
    reduction: &Reduction<'_>,
    ticker: &mut impl Ticker,
) -> Option<(Conflict, Option<Micros>)> {
    let rules = Rules::new(&reduction.system)?;
    let core = minimal_core(&rules, ticker)?;
    let bounds: Vec<Bound> = reduction.network.bounds().collect();
    let graph = Graph::new(reduction.network, &reduction.distances);
    let members = core
        .rules
        .iter()
        .map(|rule| member(reduction, &graph, &bounds, rule));
    let conflict = Conflict {
        members: members.collect(),
        minimal: core.minimal,
        candidate: counterexample(reduction, &core.rules),
        ..Conflict::default()
    };
    Some((conflict, core.deficit))
}

/// A rule as a member of a conflict.
fn member(reduction: &Reduction<'_>, graph: &Graph, bounds: &[Bound], rule: &Rule) -> Member {
    // A bound of the closure, and the chain of given bounds that it is the sum of.
    let chain = |from: Node, to: Node| {
        let path = graph.path(&reduction.distances, from, to);
        let sources = path.iter().map(|id| bounds[*id as usize].source);
        (reduction.bound(from, to), sources.collect())
    };
    let (kind, from, to, (bound_us, sources)) = match *rule {
        Rule::Difference(p, q) => {
            let (p, q) = (reduction.ours[p], reduction.ours[q]);
            (MemberKind::Bound, p, q, chain(p, q))
        }
        Rule::Obligation(disjunction, target) => {
            let disjunction = &reduction.system.disjunctions[disjunction];
            let (i, j) = (
                disjunction.node,
                reduction.ours[disjunction.targets[target].0],
            );
            match disjunction.side {
                Side::Late => (MemberKind::LateEnough, i, j, chain(j, i)),
                Side::Early => (MemberKind::EarlyEnough, i, j, chain(i, j)),
            }
        }
    };
    Member {
        kind,
        from,
        to,
        bound_us,
        sources,
        count: 1,
    }
}

/// Our earliest times, and a behaviour of teammates that violates one of the rules, one of `core`
/// if possible: all as late, or as early, as they may be.
fn counterexample(reduction: &Reduction<'_>, core: &[Rule]) -> Option<(Schedule, Vec<Micros>)> {
    let system = &reduction.system;
    let times: Vec<Micros> = (0..system.size)
        .map(|timepoint| -system.bound(timepoint, ORIGIN))
        .collect();
    let side = core
        .iter()
        .find_map(|rule| rule.violated_side(system, &times))
        .or_else(|| any_violated_side(system, &times))?;
    let mut behaviour: Vec<Micros> = vec![0; reduction.network.nodes()];
    for (node, time) in reduction.ours.iter().zip(&times) {
        behaviour[*node] = *time;
    }
    for &node in &reduction.theirs {
        behaviour[node] = reduction.disjunction(node, side).end(&times).0;
    }
    let times_us = reduction.by_node(&times);
    Some((Schedule { times_us }, behaviour))
}

fn any_violated_side(system: &System, times: &[Micros]) -> Option<Side> {
    let failed = system
        .disjunctions
        .iter()
        .find(|disjunction| disjunction.violated(times).is_some());
    failed.map(|disjunction| disjunction.side)
}
