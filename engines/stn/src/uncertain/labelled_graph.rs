//! The labelled distance graph in normal form, sorted by where arcs end.

use super::conflict::{Bound, Conflict};
use super::network::Stnu;
use crate::Time;

/// An arc, stored at the node where it ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arc {
    pub(super) weight: Time,
    pub(super) from: u32,
    /// Which arc of the network this is ([`LabelledGraph::origins`]), or beyond those, how it was
    /// derived: the owner of the search knows.
    pub(super) reason: u32,
}

/// Where an arc of the graph comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// A requirement.
    Requirement(u32),
    /// From the start of a contingent link to its middle node.
    Enter(u32),
    /// And back.
    Leave(u32),
    /// Nature may be early: from the middle to the end, weight 0.
    LowerCase(u32),
    /// Nature may be late: from the end to the middle.
    UpperCase(u32),
    /// From start to end of a link without a choice.
    Along(u32),
    /// And back.
    Against(u32),
}

/// The graph. Nodes are the events and, after them, one *middle* for each contingent link that
/// leaves Nature a choice: the event at the end of its shortest duration, which belongs to us.
///
/// Morris 2014, section 3, calls this the normal form: contingent links have lower bound 0, and
/// exactly one upper-case arc ends at each middle.
#[derive(Debug)]
pub(super) struct LabelledGraph {
    /// Arcs of weight 0 or more by the node where they end, lower-case arcs among them.
    pub(super) forward: Vec<Vec<Arc>>,
    /// Arcs of negative weight by the node where they end; at middles the upper-case arc alone.
    pub(super) backward: Vec<Vec<Arc>>,
    pub(super) origins: Vec<Origin>,
    /// For each middle, from the first on, its contingent link.
    pub(super) middles: Vec<u32>,
    pub(super) events: usize,
}

impl LabelledGraph {
    pub(super) fn new(network: &Stnu) -> LabelledGraph {
        let links = (0_u32..).zip(network.contingents());
        let open = |(_, link): &(u32, &super::Contingent)| link.lower < link.upper;
        let middles: Vec<u32> = links.clone().filter(open).map(|(index, _)| index).collect();
        let events = network.events();
        let nodes = events + middles.len();
        let mut graph = LabelledGraph {
            forward: vec![Vec::new(); nodes],
            backward: vec![Vec::new(); nodes],
            origins: Vec::new(),
            middles,
            events,
        };
        for (index, edge) in (0_u32..).zip(network.requirements()) {
            graph.add(edge.from, edge.to, edge.weight, Origin::Requirement(index));
        }
        for (index, link) in links.filter(|(_, link)| link.lower == link.upper) {
            graph.add(link.from, link.to, link.lower, Origin::Along(index));
            graph.add(link.to, link.from, -link.upper, Origin::Against(index));
        }
        for (middle, index) in (events..).zip(graph.middles.clone()) {
            let link = &network.contingents()[index as usize];
            let middle = u32::try_from(middle).expect("at most twice EVENTS_MAX nodes");
            graph.add(link.from, middle, link.lower, Origin::Enter(index));
            graph.add(middle, link.from, -link.lower, Origin::Leave(index));
            graph.add(middle, link.to, 0, Origin::LowerCase(index));
            let choice = link.upper - link.lower;
            graph.add(link.to, middle, -choice, Origin::UpperCase(index));
        }
        graph
    }

    pub(super) fn nodes(&self) -> usize {
        self.forward.len()
    }

    /// The contingent link whose middle `node` is.
    pub(super) fn link_of(&self, node: usize) -> Option<u32> {
        let middle = node.checked_sub(self.events)?;
        Some(self.middles[middle])
    }

    /// Whether `reason` is the lower-case arc of contingent link `link`.
    pub(super) fn is_lower_case(&self, reason: u32, link: u32) -> bool {
        self.origins.get(reason as usize) == Some(&Origin::LowerCase(link))
    }

    /// The conflict that goes through the arc `reason` of the network `counts[reason]` times.
    ///
    /// A middle is entered at the cost of the lower bound and left for its refund, so that what
    /// remains is a lower bound for each lower-case arc and an upper one for each upper-case arc.
    pub(super) fn conflict(&self, network: &Stnu, counts: &[i64], value: Time) -> Conflict {
        let mut terms = Vec::new();
        for (origin, count) in self.origins.iter().zip(counts) {
            let count = *count;
            if count == 0 {
                continue;
            }
            match *origin {
                Origin::Requirement(index) => {
                    terms.push((Bound::Requirement(index as usize), count));
                }
                Origin::LowerCase(link) | Origin::Along(link) => {
                    terms.push((Bound::Lower(link as usize), count));
                }
                Origin::UpperCase(link) | Origin::Against(link) => {
                    terms.push((Bound::Upper(link as usize), -count));
                }
                Origin::Enter(_) | Origin::Leave(_) => {}
            }
        }
        Conflict::new(network, terms, value)
    }

    fn add(&mut self, from: u32, to: u32, weight: Time, origin: Origin) {
        let reason = u32::try_from(self.origins.len()).expect("limits of the network");
        self.origins.push(origin);
        let side = if weight < 0 {
            &mut self.backward
        } else {
            &mut self.forward
        };
        side[to as usize].push(Arc {
            weight,
            from,
            reason,
        });
    }
}
