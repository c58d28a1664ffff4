//! Validation of a network: one function for each group of rules, linear in its size.

use super::{
    CONTINGENT_MAX, Contingent, DURATIONS_MAX_US, EVENTS_MAX, LINKS_MAX, Link, Micros, Node,
    ORIGIN, Owner, Spec, TIME_MAX_US,
};
use anytime::{Argument, Fault, Path, check, element, fault, time};
use petgraph::graph::DiGraph;
use petgraph::visit::Dfs;
use stn::contingent_cycles;

/// All faults. Sizes come first: when one is too large nothing else is checked. Bounds are compared
/// and not negated, and added only within their limits: nothing overflows.
pub(super) fn faults(spec: &Spec) -> Vec<Fault> {
    let mut faults = Vec::new();
    sizes(spec, &mut faults);
    if !faults.is_empty() {
        return faults;
    }
    if spec.owners.is_empty() {
        faults.push(check::required(&Path::root("events")));
    }
    horizon(spec, &mut faults);
    progress(spec, &mut faults);
    let links = Path::root("links");
    for (index, link) in spec.links.iter().enumerate() {
        requirement(spec, link, &links.index(index), &mut faults);
    }
    let links = Path::root("contingent_links");
    for (index, link) in spec.contingent.iter().enumerate() {
        contingent(spec, link, &links.index(index), &mut faults);
    }
    durations(spec, &mut faults);
    natures(spec, &mut faults);
    mixed(spec, &mut faults);
    windows(spec, &mut faults);
    faults
}

fn sizes(spec: &Spec, faults: &mut Vec<Fault>) {
    for (list, given, max) in [
        ("events", spec.owners.len(), EVENTS_MAX),
        ("links", spec.links.len(), LINKS_MAX),
        ("contingent_links", spec.contingent.len(), CONTINGENT_MAX),
    ] {
        faults.extend(check::too_many(&Path::root(list), given, max));
    }
}

fn horizon(spec: &Spec, faults: &mut Vec<Fault>) {
    if let Some(given_us) = spec.horizon_us
        && !(0..=TIME_MAX_US).contains(&given_us)
    {
        faults.push(out_of_range(&Path::root("horizon_offset"), given_us, 0));
    }
}

/// What has happened fits the network. Networks with teammates are not executed.
fn progress(spec: &Spec, faults: &mut Vec<Fault>) {
    let Some(progress) = &spec.progress else {
        return;
    };
    let (at, now_us) = (Path::root("progress"), progress.now_us);
    if !(0..=TIME_MAX_US).contains(&now_us) {
        faults.push(out_of_range(&at, now_us, 0));
    }
    if progress.times_us.len() != spec.owners.len() {
        let why = "has not as many times as there are events";
        faults.push(fault!("WRONG_SIZE", at, "{}", why));
    }
    for (event, time_us) in progress.times_us.iter().enumerate() {
        if time_us.is_some_and(|time_us| !(0..=now_us).contains(&time_us)) {
            let event = node(event + 1);
            faults.push(fault!(
                "OUT_OF_RANGE",
                at,
                "has {} before the origin or after now",
                event
            ));
        }
    }
    if spec.owners.contains(&Owner::Uncontrollable) {
        faults.push(fault!(
            "CONTRADICTION",
            at,
            "is given, but there are teammates"
        ));
    }
}

fn requirement(spec: &Spec, link: &Link, at: &Path<'_>, faults: &mut Vec<Fault>) {
    ends(spec, link.from, link.to, at, faults);
    if link.lower_us.is_none() && link.upper_us.is_none() {
        faults.push(fault!("REQUIRED", at, "needs a lower or an upper bound"));
    }
    range(link.lower_us, link.upper_us, at, faults);
}

fn contingent(spec: &Spec, link: &Contingent, at: &Path<'_>, faults: &mut Vec<Fault>) {
    ends(spec, link.from, link.to, at, faults);
    range(Some(link.lower_us), Some(link.upper_us), at, faults);
    if link.lower_us < 0 {
        faults.push(out_of_range(&at.field("lower"), link.lower_us, 0));
    }
    if exists(spec, link.to) && !is_natures(spec, link.to) {
        let (at, to) = (at.field("to_event_id"), node(link.to));
        let fault = fault!("CONTRADICTION", at, "is {}, which is not Nature's", to);
        faults.push(fault);
    }
}

/// All longest durations together: the first link at which they are too long, if each one is in
/// range.
fn durations(spec: &Spec, faults: &mut Vec<Fault>) {
    let mut sum_us: Micros = 0;
    for (index, link) in spec.contingent.iter().enumerate() {
        // At most CONTINGENT_MAX links within TIME_MAX_US: far from overflow.
        sum_us += link.upper_us.clamp(0, TIME_MAX_US);
        if sum_us > DURATIONS_MAX_US {
            faults.push(fault!(
                "OVERFLOW",
                Path::root("contingent_links").index(index).field("upper"),
                "is too long: until here the longest durations add up to {}, beyond {}",
                time(sum_us),
                time(DURATIONS_MAX_US)
            ));
            return;
        }
    }
}

/// Both ends exist and differ.
fn ends(spec: &Spec, from: Node, to: Node, at: &Path<'_>, faults: &mut Vec<Fault>) {
    for end in [from, to] {
        if !exists(spec, end) {
            let end = node(end);
            faults.push(fault!("UNKNOWN", at, "names {}, which does not exist", end));
        }
    }
    if from == to {
        let (at, from) = (at.field("to_event_id"), node(from));
        let fault = fault!("SELF_LOOP", at, "is {}, where the link begins", from);
        faults.push(fault);
    }
}

/// Both bounds are in range and in order.
fn range(lower: Option<Micros>, upper: Option<Micros>, at: &Path<'_>, faults: &mut Vec<Fault>) {
    for given_us in [lower, upper].into_iter().flatten() {
        if !(-TIME_MAX_US..=TIME_MAX_US).contains(&given_us) {
            faults.push(out_of_range(at, given_us, -TIME_MAX_US));
        }
    }
    if let (Some(lower), Some(upper)) = (lower, upper)
        && lower > upper
    {
        let (at, [lower, upper]) = (at.field("upper"), [lower, upper].map(time));
        let fault = fault!("REVERSED", at, "is {}, below lower bound {}", upper, lower);
        faults.push(fault);
    }
}

/// Each event of Nature ends exactly one contingent link, and no event waits for itself.
fn natures(spec: &Spec, faults: &mut Vec<Fault>) {
    let links = Path::root("contingent_links");
    // The first contingent link into each node.
    let mut into: Vec<Option<usize>> = vec![None; spec.owners.len() + 1];
    for (second, link) in spec.contingent.iter().enumerate() {
        match into.get_mut(link.to) {
            Some(Some(first)) => faults.push(fault!(
                "DUPLICATE",
                links.index(second).field("to_event_id"),
                "is {}, where {} ends already",
                node(link.to),
                element("contingent link", *first)
            )),
            Some(empty) => *empty = Some(second),
            None => {}
        }
    }
    for (node, link) in into.iter().enumerate() {
        if is_natures(spec, node) && link.is_none() {
            faults.push(fault!(
                "CONTRADICTION",
                Path::root("events").index(node - 1),
                "is Nature's, but no contingent link ends there"
            ));
        }
    }
    cycles(spec, &into, faults);
}

/// One fault for each cycle, at the first of its links. A link from a node to itself is another
/// fault.
fn cycles(spec: &Spec, into: &[Option<usize>], faults: &mut Vec<Fault>) {
    let into = |node: Node| *into.get(node)?;
    let from = |link: usize| spec.contingent[link].from;
    let cycles = contingent_cycles(spec.owners.len() + 1, into, from).into_iter();
    let links = Path::root("contingent_links");
    for cycle in cycles.filter(|links| links.len() > 1) {
        let at = links.index(cycle[0]);
        let fault = fault!("CIRCULAR", at, "is part of a cycle of contingent links");
        faults.push(fault);
    }
}

fn mixed(spec: &Spec, faults: &mut Vec<Fault>) {
    let first = |owner| spec.owners.iter().position(|one| *one == owner);
    if let (Some(teammate), Some(nature)) = (first(Owner::Uncontrollable), first(Owner::Nature)) {
        faults.push(fault!(
            "CONTRADICTION",
            Path::root("contingent_links"),
            "make {} an event of Nature, but {} is a teammate's: a network has one kind of \
             uncertainty",
            node(nature + 1),
            node(teammate + 1)
        ));
    }
}

/// With teammates each event needs a finite earliest and latest time: a path of bounds to and from
/// the origin. A horizon, even one that is out of range, gives both.
fn windows(spec: &Spec, faults: &mut Vec<Fault>) {
    if spec.horizon_us.is_some() || !spec.owners.contains(&Owner::Uncontrollable) {
        return;
    }
    let bounds = bounds(spec);
    let back: Vec<_> = bounds.iter().map(|(from, to)| (*to, *from)).collect();
    let (latest, earliest) = (reached(&bounds), reached(&back));
    for event in 0..spec.owners.len() {
        for (has_bound, missing) in [(&earliest, "earliest"), (&latest, "latest")] {
            if !has_bound(event + 1) {
                faults.push(fault!(
                    "UNBOUNDED",
                    Path::root("events").index(event),
                    "has no {} time: link {} to {}, or to an event that has one, or give a \
                     horizon_offset",
                    missing,
                    node(event + 1),
                    node(ORIGIN)
                ));
            }
        }
    }
}

/// A time that is not from `min_us` to the longest time.
fn out_of_range(at: &Path<'_>, given_us: Micros, min_us: Micros) -> Fault {
    let [given, min, max] = [given_us, min_us, TIME_MAX_US].map(time);
    check::out_of_range(at, given, min, max)
}

/// A node as an argument of a fault.
fn node(node: Node) -> Argument {
    element("node", node)
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

/// The nodes to which edges lead from the origin, as a function.
fn reached(edges: &[(Node, Node)]) -> impl Fn(Node) -> bool {
    let mut graph = DiGraph::<(), (), Node>::from_edges(edges);
    // So that the origin is there.
    graph.extend_with_edges([(ORIGIN, ORIGIN)]);
    let mut walk = Dfs::new(&graph, ORIGIN.into());
    while walk.next(&graph).is_some() {}
    move |node| walk.discovered.contains(node)
}

fn exists(spec: &Spec, node: Node) -> bool {
    node <= spec.owners.len()
}

fn is_natures(spec: &Spec, node: Node) -> bool {
    let owner = node.checked_sub(1).and_then(|event| spec.owners.get(event));
    owner == Some(&Owner::Nature)
}
