//! Check of a dispatchable network: it is executed in a few scenarios.

use super::durations::choices;
use crate::plan::{Dispatch, Wait};
use crate::problem::{Micros, Network, Node, Owner};
use anytime::{Fault, Path, element, fault, time};

/// Later than any time that a network can demand.
const LATE_US: Micros = 1 << 60;

/// Invalid entries; else the first fault in a run, if there is one.
///
/// A run is O(events^2 + entries).
pub(super) fn broken(network: &Network, dispatch: &Dispatch) -> Vec<Fault> {
    let wrong = entries(network, dispatch);
    if !wrong.is_empty() {
        return wrong;
    }
    let rules = Rules::new(network, dispatch);
    for durations in choices(network) {
        for late in [false, true] {
            let run = Run::new(network, &rules, &durations);
            if let Some(fault) = run.run(late) {
                return vec![fault];
            }
        }
    }
    Vec::new()
}

fn entries(network: &Network, dispatch: &Dispatch) -> Vec<Fault> {
    let nodes = network.nodes();
    let sensible = |time: Micros| (-LATE_US..=LATE_US).contains(&time);
    let bound = |&(from, to, bound): &(Node, Node, Micros)| {
        from < nodes && to < nodes && from != to && sensible(bound)
    };
    let ours = |node: Node| node < nodes && network.owner(node) != Some(Owner::Nature);
    let links = network.contingent();
    let wait = |wait: &Wait| {
        let link = links
            .iter()
            .any(|link| (link.from, link.to) == (wait.from, wait.until));
        ours(wait.node) && link && (1..=LATE_US).contains(&wait.duration_us)
    };
    let bounds = dispatch.bounds.iter().map(bound).enumerate();
    let waits = dispatch.waits.iter().map(wait).enumerate();
    let bounds = bounds.map(|entry| ("bounds", entry));
    let entries = bounds.chain(waits.map(|entry| ("waits", entry)));
    let wrong = entries.filter(|(_, (_, fine))| !fine);
    wrong
        .map(|(list, (entry, _))| {
            let at = Path::root("dispatch");
            let list = at.field(list);
            fault!(
                "DISPATCH_NODE",
                list.index(entry),
                "names nodes that cannot have it"
            )
        })
        .collect()
}

/// A dispatch by node.
struct Rules<'a> {
    /// Bounds from each node: to where, and how far.
    from: Vec<Vec<(Node, Micros)>>,
    /// Bounds to each node: from where, and how far.
    to: Vec<Vec<(Node, Micros)>>,
    /// Waits of each node.
    waits: Vec<Vec<&'a Wait>>,
    /// Whether a bound of 0 to each node makes events of ours wait until it is observed.
    observed: Vec<bool>,
}

impl<'a> Rules<'a> {
    fn new(network: &Network, dispatch: &'a Dispatch) -> Self {
        let nodes = network.nodes();
        let mut rules = Self {
            from: vec![Vec::new(); nodes],
            to: vec![Vec::new(); nodes],
            waits: vec![Vec::new(); nodes],
            observed: observed(network),
        };
        for &(from, to, bound) in &dispatch.bounds {
            rules.from[from].push((to, bound));
            rules.to[to].push((from, bound));
        }
        for wait in &dispatch.waits {
            rules.waits[wait.node].push(wait);
        }
        rules
    }

    /// Whether one node waits until another has happened, if a bound leads there.
    fn waits_for(&self, to: Node, bound: Micros) -> bool {
        bound < 0 || (bound == 0 && self.observed[to])
    }
}

/// Nature's nodes, without ends of links that take no time from nodes of ours.
fn observed(network: &Network) -> Vec<bool> {
    let nature = |node: Node| network.owner(node) == Some(Owner::Nature);
    let mut observed: Vec<bool> = (0..network.nodes()).map(nature).collect();
    let instant = || {
        network
            .contingent()
            .iter()
            .filter(|link| link.upper_us == 0)
    };
    while let Some(link) = instant().find(|link| observed[link.to] && !observed[link.from]) {
        observed[link.to] = false;
    }
    observed
}

struct Run<'a> {
    network: &'a Network,
    rules: &'a Rules<'a>,
    durations: &'a [Micros],
    happened: Vec<Option<Micros>>,
    /// How many nodes must happen before each.
    before: Vec<usize>,
    earliest: Vec<Micros>,
    latest: Vec<Micros>,
    now: Micros,
}

impl<'a> Run<'a> {
    fn new(network: &'a Network, rules: &'a Rules<'a>, durations: &'a [Micros]) -> Self {
        let nodes = network.nodes();
        let before = |from: &Vec<(Node, Micros)>| {
            let from = from
                .iter()
                .filter(|(to, bound)| rules.waits_for(*to, *bound));
            from.count()
        };
        Self {
            network,
            rules,
            durations,
            happened: vec![None; nodes],
            before: rules.from.iter().map(before).collect(),
            earliest: vec![0; nodes],
            latest: vec![LATE_US; nodes],
            now: 0,
        }
    }

    /// Executes the network, as early as possible or as late: the first fault.
    fn run(mut self, late: bool) -> Option<Fault> {
        while let Some(pending) = self.happened.iter().position(Option::is_none) {
            let nature = self.nature();
            let deadline = self.deadline();
            let ours = self.ours(if late { deadline.0 } else { self.now });
            let (time, node) = match (nature, ours) {
                (Some(nature), Some(ours)) if nature.0 <= ours.0 => nature,
                (_, Some(ours)) => ours,
                (Some(nature), None) => nature,
                (None, None) => return Some(self.breaks(pending)),
            };
            self.now = self.now.max(time);
            if self.now > deadline.0 || self.now >= LATE_US {
                return Some(self.breaks(deadline.1));
            }
            self.execute(node);
        }
        let at = |node: Node| self.happened[node].unwrap_or(LATE_US);
        let mut bounds = self.network.bounds();
        let late = bounds.find(|bound| at(bound.to) - at(bound.from) > bound.weight_us);
        late.map(|bound| self.breaks(bound.to))
    }

    fn breaks(&self, node: Node) -> Fault {
        fault!(
            "DISPATCH_BROKEN",
            Path::root("dispatch"),
            "breaks down at {}, at {}, for some durations",
            element("node", node),
            time(self.now)
        )
    }

    /// Nature's next event and its time.
    fn nature(&self) -> Option<(Micros, Node)> {
        let links = self.network.contingent().iter().zip(self.durations);
        let open = links.filter(|(link, _)| self.happened[link.to].is_none());
        let due = open.filter_map(|(link, duration)| {
            let start = self.happened[link.from]?;
            Some((start + duration, link.to))
        });
        due.min()
    }

    fn is_ours(&self, node: Node) -> bool {
        self.network.owner(node) != Some(Owner::Nature)
    }

    fn pending(&self) -> impl Iterator<Item = Node> + '_ {
        let nodes = 0..self.happened.len();
        nodes.filter(|node| self.is_ours(*node) && self.happened[*node].is_none())
    }

    /// Our next deadline, and its event.
    fn deadline(&self) -> (Micros, Node) {
        let due = self.pending().map(|node| (self.latest[node], node));
        due.min().unwrap_or((LATE_US, 0))
    }

    /// The event of ours to execute next, not before `wish`; the first due among several.
    fn ours(&self, wish: Micros) -> Option<(Micros, Node)> {
        let wish = if wish >= LATE_US { self.now } else { wish };
        let open = self
            .pending()
            .filter_map(|node| Some((self.enabled_from(node)?.max(wish), node)));
        let first = open.min_by_key(|(time, node)| (*time, self.latest[*node], *node));
        first.map(|(time, node)| (time.max(self.now), node))
    }

    /// The earliest time of a node, if it is enabled.
    fn enabled_from(&self, node: Node) -> Option<Micros> {
        let mut earliest = self.earliest[node];
        for wait in &self.rules.waits[node] {
            if self.happened[wait.until].is_none() {
                earliest = earliest.max(self.happened[wait.from]? + wait.duration_us);
            }
        }
        (self.before[node] == 0).then_some(earliest)
    }

    fn execute(&mut self, node: Node) {
        self.happened[node] = Some(self.now);
        for &(to, bound) in &self.rules.from[node] {
            self.latest[to] = self.latest[to].min(self.now + bound);
        }
        for &(from, bound) in &self.rules.to[node] {
            self.earliest[from] = self.earliest[from].max(self.now - bound);
            self.before[from] -= usize::from(self.rules.waits_for(node, bound));
        }
    }
}
