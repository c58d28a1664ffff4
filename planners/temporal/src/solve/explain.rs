//! Why a network with teammates fails: rules that cannot all be kept, and what breaks a schedule.
//!
//! Leaving out a constraint of a network may make matters worse: it changes what precedes what, and
//! frees teammates more than us. So precedence, the sets P+ and P- and the closure stay as they
//! are, and rules of the reduction are dropped: differences between our events, and bounds of our
//! events from one end of a teammate's range. Fewer rules are easier to satisfy, so there is a
//! minimal set that fails. The fixed points name the rules that led to a contradiction; these are
//! left out one after the other. Where it took a search, QuickXplain makes the set smaller (Junker,
//! "QUICKXPLAIN: preferred explanations and relaxations for over-constrained problems", AAAI 2004).

mod chase;
mod rules;
mod shrink;

use super::reduce::{Reduction, Side, System};
use super::search::Pace;
use super::table::Graph;
use crate::plan::{Conflict, Member, MemberKind, Schedule};
use crate::problem::{Bound, Micros, Network, Node, ORIGIN};
use rules::{Rule, Rules};
use shrink::least;

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

/// The conflict of a reduction that is known to fail, and by how much its rules clash if that is
/// known. `None` when there is no time to find a small part of it, or times are so long that sums
/// would not fit.
pub(crate) fn failing(
    reduction: &Reduction<'_>,
    pace: &mut impl Pace,
) -> Option<(Conflict, Option<Micros>)> {
    let rules = Rules::new(&reduction.system)?;
    let core = least(&rules, pace)?;
    let bounds: Vec<Bound> = reduction.network.bounds().collect();
    let graph = Graph::new(reduction.network, &reduction.table);
    let members = core
        .rules
        .iter()
        .map(|rule| member(reduction, &graph, &bounds, rule));
    let conflict = Conflict {
        members: members.collect(),
        minimal: core.minimal,
        candidate: broken(reduction, &core.rules),
        ..Conflict::default()
    };
    Some((conflict, core.clash))
}

/// A rule in the words of the network.
fn member(reduction: &Reduction<'_>, graph: &Graph, bounds: &[Bound], rule: &Rule) -> Member {
    // A bound of the closure, and the chain of given bounds that it is the sum of.
    let chain = |from: Node, to: Node| {
        let path = graph.path(&reduction.table, from, to);
        let sources = path.iter().map(|id| bounds[*id as usize].source);
        (reduction.bound(from, to), sources.collect())
    };
    let (kind, from, to, (bound_us, sources)) = match *rule {
        Rule::Difference(p, q) => {
            let (p, q) = (reduction.ours[p], reduction.ours[q]);
            (MemberKind::Bound, p, q, chain(p, q))
        }
        Rule::Owed(duty, target) => {
            let duty = &reduction.system.duties[duty];
            let (i, j) = (duty.node, reduction.ours[duty.targets[target].0]);
            match duty.side {
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

/// Our earliest times, and what teammates do that breaks one of the rules, one of `core` if
/// possible: all as late, or as early, as they may.
fn broken(reduction: &Reduction<'_>, core: &[Rule]) -> Option<(Schedule, Vec<Micros>)> {
    let system = &reduction.system;
    let times: Vec<Micros> = (0..system.size)
        .map(|slot| -system.bound(slot, ORIGIN))
        .collect();
    let side = core
        .iter()
        .find_map(|rule| rule.broken_side(system, &times))
        .or_else(|| any_broken_side(system, &times))?;
    let mut behaviour: Vec<Micros> = vec![0; reduction.network.nodes()];
    for (node, time) in reduction.ours.iter().zip(&times) {
        behaviour[*node] = *time;
    }
    for &node in &reduction.theirs {
        behaviour[node] = reduction.duty(node, side).end(&times).0;
    }
    let times_us = reduction.by_node(&times);
    Some((Schedule { times_us }, behaviour))
}

fn any_broken_side(system: &System, times: &[Micros]) -> Option<Side> {
    let failed = system
        .duties
        .iter()
        .find(|duty| duty.failed(times).is_some());
    failed.map(|duty| duty.side)
}
