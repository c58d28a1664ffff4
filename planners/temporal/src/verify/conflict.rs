//! Whether the rules of a conflict are rules of the network, and cannot all be kept.

use super::Stopped;
use super::closure::Closure;
use super::differences::{Arc, bound, can_be_kept};
use super::nature::{Chains, is_requirement};
use super::search::{Answer, Duty, WORK_MAX, search};
use super::seen::is_controllable;
use super::violation::Violation;
use crate::plan::{Conflict, Member, MemberKind};
use crate::problem::{Micros, Network, Node, ORIGIN, Owner, Source};
use std::collections::BTreeMap;

/// What a conflict is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// Bounds that contradict each other, whoever keeps them.
    Bounds,
    /// Fixed times, against teammates.
    Teammates,
    /// Fixed times, against Nature.
    Durations,
    /// Times by what was seen, against Nature.
    Seen,
}

/// All false claims about members.
///
/// # Errors
/// `go_on` returned false.
pub(super) fn members(
    network: &Network,
    about: About,
    conflict: &Conflict,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Vec<Violation>, Stopped> {
    let closure = match about {
        About::Teammates => Closure::new(network, go_on)?,
        _ => None,
    };
    let mut broken = Vec::new();
    for (index, member) in conflict.members.iter().enumerate() {
        if !fits(about, member) {
            broken.push(Violation::MemberKind { member: index });
        }
        broken.extend(chain(network, (index, member)));
        if is_obligation(member) && !is_owed(closure.as_ref(), member) {
            broken.push(Violation::MemberObligation { member: index });
        }
    }
    if broken.is_empty() {
        match about {
            About::Bounds | About::Teammates => {
                broken = kept(network, closure.as_ref(), conflict, go_on)?;
            }
            About::Durations => roots(network, conflict, &mut broken),
            About::Seen => {
                sum(conflict, &mut broken);
                seen(network, conflict, &mut broken);
            }
        }
    }
    Ok(broken)
}

fn is_obligation(member: &Member) -> bool {
    matches!(
        member.kind,
        MemberKind::LateEnough | MemberKind::EarlyEnough
    )
}

/// Whether a kind of rule has to do with the question. Against Nature a rule may count more often.
fn fits(about: About, member: &Member) -> bool {
    match about {
        About::Bounds => member.kind == MemberKind::Bound && member.count > 0,
        About::Teammates => {
            (member.kind == MemberKind::Bound || is_obligation(member)) && member.count > 0
        }
        About::Durations | About::Seen => !is_obligation(member) && member.count > 0,
    }
}

/// Whether the sources lead from one node to the other, and add up to the bound. What Nature may
/// take is one bound, in its own words.
fn chain(network: &Network, (index, member): (usize, &Member)) -> Option<Violation> {
    let wrong = Some(Violation::MemberChain { member: index });
    let (from, to, sign) = match member.kind {
        MemberKind::Bound | MemberKind::EarlyEnough | MemberKind::ContingentUpper => {
            (member.from, member.to, 1)
        }
        MemberKind::LateEnough => (member.to, member.from, 1),
        MemberKind::ContingentLower => (member.to, member.from, -1),
    };
    let mut at = from;
    let mut found_us: Micros = 0;
    for source in &member.sources {
        match bound(network, *source) {
            Some(bound) if bound.from == at => {
                at = bound.to;
                found_us = found_us.saturating_add(bound.weight_us);
            }
            _ => return wrong,
        }
    }
    let durations = matches!(
        member.kind,
        MemberKind::ContingentLower | MemberKind::ContingentUpper
    );
    let one = member.sources.len() == 1 && member.sources.iter().all(|one| !is_requirement(*one));
    if at != to || member.sources.is_empty() || durations && !one {
        return wrong;
    }
    (found_us.saturating_mul(sign) != member.bound_us).then_some(Violation::MemberBound {
        member: index,
        claimed_us: member.bound_us,
        found_us: found_us.saturating_mul(sign),
    })
}

/// Whether the network has this obligation, by its own closure and order.
fn is_owed(closure: Option<&Closure>, member: &Member) -> bool {
    let Some(closure) = closure else { return false };
    let (teammate, node) = (member.from, member.to);
    let known = closure.is_theirs(teammate) && closure.is_ours(node);
    known
        && match member.kind {
            MemberKind::LateEnough => {
                closure.precedes(teammate, node) && member.bound_us == closure.most(node, teammate)
            }
            _ => {
                !closure.precedes(node, teammate) && member.bound_us == closure.most(teammate, node)
            }
        }
}

/// Nothing keeps all members; without any one of them something does, where that is claimed.
fn kept(
    network: &Network,
    closure: Option<&Closure>,
    conflict: &Conflict,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Vec<Violation>, Stopped> {
    let mut broken = Vec::new();
    let mut work = WORK_MAX;
    let mut ask = |left_out: Option<usize>| {
        let members = conflict.members.iter().enumerate();
        let members = members.filter(|(index, _)| Some(*index) != left_out);
        let members: Vec<_> = members.map(|(_, member)| member).collect();
        let (arcs, duties) = rules(closure, &members);
        if duties.is_empty() {
            let kept = can_be_kept(network.nodes(), &arcs);
            return if kept { Answer::Kept } else { Answer::Broken };
        }
        search(&arcs, &duties, &mut work)
    };
    if ask(None) == Answer::Kept {
        broken.push(Violation::ConflictKept);
    } else if conflict.minimal {
        for member in 0..conflict.members.len() {
            Stopped::unless(go_on())?;
            if ask(Some(member)) == Answer::Broken {
                broken.push(Violation::MemberNeedless { member });
            }
        }
    }
    Ok(broken)
}

/// Differences, and duties in all their ways.
///
/// After the reduction of equations 2 to 6 to our own nodes x. For a teammate's node i that
/// precedes our j: x_k - x_j <= c(j, i) - c(k, i) for some k that precedes i or is unordered with
/// it. For i that precedes j or is unordered with it: x_j - x_k <= c(i, j) - c(i, k) for some k
/// that precedes i. One k serves all targets of the same end of the same i.
fn rules(closure: Option<&Closure>, members: &[&Member]) -> (Vec<Arc>, Vec<Duty>) {
    let mut arcs = Vec::new();
    let mut targets: BTreeMap<(Node, MemberKind), Vec<Node>> = BTreeMap::new();
    for member in members {
        match member.kind {
            MemberKind::LateEnough | MemberKind::EarlyEnough => {
                let end = targets.entry((member.from, member.kind)).or_default();
                end.push(member.to);
            }
            _ => arcs.push((member.from, member.to, member.bound_us)),
        }
    }
    let duties = closure.map(|closure| {
        let duty = |((teammate, kind), targets): (&(Node, MemberKind), &Vec<Node>)| {
            duty(closure, (*teammate, *kind), targets)
        };
        targets.iter().map(duty).collect()
    });
    (arcs, duties.unwrap_or_default())
}

fn duty(closure: &Closure, (i, kind): (Node, MemberKind), targets: &[Node]) -> Duty {
    let late = kind == MemberKind::LateEnough;
    let sets = |k: &Node| {
        closure.is_ours(*k) && (closure.precedes(*k, i) || late && !closure.precedes(i, *k))
    };
    let way = |k: Node| {
        let arc = |&j: &Node| {
            if late {
                (j, k, closure.most(j, i) - closure.most(k, i))
            } else {
                (k, j, closure.most(i, j) - closure.most(i, k))
            }
        };
        targets.iter().map(arc).collect()
    };
    (0..closure.nodes()).filter(sets).map(way).collect()
}

/// For all durations at once the requirements among the members bind the nodes from which chains of
/// contingent links start; these bounds contradict each other.
fn roots(network: &Network, conflict: &Conflict, broken: &mut Vec<Violation>) {
    let chains = Chains::new(network);
    let sources = conflict.members.iter().flat_map(|member| &member.sources);
    let arcs: Vec<Arc> = sources
        .filter(|source| is_requirement(**source))
        .filter_map(|source| bound(network, *source))
        .map(|bound| {
            let room = bound.weight_us - chains.most(network, bound.from, bound.to);
            (chains.root(bound.from), chains.root(bound.to), room)
        })
        .collect();
    if can_be_kept(network.nodes(), &arcs) {
        broken.push(Violation::ConflictKept);
    }
}

/// The sum in which the longest durations count against us. A saturated count proves nothing.
fn sum(conflict: &Conflict, broken: &mut Vec<Violation>) {
    let signed = |member: &Member| {
        let term = i128::from(member.bound_us) * i128::from(member.count);
        match member.kind {
            MemberKind::ContingentUpper => -term,
            _ => term,
        }
    };
    let sum: i128 = conflict.members.iter().map(signed).sum();
    let sure = conflict.members.iter().all(|one| one.count < u32::MAX);
    if sum >= 0 && sure {
        broken.push(Violation::ConflictSum {
            sum_us: Micros::try_from(sum).unwrap_or(Micros::MAX),
        });
    }
}

/// With nothing but the requirements and contingent links that are named, times can still not be
/// chosen by what was seen. Events of Nature at the end of other links are taken for ours.
fn seen(network: &Network, conflict: &Conflict, broken: &mut Vec<Violation>) {
    let (mut arcs, mut named): (Vec<Arc>, Vec<usize>) = (Vec::new(), Vec::new());
    for source in conflict.members.iter().flat_map(|member| &member.sources) {
        match *source {
            Source::ContingentLower(at) | Source::ContingentUpper(at) => named.push(at),
            source => arcs.extend(bound(network, source).map(|b| (b.from, b.to, b.weight_us))),
        }
    }
    named.sort_unstable();
    named.dedup();
    let mut links: Vec<_> = named.iter().map(|at| network.contingent()[*at]).collect();
    // Only nodes that something is said about.
    let ends = arcs.iter().map(|(from, to, _)| [*from, *to]);
    let ends = ends.chain(links.iter().map(|link| [link.from, link.to]));
    let mut nodes: Vec<Node> = ends.flatten().collect();
    nodes.sort_unstable();
    nodes.dedup();
    let renamed = |node: &mut Node| {
        *node = nodes.binary_search(node).expect("every node was collected");
    };
    for (from, to, _) in &mut arcs {
        [from, to].into_iter().for_each(renamed);
    }
    for link in &mut links {
        [&mut link.from, &mut link.to].into_iter().for_each(renamed);
    }
    if is_controllable(nodes.len(), &arcs, &links, &mut { WORK_MAX }) == Some(true) {
        broken.push(Violation::ConflictKept);
    }
}

/// Whether times and behaviour are of one piece and break a bound.
pub(super) fn candidate(network: &Network, conflict: &Conflict) -> Option<Violation> {
    let (schedule, behaviour) = conflict.candidate.as_ref()?;
    let wrong = |what| Some(Violation::CandidateWrong { what });
    let nodes = network.nodes();
    if behaviour.len() != nodes || schedule.times_us.len() != nodes {
        return wrong("does not have one time for each node");
    }
    let ours = |node| matches!(network.owner(node), None | Some(Owner::Controllable));
    let agrees = |node: Node| schedule.times_us[node] == ours(node).then_some(behaviour[node]);
    if behaviour[ORIGIN] != 0 || !(0..nodes).all(agrees) {
        return wrong("does not go with its times");
    }
    let breaks = network.bounds().any(|bound| {
        let apart = behaviour[bound.to].saturating_sub(behaviour[bound.from]);
        apart > bound.weight_us
    });
    if breaks {
        return None;
    }
    wrong("breaks no bound")
}
