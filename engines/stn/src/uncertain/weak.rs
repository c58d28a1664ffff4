//! Weak controllability: can all requirements be satisfied if all durations are known in advance?

use super::biconnected::biconnected_components;
use super::conflict::{Bound, Conflict, Verdict};
use super::consistent::consistent;
use super::dynamic::dynamic;
use super::network::Stnu;
use crate::Time;

/// Whether there is a schedule of our own events for each choice of durations.
///
/// The proof of a failure is such a choice, one duration for each contingent link, each the
/// link's shortest or longest: projected to it, the network is not [`consistent`].
///
/// Source: Vidal and Fargier 1999 (see the [module](super)): the durations that leave a schedule
/// are a convex set, so it is enough to look at the corners of the box of all durations. The
/// question is co-NP-complete; k links have 2^k corners. Two techniques reduce their number.
/// Biconnected components are decided separately. And a part of the box, where some durations are
/// chosen, is finished when it is dynamically controllable, since that is stronger, or when it is
/// not even consistent with Nature's help; otherwise a link in its conflict is chosen next. After
/// `parts_max` parts the answer is [`Verdict::Stopped`], as when `go_on` returns false.
pub fn weak(
    network: &Stnu,
    parts_max: u64,
    go_on: &mut dyn FnMut() -> bool,
) -> Verdict<(), Vec<Time>> {
    let mut search = BranchAndBound {
        parts_left: parts_max,
        go_on,
    };
    for (links, block) in split(network) {
        match search.decide(&block) {
            Verdict::Holds(()) => {}
            Verdict::Stopped => return Verdict::Stopped,
            Verdict::Fails(chosen) => {
                // What happens elsewhere does not matter.
                let all = network.contingents().iter();
                let mut durations: Vec<Time> = all.map(|link| link.lower).collect();
                for (link, duration) in links.iter().zip(chosen) {
                    durations[*link] = duration;
                }
                return Verdict::Fails(durations);
            }
        }
    }
    Verdict::Holds(())
}

/// The parts of `network` that no cycle connects, each with which contingent links it has.
fn split(network: &Stnu) -> Vec<(Vec<usize>, Stnu)> {
    let requirements = network
        .requirements()
        .iter()
        .map(|edge| (edge.from, edge.to));
    let contingents = network
        .contingents()
        .iter()
        .map(|link| (link.from, link.to));
    let ends: Vec<(u32, u32)> = requirements.chain(contingents).collect();
    let (block, blocks) = biconnected_components(network.events(), &ends);
    let mut parts = vec![(Vec::new(), Vec::new()); blocks];
    let (of_requirement, of_contingent) = block.split_at(network.requirements().len());
    for (edge, block) in network.requirements().iter().zip(of_requirement) {
        parts[*block].0.push(*edge);
    }
    for (link, block) in of_contingent.iter().enumerate() {
        parts[*block].1.push(link);
    }
    let made = parts.into_iter().map(|(requirements, links)| {
        let part = network.part(requirements, &links);
        (links, part)
    });
    made.collect()
}

/// Branch and bound, within limits.
struct BranchAndBound<'a> {
    parts_left: u64,
    go_on: &'a mut dyn FnMut() -> bool,
}

impl BranchAndBound<'_> {
    fn decide(&mut self, network: &Stnu) -> Verdict<(), Vec<Time>> {
        let links = network.contingents().iter();
        let whole = links.map(|link| (link.lower, link.upper)).collect();
        // Parts of the box that are still to be looked at. Depth first: at most one per link.
        let mut parts: Vec<Vec<(Time, Time)>> = vec![whole];
        while let Some(bounds) = parts.pop() {
            if self.parts_left == 0 {
                return Verdict::Stopped;
            }
            self.parts_left -= 1;
            let part = network.narrowed(&bounds);
            if consistent(&part).fails() {
                return Verdict::Fails(bounds.iter().map(|(lower, _)| *lower).collect());
            }
            let conflict = match dynamic(&part, self.go_on) {
                Verdict::Holds(()) => continue,
                Verdict::Fails(conflict) => conflict,
                Verdict::Stopped => return Verdict::Stopped,
            };
            let (link, early_first) = branch(&part, &conflict);
            let (lower, upper) = bounds[link];
            // The last one pushed is the first one looked at.
            let choices = if early_first {
                [upper, lower]
            } else {
                [lower, upper]
            };
            for choice in choices {
                let mut next = bounds.clone();
                next[link] = (choice, choice);
                parts.push(next);
            }
        }
        Verdict::Holds(())
    }
}

/// The link of a conflict that has most to choose, and whether being early is what clashes.
///
/// There is one: a conflict of links without a choice alone would be a plain negative cycle.
fn branch(part: &Stnu, conflict: &Conflict) -> (usize, bool) {
    let choice = |link: usize| part.contingents()[link].upper - part.contingents()[link].lower;
    let open = conflict.terms.iter().filter_map(|term| match term.bound {
        Bound::Lower(link) => Some((choice(link), link, true)),
        Bound::Upper(link) => Some((choice(link), link, false)),
        Bound::Requirement(_) => None,
    });
    let (choice, link, early) = open
        .max_by_key(|(choice, link, early)| (*choice, std::cmp::Reverse(*link), *early))
        .expect("a plain negative cycle is not consistent");
    debug_assert!(choice > 0, "{conflict:?}");
    (link, early)
}
