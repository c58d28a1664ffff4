//! Check of conflicts: members are rules of the network, and cannot all be satisfied.

use super::closure::Closure;
use super::disjunctive::{Answer, Disjunction, WORK_MAX, search};
use super::is_satisfiable;
use super::nature::{Chains, is_requirement};
use crate::plan::{Conflict, Member, MemberKind};
use crate::problem::{Bound, Micros, Network, Node, ORIGIN, Owner, Source};
use anytime::{Fault, Path, Pulse, Stop, fault, time};
use std::collections::BTreeMap;
use stn::Difference;
use stn::check::{self, ContingentLink, controllable};

/// The question that a conflict answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// Bounds that contradict each other, with all events at our choice.
    Consistency,
    /// Strong controllability against teammates.
    StrongTeammates,
    /// Strong controllability against Nature.
    StrongNature,
    /// Dynamic controllability against Nature.
    Dynamic,
}

/// All false claims about members.
///
/// # Errors
/// When stopped.
pub(super) fn check_members(
    network: &Network,
    question: Question,
    conflict: &Conflict,
    pulse: &Pulse,
) -> Result<Vec<Fault>, Stop> {
    let closure = match question {
        Question::StrongTeammates => Closure::new(network, pulse)?,
        _ => None,
    };
    let conflict_at = Path::root("conflict");
    let members_at = conflict_at.field("members");
    let mut broken = Vec::new();
    for (index, member) in conflict.members.iter().enumerate() {
        let at = members_at.index(index);
        if !fits(question, member) {
            broken.push(fault!("MEMBER_KIND", at, "is not of a kind that fits"));
        }
        broken.extend(check_sources(network, member, &at));
        if is_obligation(member) && !is_owed(closure.as_ref(), member) {
            let fault = fault!("MEMBER_OBLIGATION", at, "is no obligation of this network");
            broken.push(fault);
        }
    }
    if broken.is_empty() {
        match question {
            Question::Consistency | Question::StrongTeammates => {
                broken =
                    check_satisfiable(network, closure.as_ref(), conflict, &members_at, pulse)?;
            }
            Question::StrongNature => check_strong_nature(network, conflict, &mut broken),
            Question::Dynamic => {
                check_sum(conflict, &mut broken);
                check_dynamic(network, conflict, &mut broken, pulse)?;
            }
        }
    }
    Ok(broken)
}

/// The members of a conflict can all be satisfied.
fn satisfiable() -> Fault {
    let conflict = Path::root("conflict");
    fault!(
        "CONFLICT_KEPT",
        conflict.field("members"),
        "can all be satisfied"
    )
}

fn is_obligation(member: &Member) -> bool {
    matches!(
        member.kind,
        MemberKind::LateEnough | MemberKind::EarlyEnough
    )
}

/// Whether a kind of rule can answer the question. Against Nature a rule may count more often.
fn fits(question: Question, member: &Member) -> bool {
    match question {
        Question::Consistency => member.kind == MemberKind::Bound && member.count > 0,
        Question::StrongTeammates => {
            (member.kind == MemberKind::Bound || is_obligation(member)) && member.count > 0
        }
        Question::StrongNature | Question::Dynamic => !is_obligation(member) && member.count > 0,
    }
}

/// Whether the sources lead from one node to the other, and add up to the bound. What Nature may
/// take is one bound, in its own words.
fn check_sources(network: &Network, member: &Member, at: &Path<'_>) -> Option<Fault> {
    let wrong = || {
        let fault = fault!("MEMBER_CHAIN", at, "has sources that lead elsewhere");
        Some(fault)
    };
    let (from, to, sign) = match member.kind {
        MemberKind::Bound | MemberKind::EarlyEnough | MemberKind::ContingentUpper => {
            (member.from, member.to, 1)
        }
        MemberKind::LateEnough => (member.to, member.from, 1),
        MemberKind::ContingentLower => (member.to, member.from, -1),
    };
    let mut reached = from;
    let mut found_us: Micros = 0;
    for source in &member.sources {
        match network.bound(*source) {
            Some(bound) if bound.from == reached => {
                reached = bound.to;
                found_us = found_us.saturating_add(bound.weight_us);
            }
            _ => return wrong(),
        }
    }
    let durations = matches!(
        member.kind,
        MemberKind::ContingentLower | MemberKind::ContingentUpper
    );
    let one = member.sources.len() == 1 && member.sources.iter().all(|one| !is_requirement(*one));
    if reached != to || member.sources.is_empty() || durations && !one {
        return wrong();
    }
    let found_us = found_us.saturating_mul(sign);
    (found_us != member.bound_us).then(|| {
        let (given, found) = (time(member.bound_us), time(found_us));
        fault!(
            "MEMBER_BOUND",
            at,
            "is {}, but its sources give {}",
            given,
            found
        )
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
                closure.precedes(teammate, node) && member.bound_us == closure.bound(node, teammate)
            }
            _ => {
                !closure.precedes(node, teammate)
                    && member.bound_us == closure.bound(teammate, node)
            }
        }
}

/// No times satisfy all members; without any one of them some do, where that is claimed.
fn check_satisfiable(
    network: &Network,
    closure: Option<&Closure>,
    conflict: &Conflict,
    members_at: &Path<'_>,
    pulse: &Pulse,
) -> Result<Vec<Fault>, Stop> {
    let mut broken = Vec::new();
    let mut work = WORK_MAX;
    let mut without = |left_out: Option<usize>| {
        let members = conflict.members.iter().enumerate();
        let members = members.filter(|(index, _)| Some(*index) != left_out);
        let members: Vec<_> = members.map(|(_, member)| member).collect();
        let (bounds, disjunctions) = rules(closure, &members);
        if disjunctions.is_empty() {
            let satisfiable = is_satisfiable(network.nodes(), &bounds);
            return if satisfiable {
                Answer::Satisfiable
            } else {
                Answer::Unsatisfiable
            };
        }
        search(&bounds, &disjunctions, &mut work)
    };
    if without(None) == Answer::Satisfiable {
        broken.push(satisfiable());
    } else if conflict.minimal {
        for member in 0..conflict.members.len() {
            pulse.check()?;
            if without(Some(member)) == Answer::Unsatisfiable {
                let at = members_at.index(member);
                broken.push(fault!("MEMBER_NEEDLESS", at, "is not needed"));
            }
        }
    }
    Ok(broken)
}

/// Differences, and disjunctions with all their alternatives.
///
/// After the reduction of equations 2 to 6 to our own nodes x. For a teammate's node i that
/// precedes our j: x_k - x_j <= c(j, i) - c(k, i) for some k that precedes i or is unordered with
/// it. For i that precedes j or is unordered with it: x_j - x_k <= c(i, j) - c(i, k) for some k
/// that precedes i. One k serves all targets of the same end of the same i.
fn rules(closure: Option<&Closure>, members: &[&Member]) -> (Vec<Difference>, Vec<Disjunction>) {
    let mut bounds = Vec::new();
    let mut targets: BTreeMap<(Node, MemberKind), Vec<Node>> = BTreeMap::new();
    for member in members {
        match member.kind {
            MemberKind::LateEnough | MemberKind::EarlyEnough => {
                let end = targets.entry((member.from, member.kind)).or_default();
                end.push(member.to);
            }
            _ => bounds.push(Difference::new(member.from, member.to, member.bound_us)),
        }
    }
    let disjunctions = closure.map(|closure| {
        let ends = targets.iter();
        ends.map(|((teammate, kind), targets)| disjunction(closure, *teammate, *kind, targets))
            .collect()
    });
    (bounds, disjunctions.unwrap_or_default())
}

fn disjunction(closure: &Closure, i: Node, kind: MemberKind, targets: &[Node]) -> Disjunction {
    let late = kind == MemberKind::LateEnough;
    let sets = |k: &Node| {
        closure.is_ours(*k) && (closure.precedes(*k, i) || late && !closure.precedes(i, *k))
    };
    let alternative = |k: Node| {
        let difference = |&j: &Node| {
            let (from, to, weight) = if late {
                (j, k, closure.bound(j, i) - closure.bound(k, i))
            } else {
                (k, j, closure.bound(i, j) - closure.bound(i, k))
            };
            Difference { from, to, weight }
        };
        targets.iter().map(difference).collect()
    };
    (0..closure.nodes()).filter(sets).map(alternative).collect()
}

/// The worst cases of the requirements among the members bind the nodes from which chains of
/// contingent links start; these bounds contradict each other.
fn check_strong_nature(network: &Network, conflict: &Conflict, broken: &mut Vec<Fault>) {
    let chains = Chains::new(network);
    let sources = conflict.members.iter().flat_map(|member| &member.sources);
    let bounds: Vec<Difference> = sources
        .filter(|source| is_requirement(**source))
        .filter_map(|source| network.bound(*source))
        .map(|bound| {
            let room = bound.weight_us - chains.largest_difference(network, bound.from, bound.to);
            let worst = Difference {
                weight: room,
                ..bound.difference()
            };
            worst.renamed(|node| chains.root(node))
        })
        .collect();
    if is_satisfiable(network.nodes(), &bounds) {
        broken.push(satisfiable());
    }
}

/// The sum in which the longest durations count against us. A saturated count proves nothing.
fn check_sum(conflict: &Conflict, broken: &mut Vec<Fault>) {
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
        let sum = time(sum);
        broken.push(fault!(
            "CONFLICT_SUM",
            Path::root("conflict"),
            "adds up to {}, not below 0",
            sum
        ));
    }
}

/// The network of the requirements and contingent links that are named is not dynamically
/// controllable either. Events of Nature at the end of other links count as ours.
fn check_dynamic(
    network: &Network,
    conflict: &Conflict,
    broken: &mut Vec<Fault>,
    pulse: &Pulse,
) -> Result<(), Stop> {
    let mut all = check::Network {
        nodes: network.nodes(),
        ..check::Network::default()
    };
    let mut named: Vec<usize> = Vec::new();
    for source in conflict.members.iter().flat_map(|member| &member.sources) {
        match *source {
            Source::ContingentLower(at) | Source::ContingentUpper(at) => named.push(at),
            source => all
                .bounds
                .extend(network.bound(source).map(Bound::difference)),
        }
    }
    // Many members may name the same bounds.
    all.bounds.sort_unstable();
    all.bounds.dedup();
    named.sort_unstable();
    named.dedup();
    let link = |contingent: usize| network.contingent()[contingent];
    let durations = named.into_iter().map(|contingent| ContingentLink {
        contingent,
        link: link(contingent),
    });
    all.contingents.extend(durations);
    let (small, _) = check::Network::compact(&[&all]);
    let found = controllable(&small, || pulse.beats());
    pulse.check()?;
    if found.is_ok() {
        broken.push(satisfiable());
    }
    Ok(())
}

/// Whether times and behaviour agree, and violate a bound.
pub(super) fn check_candidate(network: &Network, conflict: &Conflict) -> Option<Fault> {
    let (schedule, behaviour) = conflict.candidate.as_ref()?;
    let wrong = |what: &str| {
        let conflict = Path::root("conflict");
        let at = conflict.field("behavior");
        Some(fault!(
            "CANDIDATE_WRONG",
            at,
            "next to the candidate {}",
            what
        ))
    };
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
        let difference = behaviour[bound.to].saturating_sub(behaviour[bound.from]);
        difference > bound.weight_us
    });
    if breaks {
        return None;
    }
    wrong("breaks no bound")
}
