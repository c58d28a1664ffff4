//! Deciding a network again after some changes.

use super::changed;
use crate::plan::{Change, Conflict, MemberKind};
use crate::problem::{Network, Node, Source};
use crate::solve::decide::{Decided, decide};
use crate::solve::reduce::Reduction;
use crate::solve::search::Pace;
use crate::solve::table::{Graph, Table};

/// Decides a network again.
pub(crate) trait Again {
    /// Whether it holds after some changes, of different bounds. `None` when there is no time to tell.
    fn holds(&mut self, changes: &[Change]) -> Option<bool>;
}

/// Decides a changed network: `None` when there is no time for it.
pub(crate) type Holds<'a> = dyn FnMut(&Network) -> Option<bool> + 'a;

/// Decides each changed network from the beginning.
pub(crate) struct Afresh<'a, 'h> {
    network: &'a Network,
    holds: &'a mut Holds<'h>,
}

impl<'a, 'h> Afresh<'a, 'h> {
    pub(crate) fn new(network: &'a Network, holds: &'a mut Holds<'h>) -> Self {
        Self { network, holds }
    }
}

impl Again for Afresh<'_, '_> {
    fn holds(&mut self, changes: &[Change]) -> Option<bool> {
        changed(self.network, changes).map_or(Some(false), |network| (self.holds)(&network))
    }
}

/// Decides a network with teammates again, from the distances that it had before: first whether what
/// was in conflict still is, and only if not the whole.
pub(crate) struct Together<'a, P> {
    before: &'a Reduction<'a>,
    graph: Graph,
    sources: Vec<Source>,
    /// Teammates' events that have a part in the conflict.
    suspects: Vec<Node>,
    /// Distances without some bounds, by their indices.
    without: (Vec<u32>, Table),
    pace: &'a mut P,
}

impl<'a, P: Pace> Together<'a, P> {
    pub(crate) fn new(before: &'a Reduction<'a>, conflict: &Conflict, pace: &'a mut P) -> Self {
        let owed = conflict.members.iter().filter(|member| {
            matches!(
                member.kind,
                MemberKind::LateEnough | MemberKind::EarlyEnough
            )
        });
        let mut suspects: Vec<Node> = owed.map(|member| member.from).collect();
        suspects.sort_unstable();
        suspects.dedup();
        Self {
            before,
            graph: Graph::new(before.network, &before.table),
            sources: before.network.bounds().map(|bound| bound.source).collect(),
            suspects,
            without: (Vec::new(), before.table.clone()),
            pace,
        }
    }

    /// The distances after the changes; `None` when they contradict each other.
    fn table(&mut self, changes: &[Change]) -> Option<Table> {
        let index = |change: &Change| {
            let at = self.sources.iter().position(|one| *one == change.source);
            let at = at.expect("a change is of a bound of the network");
            u32::try_from(at).expect("links are limited")
        };
        let gone: Vec<u32> = changes.iter().map(index).collect();
        if self.without.0 != gone {
            let mut table = self.before.table.clone();
            for count in 1..=gone.len() {
                table.remove(&self.graph, &gone[..count]);
            }
            self.without = (gone.clone(), table);
        }
        let mut table = self.without.1.clone();
        let fits = gone.iter().zip(changes).all(|(at, change)| {
            let (from, to) = self.graph.ends(*at);
            let weight = match change.source {
                Source::LinkLower(_) | Source::ContingentLower(_) => -change.new_us,
                _ => change.new_us,
            };
            table.add(from, to, weight)
        });
        fits.then_some(table)
    }
}

impl<P: Pace> Again for Together<'_, P> {
    fn holds(&mut self, changes: &[Change]) -> Option<bool> {
        if !self.pace.go_on() {
            return None;
        }
        let network = self.before.network;
        let table = changed(network, changes).and_then(|_| self.table(changes));
        let Some(table) = table else {
            return Some(false);
        };
        let mut reduction = Reduction::closed(network, table);
        for nodes in [self.suspects.clone(), reduction.theirs.clone()] {
            let duties = nodes
                .iter()
                .flat_map(|node| reduction.duties(*node))
                .collect();
            reduction.system.duties = duties;
            match decide(&reduction.system, self.pace) {
                Decided::Holds(_) => {}
                Decided::Fails => return Some(false),
                Decided::Open(_) => return None,
            }
        }
        Some(true)
    }
}
