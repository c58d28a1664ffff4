//! Rechecks: deciding a network again after some changes.

use super::changed;
use crate::plan::{Change, Conflict, MemberKind};
use crate::problem::{Micros, Network, Node, Source};
use crate::solve::decide::{Decided, decide};
use crate::solve::distance_matrix::{DistanceMatrix, Graph};
use crate::solve::explain::failing;
use crate::solve::reduce::Reduction;
use crate::solve::search::Ticker;

/// A decision procedure for changed networks.
pub(crate) trait Recheck {
    /// Whether it holds after some changes, of different bounds. `None`: stopped.
    fn holds(&mut self, changes: &[Change]) -> Option<bool>;

    /// The effect on the last conflict. `None`: stopped.
    fn progress(&mut self, changes: &[Change]) -> Option<Progress> {
        let holds = self.holds(changes)?;
        Some(if holds {
            Progress::Holds
        } else {
            Progress::None
        })
    }

    /// The conflict of the changed network, and the magnitude of its negative cycle if that is
    /// known. From then on [`Recheck::progress`] is about this conflict. `None`: unknown.
    fn conflict(&mut self, _: &[Change]) -> Option<(Conflict, Option<Micros>)> {
        None
    }
}

/// The effect of changed bounds on a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The conflict stays, or another of the same teammates' events takes its place.
    None,
    /// The conflict is resolved, but the network fails all the same.
    Repaired,
    /// The network holds.
    Holds,
}

/// Decides a changed network. `None`: stopped.
pub(crate) type Holds<'a> = dyn FnMut(&Network) -> Option<bool> + 'a;

/// Decides each changed network from scratch.
pub(crate) struct FromScratch<'a, 'h> {
    network: &'a Network,
    holds: &'a mut Holds<'h>,
}

impl<'a, 'h> FromScratch<'a, 'h> {
    pub(crate) fn new(network: &'a Network, holds: &'a mut Holds<'h>) -> Self {
        Self { network, holds }
    }
}

impl Recheck for FromScratch<'_, '_> {
    fn holds(&mut self, changes: &[Change]) -> Option<bool> {
        changed(self.network, changes).map_or(Some(false), |network| (self.holds)(&network))
    }
}

/// Decides a changed network with teammates incrementally, from the distances that it had before:
/// first whether the last conflict persists, and only if not the whole.
pub(crate) struct Incremental<'a, P> {
    before: &'a Reduction<'a>,
    graph: Graph,
    sources: Vec<Source>,
    /// Teammates' events that have a part in the conflict.
    suspects: Vec<Node>,
    /// Distances without some bounds, by their indices.
    without: (Vec<u32>, DistanceMatrix),
    ticker: &'a mut P,
}

impl<'a, P: Ticker> Incremental<'a, P> {
    pub(crate) fn new(before: &'a Reduction<'a>, conflict: &Conflict, ticker: &'a mut P) -> Self {
        Self {
            before,
            graph: Graph::new(before.network, &before.distances),
            sources: before.network.bounds().map(|bound| bound.source).collect(),
            suspects: suspects(conflict),
            without: (Vec::new(), before.distances.clone()),
            ticker,
        }
    }

    /// The distances after the changes; `None` when they contradict each other, or when
    /// stopped, which the ticker reports then.
    fn distances(&mut self, changes: &[Change]) -> Option<DistanceMatrix> {
        let index = |change: &Change| {
            let at = self.sources.iter().position(|one| *one == change.source);
            let at = at.expect("a change is of a bound of the network");
            u32::try_from(at).expect("links are limited")
        };
        let gone: Vec<u32> = changes.iter().map(index).collect();
        if self.without.0 != gone {
            let mut distances = self.before.distances.clone();
            for count in 1..=gone.len() {
                if !self.ticker.go_on() {
                    return None;
                }
                distances.remove(&self.graph, &gone[..count]);
            }
            self.without = (gone.clone(), distances);
        }
        let mut distances = self.without.1.clone();
        let fits = gone.iter().zip(changes).all(|(at, change)| {
            let (from, to) = self.graph.ends(*at);
            let weight = match change.source {
                Source::LinkLower(_) | Source::ContingentLower(_) => -change.new_us,
                _ => change.new_us,
            };
            distances.add(from, to, weight)
        });
        fits.then_some(distances)
    }
}

impl<P: Ticker> Recheck for Incremental<'_, P> {
    fn holds(&mut self, changes: &[Change]) -> Option<bool> {
        let progress = self.progress(changes)?;
        Some(progress == Progress::Holds)
    }

    fn progress(&mut self, changes: &[Change]) -> Option<Progress> {
        if !self.ticker.go_on() {
            return None;
        }
        let network = self.before.network;
        let distances = changed(network, changes).and_then(|_| self.distances(changes));
        if !self.ticker.go_on() {
            return None;
        }
        let Some(distances) = distances else {
            return Some(Progress::None);
        };
        let mut reduction = Reduction::closed(network, distances);
        let mut reached = Progress::None;
        for (nodes, next) in [
            (self.suspects.clone(), Progress::Repaired),
            (reduction.theirs.clone(), Progress::Holds),
        ] {
            let disjunctions = nodes.iter().flat_map(|node| reduction.disjunctions(*node));
            reduction.system.disjunctions = disjunctions.collect();
            match decide(&reduction.system, self.ticker) {
                Decided::Holds(_) => reached = next,
                Decided::Fails => break,
                Decided::Open(_) => return None,
            }
        }
        Some(reached)
    }

    fn conflict(&mut self, changes: &[Change]) -> Option<(Conflict, Option<Micros>)> {
        let network = changed(self.before.network, changes)?;
        let mut reduction = Reduction::closed(&network, self.distances(changes)?);
        let disjunctions = reduction
            .theirs
            .iter()
            .flat_map(|node| reduction.disjunctions(*node));
        reduction.system.disjunctions = disjunctions.collect();
        let (conflict, deficit) = failing(&reduction, self.ticker)?;
        self.suspects = suspects(&conflict);
        Some((conflict, deficit))
    }
}

/// Teammates' events that have a part in a conflict.
fn suspects(conflict: &Conflict) -> Vec<Node> {
    let owed = conflict.members.iter().filter(|member| {
        matches!(
            member.kind,
            MemberKind::LateEnough | MemberKind::EarlyEnough
        )
    });
    let mut suspects: Vec<Node> = owed.map(|member| member.from).collect();
    suspects.sort_unstable();
    suspects.dedup();
    suspects
}
