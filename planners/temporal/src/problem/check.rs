//! Validation of a network: one function for each group of rules, linear in its size.

use super::{
    CONTINGENT_MAX, Contingent, DURATIONS_MAX_US, EVENTS_MAX, LINKS_MAX, Link, Micros, Node,
    ORIGIN, Owner, Spec, TIME_MAX_US,
};
use crate::errors::{LinkIndex, Missing, NetworkError};

/// All validation errors. Sizes come first: when one is too large nothing else is checked. Bounds
/// are compared and not negated, and added only within their limits: nothing overflows.
pub(super) fn errors(spec: &Spec) -> Vec<NetworkError> {
    let mut wrong = Vec::new();
    sizes(spec, &mut wrong);
    if !wrong.is_empty() {
        return wrong;
    }
    if spec.owners.is_empty() {
        wrong.push(NetworkError::NoEvents);
    }
    horizon(spec, &mut wrong);
    for (index, link) in spec.links.iter().enumerate() {
        requirement(spec, index, link, &mut wrong);
    }
    for (index, link) in spec.contingent.iter().enumerate() {
        contingent(spec, index, link, &mut wrong);
    }
    durations(spec, &mut wrong);
    natures(spec, &mut wrong);
    mixed(spec, &mut wrong);
    windows(spec, &mut wrong);
    wrong
}

fn sizes(spec: &Spec, wrong: &mut Vec<NetworkError>) {
    let given = spec.owners.len();
    if given > EVENTS_MAX {
        wrong.push(NetworkError::TooManyEvents { given });
    }
    let given = spec.links.len();
    if given > LINKS_MAX {
        wrong.push(NetworkError::TooManyLinks { given });
    }
    let given = spec.contingent.len();
    if given > CONTINGENT_MAX {
        wrong.push(NetworkError::TooManyContingent { given });
    }
}

fn horizon(spec: &Spec, wrong: &mut Vec<NetworkError>) {
    if let Some(given_us) = spec.horizon_us
        && !(0..=TIME_MAX_US).contains(&given_us)
    {
        wrong.push(NetworkError::HorizonOutOfRange { given_us });
    }
}

fn requirement(spec: &Spec, index: usize, link: &Link, wrong: &mut Vec<NetworkError>) {
    let which = LinkIndex::Link(index);
    ends(spec, which, link.from, link.to, wrong);
    if link.lower_us.is_none() && link.upper_us.is_none() {
        wrong.push(NetworkError::Unbounded { link: index });
    }
    range(which, link.lower_us, link.upper_us, wrong);
}

fn contingent(spec: &Spec, index: usize, link: &Contingent, wrong: &mut Vec<NetworkError>) {
    let which = LinkIndex::Contingent(index);
    ends(spec, which, link.from, link.to, wrong);
    range(which, Some(link.lower_us), Some(link.upper_us), wrong);
    if link.lower_us < 0 {
        wrong.push(NetworkError::NegativeDuration {
            contingent: index,
            lower_us: link.lower_us,
        });
    }
    if exists(spec, link.to) && !is_natures(spec, link.to) {
        wrong.push(NetworkError::NotNatures {
            contingent: index,
            node: link.to,
        });
    }
}

/// All longest durations together: the first link at which they are too long, if each one is in
/// range.
fn durations(spec: &Spec, wrong: &mut Vec<NetworkError>) {
    let mut sum_us: Micros = 0;
    for (contingent, link) in spec.contingent.iter().enumerate() {
        // At most CONTINGENT_MAX links within TIME_MAX_US: far from overflow.
        sum_us += link.upper_us.clamp(0, TIME_MAX_US);
        if sum_us > DURATIONS_MAX_US {
            wrong.push(NetworkError::DurationsTooLong { contingent, sum_us });
            return;
        }
    }
}

/// Both ends exist and differ.
fn ends(spec: &Spec, which: LinkIndex, from: Node, to: Node, wrong: &mut Vec<NetworkError>) {
    let nodes = spec.owners.len() + 1;
    for node in [from, to] {
        if !exists(spec, node) {
            wrong.push(NetworkError::UnknownNode { which, node, nodes });
        }
    }
    if from == to {
        wrong.push(NetworkError::SelfLoop { which, node: from });
    }
}

/// Both bounds are in range and in order.
fn range(
    which: LinkIndex,
    lower: Option<Micros>,
    upper: Option<Micros>,
    wrong: &mut Vec<NetworkError>,
) {
    for given_us in [lower, upper].into_iter().flatten() {
        if !(-TIME_MAX_US..=TIME_MAX_US).contains(&given_us) {
            wrong.push(NetworkError::BoundOutOfRange { which, given_us });
        }
    }
    if let (Some(lower_us), Some(upper_us)) = (lower, upper)
        && lower_us > upper_us
    {
        wrong.push(NetworkError::Reversed {
            which,
            lower_us,
            upper_us,
        });
    }
}

/// Each event of Nature ends exactly one contingent link, and no event waits for itself.
fn natures(spec: &Spec, wrong: &mut Vec<NetworkError>) {
    let nodes = spec.owners.len() + 1;
    // The first contingent link into each node.
    let mut into: Vec<Option<usize>> = vec![None; nodes];
    for (second, link) in spec.contingent.iter().enumerate() {
        match into.get_mut(link.to) {
            Some(Some(first)) => wrong.push(NetworkError::TwoContingent {
                first: *first,
                second,
                node: link.to,
            }),
            Some(empty) => *empty = Some(second),
            None => {}
        }
    }
    for (node, link) in into.iter().enumerate() {
        if is_natures(spec, node) && link.is_none() {
            wrong.push(NetworkError::NoContingent { node });
        }
    }
    cycles(spec, &into, wrong);
}

/// One error for each cycle, at the first of its links that the walk meets. A link from a node to
/// itself is another mistake.
fn cycles(spec: &Spec, into: &[Option<usize>], wrong: &mut Vec<NetworkError>) {
    // In which walk a node was met; every node is left at most once over all walks.
    let mut met = vec![0; into.len()];
    for start in 0..into.len() {
        let mut node = start;
        while met[node] == 0 {
            met[node] = start + 1;
            let Some(index) = into[node] else { break };
            let from = spec.contingent[index].from;
            if !exists(spec, from) || from == node {
                break;
            }
            if met[from] == start + 1 {
                wrong.push(NetworkError::ContingentCycle { contingent: index });
                break;
            }
            node = from;
        }
    }
}

fn mixed(spec: &Spec, wrong: &mut Vec<NetworkError>) {
    let first = |owner| spec.owners.iter().position(|one| *one == owner);
    if let (Some(teammate), Some(nature)) = (first(Owner::Uncontrollable), first(Owner::Nature)) {
        wrong.push(NetworkError::TeammatesAndNature {
            teammate: teammate + 1,
            nature: nature + 1,
        });
    }
}

/// With teammates each event needs a finite earliest and latest time: a path of bounds to and from
/// the origin. A horizon, even one that is out of range, gives both.
fn windows(spec: &Spec, wrong: &mut Vec<NetworkError>) {
    if spec.horizon_us.is_some() || !spec.owners.contains(&Owner::Uncontrollable) {
        return;
    }
    let bounds = bounds(spec);
    let back: Vec<_> = bounds.iter().map(|(from, to)| (*to, *from)).collect();
    let latest = reached(spec.owners.len() + 1, &bounds);
    let earliest = reached(spec.owners.len() + 1, &back);
    for node in 1..=spec.owners.len() {
        for (has, missing) in [(&earliest, Missing::Earliest), (&latest, Missing::Latest)] {
            if !has[node] {
                wrong.push(NetworkError::NoWindow { node, missing });
            }
        }
    }
}

/// From and to of every bound between nodes that exist.
fn bounds(spec: &Spec) -> Vec<(Node, Node)> {
    let links = spec.links.iter().flat_map(|link| {
        let upper = link.upper_us.map(|_| (link.from, link.to));
        let lower = link.lower_us.map(|_| (link.to, link.from));
        [upper, lower].into_iter().flatten()
    });
    let contingent = spec.contingent.iter();
    let contingent = contingent.flat_map(|link| [(link.from, link.to), (link.to, link.from)]);
    let known = |(from, to): &(Node, Node)| exists(spec, *from) && exists(spec, *to);
    links.chain(contingent).filter(known).collect()
}

/// The nodes to which edges lead from the origin.
fn reached(nodes: usize, edges: &[(Node, Node)]) -> Vec<bool> {
    let mut start = vec![0; nodes + 1];
    for (from, _) in edges {
        start[from + 1] += 1;
    }
    for node in 0..nodes {
        start[node + 1] += start[node];
    }
    let mut ends = vec![ORIGIN; edges.len()];
    let mut next = start.clone();
    for (from, to) in edges {
        ends[next[*from]] = *to;
        next[*from] += 1;
    }
    let mut seen = vec![false; nodes];
    seen[ORIGIN] = true;
    let mut open = vec![ORIGIN];
    while let Some(node) = open.pop() {
        for to in &ends[start[node]..start[node + 1]] {
            if !seen[*to] {
                seen[*to] = true;
                open.push(*to);
            }
        }
    }
    seen
}

fn exists(spec: &Spec, node: Node) -> bool {
    node <= spec.owners.len()
}

fn is_natures(spec: &Spec, node: Node) -> bool {
    let owner = node.checked_sub(1).and_then(|event| spec.owners.get(event));
    owner == Some(&Owner::Nature)
}
